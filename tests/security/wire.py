"""Clients that do not keep to what clients do: raw bytes, in pieces, slowly, or nothing at all."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from tests.api.service import Service

PATIENCE = 60
"""Seconds after which a server that still holds a connection is taken to hold it for ever."""


@contextlib.contextmanager
def connected(service: Service, *, receive_buffer: int | None = None) -> Iterator[socket.socket]:
    host, port = service.url.removeprefix("http://").split(":")
    with socket.socket() as wire:
        if receive_buffer is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        wire.settimeout(PATIENCE)
        wire.connect((host, int(port)))
        yield wire


def head(method: str, path: str, **headers: object) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def is_let_go(wire: socket.socket) -> bool:
    """Tell whether the other side has hung up, without reading what it said."""
    poll = select.poll()
    poll.register(wire, select.POLLRDHUP | select.POLLERR | select.POLLHUP)
    return bool(poll.poll(0))


def trickle(wire: socket.socket, piece: bytes, *, every: float = 0.05) -> int:
    """Send a piece again and again until the other side hangs up; tell how often that was."""
    until, sent = time.monotonic() + PATIENCE, 0
    while not is_let_go(wire):
        assert time.monotonic() < until, "the connection is still held"
        try:
            wire.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            break
        sent += 1
        time.sleep(every)
    return sent


def heard(wire: socket.socket) -> bytes:
    """Read everything until the other side hangs up."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := wire.recv(65_536):
            said += more
    return said


def is_held_by_a_process(wire: socket.socket) -> bool:
    """Tell whether a process holds the other end; the kernel may go on for it, since nobody reads what was sent."""
    here, there = wire.getsockname()[1], wire.getpeername()[1]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, *_rest = line.split()
        if (local.endswith(f":{there:04X}"), remote.endswith(f":{here:04X}")) == (True, True):
            return line.split()[9] != "0"
    return False


def wait_until_no_process_holds(wire: socket.socket) -> None:
    until = time.monotonic() + PATIENCE
    while is_held_by_a_process(wire):
        assert time.monotonic() < until, "the connection is still held"
        time.sleep(0.02)


def wait_until_let_go(wire: socket.socket) -> None:
    until = time.monotonic() + PATIENCE
    while not is_let_go(wire):
        assert time.monotonic() < until, "the connection is still held"
        time.sleep(0.02)
