"""Chooses the memories worth having in mind: pinned ones, then by relevance, recency and use, on several things."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

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
    left = ranked[: limit * COMPARED]
    sameness = dict.fromkeys((memory.id for memory in left), 0.0)
    chosen: list[Memory] = []
    while left and len(chosen) < limit:
        best = max(left, key=lambda memory: worth[memory.id] * (1 - SAMENESS * sameness[memory.id]))
        chosen.append(best)
        left.remove(best)
        for memory in left:
            sameness[memory.id] = max(sameness[memory.id], alike(memory, best, vectors))
    return chosen


def alike(one: Memory, other: Memory, vectors: Mapping[UUID, Floats]) -> float:
    mine, theirs = vectors.get(one.id), vectors.get(other.id)
    if mine is not None and theirs is not None:
        return max(float(mine @ theirs), 0.0)
    return shared_words(one.content, [other.content])[0]
