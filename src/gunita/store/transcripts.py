"""A conversation as it is shown: turns in order, also those that still wait for their answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from gunita.models import JsonObject, Role
from gunita.store.database import Decoder, Row, ScopedDatabase
from gunita.store.rows import json_object, readable, text


@dataclass(frozen=True, slots=True)
class Said:
    """One half of a turn."""

    id: UUID
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn as far as it is there: a query may wait for its answer, an answer may have lost its query."""

    turn_number: int
    query: Said | None
    response: Said | None
    metadata: JsonObject


@dataclass(frozen=True, slots=True)
class _Half:
    turn_number: int
    role: Role
    said: Said
    metadata: JsonObject


def turns_before(db: ScopedDatabase, conversation_id: UUID, before: int, limit: int) -> list[ShownTurn]:
    """Read the newest turns below a number, in ascending order."""
    rows = db.all("transcript_before", conversation_id=conversation_id, before=before, limit=2 * limit)
    return _paired(db.decode, rows[::-1])[-limit:]


def turns_after(db: ScopedDatabase, conversation_id: UUID, after: int, limit: int) -> list[ShownTurn]:
    """Read the oldest turns above a number."""
    rows = db.all("transcript_after", conversation_id=conversation_id, after=after, limit=2 * limit)
    return _paired(db.decode, rows)[:limit]


def _paired(decode: Decoder, rows: list[Row]) -> list[ShownTurn]:
    halves = readable(rows, lambda row: _half(decode, row))
    return [_turn(number, list(said)) for number, said in groupby(halves, lambda half: half.turn_number)]


def _turn(number: int, halves: list[_Half]) -> ShownTurn:
    by_role: dict[Role, _Half] = {half.role: half for half in halves}
    query, response = by_role.get(Role.USER), by_role.get(Role.ASSISTANT)
    metadata: dict[str, Any] = dict(response.metadata) if response else {}
    return ShownTurn(number, query.said if query else None, response.said if response else None, metadata)


def _half(decode: Decoder, row: Row) -> _Half:
    identifier, turn_number, role, content, created_at, metadata = row
    said = Said(decode.identifier(identifier), text(content), decode.moment(created_at))
    return _Half(turn_number, Role(role), said, json_object(decode, metadata))
