"""Places in words of code: what each kind of position means on a remembered history."""

from __future__ import annotations

import pytest

from gunita.language.positions import Places, at_time, beside, names_a_place, place
from gunita.models import Positions, TemporalSense

SIX = (1, 2, 3, 4, 5, 6)
EXPIRED = (4, 5, 6, 7, 8, 9)


@pytest.mark.parametrize(
    ("positions", "found"),
    [
        (Positions(from_start=(1,)), (1,)),
        (Positions(from_start=(3, 1)), (3, 1)),
        (Positions(from_end=(1,)), (6,)),
        (Positions(from_end=(2,)), (5,)),
        (Positions(ago=(1,)), (6,)),
        (Positions(ago=(2,)), (5,)),
        (Positions(from_start=(1,), from_end=(1,)), (1, 6)),
        (Positions(from_start=(2,), offset=1), (3,)),
        (Positions(from_start=(3,), offset=-2), (1,)),
        (Positions(from_end=(1,), offset=-1), (5,)),
        (Positions(numbered=(4,)), (4,)),
        (Positions(from_start=(6,), from_end=(1,)), (6,)),
    ],
)
def test_a_place_that_exists_is_found(positions: Positions, found: tuple[int, ...]) -> None:
    assert place(positions, SIX) == Places(found)


@pytest.mark.parametrize(
    "positions",
    [
        Positions(from_start=(7,)),
        Positions(from_end=(7,)),
        Positions(ago=(7,)),
        Positions(from_start=(1,), offset=-1),
        Positions(from_end=(1,), offset=1),
        Positions(numbered=(0,)),
        Positions(),
    ],
)
def test_a_place_that_does_not_exist_is_missing(positions: Positions) -> None:
    assert place(positions, SIX) == Places((), missing=True)


def test_what_is_there_is_kept_when_another_place_is_missing() -> None:
    assert place(Positions(from_start=(2, 9)), SIX) == Places((2,), missing=True)


def test_the_first_one_is_the_first_still_remembered() -> None:
    assert place(Positions(from_start=(1,)), EXPIRED) == Places((4,))
    assert place(Positions(from_start=(2,)), EXPIRED) == Places((5,))


def test_a_turn_named_by_its_number_is_that_turn_or_nothing() -> None:
    assert place(Positions(numbered=(7,)), EXPIRED) == Places((7,))
    assert place(Positions(numbered=(2,)), EXPIRED) == Places((), missing=True)


def test_beside_counts_what_is_remembered_and_stops_at_the_ends() -> None:
    assert beside(6, -1, (2, 6, 9)) == 2
    assert beside(6, 1, (2, 6, 9)) == 9
    assert beside(9, 1, (2, 6, 9)) is None
    assert beside(5, 1, (2, 6, 9)) is None


@pytest.mark.parametrize(
    ("sense", "found"),
    [(TemporalSense.JUST_NOW, (6,)), (TemporalSense.OPENING, (1,)), (TemporalSense.EARLIER, (6, 5, 4))],
)
def test_a_time_word_means_turns(sense: TemporalSense, found: tuple[int, ...]) -> None:
    assert at_time(sense, SIX) == Places(found)
    assert at_time(sense, ()) == Places((), missing=True)


def test_an_offset_alone_names_no_place() -> None:
    assert not names_a_place(Positions(offset=-1))
    assert names_a_place(Positions(ago=(1,)))
