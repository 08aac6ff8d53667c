"""Memories for a query, and the count of their use, which is kept in the process and written down in batches."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from gunita.language.encoder import MODEL_NAME
from gunita.models import Memory, Scope
from gunita.recall.remembering import MOST_OTHERS, Floats, worth_having
from gunita.services.access import Access
from gunita.services.learning import vector_of
from gunita.store import learning, memories, search
from gunita.store.database import Database
from gunita.store.memories import MOST_WEIGHED, MemoryFilter

USES_HELD = 200
"""Uses after which they are written down; a killed process forgets at most so many, and no memory with them."""
HELD_FOR = timedelta(minutes=1)


class MemoryUses:
    """Counts how often memories were used, and writes it down when enough has come together."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: dict[Scope, Counter[UUID]] = {}
        self._since: datetime | None = None

    def note(self, scope: Scope, used: Sequence[Memory], now: datetime) -> None:
        if not used:
            return
        with self._lock:
            self._held.setdefault(scope, Counter()).update(memory.id for memory in used)
            self._since = self._since or now
            full = sum(map(Counter.total, self._held.values())) >= USES_HELD or now - self._since >= HELD_FOR
        if full:
            self.write_down(now)

    def write_down(self, now: datetime) -> None:
        """Write down what has been counted."""
        with self._lock:
            held, self._held, self._since = self._held, {}, None
        for scope, uses in held.items():
            learning.count_uses(self._database.within(scope), uses, now)


def memories_for(door: Access, user_id: str, query: str | None, *, limit: int = MOST_OTHERS) -> list[Memory]:
    """Give every pinned memory of a user and the best others for a query, and have their use counted."""
    known = memories.find(door.db, user_id, MemoryFilter(archived=False), limit=MOST_WEIGHED)
    if not known:
        return []
    vectors = _vectors(door, user_id)
    meant = vector_of(query) if query is not None and vectors else None
    chosen = worth_having(known, query, door.clock(), vectors=vectors, query_vector=meant, limit=limit)
    if door.uses is not None:
        door.uses.note(door.scope, chosen, door.clock())
    return chosen


def _vectors(door: Access, user_id: str) -> dict[UUID, Floats]:
    """Read the vectors that the background has made; a memory without one is weighed by its words."""
    found = search.vectors_of_memories(door.db, user_id, MODEL_NAME)
    return {memory_id: _unit(np.frombuffer(packed, np.int8)) for memory_id, packed in found.items()}


def _unit(packed: np.ndarray[tuple[int], np.dtype[np.int8]]) -> Floats:
    vector = packed.astype(np.float32)
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length else vector, dtype=np.float32)
