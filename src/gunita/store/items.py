"""The messages that a framework's items are kept in, written and rewritten under one hold of their conversation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from gunita.ids import new_id
from gunita.models import JsonObject, Message, Role
from gunita.store import conversations
from gunita.store.database import Statements
from gunita.store.messages import Payload, append_message, message_of
from gunita.store.rows import as_json, readable

_PAGE = 500


def hold(together: Statements, conversation_id: UUID, user_id: str) -> bool:
    """Keep other writers of a conversation waiting; False where it is not this user's."""
    if not together.run("hold_conversation", conversation_id=conversation_id):
        return False
    here = conversations.get(together, conversation_id)
    return here is not None and here.user_id == user_id


def newest_first(together: Statements, conversation_id: UUID, *, page: int = _PAGE) -> Iterator[Message]:
    """Read a conversation's messages from its end, a piece at a time."""
    offset = 0
    while rows := together.all(
        "newest_messages_of_conversation", conversation_id=conversation_id, limit=page, offset=offset
    ):
        yield from readable(rows, lambda row: message_of(together.decode, row))
        if len(rows) < page:
            return
        offset += page
        page = _PAGE


def conversation_holding(db: Statements, mark: str) -> UUID | None:
    """Find the newest conversation with a message whose payload holds a text, as it is written in JSON."""
    row = db.one("conversation_holding", mark=mark)
    return None if row is None else db.decode.identifier(row[0])


def ask(
    together: Statements, conversation_id: UUID, content: str, beside: JsonObject | None, *, tokens: int, now: datetime
) -> int:
    """Write a user's message, which opens a turn; tell its number."""
    return _append(together, conversation_id, Role.USER, content, beside, tokens=tokens, now=now)


def answer(
    together: Statements,
    conversation_id: UUID,
    turn_number: int | None,
    content: str,
    beside: JsonObject | None,
    *,
    tokens: int,
    now: datetime,
    title: str | None = None,
) -> None:
    """Write the assistant's message of a turn that has none, or with no number, of a turn without a query."""
    if turn_number is None:
        _append(together, conversation_id, Role.ASSISTANT, content, beside, tokens=tokens, now=now)
        return
    together.run(
        "close_turn",
        conversation_id=conversation_id,
        turn_number=turn_number,
        message_id=new_id(now),
        content=content,
        token_count=tokens,
        metadata=None,
        tool_calls=None,
        custom_payload=as_json(beside),
        title=title,
        now=now,
    )


def rewrite(
    together: Statements, message: Message, content: str, beside: JsonObject | None, *, tokens: int, now: datetime
) -> None:
    """Put other words and another payload in the place of a message's."""
    together.run(
        "recount_message",
        conversation_id=message.conversation_id,
        message_id=message.id,
        token_count=tokens,
        now=now,
    )
    together.run(
        "rewrite_message", message_id=message.id, content=content, token_count=tokens, custom_payload=as_json(beside)
    )


def delete(together: Statements, message: Message) -> None:
    """Delete a message of a conversation that is held."""
    row = together.one("delete_message", message_id=message.id)
    if row is not None:
        together.run(
            "discount_message",
            conversation_id=message.conversation_id,
            turn_number=row[1],
            role=row[2],
            token_count=row[3],
        )


def begin_anew(together: Statements, conversation_id: UUID, user_id: str, now: datetime) -> None:
    """Delete all that was said in a conversation and all that hangs on it; its name and its marks stay."""
    was = conversations.get(together, conversation_id)
    if was is None:
        return
    together.run("drop_pending", conversation_id=conversation_id)
    together.run("delete_jobs_of_conversation", conversation_id=conversation_id)
    together.run("delete_conversation", conversation_id=conversation_id)
    conversations.ensure(
        together,
        conversation_id,
        user_id,
        now,
        title=was.title,
        document_context=was.document_context,
        metadata=was.metadata,
    )
    together.run(
        "update_conversation",
        conversation_id=conversation_id,
        set_title=False,
        title=None,
        archived=was.archived,
        pinned=was.pinned,
        metadata=None,
        now=now,
    )


def _append(
    together: Statements,
    conversation_id: UUID,
    role: Role,
    content: str,
    beside: JsonObject | None,
    *,
    tokens: int,
    now: datetime,
) -> int:
    message = append_message(
        together, conversation_id, role, content, tokens=tokens, payload=Payload(custom_payload=beside), now=now
    )
    assert message is not None, "the conversation is held, so it is there"
    return message.turn_number
