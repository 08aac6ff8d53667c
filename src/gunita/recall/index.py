"""A user's messages as search holds them in memory: terms, vectors, and where, when and by whom each was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gunita.ids import microseconds
from gunita.recall.terms import Terms

Floats: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.intp]

NOBODY = -1
"""Stands for a neighbour that is not there."""
NO_NAME = 0
"""Stands for a speaker without a name."""
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
    speaker: int = NO_NAME
    """Its speaker's name as a number."""


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


@dataclass(frozen=True, slots=True)
class Columns:
    """What is known of each entry, one array for each kind of fact."""

    lengths: Floats
    is_user: NDArray[np.bool_]
    is_named: NDArray[np.bool_]
    moments: NDArray[np.int64]
    """When it was said, in microseconds since 1970."""
    conversations: NDArray[np.int64]
    turns: NDArray[np.int64]
    speakers: NDArray[np.int32]

    def and_more(self, other: Columns) -> Columns:
        return Columns(
            *(np.concatenate([getattr(self, field.name), getattr(other, field.name)]) for field in fields(Columns))
        )


class MessageIndex:
    """Entries whose terms and vectors can be searched; adding makes a new one that shares the old one's parts."""

    def __init__(
        self,
        entries: Sequence[Entry],
        columns: Columns,
        segments: Sequence[Segment],
        vectors: Floats,
        owners: Places,
        known: frozenset[UUID],
    ) -> None:
        self.entries = entries
        self.columns = columns
        self.vectors = vectors
        self.owners = owners
        self.known = known
        self._segments = segments

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> MessageIndex:
        vectors, owners = _stacked(entries, 0)
        return cls(entries, _columns(entries), [_segment(entries, 0)], vectors, owners, _ids(entries))

    def with_more(self, entries: Sequence[Entry]) -> MessageIndex:
        """Give the index with further entries, at little more than the cost of those alone."""
        if len(self._segments) >= MOST_SEGMENTS:
            return MessageIndex.of([*self.entries, *entries])
        start = len(self.entries)
        vectors, owners = _stacked(entries, start)
        filled = [found for found in (self.vectors, vectors) if found.size]
        return MessageIndex(
            [*self.entries, *entries],
            self.columns.and_more(_columns(entries)),
            [*self._segments, _segment(entries, start)],
            np.concatenate(filled) if len(filled) > 1 else filled[0] if filled else vectors,
            np.concatenate([self.owners, owners]),
            self.known | _ids(entries),
        )

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return self.vectors.nbytes + sum(s.hashes.nbytes * 4 for s in self._segments) + 1_000 * len(self.entries)

    def holding(self, term: int) -> tuple[Places, Floats]:
        """Find the entries that hold a term, and how often each does."""
        found = [segment.holding(term) for segment in self._segments]
        if len(found) == 1:
            return found[0]
        return np.concatenate([entries for entries, _ in found]), np.concatenate([counts for _, counts in found])

    @cached_property
    def speakers(self) -> frozenset[int]:
        """Everybody who speaks under a name."""
        return frozenset(np.unique(self.columns.speakers).tolist()) - {NO_NAME}

    @cached_property
    def neighbours(self) -> tuple[Places, Places]:
        """For each entry the one said before it and the one said after it in its conversation, or NOBODY."""
        columns = self.columns
        order = np.lexsort((~columns.is_user, columns.turns, columns.conversations))
        together = columns.conversations[order[1:]] == columns.conversations[order[:-1]]
        before = np.full(len(order), NOBODY, np.intp)
        after = np.full(len(order), NOBODY, np.intp)
        before[order[1:][together]] = order[:-1][together]
        after[order[:-1][together]] = order[1:][together]
        return before, after


def conversation_code(conversation_id: UUID) -> int:
    """Say a conversation as one number, so that they compare fast; two that share it are as likely as two equal ids."""
    return conversation_id.int & 0x7FFF_FFFF_FFFF_FFFF


def _columns(entries: Sequence[Entry]) -> Columns:
    return Columns(
        np.array([entry.terms.length for entry in entries], np.float32),
        np.array([entry.is_user for entry in entries], np.bool_),
        np.array([entry.is_named for entry in entries], np.bool_),
        np.array([microseconds(entry.created_at) for entry in entries], np.int64),
        np.array([conversation_code(entry.conversation_id) for entry in entries], np.int64),
        np.array([entry.turn_number for entry in entries], np.int64),
        np.array([entry.speaker for entry in entries], np.int32),
    )


def _ids(entries: Sequence[Entry]) -> frozenset[UUID]:
    return frozenset(entry.message_id for entry in entries)


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
    # numpy's own norm makes a squared copy of everything first, which took a quarter of a first search.
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole))
    whole /= np.maximum(lengths, 1e-6)[:, None]
    return whole
