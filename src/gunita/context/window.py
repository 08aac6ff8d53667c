"""Which turns of a conversation stand before a model: the first, the latest, and those the query points at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gunita.models import Turn

WINDOW_TURNS = 20


class WindowReason(StrEnum):
    """Why a turn is in the window."""

    NEWEST = "newest"
    REFERENCED = "referenced"
    FIRST = "first"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class WindowTurn:
    turn: Turn
    reasons: tuple[WindowReason, ...]

    @property
    def is_newest(self) -> bool:
        return WindowReason.NEWEST in self.reasons

    @property
    def is_referenced(self) -> bool:
        return WindowReason.REFERENCED in self.reasons

    @property
    def is_first(self) -> bool:
        return WindowReason.FIRST in self.reasons

    @property
    def is_recent(self) -> bool:
        return WindowReason.RECENT in self.reasons


def choose_window(
    turns: Iterable[Turn],
    referenced: Sequence[int] = (),
    size: int = WINDOW_TURNS,
    folded_through: int = 0,
) -> tuple[WindowTurn, ...]:
    """Choose at most `size` turns in order: the newest, then those referenced, the first, and the latest others.

    Turns up to `folded_through` are told by the summary and count as neither latest nor recent.
    """
    remembered = {turn.turn_number: turn for turn in turns}
    if not remembered or size < 1:
        return ()
    numbers = sorted(remembered)
    newest, first = numbers[-1], numbers[0]
    meant = [number for number in dict.fromkeys(referenced) if number in remembered]
    recent = [number for number in reversed(numbers) if number > folded_through]
    chosen = sorted(list(dict.fromkeys((newest, *meant, first, *recent)))[:size])
    latest = _latest(chosen, recent)
    return tuple(
        WindowTurn(remembered[number], _reasons(number, newest=newest, first=first, meant=meant, latest=latest))
        for number in chosen
    )


def _latest(chosen: Collection[int], recent: Sequence[int]) -> set[int]:
    """Turns that follow each other without a gap up to the newest."""
    kept = set(chosen)
    latest: set[int] = set()
    for number in recent:
        if number not in kept:
            break
        latest.add(number)
    return latest


def _reasons(
    number: int, *, newest: int, first: int, meant: Collection[int], latest: Collection[int]
) -> tuple[WindowReason, ...]:
    holds = {
        WindowReason.NEWEST: number == newest,
        WindowReason.REFERENCED: number in meant,
        WindowReason.FIRST: number == first,
        WindowReason.RECENT: number in latest,
    }
    return tuple(reason for reason, true in holds.items() if true)
