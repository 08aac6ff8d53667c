"""Writes what the shipped parser decides on reference cases: `python benchmarks/references.py CASES HISTORIES OUT`.

CASES and HISTORIES are JSON lines as the scorer documents them; OUT gets one prediction a line for that scorer.
With `--fresh QUESTIONS`, also counts how many fresh questions (those never trained on) raise a false alarm.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser
from gunita.models import Turn

NOBODY = UUID(int=0)
HELD_OUT_SHARE = 4


def main() -> None:
    args = arguments()
    parser, engine = DynamicReferenceParser(), ClarificationEngine()
    histories = {row["history_id"]: turns_of(row["turns"]) for row in rows(args.histories)}
    with args.out.open("w", encoding="utf-8") as out:
        for case in rows(args.cases):
            decided = decision(parser, engine, case["query"], histories[case["history_id"]])
            out.write(json.dumps({"id": case["id"], **decided}) + "\n")
    if args.fresh:
        report_false_alarms(parser, args.fresh)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("histories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--fresh", type=Path, help="fresh questions, JSON lines with text and lang")
    return parser.parse_args()


def rows(path: Path) -> Iterable[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def turns_of(rows_: list[dict[str, Any]]) -> list[Turn]:
    then = datetime(2025, 1, 1, tzinfo=UTC)
    return [
        Turn(UUID(int=row["turn"]), NOBODY, "user", row["turn"], row["query"], row["response"], then) for row in rows_
    ]


def decision(
    parser: DynamicReferenceParser, engine: ClarificationEngine, query: str, history: list[Turn]
) -> dict[str, Any]:
    intent = parser.detect_reference(query, history)
    if intent is None:
        return {"refers": False, "kind": None, "turns": [], "confidence": 0.0, "clarify": False}
    resolution = parser.resolve_reference(intent, history)
    return {
        "refers": True,
        "kind": "followup" if intent.is_followup else intent.intent_type.value,
        "turns": [turn.turn_number for turn, _ in resolution.matched_turns],
        "confidence": resolution.confidence,
        "clarify": engine.needs_clarification(query, resolution),
    }


def report_false_alarms(parser: DynamicReferenceParser, path: Path) -> None:
    held_out = [row for row in rows(path) if is_held_out(row["text"])]
    alarms = [row for row in held_out if parser.detect_reference(row["text"]) is not None]
    share = 100 * len(alarms) / max(1, len(held_out))
    print(f"false alarms on held-out fresh questions: {len(alarms)} of {len(held_out)} ({share:.2f} %)")
    for lang in sorted({row["lang"] for row in held_out}):
        of_lang = sum(row["lang"] == lang for row in held_out)
        print(f"  {lang}: {sum(row['lang'] == lang for row in alarms)} of {of_lang}")


def is_held_out(text: str) -> bool:
    """The same quarter that training leaves out (training.references.grammar.real)."""
    plain = " ".join(re.findall(r"\w+", text.lower()))
    digest = hashlib.blake2b(plain.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_SHARE == 0


if __name__ == "__main__":
    main()
