"""A turn in two halves: opened with the user's message, closed with the answer; and a request that comes twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gunita.ids import new_id
from gunita.models import JsonObject
from gunita.store.database import ScopedDatabase, Statements
from gunita.store.messages import Payload
from gunita.store.rows import as_json, json_list_or_none, readable_one

NOTHING_BESIDE = Payload()
OPENED = '{"opened":"chat"}'
"""Stands with a query that is being answered, so that one left without an answer is told from one that wants none."""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn's number, and what its conversation is like with the user's message in it."""

    number: int
    title: str | None
    documents: tuple[str, ...]
    message_count: int
    token_count: int
    query_id: UUID | None = None
    """The id of the user's message; None where the turn was taken up again without it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What closes a turn."""

    content: str
    tokens: int
    metadata: JsonObject
    payload: Payload = NOTHING_BESIDE
    title: str | None = None
    """For a conversation that has none."""


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """A request that came before, and the turn it opened."""

    conversation_id: UUID
    turn_number: int
    opened_at: datetime


def open_turn(
    db: Statements,
    conversation_id: UUID,
    user_id: str,
    content: str,
    *,
    tokens: int,
    now: datetime,
    message_id: UUID | None = None,
) -> OpenTurn | None:
    """Store the user's message under the next number; None when the conversation is somebody else's.

    Row-level security may say the same first, as an AccessRefusedError that ends the transaction.
    """
    query_id = message_id or new_id(now)
    row = db.one(
        "open_turn",
        conversation_id=conversation_id,
        user_id=user_id,
        message_id=query_id,
        content=content,
        token_count=tokens,
        now=now,
        opened=OPENED,
    )
    if row is None:
        return None
    documents = readable_one(row[2:3], lambda named: json_list_or_none(db.decode, named[0]))
    return OpenTurn(row[0], row[1], tuple(documents or ()), row[3], row[4], query_id)


def close_turn(
    db: Statements, conversation_id: UUID, turn_number: int, answer: Answer, *, now: datetime
) -> UUID | None:
    """Store the answer of an open turn and give its id; None when the conversation has gone meanwhile."""
    message_id = new_id(now)
    row = db.one(
        "close_turn",
        conversation_id=conversation_id,
        turn_number=turn_number,
        message_id=message_id,
        content=answer.content,
        token_count=answer.tokens,
        metadata=as_json(answer.metadata) if answer.metadata else None,
        tool_calls=as_json(answer.payload.tool_calls),
        custom_payload=as_json(answer.payload.custom_payload),
        title=answer.title,
        now=now,
    )
    return None if row is None else message_id


def answer_turn(
    db: Statements,
    conversation_id: UUID,
    turn_number: int,
    answer: Answer,
    *,
    receipt_id: UUID,
    receipt: JsonObject,
    now: datetime,
) -> bool:
    """Close a turn and keep the receipt of its answer, in one round trip; False when the conversation has gone."""
    row = db.one(
        "answer_turn",
        conversation_id=conversation_id,
        turn_number=turn_number,
        message_id=new_id(now),
        content=answer.content,
        token_count=answer.tokens,
        metadata=as_json(answer.metadata) if answer.metadata else None,
        tool_calls=as_json(answer.payload.tool_calls),
        custom_payload=as_json(answer.payload.custom_payload),
        title=answer.title,
        receipt_id=receipt_id,
        receipt=as_json(receipt),
        now=now,
    )
    return row is not None


def amend_turn(db: Statements, conversation_id: UUID, turn_number: int, answer: Answer, *, now: datetime) -> bool:
    """Put a fuller answer in the place of a turn's; False when it has gone meanwhile."""
    db.run(
        "recount_answer",
        conversation_id=conversation_id,
        turn_number=turn_number,
        token_count=answer.tokens,
        now=now,
    )
    return bool(
        db.run(
            "amend_answer",
            conversation_id=conversation_id,
            turn_number=turn_number,
            content=answer.content,
            token_count=answer.tokens,
            metadata=as_json(answer.metadata) if answer.metadata else None,
            tool_calls=as_json(answer.payload.tool_calls),
            custom_payload=as_json(answer.payload.custom_payload),
        )
    )


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
