"""Which memories are worth having in mind, decided on lists."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gunita.models import Memory, MemoryType
from gunita.recall.reconcile import confirmed, named, shared
from gunita.recall.remembering import worth_having

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def memory(
    number: int, content: str, *, days: float = 0, uses: int = 0, sure: float = 0.9, pin: bool = 0 > 1
) -> Memory:
    return Memory(
        id=UUID(int=number),
        user_id="juan",
        memory_type=MemoryType.FACT,
        category=None,
        content=content,
        source_conversation_id=None,
        source_message_id=None,
        created_at=NOW - timedelta(days=days),
        access_count=uses,
        pinned=pin,
        confidence=sure,
    )


def test_the_newer_the_more_used_and_the_surer_come_first_without_a_query() -> None:
    old, new = memory(1, "one thing", days=300), memory(2, "another matter")
    assert worth_having([old, new], None, NOW) == [new, old]
    rare, often = memory(1, "one thing"), memory(2, "another matter", uses=50)
    assert worth_having([rare, often], None, NOW) == [often, rare]
    doubted, sure = memory(1, "one thing", sure=0.2), memory(2, "another matter")
    assert worth_having([doubted, sure], None, NOW) == [sure, doubted]


def test_what_fits_the_query_beats_what_is_new() -> None:
    fits, new = memory(1, "I drink barako coffee", days=200), memory(2, "My dog is Bruno")
    assert worth_having([new, fits], "which coffee?", NOW, limit=1) == [fits]


def test_meaning_finds_what_shares_no_word() -> None:
    home, food = memory(1, "Nakatira ako sa Davao"), memory(2, "Ayoko ng gulay")
    vectors = {home.id: np.array([1.0, 0.0], np.float32), food.id: np.array([0.0, 1.0], np.float32)}
    query = np.array([0.9, 0.1], np.float32)
    chosen = worth_having([food, home], "where is my house?", NOW, vectors=vectors, query_vector=query, limit=1)
    assert chosen == [home]


def test_the_same_thing_is_not_told_twice_where_something_else_is_left() -> None:
    tea, again, dog = memory(1, "I like green tea"), memory(2, "green tea I like"), memory(3, "My dog is Bruno")
    assert dog in worth_having([tea, again, dog], None, NOW, limit=2)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=30), st.booleans()), max_size=30), st.integers(1, 5))
def test_every_pinned_memory_comes_and_at_most_so_many_others_each_once(
    said: list[tuple[str, bool]], limit: int
) -> None:
    memories = [memory(number, content, pin=pin) for number, (content, pin) in enumerate(said)]
    chosen = worth_having(memories, "anything", NOW, limit=limit)
    pinned = [one for one in memories if one.pinned]
    assert {one.id for one in chosen[: len(pinned)]} == {one.id for one in pinned}
    assert len(chosen) == len({one.id for one in chosen}) == len(pinned) + min(limit, len(memories) - len(pinned))


@given(st.floats(0, 1), st.floats(0, 1))
def test_hearing_it_again_never_makes_less_sure(before: float, again: float) -> None:
    assert before <= confirmed(before, again) <= max(before, 0.99)


def test_names_and_numbers_tell_statements_apart() -> None:
    assert named("I'm 31") != named("I'm 35")
    assert named("I live in Davao") == named("Nakatira ako sa Davao")
    assert shared("I play chess", "I play chess") == 1.0
