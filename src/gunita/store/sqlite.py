"""SQLite: one file in WAL mode, one writer at a time, as many readers as there are callers."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn
from uuid import UUID

from gunita.errors import ConflictError, StorageBusyError, StorageError, StorageUnavailableError
from gunita.ids import microseconds, moment_of, parse
from gunita.models import Scope
from gunita.settings import Durability
from gunita.store import deadline, queries
from gunita.store.carrying import Carrier
from gunita.store.database import CLOSED, Row, ScopedDatabase, Statements, tenant_key
from gunita.store.queries import Query

_ENCODERS: dict[type, Any] = {UUID: str, datetime: microseconds}
_TEMPORARY = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_PRIMARY_CODE = 0xFF
_LONGEST_NAP = 0.025
_NO_HURRY = 3_600.0
_PAGES_WAITING = 1_000
"""Pages of the log after which whoever commits carries them over to the file, as SQLite does by itself."""
_PAGES_WAITING_AT_MOST = 20_000
"""When whoever commits carries over while long work does: only where that does not come to it."""
_QUERIES = queries.load("sqlite")


class SqliteDecoder:
    identifier = staticmethod(parse)
    moment = staticmethod(moment_of)

    @staticmethod
    def json(value: str) -> Any:
        return json.loads(value)


class SqliteDatabase:
    """A database file, or one in memory when there is no path."""

    def __init__(self, path: Path | None, *, durability: Durability, busy_seconds: float) -> None:
        self._path = path
        self._durability = durability
        self._busy_seconds = busy_seconds
        self._writing = threading.RLock()
        self._writer = self._connect()
        # Who writes waits here and not in the driver, so that the wait ends with the time of the call at hand.
        self._writer.execute("PRAGMA busy_timeout = 0")
        # A connection is as costly to open as a statement is to run, and the callers' threads come and go:
        # idle readers wait here for whoever reads next.
        self._idle_readers: deque[sqlite3.Connection] = deque()
        self._closed = False

    def within(self, scope: Scope) -> SqliteScope:
        return SqliteScope(self, scope)

    def execute(self, query: Query, bound: dict[str, Any]) -> tuple[list[Row], int]:
        """Run one query in a transaction of its own."""
        try:
            if not query.writes:
                return self._read(query.steps[0], bound), 0
            return self._write(query, bound)
        except sqlite3.Error as error:
            _explain(error)

    def close(self) -> None:
        with self._writing:
            self._closed = True
            while self._idle_readers:
                self._idle_readers.pop().close()
            self._writer.close()

    def look(self, statement: str) -> list[Row]:
        """Read without waiting for anybody who writes, in this process or another."""
        try:
            return self._read(statement, {})
        except sqlite3.Error as error:
            _explain(error, self._path)

    def _read(self, statement: str, bound: dict[str, Any]) -> list[Row]:
        if self._path is None:
            with self._writing:
                return _fetch(self._writer, statement, bound)
        if self._closed:
            raise StorageError(CLOSED)
        try:
            reader = self._idle_readers.pop()
        except IndexError:
            reader = self._connect()
        try:
            return _fetch(reader, statement, bound)
        finally:
            if self._closed:
                reader.close()
            else:
                self._idle_readers.append(reader)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the writer inside a transaction; everybody else who writes waits."""
        self._take_the_writer()
        try:
            self._begin()
            try:
                yield self._writer
                self._commit()
            except BaseException:
                self._roll_back()
                raise
        finally:
            self._writing.release()

    @contextmanager
    def long_work(self) -> Iterator[Callable[[], None]]:
        """Have pages of the log carried over by whoever works long, beside the writers, and not by the next to commit.

        Under the write lock a thousand scattered pages would keep everybody else waiting for ten transactions' time.
        """
        carrier = Carrier(self._connect(), self._path, self._writing)
        self._carry_over_after(_PAGES_WAITING_AT_MOST)
        try:
            yield lambda: self._settle(carrier)
        finally:
            carrier.close()
            self._carry_over_after(_PAGES_WAITING)

    def _settle(self, carrier: Carrier) -> None:
        try:
            carrier.settle()
        except sqlite3.Error as error:
            _explain(error, self._path)
        except OSError as error:
            raise StorageUnavailableError(
                f"the database file {self._path} could not be brought to its disk ({error}); check the disk"
            ) from error

    def _carry_over_after(self, pages: int) -> None:
        with self._writing:
            if not self._closed:
                self._writer.execute(f"PRAGMA wal_autocheckpoint = {pages}")

    def _write(self, query: Query, bound: dict[str, Any]) -> tuple[list[Row], int]:
        """Do the same for one query, without the cost of a generator."""
        self._take_the_writer()
        try:
            self._begin()
            try:
                outcome = _run_steps(self._writer, query, bound)
                self._commit()
            except BaseException:
                self._roll_back()
                raise
        finally:
            self._writing.release()
        return outcome

    def _take_the_writer(self) -> None:
        """Wait for one's turn to write, for as long as the call at hand may take."""
        if self._writing.acquire(blocking=False):
            return
        if not self._writing.acquire(timeout=deadline.remaining(_NO_HURRY) if deadline.is_set() else -1):
            raise StorageBusyError("the writers before this one took too long; try again")

    def _begin(self) -> None:
        if self._closed:
            raise StorageError(CLOSED)
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._begin_when_free(error)

    def _begin_when_free(self, error: sqlite3.Error) -> None:
        """Wait for another process to let go of the file, as long as settings and the call at hand allow."""
        if _primary_code(error) not in _BUSY:
            _explain(error)
        try:
            _run_when_free(self._writer, "BEGIN IMMEDIATE", deadline.remaining(self._busy_seconds))
        except sqlite3.Error as again:
            _explain(again)

    def _commit(self) -> None:
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            _explain(error)

    def _roll_back(self) -> None:
        # A full disk may have rolled back already; there is nothing left to undo then.
        with suppress(sqlite3.OperationalError):
            self._writer.execute("ROLLBACK")

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                ":memory:" if self._path is None else self._path,
                timeout=self._busy_seconds,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
            _run_when_free(connection, "PRAGMA journal_mode = WAL", self._busy_seconds)
            connection.execute(f"PRAGMA synchronous = {self._durability.value}")
            connection.execute("PRAGMA foreign_keys = ON")
            # Whether deleted text is written over is else left to whoever built SQLite.
            connection.execute("PRAGMA secure_delete = ON")
        except sqlite3.Error as error:
            _explain(error, self._path)
        return connection


class SqliteScope(ScopedDatabase):
    decode = SqliteDecoder()

    def __init__(self, database: SqliteDatabase, scope: Scope) -> None:
        super().__init__(scope)
        self._database = database

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        with self._database.writing() as connection:
            yield SqliteTransaction(connection, self.scope)

    def long_work(self) -> AbstractContextManager[Callable[[], None]]:
        return self._database.long_work()

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        return self._database.execute(_QUERIES[name], _bind(self.scope, parameters))


class SqliteTransaction(Statements):
    decode = SqliteDecoder()

    def __init__(self, connection: sqlite3.Connection, scope: Scope) -> None:
        super().__init__(scope)
        self._connection = connection

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        try:
            return _run_steps(self._connection, _QUERIES[name], _bind(self.scope, parameters))
        except sqlite3.Error as error:
            _explain(error)


def _run_when_free(connection: sqlite3.Connection, statement: str, seconds: float) -> None:
    """Run a statement once nobody locks the file; SQLite's own timeout leaves out the change to WAL."""
    until, nap = time.monotonic() + seconds, 0.001
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if _primary_code(error) not in _BUSY or time.monotonic() >= until:
                raise
        else:
            return
        time.sleep(nap)
        nap = min(nap * 1.5, _LONGEST_NAP)


def _fetch(connection: sqlite3.Connection, statement: str, bound: dict[str, Any]) -> list[Row]:
    """Read rows; text that is not UTF-8 comes as bytes, so that only its own row is skipped."""
    try:
        return connection.execute(statement, bound).fetchall()
    except sqlite3.OperationalError as error:
        if not str(error).startswith("Could not decode"):
            raise
    connection.text_factory = _text_or_bytes
    try:
        return connection.execute(statement, bound).fetchall()
    finally:
        connection.text_factory = str


def _text_or_bytes(stored: bytes) -> str | bytes:
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def _run_steps(connection: sqlite3.Connection, query: Query, bound: dict[str, Any]) -> tuple[list[Row], int]:
    """Run the first step and give what it yields; the others build on its row and need one."""
    first, *others = query.steps
    cursor = connection.execute(first, bound)
    rows: list[Row] = cursor.fetchall()
    if others and rows:
        bound |= zip((column[0] for column in cursor.description), rows[0], strict=True)
        for step in others:
            connection.execute(step, bound)
    return rows, cursor.rowcount


def _bind(scope: Scope, parameters: dict[str, Any]) -> dict[str, Any]:
    for name, value in parameters.items():
        encode = _ENCODERS.get(type(value))
        if encode is not None:
            parameters[name] = encode(value)
    parameters["tenant_id"] = tenant_key(scope)
    parameters["scope_user"] = scope.user_id
    return parameters


def _explain(error: sqlite3.Error, path: Path | None = None) -> NoReturn:
    """Turn the driver's error into ours, with what to do about it."""
    code = _primary_code(error)
    if code in _BUSY:
        raise StorageBusyError(
            "another process kept the database file locked; try again, or raise sqlite_busy_seconds"
        ) from error
    if code in _TEMPORARY:
        place = f" {path}" if path else ""
        raise StorageUnavailableError(
            f"the database file{place} cannot be used now ({error}); "
            "check that its folder exists, is writable and has room"
        ) from error
    if isinstance(error, sqlite3.IntegrityError):
        raise ConflictError(f"the database refused the write: {error}") from error
    if code == sqlite3.SQLITE_NOTADB:
        raise StorageError(f"{path or 'the file'} is not a SQLite database; choose another path") from error
    raise StorageError(f"SQLite could not do it: {error}") from error


def _primary_code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE
