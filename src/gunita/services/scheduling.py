"""Work that comes round: every so often in a thread of this process, at once where it was missed, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from gunita.errors import MissingExtraError

_JOB = "cleanup"


class Schedule:
    """What a process has been told to do regularly; every scope of a Gunita shares it."""

    def __init__(self) -> None:
        self._scheduler: Any = None
        self._lock = threading.Lock()
        self._ending = threading.Event()

    @property
    def next_run_at(self) -> datetime | None:
        with self._lock:
            job = self._scheduler.get_job(_JOB) if self._scheduler else None
        return job.next_run_time.astimezone(UTC) if job and job.next_run_time else None

    def start(self, work: Callable[[], object], every: timedelta, first_at: datetime) -> None:
        """Do the work regularly from a moment on; a second start changes nothing."""
        try:
            from apscheduler.schedulers.background import BackgroundScheduler
        except ImportError as missing:
            raise MissingExtraError("a schedule", "server") from missing
        with self._lock:
            if self._scheduler is not None:
                return
            self._ending.clear()
            self._scheduler = BackgroundScheduler(timezone=UTC, daemon=True)
            # However many rounds were missed while the machine slept, they are made up for by one.
            self._scheduler.add_job(
                work,
                "interval",
                seconds=every.total_seconds(),
                id=_JOB,
                next_run_time=first_at,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )
            self._scheduler.start()

    def sooner(self, at: datetime) -> None:
        """Come round at a moment before the next regular one."""
        planned = self.next_run_at
        with self._lock:
            if self._scheduler is not None and planned is not None and at < planned:
                self._scheduler.modify_job(_JOB, next_run_time=at)

    def stop(self) -> None:
        """Stop after the piece of work at hand; a second stop changes nothing."""
        with self._lock:
            scheduler, self._scheduler = self._scheduler, None
        self._ending.set()
        if scheduler is not None:
            scheduler.shutdown(wait=True)

    def pause(self, seconds: float) -> bool:
        """Wait, unless the process ends; tell whether it does."""
        return self._ending.wait(seconds) if seconds > 0 else self._ending.is_set()
