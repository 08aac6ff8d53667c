"""How long the call at hand may still wait; whoever waits for a database looks here first."""

from __future__ import annotations

import time
from contextvars import ContextVar, Token


class Budget:
    """Seconds that may be waited, spent only while somebody waits."""

    __slots__ = ("_left", "_since")

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._since: float | None = None

    def begin(self, at: float) -> None:
        self._since = at

    def end(self, at: float) -> None:
        if self._since is not None:
            self._left -= at - self._since
            self._since = None

    @property
    def left(self) -> float:
        waited = 0.0 if self._since is None else time.monotonic() - self._since
        return max(0.0, self._left - waited)


_budget: ContextVar[Budget | None] = ContextVar("gunita_deadline", default=None)
current = _budget.get
"""Gives the budget of the call at hand, if it has one."""


class within:  # noqa: N801  reads as what it does: `with deadline.within(5):`
    """Bounds the time that is waited for a database inside; a bound that is there already stands.

    Thinking does not count, unless all the time is meant.
    """

    __slots__ = ("_all_the_time", "_seconds", "_token")

    def __init__(self, seconds: float, *, all_the_time: bool = False) -> None:
        self._seconds = seconds
        self._all_the_time = all_the_time
        self._token: Token[Budget | None] | None = None

    def __enter__(self) -> None:
        if current() is None:
            budget = Budget(self._seconds)
            if self._all_the_time:
                budget.begin(time.monotonic())
            self._token = _budget.set(budget)

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _budget.reset(self._token)


def remaining(at_most: float) -> float:
    """Tell how many seconds may still be waited, at most so many; 0 when the time is up."""
    budget = current()
    return at_most if budget is None else min(at_most, budget.left)


def is_set() -> bool:
    return current() is not None
