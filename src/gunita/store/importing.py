"""Messages of another program, appended under ids that stay the same at every import."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from gunita.models import Role
from gunita.store.database import Statements
from gunita.store.messages import Payload
from gunita.store.rows import as_json

_PAGE = 1_000


def append(
    together: Statements,
    conversation_id: UUID,
    message_id: UUID,
    role: Role,
    content: str,
    *,
    tokens: int,
    payload: Payload,
    at: datetime,
) -> None:
    together.run(
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
        now=at,
    )


def known_ids(together: Statements, conversation_id: UUID) -> set[UUID]:
    """Read which messages a conversation has already."""
    known: set[UUID] = set()
    while rows := together.all(
        "messages_of_conversation", conversation_id=conversation_id, limit=_PAGE, offset=len(known)
    ):
        known.update(together.decode.identifier(row[0]) for row in rows)
    return known


def is_of(together: Statements, conversation_id: UUID, user_id: str) -> bool:
    row = together.one("get_conversation", conversation_id=conversation_id)
    return row is not None and row[1] == user_id


def mark(together: Statements, conversation_id: UUID, at: datetime, *, pinned: bool, archived: bool) -> None:
    together.run(
        "update_conversation",
        conversation_id=conversation_id,
        set_title=False,
        title=None,
        archived=archived,
        pinned=pinned,
        metadata=None,
        now=at,
    )
