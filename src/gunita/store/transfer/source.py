"""The SQLite file that is moved: read as it stood at one moment, with later changes noted as long as it lasts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from uuid import uuid4

from gunita.errors import StorageBusyError, StorageError, TransferError
from gunita.store import migrate
from gunita.store.database import Row
from gunita.store.migrate import Applied
from gunita.store.transfer.tables import TENANT, Key, Link, Table, in_order

OURS, NOTES, CLOSED = "transfer_", "transfer_notes_", "transfer_closed_"
"""What the names of our own tables and triggers begin with; they are there only while a move lasts."""
MOVED = (
    "this database was moved to PostgreSQL and is closed; use the new one, or open this one again: "
    "gunita migrate-data --reopen"
)

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_FOREIGN_KEYS = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
_TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
_CHANGES = """
CREATE TABLE transfer_changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, key TEXT NOT NULL
) STRICT
"""
_EVENTS = ("INSERT", "UPDATE", "DELETE")


class Snapshot:
    """The file as it stands at one moment, for one tenant or for all."""

    def __init__(self, connection: sqlite3.Connection, tenant: str | None) -> None:
        self.connection = connection
        self._tenant = tenant

    def count(self, table: Table) -> int:
        (found,) = self.connection.execute(
            f"SELECT count(*) FROM {table.name} WHERE {TENANT} = coalesce(?, {TENANT})",  # noqa: S608
            (self._tenant,),
        ).fetchone()
        return int(found)

    def rows(self, table: Table, after: Key | None = None) -> Iterator[Row]:
        """Read a table along its key, from behind a place on it."""
        places = "1" if after is None else f"({', '.join(table.key)}) > ({', '.join('?' for _ in table.key)})"
        tenant = "1" if self._tenant is None else f"{TENANT} = ?"
        return self.connection.execute(
            f"SELECT {', '.join(table.columns)} FROM {table.name} "  # noqa: S608
            f"WHERE {places} AND {tenant} ORDER BY {', '.join(table.key)}",
            [*(after or ()), *([] if self._tenant is None else [self._tenant])],
        )

    def row(self, table: Table, key: Key) -> Row | None:
        same = " AND ".join(f"{column} = ?" for column in table.key)
        found: Row | None = self.connection.execute(
            f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {same}",  # noqa: S608
            key,
        ).fetchone()
        return found

    def hanging_on(self, parent: Table, row: Row, table: Table, link: Link) -> list[Key]:
        """Name the rows of a table that hang on a row of another."""
        same = " AND ".join(f"{column} = ?" for column in link.columns)
        return self.connection.execute(
            f"SELECT {', '.join(table.key)} FROM {table.name} WHERE {same}",  # noqa: S608
            parent.values(row, link.named_by),
        ).fetchall()

    def newest_change(self) -> int:
        (newest,) = self.connection.execute("SELECT coalesce(max(number), 0) FROM transfer_changes").fetchone()
        return int(newest)

    def changed_since(self, number: int, table: Table) -> list[Key]:
        """Name the rows of a table that were written or deleted since."""
        found = self.connection.execute(
            "SELECT DISTINCT key FROM transfer_changes WHERE number > ? AND table_name = ?", (number, table.name)
        )
        keys = [tuple(json.loads(key)) for (key,) in found]
        return [key for key in keys if self._tenant is None or key[table.key.index(TENANT)] == self._tenant]


class SqliteSource:
    def __init__(self, path: Path, tenant: str | None, busy_seconds: float) -> None:
        if not path.is_file():
            raise TransferError(f"there is no database file {path}")
        self.path = path
        self._tenant = tenant
        self._busy_seconds = busy_seconds

    def tables(self) -> list[Table]:
        """Read which tables there are, in the order they move; a file of another schema is refused."""
        with self._connected() as connection:
            names = [name for (name,) in connection.execute(_TABLES) if not name.startswith(OURS)]
            if "schema_migrations" not in names:
                raise TransferError(f"{self.path} is not a database of Gunita's")
            applied = [Applied(*row) for row in connection.execute("SELECT version, checksum FROM schema_migrations")]
            migrate.require_current(migrate.known("sqlite"), applied)
            return in_order(_described(connection, name) for name in names if name != "schema_migrations")

    def transfer_id(self) -> str | None:
        """Name the move for which changes are noted, if they are."""
        with self._connected() as connection:
            if ("transfer_id",) not in connection.execute(_TABLES).fetchall():
                return None
            (found,) = connection.execute("SELECT id FROM transfer_id").fetchone()
            return str(found)

    def begin(self, tables: Iterable[Table]) -> str:
        """Note every change from now on, if that is not done already; name the move."""
        with self.locked() as held:
            if (begun := self.transfer_id()) is not None:
                return begun
            made = str(uuid4())
            held.connection.execute(_CHANGES)
            held.connection.execute("CREATE TABLE transfer_id (id TEXT NOT NULL) STRICT")
            held.connection.execute("INSERT INTO transfer_id (id) VALUES (?)", (made,))
            for table in tables:
                for trigger in _noting(table):
                    held.connection.execute(trigger)
        return made

    def end(self, held: Snapshot, tables: Iterable[Table], *, close: bool) -> None:
        """Note changes no longer; a database that is closed refuses every further write."""
        _drop(held.connection, NOTES)
        if close:
            for table in tables:
                for event in _EVENTS:
                    held.connection.execute(self._closing(table, event))

    def reopen(self) -> None:
        """Take back everything that a move has put into the file."""
        with self.locked() as held:
            _drop(held.connection, OURS)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Read as of now, whoever writes meanwhile."""
        with self._connected() as connection:
            connection.execute("BEGIN")
            # A deferred transaction begins with its first read.
            connection.execute("SELECT 1 FROM schema_migrations").fetchone()
            yield Snapshot(connection, self._tenant)

    @contextmanager
    def locked(self) -> Iterator[Snapshot]:
        """Read, and write, while nobody else can write."""
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Snapshot(connection, self._tenant)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _closing(self, table: Table, event: str) -> str:
        row = "old" if event == "DELETE" else "new"
        whose = "" if self._tenant is None else f"WHEN {row}.{TENANT} = {_quoted(self._tenant)} "
        name = f"{CLOSED}{_short(self._tenant)}_{event.lower()}_{table.name}"
        return (
            f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {event} ON {table.name} {whose}"
            f"BEGIN SELECT RAISE(ABORT, {_quoted(MOVED)}); END"
        )

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=self._busy_seconds, isolation_level=None)) as connection:
                connection.text_factory = _text_or_bytes
                yield connection
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise StorageBusyError(f"somebody kept {self.path} locked; try again") from error
            raise StorageError(f"SQLite could not do it: {error}") from error
        except sqlite3.DatabaseError as error:
            raise StorageError(f"{self.path} cannot be read: {error}") from error


def _described(connection: sqlite3.Connection, name: str) -> Table:
    columns = connection.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,)).fetchall()
    key = [column for column, place in sorted(columns, key=lambda found: found[1]) if place]
    return Table(name, tuple(column for column, _ in columns), tuple(key), tuple(_links(connection, name)))


def _links(connection: sqlite3.Connection, name: str) -> Iterator[Link]:
    found = connection.execute(_FOREIGN_KEYS, (name,))
    for (_, parent), pairs in groupby(found, key=lambda pair: pair[:2]):
        columns, named_by = zip(*(pair[2:] for pair in pairs), strict=True)
        yield Link(columns, parent, named_by)


def _noting(table: Table) -> Iterator[str]:
    """Say the triggers that note whose row was written or deleted."""
    for event in _EVENTS:
        rows = {"INSERT": ["new"], "UPDATE": ["old", "new"], "DELETE": ["old"]}[event]
        notes = " ".join(
            f"INSERT INTO transfer_changes (table_name, key) VALUES ({_quoted(table.name)}, {_key(table.key, row)});"  # noqa: S608
            for row in rows
        )
        yield f"CREATE TRIGGER {NOTES}{event.lower()}_{table.name} AFTER {event} ON {table.name} BEGIN {notes} END"


def _key(columns: Sequence[str], row: str) -> str:
    return f"json_array({', '.join(f'{row}.{column}' for column in columns)})"


def _drop(connection: sqlite3.Connection, triggers: str) -> None:
    """Drop the triggers whose names begin so, and what is noted by them."""
    for (name,) in connection.execute(_TRIGGERS).fetchall():
        if name.startswith(triggers):
            connection.execute(f"DROP TRIGGER {name}")
    for (name,) in connection.execute(_TABLES).fetchall():
        if name.startswith(OURS):
            connection.execute(f"DROP TABLE {name}")


def _short(tenant: str | None) -> str:
    """Name a tenant inside another name, whatever characters it has."""
    return "all" if tenant is None else hashlib.blake2b(tenant.encode(), digest_size=8).hexdigest()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _text_or_bytes(stored: bytes) -> str | bytes:
    """Give text that is not UTF-8 as it is, to be told as damage where its row is known."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored
