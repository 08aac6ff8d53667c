"""Exact arithmetic from places a query names to turn numbers; pure, and ignorant of language.

Every function takes the numbers of the turns still remembered, ascending. Where old turns have expired the
numbers do not start at one: a count ("the second one") then counts what is still remembered, while a turn named
by its number ("turn 7") is that turn or nothing. The last turn is one question ago.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gunita.models import Positions, TemporalSense

EARLIER_REACH = 3
"""How many of the latest turns a bare "earlier" may mean."""


@dataclass(frozen=True, slots=True)
class Places:
    """Turn numbers a query names, in the order named, and whether it names one that is not there."""

    found: tuple[int, ...]
    missing: bool = False


NOWHERE = Places((), missing=True)


def names_a_place(positions: Positions) -> bool:
    return bool(positions.from_start or positions.from_end or positions.ago or positions.numbered)


def place(positions: Positions, remembered: Sequence[int]) -> Places:
    """Turn numbers meant by positions that need no anchor; an offset is applied to the place named with it."""
    wanted = [counted_from_start(n, remembered) for n in positions.from_start]
    wanted += [named(n, remembered) for n in positions.numbered]
    wanted += [counted_from_end(n, remembered) for n in positions.from_end]
    wanted += [counted_from_end(n, remembered) for n in positions.ago]
    if positions.offset is not None:
        wanted = [None if number is None else beside(number, positions.offset, remembered) for number in wanted]
    found = tuple(dict.fromkeys(number for number in wanted if number is not None))
    return Places(found, missing=None in wanted or not wanted)


def counted_from_start(n: int, remembered: Sequence[int]) -> int | None:
    return remembered[n - 1] if 1 <= n <= len(remembered) else None


def counted_from_end(n: int, remembered: Sequence[int]) -> int | None:
    return remembered[-n] if 1 <= n <= len(remembered) else None


def named(number: int, remembered: Sequence[int]) -> int | None:
    return number if number in remembered else None


def beside(anchor: int, offset: int, remembered: Sequence[int]) -> int | None:
    """The remembered turn so many after (+) or before (-) the anchor, or None past either end."""
    if anchor not in remembered:
        return None
    index = remembered.index(anchor) + offset
    return remembered[index] if 0 <= index < len(remembered) else None


def at_time(sense: TemporalSense, remembered: Sequence[int]) -> Places:
    """Turns a time word alone points at, most recent first."""
    if not remembered:
        return NOWHERE
    match sense:
        case TemporalSense.JUST_NOW:
            return Places((remembered[-1],))
        case TemporalSense.OPENING:
            return Places((remembered[0],))
        case TemporalSense.EARLIER:
            return Places(tuple(reversed(remembered[-EARLIER_REACH:])))
