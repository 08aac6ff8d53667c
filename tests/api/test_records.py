"""Conversations, memories, user memory, state, counts and corrections over HTTP, on both engines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.service import Service

TALK = (
    ("What is the capital of France?", "Paris."),
    ("What is the capital of Germany?", "Berlin."),
    ("Tell me more about the first one", "Berlin has …"),
)


@pytest.fixture
def talk(service: Service) -> str:
    """A conversation of three turns, whose last was understood wrongly."""
    with service.opened() as g:
        session = g.sessions.create_session("juan")
        for query, response in TALK:
            points = query.startswith("Tell")
            metadata = {"intent": "reference", "confidence": 0.8, "references": [2]} if points else {}
            g.sessions.store_turn(session, "juan", query, response, metadata)
    return str(session)


def test_a_conversation_is_made_listed_changed_and_deleted(service: Service) -> None:
    made = service.client.post(
        "/api/conversations",
        json={"user_id": "juan", "title": "Biyahe", "document_context": ["plan.pdf"], "metadata": {"a": [1, 2.5]}},
    )
    assert made.status_code == 201
    mine = made.json()
    assert (mine["title"], mine["document_context"], mine["metadata"]) == ("Biyahe", ["plan.pdf"], {"a": [1, 2.5]})
    path = f"/api/conversations/{mine['id']}"
    assert service.get("/api/conversations", user_id="juan")["items"] == [mine]
    changed = service.client.patch(path, json={"archived": True, "title": None}).json()
    assert (changed["archived"], changed["title"], changed["metadata"]) == (True, None, {"a": [1, 2.5]})
    assert service.get("/api/conversations", user_id="juan", archived=False)["items"] == []
    assert service.client.delete(path).json()["deleted"] == 1
    assert service.client.delete(path).status_code == 404
    assert service.client.get(path).status_code == 404


def test_lists_come_in_pages_that_miss_nothing(service: Service) -> None:
    made = {service.client.post("/api/conversations", json={"title": f"t{n}"}).json()["id"] for n in range(7)}
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = service.get("/api/conversations", limit=3, offset=offset)
        seen += [item["id"] for item in page["items"]]
        offset = page["next_offset"]
    assert len(seen) == 7
    assert set(seen) == made


def test_the_current_conversation_is_made_once(service: Service) -> None:
    first = service.get("/api/conversations/current", user_id="juan")
    assert service.get("/api/conversations/current", user_id="juan") == first
    assert service.get("/api/conversations/current", user_id="ana")["id"] != first["id"]


def test_a_conversation_comes_with_its_newest_messages(service: Service, talk: str) -> None:
    whole = service.get(f"/api/conversations/{talk}", limit=2)
    assert [message["content"] for message in whole["messages"]["items"]] == list(TALK[2])
    assert (whole["turn_count"], whole["summary"]) == (3, None)
    first = service.get(f"/api/conversations/{talk}", limit=2, offset=0)["messages"]
    assert [message["role"] for message in first["items"]] == ["user", "assistant"]
    assert first["next_offset"] == 2
    page = service.get(f"/api/conversations/{talk}/messages", limit=4)
    assert [message["content"] for message in page["items"]] == [*TALK[0], *TALK[1]]
    assert page["next_offset"] == 4


def test_a_message_carries_what_it_is_given(service: Service, talk: str) -> None:
    calls = [{"id": "c1", "function": {"name": "weather", "arguments": '{"place": "Davao"}'}}]
    path = f"/api/conversations/{talk}/messages"
    assert service.client.post(path, json={"role": "user", "content": "Ulan ba?"}).status_code == 201
    said = service.client.post(path, json={"role": "assistant", "content": "Oo.", "tool_calls": calls}).json()
    assert (said["turn_number"], said["tool_calls"]) == (4, calls)
    refused = service.client.post(path, json={"role": "system", "content": "c"})
    assert (refused.status_code, refused.json()["error_code"]) == (400, "invalid_role")


def test_a_conversation_is_written_out(service: Service, talk: str) -> None:
    as_json = service.client.get(f"/api/conversations/{talk}/export")
    assert len(as_json.json()["messages"]) == 6
    assert f"conversation-{talk}.json" in as_json.headers["content-disposition"]
    as_text = service.client.get(f"/api/conversations/{talk}/export", params={"format": "markdown"})
    assert as_text.headers["content-type"].startswith("text/markdown")
    assert "What is the capital of Germany?" in as_text.text
    assert service.client.get(f"/api/conversations/{talk}/export", params={"format": "pdf"}).status_code == 400


def test_memories_are_made_filtered_changed_and_deleted(service: Service) -> None:
    for content, kind, category in (("Lives in Davao", "fact", "home"), ("Prefers tea", "preference", None)):
        body = {"user_id": "juan", "content": content, "memory_type": kind, "category": category}
        assert service.client.post("/api/memories", json=body).status_code == 201
    listed = service.get("/api/memories", user_id="juan", memory_type="fact")["items"]
    assert [memory["content"] for memory in listed] == ["Lives in Davao"]
    assert len(service.get("/api/memories", text="TEA")["items"]) == 1
    assert len(service.get("/api/memories", category="home")["items"]) == 1
    path = f"/api/memories/{listed[0]['id']}"
    changed = service.client.patch(path, json={"content": "Lives in Cebu", "category": None, "pinned": True}).json()
    assert (changed["content"], changed["category"], changed["pinned"]) == ("Lives in Cebu", None, True)
    assert service.get("/api/memories", pinned=True)["items"] == [changed]
    assert service.client.delete(path).json()["deleted"] == 1
    assert service.client.get(path).status_code == 404
    wrong = service.client.post("/api/memories", json={"content": "c", "memory_type": "rumour"})
    assert "memory_type" in wrong.json()["fields"]


@pytest.mark.parametrize(
    "value", [{"a": [1, 2.5, None, "ñ"]}, [], "text", 7, 1.5, True, None, {}, 10**30, {"half": "\ud83d"}, "nul \0"]
)
def test_user_memory_gives_back_exactly_what_was_kept(standing: Service, value: Any) -> None:
    path = "/api/user-memory/preferences/theme"
    body = json.dumps({"value": value}).encode()
    put = standing.client.put(
        path, content=body, headers={"Content-Type": "application/json"}, params={"user_id": "ana"}
    )
    assert put.status_code == 200, put.text
    assert standing.get(path, user_id="ana") == {"key": "preferences/theme", "value": value}
    assert standing.get("/api/user-memory", user_id="ana")["items"] == {"preferences/theme": value}
    assert standing.client.get(path).status_code == 404


def test_user_memory_is_deleted_by_key_and_as_a_whole(service: Service) -> None:
    for key in ("a", "b", "c"):
        service.client.put(f"/api/user-memory/{key}", json={"value": key})
    assert service.client.delete("/api/user-memory/a").json() == {"deleted": 1}
    assert service.client.delete("/api/user-memory/a").status_code == 404
    assert service.client.delete("/api/user-memory").json() == {"deleted": 2}
    assert service.get("/api/user-memory") == {"items": {}}


def test_user_state_is_set_read_and_forgotten(service: Service) -> None:
    assert service.get("/api/user-state", user_id="ana") == {"mode": None}
    assert service.client.put("/api/user-state", json={"mode": "halted"}, params={"user_id": "ana"}).status_code == 200
    assert service.get("/api/user-state", user_id="ana") == {"mode": "halted"}
    assert service.client.delete("/api/user-state", params={"user_id": "ana"}).json() == {"deleted": 1}


def test_what_is_kept_is_counted_for_the_tenant_and_for_a_user(service: Service, talk: str) -> None:
    service.chat("Hi", user_id="ana")
    service.client.post("/api/memories", json={"user_id": "ana", "content": "Prefers tea"})
    everything = {"conversations": 2, "turns": 4, "messages": 8, "memories": 1, "corrections": 0}
    assert service.get("/api/stats") == everything
    assert service.get("/api/stats", user_id="juan") == everything | {
        "conversations": 1, "turns": 3, "messages": 6, "memories": 0,
    }  # fmt: skip


def test_a_correction_is_kept_listed_and_exported_as_a_case(service: Service, talk: str) -> None:
    body = {"conversation_id": talk, "turn_number": 3, "meant": [1]}
    made = service.client.post("/api/corrections", json=body)
    assert made.status_code == 201
    assert made.json()["understood"]["references"] == [2]
    assert service.get("/api/corrections")["items"] == [made.json()]
    [case] = map(json.loads, service.client.get("/api/corrections/export").text.splitlines())
    assert (case["query"], case["turns"]) == (TALK[2][0], [1])
    assert [turn["query"] for turn in case["history"]] == [TALK[0][0], TALK[1][0]]
    assert service.get("/api/stats")["corrections"] == 1


@pytest.mark.parametrize(("number", "meant", "status"), [(3, [3], 400), (3, [7], 400), (9, [1], 404), (3, [], 201)])
def test_a_correction_names_turns_that_came_before(
    service: Service, talk: str, number: int, meant: list[int], status: int
) -> None:
    body = {"conversation_id": talk, "turn_number": number, "meant": meant}
    assert service.client.post("/api/corrections", json=body).status_code == status


def test_the_document_describes_every_route_with_an_example(standing: Service) -> None:
    document = standing.get("/openapi.json")
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            assert route["summary"], f"{method} {path}"
            assert route["tags"], f"{method} {path}"
            if path not in {"/healthz", "/readyz"}:
                assert {"401", "429", "503"} <= route["responses"].keys(), f"{method} {path}"
            if "requestBody" in route:
                schema = route["requestBody"]["content"]["application/json"]["schema"]
                name = json.dumps(schema).rsplit("/", 1)[1].split('"')[0]
                assert "example" in document["components"]["schemas"][name], f"{method} {path}"
