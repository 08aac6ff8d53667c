"""Measures the shipped encoder: translations found first, sentences a second, and the latency of one.

Usage: python -m benchmarks.encoder PAIRS.json [--json]     PAIRS is {"name": [[english, other], …]}
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gunita.language.encoder import Encoder, Floats

SENTENCE = "Balik tayo sa sinabi mo kanina tungkol sa bayad, kasi hindi ko pa rin naintindihan kung magkano talaga"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    encoder = Encoder.load()
    sets: dict[str, list[list[str]]] = json.loads(options.pairs.read_text(encoding="utf-8"))
    report: dict[str, object] = {
        "model": encoder.model_name,
        "machine": f"{platform.machine()}, one thread",
        "top1": {name: found_first(encoder, pairs) for name, pairs in sets.items()},
        "speed": speed(encoder, [text for pairs in sets.values() for pair in pairs[:50] for text in pair]),
    }
    print(json.dumps(report, indent=2) if options.json else as_text(report))


def found_first(encoder: Encoder, pairs: Sequence[Sequence[str]]) -> dict[str, float]:
    """Gives the share of texts whose nearest text of the other language is their own translation, both ways."""
    english = encoder.encode([pair[0] for pair in pairs])
    other = encoder.encode([pair[1] for pair in pairs])
    alike = other @ english.T
    return {"pairs": len(pairs), "to_english": _hits(alike), "from_english": _hits(alike.T)}


def speed(encoder: Encoder, texts: Sequence[str]) -> dict[str, float]:
    """Gives sentences a second over mixed texts, and how long one sentence of about 20 words' pieces takes.

    The encoder remembers what it has read, so each text is given a number that makes it a new one.
    """
    encoder.encode(texts[:20])
    unread = [f"{text} {number}" for number, text in enumerate(texts, 1)]
    started = time.perf_counter()
    encoder.encode(unread)
    rate = len(texts) / (time.perf_counter() - started)
    times = []
    for number in range(200):
        started = time.perf_counter()
        encoder.encode([f"{SENTENCE} {number}"])
        times.append((time.perf_counter() - started) * 1000)
    tokens = len(encoder.read(SENTENCE).offsets)
    return {"sentences_per_second": rate, "tokens_of_one": tokens,
            "one_ms_p50": float(np.percentile(times, 50)), "one_ms_p99": float(np.percentile(times, 99))}  # fmt: skip


def as_text(report: dict[str, object]) -> str:
    """Writes the report as lines for people."""
    top1, times = report["top1"], report["speed"]
    assert isinstance(top1, dict)
    assert isinstance(times, dict)
    lines = [f"{report['model']} on {report['machine']}"]
    lines += [
        f"{name:16} {r['pairs']:5} pairs   to English {r['to_english']:.1%}   from English {r['from_english']:.1%}"
        for name, r in top1.items()
    ]
    lines.append(f"{times['sentences_per_second']:.0f} sentences/s; one of {times['tokens_of_one']} tokens "
                 f"{times['one_ms_p50']:.2f} ms (p50), {times['one_ms_p99']:.2f} ms (p99)")  # fmt: skip
    return "\n".join(lines)


def _hits(alike: Floats) -> float:
    return float((alike.argmax(1) == np.arange(len(alike))).mean())


if __name__ == "__main__":
    main()
