"""Which trouble passes, how long to wait for it, and when to stop; decides only, the clock and sleep are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from gunita.errors import GunitaError, StorageUnavailableError

Outcome = TypeVar("Outcome")

MOST_ATTEMPTS = 5
LONGEST_WAIT = 8.0
"""In first waits: 1, 2, 4, 8 and no longer."""
JITTER = 0.25
"""The part of a wait that is left to chance, so that many who wait do not come back at once."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is tried, how long after the first failure it is tried again, and when it is given up."""

    attempts: int = MOST_ATTEMPTS
    first_wait: float = 1.0
    deadline: float = 5.0


def waits(first_wait: float, chance: Callable[[], float]) -> Iterator[float]:
    """Give the waits between attempts: each twice the one before up to the longest, a part of it left to chance."""
    wait = first_wait
    while True:
        yield wait * (1 - JITTER + 2 * JITTER * chance())
        wait = min(wait * 2, first_wait * LONGEST_WAIT)


def is_temporary(error: BaseException) -> bool:
    """Tell trouble that passes from what would fail again: the drivers' edges name it StorageUnavailableError."""
    return isinstance(error, StorageUnavailableError)


def may_be_repeated(error: GunitaError, *, writes: bool) -> bool:
    """Tell whether a statement may run again: a write only when it is sure that it was not done."""
    if not isinstance(error, StorageUnavailableError):
        return False
    return not (writes and error.maybe_done)


def retried(
    call: Callable[[], Outcome],
    first: StorageUnavailableError,
    patience: Patience,
    *,
    writes: bool,
    seconds_left: Callable[[], float],
    sleep: Callable[[float], None],
    chance: Callable[[], float],
    give_up: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Try a call again that failed once, until it works, fails for good, or the time is up."""
    trouble = first
    for _, wait in zip(range(patience.attempts - 1), waits(patience.first_wait, chance), strict=False):
        if not may_be_repeated(trouble, writes=writes) or give_up() or wait >= seconds_left():
            break
        sleep(wait)
        if give_up():
            break
        try:
            return call()
        except StorageUnavailableError as again:
            trouble = again
    raise trouble
