"""Search over HTTP, on both engines: what is found, in which form, by whom, and page by page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gunita import Gunita
from tests.api.service import Json, Service, serving

SAID = (
    ("When is the rent due? I pay my landlord in Makati.", "It is due on the fifth of every month."),
    ("Anong magandang lutuin para sa birthday ni Nanay?", "Subukan mo ang pancit at lechon kawali."),
    ("How do I renew my passport?", "Book an appointment at the consular office and bring the old one."),
)


@pytest.fixture
def filled(service: Service) -> Service:
    """Juan has two conversations that the background has read, Ana one."""
    with service.opened() as g:
        session = g.sessions.create_session("juan")
        for query, response in SAID:
            g.sessions.store_turn(session, "juan", query, response)
        g.conversations.update_conversation(session, title="Upa at pasaporte")
        other = g.conversations.create_conversation("juan", "Gitara")
        then = datetime(2024, 5, 1, tzinfo=UTC)
        g.conversations.add_message(other.id, "user", "The guitar was cheap", created_at=then)
        g.conversations.add_message(other.id, "assistant", "A guitar is a good buy", created_at=then)
        ana = g.sessions.create_session("ana")
        g.sessions.store_turn(ana, "ana", "My landlord is kind", "Good.")
        g.memories.create_memory("juan", "Allergic to peanuts", "fact")
        g.memories.create_memory("juan", "Prefers peanuts roasted", "preference")
        g.search.index_everywhere()
    return service


def found(service: Service, q: str, **filters: Any) -> list[Json]:
    items: list[Json] = service.get("/api/search", q=q, user_id="juan", **filters)["items"]
    return items


def test_a_hit_says_what_where_and_why_with_the_match_marked(filled: Service) -> None:
    first, *_ = found(filled, "landlord")
    assert (first["kind"], first["turn"], first["memory"]) == ("message", None, None)
    assert first["message"]["content"] == SAID[0][0]
    assert (first["turn_number"], first["conversation_id"]) == (1, first["message"]["conversation_id"])
    assert {"text": "landlord", "match": True} in first["snippet"]
    assert "".join(part["text"] for part in first["snippet"]) == SAID[0][0]
    assert "words" in first["why"]
    assert 0 < first["score"] <= 1


def test_a_tagalog_question_finds_english_words(filled: Service) -> None:
    assert found(filled, "kailan ang bayad sa upa?")[0]["message"]["content"] == SAID[0][0]


def test_filters_narrow_what_is_found(filled: Service) -> None:
    first, *_ = found(filled, "guitar")
    where = first["conversation_id"]
    assert len(found(filled, "guitar", conversation_id=where)) == 2
    assert [hit["message"]["role"] for hit in found(filled, "guitar", role="assistant")] == ["assistant"]
    late = datetime.now(UTC) - timedelta(days=1)
    assert found(filled, "guitar cheap", since=late.isoformat(), conversation_id=where) == []
    assert len(found(filled, "guitar", until=late.isoformat())) == 2
    turn, *_ = found(filled, "lechon", kind="turns")
    assert (turn["kind"], turn["turn"]["turn_number"], turn["turn"]["response_text"]) == ("turn", 2, SAID[1][1])
    assert {hit["memory"]["content"] for hit in found(filled, "peanuts", kind="memories")} == {
        "Allergic to peanuts",
        "Prefers peanuts roasted",
    }
    (only,) = found(filled, "peanuts", kind="memories", memory_type="preference")
    assert (only["conversation_id"], only["turn_number"]) == (None, None)


def test_pages_hold_every_hit_once(filled: Service) -> None:
    whole = [hit["message"]["id"] for hit in found(filled, "the guitar and the passport of my landlord")]
    assert len(whole) > 3
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = filled.get(
            "/api/search", q="the guitar and the passport of my landlord", user_id="juan", limit=2, offset=offset
        )
        seen += [hit["message"]["id"] for hit in page["items"]]
        offset = page["next_offset"]
    assert seen == whole


def test_conversations_are_found_by_title_while_it_is_typed_and_by_what_was_said(filled: Service) -> None:
    def titles(q: str, **filters: Any) -> list[str]:
        items = filled.get("/api/conversations/search", q=q, user_id="juan", **filters)["items"]
        return [item["conversation"]["title"] for item in items]

    assert titles("gita")[0] == "Gitara"
    assert titles("upa at pas")[0] == "Upa at pasaporte"
    assert titles("lechon kawali")[0] == "Upa at pasaporte"
    first = filled.get("/api/conversations/search", q="pasaporte", user_id="juan")["items"][0]
    assert {"text": "pasaporte", "match": True} in first["snippet"]
    by_text = filled.get("/api/conversations/search", q="lechon", user_id="juan")["items"][0]
    assert by_text["turn_number"] == 2
    assert titles("gita", archived=True) == []


def test_a_search_stays_within_the_credentials(url: str) -> None:
    with serving(url, require_auth=True) as service:
        with Gunita.open(url) as g:
            mine, theirs = (g.keys.create_key(who, "user", who).secret for who in ("juan", "ana"))
            acme = g.scoped("acme").keys.create_key("acme", "service").secret
            session = g.sessions.create_session("juan")
            g.sessions.store_turn(session, "juan", *SAID[0])
            memory = g.memories.create_memory("juan", "Pays a landlord")
        juan, ana, other = service.as_(mine), service.as_(theirs), service.as_(acme)
        for path in ("/api/search", "/api/conversations/search"):
            assert len(juan.get(path, params={"q": "landlord"}).json()["items"]) == 1
            assert ana.get(path, params={"q": "landlord"}).json()["items"] == []
            assert other.get(path, params={"q": "landlord", "user_id": "juan"}).json()["items"] == []
            assert ana.get(path, params={"q": "landlord", "user_id": "juan"}).status_code == 403
            assert service.client.get(path, params={"q": "landlord"}).status_code == 401
        for stranger in (ana, other):
            refused = stranger.get("/api/search", params={"q": "landlord", "conversation_id": str(session)})
            assert refused.status_code == 404
            for path in ("history", "source"):
                assert stranger.get(f"/api/memories/{memory.id}/{path}").status_code == 404
            assert stranger.post("/api/memories/extract", json={"conversation_id": str(session)}).status_code == 404
            told = stranger.get("/api/memories/extract", params={"conversation_id": str(session)})
            assert told.status_code == 404
        assert ana.post("/api/memories/extract", json={"user_id": "juan"}).status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"q": ""},
        {"q": "  "},
        {"q": "a" * 3000},
        {"q": "a", "kind": "rumours"},
        {"q": "a", "role": "system"},
        {"q": "a", "since": "2024-05-01T00:00:00"},
        {"q": "a", "since": "yesterday"},
        {"q": "a", "until": "0001-01-01T00:00:00+14:00"},
        {"q": "a", "conversation_id": "seven"},
        {"q": "a", "limit": 0},
    ],
)
def test_what_is_asked_wrongly_is_refused_by_the_field(standing: Service, wrong: Json) -> None:
    refused = standing.client.get("/api/search", params=wrong)
    assert refused.status_code == 400
    assert refused.json()["fields"]
