"""What one turn costs: its context without a model, the service around it, and a token on its way to the client.

python -m benchmarks.turn [--json] [--only context|http|stream] [--seconds N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import uvicorn
from fastapi import FastAPI, Request, Response

from benchmarks.http_load import Load, load, request_bytes
from benchmarks.texts import Exchanges
from gunita import Gunita
from gunita.aio import Opening
from gunita.app import read_settings
from gunita.models import Scope
from gunita.server.app import create_app
from gunita.services import gathering, understanding
from gunita.services.understanding import new_mind
from gunita.store.opening import open_database

SIZES = (20, 1_000, 10_000)
CONNECTIONS = (1, 64, 512)
QUERY = "Magkano ang pamasahe papuntang Davao?"
DIFFERENT_QUERIES = 4_000
GOALS = {"context_p50_ms": 5.0, "http_ratio": 0.5}


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, len(ordered) * 99 // 100)
    return {"p50_ms": round(statistics.median(ordered) * 1e3, 3), "p99_ms": round(ordered[at] * 1e3, 3)}


def measure_context(folder: Path, rounds: int = 300) -> list[dict[str, Any]]:
    """Read what a query needs and fill the budget, in conversations of three sizes; the decision is timed apart."""
    found = []
    with Gunita.open(folder / "context.db") as g:
        for memory in range(30):
            g.memories.create_memory("ana", f"Memory {memory} about travel and food", pinned=memory < 3)
        for size in SIZES:
            session = conversation(g, size)
            gather = timed(rounds, lambda session=session: gather_once(g, session))  # type: ignore[misc]
            decide = timed(rounds, lambda: g.references.detect_reference(f"{QUERY} {uuid4().hex[:6]}"))
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
    gathering.gather(door, session, QUERY, turns, turns[:1])


def timed(rounds: int, act: Any) -> list[float]:
    act()
    taken = []
    for _ in range(rounds):
        before = time.perf_counter()
        act()
        taken.append(time.perf_counter() - before)
    return taken


def by_hand(path: str) -> FastAPI:
    """The least a service can do: one route that writes one row with the driver, in a pool of threads, and says so."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE IF NOT EXISTS said (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT")
    writer = ThreadPoolExecutor(1)
    app = FastAPI()

    def write(content: str) -> None:
        connection.execute("INSERT INTO said VALUES (?, ?)", (uuid4().hex, content))

    @app.post("/chat")
    async def chat(request: Request) -> Response:
        body = await request.json()
        await asyncio.get_running_loop().run_in_executor(writer, write, body["query"])
        return Response(b'{"message":"kept"}', media_type="application/json")

    return app


def run_service(kind: str, path: str, port: int) -> None:
    app = by_hand(path) if kind == "by_hand" else create_app(read_settings(database_url=path))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", ws="none", access_log=False)


@contextmanager
def served(kind: str, path: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = multiprocessing.get_context("spawn").Process(target=run_service, args=(kind, str(path), port))
    process.start()
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.join(30)


def wait_for(port: int) -> None:
    for _ in range(1_200):
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the service did not come up")


def measure_http(folder: Path, seconds: float) -> list[dict[str, Any]]:
    """Ask both services in turn, over as many connections, in one run."""
    # Every query is another one: what was read before is remembered, and a decision that is remembered costs nothing.
    exchanges = Exchanges()
    queries = (f"{exchanges.draw()[0]} {uuid4().hex[:6]}" for _ in range(DIFFERENT_QUERIES))
    asked = [request_bytes("/chat", json.dumps({"query": query}).encode()) for query in queries]
    found = []
    with served("by_hand", folder / "hand.db") as hand, served("gunita", folder / "gunita.db") as gunita:
        for port in (hand, gunita):
            asyncio.run(load(port, asked, 4, min(seconds, 1.0)))
        for connections in CONNECTIONS:
            plain: Load = asyncio.run(load(hand, asked, connections, seconds))
            ours: Load = asyncio.run(load(gunita, asked, connections, seconds))
            ratio = round(ours.requests_per_second / plain.requests_per_second, 3)
            found.append({"by_hand": plain.as_dict(), "gunita": ours.as_dict(), "ratio": ratio})
    return found


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


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    for line in figures.get("context", ()):
        yield f"context of {line['turns']:>6} turns: {line['context']}; the decision beside it: {line['decision']}"
    for line in figures.get("http", ()):
        ours, plain = line["gunita"], line["by_hand"]
        yield (
            f"{ours['connections']:>4} connections: {ours['requests_per_second']:>8} requests/s, "
            f"p50 {ours['p50_ms']} ms, p99 {ours['p99_ms']} ms; "
            f"by hand {plain['requests_per_second']} requests/s; ratio {line['ratio']}"
        )
    if "stream" in figures:
        yield f"a streamed token costs {figures['stream']['overhead_us_per_token']} µs beside the model"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--only", choices=["context", "http", "stream"])
    arguments.add_argument("--seconds", type=float, default=5.0)
    chosen = arguments.parse_args()
    figures: dict[str, Any] = {"goals": GOALS}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if chosen.only in {None, "context"}:
            figures["context"] = measure_context(place)
        if chosen.only in {None, "http"}:
            figures["http"] = measure_http(place, chosen.seconds)
        if chosen.only in {None, "stream"}:
            figures["stream"] = measure_stream(place)
    print(json.dumps(figures, indent=2) if chosen.json else "\n".join(told(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
