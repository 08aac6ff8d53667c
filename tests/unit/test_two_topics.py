"""Queries that name two topics at once, and those that only look like it: validation/pairs.jsonl."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.references import decision, rows, turns_of
from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser
from tests.unit.test_reference_cases import VALIDATION

Decided = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def decided() -> list[Decided]:
    parser, engine = DynamicReferenceParser(), ClarificationEngine()
    histories = {row["history_id"]: turns_of(row["turns"]) for row in rows(VALIDATION / "histories.jsonl")}
    cases = rows(VALIDATION / "pairs.jsonl")
    return [(case["gold"], decision(parser, engine, case["query"], histories[case["history_id"]])) for case in cases]


def of(decided: list[Decided], kind: str, ambiguous: bool, turns: int) -> list[Decided]:
    return [
        (gold, said)
        for gold, said in decided
        if (gold["kind"], gold["ambiguous"], len(gold["turns"])) == (kind, ambiguous, turns)
    ]


def test_six_of_ten_hard_requests_for_two_turns_get_both_without_being_asked(decided: list[Decided]) -> None:
    both = of(decided, "topic", ambiguous=False, turns=2)
    answered = [set(said["turns"]) == set(gold["turns"]) and not said["clarify"] for gold, said in both]
    assert len(both) == 120
    assert sum(answered) >= 72


def test_what_only_looks_like_two_topics_is_mostly_answered_with_the_one(decided: list[Decided]) -> None:
    one = of(decided, "topic", ambiguous=False, turns=1)
    assert len(one) == 60
    assert sum(said["turns"] == gold["turns"] and not said["clarify"] for gold, said in one) >= 48
    assert sum(len(said["turns"]) > 1 and not said["clarify"] for _, said in one) <= 8


def test_two_fresh_things_in_one_question_point_nowhere(decided: list[Decided]) -> None:
    fresh = of(decided, "none", ambiguous=False, turns=0)
    assert len(fresh) == 30
    assert not any(said["refers"] for _, said in fresh)


def test_more_often_than_not_it_is_asked_which_of_two_topics_is_meant(decided: list[Decided]) -> None:
    either = of(decided, "topic", ambiguous=True, turns=2)
    assert len(either) == 30
    assert sum(said["clarify"] for _, said in either) > 15
