"""Writes docs/benchmarks/search.md from what benchmarks/search.py measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEAD = """# Search

Written by `python -m benchmarks.search --docs docs/benchmarks`. One user has {messages:,} messages in {pieces:,}
pieces, each with a vector; other users have {others:,} more messages in the same tables. Every query is new, so that
its own reading is part of every time; times are milliseconds, *median / 99th percentile*, twenty hits with
snippets. *Processor* is the median of what this process computed itself, which a busy machine disturbs little.

{where}
"""
ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
TAIL = """
What the rivals do is less: words or meaning and not both, no dates, no speakers, no neighbours, no Filipino stems;
their tables hold the user's messages and {rivals_others:,} of others, and no row-level security. How well they find
the same things stands in [recall.md](recall.md). The goal is a median under 15 ms on both engines, whatever
others have.

*First search* is what a process pays once that does not hold the user's index yet: after a restart, or when users who
searched later have taken its place (`search_memory_bytes`). It reads every index row of the user, about a kilobyte for
each message, and grows with their number alone.
"""


def write_report(path: Path, where: Mapping[str, str], given: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    pieces = next(iter(figures.values()))["pieces"]
    lines = [
        HEAD.format(
            messages=given["messages"],
            others=given["others"],
            pieces=pieces,
            where="\n".join(f"- {name}: {value}" for name, value in where.items()),
        ),
        "| | median / 99th | processor | Gunita's median against it |",
        "| --- | --- | --- | --- |",
    ]
    for engine, measured in figures.items():
        lines += _rows(ENGINES[engine], measured, given["others"])
    path.write_text("\n".join(lines) + "\n" + TAIL.format(rivals_others=given["rivals_others"]), encoding="utf-8")


def _rows(engine: str, measured: Mapping[str, Any], others: int) -> list[str]:
    mine = measured["alone"]["p50"]
    return [
        f"| **Gunita on {engine}**, nobody else there | {_times(measured['alone'])} | |",
        f"| **Gunita on {engine}**, among {others:,} messages of others | {_times(measured['among'])} | |",
        f"| its first search, alone and among others | {measured['first']:.0f}, {measured['first among']:.0f} | | |",
        *(f"| {name} | {_times(times)} | {mine / times['p50']:.1f} × |" for name, times in measured["rivals"].items()),
    ]


def _times(times: Mapping[str, float]) -> str:
    return f"{times['p50']:.1f} / {times['p99']:.1f} | {times['cpu']:.1f}"
