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
_RECORD = """
INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, unixepoch() * 1000000)
"""


def upgrade(database: SqliteDatabase, *, apply: bool = True) -> list[int]:
    """Bring the file to the newest schema and tell which versions were applied now."""
    with database.writing() as connection:
        connection.execute(_LEDGER)
        applied = [Applied(*row) for row in connection.execute("SELECT version, checksum FROM schema_migrations")]
        if not apply:
            migrate.require_current(migrate.known("sqlite"), applied)
        waiting = migrate.pending(migrate.known("sqlite"), applied)
        for migration in waiting:
            for statement in _statements(migration.sql):
                connection.execute(statement)
            connection.execute(_RECORD, (migration.version, migration.name, migration.checksum))
    return [migration.version for migration in waiting]


def _statements(script: str) -> list[str]:
    """Split a script, because executescript would commit the transaction that holds the lock."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
