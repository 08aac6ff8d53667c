"""Receipts in the database: what was put in front of a model, what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from gunita.models import JsonObject
from gunita.store.database import Row, ScopedDatabase, Statements
from gunita.store.rows import as_json, json_object, readable


class ReceiptKind(StrEnum):
    CONTEXT = "context"
    DELETION = "deletion"


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    id: UUID
    user_id: str
    conversation_id: UUID | None
    turn_number: int | None
    kind: ReceiptKind
    body: JsonObject
    created_at: datetime


def insert(db: Statements, receipt: StoredReceipt) -> None:
    db.run(
        "insert_receipt",
        receipt_id=receipt.id,
        user_id=receipt.user_id,
        conversation_id=receipt.conversation_id,
        turn_number=receipt.turn_number,
        kind=receipt.kind.value,
        body=as_json(receipt.body),
        now=receipt.created_at,
    )


def get(db: ScopedDatabase, receipt_id: UUID) -> StoredReceipt | None:
    found = readable(db.all("get_receipt", receipt_id=receipt_id), lambda row: _receipt(db, row))
    return found[0] if found else None


def of_turn(db: ScopedDatabase, conversation_id: UUID, turn_number: int) -> list[StoredReceipt]:
    """List a turn's receipts, newest first."""
    rows = db.all("receipts_of_turn", conversation_id=conversation_id, turn_number=turn_number)
    return readable(rows, lambda row: _receipt(db, row))


def _receipt(db: ScopedDatabase, row: Row) -> StoredReceipt:
    conversation: Any = row[2]
    return StoredReceipt(
        id=db.decode.identifier(row[0]),
        user_id=row[1],
        conversation_id=None if conversation is None else db.decode.identifier(conversation),
        turn_number=row[3],
        kind=ReceiptKind(row[4]),
        body=json_object(db.decode, row[5]),
        created_at=db.decode.moment(row[6]),
    )
