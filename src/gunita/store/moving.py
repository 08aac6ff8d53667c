"""Everything of a user or a tenant read out in order, and brought back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from gunita.models import Conversation, JsonObject, Memory, Message, Role
from gunita.store.conversations import conversation_of
from gunita.store.database import Row, ScopedDatabase, Statements
from gunita.store.memories import memory_of
from gunita.store.messages import Payload, message_of
from gunita.store.rows import as_json, json_object, readable, text

_PAGE = 500
_BEFORE_ALL = UUID(int=0)


def conversations(db: ScopedDatabase, user_id: str | None) -> Iterator[Conversation]:
    """Read conversations in the order they were begun: a user's, or the whole tenant's."""
    for rows in _pages(db, "conversations_after", user_id):
        yield from readable(rows, lambda row: conversation_of(db.decode, row))


def memories(db: ScopedDatabase, user_id: str | None) -> Iterator[Memory]:
    """Read memories in the order they were learnt."""
    for rows in _pages(db, "memories_after", user_id):
        yield from readable(rows, lambda row: memory_of(db.decode, row))


def messages(db: ScopedDatabase, conversation_id: UUID) -> Iterator[tuple[Message, JsonObject]]:
    """Read a conversation's messages, each with what is noted about it."""
    after, more = 0, True
    while more:
        rows = db.all("messages_to_move", conversation_id=conversation_id, after=after, limit=_PAGE)
        more = len(rows) == _PAGE
        if more:
            # The page may end within a turn; that turn is read again, whole.
            after = rows[-1][2] - 1
            rows = [row for row in rows if row[2] <= after]
        yield from readable(rows, lambda row: (message_of(db.decode, row[:10]), json_object(db.decode, row[10])))


def user_memory(db: ScopedDatabase) -> Iterator[tuple[str, str, Any]]:
    """Read what is kept under every key of every user of the tenant."""
    user_id = key = ""
    while rows := db.all("user_memory_after_of_tenant", user_id=user_id, key=key, limit=_PAGE):
        yield from readable(rows, lambda row: (text(row[0]), text(row[1]), db.decode.json(row[2])))
        user_id, key = rows[-1][:2]


def user_states(db: ScopedDatabase) -> Iterator[tuple[str, str]]:
    """Read the mode of every user of the tenant that has one."""
    user_id = ""
    while rows := db.all("user_states_after_of_tenant", user_id=user_id, limit=_PAGE):
        yield from readable(rows, lambda row: (text(row[0]), text(row[1])))
        user_id = rows[-1][0]


def put_message(
    together: Statements,
    conversation_id: UUID,
    user_id: str,
    message_id: UUID,
    turn_number: int,
    role: Role,
    content: str,
    *,
    tokens: int,
    payload: Payload,
    metadata: JsonObject,
    at: datetime,
) -> None:
    """Put a message where it stood; its conversation is counted anew afterwards."""
    together.run(
        "restore_message",
        conversation_id=conversation_id,
        user_id=user_id,
        message_id=message_id,
        turn_number=turn_number,
        role=role.value,
        content=content,
        token_count=tokens,
        tool_calls=as_json(payload.tool_calls),
        suggested_values=as_json(payload.suggested_values),
        suggested_actions=as_json(payload.suggested_actions),
        custom_payload=as_json(payload.custom_payload),
        metadata=as_json(metadata) if metadata else None,
        created_at=at,
    )


def recount(
    together: Statements,
    conversation_id: UUID,
    user_id: str,
    *,
    turns: int,
    messages: int,
    tokens: int,
    awaits_answer: bool,
) -> None:
    together.run(
        "recount_restored",
        conversation_id=conversation_id,
        user_id=user_id,
        turn_count=turns,
        message_count=messages,
        token_count=tokens,
        awaits_answer=awaits_answer,
    )


def put_memory(together: Statements, memory: Memory) -> bool:
    """Put a memory back unless its id is taken; tell whether it was put."""
    return bool(
        together.run(
            "restore_memory",
            memory_id=memory.id,
            user_id=memory.user_id,
            memory_type=memory.memory_type.value,
            category=memory.category,
            content=memory.content,
            source_conversation_id=memory.source_conversation_id,
            source_message_id=memory.source_message_id,
            created_at=memory.created_at,
            last_accessed_at=memory.last_accessed_at,
            access_count=memory.access_count,
            pinned=memory.pinned,
            archived=memory.archived,
            confidence=memory.confidence,
        )
    )


def is_memory_of(together: Statements, memory_id: UUID, user_id: str) -> bool:
    row = together.one("get_memory", memory_id=memory_id)
    return row is not None and row[1] == user_id


def put_user_memory(db: ScopedDatabase, user_id: str, key: str, value: Any, now: datetime) -> bool:
    """Keep a value under a key that has none; tell whether it was so."""
    return bool(db.run("restore_user_memory", user_id=user_id, key=key, value=as_json(value) or "null", now=now))


def put_user_state(db: ScopedDatabase, user_id: str, mode: str, now: datetime) -> bool:
    return bool(db.run("restore_user_state", user_id=user_id, mode=mode, now=now))


def _pages(db: ScopedDatabase, name: str, user_id: str | None) -> Iterator[list[Row]]:
    after = _BEFORE_ALL
    whose = {} if user_id is None else {"user_id": user_id}
    named = f"{name}_of_tenant" if user_id is None else f"{name}_of_user"
    while rows := db.all(named, after=after, limit=_PAGE, **whose):
        yield rows
        after = db.decode.identifier(rows[-1][0])
