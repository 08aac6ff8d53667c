"""A circuit: after trouble enough nobody asks the database any more, until a probe finds it back."""

from __future__ import annotations

import threading
from collections.abc import Callable

FAILURES_ALLOWED = 3
"""Failures in a row, whoever meets them, after which the circuit opens."""


class Circuit:
    """Closed while the database answers; open while it is away. Reading `is_open` costs one look."""

    def __init__(self, clock: Callable[[], float], failures_allowed: int = FAILURES_ALLOWED) -> None:
        self._clock = clock
        self._failures_allowed = failures_allowed
        self._lock = threading.Lock()
        self._probing = False
        self.is_open = False
        self.failures = 0
        self.opened_at: float | None = None
        self.openings = 0

    def failed(self) -> bool:
        """Count a failure; tell whether it opened the circuit."""
        with self._lock:
            self.failures += 1
            return self.failures >= self._failures_allowed and self._open()

    def trip(self) -> bool:
        """Open at once, as a call does that has tried everything; tell whether it was closed."""
        with self._lock:
            return self._open()

    def worked(self) -> None:
        """Forget the failures: they were not in a row. An open circuit closes by a probe alone."""
        with self._lock:
            if not self.is_open:
                self.failures = 0

    def begin_probe(self) -> bool:
        """Let one caller through while the circuit is open; False while another one is trying."""
        with self._lock:
            if not self.is_open or self._probing:
                return False
            self._probing = True
            return True

    def end_probe(self, *, worked: bool) -> None:
        """Close the circuit if the probe worked; else it stays open and may be probed again."""
        with self._lock:
            self._probing = False
            if worked:
                self.is_open, self.failures, self.opened_at = False, 0, None

    @property
    def seconds_open(self) -> float:
        opened = self.opened_at
        return 0.0 if opened is None else self._clock() - opened

    def _open(self) -> bool:
        if self.is_open:
            return False
        self.is_open, self.opened_at = True, self._clock()
        self.openings += 1
        return True
