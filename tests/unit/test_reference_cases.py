"""The shipped model keeps its goals on cases that nothing is trained on: training/references/validation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.references import decision, rows, turns_of
from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser

VALIDATION = Path(__file__).parents[2] / "training" / "references" / "validation"

Judged = tuple[dict[str, Any], dict[str, Any]]
"""A case and what was decided."""


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    parser, engine = DynamicReferenceParser(), ClarificationEngine()
    histories = {row["history_id"]: turns_of(row["turns"]) for row in rows(VALIDATION / "histories.jsonl")}
    cases = [case for case in rows(VALIDATION / "cases.jsonl") if case["gold"]["kind"] != "followup"]
    return [(case, decision(parser, engine, case["query"], histories[case["history_id"]])) for case in cases]


def points(case: dict[str, Any]) -> bool:
    return bool(case["gold"]["refers"])


def unclear(case: dict[str, Any]) -> bool:
    return points(case) and bool(case["gold"]["ambiguous"])


def clear(case: dict[str, Any]) -> bool:
    return points(case) and not case["gold"]["ambiguous"]


def fresh(case: dict[str, Any]) -> bool:
    return not points(case)


def found(case: dict[str, Any], decided: dict[str, Any]) -> bool:
    return bool(decided["refers"]) and set(decided["turns"]) == set(case["gold"]["turns"])


def right(case: dict[str, Any], decided: dict[str, Any]) -> bool:
    if fresh(case):
        return not decided["refers"]
    if unclear(case):
        return bool(decided["clarify"]) and set(decided["turns"]) <= set(case["gold"]["turns"])
    return found(case, decided) and not decided["clarify"]


def share(judged: list[Judged], of: Callable[[dict[str, Any]], bool], what: Callable[..., bool]) -> float:
    chosen = [what(case, decided) for case, decided in judged if of(case)]
    return sum(chosen) / len(chosen)


def test_nine_decisions_of_ten_are_right(judged: list[Judged]) -> None:
    assert len(judged) > 1_000
    assert share(judged, lambda _: True, right) >= 0.9


def test_references_are_found_and_resolved(judged: list[Judged]) -> None:
    hit = sum(points(case) and decided["refers"] for case, decided in judged)
    missed = sum(points(case) and not decided["refers"] for case, decided in judged)
    alarms = sum(fresh(case) and decided["refers"] for case, decided in judged)
    assert 2 * hit / (2 * hit + missed + alarms) >= 0.96
    assert share(judged, clear, found) >= 0.88


def test_fewer_than_four_of_a_hundred_fresh_questions_raise_an_alarm(judged: list[Judged]) -> None:
    assert share(judged, fresh, lambda _, decided: decided["refers"]) < 0.04


def test_what_fits_several_turns_is_asked_about_and_what_is_clear_is_not(judged: list[Judged]) -> None:
    assert share(judged, unclear, lambda _, decided: decided["clarify"]) >= 0.8
    assert share(judged, clear, lambda _, decided: decided["clarify"]) < 0.06


def test_no_language_is_far_behind_english(judged: list[Judged]) -> None:
    by_language = {
        lang: share([one for one in judged if one[0]["lang"] == lang], lambda _: True, right)
        for lang in {case["lang"] for case, _ in judged}
    }
    assert by_language.keys() == {"en", "tl", "taglish", "ceb", "es"}
    assert min(by_language.values()) >= by_language["en"] - 0.08


def test_confidence_is_what_it_says(judged: list[Judged]) -> None:
    said = [(one["confidence"], found(case, one)) for case, one in judged if clear(case) and one["refers"]]
    bins = [[pair for pair in said if min(9, int(10 * pair[0])) == place] for place in range(10)]
    wrong = sum(abs(sum(sure - hit for sure, hit in pairs)) for pairs in bins) / len(said)
    assert wrong < 0.06
