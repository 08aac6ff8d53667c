"""Summaries in the database: each folds everything up to a turn; the originals stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gunita.store.database import Row, ScopedDatabase, Statements
from gunita.store.rows import as_json, readable, text


@dataclass(frozen=True, slots=True)
class StoredSummary:
    through_turn: int
    content: str
    key_topics: tuple[str, ...]
    method: str
    token_count: int
    created_at: datetime


def put(
    db: Statements,
    conversation_id: UUID,
    user_id: str,
    *,
    through_turn: int,
    content: str,
    key_topics: Sequence[str],
    method: str,
    token_count: int,
    now: datetime,
) -> None:
    db.run(
        "put_summary",
        conversation_id=conversation_id,
        user_id=user_id,
        through_turn=through_turn,
        content=content,
        key_topics=as_json(list(key_topics)),
        method=method,
        token_count=token_count,
        now=now,
    )


def latest(db: ScopedDatabase, conversation_id: UUID) -> StoredSummary | None:
    found = readable(db.all("latest_summary", conversation_id=conversation_id), lambda row: _summary(db, row))
    return found[0] if found else None


def _summary(db: ScopedDatabase, row: Row) -> StoredSummary:
    return StoredSummary(
        through_turn=row[0],
        content=text(row[1]),
        key_topics=tuple(db.decode.json(row[2])),
        method=row[3],
        token_count=row[4],
        created_at=db.decode.moment(row[5]),
    )
