"""Carries SQLite's log over to its file beside those who write, so that none of them has to."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

LONG_LOG = 5_000
"""Pages after which the log is made to begin anew."""

_opened: dict[tuple[int, int], int] = {}
_opening = threading.Lock()


class Carrier:
    """A connection of its own for carrying over, and the lock that whoever writes in this process holds."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, writing: threading.RLock) -> None:
        self._connection = connection
        self._path = path
        self._writing = writing

    def settle(self) -> None:
        """Carry over what waits; where the log grew long, let it begin anew.

        Beside writers something new always waits, and SQLite begins its log anew only once nothing does: then it also
        syncs the file, which takes long after scattered writes. So the file is synced first, while others write; what
        came in meanwhile is little, and is carried over while nobody does.
        """
        if self._carry_over() < LONG_LOG:
            return
        if self._path is not None:
            sync(self._path)
        with self._writing:
            self._carry_over()

    def close(self) -> None:
        self._connection.close()

    def _carry_over(self) -> int:
        """Carry over as far as no reader needs the older pages; say how many pages the log holds."""
        _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(pages)


def sync(path: Path) -> None:
    """Bring what was written to a file to its disk."""
    if os.name == "posix":
        os.fsync(_descriptor(path))


def _descriptor(path: Path) -> int:
    """Open a file once for the life of the process.

    To close any descriptor of a file lets go of all locks that the process holds on it (POSIX), SQLite's among them.
    """
    about = path.stat()
    key = (about.st_dev, about.st_ino)
    with _opening:
        if key not in _opened:
            _opened[key] = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        return _opened[key]
