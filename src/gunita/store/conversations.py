"""Conversations in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from gunita.models import Conversation, JsonObject
from gunita.store.database import Decoder, Row, ScopedDatabase, Statements
from gunita.store.rows import (
    as_json,
    first_readable,
    json_list_or_none,
    json_object,
    readable,
    readable_one,
    text,
    text_or_none,
)

EVERYTHING = 2**31 - 1


def ensure(
    db: Statements,
    conversation_id: UUID,
    user_id: str,
    now: datetime,
    *,
    title: str | None = None,
    document_context: Sequence[str] = (),
    metadata: JsonObject | None = None,
) -> bool:
    """Create the conversation unless it exists; tell whether it was created."""
    return bool(
        db.run(
            "ensure_conversation",
            conversation_id=conversation_id,
            user_id=user_id,
            title=title,
            document_context=as_json(list(document_context)),
            metadata=as_json(metadata or {}),
            now=now,
        )
    )


def newest_or_ensured(db: ScopedDatabase, user_id: str, fresh_id: UUID, now: datetime) -> Conversation | None:
    """Find the user's newest conversation that is not archived, or create one; one of many callers creates it."""
    if newest := recent(db, user_id, limit=1, archived=False):
        return newest[0]
    with db.transaction() as together:
        # SQLite's writer is alone anyway; PostgreSQL keeps the others of this user waiting here.
        together.run("hold_user", user_id=user_id)
        rows = together.all("list_conversations_of_user", user_id=user_id, archived=False, limit=1, offset=0)
        if not rows:
            ensure(together, fresh_id, user_id, now)
    return get(db, fresh_id) if not rows else next(iter(recent(db, user_id, limit=1, archived=False)), None)


def get(db: Statements, conversation_id: UUID) -> Conversation | None:
    row = db.one("get_conversation", conversation_id=conversation_id)
    return readable_one(row, lambda found: conversation_of(db.decode, found))


def recent(db: ScopedDatabase, user_id: str | None, *, limit: int, archived: bool | None = None) -> list[Conversation]:
    """List the newest conversations of a user, or of the whole tenant, as many as asked for."""
    return first_readable(
        limit,
        lambda wanted, offset: _recent_rows(db, user_id, limit=wanted, offset=offset, archived=archived),
        lambda row: conversation_of(db.decode, row),
    )


def recent_page(
    db: ScopedDatabase, user_id: str | None, *, limit: int, offset: int, archived: bool | None = None
) -> list[Conversation]:
    """List one page of what `recent` lists; a page stays short of what it cannot read, so that none overlap."""
    rows = _recent_rows(db, user_id, limit=limit, offset=offset, archived=archived)
    return readable(rows, lambda row: conversation_of(db.decode, row))


def update(
    db: ScopedDatabase,
    conversation_id: UUID,
    now: datetime,
    *,
    set_title: bool,
    title: str | None,
    archived: bool | None,
    pinned: bool | None,
    metadata: JsonObject | None,
) -> Conversation | None:
    row = db.one(
        "update_conversation",
        conversation_id=conversation_id,
        set_title=set_title,
        title=title,
        archived=archived,
        pinned=pinned,
        metadata=as_json(metadata),
        now=now,
    )
    return readable_one(row, lambda found: conversation_of(db.decode, found))


def give_title(db: ScopedDatabase, conversation_id: UUID, title: str) -> bool:
    """Title a conversation that has no title; tell whether it was so."""
    return bool(db.run("title_conversation", conversation_id=conversation_id, title=title))


def delete(db: ScopedDatabase, conversation_id: UUID) -> int | None:
    """Delete the conversation with all that hangs on it; tell how many turns went, or None when there was none."""
    with db.transaction() as together:
        counted = together.one("count_turns", conversation_id=conversation_id)
        together.run("drop_pending", conversation_id=conversation_id)
        together.run("delete_jobs_of_conversation", conversation_id=conversation_id)
        existed = together.run("delete_conversation", conversation_id=conversation_id)
    return counted[0] if existed and counted else None


def delete_all_of_user(db: ScopedDatabase, user_id: str) -> int:
    """Delete every conversation of the user; tell how many messages went."""
    with db.transaction() as together:
        counted = together.one("count_messages_of_user", user_id=user_id)
        together.run("drop_pending_of_user", user_id=user_id)
        together.run("delete_jobs_of_user", user_id=user_id)
        together.run("delete_conversations_of_user", user_id=user_id)
    return counted[0] if counted else 0


def _recent_rows(db: ScopedDatabase, user_id: str | None, **filters: Any) -> list[Row]:
    if user_id is None:
        return db.all("list_conversations_of_tenant", **filters)
    return db.all("list_conversations_of_user", user_id=user_id, **filters)


def conversation_of(decode: Decoder, row: Row) -> Conversation:
    return Conversation(
        id=decode.identifier(row[0]),
        user_id=text(row[1]),
        title=text_or_none(row[2]),
        created_at=decode.moment(row[3]),
        updated_at=decode.moment(row[4]),
        archived=bool(row[5]),
        pinned=bool(row[6]),
        document_context=tuple(json_list_or_none(decode, row[7]) or ()),
        message_count=row[8],
        turn_count=row[9],
        token_count=row[10],
        metadata=json_object(decode, row[11]),
    )
