"""Hand-written sqlite3: the fewest statements on Gunita's own tables, and the least that can be done on bare ones."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.by_hand import HandTurn, uuid7

NUMBER = """
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count)
VALUES ('', ?1, ?2, ?3, ?3, 1, 2, ?4)
ON CONFLICT (tenant_id, id) DO UPDATE
SET turn_count = turn_count + 1, message_count = message_count + 2, updated_at = excluded.updated_at,
    token_count = token_count + excluded.token_count
RETURNING turn_count
"""
INSERT = """
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count)
VALUES ('', ?1, ?2, 'user', ?3, ?4, ?5, ?6, ?9), ('', ?1, ?2, 'assistant', ?7, ?4, ?8, ?6, ?10)
"""
_LATEST = """
SELECT asked.id, asked.user_id, asked.turn_number, asked.content, answered.content, asked.created_at, answered.metadata
FROM messages AS asked
JOIN messages AS answered
  ON answered.tenant_id = asked.tenant_id AND answered.conversation_id = asked.conversation_id
 AND answered.turn_number = asked.turn_number AND answered.role = 'assistant'
WHERE asked.tenant_id = '' AND asked.conversation_id = ? AND asked.role = 'user'
ORDER BY asked.turn_number DESC
LIMIT ?
"""

_BARE_TABLES = """
CREATE TABLE conversations (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, turn_count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (conversation_id TEXT, turn_number INTEGER, role TEXT, content TEXT NOT NULL,
                       created_at INTEGER NOT NULL, PRIMARY KEY (conversation_id, turn_number, role)) WITHOUT ROWID;
"""
_FROM_FILLED = """
ATTACH ? AS filled;
INSERT INTO conversations SELECT id, user_id, turn_count FROM filled.conversations;
INSERT INTO messages SELECT conversation_id, turn_number, role, content, created_at FROM filled.messages;
DETACH filled;
ANALYZE;
"""
_BARE_NUMBER = """
INSERT INTO conversations VALUES (?, ?, 1)
ON CONFLICT (id) DO UPDATE SET turn_count = turn_count + 1
RETURNING turn_count
"""
_BARE_INSERT = "INSERT INTO messages VALUES (?1, ?2, 'user', ?3, ?4), (?1, ?2, 'assistant', ?5, ?4)"
_BARE_LATEST = """
SELECT asked.turn_number, asked.content, answered.content, asked.created_at
FROM messages AS asked
JOIN messages AS answered
  ON answered.conversation_id = asked.conversation_id AND answered.turn_number = asked.turn_number
 AND answered.role = 'assistant'
WHERE asked.conversation_id = ? AND asked.role = 'user'
ORDER BY asked.turn_number DESC
LIMIT ?
"""


class InTurn:
    """A lock that lets callers through in the order in which they came.

    A plain lock lets whoever is there first through: the thread that has just let go of it, if it comes back sooner
    than the next one wakes up. How soon that is depends on the machine and the hour, and so does the median of a wait.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._line: deque[threading.Lock] = deque()
        self._taken = False

    def __enter__(self) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._line.append(mine)
        mine.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._line:
                self._line.popleft().release()
            else:
                self._taken = False


class SqliteFile:
    """One writer under a lock, a reader for each thread."""

    def __init__(self, path: Path, synchronous: str, lock: AbstractContextManager[object] | None = None) -> None:
        self._path, self._synchronous = path, synchronous
        self.lock = lock or threading.Lock()
        self.writer = self._connect()
        self._own = threading.local()

    @property
    def reader(self) -> sqlite3.Connection:
        try:
            found: sqlite3.Connection = self._own.connection
        except AttributeError:
            found = self._own.connection = self._connect()
        return found

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=10, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection


class SqliteByHand:
    """Gunita's tables and pragmas, no checks, no scopes; `count` gives the tokens of a text, or 0 to leave them out."""

    def __init__(
        self,
        path: Path,
        synchronous: str,
        count: Callable[[str], int],
        lock: AbstractContextManager[object] | None = None,
    ) -> None:
        self._file = SqliteFile(path, synchronous, lock)
        self._count = count

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> HandTurn:
        query_id, now = uuid7(), datetime.now(UTC)
        key, micros = str(conversation_id), int(now.timestamp() * 1_000_000)
        tokens = self._count(query), self._count(response)
        with self._file.lock:
            writer = self._file.writer
            writer.execute("BEGIN IMMEDIATE")
            try:
                (number,) = writer.execute(NUMBER, (key, user_id, micros, sum(tokens))).fetchone()
                writer.execute(
                    INSERT, (key, number, str(query_id), user_id, query, micros, str(uuid7()), response, *tokens)
                )
                writer.execute("COMMIT")
            except BaseException:
                writer.execute("ROLLBACK")
                raise
        return HandTurn(query_id, conversation_id, user_id, number, query, response, now, {})

    def latest(self, conversation_id: UUID, limit: int) -> list[HandTurn]:
        rows = self._file.reader.execute(_LATEST, (str(conversation_id), limit)).fetchall()
        turns = [
            HandTurn(UUID(row[0]), conversation_id, row[1], row[2], row[3], row[4],
                     datetime.fromtimestamp(row[5] / 1_000_000, UTC), {})
            for row in rows
        ]  # fmt: skip
        turns.reverse()
        return turns


class SqliteBare:
    """The least: three columns of a conversation, five of a message, no index beyond the keys, plain rows back."""

    def __init__(self, path: Path, filled: Path | None = None, synchronous: str = "normal") -> None:
        self._file = SqliteFile(path, synchronous)
        self._file.writer.executescript(_BARE_TABLES)
        if filled is not None:
            for statement in _FROM_FILLED.strip().split(";\n"):
                self._file.writer.execute(statement.rstrip(";"), (str(filled),) if "?" in statement else ())
            self._file.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> int:
        key, micros = str(conversation_id), time.time_ns() // 1_000
        with self._file.lock:
            writer = self._file.writer
            writer.execute("BEGIN IMMEDIATE")
            try:
                (number,) = writer.execute(_BARE_NUMBER, (key, user_id)).fetchone()
                writer.execute(_BARE_INSERT, (key, number, query, micros, response))
                writer.execute("COMMIT")
            except BaseException:
                writer.execute("ROLLBACK")
                raise
        return int(number)

    def latest(self, conversation_id: UUID, limit: int) -> list[tuple[Any, ...]]:
        return self._file.reader.execute(_BARE_LATEST, (str(conversation_id), limit)).fetchall()
