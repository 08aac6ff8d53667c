"""The guard around a real file: what counts as slow, for how long, and what it counts; the clock is given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gunita import Gunita
from gunita.models import Scope
from gunita.resilience.guard import SLOW_FOR, GuardedDatabase, GuardedScope, Watch
from gunita.store import statistics


class SteppingClock:
    """A clock that goes on by a step whenever it is looked at: whatever is timed by two looks takes one step."""

    def __init__(self) -> None:
        self.now, self.step = 1_000.0, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def watch(clock: SteppingClock) -> Watch:
    return Watch(clock=clock)


@pytest.fixture
def db(tmp_path: Path, watch: Watch) -> Iterator[GuardedScope]:
    with Gunita.open(tmp_path / "gunita.db") as g:
        yield GuardedDatabase(g._database.behind, watch).within(Scope())


def read(db: GuardedScope) -> None:
    statistics.ping(db)


def write_together(db: GuardedScope) -> None:
    with db.transaction():
        pass


@pytest.mark.parametrize("work", [read, write_together])
@pytest.mark.parametrize(("seconds", "is_slow"), [(0.0, False), (1.0, False), (1.001, True)])
def test_what_takes_longer_than_a_second_makes_a_database_count_as_slow(
    db: GuardedScope, watch: Watch, clock: SteppingClock, work, seconds: float, is_slow: bool
) -> None:
    clock.step = seconds
    work(db)
    clock.step = 0.0
    assert (watch.is_slow, watch.counters.slow_statements) == (is_slow, int(is_slow))


def test_a_database_that_was_slow_counts_as_slow_for_half_a_minute(
    db: GuardedScope, watch: Watch, clock: SteppingClock
) -> None:
    clock.step = 2.0
    read(db)
    clock.step = 0.0
    clock.now += SLOW_FOR - 0.001
    assert watch.is_slow
    clock.now += 0.001
    assert not watch.is_slow
