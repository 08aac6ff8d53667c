"""The services that are compared: two written by hand, and Gunita with more and less of itself."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

import uvicorn
from fastapi import FastAPI, Request, Response

from gunita import Gunita
from gunita.aio import AsyncGunita, Opening
from gunita.app import read_settings
from gunita.language.references import DynamicReferenceParser
from gunita.models import ReferenceIntent, Scope, Turn
from gunita.server.app import create_app
from gunita.services.understanding import Mind, new_mind
from gunita.settings import Settings
from gunita.store.opening import open_database


class Kind(StrEnum):
    BY_HAND = "by hand"
    SAME_ROWS = "by hand too, but keeping what a turn of Gunita's keeps"
    UNDECIDED = "without the reference decision, nothing in the background"
    DECIDED = "with the decision, nothing in the background"
    WHOLE = "as it is served: with the decision, indexing and learning beside it"


@dataclass(frozen=True)
class Served:
    port: int
    process_id: int

    def processor_seconds(self) -> float:
        """Read how long the service has kept processors busy, whatever else the machine does."""
        fields = Path(f"/proc/{self.process_id}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Undecided(DynamicReferenceParser):
    """Takes every query for a fresh one, so that what is measured is all but the decision."""

    def detect_reference(self, query: str, history: Sequence[Turn] | None = None) -> ReferenceIntent | None:
        return None


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


_BEGUN = """
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count)
VALUES ('', ?, 'anonymous', ?, ?, 1, 1)
"""
_SAID = """
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count)
VALUES ('', ?, 1, ?, ?, 'anonymous', ?, ?, 12)
"""
_TITLED = "UPDATE conversations SET title = ?, message_count = 2, token_count = 24 WHERE tenant_id = '' AND id = ?"
_RECEIVED = """
INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at)
VALUES ('', ?, 'anonymous', ?, 1, 'context', ?, ?)
"""
_ANSWER = "I have kept your message, and found nothing in memory that answers it. " * 3
_RECEIPT = '{"prompt_tokens":49,"lines":[]}' + " " * 360


def same_rows_by_hand(path: str) -> FastAPI:
    """The least that keeps a turn as Gunita does: its query at once, then its answer with a receipt and a title."""
    Gunita.open(path, background=False).close()
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    writer = ThreadPoolExecutor(1)
    app = FastAPI()

    def opened(query: str) -> str:
        session, now = str(uuid4()), time.time_ns() // 1_000
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_BEGUN, (session, now, now))
        connection.execute(_SAID, (session, "user", str(uuid4()), query, now))
        connection.execute("COMMIT")
        return session

    def answered(session: str, query: str) -> None:
        now = time.time_ns() // 1_000
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_SAID, (session, "assistant", str(uuid4()), _ANSWER, now))
        connection.execute(_RECEIVED, (str(uuid4()), session, _RECEIPT, now))
        connection.execute(_TITLED, (query[:40], session))
        connection.execute("COMMIT")

    @app.post("/chat")
    async def chat(request: Request) -> Response:
        query = (await request.json())["query"]
        loop = asyncio.get_running_loop()
        session = await loop.run_in_executor(writer, opened, query)
        await loop.run_in_executor(writer, answered, session, query)
        return Response(b'{"message":"kept"}', media_type="application/json")

    return app


def undecided(settings: Settings) -> Opening:
    def opened() -> Gunita:
        mind = Mind(Undecided(), new_mind().clarifications)
        return Gunita(open_database(settings), settings, Scope(), mind=mind)

    return Opening(opened)


WRITTEN_BY_HAND = {Kind.BY_HAND: by_hand, Kind.SAME_ROWS: same_rows_by_hand}


async def serve(kind: Kind, path: str, listener: socket.socket) -> None:
    settings = read_settings(database_url=path, background=kind is Kind.WHOLE)
    if kind in WRITTEN_BY_HAND:
        await served_by(WRITTEN_BY_HAND[kind](path), listener)
        return
    opening = undecided(settings) if kind is Kind.UNDECIDED else AsyncGunita.with_settings(settings)
    async with opening as gunita:
        await served_by(create_app(gunita), listener)


async def served_by(app: FastAPI, listener: socket.socket) -> None:
    config = uvicorn.Config(app, log_level="warning", ws="none", access_log=False)
    await uvicorn.Server(config).serve(sockets=[listener])


def run(kind: Kind, path: str, port: int) -> None:
    import uvloop

    listener = socket.create_server(("127.0.0.1", port), backlog=2_048)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(kind, path, listener))


@contextmanager
def served(kind: Kind, path: Path) -> Iterator[Served]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = multiprocessing.get_context("spawn").Process(target=run, args=(kind, str(path), port))
    process.start()
    try:
        wait_for(port)
        yield Served(port, process.pid or 0)
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
