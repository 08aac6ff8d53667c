"""The figures Gunita promises to hold, measured one by one: `python -m benchmarks.goals --docs docs/benchmarks`.

Bounds in time, on whatever machine this runs; the other benchmarks go deeper, and in ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import psycopg

from benchmarks import capacity, cleanup
from benchmarks.filling import fill_postgres, fill_sqlite, plan
from benchmarks.plots import markdown_table
from benchmarks.postgres import durable_server
from benchmarks.texts import Exchanges
from benchmarks.timing import circumstances, side_by_side
from gunita import Gunita

MESSAGES_BEFORE = 200_000
CALLERS = 2
TURNS_KEPT = 50
A_DAY, AN_HOUR = 120_000, 5_000
"""Turns of a service that says so many in a day; those of one hour expire."""
HOURS = 6
"""A few hours one after the other, each beside the seconds before it: a disk has moods, and one hour sees one."""
TALKERS = 60


@dataclass(frozen=True)
class Held:
    """One promise: what was found, and whether it is kept."""

    what: str
    bound: str
    found: str
    kept: bool


@contextmanager
def databases(engine: str) -> Iterator[str]:
    """Give the address of an empty database."""
    if engine == "SQLite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "gunita.db")
        return
    with durable_server() as server:
        yield server.url


def filled(engine: str, url: str) -> None:
    Gunita.open(url, background=False).close()
    if engine == "SQLite":
        fill_sqlite(Path(url), plan(MESSAGES_BEFORE))
        return
    fill_postgres(url, plan(MESSAGES_BEFORE))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def speed(engine: str, url: str) -> Iterator[Held]:
    """Store, read and assemble, by two callers at once, among many messages of others."""
    with Gunita.open(url, background=False) as g:
        sessions, exchanges = g.sessions, Exchanges()
        here, there = sessions.create_session("ana"), sessions.create_session("ana")
        for _ in range(TURNS_KEPT):
            sessions.store_turn(here, "ana", *exchanges.draw())
        began = time.perf_counter()
        sessions.get_context_for_query(here, exchanges.draw()[0])
        first = time.perf_counter() - began
        ways = {
            "store a turn": lambda: sessions.store_turn(there, "ana", *exchanges.draw()),
            "read 20 turns": lambda: sessions.get_session_history(here, 20),
            "assemble context without a model": lambda: sessions.get_context_for_query(here, exchanges.draw()[0]),
        }
        figures = side_by_side(ways, rounds=60, batch=10, callers=CALLERS)
    for (name, found), most in zip(figures.items(), (100, 50, 100), strict=True):
        yield Held(
            f"{name}, {engine}", f"p99 {most} ms", f"p99 {found.p99 / 1e3:.1f} ms", kept=found.p99 < most * 1_000
        )
    told = f"{first * 1e3:,.0f} ms: the model loads, and {TURNS_KEPT} turns are read that this process never saw"
    yield Held(f"the first context after a start, {engine}", "none promised", told, kept=True)


def history(engine: str, url: str) -> Iterator[Held]:
    with Gunita.open(url, background=False) as g:
        exchanges = Exchanges()
        said = [exchanges.draw() for _ in range(TURNS_KEPT)]
        session = g.sessions.create_session("ben")
        for query, response in said:
            g.sessions.store_turn(session, "ben", query, response)
        began = time.perf_counter()
        read = g.sessions.get_session_history(session)
        taken = (time.perf_counter() - began) * 1e3
    whole = [(turn.query_text, turn.response_text) for turn in read] == said
    found = f"{taken:.1f} ms, {'nothing lost' if whole else 'NOT WHOLE'}"
    yield Held(f"history of {TURNS_KEPT} turns, {engine}", "500 ms, no loss", found, kept=whole and taken < 500)


def forgetting(engine: str) -> Iterator[Held]:
    with databases(engine) as url:
        Gunita.open(url, background=False).close()
        fill = cleanup.fill_sqlite if engine == "SQLite" else cleanup.fill_postgres
        fill(url, A_DAY, HOURS * AN_HOUR, HOURS)
        hours = sorted(cleanup.hourly(url, HOURS, HOURS * AN_HOUR), key=lambda hour: hour.ratio)
    slowest, middle = max(hour.seconds for hour in hours), hours[HOURS // 2]
    said = (
        f"{slowest:.1f} s at most, {HOURS} hours one by one; meanwhile a turn is stored and 20 read in "
        f"{middle.p99_beside:.1f} ms (p99), just before in {middle.p99_alone:.1f} ms: {middle.ratio:.2f} ×, the middle "
        f"one of {hours[0].ratio:.2f} to {hours[-1].ratio:.2f}"
    )
    kept = slowest < 5 and middle.ratio < cleanup.GOAL
    yield Held(
        f"cleanup of the {AN_HOUR:,} turns of an hour, of {A_DAY:,}, {engine}", "5 s, nobody waits on it", said, kept
    )


def storage(engine: str, url: str) -> Iterator[Held]:
    """Whole turns with receipts, indexes, vectors and memories."""
    with Gunita.open(url, background=False) as g:
        before = size(engine, url)
        capacity.talk(g, TALKERS)
    kilobytes = (size(engine, url) - before) / (2 * TALKERS * capacity.TURNS) * 100 / 1e3
    yield Held(
        f"storage of 100 messages, all included, {engine}", "1 MB", f"{kilobytes:.0f} kB", kept=kilobytes < 1_000
    )


def size(engine: str, url: str) -> int:
    if engine == "SQLite":
        return sum(file.stat().st_size for file in Path(url).parent.iterdir())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM")
        [(taken,)] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return int(taken)


def understanding() -> Iterator[Held]:
    """One reference decision over 20 turns, on one core."""
    pinned = [] if sys.platform != "linux" else ["taskset", "-c", "0"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [*pinned, sys.executable, "-m", "benchmarks.decision"]
    figures = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
    p50, p99 = figures["p50_ms"], figures["p99_ms"]
    found = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"
    yield Held("reference decision, one core", "p50 10 ms, p99 50 ms", found, kept=p50 < 10 and p99 < 50)
    model = resources.files("gunita.language") / "model"
    names = ("encoder.onnx", "tokenizer.json", "heads.npz", "calibration.npz", "lexicon.npz")
    megabytes = sum(len((model / name).read_bytes()) for name in names) / 1e6
    yield Held("files of the reference model", "30 MB", f"{megabytes:.1f} MB", kept=megabytes < 30)


def measured() -> Iterator[Held]:
    for engine in ("SQLite", "PostgreSQL"):
        with databases(engine) as url:
            filled(engine, url)
            yield from speed(engine, url)
            yield from history(engine, url)
        with databases(engine) as url:
            Gunita.open(url, background=False).close()
            yield from storage(engine, url)
        yield from forgetting(engine)
    yield from understanding()


def page(found: Sequence[Held]) -> str:
    about = circumstances(["psycopg", "onnxruntime"])
    rows = [[one.what, one.bound, one.found, "yes" if one.kept else "**no**"] for one in found]
    return "\n".join(
        [
            "# The figures to hold",
            "",
            "Written by `python -m benchmarks.goals --docs docs/benchmarks`. Bounds in time, as promised to whoever",
            f"uses Gunita. {CALLERS} callers at once, among {MESSAGES_BEFORE:,} messages of others.",
            "",
            *(f"- {name}: {value}" for name, value in about.items()),
            "",
            markdown_table(["", "bound", "found", "held"], rows, left=4),
            "",
            "Measured elsewhere: [a thousand people at once](load.md), sub-second and with memory flat;",
            "[a conversation of 10,000 turns, a database of 1,000,000](growth.md), as fast as small ones;",
            "[a cleanup of a million turns](cleanup.md). Tighter goals, as ratios to code written by hand and to other",
            "libraries, and where they are missed: [storage](storage.md), [one turn](turn.md), [search](search.md),",
            "[the peers](peers.md), [what they find](peers-memory.md).",
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=Path)
    chosen = parser.parse_args()
    found = []
    for one in measured():
        found.append(one)
        print(f"{'held' if one.kept else 'MISSED'}: {one.what}: {one.found} (bound {one.bound})", flush=True)
    if chosen.docs:
        (chosen.docs / "goals.md").write_text(page(found), encoding="utf-8")
    return 0 if all(one.kept for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
