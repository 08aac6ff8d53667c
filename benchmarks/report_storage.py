"""The figures of benchmarks/storage.py as a page and a drawing."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.plots import Dot, Row, dot_plot, markdown_table

GOALS = {"SQLite": 1.5, "PostgreSQL": 1.25}
FLAT = 1.5
IN_TURN = "in turn"
"""By hand with a lock that lets callers through in the order in which they came."""


@dataclass(frozen=True)
class Case:
    """One thing that was measured, in each of the ways of doing it."""

    engine: str
    total: int
    size: int
    callers: int
    operation: str
    figures: Mapping[str, Mapping[str, float]]

    @property
    def ratio(self) -> float:
        return self.against(self.baseline)

    @property
    def baseline(self) -> str:
        """Compare medians of waits with a way that lets callers wait their turn, where there is one."""
        return IN_TURN if IN_TURN in self.figures else "by hand"

    def against(self, way: str) -> float:
        """Compare the medians."""
        return self.figures["gunita"]["median"] / self.figures[way]["median"]

    def together(self, way: str) -> float:
        """Compare what all callers get done in a second; above 1, the other way does more."""
        return self.figures[way]["per_second"] / self.figures["gunita"]["per_second"]

    @property
    def goal(self) -> float:
        return GOALS[self.engine.partition(",")[0]]

    def in_words(self) -> str:
        who = "1 caller" if self.callers == 1 else f"{self.callers} callers"
        hand = "by hand, in turn" if self.baseline == IN_TURN else "by hand"
        return (
            f"{self.engine}: {self.total:,} messages, {self.size:,} a conversation, {who}, {self.operation}: "
            f"{self.figures['gunita']['median']:.0f} µs, {self.ratio:.2f} × {hand}"
        )


def write(folder: Path, circumstances: Mapping[str, str], cases: list[Case]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        circumstances="\n".join(f"- {name}: {value}" for name, value in circumstances.items()),
        verdict=verdict(cases),
        tables=tables(cases),
        flat=flatness(cases),
    )
    (folder / "storage.md").write_text(page, encoding="utf-8")
    (folder / "storage.svg").write_text(drawing(cases), encoding="utf-8")


def verdict(cases: list[Case]) -> str:
    """Say how far the goals are met, misses first."""
    misses = [case for case in cases if case.ratio > case.goal]
    lines = [f"- Missed: {case.in_words()} (goal {case.goal} ×)." for case in misses]
    kept = f"- {len(cases) - len(misses)} of {len(cases)} cases are within their goal."
    return "\n".join([*lines, kept, *_middle_ratios(cases)])


def _middle_ratios(cases: list[Case]) -> Iterator[str]:
    """Say the middle ratios of each engine, kind of work and number of callers, by both measures and baselines."""
    kinds = dict.fromkeys((case.engine, case.operation, case.callers) for case in cases)
    for engine, operation, callers in kinds:
        chosen = [case for case in cases if (case.engine, case.operation, case.callers) == (engine, operation, callers)]
        said = f"medians {statistics.median(case.against('by hand') for case in chosen):.2f} × by hand"
        if chosen[0].baseline == IN_TURN:
            said += f" (in turn: {statistics.median(case.ratio for case in chosen):.2f} ×)"
        if operation == "append":
            said += f", {statistics.median(case.against('uncounted') for case in chosen):.2f} × uncounted"
        if callers > 1:
            work = statistics.median(case.together("by hand") for case in chosen)
            said += f"; time for all callers' work {work:.2f} ×"
            if chosen[0].baseline == IN_TURN:
                said += f" (in turn: {statistics.median(case.together(IN_TURN) for case in chosen):.2f} ×)"
        yield f"- {engine}, {operation}, {callers} at once, middle of {len(chosen)} cases: {said}."


def tables(cases: list[Case]) -> str:
    engines = dict.fromkeys(case.engine for case in cases)
    parts = ((engine, _table(case for case in cases if case.engine == engine)) for engine in engines)
    return "\n\n".join(f"### {engine}\n\n{table}" for engine, table in parts)


def _table(cases: Iterable[Case]) -> str:
    chosen = list(cases)
    extra = [name for name in (IN_TURN, "group commit") if any(name in case.figures for case in chosen)]
    head = ["database", "conversation", "callers", "work", "Gunita", "by hand", "ratio", "uncounted", "bare", *extra]
    rows = [
        [
            f"{case.total:,}",
            f"{case.size:,}",
            str(case.callers),
            case.operation,
            _cell(case, "gunita"),
            _cell(case, "by hand"),
            f"**{case.ratio:.2f}**",
            _cell(case, "uncounted"),
            _cell(case, "bare"),
            *(_cell(case, name) for name in extra),
        ]
        for case in chosen
    ]
    return markdown_table(head, rows, left=4)


def _cell(case: Case, way: str) -> str:
    figures = case.figures.get(way)
    if figures is None:
        return ""
    speed = f" ({figures['per_second']:,.0f}/s)" if case.callers > 1 else ""
    return f"{figures['median']:,.0f} / {figures['p99']:,.0f}{speed}"


def flatness(cases: list[Case]) -> str:
    """Compare the largest database with the smallest, case by case."""
    totals = sorted({case.total for case in cases})
    if len(totals) < 2:
        return ""
    small, large = totals[0], totals[-1]
    found = {(case.engine, case.total, case.size, case.callers, case.operation): case for case in cases}
    rows = []
    for (engine, total, size, callers, operation), case in found.items():
        other = found.get((engine, large, size, callers, operation))
        if total == small and other is not None:
            ours, hand = (other.figures[way]["median"] / case.figures[way]["median"] for way in ("gunita", "by hand"))
            rows.append([engine, f"{size:,}", str(callers), operation, f"**{ours:.2f}**", f"{hand:.2f}"])
    head = ["engine", "conversation", "callers", "work", "Gunita", "by hand"]
    table = markdown_table(head, rows, left=4)
    beyond = [row for row in rows if float(row[4].strip("*")) > FLAT]
    alike = sum(float(row[5]) > FLAT for row in beyond)
    return (
        f"Median with {large:,} messages over median with {small:,}; "
        f"{len(beyond)} of {len(rows)} are beyond the goal, {alike} of them by hand as well:\n\n{table}"
    )


def drawing(cases: list[Case]) -> str:
    rows = [
        Row(
            f"{case.engine} · {case.total:,} · {case.size:,} · {case.callers} · {case.operation}",
            [Dot(name, case.figures[way]["median"]) for name, way in _DRAWN.items()],
        )
        for case in cases
    ]
    return dot_plot("Median time of a call, µs (database · conversation · callers · work)", rows)


_DRAWN = {"Gunita": "gunita", "by hand, same tables": "by hand", "by hand, bare tables": "bare"}

_PAGE = """# Storing and reading turns

Written by `make bench`. Each call appends one turn (two messages) or reads the latest 20 turns of a conversation.
Times are microseconds, *median / 99th percentile*; for many callers, also calls a second. All ways of doing the work
ran in one process in alternating small batches, so that whatever else the machine did fell on all of them.

*By hand* is what a careful engineer writes for this work alone on the same driver, tables and durability: it stores
equal rows, token counts included, and gives back equal records. It checks no input and knows no scopes; on PostgreSQL
it works as the tables' owner, without row-level security. *Uncounted* is the same with no tokens counted.
*Bare* tables have no tenant, no message ids, no token counts, no index beyond the primary keys, and give back plain
rows: the least that anyone could do.

{circumstances}

![Median times of every case](storage.svg)

## Against the goals

Goals: a median within 1.5 × of by hand on SQLite and 1.25 × on PostgreSQL. Where many append on SQLite, one lock lets
one writer through at a time, and the median tells mostly whom. A plain lock lets the thread that has just let go of it
through again if it comes back before the next one has woken: then nearly every call waits for nobody, and a few wait
for all the others. Whether it is so hangs on microseconds between two calls, and on the machine: the same code had
medians of 5 ms one night and of 0.15 ms the next day. Gunita's calls spend longer between two locks, and wait their
turn. So the ratio there is to *in turn*: by hand, with a lock that lets callers through in the order in which they
came. What all callers get done together is compared with both.

{verdict}

## Figures

{tables}

## As the database grows

Goal: within 1.5 ×.

{flat}
"""
