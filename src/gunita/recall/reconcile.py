"""Decides what a newly learnt statement does to what is known: adds, confirms, supersedes, or puts in doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gunita.language.extraction import Learnt
from gunita.language.words import content_words, stems, words
from gunita.models import Memory, MemoryType

Floats: TypeAlias = NDArray[np.float32]

SAME_MEANING, SAME_WORDS = 0.86, 0.75
"""Two statements are one when their vectors or their words are at least this alike and they name the same things."""
OPPOSED = 0.72
CONFIRMING, DOUBTING, DENYING = 0.5, 0.6, 0.5

# How alike a statement of change and an old one must be to speak of the same thing. Only what a person has one of at a
# time is in here: somebody who learns French still speaks Waray.
ONE_AT_A_TIME = {
    "home": 0.4,
    "work": 0.2,
    "education": 0.55,
    "food": 0.45,
    "family": 0.5,
    "identity": 0.75,
    "money": 0.65,
    "decision": 0.5,
    "people": 0.65,
    "organisations": 0.65,
    "style": 0.7,
}
ORIGINS_TEXT = "born raised grew hometown come from taga ipinanganak isinilang lumaki laki probinsya"
ORIGINS = frozenset(ORIGINS_TEXT.split())
NEGATIVES_TEXT = """
    no not never don't dont doesn't can't cant won't without hate hates dislike avoid isn't nor
    hindi hnd di d ayaw ayoko wala walang huwag bawal
"""
NEGATIVES = frozenset(NEGATIVES_TEXT.split())
NUMBER_OR_NAME = re.compile(r"(?<!^)(?<![.!?]\s)\b[A-ZÑ][\wñ]+|\d+")
I_AM = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


@dataclass(frozen=True, slots=True)
class Known:
    """A memory with the vector of what it says."""

    memory: Memory
    vector: Floats


@dataclass(frozen=True, slots=True)
class Add:
    learnt: Learnt


@dataclass(frozen=True, slots=True)
class Confirm:
    memory: Memory
    confidence: float


@dataclass(frozen=True, slots=True)
class Supersede:
    memory: Memory
    learnt: Learnt


@dataclass(frozen=True, slots=True)
class Doubt:
    memory: Memory
    confidence: float


Action: TypeAlias = Add | Confirm | Supersede | Doubt


def reconcile(learnt: Learnt, vector: Floats, said_at: datetime, known: Sequence[Known]) -> list[Action]:
    """Decide what a statement does; what was said before a memory came about neither doubts nor replaces it."""
    alike = sorted(((float(one.vector @ vector), one.memory) for one in known), key=lambda pair: -pair[0])
    older = [(likeness, memory) for likeness, memory in alike if memory.created_at <= said_at]
    if learnt.denies:
        denied = [memory for likeness, memory in older if _opposes(learnt.content, memory.content, likeness)]
        return [Doubt(memory, round(memory.confidence * DENYING, 4)) for memory in denied[:1]]
    for likeness, memory in alike:
        if is_same_statement(learnt, memory, likeness):
            # An archived memory was put away by the user; hearing it again does not bring it back.
            return [] if memory.archived else [Confirm(memory, confirmed(memory.confidence, learnt.confidence))]
    current = [(likeness, memory) for likeness, memory in older if not memory.archived]
    for likeness, memory in current:
        if learnt.changes and is_replaced(learnt, memory, likeness):
            return [Supersede(memory, learnt)]
    doubts = [
        Doubt(memory, round(memory.confidence * DOUBTING, 4))
        for likeness, memory in current
        if contradicts(learnt, memory, likeness)
    ]
    return [*doubts, Add(learnt)]


def is_same_statement(learnt: Learnt, memory: Memory, likeness: float) -> bool:
    """Say whether two statements are one: alike in meaning or in words, equal in what they name and in yes or no."""
    if is_negative(learnt.content) != is_negative(memory.content):
        return False
    if words(learnt.content) == words(memory.content):
        return True
    if named(learnt.content) != named(memory.content):
        return False
    return likeness >= SAME_MEANING or shared(learnt.content, memory.content) >= SAME_WORDS


def is_replaced(learnt: Learnt, memory: Memory, likeness: float) -> bool:
    """Say whether a statement of change speaks of what the memory says, so that the memory no longer holds."""
    if _opposes(learnt.content, memory.content, likeness):
        return True
    least = ONE_AT_A_TIME.get(learnt.category)
    if least is None or learnt.category != memory.category or learnt.memory_type != memory.memory_type:
        return False
    if is_origin(memory.content) != is_origin(learnt.content):
        return False
    if learnt.memory_type is MemoryType.ENTITY and not _same_relation(learnt.content, memory.content):
        return False
    return likeness >= least


def contradicts(learnt: Learnt, memory: Memory, likeness: float) -> bool:
    """Say whether both cannot well be true, though nobody said that anything changed."""
    if _opposes(learnt.content, memory.content, likeness):
        return True
    lives_twice = learnt.category == memory.category == "home" and learnt.memory_type == memory.memory_type
    if not lives_twice or is_origin(memory.content) or is_origin(learnt.content):
        return False
    return likeness >= ONE_AT_A_TIME["home"] and named(learnt.content) != named(memory.content)


def confirmed(before: float, again: float) -> float:
    """Be surer of what was said twice, and never wholly sure of what was only said."""
    return max(before, round(min(before + (1 - before) * CONFIRMING * again, 0.99), 4))


def named(text: str) -> frozenset[str]:
    """The names and numbers in a text: two statements that differ in them are two."""
    found = {match.group().lower() for match in NUMBER_OR_NAME.finditer(text)}
    return frozenset(found - I_AM)


def is_negative(text: str) -> bool:
    return bool(NEGATIVES & set(text.lower().replace("’", "'").replace(",", " ").split()))


def is_origin(text: str) -> bool:
    return bool(ORIGINS & set(words(text)))


def shared(one: str, other: str) -> float:
    """The share of content words that two texts have in common, by stem."""
    mine, theirs = content_words(one), content_words(other)
    if not mine or not theirs:
        return 0.0
    held = frozenset(stem for word in theirs for stem in stems(word))
    common = sum(1 for word in mine if stems(word) & held)
    return common / (len(mine) + len(theirs) - common)


def _opposes(one: str, other: str, likeness: float) -> bool:
    """Say whether one text says no to what the other says."""
    if is_negative(one) == is_negative(other) or (named(one) and named(other) and not named(one) & named(other)):
        return False
    return likeness >= OPPOSED or shared(one, other) >= SAME_WORDS


def _same_relation(one: str, other: str) -> bool:
    """Say whether two statements about somebody share the word for what that person is to the user."""
    names = named(one) | named(other)
    return bool((set(content_words(one)) & set(content_words(other))) - names)
