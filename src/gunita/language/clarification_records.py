"""What a clarification is made of, and every way in which a reply to it can end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gunita.models import Language, Turn

Candidate: TypeAlias = tuple[Turn, float]


class Meaning(Protocol):
    """Turns texts into unit vectors; the shipped encoder is one, and none at all will do."""

    def encode(self, texts: list[str], /) -> npt.NDArray[np.float32]: ...


class LoadedOnUse:
    """An encoder that is loaded with the first text it must compare, and not before."""

    def __init__(self, load: Callable[[], Meaning]) -> None:
        self._load = load

    def encode(self, texts: list[str], /) -> npt.NDArray[np.float32]:
        return self._loaded.encode(texts)

    @cached_property
    def _loaded(self) -> Meaning:
        return self._load()


@dataclass(frozen=True, slots=True)
class Choice:
    """One turn offered to the user: what was asked, and where in the conversation."""

    turn: Turn
    label: str
    place: str


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back to the user, the choices it shows, and every turn that it may still end in."""

    query: str
    """The query that was not clear; it goes on once the question is settled."""
    question: str
    choices: tuple[Choice, ...]
    candidates: tuple[Candidate, ...]
    """Best first. Holds the turns of the choices, and turns that are not shown yet."""
    language: Language
    polite: bool = False
    round: int = 1
    latest_turn: int = 0
    """The number of the conversation's last turn, from which "two questions ago" counts."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(turn for turn, _ in self.candidates)

    @property
    def shown(self) -> tuple[Turn, ...]:
        return tuple(choice.turn for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Settled:
    """The reply says which turn is meant, or which several."""

    turns: tuple[Turn, ...]

    @property
    def turn(self) -> Turn:
        return self.turns[0]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The reply leaves fewer candidates, or none clear; the next round's question is ready."""

    clarification: Clarification

    @property
    def question(self) -> str:
        return self.clarification.question


@dataclass(frozen=True, slots=True)
class NotAnAnswer:
    """The reply is a query of its own; the pending question is dropped."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """No turn was found; the original query goes on without one, and the notice says so to the user."""

    notice: str


Outcome: TypeAlias = Settled | Narrowed | NotAnAnswer | GaveUp


def by_number(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(sorted(turns, key=lambda turn: turn.turn_number))
