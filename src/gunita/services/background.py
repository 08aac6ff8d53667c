"""Does what waits in the tables, in threads of this process: one reads messages for search, one learns memories."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gunita.errors import GunitaError

_log = logging.getLogger("gunita.services")


@dataclass(frozen=True, slots=True)
class Rests:
    """How long a worker rests, in seconds."""

    idle: float = 1.0
    """When there was nothing to do; work that other processes leave waits no longer than this."""
    trouble: float = 10.0
    """When the database, or something nobody foresaw, made it fail."""
    stopping: float = 10.0
    """How long stopping waits for work on its way; what is not done by then is leased, and comes back by itself."""


@dataclass(frozen=True, slots=True)
class Task:
    """Work of one kind: does some of what waits, and tells how much that was."""

    name: str
    work: Callable[[], int]


class Background:
    """The workers of one process; several processes on one database share the work, since all of it is leased."""

    def __init__(self, tasks: Sequence[Task], rests: Rests | None = None) -> None:
        self._tasks = tasks
        self._rests = rests or Rests()
        self._workers: list[_Worker] = []
        self._lock = threading.Lock()

    @property
    def is_running(self) -> bool:
        return bool(self._workers)

    def start(self) -> None:
        """Work from now on; a second start changes nothing."""
        with self._lock:
            if not self._workers:
                self._workers = [_Worker(task, self._rests) for task in self._tasks]

    def wake(self) -> None:
        """Look at once for something to do."""
        for worker in self._workers:
            worker.wake()

    def stop(self) -> None:
        """Stop after what is being done; a second stop changes nothing."""
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.join(self._rests.stopping)


class _Worker:
    """One thread that works until it is dismissed."""

    def __init__(self, task: Task, rests: Rests) -> None:
        self._task = task
        self._rests = rests
        self._woken = threading.Event()
        self._dismissed = False
        self._thread = self._begun(0.0)

    def wake(self) -> None:
        self._woken.set()

    def dismiss(self) -> None:
        self._dismissed = True
        self._woken.set()

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _begun(self, rest: float) -> threading.Thread:
        thread = threading.Thread(target=self._run, args=(rest,), name=f"gunita-{self._task.name}", daemon=True)
        thread.start()
        return thread

    def _run(self, rest: float) -> None:
        try:
            while True:
                self._woken.wait(rest)
                self._woken.clear()
                if self._dismissed:
                    return
                rest = self._round()
        finally:
            # What nobody foresaw ends the thread and is told by its trace; the work goes on in another one.
            if not self._dismissed:
                self._thread = self._begun(self._rests.trouble)

    def _round(self) -> float:
        """Do some work; say how long to rest."""
        try:
            done = self._task.work()
        except GunitaError as problem:
            if not self._dismissed:
                _log.warning("background work (%s) failed and is tried again: %s", self._task.name, problem)
            return self._rests.trouble
        return 0.0 if done else self._rests.idle
