"""How connections are listened to: nobody holds one by sending slowly, sending without end, or never reading."""

from __future__ import annotations

import asyncio
import resource
from typing import ClassVar

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gunita.settings import Settings

TOO_LONG = orjson.dumps(
    {"error_code": "head_too_large", "message": "The address and headers are too long; send fewer or shorter ones"}
)


class HeadTooLong(Exception):
    """A request's address and headers are over the limit."""


class PatientProtocol(HttpToolsProtocol):
    """Waits so long for a request's head, for its body, and for its reply to be read; then it lets go.

    uvicorn itself waits for all three for ever, and keeps a head in memory however long it grows.
    """

    settings: ClassVar[Settings]
    _cut: asyncio.TimerHandle | None = None
    """Lets go of who sends slowly."""
    _unread: asyncio.TimerHandle | None = None
    """Lets go of who does not read."""
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect(self.settings.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._cut is None and (self.cycle is None or self.cycle.response_complete):
            self._expect(self.settings.head_seconds)
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > self.settings.max_head_bytes and not self.transport.is_closing():
            # The parser keeps a header that has no end yet to itself.
            self.send_400_response("")

    def on_headers_complete(self) -> None:
        self._head_bytes = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self._head_bytes > self.settings.max_head_bytes:
            raise HeadTooLong
        self._head_bytes = 0
        self._expect(self.settings.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._expect(None)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head_bytes <= self.settings.max_head_bytes:
            super().send_400_response(msg)
            return
        head = (
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: application/json\r\nconnection: close\r\n"
        )
        self.transport.write(head + b"content-length: %d\r\n\r\n%b" % (len(TOO_LONG), TOO_LONG))
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.settings.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        # Closing waits until everything was read, which may be never.
        self._expect(self.settings.unread_seconds)

    def _expect(self, within: float | None) -> None:
        """Give the client so long for what comes next; None where nothing is owed."""
        if self._cut is not None:
            self._cut.cancel()
        self._cut = None if within is None else self.loop.call_later(within, self.transport.abort)


def protocol_for(settings: Settings) -> type[asyncio.Protocol]:
    """Make the protocol that is as patient as the settings say."""
    return type("Protocol", (PatientProtocol,), {"settings": settings})


def take_all_descriptors() -> None:
    """Have as many connections as this machine allows a process; by custom it begins with a part of them."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
