"""Numbered, forward-only, checksummed migrations; any number of starting processes may run them at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from gunita.errors import SchemaChangedError, SchemaTooNewError, SchemaTooOldError


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Applied:
    version: int
    checksum: str


@cache
def known(engine: str) -> tuple[Migration, ...]:
    """Read the migrations of an engine, in order."""
    folder = files("gunita.store").joinpath("sql", "migrations", engine)
    found = sorted((file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir())
    return tuple(Migration(int(name[:4]), name[5:].removesuffix(".sql"), sql) for name, sql in found)


def pending(migrations: Sequence[Migration], applied: Sequence[Applied]) -> list[Migration]:
    """Decide what is left to apply, refusing a database that this code does not know."""
    newest_known = migrations[-1].version
    newest_applied = max((done.version for done in applied), default=0)
    if newest_applied > newest_known:
        raise SchemaTooNewError(newest_applied, newest_known)
    checksums = {done.version: done.checksum for done in applied}
    for migration in migrations:
        if checksums.get(migration.version, migration.checksum) != migration.checksum:
            raise SchemaChangedError(migration.version, migration.name)
    return [migration for migration in migrations if migration.version not in checksums]


def require_current(migrations: Sequence[Migration], applied: Sequence[Applied]) -> None:
    """Refuse to work on tables that are behind."""
    if pending(migrations, applied):
        raise SchemaTooOldError(max((done.version for done in applied), default=0), migrations[-1].version)
