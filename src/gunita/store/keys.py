"""API keys in the database, known by their hash alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from gunita.models import Scope
from gunita.store.database import Row, ScopedDatabase
from gunita.store.rows import readable


class KeyRole(StrEnum):
    SERVICE = "service"
    USER = "user"


@dataclass(frozen=True, slots=True)
class StoredKey:
    id: UUID
    name: str
    role: KeyRole
    user_id: str | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """Whose key a hash is, and whether it still opens."""

    key_id: UUID
    scope: Scope
    revoked: bool


def insert(db: ScopedDatabase, key: StoredKey, key_hash: str) -> None:
    db.run(
        "insert_api_key",
        key_id=key.id,
        name=key.name,
        role=key.role.value,
        user_id=key.user_id,
        key_hash=key_hash,
        now=key.created_at,
    )


def of_tenant(db: ScopedDatabase) -> list[StoredKey]:
    return readable(db.all("list_api_keys_of_tenant"), lambda row: _key(db, row))


def revoke(db: ScopedDatabase, key_id: UUID, now: datetime) -> bool:
    return bool(db.run("revoke_api_key_of_tenant", key_id=key_id, now=now))


def note_use(db: ScopedDatabase, key_id: UUID, now: datetime, *, unless_after: datetime) -> bool:
    """Note that a key was used, unless that was noted a moment ago."""
    return bool(db.run("note_api_key_use_of_tenant", key_id=key_id, now=now, unless_after=unless_after))


def owner(db: ScopedDatabase, key_hash: str) -> KeyOwner | None:
    """Find whose key it is, in any tenant."""
    row = db.one("find_api_key", key_hash=key_hash)
    if row is None:
        return None
    return KeyOwner(db.decode.identifier(row[1]), Scope(row[0] or None, row[3]), revoked=row[4] is not None)


def _key(db: ScopedDatabase, row: Row) -> StoredKey:
    return StoredKey(
        id=db.decode.identifier(row[0]),
        name=row[1],
        role=KeyRole(row[2]),
        user_id=row[3],
        created_at=db.decode.moment(row[4]),
        last_used_at=None if row[5] is None else db.decode.moment(row[5]),
        revoked_at=None if row[6] is None else db.decode.moment(row[6]),
    )
