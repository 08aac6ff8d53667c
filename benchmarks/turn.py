"""What one turn costs: its context without a model, the service around it, and a token on its way to the client.

python -m benchmarks.turn [--json] [--docs FOLDER] [--only context|http|stream] [--seconds N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import uvicorn

from benchmarks import report_turn
from benchmarks.http_load import Load, load, request_bytes
from benchmarks.report_turn import GOALS
from benchmarks.texts import Exchanges
from benchmarks.timing import circumstances
from benchmarks.turn_services import Kind, Served, served
from gunita import Gunita
from gunita.aio import Opening
from gunita.app import read_settings
from gunita.models import Scope
from gunita.server.app import create_app
from gunita.services import gathering, understanding
from gunita.services.gathering import Asked
from gunita.services.understanding import new_mind
from gunita.store import conversations
from gunita.store.opening import open_database

SIZES = (20, 1_000, 10_000)
CONNECTIONS = (1, 64, 512)
QUERY = "Magkano ang pamasahe papuntang Davao?"
DIFFERENT_QUERIES = 4_000


def milliseconds(taken: Sequence[tuple[float, float]]) -> dict[str, float]:
    ordered = sorted(clock for clock, _ in taken)
    at = min(len(ordered) - 1, len(ordered) * 99 // 100)
    processor = statistics.median(busy for _, busy in taken)
    return {
        "p50_ms": round(statistics.median(ordered) * 1e3, 3),
        "p99_ms": round(ordered[at] * 1e3, 3),
        "processor_ms": round(processor * 1e3, 3),
    }


def measure_context(folder: Path, rounds: int = 300) -> list[dict[str, Any]]:
    """Read what a query needs and fill the budget, in conversations of three sizes; the decision is timed apart."""
    found = []
    with Gunita.open(folder / "context.db", background=False) as g:
        for memory in range(30):
            g.memories.create_memory("ana", f"Memory {memory} about travel and food", pinned=memory < 3)
        for size in SIZES:
            session = conversation(g, size)
            # The window's texts were met at the turn before; the query never was.
            gather = timed(rounds, lambda session=session: gather_once(g, session))
            decide = timed(rounds, lambda: g.references.detect_reference(new_query()))
            found.append({"turns": size, "context": milliseconds(gather), "decision": milliseconds(decide)})
    return found


def conversation(g: Gunita, size: int) -> UUID:
    exchanges = Exchanges()
    session = g.sessions.create_session("ana")
    for _ in range(size):
        g.sessions.store_turn(session, "ana", *exchanges.draw())
    return session


def gather_once(g: Gunita, session: UUID) -> None:
    door = g.conversations._door
    turns = understanding.turns_within(door.db, session, understanding.reach_of(None))
    here = conversations.get(door.db, session)
    assert here is not None
    gathering.gather(door, Asked(session, here.user_id, new_query(), turns, turns[:1]))


def new_query() -> str:
    return f"{QUERY} {uuid4().hex[:6]}"


def timed(rounds: int, act: Any) -> list[tuple[float, float]]:
    """Take the time on the clock and on the processor of each round."""
    act()
    taken = []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.thread_time()
        act()
        taken.append((time.perf_counter() - clock, time.thread_time() - processor))
    return taken


def measure_http(folder: Path, seconds: float) -> list[dict[str, Any]]:
    """Ask Gunita, with more and less of itself, and the service by hand in turn, over as many connections."""
    found = []
    for kind in (Kind.SAME_ROWS, Kind.UNDECIDED, Kind.DECIDED, Kind.WHOLE):
        with (
            served(Kind.BY_HAND, folder / f"{kind.name}-hand.db") as hand,
            served(kind, folder / f"{kind.name}.db") as g,
        ):
            for service in (hand, g):
                asyncio.run(load(service.port, different_queries(), 4, min(seconds, 1.0)))
            for connections in CONNECTIONS:
                plain, ours = asked(hand, connections, seconds), asked(g, connections, seconds)
                ratio = round(ours["requests_per_second"] / plain["requests_per_second"], 3)
                found.append({"kind": kind.value, "by_hand": plain, "gunita": ours, "ratio": ratio})
    return found


def asked(service: Served, connections: int, seconds: float) -> dict[str, float]:
    before = service.processor_seconds()
    found: Load = asyncio.run(load(service.port, different_queries(), connections, seconds))
    busy = (service.processor_seconds() - before) / max(found.requests, 1)
    return {**found.as_dict(), "processor_ms": round(busy * 1e3, 3)}


def different_queries() -> list[bytes]:
    """Every query is another one: what was read before is remembered, and a remembered decision costs nothing."""
    exchanges = Exchanges()
    queries = (f"{exchanges.draw()[0]} {uuid4().hex[:6]}" for _ in range(DIFFERENT_QUERIES))
    return [request_bytes("/chat", json.dumps({"query": query}).encode()) for query in queries]


class Babbling:
    """A model that says many words at once, so that what is measured is not the model."""

    name = "babbling"

    def __init__(self, words: int) -> None:
        self._words = words

    async def stream(self, prompt: Sequence[Mapping[str, str]], max_tokens: int) -> AsyncIterator[str]:
        for _ in range(self._words):
            yield " salita"
            # As a real one does, it lets others speak between its words.
            await asyncio.sleep(0)


def measure_stream(folder: Path, words: int = 5_000) -> dict[str, float]:
    """Follow a stream over a socket; what a token costs beside the model's own time for it."""
    settings = read_settings(database_url=str(folder / "stream.db"))
    model = Babbling(words)
    opening = Opening(lambda: Gunita(open_database(settings), settings, Scope(), mind=new_mind(), model=model))
    return asyncio.run(stream_once(opening, model, words))


async def stream_once(opening: Opening, model: Babbling, words: int) -> dict[str, float]:
    async with opening as gunita:
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(create_app(gunita), log_level="warning", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        alone = time.perf_counter()
        async for _ in model.stream([], 0):
            pass
        alone = time.perf_counter() - alone
        taken = [await followed(listener.getsockname()[1]) for _ in range(3)]
        server.should_exit = True
        await serving
    each = (statistics.median(taken) - alone) / words
    return {"tokens": words, "overhead_us_per_token": round(each * 1e6, 2)}


async def followed(port: int) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    before = time.perf_counter()
    writer.write(request_bytes("/chat/stream", json.dumps({"query": QUERY}).encode()))
    await reader.readuntil(b"event: finished")
    passed = time.perf_counter() - before
    writer.close()
    return passed


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--docs", type=Path, help="write turn.md into this folder")
    arguments.add_argument("--only", choices=["context", "http", "stream"])
    arguments.add_argument("--seconds", type=float, default=5.0)
    chosen = arguments.parse_args()
    if chosen.docs and chosen.only:
        arguments.error("a page is written of everything; leave out --only")
    figures: dict[str, Any] = {"goals": GOALS}
    with tempfile.TemporaryDirectory(prefix="gunita-bench-") as folder:
        place = Path(folder)
        if chosen.only in {None, "context"}:
            figures["context"] = measure_context(place)
        if chosen.only in {None, "http"}:
            figures["http"] = measure_http(place, chosen.seconds)
        if chosen.only in {None, "stream"}:
            figures["stream"] = measure_stream(place)
    if chosen.docs:
        report_turn.write(chosen.docs, circumstances(["fastapi", "uvicorn", "onnxruntime"]), figures)
    print(json.dumps(figures, indent=2) if chosen.json else "\n".join(report_turn.told(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
