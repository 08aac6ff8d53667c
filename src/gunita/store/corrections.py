"""Corrections in the database: what a reference was taken for, and what it meant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gunita.models import JsonObject
from gunita.store.database import Row, ScopedDatabase
from gunita.store.rows import as_json, json_object, readable


@dataclass(frozen=True, slots=True)
class StoredCorrection:
    id: UUID
    user_id: str
    conversation_id: UUID
    turn_number: int
    understood: JsonObject
    meant: JsonObject
    created_at: datetime


def insert(db: ScopedDatabase, correction: StoredCorrection) -> None:
    db.run(
        "insert_correction",
        correction_id=correction.id,
        user_id=correction.user_id,
        conversation_id=correction.conversation_id,
        turn_number=correction.turn_number,
        understood=as_json(correction.understood),
        meant=as_json(correction.meant),
        now=correction.created_at,
    )


def newest(db: ScopedDatabase, *, limit: int, offset: int = 0) -> list[StoredCorrection]:
    """List the scope's corrections, newest first."""
    rows = db.all("list_corrections_of_user", limit=limit, offset=offset)
    return readable(rows, lambda row: _correction(db, row))


def _correction(db: ScopedDatabase, row: Row) -> StoredCorrection:
    return StoredCorrection(
        id=db.decode.identifier(row[0]),
        user_id=row[1],
        conversation_id=db.decode.identifier(row[2]),
        turn_number=row[3],
        understood=json_object(db.decode, row[4]),
        meant=json_object(db.decode, row[5]),
        created_at=db.decode.moment(row[6]),
    )
