"""Understanding may fail; a turn goes on without it, and its reply says so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from gunita.chat.past import Past
from gunita.language import encoder
from gunita.models import Turn
from gunita.resilience.guard import Counters
from gunita.services.understanding import AFRESH, Reading

NOT_UNDERSTOOD = "what this message refers to could not be worked out; it was answered as a question of its own"

_log = logging.getLogger("gunita.chat")

_MISTAKES: tuple[type[Exception], ...] = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)

Outcome = TypeVar("Outcome")


def read(past: Past, query: str, counters: Counters) -> tuple[Reading, list[Turn], tuple[str, ...]]:
    """Understand a query; where that fails, take it for a question of its own and say so."""
    found = attempted(lambda: past.understood(query), counters)
    return (*found, ()) if found is not None else (AFRESH, past.latest(), (NOT_UNDERSTOOD,))


def attempted(understanding: Callable[[], Outcome], counters: Counters) -> Outcome | None:
    """Give what understanding says, or None where it fails."""
    try:
        return understanding()
    except failures() as failure:
        counters.references_failed += 1
        _log.error("understanding failed: %s", type(failure).__name__, exc_info=failure)
        return None


def failures() -> tuple[type[Exception], ...]:
    """List what our own code and its data may fail with, and what the model's runtime has of its own."""
    return _MISTAKES + encoder.runtime_errors()
