"""A user's messages as search holds them in memory: terms, vectors, and where, when and by whom each was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gunita.recall.terms import Terms

Floats: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.intp]

NOBODY = -1
"""Stands for a neighbour that is not there."""
MOST_SEGMENTS = 12
FULL_SCALE = 420.0
"""A unit vector of 384 numbers has few above 0.3; these are cut there so that the others keep their detail."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message to be found."""

    message_id: UUID
    conversation_id: UUID
    turn_number: int
    is_user: bool
    created_at: datetime
    terms: Terms
    is_named: bool
    """Its speaker has a name, so that user and assistant say nothing about who is who."""
    vectors: NDArray[np.int8]
    """One row for each piece of the text, as stored; none while no model has read it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Some entries' terms, sorted by term: which entry holds it and how often."""

    hashes: NDArray[np.uint32]
    entries: Places
    counts: Floats

    def holding(self, term: int) -> tuple[Places, Floats]:
        first = int(np.searchsorted(self.hashes, np.uint32(term), "left"))
        last = int(np.searchsorted(self.hashes, np.uint32(term), "right"))
        return self.entries[first:last], self.counts[first:last]


class MessageIndex:
    """Entries whose terms and vectors can be searched; adding makes a new one that shares the old one's parts."""

    def __init__(self, entries: Sequence[Entry], segments: Sequence[Segment], vectors: Floats, owners: Places) -> None:
        self.entries = list(entries)
        self.vectors = vectors
        self.owners = owners
        self._segments = segments

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> MessageIndex:
        vectors, owners = _stacked(entries, 0)
        return cls(entries, [_segment(entries, 0)], vectors, owners)

    def with_more(self, entries: Sequence[Entry]) -> MessageIndex:
        """Give the index with further entries, at the cost of those alone."""
        if len(self._segments) >= MOST_SEGMENTS:
            return MessageIndex.of([*self.entries, *entries])
        start = len(self.entries)
        vectors, owners = _stacked(entries, start)
        return MessageIndex(
            [*self.entries, *entries],
            [*self._segments, _segment(entries, start)],
            np.concatenate([self.vectors, vectors]) if self.vectors.size else vectors,
            np.concatenate([self.owners, owners]),
        )

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return self.vectors.nbytes + sum(s.hashes.nbytes * 4 for s in self._segments) + 400 * len(self.entries)

    def holding(self, term: int) -> tuple[Places, Floats]:
        """Find the entries that hold a term, and how often each does."""
        found = [segment.holding(term) for segment in self._segments]
        if len(found) == 1:
            return found[0]
        return np.concatenate([entries for entries, _ in found]), np.concatenate([counts for _, counts in found])

    @cached_property
    def known(self) -> frozenset[UUID]:
        return frozenset(entry.message_id for entry in self.entries)

    @cached_property
    def lengths(self) -> Floats:
        return np.array([entry.terms.length for entry in self.entries], np.float32)

    @cached_property
    def is_user(self) -> NDArray[np.bool_]:
        return np.array([entry.is_user for entry in self.entries], np.bool_)

    @cached_property
    def is_named(self) -> NDArray[np.bool_]:
        return np.array([entry.is_named for entry in self.entries], np.bool_)

    @cached_property
    def days(self) -> NDArray[np.float64]:
        """When each was said, in days since 1970."""
        return np.array([entry.created_at.timestamp() / 86_400 for entry in self.entries], np.float64)

    @cached_property
    def neighbours(self) -> tuple[Places, Places]:
        """For each entry the one said before it and the one said after it in its conversation, or NOBODY."""
        before = np.full(len(self.entries), NOBODY, np.intp)
        after = np.full(len(self.entries), NOBODY, np.intp)
        order = sorted(
            range(len(self.entries)),
            key=lambda i: (
                self.entries[i].conversation_id.int,
                self.entries[i].turn_number,
                not self.entries[i].is_user,
            ),
        )
        for one, other in pairwise(order):
            if self.entries[one].conversation_id == self.entries[other].conversation_id:
                after[one], before[other] = other, one
        return before, after


def _segment(entries: Sequence[Entry], start: int) -> Segment:
    hashes = np.concatenate([np.empty(0, np.uint32), *(entry.terms.hashes for entry in entries)])
    counts = np.concatenate([np.empty(0, np.uint8), *(entry.terms.counts for entry in entries)])
    sizes = [len(entry.terms.hashes) for entry in entries]
    owners = np.repeat(np.arange(start, start + len(entries)), sizes)
    order = np.argsort(hashes, kind="stable")
    return Segment(hashes[order], owners[order], counts[order].astype(np.float32))


def _stacked(entries: Sequence[Entry], start: int) -> tuple[Floats, Places]:
    sizes = [len(entry.vectors) for entry in entries]
    owners = np.repeat(np.arange(start, start + len(entries)), sizes)
    present = [entry.vectors for entry in entries if len(entry.vectors)]
    if not present:
        return np.empty((0, 0), np.float32), owners
    return restored(np.concatenate(present)), owners


def shortened(vectors: Floats) -> NDArray[np.int8]:
    """Keep unit vectors in a quarter of their size; what is lost moves a likeness by less than a hundredth."""
    short: NDArray[np.int8] = np.clip(np.rint(vectors * FULL_SCALE), -127, 127).astype(np.int8)
    return short


def restored(vectors: NDArray[np.int8]) -> Floats:
    """Give unit vectors again."""
    whole: Floats = vectors.astype(np.float32)
    whole /= np.maximum(np.linalg.norm(whole, axis=-1, keepdims=True), 1e-6)
    return whole
