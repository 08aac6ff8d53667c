"""What learning leaves alone, on both engines: pins, uses, what was put away, what is newer, and what is another's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gunita import Gunita
from gunita.language.extraction import Learnt, extract
from gunita.models import Memory, Message
from gunita.services.learning import learn
from gunita.services.remembering import HELD_FOR, USES_HELD

Raw = Callable[..., list[tuple[object, ...]]]
HOME, MOVED = "I live in Cebu.", "Lumipat na ako sa Davao."


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def g(url: str, clock: Clock) -> Iterator[Gunita]:
    with Gunita.open(url, clock=clock) as opened:
        yield opened.scoped("acme", "juan")


def told(g: Gunita, clock: Clock, *texts: str, session: UUID | None = None) -> UUID:
    session = session or g.sessions.create_session()
    for text in texts:
        clock.now += timedelta(minutes=1)
        g.sessions.store_turn(session, None, text, "ok")
    return session


def contents(memories: Sequence[Memory]) -> list[str]:
    return sorted(memory.content for memory in memories)


def test_a_correction_keeps_the_pin_and_the_uses_and_is_read_anew(g: Gunita, clock: Clock, raw: Raw) -> None:
    session = told(g, clock, HOME)
    (old,) = g.memories.extract_memories(session)
    g.memories.update_memory(old.id, pinned=True)
    raw("UPDATE memories SET access_count = 3")
    g.search.index_pending()
    told(g, clock, MOVED, session=session)
    (new,) = g.memories.extract_memories(session)
    assert (new.id, new.pinned, new.access_count) == (old.id, True, 3)
    assert g.memories.get_memory(old.id) == new
    assert raw("SELECT vector, vector_model FROM memories") == [(None, None)]


def test_what_was_said_before_a_memory_came_about_does_not_replace_it(g: Gunita, clock: Clock) -> None:
    earlier = told(g, clock, MOVED)
    later = told(g, clock, HOME)
    g.memories.extract_memories(later)
    (before,) = g.memories.get_memories()
    g.memories.extract_memories(earlier)
    assert g.memories.get_memory(before.id).content == "I live in Cebu"
    assert g.memories.get_memory(before.id).confidence == before.confidence


@pytest.mark.parametrize("again", [HOME, MOVED])
def test_what_was_put_away_stays_away_as_it_was(g: Gunita, clock: Clock, again: str) -> None:
    (memory,) = g.memories.extract_memories(told(g, clock, HOME))
    away = g.memories.update_memory(memory.id, archived=True)
    g.memories.extract_memories(told(g, clock, again))
    assert g.memories.get_memory(memory.id) == away
    assert g.memories.get_memory_history(memory.id) == []
    shown = contents(g.memories.get_memories(archived=False))
    assert shown == ([] if again == HOME else ["Lumipat na ako sa Davao"])


def test_two_statements_that_differ_in_a_name_are_two(g: Gunita, clock: Clock) -> None:
    g.memories.extract_memories(told(g, clock, "My brother is called Marco.", "My brother is called Paolo."))
    assert contents(g.memories.get_memories()) == ["My brother is called Marco", "My brother is called Paolo"]


@pytest.mark.parametrize("by_service", [True, False])
def test_deleting_a_memory_that_names_anothers_message_does_not_keep_them_from_learning(
    url: str, g: Gunita, clock: Clock, by_service: bool
) -> None:
    session = told(g, clock, HOME)
    said = g.conversations.get_messages(session)[0]
    with Gunita.open(url, clock=clock) as opened:
        ben, service = opened.scoped("acme", "ben"), opened.scoped("acme")
        memory = ben.memories.create_memory(None, "Curious", source_message_id=said.id)
        assert (service if by_service else ben).memories.delete_memory(memory.id)
    assert contents(g.memories.extract_memories(session)) == ["I live in Cebu"]


def test_of_two_readings_of_the_same_messages_one_is_dropped(g: Gunita, clock: Clock) -> None:
    session = told(g, clock, HOME)

    def overtaken(messages: Sequence[Message]) -> list[list[Learnt]]:
        assert contents(g.memories.extract_memories(session)) == ["I live in Cebu"]
        return [extract(message.content) for message in messages]

    assert learn(g._door, session, overtaken) == []
    (memory,) = g.memories.get_memories()
    assert g.memories.get_memory_history(memory.id) == []


def test_uses_are_written_down_when_many_have_come_together(g: Gunita) -> None:
    memory = g.memories.create_memory(None, "I like tea")
    for _ in range(USES_HELD - 1):
        g.memories.get_context_memories(None, "tea")
    assert g.memories.get_memory(memory.id).access_count == 0
    g.memories.get_context_memories(None, "tea")
    assert g.memories.get_memory(memory.id).access_count == USES_HELD


def test_uses_are_written_down_when_some_time_has_passed(g: Gunita, clock: Clock) -> None:
    memory = g.memories.create_memory(None, "I like tea")
    g.memories.get_context_memories(None, "tea")
    clock.now += HELD_FOR
    g.memories.get_context_memories(None, "tea")
    used = g.memories.get_memory(memory.id)
    assert (used.access_count, used.last_accessed_at) == (2, clock.now)


def test_only_what_was_chosen_counts_as_used_by_whomever_it_was(url: str) -> None:
    with Gunita.open(url) as opened:
        made = {}
        for user in (opened.scoped("acme", "ana"), opened.scoped("acme", "ben"), opened.scoped("beta", "ana")):
            made[user] = [user.memories.create_memory(None, text) for text in ("I like tea", "My dog is Bruno")]
            (chosen,) = user.memories.get_context_memories(None, "tea?", limit=1)
            assert chosen == made[user][0]
    with Gunita.open(url) as opened:
        for user, memories in made.items():
            mine = opened.scoped(user.scope.tenant_id, user.scope.user_id).memories
            assert [mine.get_memory(memory.id).access_count for memory in memories] == [1, 0]


def test_context_finds_a_memory_by_meaning_once_the_background_has_read_it(g: Gunita) -> None:
    g.memories.create_memory(None, "Nakatira ako sa Davao")
    for number in range(12):
        g.memories.create_memory(None, f"Paborito ko ang kanta bilang {number}")
    g.search.index_pending()
    found = g.memories.get_context_memories(None, "where is my house?", limit=3)
    assert found[0].content == "Nakatira ako sa Davao"


def test_no_more_turns_are_recalled_than_the_setting_says_and_none_that_do_not_matter(url: str) -> None:
    with Gunita.open(url, window_turns=2, recalled_turns=2) as opened:
        user = opened.scoped("acme", "ana")
        session = user.sessions.create_session()
        for number in range(6):
            user.sessions.store_turn(session, None, f"My landlord Mr. Reyes called, number {number}.", "Noted.")
        for number in range(6):
            user.sessions.store_turn(session, None, f"Tell me about animal {number}", "It is an animal.")
        user.search.index_pending()
        assert len(user.sessions.get_context_for_query(session, "What did my landlord say?").recalled_turns) == 2
        beside = "Which number has the planet Neptune in the catalogue of the observatory?"
        assert user.search.search(beside, kind="turns")
        assert not user.sessions.get_context_for_query(session, beside).recalled_turns
