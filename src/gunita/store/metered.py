"""How long the database takes, counted as plain numbers; a service stands this around its database."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from gunita.models import Scope
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds up to which calls are counted together."""

STORING, READING = "turn_storage", "history_retrieval"
PARTS = {
    "append_turn": STORING,
    "open_turn": STORING,
    "close_turn": STORING,
    "answer_turn": STORING,
    "append_message": STORING,
    "amend_answer": STORING,
    "messages_before": READING,
    "messages_after": READING,
    "messages_of_conversation": READING,
    "newest_messages_of_user": READING,
    "transcript_before": READING,
    "transcript_after": READING,
}
BYTES_OF_A_NUMBER = 8


@dataclass(slots=True)
class Timing:
    """How many calls took how long."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds


@dataclass(slots=True)
class Meter:
    """What the database was asked since the process began."""

    timings: dict[str, Timing] = field(default_factory=lambda: {STORING: Timing(), READING: Timing()})
    bytes_read: int = 0
    """What came out of the database, as plans that bill by egress count it, nearly."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, name: str, seconds: float, rows: Iterable[Row]) -> None:
        part = PARTS.get(name)
        size = sum(map(size_of, rows))
        with self._lock:
            self.bytes_read += size
            if part is not None:
                self.timings[part].add(seconds)


def size_of(row: Row) -> int:
    return sum(len(value) if isinstance(value, str | bytes) else BYTES_OF_A_NUMBER for value in row)


class MeteredDatabase:
    def __init__(self, behind: Database, meter: Meter) -> None:
        self.behind = behind
        self.meter = meter

    def within(self, scope: Scope) -> MeteredScope:
        return MeteredScope(self.behind.within(scope), self.meter)

    def close(self) -> None:
        self.behind.close()


class MeteredScope(ScopedDatabase):
    def __init__(self, behind: ScopedDatabase, meter: Meter) -> None:
        super().__init__(behind.scope)
        self.decode: Decoder = behind.decode
        self._behind = behind
        self._meter = meter

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        with self._behind.transaction() as together:
            yield MeteredTransaction(together, self._meter)

    def long_work(self) -> AbstractContextManager[Callable[[], None]]:
        return self._behind.long_work()

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        return _timed(self._behind, self._meter, name, parameters)


class MeteredTransaction(Statements):
    def __init__(self, behind: Statements, meter: Meter) -> None:
        super().__init__(behind.scope)
        self.decode: Decoder = behind.decode
        self._behind = behind
        self._meter = meter

    def run_each(self, *statements: tuple[str, dict[str, Any]]) -> None:
        self._behind.run_each(*statements)

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        return _timed(self._behind, self._meter, name, parameters)


def _timed(behind: Statements, meter: Meter, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
    began = time.perf_counter()
    outcome = behind._execute(name, parameters)
    meter.note(name, time.perf_counter() - began, outcome[0])
    return outcome
