"""Stands the guard, the journal and the memory for bad times around a database."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from gunita.errors import StorageUnavailableError
from gunita.models import CountedFrom, Retention
from gunita.resilience.fallback import ConversationsInUse
from gunita.resilience.guard import GuardedDatabase, Watch
from gunita.resilience.journal import Journal
from gunita.resilience.keeper import Keeper
from gunita.resilience.retry import Patience, retried
from gunita.settings import Settings
from gunita.store.database import Database

_log = logging.getLogger("gunita.resilience")

Opened = TypeVar("Opened")

FOR_EVER = 24 * 366 * 200.0
"""Hours of a retention that nobody lives to see the end of."""


def guarded(database: Database, settings: Settings) -> GuardedDatabase:
    patience = Patience(
        attempts=settings.storage_attempts,
        first_wait=settings.storage_retry_seconds,
        deadline=settings.storage_deadline_seconds,
    )
    return GuardedDatabase(database, Watch(patience, settings.slow_database_seconds))


def keeper(database: GuardedDatabase, settings: Settings, clock: Callable[[], datetime]) -> Keeper:
    """Make what keeps turns while the database is away, and take over what others left; without a journal where
    settings turn the fallback off, so that it only finds out when the database is back."""
    folder = journal_folder(settings) if settings.fallback else None
    journal = None if folder is None else Journal(folder, fingerprint(settings))
    retention = Retention(
        timedelta(hours=min(settings.retention_hours, FOR_EVER)), CountedFrom(settings.retention_counted_from)
    )
    made = Keeper(database, journal, ConversationsInUse(settings.fallback_memory_bytes), clock, retention)
    made.take_over()
    return made


def patiently(opening: Callable[[], Opened], settings: Settings) -> Opened:
    """Open a server's database, waiting for one that is just starting; a file is there or is not."""
    try:
        return opening()
    except StorageUnavailableError as trouble:
        if not settings.is_postgres:
            raise
        _log.warning("the database does not answer yet: %s", trouble)
        return retried(
            opening,
            trouble,
            Patience(settings.storage_attempts, settings.storage_retry_seconds),
            writes=False,
            seconds_left=lambda: math.inf,
            sleep=time.sleep,
            chance=random.random,
        )


def journal_folder(settings: Settings) -> Path | None:
    """Say where turns wait: where settings say, else beside the database's file, else with the user's own state."""
    if settings.journal_folder is not None:
        return settings.journal_folder.expanduser()
    if settings.is_postgres:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        return Path(state) / "gunita"
    file = settings.sqlite_path
    return None if file is None else file.with_name(f"{file.name}.waiting")


def fingerprint(settings: Settings) -> str:
    """Name a database, so that what waits for one is never written to another; no password is part of it."""
    if settings.is_postgres:
        address = urlsplit(settings.database_url)
        name = f"{address.netloc.rpartition('@')[2]}{address.path}/{settings.postgres_schema}"
    else:
        name = str(settings.sqlite_path and settings.sqlite_path.resolve())
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]
