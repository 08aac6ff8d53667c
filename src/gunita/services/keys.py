"""API keys: shown once, kept as a hash, revocable."""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gunita.errors import NotFoundError, OutOfScopeError, StorageError, ValidationError
from gunita.ids import new_id
from gunita.models import Scope
from gunita.services import access
from gunita.services.access import Access
from gunita.store import keys
from gunita.store.database import Database
from gunita.store.keys import KeyOwner, KeyRole, StoredKey

PREFIX = "gunita_"
NOTED_EVERY = timedelta(minutes=1)
"""How exactly it is known when a key was last used."""
MOST_NOTED = 10_000

_log = logging.getLogger("gunita.services")


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made; its secret is not kept and cannot be shown again."""

    secret: str
    key: StoredKey


class KeyService:
    """Makes and revokes the keys of a tenant."""

    def __init__(self, door: Access, database: Database) -> None:
        self._door = door
        self._database = database
        self._noted: dict[UUID, datetime] = {}

    def _service_only(self) -> None:
        if self._door.scope.user_id is not None:
            raise OutOfScopeError("of the tenant's service", self._door.scope.user_id)

    def create_key(self, name: str, role: KeyRole | str = KeyRole.SERVICE, user_id: str | None = None) -> NewKey:
        """Make a key for the tenant's service, or for one of its users."""
        self._service_only()
        chosen = _role(role)
        if (chosen is KeyRole.USER) != (user_id is not None):
            raise ValidationError("user_id", "belongs to a key of role 'user', and to no other")
        now = self._door.clock()
        whose = None if user_id is None else access.short_text("user_id", user_id)
        key = StoredKey(new_id(now), access.short_text("name", name), chosen, whose, now, None, None)
        secret = PREFIX + secrets.token_urlsafe(32)
        keys.insert(self._door.db, key, hash_of(secret))
        return NewKey(secret, key)

    def list_keys(self) -> list[StoredKey]:
        self._service_only()
        return keys.of_tenant(self._door.db)

    def revoke_key(self, key_id: UUID | str) -> None:
        self._service_only()
        wanted = access.identifier("key_id", key_id)
        if not keys.revoke(self._door.db, wanted, self._door.clock()):
            raise NotFoundError("key", wanted)

    def owner_of(self, secret: str) -> KeyOwner | None:
        """Find whom a secret speaks for, in any tenant, and note now and then that it is in use."""
        found = keys.owner(self._door.db, hash_of(secret)) if secret.startswith(PREFIX) else None
        if found is not None and not found.revoked:
            self._note_use(found)
        return found

    def _note_use(self, owner: KeyOwner) -> None:
        now = self._door.clock()
        if now - self._noted.get(owner.key_id, datetime.min.replace(tzinfo=now.tzinfo)) < NOTED_EVERY:
            return
        if len(self._noted) >= MOST_NOTED:
            self._noted.clear()
        self._noted[owner.key_id] = now
        try:
            within = self._database.within(Scope(owner.scope.tenant_id))
            keys.note_use(within, owner.key_id, now, unless_after=now - NOTED_EVERY)
        except StorageError as problem:
            # Whoever holds the key may go on; when it was used last is only good to know.
            _log.warning("the use of key %s was not noted: %s", str(owner.key_id)[:8], problem)


def hash_of(secret: str) -> str:
    # A key is 256 bits of chance, which no dictionary holds: a plain hash is as safe as a slow one, and can be found.
    return hashlib.sha256(secret.encode()).hexdigest()


def _role(value: KeyRole | str) -> KeyRole:
    try:
        return KeyRole(value)
    except ValueError as problem:
        raise ValidationError("role", f"{value!r} is unknown; use 'service' or 'user'") from problem
