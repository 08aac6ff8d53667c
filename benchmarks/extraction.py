"""Precision and recall of what is learnt without a model: `python -m benchmarks.extraction [--split …]`.

A learnt memory is right when its type is the gold's and its words hold at least half of the gold statement's.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gunita.language.extraction import Learnt, extract
from gunita.language.words import words

GOLD = Path(__file__).parent / "data" / "extraction.jsonl"
OVERLAP = 0.5


@dataclass
class Score:
    right: int = 0
    said: int = 0
    gold: int = 0

    def __str__(self) -> str:
        precision, recall = self.right / max(self.said, 1), self.right / max(self.gold, 1)
        return f"precision {precision:.3f} ({self.right}/{self.said})  recall {recall:.3f} ({self.right}/{self.gold})"


def matched(gold: Sequence[Mapping[str, str]], said: Sequence[Learnt], *, typed: bool) -> list[tuple[int, int]]:
    """Pair each gold statement with at most one learnt memory."""
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for number, statement in enumerate(gold):
        wanted = set(words(statement["span"]))
        for place, learnt in enumerate(said):
            held = len(wanted & set(words(learnt.content))) / len(wanted)
            if place not in taken and held >= OVERLAP and (not typed or learnt.memory_type == statement["type"]):
                taken.add(place)
                pairs.append((number, place))
                break
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--split", choices=["dev", "test", "fresh", "blind", "all"], default="dev")
    parser.add_argument("--errors", action="store_true", help="show what went wrong; never with the test half")
    options = parser.parse_args()
    cases = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    cases = [case for case in cases if options.split in ("all", case["split"])]
    began = time.perf_counter()
    read = [[one for one in extract(case["text"]) if not one.denies] for case in cases]
    seconds = time.perf_counter() - began
    report(cases, read)
    print(f"{1000 * seconds / len(cases):.1f} ms a message")
    if options.errors and options.split == "dev":
        show_errors(cases, read)


def report(cases: Sequence[Mapping[str, Any]], read: Sequence[Sequence[Learnt]]) -> None:
    kinds: dict[str, Score] = {}
    untyped = Score()
    quiet = Counter[str]()
    for case, said in zip(cases, read, strict=True):
        pairs = matched(case["memories"], said, typed=True)
        loose = len(matched(case["memories"], said, typed=False))
        untyped = Score(untyped.right + loose, untyped.said + len(said), untyped.gold + len(case["memories"]))
        for key in ("all", case["language"]):
            score = kinds.setdefault(key, Score())
            score.right += len(pairs)
            score.said += len(said)
            score.gold += len(case["memories"])
        for learnt in said:
            kinds.setdefault(learnt.memory_type.value, Score()).said += 1
        for statement in case["memories"]:
            kinds.setdefault(statement["type"], Score()).gold += 1
        for number, _ in pairs:
            kinds[case["memories"][number]["type"]].right += 1
        if not case["memories"]:
            quiet["left alone" if not said else "learnt from"] += 1
    print(f"{len(cases)} messages; with nothing to learn: {dict(quiet)}")
    print(f"{'any type':12} {untyped}")
    for key, score in kinds.items():
        print(f"{key:12} {score}")


def show_errors(cases: Sequence[Mapping[str, Any]], read: Sequence[Sequence[Learnt]]) -> None:
    for case, said in zip(cases, read, strict=True):
        pairs = matched(case["memories"], said, typed=True)
        if len(pairs) != len(said) or len(pairs) != len(case["memories"]):
            gold = [(one["type"], one["span"]) for one in case["memories"]]
            told = [(one.memory_type.value, one.category, one.content, one.confidence) for one in said]
            print(f"- {case['text']}\n    gold {gold}\n    said {told}")


if __name__ == "__main__":
    main()
