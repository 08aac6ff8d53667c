"""Learning over HTTP, on both engines: asked for by hand, followed to its end, with history and source."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.api.service import Json, Service, serving


def learnt(service: Service, **where: Any) -> Json:
    """Ask how far the learning is until it is done."""
    until = time.monotonic() + 30
    while (told := service.get("/api/memories/extract", **where))["state"] != "done" and time.monotonic() < until:
        time.sleep(0.02)
    assert told["state"] == "done", told
    return told


def told(service: Service, *texts: str) -> str:
    with service.opened() as g:
        session = g.sessions.create_session("juan")
        for text in texts:
            g.sessions.store_turn(session, "juan", text, "ok")
    return str(session)


def test_a_conversation_is_read_on_request_and_its_progress_told(service: Service) -> None:
    session = told(service, "I live in Cebu.", "Ayoko ng maanghang.", "What is the capital of France?")
    asked = service.client.post("/api/memories/extract", json={"conversation_id": session})
    assert asked.status_code == 202
    assert asked.json()["messages_waiting"] + asked.json()["messages_read"] == 3
    done = learnt(service, conversation_id=session)
    assert (done["messages_read"], done["messages_waiting"], done["learnt"], done["last_error"]) == (3, 0, 2, None)
    kept = service.get("/api/memories", source_conversation_id=session)["items"]
    assert {memory["content"] for memory in kept} == {"I live in Cebu", "Ayoko ng maanghang"}
    assert service.client.post("/api/memories/extract", json={"conversation_id": session}).status_code == 202
    assert learnt(service, conversation_id=session)["learnt"] == 2


def test_all_of_a_users_conversations_are_read_on_request(service: Service) -> None:
    for text in ("I live in Cebu.", "My dog is called Bantay."):
        told(service, text)
    asked = service.client.post("/api/memories/extract", json={"user_id": "juan"})
    assert asked.status_code == 202
    assert learnt(service, user_id="juan")["learnt"] == 2
    assert service.get("/api/memories/extract", user_id="ana")["learnt"] == 0


def test_a_memory_tells_its_history_and_its_source(service: Service) -> None:
    session = told(service, "I live in Cebu.", "Lumipat na ako sa Davao.")
    service.client.post("/api/memories/extract", json={"conversation_id": session})
    learnt(service, conversation_id=session)
    (memory,) = service.get("/api/memories", source_conversation_id=session)["items"]
    assert memory["content"] == "Lumipat na ako sa Davao"
    (before,) = service.get(f"/api/memories/{memory['id']}/history")["items"]
    assert (before["content"], before["reason"]) == ("I live in Cebu", "superseded")
    assert before["believed_from"] < before["believed_until"]
    source = service.get(f"/api/memories/{memory['id']}/source")
    assert before["caused_by_message_id"] == source["message"]["id"] == memory["source_message_id"]
    assert (source["conversation_id"], source["turn_number"]) == (session, 2)
    assert source["message"]["content"] == "Lumipat na ako sa Davao."
    service.client.delete(f"/api/conversations/{session}")
    gone = service.get(f"/api/memories/{memory['id']}/source")
    assert (gone["conversation_id"], gone["message"]) == (None, None)


def test_a_memory_entered_by_hand_has_no_source_and_no_history(service: Service) -> None:
    made = service.client.post("/api/memories", json={"content": "Prefers tea"}).json()
    assert service.get(f"/api/memories/{made['id']}/history") == {"items": []}
    source = service.get(f"/api/memories/{made['id']}/source")
    assert source == {
        "memory_id": made["id"], "conversation_id": None, "conversation_title": None, "turn_number": None,
        "message": None,
    }  # fmt: skip


def test_what_is_chatted_is_learnt_and_indexed_by_the_service_itself(url: str) -> None:
    with serving(url, extraction_trigger="background") as service:
        service.chat("I live in Davao and I work as a nurse.", user_id="juan")
        until = time.monotonic() + 30
        while not (kept := service.get("/api/memories", user_id="juan")["items"]) and time.monotonic() < until:
            time.sleep(0.02)
        assert kept
        while (hits := service.get("/api/search", q="saan nakatira?", user_id="juan")["items"]) == []:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert "meaning" in hits[0]["why"]


def test_a_service_that_leaves_the_work_to_others_does_none(url: str) -> None:
    with serving(url, background=False) as service:
        session = told(service, "I live in Davao.")
        asked = service.client.post("/api/memories/extract", json={"conversation_id": session}).json()
        assert asked["state"] == "waiting"
        with service.opened() as g:
            assert g.memories.extract_everywhere() == 1
        assert learnt(service, conversation_id=session)["learnt"] == 1


@pytest.mark.parametrize("missing", ["history", "source"])
def test_a_memory_that_is_not_there_is_a_404(standing: Service, missing: str) -> None:
    answered = standing.client.get(f"/api/memories/0197d2c4-8f3e-7a41-9c55-2b8f6d1e0a37/{missing}")
    assert answered.status_code == 404
