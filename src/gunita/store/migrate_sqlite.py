"""Applies migrations to a SQLite file, under its write lock."""

from __future__ import annotations

import sqlite3

from gunita.store import migrate
from gunita.store.migrate import Applied
from gunita.store.sqlite import SqliteDatabase

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT
"""
_HAS_LEDGER = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"
_APPLIED = "SELECT version, checksum FROM schema_migrations"
_RECORD = """
INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, unixepoch() * 1000000)
"""


def upgrade(database: SqliteDatabase, *, apply: bool = True) -> list[int]:
    """Bring the file to the newest schema and tell which versions were applied now."""
    migrations = migrate.known("sqlite")
    if not apply:
        migrate.require_current(migrations, _applied(database))
    # Where nothing is left to do nobody is waited for: another process may be writing, or the file be read-only.
    if not migrate.pending(migrations, _applied(database)):
        return []
    with database.writing() as connection:
        connection.execute(_LEDGER)
        applied = [Applied(*row) for row in connection.execute(_APPLIED)]
        waiting = migrate.pending(migrations, applied)
        for migration in waiting:
            for statement in _statements(migration.sql):
                connection.execute(statement)
            connection.execute(_RECORD, (migration.version, migration.name, migration.checksum))
    return [migration.version for migration in waiting]


def _applied(database: SqliteDatabase) -> list[Applied]:
    return [Applied(*row) for row in database.look(_APPLIED)] if database.look(_HAS_LEDGER) else []


def _statements(script: str) -> list[str]:
    """Split a script, because executescript would commit the transaction that holds the lock."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
