"""Long work on SQLite carries its log over by itself, beside others who write."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from uuid import UUID

import pytest

from gunita import Gunita
from gunita.errors import StorageUnavailableError
from gunita.store.carrying import LONG_LOG

MUCH = "salita " * 10_000
"""A few pages of the log with each turn."""


def write_much(g: Gunita, session: UUID, turns: int) -> None:
    for _ in range(turns):
        g.sessions.store_turn(session, "juan", "q", MUCH)


def test_what_long_work_writes_is_carried_over_by_itself_and_by_nobody_who_commits(tmp_path: Path) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path) as g:
        session = g.sessions.create_session("juan")
        with g._door.db.long_work() as settle:
            settle()
            before = path.stat().st_size
            write_much(g, session, 100)
            assert path.with_name("gunita.db-wal").stat().st_size > 1_500 * 4_096
            assert path.stat().st_size == before
            settle()
            carried = path.stat().st_size
            assert carried > before
        # Afterwards whoever commits carries over again, as SQLite does by itself.
        write_much(g, session, 100)
        assert path.stat().st_size > carried


class Writer(threading.Thread):
    """Somebody who writes a page at a time, one transaction after the other, until told to stop."""

    def __init__(self, g: Gunita) -> None:
        super().__init__()
        self.written, self.stopped = threading.Semaphore(0), threading.Event()
        self._sessions, self._session = g.sessions, g.sessions.create_session("ana")

    def run(self) -> None:
        while not self.stopped.is_set():
            self._sessions.store_turn(self._session, "ana", "q", "a")
            self.written.release()


def logs_begun(path: Path) -> int:
    """Read from its head how often the log was begun anew."""
    return int.from_bytes(path.with_name(f"{path.name}-wal").read_bytes()[12:16], "big")


def test_a_log_that_grew_long_beside_somebody_who_writes_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path) as g:
        session = g.sessions.create_session("juan")
        with g._door.db.long_work() as settle:
            write_much(g, session, 400)
            before, pages = logs_begun(path), path.with_name("gunita.db-wal").stat().st_size // 4_096
            assert pages > LONG_LOG
            other = Writer(g)
            other.start()
            other.written.acquire()
            settle()
            for _ in range(5):
                other.written.acquire()
            other.stopped.set()
            other.join()
            assert logs_begun(path) == before + 1
            assert len(g.sessions.get_session_history(session, 500)) == 400


def test_others_write_while_the_file_is_brought_to_its_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gunita.db"
    synced: list[int] = []
    with Gunita.open(path) as g:
        session = g.sessions.create_session("juan")

        def syncing(descriptor: int) -> None:
            other = threading.Thread(target=g.sessions.store_turn, args=(session, "juan", "q", "meanwhile"))
            other.start()
            other.join(20)
            assert not other.is_alive()
            synced.append(os.fstat(descriptor).st_ino)

        monkeypatch.setattr(os, "fsync", syncing)
        with g._door.db.long_work() as settle:
            settle()
            assert synced == []
            write_much(g, session, 400)
            settle()
        assert synced == [path.stat().st_ino]


def test_a_disk_that_fails_ends_the_settling_and_the_log_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "gunita.db"
    with Gunita.open(path) as g:
        session = g.sessions.create_session("juan")
        with g._door.db.long_work() as settle:
            write_much(g, session, 400)
            monkeypatch.setattr(os, "fsync", failing)
            with pytest.raises(StorageUnavailableError, match=r"could not be brought to its disk .* check the disk"):
                settle()
        assert len(g.sessions.get_session_history(session, 500)) == 400
