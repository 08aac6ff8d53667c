"""What answers tell taken together, read newest first and never more than asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gunita.models import JsonObject
from gunita.store.database import ScopedDatabase
from gunita.store.rows import json_object, readable, text


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """What is left of an answer when its words are taken away."""

    conversation_id: UUID
    created_at: datetime
    metadata: JsonObject
    characters: int


def newest_answers(db: ScopedDatabase, user_id: str | None, limit: int) -> list[AnswerTrace]:
    """Read the traces of a user's newest answers, or of the tenant's."""
    rows = (
        db.all("newest_answers_of_tenant", limit=limit)
        if user_id is None
        else db.all("newest_answers_of_user", user_id=user_id, limit=limit)
    )
    decode = db.decode
    return readable(
        rows,
        lambda row: AnswerTrace(
            decode.identifier(row[1]), decode.moment(row[2]), json_object(decode, row[3]), int(row[4])
        ),
    )


def newest_queries(db: ScopedDatabase, user_id: str | None, limit: int) -> list[str]:
    """Read a user's newest queries, or the tenant's."""
    rows = (
        db.all("newest_queries_of_tenant", limit=limit)
        if user_id is None
        else db.all("newest_queries_of_user", user_id=user_id, limit=limit)
    )
    return readable(rows, lambda row: text(row[1]))
