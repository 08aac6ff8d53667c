"""A turn in two halves: opened with the user's message, closed with the answer; and a request that comes twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gunita.ids import new_id
from gunita.models import JsonObject
from gunita.store.database import ScopedDatabase, Statements
from gunita.store.messages import Payload
from gunita.store.rows import as_json


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """A request that came before, and the turn it opened."""

    conversation_id: UUID
    turn_number: int
    opened_at: datetime


def open_turn(
    db: Statements, conversation_id: UUID, user_id: str, content: str, *, tokens: int, now: datetime
) -> int | None:
    """Store the user's message under the next number; None when the conversation is somebody else's.

    Row-level security may say the same first, as an AccessRefusedError that ends the transaction.
    """
    row = db.one(
        "open_turn",
        conversation_id=conversation_id,
        user_id=user_id,
        message_id=new_id(now),
        content=content,
        token_count=tokens,
        now=now,
    )
    return None if row is None else int(row[0])


def close_turn(
    db: Statements,
    conversation_id: UUID,
    turn_number: int,
    content: str,
    *,
    tokens: int,
    metadata: JsonObject,
    payload: Payload,
    now: datetime,
) -> UUID | None:
    """Store the answer of an open turn and give its id; None when the conversation has gone meanwhile."""
    message_id = new_id(now)
    row = db.one(
        "close_turn",
        conversation_id=conversation_id,
        turn_number=turn_number,
        message_id=message_id,
        content=content,
        token_count=tokens,
        metadata=as_json(metadata) if metadata else None,
        tool_calls=as_json(payload.tool_calls),
        custom_payload=as_json(payload.custom_payload),
        now=now,
    )
    return None if row is None else message_id


def remember_request(
    db: Statements, user_id: str, request_id: str, conversation_id: UUID, turn_number: int, now: datetime
) -> bool:
    """Note which turn a request opened; False when it was noted before."""
    return bool(
        db.run(
            "remember_request",
            user_id=user_id,
            request_id=request_id,
            conversation_id=conversation_id,
            turn_number=turn_number,
            now=now,
        )
    )


def find_request(db: ScopedDatabase, user_id: str, request_id: str) -> KnownRequest | None:
    """Find the turn that a request opened earlier."""
    row = db.one("find_request", user_id=user_id, request_id=request_id)
    return None if row is None else KnownRequest(db.decode.identifier(row[0]), row[1], db.decode.moment(row[2]))
