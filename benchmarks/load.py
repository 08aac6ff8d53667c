"""A thousand people at once, against one and two servers, on SQLite and on PostgreSQL.

python -m benchmarks.load [--people N] [--seconds N] [--docs FOLDER] [--json] [--only ENGINE] [--profile FOLDER]

Each case is asked twice: as fast as the crowd can, which gives what the service gets done; then with pauses such that
half of that is asked, which gives how long people wait. Everything runs on loopback and ends by itself.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import uvloop

from benchmarks import load_limit, report_load
from benchmarks.load_crowd import Seen, crowd
from benchmarks.load_servers import Servers, serving
from benchmarks.postgres import durable_server
from benchmarks.timing import circumstances

SERVERS = (1, 2)
WARMING_SECONDS = 5.0
SHARE_ASKED = 0.5
"""How much of what the service can do is asked of it while waiting times are taken."""


@contextmanager
def engine(name: str, folder: Path, seconds: float) -> Iterator[tuple[str, float]]:
    """Give a database's address, and how many turns a second it can take by itself."""
    if name == "sqlite":
        limit = load_limit.of_sqlite(folder, seconds)
        yield str(folder / "load.db"), limit
        return
    with durable_server() as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE crowd")
        limit = load_limit.of_postgres(server, server.url, seconds)
        yield _beside(server.url, "crowd"), limit


def _beside(url: str, name: str) -> str:
    return f"{url.rsplit('/', 1)[0]}/{name}"


def measure(name: str, people: int, seconds: float, profile: Path | None) -> Iterator[dict[str, Any]]:
    """Put a crowd before one server and before two, over one database."""
    for number in SERVERS:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            with engine(name, folder, min(seconds, 10.0)) as (url, limit), serving(url, folder, number, profile) as up:
                uvloop.run(crowd(up.ports, min(people, 20), WARMING_SECONDS, 0.0))
                hurried = asked(up, people, seconds, 0.0)
                # Each person asks, waits and thinks; the waiting is short when half of what is possible is asked.
                pause = people / (hurried["per_second"] * SHARE_ASKED)
                unhurried = asked(up, people, max(seconds, 3 * pause), pause)
            yield {"engine": name, "servers": number, "limit": round(limit, 1), "hurried": hurried, "paced": unhurried}


def asked(up: Servers, people: int, seconds: float, pause: float) -> dict[str, Any]:
    with up.watched() as watch:
        seen: Seen = uvloop.run(crowd(up.ports, people, seconds, pause))
    done = sum(map(len, seen.seconds.values()))
    return {
        "people": people,
        "pause": round(pause, 2),
        "seconds": round(seconds, 1),
        "requests": done,
        "per_second": round(done / watch.seconds, 1),
        "turns_per_second": round(seen.turns / watch.seconds, 1),
        "asked_back": seen.asked_back,
        "errors": dict(seen.errors),
        "waits": {way: waits(taken) for way, taken in sorted(seen.seconds.items())},
        "megabytes": watch.megabytes(),
        "processor_ms": round(watch.processor_seconds * 1e3 / max(done, 1), 2),
    }


def waits(taken: Sequence[float]) -> dict[str, float]:
    ordered = sorted(taken)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3, 1)

    return {
        "requests": len(ordered),
        "p50": at(0.5),
        "p95": at(0.95),
        "p99": at(0.99),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    parser.add_argument("--profile", type=Path, help="where each server leaves a profile of itself (needs py-spy)")
    chosen = parser.parse_args(arguments)
    about = circumstances(["fastapi", "uvicorn", "psycopg", "onnxruntime"])
    found: list[Mapping[str, Any]] = []
    for name in [chosen.only] if chosen.only else ["sqlite", "postgres"]:
        for case in measure(name, chosen.people, chosen.seconds, chosen.profile):
            found.append(case)
            print(report_load.line(case), file=sys.stderr, flush=True)
    if chosen.json:
        print(json.dumps({"circumstances": about, "cases": found}, indent=2))
    if chosen.docs:
        report_load.write(chosen.docs, about, found)
    return 1 if any(case[part]["errors"] for case in found for part in ("hurried", "paced")) else 0


if __name__ == "__main__":
    sys.exit(main())
