"""What every request passes first: an id, and a limit on how much it may send."""

from __future__ import annotations

import re
from uuid import uuid4

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_REQUEST_ID = re.compile(rb"^[A-Za-z0-9._:-]{1,128}$")


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
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        await self._app(scope, receive, send_with_id)


class TooLarge(Exception):
    """The body is over the limit."""


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
        if announced.isdigit() and int(announced) > self._limit:
            await self._refuse(scope, send)
            return
        received = 0
        started = False

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit:
                raise TooLarge
            return message

        async def send_noting_start(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive_within_limit, send_noting_start)
        except TooLarge:
            if started:
                raise
            await self._refuse(scope, send)

    async def _refuse(self, scope: Scope, send: Send) -> None:
        body = orjson.dumps(
            {
                "error_code": "too_large",
                "message": f"The body is larger than {self._limit:,} bytes; send less at a time",
                "request_id": scope["state"]["request_id"],
            }
        )
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})
