"""Ids are UUIDv7, unique, and in the order of time and of asking."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import RFC_4122

from hypothesis import given
from hypothesis import strategies as st

from gunita.ids import first_id, microseconds, moment_of, new_id, new_ids, now

moments = st.integers(0, microseconds(datetime(9999, 1, 1, tzinfo=UTC))).map(moment_of)
MICROSECOND = timedelta(microseconds=1)


@given(moment=moments)
def test_an_id_is_a_uuid_of_version_seven(moment: datetime) -> None:
    made = new_id(moment)
    assert made.version == 7
    assert made.variant == RFC_4122
    assert made.int >> 80 == microseconds(moment) // 1000


@given(moment=moments, count=st.integers(2, 50))
def test_ids_of_one_moment_ascend_in_the_order_of_asking(moment: datetime, count: int) -> None:
    made = [new_id(moment) for _ in range(count)]
    assert made == sorted(set(made))


@given(moment=moments, later=st.timedeltas(MICROSECOND, timedelta(days=9)))
def test_id_order_is_time_order_to_the_microsecond(moment: datetime, later: timedelta) -> None:
    assert new_id(moment) < new_id(moment + MICROSECOND)
    assert new_id(moment + later) > new_id(moment)


@given(moment=moments)
def test_the_first_id_of_a_moment_parts_what_came_before_from_what_did_not(moment: datetime) -> None:
    assert first_id(moment) <= new_id(moment) < first_id(moment + MICROSECOND)
    if moment - MICROSECOND >= datetime(1970, 1, 1, tzinfo=UTC):
        assert new_id(moment - MICROSECOND) < first_id(moment)


@given(moment=moments)
def test_times_survive_as_microseconds(moment: datetime) -> None:
    assert moment_of(microseconds(moment)) == moment


@given(moment=moments, elsewhere=moments, count=st.integers(1, 5))
def test_ids_made_together_ascend_and_are_nobody_elses(moment: datetime, elsewhere: datetime, count: int) -> None:
    before, together, between, after = new_id(moment), new_ids(moment, count), new_id(elsewhere), new_id(moment)
    assert len({before, *together, between, after}) == count + 3
    assert [before, *together] == sorted([before, *together])
    assert len(set(together)) == count


def test_ids_before_the_epoch_are_ids_too() -> None:
    assert new_id(datetime(1960, 1, 1, tzinfo=UTC)).version == 7


def test_threads_never_make_the_same_id_and_pairs_stay_in_order() -> None:
    frozen, together = now(), threading.Barrier(16)

    def make(n: int) -> list[object]:
        together.wait()
        made = []
        for step in range(200):
            first, second = new_ids(frozen + (step % 3) * n * MICROSECOND, 2)
            assert first < second
            made += [first, second]
        return made

    with ThreadPoolExecutor(16) as pool:
        made = [one for ids in pool.map(make, range(16)) for one in ids]
    assert len(set(made)) == 16 * 400
