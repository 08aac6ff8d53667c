"""Whether anything has become slower: a few ratios, each taken in one run, against bounds that are committed.

python -m benchmarks.smoke [--write]

Times are processor time of the calling thread, in alternating small batches, so that a busy machine makes both sides
of a ratio slow and not the ratio. A ratio over its bound is taken again twice before it counts. `--write` sets the
bounds anew, half as much again as was measured now: a decision to be seen in the diff.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg
from threadpoolctl import threadpool_limits

from benchmarks.by_hand_postgres import PostgresByHand
from benchmarks.by_hand_sqlite import SqliteByHand
from benchmarks.decision import decide, made_history
from benchmarks.postgres import durable_server
from benchmarks.search_filling import USER, fill
from benchmarks.search_rivals import numpy_alone
from benchmarks.storage import ThroughGunita, Way
from benchmarks.texts import Exchanges
from gunita import Gunita
from gunita.chat.records import ChatRequest
from gunita.language.encoder import Encoder
from gunita.language.references import DynamicReferenceParser
from gunita.language.tokens import count_tokens

BOUNDS = Path(__file__).with_name("bounds.json")
SLACK = 1.5
TRIES = 3
ROUNDS, BATCH = 15, 8
LONG, SHORT, WINDOW = 1_000, 10, 20

Act = Callable[[], object]


class Ratio(NamedTuple):
    """Our way of doing something, and what it is compared with."""

    name: str
    ours: Act
    other: Act

    def measured(self) -> float:
        return _median(self.ours, self.other)


def _median(ours: Act, other: Act) -> float:
    taken: dict[Act, list[int]] = {ours: [], other: []}
    for act in (ours, other):
        act()
    for _ in range(ROUNDS):
        for act, times in taken.items():
            for _ in range(BATCH):
                began = time.thread_time_ns()
                act()
                times.append(time.thread_time_ns() - began)
    return statistics.median(taken[ours]) / statistics.median(taken[other])


def of_storage(engine: str, ways: dict[str, Way], places: Sequence[UUID]) -> Iterator[Ratio]:
    """A turn appended and the latest turns read, against the driver by hand."""
    said, place = itertools.cycle([Exchanges().draw() for _ in range(97)]), itertools.cycle(places)

    def appending(way: Way) -> Act:
        return lambda: way.append(next(place), "ana", *next(said))

    def reading(way: Way) -> Act:
        return lambda: way.latest(next(place), WINDOW)

    yield Ratio(f"{engine}: a turn appended, to the same by hand", *map(appending, ways.values()))
    yield Ratio(f"{engine}: {WINDOW} turns read, to the same by hand", *map(reading, ways.values()))


def of_a_turn(engine: str, g: Gunita, long: UUID, short: UUID) -> Iterator[Ratio]:
    """A context and an answer, against reading the query; the turns of a long conversation against a short one's."""
    talking, said = g.sessions.create_session("ana"), Exchanges()
    # Other ones on each engine: of a text that was read before, the vector is remembered.
    queries = (f"{said.draw()[0]} {engine} {number}" for number in itertools.count())
    yield Ratio(
        f"{engine}: a context with its decision, to the query's vector",
        lambda: g.sessions.get_context_for_query(long, next(queries)),
        lambda: Encoder.load().encode([next(queries)]),
    )
    yield Ratio(
        f"{engine}: an answer from memory, to the query's vector",
        lambda: g.chat.from_memory(ChatRequest(next(queries), user_id="ana", session_id=talking)),
        lambda: Encoder.load().encode([next(queries)]),
    )
    yield Ratio(
        f"{engine}: {SHORT} turns of {LONG:,}, to all {SHORT} of a short conversation",
        lambda: g.sessions.get_session_history(long, SHORT),
        lambda: g.sessions.get_session_history(short, SHORT),
    )


def of_understanding() -> Iterator[Ratio]:
    parser, history = DynamicReferenceParser(), made_history()
    queries = (f"what did you say about the rent deposit {number}?" for number in itertools.count())
    fresh = (f"How do I cook rice for {number} people?" for number in itertools.count())
    decide(parser, next(queries), history)
    encoder = Encoder.load()
    yield Ratio(
        "a decision over 20 turns, to the query's vector",
        lambda: decide(parser, next(queries), history),
        lambda: encoder.encode([next(queries)]),
    )
    yield Ratio(
        "a fresh question over 20 turns, to its vector",
        lambda: decide(parser, next(fresh), history),
        lambda: encoder.encode([next(fresh)]),
    )


def of_search(g: Gunita, messages: int = 2_000) -> Iterator[Ratio]:
    by_numpy = numpy_alone(fill(g, messages))
    user = g.scoped(user_id=USER)
    queries = (f"when is the passport appointment {number}" for number in itertools.count())
    yield Ratio(
        f"a search of {messages:,} messages, to brute-force numpy",
        lambda: user.search.search(next(queries)),
        lambda: by_numpy(next(queries)),
    )


def filled(g: Gunita, turns: int) -> UUID:
    exchanges, session = Exchanges(), g.sessions.create_session("ana")
    for _ in range(turns):
        g.sessions.store_turn(session, "ana", *exchanges.draw())
    return session


def ratios(held: ExitStack) -> Iterator[Ratio]:
    """Everything that is guarded; what a ratio needs stays open until the end."""
    yield from of_understanding()
    folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
    g = held.enter_context(Gunita.open(folder / "ours.db", background=False))
    long, short = filled(g, LONG), filled(g, SHORT)
    Gunita.open(folder / "hand.db", background=False).close()
    hand = SqliteByHand(folder / "hand.db", "normal", count_tokens)
    said = Exchanges()
    for place in (long, short):
        for _ in range(WINDOW):
            hand.append(place, "ana", *said.draw())
    yield from of_storage("SQLite", {"ours": ThroughGunita(g), "by hand": hand}, [long])
    yield from of_a_turn("SQLite", g, long, short)
    yield from of_search(held.enter_context(Gunita.open(folder / "search.db", background=False)))
    server = held.enter_context(durable_server())
    url = f"{server.url}?options=-c%20synchronous_commit%3Doff"
    g = held.enter_context(Gunita.open(url, background=False))
    long, short = filled(g, LONG), filled(g, SHORT)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    by_hand = PostgresByHand(url, 2, count_tokens)
    held.callback(by_hand.close)
    yield from of_storage("PostgreSQL", {"ours": ThroughGunita(g), "by hand": by_hand}, [long])
    yield from of_a_turn("PostgreSQL", g, long, short)


def judged(ratio: Ratio, bound: float) -> tuple[float, bool]:
    """Take a ratio, again where it is over its bound, and give the least; tell whether it is within."""
    least = ratio.measured()
    for _ in range(TRIES - 1):
        if least <= bound:
            break
        least = min(least, ratio.measured())
    return least, least <= bound


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="set the bounds anew from what is measured now")
    writing = parser.parse_args(arguments).write
    bounds: dict[str, float] = {} if writing else json.loads(BOUNDS.read_text(encoding="utf-8"))
    unmet: set[str] = set(bounds)
    slower = 0
    with ExitStack() as held:
        held.enter_context(threadpool_limits(1, user_api="blas"))
        for ratio in ratios(held):
            found, within = judged(ratio, bounds.get(ratio.name, 0.0) if not writing else float("inf"))
            unmet.discard(ratio.name)
            if writing:
                bounds[ratio.name] = round(found * SLACK, 2)
            slower += not within
            sign = "ok  " if within else "OVER"
            print(f"{sign} {found:6.2f} (at most {bounds.get(ratio.name, 0.0):6.2f})  {ratio.name}", flush=True)
    if writing:
        BOUNDS.write_text(json.dumps(bounds, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for name in sorted(unmet):
        print(f"OVER bound without a measure: {name}")
    if slower or unmet:
        print("Something has become slower. If that is meant, set the bounds anew: make bench-bounds")
    return 1 if slower or unmet else 0


if __name__ == "__main__":
    sys.exit(main())
