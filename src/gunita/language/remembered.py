"""Values made lately, kept at hand: the same texts are asked about again and again within a conversation.

Whoever deletes what somebody said also has this let go: `let_go_of_texts` empties every memory there is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from threading import Lock
from typing import Generic, ParamSpec, TypeVar, cast
from weakref import WeakSet

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Given = ParamSpec("Given")

_memories: WeakSet[Remembered] = WeakSet()  # type: ignore[type-arg]
_emptied_by: list[Callable[[], None]] = []


class Remembered(Generic[Key, Value]):
    """The values made lately, by key, which together weigh at most so much; each weighs one unless it is weighed."""

    def __init__(self, most: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._known: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()
        _memories.add(self)

    def get(self, key: Key, make: Callable[[Key], Value]) -> Value:
        """The remembered value, or a new one, made outside the lock so that nobody waits for another's."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        value = make(key)
        with self._lock:
            if key not in self._known:
                self._weight += self._weigh(value)
            self._known[key] = value
            while self._weight > self._most:
                self._weight -= self._weigh(self._known.popitem(last=False)[1])
        return value

    def clear(self) -> None:
        with self._lock:
            self._known.clear()
            self._weight = 0


def remembering(most: int) -> Callable[[Callable[Given, Value]], Callable[Given, Value]]:
    """Have a function of a text remember what it gave lately."""

    def wrapped(function: Callable[Given, Value]) -> Callable[Given, Value]:
        cached = lru_cache(maxsize=most)(function)
        _emptied_by.append(cached.cache_clear)
        return cast("Callable[Given, Value]", cached)

    return wrapped


def let_go_of_texts() -> None:
    """Forget every text that was read lately, and all that was made of them, in this process."""
    for memory in list(_memories):
        memory.clear()
    for empty in _emptied_by:
        empty()
