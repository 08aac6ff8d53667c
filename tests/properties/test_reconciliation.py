"""Reconciliation is idempotent, never crosses scopes, and loses no source when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from gunita.errors import ModelError
from gunita.language.extraction import Learnt, extract
from gunita.models import Message
from gunita.services import learning
from tests.raw_sql import connected

SAYINGS = (
    "I live in Davao.",
    "Nakatira ako sa Cebu.",
    "Lumipat na ako sa Baguio.",
    "I like cats.",
    "I don't like cats.",
    "Hindi ako nurse.",
    "Nurse ako sa Pasig.",
    "VA na ako ngayon.",
    "My dog is called Bruno.",
    "We decided to sell the car.",
    "Ano ang kabisera ng Japan?",
    "I'm vegetarian now.",
)
talks = st.lists(st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=4), min_size=1, max_size=3)
Empty = Callable[[], None]


@pytest.fixture
def rounds(url: str, gunita: Gunita) -> Iterator[Callable[[], Gunita]]:
    with connected(url) as raw:

        def fresh() -> Gunita:
            for table in ("conversations", "memories"):
                raw(f"DELETE FROM {table}")
            return gunita

        yield fresh


def told(g: Gunita, user: str, talk: Sequence[str]) -> UUID:
    session = g.sessions.create_session(user)
    for text in talk:
        g.sessions.store_turn(session, user, text, "ok")
    return session


def without_cursors(url: str) -> None:
    with connected(url) as raw:
        raw("DELETE FROM extraction_cursors")


@given(said=talks)
def test_reading_twice_or_anew_changes_nothing(rounds: Callable[[], Gunita], url: str, said: list[list[str]]) -> None:
    g = rounds().scoped("acme", "juan")
    sessions = [told(g, "juan", talk) for talk in said]
    for session in sessions:
        g.memories.extract_memories(session)
    known = g.memories.get_memories()
    beliefs = [g.memories.get_memory_history(memory.id) for memory in known]
    assert [g.memories.extract_memories(session) for session in sessions] == [[] for _ in sessions]
    without_cursors(url)
    for session in sessions:
        g.memories.extract_memories(session)
    assert g.memories.get_memories() == known
    assert [g.memories.get_memory_history(memory.id) for memory in known] == beliefs


@given(mine=talks, theirs=talks)
def test_learning_never_crosses_scopes(
    rounds: Callable[[], Gunita], mine: list[list[str]], theirs: list[list[str]]
) -> None:
    g = rounds()
    others = [g.scoped("acme", "maria"), g.scoped("beta", "juan")]
    for other in others:
        for talk in theirs:
            other.memories.extract_memories(told(other, other.scope.user_id or "", talk))
    before = [other.memories.get_memories() for other in others]
    juan = g.scoped("acme", "juan")
    sessions = [told(juan, "juan", talk) for talk in mine]
    for session in sessions:
        juan.memories.extract_memories(session)
    assert [other.memories.get_memories() for other in others] == before
    assert {memory.source_conversation_id for memory in juan.memories.get_memories()} <= set(sessions)


@given(said=st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=6), breaks=st.integers(0, 5))
def test_no_source_is_lost_when_the_extractor_fails_in_the_middle(
    rounds: Callable[[], Gunita], said: list[str], breaks: int
) -> None:
    g = rounds()
    broken, whole = g.scoped("acme", "juan"), g.scoped("beta", "juan")
    session = told(broken, "juan", said)

    def fails(messages: Sequence[Message]) -> list[list[Learnt]]:
        for number, _ in enumerate(messages):
            if number == breaks:
                raise ModelError("gone")
        return [extract(message.content) for message in messages]

    try:
        learning.learn(broken.memories._door, session, fails)
    except ModelError:
        assert broken.memories.get_memories() == []
    broken.memories.extract_memories(session)
    whole.memories.extract_memories(told(whole, "juan", said))

    def gist(one: Gunita) -> list[tuple[str, float]]:
        return sorted((memory.content, memory.confidence) for memory in one.memories.get_memories())

    assert gist(broken) == gist(whole)
