"""The pending clarification of a conversation, shared by every server process; apart from the long-term tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from gunita.store.database import ScopedDatabase
from gunita.store.rows import as_json


def put(db: ScopedDatabase, conversation_id: UUID, user_id: str, payload: dict[str, Any], expires_at: datetime) -> None:
    db.run(
        "put_pending",
        conversation_id=conversation_id,
        user_id=user_id,
        payload=as_json(payload),
        expires_at=expires_at,
    )


def get(db: ScopedDatabase, conversation_id: UUID, now: datetime) -> dict[str, Any] | None:
    """Read what is pending and has not expired."""
    row = db.one("get_pending", conversation_id=conversation_id, now=now)
    if row is None:
        return None
    payload: dict[str, Any] = db.decode.json(row[0])
    return payload


def renew(db: ScopedDatabase, conversation_id: UUID, now: datetime, expires_at: datetime) -> bool:
    return bool(db.run("renew_pending", conversation_id=conversation_id, now=now, expires_at=expires_at))


def drop(db: ScopedDatabase, conversation_id: UUID) -> bool:
    return bool(db.run("drop_pending", conversation_id=conversation_id))
