"""A crowd of people who talk at once: each begins conversations, asks on, points back, searches, streams and leaves."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from benchmarks.texts import Exchanges

WAYS = {
    "new": 15,
    "followup": 25,
    "reference": 20,
    "clarification": 8,
    "search": 12,
    "history": 8,
    "stream": 8,
    "leave": 4,
}
"""What people do, out of a hundred times."""
FOLLOWUPS = ("Bakit?", "How much is that?", "Paano naman?", "And for two people?", "Kailan yun?", "Can you say more?")
REFERENCES = (
    "Tell me more about the first one",
    "Balik tayo sa una kong tanong",
    "Yung pangalawa, magkano ulit?",
    "What did you say in your last answer?",
    "Two questions ago, what did you mean?",
    "Ano nga ulit yung sinabi mo kanina?",
)
UNCLEAR = ("Yung isa kanina", "The other one you mentioned", "What about that one again?", "Iyong sinabi mo, alin ba?")
SOUGHT = ("passport", "magkano", "valid ID", "internet plan", "resibo", "how long", "enrolment", "window 4")
LONGEST_CONVERSATION = 30
UNHURRIED = 60.0
"""Seconds after which somebody gives up; it counts as an error."""


@dataclass
class Seen:
    """What the crowd saw: how long each thing took, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    turns: int = 0
    asked_back: int = 0


class Unexpected(Exception):
    """A reply nobody should get."""


class Line:
    """One connection, made anew when it was closed, and as little HTTP as will do."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def asked(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask, and read the whole reply."""
        reader = await self._sent(method, path, body)
        status, headers = await _head(reader)
        content = await reader.readexactly(int(headers[b"content-length"]))
        if status != 200:
            raise Unexpected(f"{status} {content[:200].decode(errors='replace')}")
        read: dict[str, Any] = json.loads(content)
        return read

    async def streamed(self, path: str, body: dict[str, Any], *, leaving: bool) -> bool:
        """Follow a stream to its end, or hang up after its first words; tell whether its end was seen."""
        reader = await self._sent("POST", path, body)
        status, _ = await _head(reader)
        if status != 200:
            raise Unexpected(f"{status} at a stream")
        ended = False
        while size := int(await reader.readline(), 16):
            piece = await reader.readexactly(size + 2)
            if leaving:
                self.close()
                return True
            ended = ended or b"event: finished" in piece
        await reader.readline()
        return ended

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None

    async def _sent(self, method: str, path: str, body: dict[str, Any] | None) -> asyncio.StreamReader:
        if self._ends is None or self._ends[0].at_eof():
            # A server hangs up on who says nothing for long.
            self.close()
            self._ends = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        reader, writer = self._ends
        content = b"" if body is None else json.dumps(body).encode()
        kind = "" if body is None else "Content-Type: application/json\r\n"
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{kind}Content-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        return reader


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[bytes, bytes]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    return int(first.split()[1]), headers


class Person:
    """Somebody with a conversation, who does one thing after another, at whichever server answers."""

    def __init__(self, number: int, ports: Sequence[int], seen: Seen) -> None:
        self._random = random.Random(number)
        self._user = f"person-{number}"
        self._lines = [Line(port) for port in ports]
        self._seen = seen
        self._exchanges = Exchanges(seed=number % 16, size=64)
        self._session: str | None = None
        self._turns = 0
        self._choices: list[dict[str, Any]] = []

    async def live(self, until: float, thinking_seconds: float) -> None:
        """Do things until the time is over, with pauses as people make them."""
        if thinking_seconds:
            await asyncio.sleep(self._random.uniform(0, thinking_seconds))
        while time.perf_counter() < until:
            way = self._next_way()
            before = time.perf_counter()
            try:
                async with asyncio.timeout(UNHURRIED):
                    await self._do(way)
            except (Unexpected, OSError, EOFError, TimeoutError) as problem:
                self._seen.errors[f"{way}: {type(problem).__name__} {problem}"[:160]] += 1
                self._hang_up()
            else:
                self._seen.seconds[way].append(time.perf_counter() - before)
            if thinking_seconds:
                await asyncio.sleep(self._random.expovariate(1 / thinking_seconds))
        self._hang_up()

    def _next_way(self) -> str:
        if self._choices:
            return "choice"
        if self._session is None or self._turns >= LONGEST_CONVERSATION:
            return "new"
        return self._random.choices(list(WAYS), list(WAYS.values()))[0]

    async def _do(self, way: str) -> None:
        line = self._random.choice(self._lines)
        query = self._exchanges.draw()[0]
        match way:
            case "search":
                sought = quote(self._random.choice(SOUGHT))
                await line.asked("GET", f"/api/search?q={sought}&user_id={self._user}&limit=10")
            case "history":
                await line.asked("GET", f"/api/conversations/{self._session}/messages?limit=20")
            case "stream" | "leave":
                if not await line.streamed("/chat/stream", self._said(query), leaving=way == "leave"):
                    raise Unexpected("a stream ended without its end")
                self._turns += 1
                self._seen.turns += 1
            case "choice":
                choice, self._choices = self._random.choice(self._choices), []
                await self._chat(line, {**self._said(choice["label"]), "choice": choice["turn_number"]})
            case "new":
                self._session, self._turns = None, 0
                await self._chat(line, self._said(query))
            case _:
                of_kind = {"followup": FOLLOWUPS, "reference": REFERENCES, "clarification": UNCLEAR}[way]
                await self._chat(line, self._said(self._random.choice(of_kind)))

    def _said(self, query: str) -> dict[str, Any]:
        body = {"query": query, "user_id": self._user}
        return body if self._session is None else {**body, "session_id": self._session}

    async def _chat(self, line: Line, body: dict[str, Any]) -> None:
        reply = await line.asked("POST", "/chat", body)
        if reply["error"] or not reply["message"]:
            raise Unexpected(str(reply["error"]))
        self._session, self._turns = reply["session_id"], reply["turn_number"]
        self._seen.turns += 1
        if reply["intent"] == "clarification":
            self._seen.asked_back += 1
            self._choices = reply["data"]

    def _hang_up(self) -> None:
        for line in self._lines:
            line.close()


async def crowd(ports: Sequence[int], people: int, seconds: float, thinking_seconds: float) -> Seen:
    """Let that many people live for that long."""
    seen = Seen()
    until = time.perf_counter() + seconds
    everybody = [Person(number, ports, seen) for number in range(people)]
    await asyncio.gather(*(person.live(until, thinking_seconds) for person in everybody))
    return seen
