"""What an import asks of a conversation: which messages it has, whose it is, and that it be marked."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from gunita.store.database import Statements

_PAGE = 1_000


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
