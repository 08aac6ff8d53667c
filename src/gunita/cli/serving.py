"""`gunita serve`."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

import typer
import uvicorn

from gunita.app import Gunita
from gunita.errors import ValidationError
from gunita.resilience.opening import patiently
from gunita.server import listening, logs
from gunita.server.app import create_app, unsafe_to_listen
from gunita.settings import Settings

STOPPING_SECONDS = 10
"""How long streams may go on when the service is told to stop; what was said by then is kept."""
KEEP_ALIVE_SECONDS = 75
"""Longer than load balancers hold an idle connection (60 s), so that no request of theirs meets one we just closed."""


def serve(settings: Settings, tell: Callable[[dict[str, Any]], None]) -> None:
    """Listen, unless that would let strangers in; tell where once somebody is heard."""
    with patiently(lambda: Gunita.with_settings(settings), settings) as g:
        has_keys = settings.require_auth or any(key.revoked_at is None for key in g.keys.list_keys())
    if problem := unsafe_to_listen(settings, has_keys=has_keys):
        raise ValidationError("host", problem)
    logs.configure(settings.log_level)
    listening.take_all_descriptors()
    server = TellingServer(config_of(settings), tell)
    server.run()
    if not server.started:
        raise typer.Exit(1)


class TellingServer(uvicorn.Server):
    """A server that says where it listens, also when the port was left to the system."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(config)
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in self.servers[:1] if self.started else ():
            host, port = listener.sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            self._tell({"address": f"http://{shown}:{port}", "pid": os.getpid()})


def config_of(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(settings),
        http=listening.protocol_for(settings),
        host=settings.host,
        port=settings.port,
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=STOPPING_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        access_log=False,
        log_config=None,
    )
