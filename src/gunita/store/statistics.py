"""Counts over everything that is kept."""

from __future__ import annotations

from dataclasses import dataclass

from gunita.models import ANONYMOUS
from gunita.store.database import ScopedDatabase


@dataclass(frozen=True, slots=True)
class Counts:
    conversations: int = 0
    turns: int = 0
    messages: int = 0
    memories: int = 0
    corrections: int = 0


def count(db: ScopedDatabase, user_id: str | None) -> Counts:
    row = db.one("count_what_is_kept", user_id=user_id)
    return Counts(*row) if row else Counts()


def storage(db: ScopedDatabase) -> tuple[int, int]:
    """Measure the database: its bytes, and how many of them are free inside."""
    row = db.one("measure_storage")
    return (row[0], row[1]) if row else (0, 0)


def ping(db: ScopedDatabase) -> None:
    """Run the smallest statement there is."""
    db.one("get_user_state", user_id=ANONYMOUS)
