"""Which memories are worth having in mind, decided on lists."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.language.extraction import Learnt
from gunita.models import Memory, MemoryType
from gunita.recall.reconcile import (
    Add,
    Confirm,
    Doubt,
    Known,
    Supersede,
    confirmed,
    is_same_statement,
    named,
    reconcile,
    shared,
)
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


def learnt(content: str, category: str = "home", *, changes: bool = False, denies: bool = False) -> Learnt:
    return Learnt(MemoryType.FACT, category, content, 0.9, changes, denies)


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("I live in Davao", "I live in Davao", True),
        ("Nakatira ako sa Davao", "I live in Davao", True),
        ("I live in Cebu", "I live in Davao", False),
        ("I have 3 cats", "I have 2 cats", False),
        ("I don't like cats", "I like cats", False),
        ("Ayaw ko ng kape", "Gusto ko ng kape", False),
    ],
)
def test_statements_are_one_only_where_names_numbers_and_yes_or_no_agree(said: str, known: str, same: bool) -> None:
    assert is_same_statement(learnt(said), memory(1, known), 0.95) is same


def decided(said: Learnt, known: Memory, likeness: float, *, days_later: float = 1) -> list[type]:
    """The kinds of what a statement does to one memory that is so alike to it."""
    vectors = np.array([1.0, 0.0], np.float32), np.array([likeness, (1 - likeness**2) ** 0.5], np.float32)
    said_at = known.created_at + timedelta(days=days_later)
    return [type(action) for action in reconcile(said, vectors[1], said_at, [Known(known, vectors[0])])]


def test_what_is_said_confirms_supersedes_doubts_or_adds() -> None:
    home = replace(memory(1, "I live in Cebu", days=9), category="home")
    assert decided(learnt("Nakatira ako sa Cebu"), home, 0.95) == [Confirm]
    assert decided(learnt("I moved to Davao", changes=True), home, 0.6) == [Supersede]
    assert decided(learnt("I live in Davao"), home, 0.8) == [Doubt, Add]
    assert decided(learnt("I don't live in Cebu", denies=True), home, 0.9) == [Doubt]
    assert decided(learnt("I play chess", "hobby"), home, 0.1) == [Add]


def test_what_was_said_earlier_neither_supersedes_nor_doubts() -> None:
    home = replace(memory(1, "I live in Cebu", days=9), category="home")
    assert decided(learnt("I moved to Davao", changes=True), home, 0.6, days_later=-1) == [Add]
    assert decided(learnt("I live in Davao"), home, 0.8, days_later=-1) == [Add]
    assert decided(learnt("I don't live in Cebu", denies=True), home, 0.9, days_later=-1) == []


def test_what_was_put_away_is_neither_confirmed_nor_superseded_nor_doubted() -> None:
    away = replace(memory(1, "I live in Cebu", days=9), category="home", archived=True)
    assert decided(learnt("I live in Cebu"), away, 1.0) == []
    assert decided(learnt("I moved to Davao", changes=True), away, 0.6) == [Add]
    assert decided(learnt("I live in Davao"), away, 0.8) == [Add]
