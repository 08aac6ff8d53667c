"""Many connections that each ask again as soon as they are answered, with as little client as possible."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import cycle


@dataclass(frozen=True)
class Load:
    connections: int
    requests_per_second: float
    p50_ms: float
    p99_ms: float
    requests: int
    failures: int

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def request_bytes(path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


async def load(port: int, asked: Sequence[bytes], connections: int, seconds: float) -> Load:
    """Keep that many connections busy for that long, with one request after another of those given."""
    requests = cycle(asked)
    taken: list[float] = []
    failures = 0
    # The time begins when every connection stands: opening hundreds of them takes longer on a busy machine.
    standing = [await asyncio.open_connection("127.0.0.1", port) for _ in range(connections)]
    until = time.perf_counter() + seconds

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal failures
        try:
            while time.perf_counter() < until:
                before = time.perf_counter()
                writer.write(next(requests))
                failures += not await _answered(reader)
                taken.append(time.perf_counter() - before)
        finally:
            writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(one(*connection) for connection in standing))
    passed = time.perf_counter() - began
    ordered = sorted(taken)
    return Load(
        connections=connections,
        requests_per_second=round(len(ordered) / passed, 1),
        p50_ms=round(statistics.median(ordered) * 1e3, 3),
        p99_ms=round(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1e3, 3),
        requests=len(ordered),
        failures=failures,
    )


async def _answered(reader: asyncio.StreamReader) -> bool:
    """Read one reply; tell whether it was a good one."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
    await reader.readexactly(length)
    return head.startswith(b"HTTP/1.1 200")
