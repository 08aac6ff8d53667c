"""The figures of benchmarks/growth.py as a page with drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.plots import Dot, Row, dot_plot, markdown_table

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
AXES = {
    "by_database": "turns in the database",
    "by_conversation": "turns in the conversation",
    "by_user": "conversations of the user",
}
NOISE = 1.5
"""What a busy machine may add to a ratio of two medians before it counts as growth."""

Growth: TypeAlias = Callable[[str, Mapping[int, float]], float]


def write(folder: Path, about: Mapping[str, str], found: Sequence[Mapping[str, Any]], growth: Growth) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for engine in found:
        for axis, said in AXES.items():
            drawing = f"growth-{engine['engine']}-{axis.removeprefix('by_')}.svg"
            title = f"{NAMES[engine['engine']]}: medians in µs, by {said}"
            (folder / drawing).write_text(dot_plot(title, _rows(engine[axis])), encoding="utf-8")
            parts.append(
                f"### {NAMES[engine['engine']]}, by {said}\n\n![{title}]({drawing})\n\n{table(engine[axis], growth)}"
            )
        parts.append(f"### {NAMES[engine['engine']]}, memory of the process\n\n{memory(engine['held'])}")
        parts.append(f"### {NAMES[engine['engine']]}, all at once\n\n{table(engine['everything'], None)}")
    page = _PAGE.format(
        circumstances="\n".join(f"- {name}: {value}" for name, value in about.items()),
        verdict="\n".join(f"- {line}" for line in verdict(found, growth)),
        tables="\n\n".join(parts),
        growing=f"{found[0]['growing_in']:,}",
    )
    (folder / "growth.md").write_text(page, encoding="utf-8")


def verdict(found: Sequence[Mapping[str, Any]], growth: Growth) -> Iterator[str]:
    """Say first what grows faster than it may."""
    counted = grown = 0
    for engine in found:
        for axis, said in AXES.items():
            for name, medians in engine[axis].items():
                counted += 1
                if (times := growth(name, medians)) > NOISE:
                    grown += 1
                    yield (
                        f"Grows: {NAMES[engine['engine']]}, `{name}` by {said}: {_span(medians)}, "
                        f"{times:.1f} × what a logarithm allows."
                    )
    nothing = "" if grown else "Nothing grows faster than a logarithm: "
    yield f"{nothing}{counted} operations and directions of growth were timed."


def table(timings: Mapping[str, Mapping[int, float]], growth: Growth | None) -> str:
    sizes = sorted(next(iter(timings.values())))
    head = ["", *(f"{size:,}" for size in sizes), *(["against a logarithm"] if growth else [])]
    rows = [
        [name, *(f"{medians[size]:,.0f}" for size in sizes), *([f"{growth(name, medians):.2f}"] if growth else [])]
        for name, medians in timings.items()
    ]
    return markdown_table(head, rows, left=1)


def memory(held: Mapping[str, Mapping[int, float]]) -> str:
    rows = [
        [said, ", ".join(f"{megabytes:,.0f} at {size:,}" for size, megabytes in sorted(by_size.items()))]
        for said, by_size in held.items()
    ]
    return markdown_table(["by", "megabytes after everything was done 20 times"], rows, left=2)


def _rows(timings: Mapping[str, Mapping[int, float]]) -> list[Row]:
    return [
        Row(name, [Dot(f"{size:,}", medians[size]) for size in sorted(medians)]) for name, medians in timings.items()
    ]


def _span(medians: Mapping[int, float]) -> str:
    return f"{medians[min(medians)]:,.0f} µs at {min(medians):,}, {medians[max(medians)]:,.0f} µs at {max(medians):,}"


_PAGE = """# Growth

Written by `python -m benchmarks.growth --docs docs/benchmarks`.

Medians in microseconds of every public operation that does a bounded piece of work, as the database, the conversation
and the user's conversations grow. The conversations and users of all sizes stand in the database of {growing} turns.
*Against a logarithm* is how much a time grew from the smallest size to the largest, divided by how much a logarithm
would have: 1 is a logarithm, well under 1 is flat. An operation that gives fifty rows is compared from the first size
that has as many. A user's messages are indexed for search with vectors of noise.

{circumstances}

## In short

{verdict}

## Figures

{tables}
"""
