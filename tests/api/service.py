"""The service itself, on a real socket in a thread of its own, and what tests say to it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from gunita import Gunita
from gunita.app import read_settings
from gunita.server.app import create_app
from gunita.server.listening import protocol_for

Json = dict[str, Any]


@dataclass
class Event:
    name: str
    data: Json
    id: int


@dataclass
class Service:
    url: str
    database: str
    app: FastAPI
    loop: asyncio.AbstractEventLoop
    client: httpx.Client
    closing: ExitStack

    def as_(self, secret: str) -> httpx.Client:
        """A client that proves who it is, closed with the service."""
        headers = {"Authorization": f"Bearer {secret}"}
        return self.closing.enter_context(httpx.Client(base_url=self.url, headers=headers, timeout=30))

    def chat(self, query: str, **body: Any) -> Json:
        answered = self.client.post("/chat", json={"query": query, **body})
        assert answered.status_code == 200, answered.text
        reply: Json = answered.json()
        return reply

    def stream(self, query: str, **body: Any) -> list[Event]:
        with self.client.stream("POST", "/chat/stream", json={"query": query, **body}) as answered:
            assert answered.status_code == 200, answered.read()
            return list(events(answered))

    def get(self, path: str, **query: Any) -> Json:
        answered = self.client.get(path, params=query)
        assert answered.status_code == 200, answered.text
        reply: Json = answered.json()
        return reply

    def await_(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def settle(self) -> None:
        """Wait until what is due after answers is done."""
        self.await_(self.app.state.running.answers.settled())

    def opened(self) -> Gunita:
        """The same database, opened beside the service."""
        return Gunita.open(self.database)

    def turns(self, session_id: str) -> list[tuple[int, str, str, Json]]:
        with self.opened() as g:
            return [
                (turn.turn_number, turn.query_text, turn.response_text, dict(turn.metadata))
                for turn in g.sessions.get_session_history(session_id)
            ]

    def wait_for_turns(self, session_id: str, count: int) -> list[tuple[int, str, str, Json]]:
        until = time.monotonic() + 20
        while len(found := self.turns(session_id)) < count and time.monotonic() < until:
            time.sleep(0.02)
        assert len(found) == count
        return found


@contextmanager
def serving(url: str, *, port: int = 0, **settings: Any) -> Iterator[Service]:
    """Start the service over a database, on a free port unless one is named, and stop it again."""
    chosen = read_settings(database_url=url, **settings)
    app = create_app(chosen)
    listener = listening_on(port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol_for(chosen),
            log_level="critical",
            ws="none",
            timeout_graceful_shutdown=5,
            lifespan="on",
        )
    )
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        await server.serve(sockets=[listener])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.005)
    assert server.started, "the service did not start"
    with ExitStack() as closing:
        client = closing.enter_context(httpx.Client(base_url=address, timeout=30))
        try:
            yield Service(address, url, app, loops[0], client, closing)
        finally:
            server.should_exit = True
            thread.join(30)
            listener.close()


def listening_on(port: int) -> socket.socket:
    """Listen as the service by itself does: on a socket that knows it speaks TCP, or asyncio would let Nagle wait."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(2_048)
    return listener


def events(answered: httpx.Response) -> Iterator[Event]:
    """Read server-sent events as a browser does; comments are passed over."""
    fields: dict[str, str] = {}
    for line in answered.iter_lines():
        if line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif not line and fields:
            yield Event(fields.get("event", "message"), json.loads(fields["data"]), int(fields.get("id", 0)))
            fields = {}
