"""How long the call at hand may still take; whoever waits for a database looks here first."""

from __future__ import annotations

import time
from contextvars import ContextVar

_until: ContextVar[float | None] = ContextVar("gunita_deadline", default=None)


class within:  # noqa: N801  reads as a verb: `with deadline.within(5)`
    """Bounds everything that is waited for inside; an earlier bound stands."""

    __slots__ = ("_seconds", "_token")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        known, fresh = _until.get(), time.monotonic() + self._seconds
        self._token = _until.set(fresh if known is None or fresh < known else known)

    def __exit__(self, *_: object) -> None:
        _until.reset(self._token)


def remaining(at_most: float) -> float:
    """Tell how many seconds may still be waited, at most so many; 0 when the time is up."""
    until = _until.get()
    return at_most if until is None else max(0.0, min(at_most, until - time.monotonic()))


def is_set() -> bool:
    return _until.get() is not None
