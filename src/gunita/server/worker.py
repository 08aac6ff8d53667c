"""The service's own worker: begins with the service, works for every tenant, ends before the database closes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gunita.aio import AsyncGunita


@asynccontextmanager
async def working(gunita: AsyncGunita) -> AsyncIterator[None]:
    """Work in the background meanwhile, unless the settings leave that to others or somebody has begun already."""
    background = gunita.background
    if gunita.settings.background is False or background.is_running:
        yield
        return
    background.start()
    try:
        yield
    finally:
        # Stopping waits for work on its way, and the loop has streams to end meanwhile.
        await asyncio.to_thread(background.stop)
