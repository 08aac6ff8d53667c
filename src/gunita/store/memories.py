"""Memories in the database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from gunita.models import Memory, MemoryType
from gunita.store.database import Decoder, Row, ScopedDatabase, Statements
from gunita.store.rows import readable, readable_one, text, text_or_none

READ_AT_A_TIME = 1_000
MOST_WEIGHED = 10_000
"""Memories that are weighed against each other at most, the newest of them."""
LAST_ID = UUID(int=2**128 - 1)


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories are wanted; None means any."""

    memory_type: MemoryType | None = None
    category: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    source_conversation_id: UUID | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """What to change in a memory; None leaves a field as it is."""

    content: str | None = None
    memory_type: MemoryType | None = None
    set_category: bool = False
    category: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    confidence: float | None = None


def insert(db: Statements, memory: Memory) -> None:
    db.run(
        "insert_memory",
        memory_id=memory.id,
        user_id=memory.user_id,
        memory_type=memory.memory_type.value,
        category=memory.category,
        content=memory.content,
        source_conversation_id=memory.source_conversation_id,
        source_message_id=memory.source_message_id,
        now=memory.created_at,
        pinned=memory.pinned,
        confidence=memory.confidence,
    )


def get(db: ScopedDatabase, memory_id: UUID) -> Memory | None:
    row = db.one("get_memory", memory_id=memory_id)
    return readable_one(row, lambda found: memory_of(db.decode, found))


def find(
    db: Statements, user_id: str | None, wanted: MemoryFilter, *, limit: int | None = None, offset: int = 0
) -> list[Memory]:
    """List a user's memories, or the whole tenant's, newest first; all of them where no limit is given."""
    found = _newest_first(db, user_id, wanted)
    if wanted.text is not None:
        # Folding case is left to Python: the engines disagree beyond ASCII, and a user's memories are few.
        sought = wanted.text.casefold()
        found = (memory for memory in found if sought in memory.content.casefold())
    return list(islice(found, offset, None if limit is None else offset + limit))


def _newest_first(db: Statements, user_id: str | None, wanted: MemoryFilter) -> Iterator[Memory]:
    """Read memories, some at a time, until nobody wants more."""
    before = LAST_ID
    while rows := _rows(db, user_id, wanted, before):
        yield from readable(rows, lambda row: memory_of(db.decode, row))
        if len(rows) < READ_AT_A_TIME:
            return
        before = db.decode.identifier(rows[-1][0])


def _rows(db: Statements, user_id: str | None, wanted: MemoryFilter, before: UUID) -> list[Row]:
    filters: dict[str, Any] = {
        "memory_type": wanted.memory_type and wanted.memory_type.value,
        "category": wanted.category,
        "pinned": wanted.pinned,
        "archived": wanted.archived,
        "any_source": wanted.source_conversation_id is None,
        "source_conversation_id": wanted.source_conversation_id,
        "before": before,
        "limit": READ_AT_A_TIME,
    }
    if user_id is None:
        return db.all("list_memories_of_tenant", **filters)
    return db.all("list_memories_of_user", user_id=user_id, **filters)


def update(db: ScopedDatabase, memory_id: UUID, change: MemoryChange) -> Memory | None:
    row = db.one(
        "update_memory",
        memory_id=memory_id,
        content=change.content,
        content_changes=change.content is not None,
        memory_type=change.memory_type and change.memory_type.value,
        set_category=change.set_category,
        category=change.category,
        pinned=change.pinned,
        archived=change.archived,
        confidence=change.confidence,
    )
    return readable_one(row, lambda found: memory_of(db.decode, found))


def delete(db: Statements, memory_id: UUID) -> bool:
    return bool(db.run("delete_memory", memory_id=memory_id))


def memory_of(decode: Decoder, row: Row) -> Memory:
    return Memory(
        id=decode.identifier(row[0]),
        user_id=text(row[1]),
        memory_type=MemoryType(row[2]),
        category=text_or_none(row[3]),
        content=text(row[4]),
        source_conversation_id=row[5] and decode.identifier(row[5]),
        source_message_id=row[6] and decode.identifier(row[6]),
        created_at=decode.moment(row[7]),
        last_accessed_at=None if row[8] is None else decode.moment(row[8]),
        access_count=row[9],
        pinned=bool(row[10]),
        archived=bool(row[11]),
        confidence=float(row[12]),
    )
