"""Learning memories from conversations, on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gunita import Gunita
from gunita.errors import ModelError, NotFoundError
from gunita.language.extraction import Learnt, extract
from gunita.models import Memory, MemoryType, Message
from gunita.services import learning
from gunita.services.access import Access
from gunita.settings import ExtractionTrigger
from gunita.store.learning import Reason

START = datetime(2026, 5, 1, 8, tzinfo=UTC)


class Clock:
    """A clock that moves a minute at every look, so that what is said later is later."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def g(url: str, clock: Clock) -> Iterator[Gunita]:
    with Gunita.open(url, clock=clock, extraction_trigger="background") as opened:
        yield opened.scoped("acme", "juan")


@pytest.fixture
def say(g: Gunita) -> Callable[..., UUID]:
    def said(*texts: str, session: UUID | None = None) -> UUID:
        session = session or g.sessions.create_session("juan")
        for text in texts:
            g.sessions.store_turn(session, "juan", text, "I live in Mars and I love pizza.")
        return session

    return said


def contents(memories: Sequence[Memory]) -> list[str]:
    return sorted(memory.content for memory in memories)


def door_of(g: Gunita) -> Access:
    return g.memories._door


def test_a_conversation_teaches_what_its_user_said_and_nothing_of_the_answers(
    g: Gunita, say: Callable[..., UUID]
) -> None:
    session = say("Hi! I live in Davao.", "Paano magluto ng adobo?", "Ayoko ng maanghang.")
    found = g.memories.extract_memories(session)
    assert contents(found) == ["Ayoko ng maanghang", "I live in Davao"]
    home = next(memory for memory in found if "Davao" in memory.content)
    message = g.conversations.get_messages(session)[0]
    assert (home.memory_type, home.category) == (MemoryType.FACT, "home")
    assert (home.source_conversation_id, home.source_message_id) == (session, message.id)
    assert home.created_at == message.created_at
    assert contents(g.memories.get_memories()) == contents(found)


def test_reading_again_learns_nothing_again(g: Gunita, say: Callable[..., UUID]) -> None:
    session = say("I live in Davao.", "I work at Meralco.")
    assert len(g.memories.extract_memories(session)) == 2
    before = g.memories.get_memories()
    assert g.memories.extract_memories(session) == []
    assert g.memories.get_memories() == before


def test_what_was_said_twice_is_one_memory_and_surer(g: Gunita, say: Callable[..., UUID]) -> None:
    (first,) = g.memories.extract_memories(say("I live in Davao."))
    (again,) = g.memories.extract_memories(say("Nakatira ako sa Davao."))
    assert again.id == first.id
    assert again.content == first.content
    assert again.confidence >= first.confidence
    assert [belief.reason for belief in g.memories.get_memory_history(first.id)] == [Reason.CONFIRMED]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Cebu.", "Lumipat na ako sa Davao."),
        ("Teacher ako sa Pasig.", "Virtual assistant na ako ngayon."),
        ("I'm vegan.", "Actually, I'm pescatarian now."),
    ],
)
def test_a_correction_supersedes_and_keeps_the_history(
    g: Gunita, say: Callable[..., UUID], before: str, after: str
) -> None:
    session = say(before)
    (old,) = g.memories.extract_memories(session)
    say(after, session=session)
    (new,) = g.memories.extract_memories(session)
    asked = [message for message in g.conversations.get_messages(session) if message.role == "user"]
    assert new.id == old.id
    assert len(g.memories.get_memories()) == 1
    assert new.source_message_id == asked[1].id
    (belief,) = g.memories.get_memory_history(new.id)
    assert (belief.content, belief.reason) == (old.content, Reason.SUPERSEDED)
    assert (belief.source_message_id, belief.caused_by_message_id) == (asked[0].id, asked[1].id)
    assert (belief.believed_from, belief.believed_until) == (asked[0].created_at, asked[1].created_at)


def test_where_one_comes_from_is_not_replaced_by_a_move(g: Gunita, say: Callable[..., UUID]) -> None:
    found = g.memories.extract_memories(say("I grew up in Naga.", "I moved to Baguio."))
    assert contents(found) == ["I grew up in Naga", "I moved to Baguio"]


def test_a_contradiction_lowers_confidence_and_deletes_nothing(g: Gunita, say: Callable[..., UUID]) -> None:
    (liked,) = g.memories.extract_memories(say("I like cats."))
    g.memories.extract_memories(say("I don't like cats."))
    kept = g.memories.get_memory(liked.id)
    assert kept.confidence < liked.confidence
    assert contents(g.memories.get_memories()) == ["I don't like cats", "I like cats"]
    assert [belief.reason for belief in g.memories.get_memory_history(liked.id)] == [Reason.DOUBTED]


def test_a_denial_puts_in_doubt_and_adds_nothing(g: Gunita, say: Callable[..., UUID]) -> None:
    (diet,) = g.memories.extract_memories(say("I'm vegetarian."))
    g.memories.extract_memories(say("I'm not vegetarian."))
    (kept,) = g.memories.get_memories()
    assert kept.id == diet.id
    assert kept.confidence < diet.confidence


@pytest.mark.parametrize("with_receipt", [False, True])
def test_a_deleted_memory_is_not_learnt_again_from_the_messages_it_came_from(
    g: Gunita, say: Callable[..., UUID], raw: Callable[..., list[tuple[object, ...]]], with_receipt: bool
) -> None:
    sessions = [say("I live in Davao."), say("Nakatira ako sa Davao.")]
    for session in sessions:
        g.memories.extract_memories(session)
    (memory,) = g.memories.get_memories()
    if with_receipt:
        assert g.deletion.delete_memory(memory.id).counts["memories"] == 1
    else:
        assert g.memories.delete_memory(memory.id)
    raw("DELETE FROM extraction_cursors")
    for session in sessions:
        assert g.memories.extract_memories(session) == []
    assert g.memories.get_memories() == []
    assert raw("SELECT count(*) FROM memory_history") == [(0,)]
    (said_anew,) = g.memories.extract_memories(say("I live in Davao."))
    assert said_anew.content == "I live in Davao"


def test_reading_everything_anew_changes_nothing(
    g: Gunita, say: Callable[..., UUID], raw: Callable[..., list[tuple[object, ...]]]
) -> None:
    session = say("I live in Cebu.", "I like cats.", "I don't like cats.", "Lumipat na ako sa Davao.")
    g.memories.extract_memories(session)
    before = g.memories.get_memories()
    raw("DELETE FROM extraction_cursors")
    assert g.memories.extract_memories(session) == []
    assert g.memories.get_memories() == before


def test_what_was_recalled_and_pasted_is_not_learnt_as_new(g: Gunita, say: Callable[..., UUID]) -> None:
    g.memories.create_memory("juan", "I live in Davao")
    session = say('You wrote: "I live in Davao".', "> I work at Meralco", "<memory>I like tea</memory> ok")
    assert g.memories.extract_memories(session) == []
    assert contents(g.memories.get_memories()) == ["I live in Davao"]


def test_an_extractor_that_fails_in_the_middle_loses_no_source(g: Gunita, say: Callable[..., UUID]) -> None:
    session = say("I live in Davao.", "I work at Meralco.", "Ayoko ng maanghang.")

    def fails(messages: Sequence[Message]) -> list[list[Learnt]]:
        for message in messages:
            if "Meralco" in message.content:
                raise ModelError("gone")
        return [extract(message.content) for message in messages]

    with pytest.raises(ModelError):
        learning.learn(door_of(g), session, fails)
    assert g.memories.get_memories() == []
    assert len(g.memories.extract_memories(session)) == 3


def test_deleting_a_conversation_takes_its_cursor_and_its_tombstones(
    g: Gunita, say: Callable[..., UUID], raw: Callable[..., list[tuple[object, ...]]]
) -> None:
    session = say("I live in Davao.")
    (memory,) = g.memories.extract_memories(session)
    g.memories.delete_memory(memory.id)
    g.sessions.delete_session(session)
    assert raw("SELECT count(*) FROM extraction_cursors") == [(0,)]
    assert raw("SELECT count(*) FROM forgotten_sources") == [(0,)]


def test_an_unknown_conversation_and_somebody_elses_cannot_be_read(g: Gunita, url: str) -> None:
    with pytest.raises(NotFoundError):
        g.memories.extract_memories(UUID(int=7))
    with Gunita.open(url) as other:
        theirs = other.scoped("acme", "maria")
        session = theirs.sessions.create_session("maria")
        theirs.sessions.store_turn(session, "maria", "I live in Davao.", "ok")
    with pytest.raises(NotFoundError):
        g.memories.extract_memories(session)


def test_an_edit_keeps_what_stood_there_before(g: Gunita) -> None:
    memory = g.memories.create_memory("juan", "I like tea")
    g.memories.update_memory(memory.id, content="I like green tea")
    (belief,) = g.memories.get_memory_history(memory.id)
    assert (belief.content, belief.reason) == ("I like tea", Reason.EDITED)


@pytest.mark.parametrize("trigger", list(ExtractionTrigger))
def test_the_setting_says_when_a_conversation_is_read(url: str, clock: Clock, trigger: ExtractionTrigger) -> None:
    with Gunita.open(url, clock=clock, extraction_trigger=trigger, extraction_idle_seconds=3600) as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", "I live in Davao.", "ok")
        g.chat.follow_up(session)
        soon = g.memories.extract_due()
        clock.now += timedelta(hours=2)
        later = g.memories.extract_due()
        assert (soon, later) == {
            ExtractionTrigger.BY_HAND: (0, 0),
            ExtractionTrigger.BACKGROUND: (1, 0),
            ExtractionTrigger.IDLE: (0, 1),
        }[trigger]
        learnt_alone = trigger is not ExtractionTrigger.BY_HAND
        assert len(g.memories.extract_memories(session)) == (0 if learnt_alone else 1)


def test_a_conversation_that_fails_in_the_background_is_tried_again(
    g: Gunita, clock: Clock, say: Callable[..., UUID]
) -> None:
    g.chat.follow_up(say("I live in Davao."))

    def fails(messages: Sequence[Message]) -> list[list[Learnt]]:
        raise ModelError("gone")

    assert learning.learn_due(door_of(g), fails) == 0
    clock.now += timedelta(hours=1)
    assert g.memories.extract_due() == 1
    assert contents(g.memories.get_memories()) == ["I live in Davao"]


def test_a_servers_worker_serves_every_tenant(url: str, clock: Clock) -> None:
    with Gunita.open(url, clock=clock, extraction_trigger="background") as g:
        homes = {"acme": "I live in Davao", "beta": "I live in Cebu"}
        for tenant, home in homes.items():
            theirs = g.scoped(tenant)
            session = theirs.sessions.create_session("juan")
            theirs.sessions.store_turn(session, "juan", f"{home}.", "ok")
            theirs.chat.follow_up(session)
        assert g.scoped("acme").memories.extract_everywhere() == 1
        assert g.memories.extract_everywhere() == 1
        assert {t: g.scoped(t).memories.get_memories("juan")[0].content for t in homes} == homes


def test_context_memories_are_the_pinned_ones_and_then_the_fitting_ones(g: Gunita) -> None:
    pinned = g.memories.create_memory("juan", "Call me Jun", pinned=True)
    coffee = g.memories.create_memory("juan", "I like my coffee black")
    g.memories.create_memory("juan", "My dog is Bruno")
    gone = g.memories.create_memory("juan", "I like coffee jelly")
    g.memories.update_memory(gone.id, archived=True)
    found = g.memories.get_context_memories("juan", "which coffee should I order?", limit=1)
    assert [memory.id for memory in found] == [pinned.id, coffee.id]


def test_use_is_counted_in_batches_and_written_down_at_the_latest_on_closing(url: str) -> None:
    with Gunita.open(url) as g:
        user = g.scoped("acme", "juan")
        memory = user.memories.create_memory("juan", "I like tea")
        for _ in range(3):
            user.memories.get_context_memories("juan", "tea")
        assert user.memories.get_memory(memory.id).access_count == 0
    with Gunita.open(url) as g:
        counted = g.scoped("acme", "juan").memories.get_memory(memory.id)
        assert counted.access_count == 3
        assert counted.last_accessed_at is not None
