"""What search reads and the background writes: the index of messages, its queue, and the vectors of memories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from gunita.ids import EPOCH
from gunita.models import Message, Scope
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements
from gunita.store.memories import MOST_WEIGHED
from gunita.store.messages import message_of
from gunita.store.rows import readable


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What is kept of one message to find it by."""

    message_id: UUID
    conversation_id: UUID
    turn_number: int
    role: str
    created_at: datetime
    mark: int
    terms: bytes
    vectors: bytes
    model: str
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Tells one state of an index from another: how many rows, the sum of their marks, the newest arrival."""

    count: int = 0
    marks: int = 0
    newest: datetime = EPOCH


def claim(db: ScopedDatabase, *, now: datetime, claimed_until: datetime, limit: int) -> dict[UUID, str]:
    """Take messages to index that nobody else is at work on; give each one's user."""
    rows = db.all("claim_to_index", now=now, claimed_until=claimed_until, limit=limit)
    return {db.decode.identifier(row[0]): row[1] for row in rows}


def put(
    db: Statements, message_id: UUID, *, terms: bytes, vectors: bytes, model: str, mark: int, now: datetime
) -> bool:
    """Index a message, or index it anew; nothing happens when it has gone meanwhile."""
    return bool(
        db.run(
            "put_message_index",
            message_id=message_id,
            terms=terms,
            vectors=vectors,
            model=model,
            mark=mark,
            now=now,
        )
    )


def leave_queue(db: Statements, user_id: str, message_id: UUID) -> None:
    db.run("leave_index_queue", user_id=user_id, message_id=message_id)


def count_waiting(db: ScopedDatabase) -> int:
    """Count the messages and memories that wait for the background."""
    counts = (db.one("count_to_index"), db.one("count_memories_to_embed"))
    return sum(row[0] for row in counts if row)


def queue_other_models(db: ScopedDatabase, model: str) -> int:
    """Queue what another model has read; search goes on with what it has meanwhile."""
    return db.run("queue_for_reembedding", model=model) + db.run("drop_vectors_of_other_models", model=model)


def fingerprint(db: ScopedDatabase, user_id: str | None) -> Fingerprint:
    if user_id is None:
        row = db.one("index_fingerprint_of_tenant")
    else:
        row = db.one("index_fingerprint_of_user", user_id=user_id)
    if row is None or row[2] is None:
        return Fingerprint()
    return Fingerprint(row[0], int(row[1]), db.decode.moment(row[2]))


def newest_rows(db: ScopedDatabase, user_id: str | None, *, limit: int) -> list[IndexRow]:
    if user_id is None:
        rows = db.all("newest_index_rows_of_tenant", limit=limit)
    else:
        rows = db.all("newest_index_rows_of_user", user_id=user_id, limit=limit)
    return _index_rows(db, rows)


def later_rows(db: ScopedDatabase, user_id: str | None, after: datetime, *, limit: int) -> list[IndexRow]:
    """Read what was indexed after a moment."""
    if user_id is None:
        rows = db.all("later_index_rows_of_tenant", after=after, limit=limit)
    else:
        rows = db.all("later_index_rows_of_user", user_id=user_id, after=after, limit=limit)
    return _index_rows(db, rows)


def waiting_messages(db: ScopedDatabase, user_id: str | None, *, limit: int) -> list[Message]:
    """Read messages that are not indexed yet."""
    if user_id is None:
        rows = db.all("waiting_messages_of_tenant", limit=limit)
    else:
        rows = db.all("waiting_messages_of_user", user_id=user_id, limit=limit)
    return readable(rows, lambda row: message_of(db.decode, row))


def messages_by_ids(db: ScopedDatabase, ids: Sequence[UUID]) -> dict[UUID, Message]:
    if not ids:
        return {}
    rows = db.all("messages_by_ids", ids=json.dumps([str(wanted) for wanted in ids]))
    return {found.id: found for found in readable(rows, lambda row: message_of(db.decode, row))}


def memories_to_embed(db: ScopedDatabase, *, limit: int) -> list[tuple[UUID, str]]:
    return [(db.decode.identifier(row[0]), row[1]) for row in db.all("memories_to_embed", limit=limit)]


def put_memory_vector(db: Statements, memory_id: UUID, content: str, *, vector: bytes, model: str) -> bool:
    """Keep a memory's vector, unless its content has changed meanwhile."""
    return bool(db.run("put_memory_vector", memory_id=memory_id, content=content, vector=vector, model=model))


def vectors_of_memories(db: ScopedDatabase, user_id: str | None, model: str) -> dict[UUID, bytes]:
    rows = db.all("vectors_of_memories", user_id=user_id, model=model, limit=MOST_WEIGHED)
    return {db.decode.identifier(row[0]): bytes(row[1]) for row in rows}


def tenants_to_index(database: Database) -> list[str | None]:
    """List the tenants that have something waiting; the null tenant is None."""
    return [row[0] or None for row in database.within(Scope()).all("tenants_to_index")]


def tenants_of_other_models(database: Database, model: str) -> list[str | None]:
    """List the tenants of whom something was read by another model."""
    return [row[0] or None for row in database.within(Scope()).all("tenants_of_other_models", model=model)]


def _index_rows(db: ScopedDatabase, rows: list[Row]) -> list[IndexRow]:
    # Messages are many and conversations few: reading the same id again and again would cost as much as the rest.
    conversation = lru_cache(4_096)(db.decode.identifier)
    return readable(rows, lambda row: _index_row(db.decode, row, conversation(row[1])))


def _index_row(decode: Decoder, row: Row, conversation_id: UUID) -> IndexRow:
    return IndexRow(
        message_id=decode.identifier(row[0]),
        conversation_id=conversation_id,
        turn_number=row[2],
        role=row[3],
        created_at=decode.moment(row[4]),
        mark=row[5],
        terms=bytes(row[6]),
        vectors=bytes(row[7]),
        model=row[8],
        indexed_at=decode.moment(row[9]),
    )
