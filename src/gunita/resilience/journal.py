"""The journal: one append-only file for each process, on disk before anybody is told that it is kept.

A process holds a lock on its file for as long as it lives; a file that nobody holds was left by one that died, and
whoever starts next takes over what waits in it.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gunita.ids import new_id, now
from gunita.resilience.framing import Damage, framed, scan

try:
    import fcntl
except ImportError:  # Windows: a file of its own is safe there too; those of others are left alone.
    fcntl = None  # type: ignore[assignment]

_log = logging.getLogger("gunita.resilience")

Entry: TypeAlias = Mapping[str, Any]

SUFFIX = ".journal"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in a journal, in order, and what of it could not be read."""

    entries: tuple[Entry, ...]
    damages: tuple[Damage, ...]
    end: int


class Journal:
    """A file of entries, made with the first one and gone with the last."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._database = database
        self._writing = threading.Lock()
        self._flushing = threading.Lock()
        self._file: int | None = None
        self._path: Path | None = None
        self._end = 0
        self._flushed = 0

    @property
    def size(self) -> int:
        return self._end

    def append(self, entry: Entry, *, durable: bool) -> None:
        """Write an entry; a durable one is on the disk when this returns. Raises OSError where it cannot be."""
        record = framed(_written(entry))
        with self._writing:
            file = self._opened()
            self._put(file, record)
            end = self._end
        if durable:
            self._flush(file, end)

    def read(self, start: int = 0) -> Found:
        """Read the entries from a place on."""
        with self._writing:
            if self._file is None:
                return Found((), (), 0)
            return _read(self._file, start, self._end)

    def rewrite(self, kept: Callable[[tuple[Entry, ...]], Sequence[Entry]]) -> None:
        """Keep what is chosen of all the entries, while nobody writes; where nothing is kept, the file goes."""
        with self._writing, self._flushing:
            if self._file is None:
                return
            entries = kept(_read(self._file, 0, self._end).entries)
            content = b"".join(framed(_written(entry)) for entry in entries)
            fresh = self._fresh(content) if entries else None
            self._discard()
            if fresh is not None:
                self._file, self._path = fresh
                self._end = self._flushed = len(content)

    def close(self) -> None:
        """Let go of the file; it stays where something waits in it, and is the next one's to take over."""
        with self._writing, self._flushing:
            if self._file is not None:
                os.close(self._file)
                self._file, self._path, self._end, self._flushed = None, None, 0, 0

    def left_by_others(self) -> Iterator[LeftJournal]:
        """Give the journals of processes that died, oldest first, each held until it is discarded or let go."""
        for path in sorted(self._folder.glob(f"{self._database}-*{SUFFIX}")):
            if path != self._path and (left := LeftJournal.taken(path)) is not None:
                yield left

    def _opened(self) -> int:
        if self._file is None:
            self._file, self._path = self._fresh(b"")
            self._end = self._flushed = 0
        return self._file

    def _fresh(self, content: bytes) -> tuple[int, Path]:
        """Make a file that is locked and whole before it gets a name that others look for."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{self._database}-{new_id(now()).hex}"
        hidden, path = self._folder / f".{name}", self._folder / f"{name}{SUFFIX}"
        file = os.open(hidden, _FLAGS, 0o600)
        try:
            _lock(file)
            _write_all(file, content)
            os.fsync(file)
            hidden.rename(path)
            _flush_folder(self._folder)
        except BaseException:
            os.close(file)
            with suppress(OSError):
                hidden.unlink()
            raise
        return file, path

    def _put(self, file: int, record: bytes) -> None:
        try:
            _write_all(file, record)
        except OSError:
            # Half a record would be passed over by whoever reads; without it there is nothing to pass over.
            with suppress(OSError):
                os.ftruncate(file, self._end)
            raise
        self._end += len(record)

    def _flush(self, file: int, end: int) -> None:
        """Flush up to a place; one flush serves everybody who wrote before it began."""
        with self._flushing:
            if self._flushed >= end or self._file != file:
                return
            covered = self._end
            os.fsync(file)
            self._flushed = covered

    def _discard(self) -> None:
        if self._file is not None:
            if self._path is not None:
                with suppress(OSError):
                    self._path.unlink()
            os.close(self._file)
            self._file, self._path, self._end, self._flushed = None, None, 0, 0
        with suppress(OSError):
            self._folder.rmdir()


class LeftJournal:
    """The journal of a process that died."""

    def __init__(self, file: int, path: Path) -> None:
        self._file = file
        self._path = path

    @classmethod
    def taken(cls, path: Path) -> LeftJournal | None:
        """Take hold of a file, unless its process lives or somebody else was faster."""
        if fcntl is None:
            return None
        try:
            file = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        except OSError:
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it may have put another file in its place, or discarded it, before this lock was given.
            if os.path.samestat(os.fstat(file), path.stat()):
                return cls(file, path)
        except OSError:
            pass
        os.close(file)
        return None

    def read(self) -> Found:
        found = _read(self._file, 0, os.fstat(self._file).st_size)
        for damage in found.damages:
            _log.error(
                "bytes %d to %d of the journal %s are damaged and were cut", damage.start, damage.end, self._path.name
            )
        return found

    def discard(self) -> None:
        """Remove the file, once all that waited in it is in safe hands."""
        self._path.unlink()
        self.let_go()

    def let_go(self) -> None:
        os.close(self._file)


def _read(file: int, start: int, end: int) -> Found:
    if end <= start:
        return Found((), (), end)
    with mmap.mmap(file, end, access=mmap.ACCESS_READ) as content:
        found = scan(content, start, end)
    return Found(tuple(json.loads(record.content) for record in found.records), found.damages, end)


def _written(entry: Entry) -> bytes:
    return json.dumps(entry, separators=(",", ":"), allow_nan=False).encode("ascii")


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def _lock(file: int) -> None:
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)


def _flush_folder(folder: Path) -> None:
    """Flush the name of a file, which is its folder's to keep."""
    if os.name != "posix":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
