"""Turns and messages in the database. Messages are the rows; a turn is two of them under one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from gunita.errors import AccessRefusedError
from gunita.ids import new_id, new_ids
from gunita.models import JsonObject, Message, Role, Turn
from gunita.store.database import Decoder, Row, ScopedDatabase, Statements
from gunita.store.rows import (
    as_json,
    draft_of,
    first_readable,
    json_list_or_none,
    json_object,
    json_object_or_none,
    readable,
    text,
)

AFTER_EVERY_TURN = 2**31 - 1
_PAGE = 1_000

_TurnDraft = draft_of(Turn)
_MessageDraft = draft_of(Message)


@dataclass(frozen=True, slots=True)
class Payload:
    """What a message carries beside its text."""

    tool_calls: Sequence[Any] | None = None
    suggested_values: Sequence[Any] | None = None
    suggested_actions: Sequence[Any] | None = None
    custom_payload: JsonObject | None = None


def append_turn(
    db: ScopedDatabase,
    conversation_id: UUID,
    user_id: str,
    query: str,
    response: str,
    *,
    query_tokens: int,
    response_tokens: int,
    metadata: JsonObject,
    now: datetime,
    ids: Sequence[UUID] = (),
) -> Turn | None:
    """Append a whole turn under the next number; None when the conversation is somebody else's."""
    query_id, response_id = ids or new_ids(now, 2)
    try:
        row = db.one(
            "append_turn",
            conversation_id=conversation_id,
            user_id=user_id,
            query_id=query_id,
            query=query,
            query_tokens=query_tokens,
            response_id=response_id,
            response=response,
            response_tokens=response_tokens,
            metadata=as_json(metadata) if metadata else None,
            now=now,
        )
    except AccessRefusedError:
        # Row-level security speaks before the statement's own WHERE can: the row exists and is another user's.
        return None
    if row is None:
        return None
    return Turn(query_id, conversation_id, user_id, row[0], query, response, now, metadata)


def append_message(
    db: Statements,
    conversation_id: UUID,
    role: Role,
    content: str,
    *,
    tokens: int,
    payload: Payload,
    now: datetime,
    message_id: UUID | None = None,
) -> Message | None:
    """Append one message: a user's opens a turn, an assistant's closes the open one; None without a conversation."""
    message_id = message_id or new_id(now)
    row = db.one(
        "append_message",
        conversation_id=conversation_id,
        role=role.value,
        message_id=message_id,
        content=content,
        token_count=tokens,
        tool_calls=as_json(payload.tool_calls),
        suggested_values=as_json(payload.suggested_values),
        suggested_actions=as_json(payload.suggested_actions),
        custom_payload=as_json(payload.custom_payload),
        now=now,
    )
    if row is None:
        return None
    return Message(
        id=message_id,
        conversation_id=conversation_id,
        turn_number=row[0],
        role=role,
        content=content,
        created_at=now,
        tool_calls=payload.tool_calls,
        suggested_values=payload.suggested_values,
        suggested_actions=payload.suggested_actions,
        custom_payload=payload.custom_payload,
    )


def latest_turns(
    db: ScopedDatabase, conversation_id: UUID, limit: int, *, before: int = AFTER_EVERY_TURN
) -> list[Turn]:
    """Read the newest readable turns below a number, in ascending order."""
    turns: list[Turn] = []
    make = _turn_maker(db.decode, conversation_id)
    while len(turns) < limit:
        page = 2 * (limit - len(turns))
        rows = db.all("messages_before", conversation_id=conversation_id, before=before, limit=page)
        turns += readable([asked + answered for asked, answered in pairwise(rows) if asked[2] == answered[2]], make)
        if len(rows) < page:
            break
        before = rows[-1][2] + _ends_within_a_turn(rows)
    turns.reverse()
    return turns


def first_turns(db: ScopedDatabase, conversation_id: UUID, limit: int, *, after: int = 0) -> list[Turn]:
    """Read the oldest turns that are still remembered, above a number."""
    turns: list[Turn] = []
    make = _turn_maker(db.decode, conversation_id)
    while len(turns) < limit:
        page = 2 * (limit - len(turns))
        rows = db.all("messages_after", conversation_id=conversation_id, after=after, limit=page)
        turns += readable([asked + answered for answered, asked in pairwise(rows) if asked[2] == answered[2]], make)
        if len(rows) < page:
            break
        after = rows[-1][2] - _ends_within_a_turn(rows)
    return turns


def get_turn(db: ScopedDatabase, conversation_id: UUID, turn_number: int) -> Turn | None:
    rows = db.all("messages_after", conversation_id=conversation_id, after=turn_number - 1, limit=2)
    whole = [asked + answered for answered, asked in pairwise(rows) if asked[2] == answered[2] == turn_number]
    found = readable(whole, _turn_maker(db.decode, conversation_id))
    return found[0] if found else None


def get_of_turn(db: ScopedDatabase, conversation_id: UUID, turn_number: int, role: Role) -> Message | None:
    """Read one half of a turn, which may be all there is of it."""
    rows = db.all("get_message_of_turn", conversation_id=conversation_id, turn_number=turn_number, role=role.value)
    found = readable(rows, lambda row: message_of(db.decode, row))
    return found[0] if found else None


def of_conversation(db: ScopedDatabase, conversation_id: UUID, *, limit: int, offset: int) -> list[Message]:
    rows = db.all("messages_of_conversation", conversation_id=conversation_id, limit=limit, offset=offset)
    return readable(rows, lambda row: message_of(db.decode, row))


def every_message(db: ScopedDatabase, conversation_id: UUID) -> Iterator[Message]:
    """Read a whole conversation, a piece at a time."""
    offset = 0
    while rows := db.all("messages_of_conversation", conversation_id=conversation_id, limit=_PAGE, offset=offset):
        yield from readable(rows, lambda row: message_of(db.decode, row))
        offset += _PAGE


def newest_of_user(db: ScopedDatabase, user_id: str, *, limit: int) -> list[Message]:
    """Read a user's newest messages, newest first, as many as asked for."""
    return first_readable(
        limit,
        lambda wanted, offset: db.all("newest_messages_of_user", user_id=user_id, limit=wanted, offset=offset),
        lambda row: message_of(db.decode, row),
    )


def page_of_user(db: ScopedDatabase, user_id: str, *, limit: int, offset: int) -> list[Message]:
    """Read one page of a user's messages, newest first; a page stays short of what it cannot read."""
    rows = db.all("newest_messages_of_user", user_id=user_id, limit=limit, offset=offset)
    return readable(rows, lambda row: message_of(db.decode, row))


def count_of_user(db: ScopedDatabase, user_id: str) -> int:
    row = db.one("count_messages_of_user", user_id=user_id)
    return row[0] if row else 0


def measure_after(db: ScopedDatabase, conversation_id: UUID, after: int) -> tuple[int, int]:
    """Count the messages above a turn number, and their tokens."""
    row = db.one("measure_after", conversation_id=conversation_id, after=after)
    return (int(row[0]), int(row[1])) if row else (0, 0)


def delete(db: ScopedDatabase, message_id: UUID) -> bool:
    """Delete a message; its conversation is held first, so that nobody who deletes both waits in a ring."""
    with db.transaction() as together:
        found = together.one("find_message", message_id=message_id)
        if found is None:
            return False
        together.run("hold_conversation", conversation_id=found[0])
        row = together.one("delete_message", message_id=message_id)
        if row is None:
            return False
        conversation_id, turn_number, role, tokens = row
        together.run(
            "discount_message",
            conversation_id=conversation_id,
            turn_number=turn_number,
            role=role,
            token_count=tokens,
        )
    return True


def _ends_within_a_turn(rows: list[Row]) -> bool:
    """Tell whether the page's last message may have left its other half for the next page."""
    return bool(rows[-1][2] != rows[-2][2])


def _turn_maker(decode: Decoder, conversation_id: UUID) -> Callable[[Row], Turn]:
    """Give what makes a turn of its query's row and its response's, one after the other."""
    identifier, moment = decode.identifier, decode.moment

    def make(row: Row) -> Turn:
        query_id, user_id, turn_number, query, created_at, _, _, _, _, response, _, metadata = row
        made = _TurnDraft(
            identifier(query_id),
            conversation_id,
            user_id,
            turn_number,
            text(query),
            text(response),
            moment(created_at),
            {} if metadata is None else json_object(decode, metadata),
        )
        made.__class__ = Turn
        return made  # type: ignore[no-any-return]

    return make


def message_of(decode: Decoder, row: Row) -> Message:
    made = _MessageDraft(
        decode.identifier(row[0]),
        decode.identifier(row[1]),
        row[2],
        Role(row[3]),
        text(row[4]),
        decode.moment(row[5]),
        json_list_or_none(decode, row[6]),
        json_list_or_none(decode, row[7]),
        json_list_or_none(decode, row[8]),
        json_object_or_none(decode, row[9]),
    )
    made.__class__ = Message
    return made  # type: ignore[no-any-return]
