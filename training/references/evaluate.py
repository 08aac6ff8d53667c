"""Measures the shipped parser on made cases, by kind and language: `python -m training.references.evaluate DIR`.

DIR holds cases.jsonl and histories.jsonl as training.references.cases writes them.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser
from gunita.models import Turn

NOBODY = UUID(int=0)
BINS = 10


@dataclass(frozen=True, slots=True)
class Decision:
    refers: bool
    turns: tuple[int, ...]
    confidence: float
    clarify: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """One case and what was decided on it."""

    lang: str
    kind: str
    ambiguous: bool
    gold: frozenset[int]
    said: Decision

    @property
    def points(self) -> bool:
        return self.kind not in ("none", "followup")

    @property
    def detected(self) -> bool:
        return self.said.refers or self.said.clarify

    @property
    def resolved(self) -> bool:
        return self.said.refers and frozenset(self.said.turns) == self.gold and bool(self.gold)

    @property
    def correct(self) -> bool:
        if self.kind == "none":
            return not self.detected
        if self.ambiguous:
            return self.said.clarify and self.gold.issuperset(self.said.turns)
        return self.resolved and not self.said.clarify


def decide(parser: DynamicReferenceParser, engine: ClarificationEngine, query: str, history: list[Turn]) -> Decision:
    intent = parser.detect_reference(query, history)
    if intent is None:
        return Decision(refers=False, turns=(), confidence=0.0, clarify=False)
    resolution = parser.resolve_reference(intent, history)
    turns = tuple(turn.turn_number for turn, _ in resolution.matched_turns)
    return Decision(True, turns, resolution.confidence, engine.needs_clarification(query, resolution))


def turns_of(rows: Sequence[dict[str, Any]]) -> list[Turn]:
    then = datetime(2025, 1, 1, tzinfo=UTC)
    return [Turn(UUID(int=r["turn"]), NOBODY, "user", r["turn"], r["query"], r["response"], then) for r in rows]


def judged(folder: Path) -> list[Judged]:
    parser, engine = DynamicReferenceParser(), ClarificationEngine()
    histories = {row["history_id"]: turns_of(row["turns"]) for row in rows_of(folder / "histories.jsonl")}
    return [
        Judged(
            case["lang"],
            case["gold"]["kind"],
            case["gold"]["ambiguous"],
            frozenset(case["gold"]["turns"]),
            decide(parser, engine, case["query"], histories[case["history_id"]]),
        )
        for case in rows_of(folder / "cases.jsonl")
    ]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def figures(cases: Sequence[Judged]) -> dict[str, float]:
    pointing = [c for c in cases if c.points]
    clear = [c for c in pointing if not c.ambiguous]
    unclear = [c for c in pointing if c.ambiguous]
    fresh = [c for c in cases if c.kind == "none"]
    following = [c for c in cases if c.kind == "followup"]
    found, alarms = sum(c.detected for c in pointing), sum(c.detected for c in fresh)
    measured = {
        "correct": share([c for c in cases if c.kind != "followup"], lambda c: c.correct),
        "f1": 2 * found / max(1, len(pointing) + found + alarms) if pointing and fresh else float("nan"),
        "resolution": share(clear, lambda c: c.resolved),
        "false_alarms": share(fresh, lambda c: c.detected),
        "clarify_recall": share(unclear, lambda c: c.said.clarify),
        "asked_in_vain": share(clear, lambda c: c.said.clarify),
        "followup_to_last": share(following, lambda c: c.resolved),
        "ece": calibration_error([c for c in clear if c.said.turns and c.said.refers]),
        "n": float(len(cases)),
    }
    return {name: value for name, value in measured.items() if not np.isnan(value)}


def share(cases: Sequence[Judged], holds: Callable[[Judged], bool]) -> float:
    return float(np.mean([holds(c) for c in cases])) if cases else float("nan")


def calibration_error(cases: Sequence[Judged]) -> float:
    """How far confidence is from the share of right answers, over ten bins of confidence."""
    bins: dict[int, list[Judged]] = defaultdict(list)
    for c in cases:
        bins[min(BINS - 1, int(c.said.confidence * BINS))].append(c)
    gaps = [abs(sum(c.said.confidence - c.resolved for c in found)) for found in bins.values()]
    return float(sum(gaps) / len(cases)) if cases else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    cases = judged(parser.parse_args().folder)
    groups: dict[str, list[Judged]] = {"all": cases}
    for c in cases:
        groups.setdefault(c.kind, []).append(c)
        groups.setdefault(c.lang, []).append(c)
    for name, found in groups.items():
        line = " ".join(f"{k} {v:.0f}" if k == "n" else f"{k} {100 * v:.1f}" for k, v in figures(found).items())
        print(f"{name:10} {line}")


if __name__ == "__main__":
    main()
