"""The pending clarification in process: five minutes since the last activity, one for a conversation, bounded."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from gunita.chat.shortterm import InProcessShortTermMemory, PendingClarification
from gunita.language.clarification import ClarificationEngine, Narrowed, Settled
from gunita.models import Scope
from tests.unit.replies import ENGLISH_TURNS, TAGLISH_TURNS, matching, turns_of

ANA = Scope("acme", "ana")
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
engine = ClarificationEngine()


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def asked_of(scope: Scope, conversation: UUID, at: datetime = START) -> PendingClarification:
    history = turns_of(TAGLISH_TURNS)
    return PendingClarification.opened(
        scope, conversation, engine.ask("yung kanina po?", matching(history, 1, 3), history), at
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> InProcessShortTermMemory:
    return InProcessShortTermMemory(clock)


def test_what_was_put_comes_back(memory: InProcessShortTermMemory) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    assert memory.get(ANA, pending.conversation_id) == pending
    assert pending.original_query == "yung kanina po?"
    assert pending.question == pending.clarification.question
    assert [choice.turn.turn_number for choice in pending.choices] == [1, 3]
    assert pending.round == 1


def test_it_is_there_one_second_before_five_minutes_and_gone_at_five(
    memory: InProcessShortTermMemory, clock: Clock
) -> None:
    early, late = asked_of(ANA, uuid4()), asked_of(ANA, uuid4())
    memory.put(ANA, early)
    memory.put(ANA, late)
    clock.forward(minutes=4, seconds=59)
    assert memory.get(ANA, early.conversation_id) is not None
    clock.forward(seconds=1)
    assert memory.get(ANA, late.conversation_id) is None


def test_reading_it_is_activity_and_renews_it(memory: InProcessShortTermMemory, clock: Clock) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    for _ in range(3):
        clock.forward(minutes=4, seconds=59)
        assert memory.get(ANA, pending.conversation_id) is not None
    clock.forward(minutes=4, seconds=59)
    assert memory.touch(ANA, pending.conversation_id)
    clock.forward(minutes=5)
    assert memory.get(ANA, pending.conversation_id) is None
    assert not memory.touch(ANA, pending.conversation_id)


def test_a_new_question_replaces_the_old_one(memory: InProcessShortTermMemory) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    outcome = engine.settle(pending.clarification, "hmm")
    assert isinstance(outcome, Narrowed)
    memory.put(ANA, PendingClarification.opened(ANA, pending.conversation_id, outcome.clarification, START))
    found = memory.get(ANA, pending.conversation_id)
    assert found is not None
    assert found.round == 2
    assert len(memory) == 1


def test_dropped_is_gone(memory: InProcessShortTermMemory) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    assert memory.drop(ANA, pending.conversation_id)
    assert not memory.drop(ANA, pending.conversation_id)
    assert memory.get(ANA, pending.conversation_id) is None


@pytest.mark.parametrize("other", [Scope("acme", "ben"), Scope("rival", "ana"), Scope(None, "ana"), Scope("rival")])
def test_another_user_or_tenant_neither_sees_nor_drops_nor_replaces_it(
    memory: InProcessShortTermMemory, other: Scope
) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    assert memory.get(other, pending.conversation_id) is None
    assert not memory.touch(other, pending.conversation_id)
    assert not memory.drop(other, pending.conversation_id)
    memory.put(other, replace(pending, scope=other))
    assert memory.get(ANA, pending.conversation_id) == pending


def test_the_tenants_service_sees_it(memory: InProcessShortTermMemory) -> None:
    pending = asked_of(ANA, uuid4())
    memory.put(ANA, pending)
    assert memory.get(Scope("acme"), pending.conversation_id) == pending


def test_it_is_bounded_and_the_longest_idle_goes_first(clock: Clock) -> None:
    memory = InProcessShortTermMemory(clock, max_entries=3)
    conversations = [uuid4() for _ in range(4)]
    for conversation in conversations[:3]:
        memory.put(ANA, asked_of(ANA, conversation))
    memory.touch(ANA, conversations[0])
    memory.put(ANA, asked_of(ANA, conversations[3]))
    kept = [conversation for conversation in conversations if memory.touch(ANA, conversation)]
    assert kept == [conversations[0], conversations[2], conversations[3]]


def test_expired_questions_take_no_room(memory: InProcessShortTermMemory, clock: Clock) -> None:
    for _ in range(50):
        memory.put(ANA, asked_of(ANA, uuid4()))
    clock.forward(minutes=5)
    assert len(memory) == 0


def test_many_threads_share_it(clock: Clock) -> None:
    memory = InProcessShortTermMemory(clock, max_entries=64)
    conversations = [uuid4() for _ in range(16)]
    ready = {conversation: asked_of(ANA, conversation) for conversation in conversations}

    def work(step: int) -> bool:
        conversation = conversations[step % len(conversations)]
        memory.put(ANA, ready[conversation])
        found = memory.get(ANA, conversation)
        if step % 5 == 0:
            memory.drop(ANA, conversation)
        return found is None or found.conversation_id == conversation

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(800)))
    assert len(memory) <= len(conversations)


@pytest.mark.parametrize("scope", [ANA, Scope(), Scope(None, "ana")])
def test_it_survives_json_and_settles_as_before(scope: Scope) -> None:
    pending = asked_of(scope, uuid4())
    back = PendingClarification.from_json(json.loads(json.dumps(pending.to_json())))
    assert back == pending
    outcome = engine.settle(back.clarification, "yung sinigang")
    assert isinstance(outcome, Settled)
    assert outcome.turn.turn_number == 1


@pytest.mark.parametrize("damaged", [{}, {"clarification": None}, {"tenant_id": 1}, {"conversation_id": "x"}])
def test_damaged_json_is_refused_as_a_value(damaged: dict[str, object]) -> None:
    good = asked_of(ANA, uuid4()).to_json()
    with pytest.raises(ValueError):  # noqa: PT011 - a bad id, a bad date and a missing field read differently
        PendingClarification.from_json({**good, "asked_at": "never", **damaged} if damaged else damaged)


def test_long_turns_are_cut_so_that_a_pending_question_stays_small() -> None:
    history = [replace(turn, response_text="long " * 100_000, metadata={"k": "v"}) for turn in turns_of(ENGLISH_TURNS)]
    asked = engine.ask("that", matching(history, 1, 2), history)
    pending = PendingClarification.opened(ANA, uuid4(), asked, START)
    assert len(json.dumps(pending.to_json())) < 40_000
    assert [turn.id for turn in pending.clarification.turns] == [turn.id for turn in asked.turns]
