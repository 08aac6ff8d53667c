"""How many replies to a clarification are read rightly: `python -m benchmarks.clarification [--words] [FRESH.jsonl]`.

FRESH.jsonl holds questions written with no conversation in mind ({"text": …}); every one should be a new query.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from gunita.language.clarification import ClarificationEngine, LoadedOnUse, Meaning
from tests.unit.replies import SCENARIOS, ReplyCase, read_cases

SETS = ("replies.tsv", "replies_second.tsv", "replies_third.tsv", "replies_unseen.tsv", "replies_by_meaning.tsv")


def shipped_encoder() -> Meaning:
    from gunita.language.encoder import Encoder

    return Encoder.load()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("fresh", type=Path, nargs="?")
    parser.add_argument("--words", action="store_true", help="compare words only, with no encoder")
    options = parser.parse_args()
    engine = ClarificationEngine(None if options.words else LoadedOnUse(shipped_encoder))
    for name in SETS:
        cases = read_cases(name)
        right = Counter(case.language for case in cases if case.holds(engine))
        by_language = {code: f"{right[code]}/{n}" for code, n in Counter(case.language for case in cases).items()}
        print(f"{name}: {right.total()} of {len(cases)} right; {by_language}")
    if options.fresh:
        lines = options.fresh.read_text(encoding="utf-8").splitlines()
        asked = [ReplyCase(scenario, "", "", "").ask(engine) for scenario in SCENARIOS]
        texts = [json.loads(line)["text"] for line in lines]
        ends = Counter(type(engine.settle(asked[i % len(asked)], text)).__name__ for i, text in enumerate(texts))
        print(f"fresh questions: {dict(ends)}")


if __name__ == "__main__":
    main()
