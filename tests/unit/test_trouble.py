"""Which errors of the drivers pass and are waited for, which do not, and after which a write may have been done."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest
from psycopg import errors

from gunita.errors import AccessRefusedError, ConflictError, StorageBusyError, StorageError, StorageUnavailableError
from gunita.resilience.retry import is_temporary, may_be_repeated
from gunita.store.postgres import explain
from gunita.store.sqlite import _explain

PASSES_IN_SQLITE = {
    "BUSY": sqlite3.SQLITE_BUSY,
    "BUSY_SNAPSHOT": sqlite3.SQLITE_BUSY_SNAPSHOT,
    "LOCKED": sqlite3.SQLITE_LOCKED,
    "FULL": sqlite3.SQLITE_FULL,
    "IOERR_WRITE": sqlite3.SQLITE_IOERR_WRITE,
    "IOERR_FSYNC": sqlite3.SQLITE_IOERR_FSYNC,
    "CANTOPEN": sqlite3.SQLITE_CANTOPEN,
    "READONLY": sqlite3.SQLITE_READONLY,
}
STAYS_IN_SQLITE = {
    "CONSTRAINT": (sqlite3.IntegrityError, sqlite3.SQLITE_CONSTRAINT_CHECK, ConflictError),
    "NOTADB": (sqlite3.DatabaseError, sqlite3.SQLITE_NOTADB, StorageError),
    "CORRUPT": (sqlite3.DatabaseError, sqlite3.SQLITE_CORRUPT, StorageError),
    "ERROR": (sqlite3.OperationalError, sqlite3.SQLITE_ERROR, StorageError),
}
PASSES_IN_POSTGRES = {
    "connection refused": errors.SqlclientUnableToEstablishSqlconnection,
    "connection lost": errors.ConnectionFailure,
    "deadlock": errors.DeadlockDetected,
    "serialization": errors.SerializationFailure,
    "disk full": errors.DiskFull,
    "too many connections": errors.TooManyConnections,
    "out of memory": errors.OutOfMemory,
    "lock not available": errors.LockNotAvailable,
    "statement timeout": errors.QueryCanceled,
    "shut down": errors.AdminShutdown,
    "crashed": errors.CrashShutdown,
    "starting up": errors.CannotConnectNow,
    "machine's own": errors.IoError,
    "standby": errors.ReadOnlySqlTransaction,
}
STAYS_IN_POSTGRES = {
    "refused value": (errors.CheckViolation, ConflictError),
    "twice": (errors.UniqueViolation, ConflictError),
    "no such table": (errors.UndefinedTable, StorageError),
    "not allowed": (errors.InsufficientPrivilege, AccessRefusedError),
    "raised by a trigger": (errors.RaiseException, StorageError),
    "wrong password": (errors.InvalidPassword, StorageError),
}
OUTCOME_UNKNOWN = {"connection refused", "connection lost", "shut down", "crashed", "starting up"}


def of_sqlite(kind: type[sqlite3.Error], code: int) -> StorageError | ConflictError:
    error = kind("told by the driver")
    error.sqlite_errorcode = code
    with pytest.raises((StorageError, ConflictError)) as raised:
        _explain(error)
    return raised.value


def of_postgres(error: psycopg.Error, *, sent: bool) -> StorageError | ConflictError | AccessRefusedError:
    with pytest.raises((StorageError, ConflictError, AccessRefusedError)) as raised:
        explain(error, sent=sent)
    return raised.value


@pytest.mark.parametrize("name", PASSES_IN_SQLITE)
def test_trouble_of_a_file_that_passes_is_waited_for_and_was_surely_not_done(name: str) -> None:
    trouble = of_sqlite(sqlite3.OperationalError, PASSES_IN_SQLITE[name])
    assert isinstance(trouble, StorageUnavailableError)
    assert isinstance(trouble, StorageBusyError) == (name in {"BUSY", "BUSY_SNAPSHOT", "LOCKED"})
    assert is_temporary(trouble)
    assert may_be_repeated(trouble, writes=True)


@pytest.mark.parametrize("name", STAYS_IN_SQLITE)
def test_trouble_of_a_file_that_stays_is_told_at_once(name: str) -> None:
    kind, code, ours = STAYS_IN_SQLITE[name]
    trouble = of_sqlite(kind, code)
    assert type(trouble) is ours
    assert not is_temporary(trouble)
    assert not may_be_repeated(trouble, writes=False)


@pytest.mark.parametrize("name", PASSES_IN_POSTGRES)
def test_trouble_of_a_server_that_passes_is_waited_for_and_a_write_is_repeated_only_where_it_was_surely_not_done(
    name: str,
) -> None:
    error = PASSES_IN_POSTGRES[name]("told by the server")
    before, after = of_postgres(error, sent=False), of_postgres(error, sent=True)
    assert isinstance(before, StorageUnavailableError)
    assert isinstance(after, StorageUnavailableError)
    assert may_be_repeated(before, writes=True)
    assert may_be_repeated(after, writes=False)
    assert may_be_repeated(after, writes=True) == (name not in OUTCOME_UNKNOWN)


@pytest.mark.parametrize("name", STAYS_IN_POSTGRES)
def test_trouble_of_a_server_that_stays_is_told_at_once(name: str) -> None:
    kind, ours = STAYS_IN_POSTGRES[name]
    trouble = of_postgres(kind("told by the server"), sent=True)
    assert type(trouble) is ours
    assert not is_temporary(trouble)


def test_a_connection_that_is_simply_not_there_passes_and_leaves_open_what_was_done() -> None:
    lost = psycopg.OperationalError("server closed the connection unexpectedly")
    assert may_be_repeated(of_postgres(lost, sent=False), writes=True)
    assert not may_be_repeated(of_postgres(lost, sent=True), writes=True)
