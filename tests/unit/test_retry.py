"""Waiting for trouble that passes: how often, how long, and when it is given up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.errors import ConflictError, StorageBusyError, StorageUnavailableError
from gunita.resilience.retry import MOST_ATTEMPTS, Patience, may_be_repeated, retried, waits


class Time:
    """A clock that moves when somebody sleeps, or when a call takes its time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Flaky:
    """Fails so many times, taking so long each time, and works afterwards."""

    def __init__(self, time: Time, failures: int, seconds: float = 0.0, *, maybe_done: bool = False) -> None:
        self.time, self.failures, self.seconds, self.maybe_done = time, failures, seconds, maybe_done
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        self.time.now += self.seconds
        if self.calls <= self.failures:
            raise StorageUnavailableError("away", maybe_done=self.maybe_done)
        return "done"


def attempted(flaky: Flaky, patience: Patience, *, writes: bool, chance: float = 0.5) -> str | None:
    """Call as the guard does: once, and then again while there is patience."""
    began = flaky.time.now
    try:
        return flaky()
    except StorageUnavailableError as first:
        try:
            return retried(
                flaky,
                first,
                patience,
                writes=writes,
                seconds_left=lambda: patience.deadline - (flaky.time.now - began),
                sleep=flaky.time.sleep,
                chance=lambda: chance,
            )
        except StorageUnavailableError:
            return None


def test_the_waits_are_one_two_four_and_eight_seconds() -> None:
    time = Time()
    assert attempted(Flaky(time, 99), Patience(deadline=60), writes=False) is None
    assert time.slept == [1, 2, 4, 8]


@given(
    failures=st.integers(0, 9),
    seconds=st.floats(0, 3),
    deadline=st.floats(0.1, 30),
    attempts=st.integers(1, MOST_ATTEMPTS),
    chance=st.floats(0, 1, exclude_max=True),
    writes=st.booleans(),
)
def test_nobody_tries_more_often_than_allowed_or_begins_a_wait_that_would_pass_the_deadline(
    failures: int, seconds: float, deadline: float, attempts: int, chance: float, writes: bool
) -> None:
    time = Time()
    flaky = Flaky(time, failures, seconds)
    done = attempted(flaky, Patience(attempts, 1.0, deadline), writes=writes, chance=chance)
    assert flaky.calls <= attempts
    # The last call may take its own time; what was waited for before it lies within the deadline.
    assert time.now - seconds <= max(deadline, 0)
    assert (done == "done") == (flaky.calls > failures)


@given(failures=st.integers(1, 4))
def test_a_write_whose_outcome_nobody_knows_is_never_repeated(failures: int) -> None:
    time = Time()
    flaky = Flaky(time, failures, maybe_done=True)
    assert attempted(flaky, Patience(deadline=60), writes=True) is None
    assert flaky.calls == 1
    assert time.slept == []


@given(chance=st.lists(st.floats(0, 1, exclude_max=True), min_size=8, max_size=8))
def test_a_wait_is_a_quarter_of_chance_around_the_doubled_one_and_no_longer_than_eight(chance: list[float]) -> None:
    drawn = iter(chance)
    for number, wait in zip(range(8), waits(1.0, lambda: next(drawn)), strict=False):
        plain = min(2.0**number, 8.0)
        assert wait == pytest.approx(plain * (0.75 + chance[number] / 2))


def test_only_trouble_that_passes_is_tried_again() -> None:
    assert may_be_repeated(StorageUnavailableError("refused"), writes=True)
    assert may_be_repeated(StorageBusyError("locked"), writes=True)
    assert may_be_repeated(StorageUnavailableError("cut", maybe_done=True), writes=False)
    assert not may_be_repeated(StorageUnavailableError("cut", maybe_done=True), writes=True)
    assert not may_be_repeated(ConflictError("twice"), writes=False)
