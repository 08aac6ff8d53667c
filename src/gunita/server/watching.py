"""Looks on while requests are answered: how long each took, what it ended in, and a line in the log about it."""

from __future__ import annotations

import logging
import time
from typing import Any
from uuid import UUID

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gunita.server import logs
from gunita.server.metrics import Metrics

_log = logging.getLogger("gunita.access")

UNKNOWN = "unknown"
SMALL = {"/healthz", "/readyz", "/metrics"}
"""Asked every few seconds by machines; told in metrics and not in the log, unless they fail."""


class Watched:
    """Stands around everything but the request's id, which it tells."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        logs.unbind_all()
        logs.bind(request=scope["state"].get("request_id"))
        began, status, sent = time.perf_counter(), 500, 0

        async def send_and_count(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, send_and_count)
        finally:
            _tell(scope, status, time.perf_counter() - began, sent)


def _tell(scope: Scope, status: int, seconds: float, sent: int) -> None:
    route, method = route_of(scope), scope["method"]
    problem: str | None = scope["state"].get("problem")
    _bind_session_in_path(scope)
    metrics: Metrics | None = getattr(scope["app"].state, "metrics", None) if "app" in scope else None
    if metrics is not None:
        metrics.requested(route, method, status, seconds, sent, problem)
    level = logging.ERROR if status >= 500 else logging.INFO
    if _log.isEnabledFor(level) and (route not in SMALL or status >= 400):
        told = {"operation": f"{method} {route}", "status": status, "ms": round(seconds * 1e3, 2), "bytes": sent}
        _log.log(level, "request", extra=told | ({"problem": problem} if problem else {}))


def _bind_session_in_path(scope: Scope) -> None:
    named = scope.get("path_params", {})
    try:
        logs.bind_session(UUID(str(named.get("conversation_id") or named["session_id"])))
    except (KeyError, ValueError):
        # Whatever else stands there is no id, and may be text.
        return


def route_of(scope: Scope) -> str:
    """Name the route by its pattern; the path itself may hold ids, and what comes after it what was searched for."""
    route: Any = scope.get("route")
    return str(getattr(route, "path", UNKNOWN))
