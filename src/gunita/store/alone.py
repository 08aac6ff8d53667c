"""One process at a time: an advisory lock in PostgreSQL, a lock on a file beside a SQLite database."""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gunita.errors import MissingExtraError, StorageUnavailableError
from gunita.settings import Settings

try:
    import fcntl
except ImportError:  # Windows has no such lock; there, the database's own keeps the processes apart.
    fcntl = None  # type: ignore[assignment]

_TRY = "SELECT pg_try_advisory_xact_lock({})"
_in_this_process = threading.Lock()
_held_here: set[str] = set()


@contextmanager
def alone(settings: Settings, errand: str) -> Iterator[bool]:
    """Hold an errand that one process at a time may do; tell whether it is held. A killed process lets go of it."""
    key = f"{settings.database_url}/{settings.postgres_schema}/{errand}"
    with _in_this_process:
        is_free = key not in _held_here
        _held_here.add(key)
    if not is_free:
        yield False
        return
    try:
        if settings.is_postgres:
            with _in_postgres(settings, errand) as held:
                yield held
        elif settings.sqlite_path is None:
            yield True
        else:
            with _beside(settings.sqlite_path, errand) as held:
                yield held
    finally:
        with _in_this_process:
            _held_here.discard(key)


@contextmanager
def _beside(path: Path, errand: str) -> Iterator[bool]:
    if fcntl is None:
        yield True
        return
    try:
        file = os.open(path.with_name(f"{path.name}.{errand}"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise StorageUnavailableError(f"no lock can be made beside {path}: {problem}") from problem
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


@contextmanager
def _in_postgres(settings: Settings, errand: str) -> Iterator[bool]:
    """Hold a lock of a transaction that lasts as long as the errand, on a connection of its own.

    A pooler that hands connections on after each transaction keeps this one; a lock of the session it would not.
    """
    try:
        import psycopg
        from psycopg.sql import SQL

        from gunita.store.postgres import ScopedConnection, explain
    except ImportError as missing:
        raise MissingExtraError("PostgreSQL", "postgres") from missing
    try:
        # A server that is stopped says neither yes nor no; a process that wants to end would wait for it.
        connection = ScopedConnection.connect(
            settings.database_url,
            prepare_threshold=None,
            connect_timeout=max(2, math.ceil(settings.postgres_wait_seconds)),
        )
    except psycopg.Error as error:
        explain(error)
    try:
        # Written into the statement: one with parameters keeps its snapshot until the transaction ends, and no row that
        # anybody deletes or replaces while the errand lasts could be swept away.
        row = connection.execute(SQL(_TRY).format(_number(settings.postgres_schema, errand))).fetchone()
        yield bool(row and row[0])
    except psycopg.Error as error:
        explain(error)
    finally:
        # A transaction that is ended has let go; a closed connection is let go of whenever the server notices. One that
        # was cut meanwhile has let go too, and what was done under it is done.
        with suppress(psycopg.Error):
            connection.rollback()
        connection.close()


def _number(schema: str, errand: str) -> int:
    """Make a lock's number of its name: 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(f"gunita/{schema}/{errand}".encode()).digest()[:8], signed=True)
