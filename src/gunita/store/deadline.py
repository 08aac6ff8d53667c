"""How long the call at hand may still take; whoever waits for a database looks here first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_until: ContextVar[float | None] = ContextVar("gunita_deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Bound everything that is waited for inside; an earlier bound stands."""
    known, fresh = _until.get(), time.monotonic() + seconds
    token = _until.set(fresh if known is None else min(known, fresh))
    try:
        yield
    finally:
        _until.reset(token)


def remaining(at_most: float) -> float:
    """Tell how many seconds may still be waited, at most so many; 0 when the time is up."""
    until = _until.get()
    return at_most if until is None else max(0.0, min(at_most, until - time.monotonic()))


def is_set() -> bool:
    return _until.get() is not None
