"""The circuit: it opens after failures in a row, stays open until a probe works, and lets one probe at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gunita.resilience.circuit import FAILURES_ALLOWED, Circuit


def test_it_opens_at_the_failure_that_is_one_too_many_and_says_so_once() -> None:
    circuit = Circuit(lambda: 7.0)
    told = [circuit.failed() for _ in range(FAILURES_ALLOWED + 2)]
    assert told == [False] * (FAILURES_ALLOWED - 1) + [True, False, False]
    assert (circuit.is_open, circuit.opened_at, circuit.openings) == (True, 7.0, 1)


def test_what_works_in_between_begins_the_count_anew() -> None:
    circuit = Circuit(lambda: 0.0)
    for _ in range(10):
        circuit.failed()
        circuit.worked()
    assert not circuit.is_open


def test_one_probe_at_a_time_and_only_a_good_one_closes() -> None:
    circuit = Circuit(lambda: 0.0)
    assert not circuit.begin_probe()
    circuit.trip()
    assert circuit.begin_probe()
    assert not circuit.begin_probe()
    circuit.end_probe(worked=False)
    assert circuit.is_open
    assert circuit.begin_probe()
    circuit.end_probe(worked=True)
    assert not circuit.is_open
    assert circuit.failures == 0


@given(st.lists(st.sampled_from(["failed", "worked", "trip", "good probe", "bad probe"]), max_size=60))
def test_it_is_open_exactly_from_too_many_failures_in_a_row_to_the_next_good_probe(events: list[str]) -> None:
    circuit = Circuit(lambda: 0.0)
    is_open, in_a_row = False, 0
    for event in events:
        match event:
            case "failed":
                circuit.failed()
                in_a_row += 1
                is_open = is_open or in_a_row >= FAILURES_ALLOWED
            case "worked":
                circuit.worked()
                in_a_row = in_a_row if is_open else 0
            case "trip":
                circuit.trip()
                is_open = True
            case _:
                began = circuit.begin_probe()
                assert began == is_open
                if began:
                    circuit.end_probe(worked=event == "good probe")
                if event == "good probe" and is_open:
                    is_open, in_a_row = False, 0
        assert circuit.is_open == is_open
