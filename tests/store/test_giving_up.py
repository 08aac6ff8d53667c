"""Turns of a server that never comes back are closed by another one's cleanup, on both engines and on time."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from gunita import Gunita
from gunita.ids import new_id
from gunita.models import Message, Role
from gunita.resilience import replay
from gunita.resilience.waiting import WaitingTurn
from gunita.services.giving_up import GIVEN_UP_AFTER
from gunita.store import turns
from tests.controlled_clock import ControlledClock
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand


@pytest.fixture
def clock() -> ControlledClock:
    return ControlledClock()


@pytest.fixture
def gunita(url: str, clock: ControlledClock) -> Iterator[Gunita]:
    with Gunita.open(url, clock=clock) as opened:
        yield opened


def opened_and_left(g: Gunita, session: UUID, query: str = "Magkano ang visa?", request: str | None = None) -> UUID:
    """Open a turn as a server does that dies before it answers."""
    now = g._door.clock()
    with g._door.db.transaction() as together:
        turn = turns.open_turn(together, session, "juan", query, tokens=4, now=now)
        assert turn is not None
        assert turn.query_id is not None
        if request is not None:
            assert turns.remember_request(together, "juan", request, session, turn.number, now)
    return turn.query_id


def answers(g: Gunita, session: UUID) -> list[tuple[int, str]]:
    found: list[Message] = g.conversations.get_messages(session, 100)
    return [(message.turn_number, message.content) for message in found if message.role is Role.ASSISTANT]


def test_a_turn_that_nobody_answers_is_closed_after_an_hour_and_not_a_microsecond_sooner(
    gunita: Gunita, clock: ControlledClock
) -> None:
    g, session = gunita.scoped("acme"), uuid4()
    opened_and_left(g, session, request="r-1")
    clock.now += GIVEN_UP_AFTER
    gunita.cleanup.run_cleanup()
    assert answers(g, session) == []
    assert turns.find_request(g._door.db, "juan", "r-1") is not None
    clock.forward(microseconds=1)
    gunita.cleanup.run_cleanup()
    assert answers(g, session) == [(1, "…")]
    (turn,) = g.sessions.get_session_history(session)
    assert turn.metadata["interrupted"] is True
    assert turns.find_request(g._door.db, "juan", "r-1") is None
    kept = g.conversations.get_conversation(session)
    assert (kept.message_count, kept.turn_count) == (2, 1)
    assert g.sessions.store_turn(session, "juan", "At ngayon?", "Oo.").turn_number == 2


def test_a_turn_left_open_before_others_that_were_answered_is_found_too(gunita: Gunita, clock: ControlledClock) -> None:
    session = uuid4()
    opened_and_left(gunita, session)
    gunita.sessions.store_turn(session, "juan", "Nandiyan ka pa ba?", "Oo.")
    clock.forward(hours=2)
    gunita.cleanup.run_cleanup()
    assert answers(gunita, session) == [(1, "…"), (2, "Oo.")]


def test_a_message_that_waits_for_nobody_is_left_as_it_is(gunita: Gunita, clock: ControlledClock) -> None:
    session = gunita.conversations.create_conversation("juan").id
    gunita.conversations.add_message(session, "user", "para sa sarili ko lang")
    clock.forward(hours=2)
    gunita.cleanup.run_cleanup()
    assert answers(gunita, session) == []


def test_each_turn_left_open_is_closed_once_over_many_rounds(gunita: Gunita, clock: ControlledClock) -> None:
    sessions = []
    for _ in range(6):
        sessions.append(uuid4())
        opened_and_left(gunita, sessions[-1])
        clock.forward(minutes=40)
        gunita.cleanup.run_cleanup()
    clock.forward(minutes=40)
    gunita.cleanup.run_cleanup()
    for session in sessions:
        assert answers(gunita, session) == [(1, "…")]
        assert gunita.conversations.get_conversation(session).message_count == 2


def test_what_rounds_with_errors_left_is_closed_by_the_next_one_without(
    url: str, gunita: Gunita, clock: ControlledClock
) -> None:
    session = uuid4()
    gunita.cleanup.run_cleanup()
    opened_and_left(gunita, session)
    clock.forward(hours=3)
    with connected(url) as raw:
        rows = RowsByHand(raw, postgres=url.startswith("postgresql"))
        rows.raw("ALTER TABLE messages RENAME TO messages_away")
        first = gunita.cleanup.run_cleanup()
        rows.raw("ALTER TABLE messages_away RENAME TO messages")
    assert len(first.errors) == 1
    clock.forward(hours=3)
    assert gunita.cleanup.run_cleanup().errors == ()
    assert answers(gunita, session) == [(1, "…")]


def test_an_answer_that_comes_back_after_all_takes_the_place_of_the_mark(
    gunita: Gunita, clock: ControlledClock
) -> None:
    session, said_at = uuid4(), clock.now
    query_id = opened_and_left(gunita, session)
    clock.forward(hours=2)
    gunita.cleanup.run_cleanup()
    late = WaitingTurn(
        tenant_id=None,
        user_id="juan",
        conversation_id=session,
        turn_number=1,
        query_id=query_id,
        response_id=new_id(said_at),
        query="Magkano ang visa?",
        response="160 dollars.",
        query_tokens=4,
        response_tokens=3,
        said_at=said_at,
        is_open=True,
    )
    for _ in range(2):
        replay.write_back(gunita._database, late, {})
    assert answers(gunita, session) == [(1, "160 dollars.")]
    kept = gunita.conversations.get_conversation(session)
    assert (kept.message_count, kept.token_count) == (2, 7)
    assert gunita.sessions.get_session_history(session)[0].metadata == {}
