"""The thread that looks whether the database is back, ever more seldom, while something waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import chain

from gunita.resilience.retry import Patience, waits

FIRST_LOOK = 0.1
"""The part of a first wait after which the database is looked at for the first time."""


class Recovery:
    """Runs while there is something to bring back, and ends with it."""

    def __init__(
        self,
        attempt: Callable[[], bool],
        is_settled: Callable[[], bool],
        patience: Patience,
        chance: Callable[[], float],
    ) -> None:
        self._attempt = attempt
        self._is_settled = is_settled
        self._patience = patience
        self._chance = chance
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Begin to look, unless somebody is looking."""
        with self._lock:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="gunita-recovery", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop looking, once the attempt at hand has ended."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        # Trouble of a moment is over soon; what lasts is looked at ever more seldom.
        pauses = chain((self._patience.first_wait * FIRST_LOOK,), waits(self._patience.first_wait, self._chance))
        while not self._stopping.wait(next(pauses)):
            if self._attempt() and self._is_done():
                return

    def _is_done(self) -> bool:
        """End the thread where nothing has come to wait since the attempt; whoever comes later wakes another."""
        with self._lock:
            if self._is_settled():
                self._thread = None
                return True
            return False
