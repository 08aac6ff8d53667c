"""Connections to PostgreSQL that are reset, delayed and truncated, and what two servers write meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gunita import Gunita
from gunita.chat.away import SLOW
from gunita.chat.records import Intent
from tests.controlled_clock import ControlledClock
from tests.faults.faults import assert_whole, rows_of, wait_until_ready
from tests.faults.tcp_proxy import TcpProxy


@pytest.fixture
def behind_wire(wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any]) -> Iterator[Gunita]:
    quicker = {"storage_deadline_seconds": 0.1, "postgres_wait_seconds": 0.1, "storage_retry_seconds": 0.01}
    with Gunita.open(wire.url(new_postgres_url), **(quick | quicker)) as g:
        yield g


def test_turns_said_behind_a_cut_wire_follow_those_that_others_wrote_and_point_where_they_pointed(
    wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(wire.url(new_postgres_url), **quick) as cut, Gunita.open(new_postgres_url) as other:
        session = cut.chat.reply("How do I cook adobo?", "juan").session_id
        wire.cut()
        cut.chat.reply("What does a visa to Japan cost?", "juan", session)
        pointing = cut.chat.reply("What was my second question?", "juan", session)
        assert (pointing.intent, pointing.turn_number) == (Intent.REFERENCE, 3)
        assert [used["turn_number"] for used in pointing.data] == [2]
        for number in (2, 3):
            assert other.sessions.store_turn(session, "juan", f"from the other {number}", "yes").turn_number == number
        wire.mend()
        wait_until_ready(cut)
        assert_whole(
            new_postgres_url,
            session,
            [
                "How do I cook adobo?",
                "from the other 2",
                "from the other 3",
                "What does a visa to Japan cost?",
                "What was my second question?",
            ],
        )
        *_, last = other.sessions.get_session_history(session)
        assert last.metadata["references"] == [4]
        assert cut.standing is not None
        assert cut.standing.counters.turns_renumbered == 2
        assert other.receipts.get_receipt(last.metadata["receipt_id"]).turn_number == 5


def test_a_cleanup_waits_for_a_database_that_is_away_for_a_moment(
    wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any]
) -> None:
    clock = ControlledClock()
    with Gunita.open(wire.url(new_postgres_url), **quick, clock=clock) as g:
        g.sessions.store_turn(g.sessions.create_session("juan"), "juan", "Magkano?", "Isang daan.")
        clock.forward(hours=24, microseconds=1)
        wire.cut()
        mending = threading.Timer(0.2, wire.mend)
        mending.start()
        result = g.cleanup.run_cleanup()
        mending.join()
        assert (result.turns_deleted, result.sessions_deleted, result.errors) == (1, 1, ())


def test_a_slow_wire_shrinks_the_window_and_says_so(
    wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any]
) -> None:
    patient = quick | {"storage_deadline_seconds": 30.0, "slow_database_seconds": 0.05}
    with Gunita.open(wire.url(new_postgres_url), **patient) as g:
        session = g.sessions.create_session("juan")
        for number in range(12):
            g.sessions.store_turn(session, "juan", f"question {number}", f"answer {number}")
        wire.delay = 0.1
        reply = g.chat.reply("And the weather in Baguio?", "juan", session)
        wire.delay = 0.0
        assert SLOW in reply.metadata["warnings"]
        receipt = g.receipts.get_receipt(reply.metadata["receipt_id"]).body
        shown = [line["turn_number"] for line in receipt["lines"] if line["kind"].endswith("_turn")]
        assert sorted(shown) == [8, 9, 10, 11, 12]
        assert g.standing is not None
        assert g.standing.counters.slow_statements > 0


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(said_before_the_cut=st.integers(0, 1_200), turns=st.integers(1, 4))
def test_wherever_an_answer_is_cut_off_every_turn_is_there_once(
    wire: TcpProxy, behind_wire: Gunita, new_postgres_url: str, said_before_the_cut: int, turns: int
) -> None:
    """The server's words are cut in the middle: what was asked may have been done, or not."""
    g = behind_wire
    session = g.sessions.create_session("juan")
    g.sessions.store_turn(session, "juan", "first", "kept")
    wire.bytes_left = said_before_the_cut
    queries = [f"turn {number}" for number in range(turns)]
    for query in queries:
        g.sessions.store_turn(session, "juan", query, "an answer")
    wire.mend()
    wait_until_ready(g)
    assert_whole(new_postgres_url, session, ["first", *queries])


def check_a_chat_that_is_cut_off(wire: TcpProxy, g: Gunita, url: str, said_before_the_cut: int) -> None:
    session = g.sessions.create_session("juan")
    wire.bytes_left = said_before_the_cut
    replies = [g.chat.reply(query, "juan", session) for query in ("Kumusta?", "Magkano ang visa?")]
    wire.mend()
    wait_until_ready(g)
    assert_whole(url, session, ["Kumusta?", "Magkano ang visa?"])
    answers = [content for _, role, content in rows_of(url, session) if role == "assistant"]
    assert answers == [reply.message for reply in replies]
    assert all(reply.error is None for reply in replies)


@pytest.mark.parametrize("said_before_the_cut", [0, 40, 120, 250, 400, 700, 1_100, 1_700])
def test_wherever_a_chat_is_cut_off_every_turn_is_there_once_and_whole(
    wire: TcpProxy, behind_wire: Gunita, new_postgres_url: str, said_before_the_cut: int
) -> None:
    check_a_chat_that_is_cut_off(wire, behind_wire, new_postgres_url, said_before_the_cut)


@pytest.mark.soak
@settings(max_examples=300, suppress_health_check=list(HealthCheck), deadline=None)
@given(said_before_the_cut=st.integers(0, 3_000))
def test_a_chat_may_be_cut_off_anywhere(
    wire: TcpProxy, behind_wire: Gunita, new_postgres_url: str, said_before_the_cut: int
) -> None:
    check_a_chat_that_is_cut_off(wire, behind_wire, new_postgres_url, said_before_the_cut)
