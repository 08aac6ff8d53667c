"""The figures of benchmarks/load.py as lines and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.plots import markdown_table

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}


def line(case: Mapping[str, Any]) -> str:
    hurried, paced = case["hurried"], case["paced"]
    return (
        f"{case['engine']}, {case['servers']} server(s): {hurried['per_second']} requests/s "
        f"({hurried['turns_per_second']} turns/s, the database alone {case['limit']}), "
        f"{hurried['processor_ms']} ms of processor each, errors {sum(hurried['errors'].values())}; "
        f"at half of that {paced['waits']}, errors {sum(paced['errors'].values())}, memory {paced['megabytes']} MB"
        + "".join(f"\n  {count} × {error}" for error, count in {**hurried["errors"], **paced["errors"]}.items())
    )


def write(folder: Path, circumstances: Mapping[str, str], cases: Sequence[Mapping[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        people=f"{cases[0]['hurried']['people']:,}",
        circumstances="\n".join(f"- {name}: {value}" for name, value in circumstances.items()),
        verdict="\n".join(f"- {said}" for said in verdict(cases)),
        throughput=throughput(cases),
        memory=memory(cases),
        waits="\n\n".join(f"### {_title(case)}\n\n{waits(case)}" for case in cases),
    )
    (folder / "load.md").write_text(page, encoding="utf-8")


def verdict(cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say what went wrong first."""
    for case in cases:
        for part in ("hurried", "paced"):
            for error, count in case[part]["errors"].items():
                yield f"{_title(case)}: {count} × {error}"
    asked = sum(case[part]["requests"] for case in cases for part in ("hurried", "paced"))
    wrong = sum(sum(case[part]["errors"].values()) for case in cases for part in ("hurried", "paced"))
    yield f"{asked:,} requests, {wrong} errors (goal 0)."
    for case in cases:
        kept = case["paced"]["megabytes"]
        yield f"{_title(case)}: memory {kept['first']:.0f} MB at the beginning, {kept['last']:.0f} MB at the end."


def throughput(cases: Sequence[Mapping[str, Any]]) -> str:
    head = ["", "requests/s", "turns/s", "database alone", "ratio", "processor ms a request", "errors"]
    rows = [
        [
            _title(case),
            f"{case['hurried']['per_second']:,.0f}",
            f"{case['hurried']['turns_per_second']:,.0f}",
            f"{case['limit']:,.0f}",
            f"**{case['hurried']['turns_per_second'] / case['limit']:.2f}**",
            f"{case['hurried']['processor_ms']:.1f}",
            f"{sum(case['hurried']['errors'].values())}",
        ]
        for case in cases
    ]
    return markdown_table(head, rows, left=1)


def waits(case: Mapping[str, Any]) -> str:
    head = ["", "requests", "p50", "p95", "p99", "p50, hurried", "p99, hurried"]
    hurried = case["hurried"]["waits"]
    rows = [
        [way, f"{found['requests']:,}", *(f"{found[name]:,.0f}" for name in ("p50", "p95", "p99"))]
        + ([f"{hurried[way]['p50']:,.0f}", f"{hurried[way]['p99']:,.0f}"] if way in hurried else ["", ""])
        for way, found in case["paced"]["waits"].items()
    ]
    return markdown_table(head, rows, left=1)


def memory(cases: Sequence[Mapping[str, Any]]) -> str:
    head = ["", "phase", "first", "middle", "last", "most"]
    rows = [
        [_title(case), said, *(f"{case[part]['megabytes'][name]:,.0f}" for name in ("first", "middle", "last", "most"))]
        for case in cases
        for part, said in (("hurried", "as fast as it goes"), ("paced", "half of that"))
    ]
    return markdown_table(head, rows, left=2)


def _title(case: Mapping[str, Any]) -> str:
    return f"{NAMES[case['engine']]}, {case['servers']} server{'s' if case['servers'] > 1 else ''}"


_PAGE = """# A crowd

Written by `python -m benchmarks.load --docs docs/benchmarks`.

{people} people at once, each with a conversation and a connection: they begin conversations, ask on, point back, are
asked back and choose, search, read their history, follow streamed answers, and leave in the middle of them. The
servers are `gunita serve` as it is run, with the reference decision, indexing and learning; the crowd runs on the same
machine and takes processor time from them. First everybody asks again as soon as they are answered, which gives what
the service gets done. Then they pause, so that half of that is asked, which gives how long people wait.

*Database alone* is what the database takes of the very statements of one turn, with the same role and scope: pgbench
with 16 clients on PostgreSQL, one thread on SQLite.

{circumstances}

## In short

{verdict}

## What gets done

{throughput}

## Where the time goes

`--profile FOLDER` has py-spy look at each server. On SQLite with one server, as fast as the crowd can (2026-11-16),
of the time on the processor 43 % went into vectors for search, which the background makes of every message, 23 %
into reading queries and turns for the reference decision and weighing them, 18 % into HTTP, 9 % into SQLite. The
encoder's passes alone are 61 %: the bottleneck is understanding, not the database, and a second server on the same
two cores gains nothing. An earlier profile had shown turns being read anew for every query as soon as more
conversations went on than were remembered: they are kept in a byte a number since, five times as many in the same
memory, and a query's reading is used again when it becomes a turn. Who wants more from a machine moves indexing to
another (`GUNITA_BACKGROUND=false` on those that answer).

## How long people wait

Milliseconds. A choice is the tap that answers a question back.

{waits}

## Memory

Megabytes of all servers together.

{memory}
"""
