"""What is SQLite's own: the file, its lock, its folder, and a database in memory."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gunita import Gunita, StorageError, StorageUnavailableError
from gunita.errors import StorageBusyError

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gunita.db"


@contextmanager
def write_lock(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold the file's write lock, as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


@contextmanager
def unprivileged() -> Iterator[None]:
    """Act as somebody whom file permissions bind, for they do not bind root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_lock_held_too_long_is_said_and_nothing_is_half_written(path: Path) -> None:
    with Gunita.open(path, sqlite_busy_seconds=0.05, storage_attempts=1, fallback=False) as g:
        session = g.sessions.create_session("juan")
        with write_lock(path):
            with pytest.raises(StorageBusyError, match="try again, or raise sqlite_busy_seconds"):
                g.sessions.store_turn(session, "juan", "q", "a")
            with pytest.raises(StorageBusyError):
                g.sessions.delete_session(session)
            # Readers never wait for a writer.
            assert g.sessions.get_session_history(session) == []
        assert g.sessions.store_turn(session, "juan", "q", "a").turn_number == 1


def test_a_lock_held_for_a_moment_is_waited_for(path: Path) -> None:
    with Gunita.open(path, sqlite_busy_seconds=30.0) as g:
        session = g.sessions.create_session("juan")
        with write_lock(path) as other:
            release = threading.Timer(0.3, other.execute, ["ROLLBACK"])
            release.start()
            assert g.sessions.store_turn(session, "juan", "q", "a").turn_number == 1
            release.join()


def test_opening_waits_for_a_lock_too(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    with write_lock(path), pytest.raises(StorageBusyError):
        Gunita.open(path, sqlite_busy_seconds=0.05)
    with Gunita.open(path) as g:
        assert g.sessions.get_recent_sessions() == []


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailableError, match=r"missing/gunita\.db cannot be used now .*folder exists"):
        Gunita.open(tmp_path / "missing" / "gunita.db")


def test_a_folder_in_place_of_a_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailableError, match="check that its folder exists, is writable and has room"):
        Gunita.open(tmp_path)


def test_a_file_that_is_something_else_is_said_and_left_alone(path: Path) -> None:
    path.write_bytes(b"This is a letter, not a database. " * 100)
    with pytest.raises(StorageError, match=r"gunita\.db is not a SQLite database; choose another path"):
        Gunita.open(path)
    assert path.read_bytes().startswith(b"This is a letter")


def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    for place in (tmp_path, *tmp_path.parents):
        if place.stat().st_uid == os.geteuid() and place != Path("/"):
            place.chmod(0o755)
    with unprivileged(), pytest.raises(StorageUnavailableError, match="is writable"):
        Gunita.open(tmp_path / "gunita.db")


def test_a_file_that_may_only_be_read_is_said(tmp_path: Path, path: Path) -> None:
    with Gunita.open(path) as g:
        g.sessions.create_session("juan")
    for place in (tmp_path, *tmp_path.parents):
        if place.stat().st_uid == os.geteuid() and place != Path("/"):
            place.chmod(0o755)
    path.chmod(0o444)
    with unprivileged(), pytest.raises(StorageUnavailableError, match="is writable"):
        Gunita.open(path)


def test_a_full_disk_is_said_and_leaves_nothing_half_written(path: Path) -> None:
    with Gunita.open(path, storage_attempts=1, fallback=False) as g:
        session = g.sessions.create_session("juan")
        stored = g.sessions.store_turn(session, "juan", "q", "a")
        writer = g._database.behind._writer
        [(pages,)] = writer.execute("PRAGMA page_count").fetchall()
        writer.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageUnavailableError, match="has room"):
            g.sessions.store_turn(session, "juan", "x" * 1_000_000, "a")
        writer.execute("PRAGMA max_page_count = 1000000")
        assert g.sessions.get_session_history(session) == [stored]
        assert g.sessions.store_turn(session, "juan", "q", "a").turn_number == 2


def test_a_database_in_memory_serves_many_threads() -> None:
    with Gunita.open(":memory:") as g, ThreadPoolExecutor(16) as pool:
        session = g.sessions.create_session("juan")

        def write_and_read(n: int) -> int:
            turn = g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
            assert turn in g.sessions.get_session_history(session, 1_000)
            return turn.turn_number

        assert sorted(pool.map(write_and_read, range(100))) == list(range(1, 101))


def test_two_databases_in_memory_are_two() -> None:
    with Gunita.open(":memory:") as one, Gunita.open("sqlite:///:memory:") as other:
        one.users.set_memory("juan", "key", 1)
        assert other.users.get_all_memory("juan") == {}


def test_readers_and_writers_do_not_block_each_other(path: Path) -> None:
    with Gunita.open(path) as g, ThreadPoolExecutor(16) as pool:
        session = g.sessions.create_session("juan")

        def work(n: int) -> bool:
            if n % 2:
                g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
            numbers = [turn.turn_number for turn in g.sessions.get_session_history(session, 1_000)]
            return numbers == list(range(1, len(numbers) + 1))

        assert all(pool.map(work, range(200)))


def test_the_file_is_durable_as_asked_and_keeps_a_log(path: Path) -> None:
    for durability, level in (("normal", 1), ("full", 2)):
        with Gunita.open(path, sqlite_durability=durability) as g:
            writer = g._database.behind._writer
            assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert writer.execute("PRAGMA synchronous").fetchone() == (level,)
            assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_an_address_in_the_form_of_a_url_names_the_file(path: Path) -> None:
    with Gunita.open(f"sqlite:///{path}") as g:
        g.sessions.create_session("juan")
    assert path.exists()
