"""User memory (JSON under a key) and user state (one mode) in the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from gunita.store.database import ScopedDatabase
from gunita.store.rows import as_json, readable, readable_one, text


def set_memory(db: ScopedDatabase, user_id: str, key: str, value: Any, now: datetime) -> None:
    # JSON's null is a value like any other; SQL's NULL would be refused.
    db.run("set_user_memory", user_id=user_id, key=key, value=as_json(value) or "null", now=now)


def get_memory(db: ScopedDatabase, user_id: str, key: str) -> dict[str, Any]:
    """Read one key, as a dictionary with that key or with none."""
    return _readable_values(db, db.all("get_user_memory", user_id=user_id, key=key))


def all_memory(db: ScopedDatabase, user_id: str) -> dict[str, Any]:
    return _readable_values(db, db.all("list_user_memory", user_id=user_id))


def delete_memory(db: ScopedDatabase, user_id: str, key: str) -> bool:
    return bool(db.run("delete_user_memory", user_id=user_id, key=key))


def clear_memory(db: ScopedDatabase, user_id: str) -> int:
    return db.run("clear_user_memory", user_id=user_id)


def set_state(db: ScopedDatabase, user_id: str, mode: str, now: datetime) -> None:
    db.run("set_user_state", user_id=user_id, mode=mode, now=now)


def get_state(db: ScopedDatabase, user_id: str) -> str | None:
    return readable_one(db.one("get_user_state", user_id=user_id), lambda row: text(row[0]))


def delete_state(db: ScopedDatabase, user_id: str) -> bool:
    return bool(db.run("delete_user_state", user_id=user_id))


def _readable_values(db: ScopedDatabase, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    return dict(readable(rows, lambda row: (text(row[0]), db.decode.json(row[1]))))
