"""The one way in which every adapter is spoken to: exchanges said, and heard again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gunita import Gunita

Exchange = tuple[str, str]
ROLES = ("user", "assistant")


class Speaking(Protocol):
    """One user's session as an adapter keeps it."""

    def say(self, said: Sequence[Exchange]) -> None: ...

    def heard(self) -> list[Exchange]: ...

    def clear(self) -> None: ...


def pairs(texts: Sequence[str]) -> list[Exchange]:
    return list(zip(texts[::2], texts[1::2], strict=True))


def run(awaited: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(awaited)


@dataclass(frozen=True)
class Adapter:
    name: str
    open: Callable[[Gunita, str, str], Speaking]
    keeps_turns: bool = True
    """False for a store of values, which knows no conversation."""
