"""The PostgreSQL database that a move fills: each batch together with how far the move has come, or neither."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from gunita.errors import TransferError
from gunita.store.database import Row
from gunita.store.postgres import explain
from gunita.store.transfer.tables import TENANT, Key, Table, damaged, for_postgres

_LEDGER = """
CREATE TABLE transfer_progress (id text NOT NULL, change bigint NOT NULL, copied json NOT NULL, rows bigint NOT NULL)
"""
_COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()
"""
_TRIGGERED = """
SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace AND relname = ANY(%s)
"""
_READ_AS = {
    "uuid": "{}::text",
    "json": "{}::text",
    "boolean": "{}::integer",
    "timestamp with time zone": "(extract(epoch FROM {}) * 1000000)::bigint",
}
"""How SQLite says a value of these types; the others it says in the same way."""
_AT_ONCE = 2_000
_KEYS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Progress:
    id: str
    change: int
    """The newest change of the source that is in the target."""
    copied: dict[str, Key | None]
    """How far each table is copied; None where it is whole."""
    rows: int = 0
    """How many rows were copied so far."""

    def covers(self, table: Table, key: Key) -> bool:
        if table.name not in self.copied:
            return False
        until = self.copied[table.name]
        return until is None or key <= until


@dataclass(frozen=True, slots=True)
class Change:
    """What became of some rows of a table: these are deleted, with all that hangs on them; those are written then."""

    table: Table
    deleted: Sequence[Key]
    rows: Sequence[Row]


class PostgresTarget:
    """Works as the tables' owner, past row-level security, because it writes every tenant's rows."""

    def __init__(self, url: str, schema: str, tenant: str | None) -> None:
        self._schema = schema
        self._tenant = tenant
        try:
            self._connection = psycopg.connect(url, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            explain(error)

    def close(self) -> None:
        self._connection.close()

    def columns(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        with self._transaction() as connection:
            for table, column, kind in connection.execute(_COLUMNS):
                found.setdefault(table, {})[column] = kind
        return found

    def holds_any(self, tables: Sequence[Table]) -> bool:
        with self._transaction() as connection:
            return any(
                connection.execute(
                    sql.SQL("SELECT 1 FROM {} WHERE {} LIMIT 1").format(_name(table.name), self._whose())
                ).fetchone()
                for table in tables
            )

    def progress(self) -> Progress | None:
        """Read how far an unfinished move has come, if there is one; what a killed one has sent may still be ending."""
        with self._transaction() as connection:
            if connection.execute("SELECT to_regclass('transfer_progress')").fetchone() == (None,):
                return None
            found = connection.execute("SELECT id, change, copied, rows FROM transfer_progress FOR UPDATE").fetchone()
        assert found is not None
        copied = {name: None if key is None else tuple(key) for name, key in found[2].items()}
        return Progress(found[0], found[1], copied, found[3])

    def begin(self, progress: Progress) -> None:
        with self._transaction() as connection:
            connection.execute(_LEDGER)
            connection.execute("INSERT INTO transfer_progress (id, change, copied, rows) VALUES ('', 0, '{}', 0)")
            _note(connection, progress)

    def copy(self, table: Table, rows: Sequence[Row], progress: Progress) -> None:
        """Write a batch of new rows."""
        said = [for_postgres(table, row) for row in rows]
        columns = sql.SQL(", ").join(map(_name, table.columns))
        try:
            with self._transaction(quiet=[table]) as connection:
                with connection.cursor().copy(
                    sql.SQL("COPY {} ({}) FROM STDIN").format(_name(table.name), columns)
                ) as copy:
                    for row in said:
                        copy.write_row(row)
                _note(connection, progress)
        except (psycopg.DataError, psycopg.IntegrityError) as refused:
            self._name_the_refused([Change(table, [], rows)])
            raise TransferError(f"PostgreSQL refused rows of {table.name}: {refused}") from refused

    def apply(self, changes: Sequence[Change], progress: Progress) -> None:
        """Bring rows to what the source says now, all of them or none; children go before their parents."""
        try:
            with self._transaction(quiet=_touched(changes)) as connection, connection.cursor() as cursor:
                _delete_all(cursor, changes)
                for change in changes:
                    if change.rows:
                        said = [for_postgres(change.table, row) for row in change.rows]
                        cursor.executemany(_upsert(change.table), said)
                _note(connection, progress)
        except (psycopg.DataError, psycopg.IntegrityError) as refused:
            self._name_the_refused(changes)
            raise TransferError(f"PostgreSQL refused what was written meanwhile: {refused}") from refused

    def rows(self, table: Table) -> Iterator[Row]:
        """Read a table, its values as SQLite says them."""
        with self._transaction() as connection, connection.cursor("reading") as cursor:
            cursor.itersize = _AT_ONCE
            yield from cursor.execute(
                sql.SQL("SELECT {} FROM {} WHERE {}").format(_as_sqlite(table), _name(table.name), self._whose())
            )

    def rows_of(self, table: Table, keys: Sequence[Key]) -> set[Row]:
        """Read the rows that have these keys."""
        found: set[Row] = set()
        with self._transaction() as connection:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                wanted = keys[start : start + _KEYS_AT_ONCE]
                one = sql.SQL("({})").format(sql.SQL(", ").join([sql.Placeholder()] * len(table.key)))
                statement = sql.SQL("SELECT {} FROM {} WHERE ({}) IN ({})").format(
                    _as_sqlite(table), _name(table.name), _listed(table.key), sql.SQL(", ").join([one] * len(wanted))
                )
                found |= set(connection.execute(statement, [value for key in wanted for value in key]))
        return found

    def end(self, tables: Sequence[Table]) -> None:
        """Forget the move, and let the planner know what has come."""
        with self._transaction() as connection:
            connection.execute("DROP TABLE IF EXISTS transfer_progress")
            for table in tables:
                connection.execute(sql.SQL("ANALYZE {}").format(_name(table.name)))

    def _name_the_refused(self, changes: Sequence[Change]) -> None:
        """Try rows one by one, keeping none, and tell the first that is refused."""
        with self._transaction(quiet=_touched(changes)) as connection, connection.cursor() as cursor:
            _delete_all(cursor, changes)
            for table, row in ((change.table, row) for change in changes for row in change.rows):
                try:
                    with connection.transaction():
                        cursor.execute(_upsert(table), for_postgres(table, row))
                except (psycopg.DataError, psycopg.IntegrityError) as refused:
                    raise damaged(table, row, refused) from refused
            raise psycopg.Rollback

    @contextmanager
    def _transaction(self, *, quiet: Sequence[Table] = ()) -> Iterator[psycopg.Connection]:
        """Begin and end a transaction; no trigger of ours adds rows to those that come to quiet tables."""
        try:
            with self._connection.transaction():
                self._connection.execute(
                    "SELECT set_config('search_path', %s, true), set_config('timezone', 'UTC', true)", (self._schema,)
                )
                names = [table.name for table in quiet]
                triggered = [name for (name,) in self._connection.execute(_TRIGGERED, (names,))] if names else []
                for name in triggered:
                    self._connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(_name(name)))
                yield self._connection
                for name in triggered:
                    self._connection.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(_name(name)))
        except (psycopg.DataError, psycopg.IntegrityError):
            raise
        except psycopg.Error as error:
            explain(error)

    def _whose(self) -> sql.Composable:
        return sql.SQL("true") if self._tenant is None else sql.SQL("{} = {}").format(_name(TENANT), self._tenant)


def _note(connection: psycopg.Connection, progress: Progress) -> None:
    connection.execute(
        "UPDATE transfer_progress SET id = %s, change = %s, copied = %s, rows = %s",
        (progress.id, progress.change, json.dumps(progress.copied), progress.rows),
    )


def _upsert(table: Table) -> sql.Composed:
    others = [column for column in table.columns if column not in table.key]
    return sql.SQL("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO {}").format(
        _name(table.name),
        _listed(table.columns),
        sql.SQL(", ").join([sql.Placeholder()] * len(table.columns)),
        _listed(table.key),
        sql.SQL("UPDATE SET {}").format(sql.SQL(", ").join(map(_taken_over, others))) if others else sql.SQL("NOTHING"),
    )


def _taken_over(column: str) -> sql.Composable:
    return sql.SQL("{0} = excluded.{0}").format(_name(column))


def _touched(changes: Sequence[Change]) -> list[Table]:
    return [change.table for change in changes if change.deleted or change.rows]


def _delete_all(cursor: psycopg.Cursor, changes: Sequence[Change]) -> None:
    for change in reversed(changes):
        if change.deleted:
            cursor.executemany(_delete(change.table), change.deleted)


def _delete(table: Table) -> sql.Composed:
    return sql.SQL("DELETE FROM {} WHERE {}").format(_name(table.name), _same(table))


def _same(table: Table) -> sql.Composable:
    return sql.SQL(" AND ").join(sql.SQL("{} = {}").format(_name(column), sql.Placeholder()) for column in table.key)


def _as_sqlite(table: Table) -> sql.Composable:
    pairs = zip(table.columns, table.types, strict=True)
    return sql.SQL(", ").join(sql.SQL(_READ_AS.get(kind, "{}")).format(_name(column)) for column, kind in pairs)


def _listed(columns: Sequence[Any]) -> sql.Composable:
    return sql.SQL(", ").join(map(_name, columns))


def _name(name: str) -> sql.Identifier:
    return sql.Identifier(name)
