"""What a running service does by itself beside answering: forgets on time, and watches how full its database is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gunita.aio import AsyncGunita
from gunita.errors import GunitaError, StorageError
from gunita.services.statistics import StorageSize

_log = logging.getLogger("gunita.upkeep")

LOOKS_EVERY = 900.0
"""Seconds between two looks at the size of the database."""


@asynccontextmanager
async def kept_up(gunita: AsyncGunita) -> AsyncIterator[None]:
    """Clean on schedule and watch the storage meanwhile, unless the settings leave that to others."""
    if gunita.settings.background is False:
        yield
        return
    watching = asyncio.create_task(_watch_storage(gunita))
    scheduling = asyncio.create_task(_schedule(gunita))
    try:
        yield
    finally:
        for task in (watching, scheduling):
            task.cancel()
        await asyncio.gather(watching, scheduling, return_exceptions=True)
        await gunita.cleanup.stop_schedule()


async def _schedule(gunita: AsyncGunita) -> None:
    """Begin to clean as soon as the database says when it was done last."""
    while True:
        try:
            return await gunita.cleanup.schedule_hourly()
        except StorageError as problem:
            _log.warning("cleaning is not scheduled yet: %s", problem)
            await asyncio.sleep(LOOKS_EVERY / 30)


async def _watch_storage(gunita: AsyncGunita) -> None:
    while True:
        try:
            tell_if_full(await gunita.statistics.storage())
        except GunitaError as problem:
            _log.warning("the size of the database is not known: %s", problem)
        await asyncio.sleep(LOOKS_EVERY)


def tell_if_full(size: StorageSize) -> None:
    """Warn while there is still time to do something."""
    if size.is_nearly_full:
        _log.warning(
            "the database takes %d MB of the %d MB it may take; shorten the retention, or make room",
            size.bytes // 1_000_000,
            size.budget_bytes // 1_000_000,
            extra={"operation": "storage_watch"},
        )
