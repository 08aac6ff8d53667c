"""`gunita serve`."""

from __future__ import annotations

import uvicorn

from gunita.app import Gunita
from gunita.errors import ValidationError
from gunita.resilience.opening import patiently
from gunita.server import listening, logs
from gunita.server.app import create_app, unsafe_to_listen
from gunita.settings import Settings

STOPPING_SECONDS = 10
"""How long streams may go on when the service is told to stop; what was said by then is kept."""


def serve(settings: Settings) -> None:
    """Listen, unless that would let strangers in."""
    with patiently(lambda: Gunita.with_settings(settings), settings) as g:
        has_keys = settings.require_auth or any(key.revoked_at is None for key in g.keys.list_keys())
    if problem := unsafe_to_listen(settings, has_keys=has_keys):
        raise ValidationError("host", problem)
    logs.configure(settings.log_level)
    listening.take_all_descriptors()
    uvicorn.run(
        create_app(settings),
        http=listening.protocol_for(settings),
        host=settings.host,
        port=settings.port,
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=STOPPING_SECONDS,
        access_log=False,
        log_config=None,
    )
