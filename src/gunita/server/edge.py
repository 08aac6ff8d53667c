"""What every request passes first: an id, headers that keep browsers careful, and a limit on how much it may send."""

from __future__ import annotations

import re
from uuid import uuid4

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_REQUEST_ID = re.compile(rb"^[A-Za-z0-9._:-]{1,128}$")

CAREFUL = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
KEPT_BY_NOBODY = (b"cache-control", b"no-store")


class RequestIds:
    """Gives every request an id, its own where it brings a sane one, and says it in the reply."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        brought = dict(scope["headers"]).get(b"x-request-id", b"")
        request_id = brought if _REQUEST_ID.match(brought) else uuid4().hex.encode()
        scope.setdefault("state", {})["request_id"] = request_id.decode()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_ours(message["headers"], (b"x-request-id", request_id))
            await send(message)

        await self._app(scope, receive, send_with_id)


def _with_ours(headers: list[tuple[bytes, bytes]], *more: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Add our headers to a reply's; what a route says of itself stands."""
    said = {name.lower() for name, _ in headers}
    return [*headers, *more, *(ours for ours in (*CAREFUL, KEPT_BY_NOBODY) if ours[0] not in said)]


class TooLarge(HTTPException):
    """The body is over the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"The body is larger than {limit:,} bytes; send less at a time")


class BodyLimit:
    """Refuses bodies over a limit, announced or streamed, before they fill the memory."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        received = int(announced) if announced.isdigit() and int(announced) > self._limit else 0

        async def receive_within_limit() -> Message:
            nonlocal received
            if received <= self._limit:
                message = await receive()
                received += len(message.get("body", b""))
            if received > self._limit:
                raise TooLarge(self._limit)
            return message

        await self._app(scope, receive_within_limit, send)
