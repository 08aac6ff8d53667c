"""Chooses the memories worth having in mind: pinned ones, then by relevance, recency and use, on several things."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gunita.language.remembered import remembering
from gunita.language.words import content_words, stems
from gunita.models import Memory
from gunita.recall.ranking import shared_words

Floats: TypeAlias = NDArray[np.float32]

MOST_OTHERS = 10
"""Memories that come along beside the pinned ones."""
FLOOR = 0.08
"""Relevance of what shares nothing with the query: it may still be worth knowing, after all that does."""
FADING_DAYS = 120.0
USE = 0.1
COMPARED = 5
"""So many times as many as are wanted are compared with each other; the rest is too far behind to matter."""
SAMENESS = 0.7
"""How much of a memory's worth is lost when the same is chosen already."""
SHARED_WORD, OWN_WORD = math.log(1.5), math.log(2.0)
"""What a word of a memory weighs that another one holds too, and one that only it has, which says more."""


def worth_having(
    memories: Sequence[Memory],
    query: str | None,
    now: datetime,
    *,
    vectors: Mapping[UUID, Floats] | None = None,
    query_vector: Floats | None = None,
    limit: int = MOST_OTHERS,
) -> list[Memory]:
    """Order what is worth having in mind: every pinned memory, then the best others, up to a limit."""
    pinned = [memory for memory in memories if memory.pinned]
    others = [memory for memory in memories if not memory.pinned]
    meant = relevance(memories, query, vectors or {}, query_vector)
    worth = {memory.id: meant[memory.id] * lasting(memory, now) for memory in memories}
    pinned.sort(key=lambda memory: -worth[memory.id])
    return pinned + diverse(others, worth, vectors or {}, limit)


def relevance(
    memories: Sequence[Memory], query: str | None, vectors: Mapping[UUID, Floats], query_vector: Floats | None
) -> dict[UUID, float]:
    """Say how much each memory has to do with a query, by words and, where vectors are at hand, by meaning."""
    if query is None:
        return {memory.id: 1.0 for memory in memories}
    by_words = shared_words(query, [memory.content for memory in memories])
    found = {}
    for memory, share in zip(memories, by_words, strict=True):
        vector = vectors.get(memory.id)
        near = 0.0 if vector is None or query_vector is None else max(float(vector @ query_vector), 0.0)
        found[memory.id] = FLOOR + max(share, near, 0.6 * (share + near))
    return found


def lasting(memory: Memory, now: datetime) -> float:
    """Weigh a memory by how new it is or when it was last of use, how often it was, and how sure it is."""
    touched = max(memory.created_at, memory.last_accessed_at or memory.created_at)
    days = max((now - touched).total_seconds(), 0.0) / 86_400
    recency = 0.5 + 0.5 * math.exp(-days / FADING_DAYS)
    return recency * (1 + USE * math.log1p(memory.access_count)) * (0.25 + 0.75 * memory.confidence)


def diverse(
    memories: Sequence[Memory], worth: Mapping[UUID, float], vectors: Mapping[UUID, Floats], limit: int
) -> list[Memory]:
    """Pick the best one after another, each worth less the more it repeats one that was picked."""
    ranked = sorted(memories, key=lambda memory: (-worth[memory.id], -memory.created_at.timestamp(), memory.id))
    if len(ranked) <= 1:
        return ranked[:limit]
    compared = ranked[: limit * COMPARED]
    value = np.array([worth[memory.id] for memory in compared], np.float64)
    repeated = Repetition(compared, vectors)
    sameness = np.zeros(len(compared))
    chosen: list[Memory] = []
    while len(chosen) < min(limit, len(compared)):
        best = int(np.argmax(value * (1 - SAMENESS * sameness)))
        chosen.append(compared[best])
        value[best] = -np.inf
        np.maximum(sameness, repeated.by(best), out=sameness)
    return chosen


class Repetition:
    """How much of each memory another one says already: by meaning where both have a vector, else by words."""

    def __init__(self, memories: Sequence[Memory], vectors: Mapping[UUID, Floats]) -> None:
        self._words = [_words(memory.content) for memory in memories]
        self._forms = [frozenset().union(*words) for words in self._words]
        known = [vectors.get(memory.id) for memory in memories]
        self._has_vector = np.array([vector is not None for vector in known])
        found = [vector for vector in known if vector is not None]
        self._vectors = np.stack(found) if found else None

    def by(self, chosen: int) -> NDArray[np.float64]:
        """Say for every memory how much of it the chosen one repeats, in 0..1."""
        repeated = np.zeros(len(self._words))
        by_words: Sequence[int] = range(len(self._words))
        if self._vectors is not None and self._has_vector[chosen]:
            place = int(np.count_nonzero(self._has_vector[:chosen]))
            repeated[self._has_vector] = np.maximum(self._vectors @ self._vectors[place], 0.0)
            by_words = np.flatnonzero(~self._has_vector).tolist()
        forms = self._forms[chosen]
        for other in by_words:
            repeated[other] = _share(self._words[other], forms)
        return repeated


def _share(words: Sequence[frozenset[str]], forms: frozenset[str]) -> float:
    """Say how much of a text another one holds; a word they share tells less than one that only the first has."""
    shared = len(words) - sum(map(forms.isdisjoint, words))
    whole = shared * SHARED_WORD + (len(words) - shared) * OWN_WORD
    return shared * SHARED_WORD / whole if shared else 0.0


@remembering(8_192)
def _words(text: str) -> tuple[frozenset[str], ...]:
    """Give the stems of each of a text's content words; a user's memories are the same at every turn."""
    return tuple(stems(word) for word in dict.fromkeys(content_words(text)))
