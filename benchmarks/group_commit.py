"""What sharing one flush among waiting writers would give: hand-written, to decide whether Gunita should do it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from benchmarks.by_hand import uuid7
from benchmarks.by_hand_sqlite import INSERT, NUMBER, SqliteFile


@dataclass
class _Waiting:
    key: str
    user_id: str
    query: str
    response: str
    number: int = 0


class SqliteGroupCommit:
    """Whoever gets the writer writes for all who wait, in one transaction, and flushes once."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, "full")
        self._waiting: list[_Waiting] = []
        self._line = threading.Lock()

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> int:
        mine = _Waiting(str(conversation_id), user_id, query, response)
        with self._line:
            self._waiting.append(mine)
        with self._file.lock:
            if not mine.number:
                self._write_for_all()
        return mine.number

    def _write_for_all(self) -> None:
        with self._line:
            group, self._waiting = self._waiting, []
        writer, numbers = self._file.writer, []
        writer.execute("BEGIN IMMEDIATE")
        try:
            for each in group:
                micros = time.time_ns() // 1_000
                (number,) = writer.execute(NUMBER, (each.key, each.user_id, micros, 0)).fetchone()
                ids = str(uuid7()), str(uuid7())
                values = (each.key, number, ids[0], each.user_id, each.query, micros, ids[1], each.response, 0, 0)
                writer.execute(INSERT, values)
                numbers.append(number)
            writer.execute("COMMIT")
        except BaseException:
            writer.execute("ROLLBACK")
            raise
        for each, number in zip(group, numbers, strict=True):
            each.number = number
