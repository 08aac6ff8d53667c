"""Turns that come late: written back once, whatever was written before or by others meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from gunita.models import JsonObject
from gunita.store.database import ScopedDatabase, Statements
from gunita.store.rows import as_json
from gunita.store.turns import OPENED

NOTHING_SAID = "…"
INTERRUPTED: JsonObject = {"intent": "new", "interrupted": True}


@dataclass(frozen=True, slots=True)
class LateAnswer:
    message_id: UUID
    content: str
    tokens: int
    metadata: JsonObject
    tool_calls: list[Any] | None = None
    custom_payload: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class LateTurn:
    """A turn with the ids it was given when it was said."""

    conversation_id: UUID
    user_id: str
    query_id: UUID
    query: str
    query_tokens: int
    answer: LateAnswer
    said_at: datetime
    is_open: bool = False
    amends: bool = False
    request_id: str | None = None
    receipt_id: UUID | None = None
    receipt: JsonObject | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a turn stands in the database."""

    conversation_id: UUID
    turn_number: int
    user_id: str


def write_back(db: ScopedDatabase, turn: LateTurn) -> Placed | None:
    """Write a turn unless it is there, under the next number that is free; None where it has no place any more.

    It has none in somebody else's conversation, and none where its query was stored and has been deleted since.
    """
    with db.transaction() as together:
        placed = _placed(db, together, turn.query_id)
        if placed is not None:
            amends = turn.amends or _is_only_marked(together, placed)
            _close(together, placed, turn.answer, turn.said_at, amends=amends)
        elif turn.is_open:
            return None
        else:
            placed = _append(together, turn)
        if placed is not None:
            _put_beside(together, placed, turn)
    return placed


def left_open(db: ScopedDatabase, since: UUID, before: UUID, limit: int) -> list[UUID]:
    """Find queries that were to be answered and were not, by their ids, which are ordered by time."""
    rows = db.all("turns_left_open_of_tenant", after=since, before=before, opened=OPENED, limit=limit)
    return [db.decode.identifier(row[0]) for row in rows]


def close_left_open(db: ScopedDatabase, query_id: UUID, response_id: UUID, now: datetime) -> bool:
    """Close a turn that was left without an answer, as interrupted before its first word; tell whether there was one.

    Its request is forgotten, so that whoever sends it again is answered.
    """
    answer = LateAnswer(response_id, NOTHING_SAID, 1, INTERRUPTED)
    with db.transaction() as together:
        placed = _placed(db, together, query_id)
        if placed is None or not _close(together, placed, answer, now):
            return False
        together.run("forget_request_of_turn", conversation_id=placed.conversation_id, turn_number=placed.turn_number)
    return True


def probe(db: ScopedDatabase) -> None:
    """Write nothing, in a way that fails where nothing could be written."""
    db.run("forget_request_of_turn", conversation_id=UUID(int=0), turn_number=0)


def _placed(db: ScopedDatabase, together: Statements, query_id: UUID) -> Placed | None:
    row = together.one("find_turn_of_message", message_id=query_id)
    return None if row is None else Placed(db.decode.identifier(row[0]), row[1], row[2])


def _append(together: Statements, turn: LateTurn) -> Placed | None:
    answer = turn.answer
    row = together.one(
        "append_turn",
        conversation_id=turn.conversation_id,
        user_id=turn.user_id,
        query_id=turn.query_id,
        query=turn.query,
        query_tokens=turn.query_tokens,
        response_id=answer.message_id,
        response=answer.content,
        response_tokens=answer.tokens,
        metadata=as_json(answer.metadata) if answer.metadata else None,
        now=turn.said_at,
    )
    if row is None:
        return None
    if answer.tool_calls or answer.custom_payload:
        together.run(
            "put_tool_calls",
            message_id=answer.message_id,
            tool_calls=as_json(answer.tool_calls),
            custom_payload=as_json(answer.custom_payload),
        )
    return Placed(turn.conversation_id, row[0], turn.user_id)


def _close(together: Statements, placed: Placed, answer: LateAnswer, now: datetime, *, amends: bool = False) -> bool:
    """Put an answer to a turn that has none, or a fuller one in its place; tell whether anything changed."""
    written: dict[str, Any] = {
        "conversation_id": placed.conversation_id,
        "turn_number": placed.turn_number,
        "content": answer.content,
        "token_count": answer.tokens,
        "metadata": as_json(answer.metadata) if answer.metadata else None,
        "tool_calls": as_json(answer.tool_calls),
        "custom_payload": as_json(answer.custom_payload),
    }
    counted = {
        "conversation_id": placed.conversation_id,
        "turn_number": placed.turn_number,
        "token_count": answer.tokens,
        "now": now,
    }
    if amends:
        together.run("recount_answer", **counted)
        return bool(together.run("amend_answer", **written))
    is_new = together.run(
        "insert_late_answer", **written, message_id=answer.message_id, user_id=placed.user_id, now=now
    )
    if is_new:
        together.run("count_late_answer", **counted)
    return bool(is_new)


def _is_only_marked(together: Statements, placed: Placed) -> bool:
    """Tell whether a turn was given up for lost, and its answer comes after all."""
    row = together.one("content_of_answer", conversation_id=placed.conversation_id, turn_number=placed.turn_number)
    return row is not None and row[0] == NOTHING_SAID


def _put_beside(together: Statements, placed: Placed, turn: LateTurn) -> None:
    if turn.title is not None:
        together.run("title_conversation", conversation_id=placed.conversation_id, title=turn.title)
    if turn.request_id is not None:
        together.run(
            "remember_request",
            user_id=placed.user_id,
            request_id=turn.request_id,
            conversation_id=placed.conversation_id,
            turn_number=placed.turn_number,
            now=turn.said_at,
        )
    if turn.receipt_id is not None and turn.receipt is not None:
        together.run(
            "insert_late_receipt",
            receipt_id=turn.receipt_id,
            user_id=placed.user_id,
            conversation_id=placed.conversation_id,
            turn_number=placed.turn_number,
            body=as_json(turn.receipt),
            now=turn.said_at,
        )
