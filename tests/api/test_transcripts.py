"""Conversations as a page shows them, insights, and who is asking; on both engines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from gunita.errors import NotFoundError
from tests.api.service import Service, serving


def numbers(shown: dict[str, object]) -> list[int]:
    return [turn["turn_number"] for turn in shown["items"]]  # type: ignore[index, attr-defined]


def test_turns_are_shown_around_a_place_and_say_whether_there_is_more(service: Service) -> None:
    with service.opened() as g:
        session = g.sessions.create_session("juan")
        for number in range(1, 46):
            g.sessions.store_turn(session, "juan", f"q{number}", f"r{number}", {"intent": "new"})
        g.conversations.add_message(session, "user", "still open")
    path = f"/api/conversations/{session}/turns"
    newest = service.get(path)
    assert (numbers(newest), newest["has_earlier"], newest["has_later"]) == (list(range(27, 47)), True, False)
    assert newest["items"][-1]["response"] is None
    assert newest["items"][-1]["query"]["content"] == "still open"
    assert newest["items"][0]["metadata"] == {"intent": "new"}
    first = service.get(path, before=5)
    assert (numbers(first), first["has_earlier"], first["has_later"]) == ([1, 2, 3, 4], False, True)
    later = service.get(path, after=10, limit=3)
    assert (numbers(later), later["has_earlier"], later["has_later"]) == ([11, 12, 13], True, True)
    around = service.get(path, around=10, limit=6)
    assert (numbers(around), around["has_earlier"], around["has_later"]) == ([7, 8, 9, 10, 11, 12], True, True)


@given(turns=st.integers(0, 12), place=st.integers(1, 14), limit=st.integers(1, 6), is_open=st.booleans())
def test_pages_joined_give_the_whole_conversation(turns: int, place: int, limit: int, is_open: bool) -> None:
    with Gunita.open(":memory:") as g:
        session = g.sessions.create_session("juan")
        for number in range(1, turns + 1):
            g.sessions.store_turn(session, "juan", f"q{number}", f"r{number}")
        if is_open:
            g.conversations.add_message(session, "user", "open")
        shown = g.transcripts.read(session, around=place, limit=limit)
        found = list(shown.items)
        while shown.has_earlier and found:
            shown = g.transcripts.read(session, before=found[0].turn_number, limit=limit)
            found = [*shown.items, *found]
        shown = g.transcripts.read(session, after=found[-1].turn_number if found else 0, limit=limit)
        while True:
            found = [*found, *shown.items]
            if not shown.has_later:
                break
            shown = g.transcripts.read(session, after=found[-1].turn_number, limit=limit)
    assert [turn.turn_number for turn in found] == list(range(1, turns + is_open + 1))


def test_somebody_elses_conversation_is_not_there(url: str) -> None:
    with serving(url, require_auth=True) as service:
        with service.opened() as g:
            session = g.sessions.create_session("juan")
            g.sessions.store_turn(session, "juan", "secret", "kept")
            juan = g.keys.create_key("his", role="user", user_id="juan").secret
            maria = g.keys.create_key("hers", role="user", user_id="maria").secret
            with pytest.raises(NotFoundError):
                g.scoped(user_id="maria").transcripts.read(session)
        path = f"/api/conversations/{session}/turns"
        assert service.as_(juan).get(path).status_code == 200
        assert service.as_(maria).get(path).status_code == 404
        assert service.client.get(path).status_code == 401
        assert service.as_(juan).get("/api/insights").json()["answers_read"] == 1
        assert service.as_(maria).get("/api/insights").json()["answers_read"] == 0
        assert service.as_(maria).get("/api/insights", params={"user_id": "juan"}).status_code == 403
        assert service.as_(juan).get("/api/about").json()["user_id"] == "juan"


def test_insights_count_days_sizes_topics_and_kinds(service: Service) -> None:
    with service.opened() as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", "visa requirements", "passport")
        pointed = {"intent": "reference", "kind": "ordinal", "references": [1]}
        g.sessions.store_turn(session, "juan", "yung una, visa requirements", "passport", pointed)
        g.sessions.store_turn(session, "juan", "the ninth", "which?", {"intent": "clarification"})
        g.sessions.store_turn(session, "juan", "ok", "passport", {"intent": "followup", "kind": "topic"})
        g.sessions.store_turn(g.sessions.create_session("maria"), "maria", "hers", "kept")
    told = service.get("/api/insights", user_id="juan", days=7)
    assert len(told["days"]) == 7
    assert told["days"][-1]["turns"] == 4
    assert told["days"][-1]["conversations"] == 1
    assert [size["conversations"] for size in told["sizes"]] == [0, 0, 1, 0, 0, 0]
    assert told["topics"][0] == {"name": "visa requirements", "count": 2}
    assert {kind["name"]: kind["count"] for kind in told["reference_kinds"]} == {"ordinal": 1, "followup": 1}
    assert told["clarification_rate"] == 0.5
    assert told["counts"]["turns"] == 4
    assert service.get("/api/insights")["answers_read"] == 5


def test_an_answer_remembers_how_its_query_pointed(service: Service) -> None:
    first = service.chat("What are the requirements for a Japan visa?", user_id="juan")
    service.chat("How do I cook adobo?", session_id=first["session_id"])
    service.chat("Tell me more about the first one", session_id=first["session_id"])
    last = service.get(f"/api/conversations/{first['session_id']}/turns")["items"][-1]
    assert last["metadata"]["references"] == [1]
    assert last["metadata"]["kind"] == "ordinal"


def test_about_says_who_is_asking_and_how_long_is_remembered(service: Service) -> None:
    about = service.get("/api/about")
    assert about["user_id"] is None
    assert about["model"] is None
    assert about["retention_hours"] == 24
