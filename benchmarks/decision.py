"""Measures one reference decision: `python benchmarks/decision.py`; run it pinned to one core (`taskset -c 0`).

Prints import time, first use, the latency of a decision over 20 remembered turns, and the memory held.
"""

from __future__ import annotations

import json
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import resource
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from gunita.models import Turn

if TYPE_CHECKING:
    from gunita.language.references import DynamicReferenceParser

NOBODY = UUID(int=0)
ROUNDS = 300
SUBJECTS = (
    "visa requirements", "rent deposit", "water bill", "printer driver", "birthday cake", "flight to Cebu", "SSS loan",
    "chicken adobo", "laptop battery", "school enrolment", "dentist", "savings account", "jeepney route", "typhoon",
    "wifi password", "passport photo", "car insurance", "job interview", "garden soil", "tax return",
)  # fmt: skip
ASKED = (
    "what did you say about the {}?", "balik tayo dun sa {}", "the third question", "yung una kong tanong",
    "what about the price?", "how do I cook rice?", "two questions ago", "yung sinabi mo kanina tungkol sa {}",
    "the one right before the {} question", "pakiulit yung sagot mo sa {}",
)  # fmt: skip


def main() -> None:
    figures = {"import_ms": in_fresh_process("import gunita"), "first_use_ms": first_use()}
    from gunita.language.references import DynamicReferenceParser

    parser, history = DynamicReferenceParser(), made_history()
    decide(parser, "what did you say about the rent deposit?", history)
    queries = [f"{ASKED[i % len(ASKED)].format(SUBJECTS[i % 20])} {'!' * (i // 20)}" for i in range(ROUNDS)]
    taken = sorted(decision_ms(parser, query, history) for query in queries)
    figures |= {"p50_ms": statistics.median(taken), "p99_ms": taken[int(0.99 * len(taken))], "max_ms": taken[-1]}
    figures["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=1))


def decide(parser: DynamicReferenceParser, query: str, history: list[Turn]) -> None:
    intent = parser.detect_reference(query, history)
    if intent is not None:
        parser.resolve_reference(intent, history)


def decision_ms(parser: DynamicReferenceParser, query: str, history: list[Turn]) -> float:
    began = time.perf_counter()
    decide(parser, query, history)
    return 1000 * (time.perf_counter() - began)


def made_history() -> list[Turn]:
    then = datetime(2025, 1, 1, tzinfo=UTC)
    asked = [f"How do I handle the {subject}?" for subject in SUBJECTS]
    answered = [f"For the {subject}, start early and keep the receipt." for subject in SUBJECTS]
    return [
        Turn(UUID(int=n), NOBODY, "user", n, query, response, then)
        for n, (query, response) in enumerate(zip(asked, answered, strict=True), 1)
    ]


def in_fresh_process(code: str) -> float:
    """Milliseconds a statement takes in a process of its own, the interpreter's start not counted."""
    timed = f"import time; began = time.perf_counter()\n{code}\nprint(1000 * (time.perf_counter() - began))"
    return float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)


def first_use() -> float:
    return in_fresh_process(
        "from gunita.language.references import DynamicReferenceParser\n"
        "DynamicReferenceParser().detect_reference('what was the first one?')"
    )


if __name__ == "__main__":
    main()
