"""Applies migrations to PostgreSQL as the tables' owner, under an advisory lock."""

from __future__ import annotations

import psycopg
from psycopg import sql

from gunita.store import migrate
from gunita.store.migrate import Applied
from gunita.store.postgres import explain

_ONE_AT_A_TIME = 0x67756E697461  # "gunita"

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""
_APPLIED = "SELECT version, checksum FROM schema_migrations"
_RECORD = "INSERT INTO schema_migrations (version, name, checksum) VALUES (%s, %s, %s)"


def upgrade(url: str, schema: str, *, apply: bool = True) -> list[int]:
    """Bring the database to the newest schema and tell which versions were applied now."""
    migrations = migrate.known("postgres")
    try:
        with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection, connection.transaction():
            connection.execute("SELECT set_config('search_path', %s, true)", (schema,))
            if not apply:
                migrate.require_current(migrations, _applied(connection))
            # A login that may not create tables can still start when nothing is left to do.
            if not migrate.pending(migrations, _applied(connection)):
                return []
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
            _ensure_schema(connection, schema)
            connection.execute(_LEDGER)
            waiting = migrate.pending(migrations, _applied(connection))
            for migration in waiting:
                connection.execute(migration.sql.encode())
                connection.execute(_RECORD, (migration.version, migration.name, migration.checksum))
            return [migration.version for migration in waiting]
    except psycopg.Error as error:
        explain(error)


def _ensure_schema(connection: psycopg.Connection, schema: str) -> None:
    """Create the schema where there is none; asking for it in SQL would need rights over the whole database."""
    found = connection.execute("SELECT to_regnamespace(%s)", (schema,)).fetchone()
    if found is None or found[0] is None:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))


def _applied(connection: psycopg.Connection) -> list[Applied]:
    ledger = connection.execute("SELECT to_regclass('schema_migrations')").fetchone()
    if ledger is None or ledger[0] is None:
        return []
    return [Applied(*row) for row in connection.execute(_APPLIED)]
