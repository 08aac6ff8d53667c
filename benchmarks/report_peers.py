"""The figures of benchmarks/peers_storage.py as a page and a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.peers_subjects import EVERYONE, FLOOR, PEERS
from benchmarks.plots import Dot, Row, dot_plot, markdown_table

GOAL, AT = 3.0, 1_000


@dataclass(frozen=True)
class Measured:
    """One library, one kind of work, one size of conversation; microseconds a call."""

    place: str
    size: int
    name: str
    operation: str
    median: float
    p99: float

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def write(folder: Path, circumstances: Mapping[str, str], measured: list[Measured]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        circumstances="\n".join(f"- {name}: {value}" for name, value in circumstances.items()),
        verdict=verdict(measured),
        tables=tables(measured),
        reads="\n".join(
            f"- {each.title}: {each.reads}. A commit survives: {each.promise}." for each in EVERYONE.values()
        ),
    )
    (folder / "peers.md").write_text(page, encoding="utf-8")
    (folder / "peers.svg").write_text(drawing(measured), encoding="utf-8")


def verdict(measured: list[Measured]) -> str:
    """Say by how much Gunita leads the fastest peer at the size of the goal, in every place and kind of work."""
    lines = []
    for place in _in_order(each.place for each in measured):
        for operation in ("append", "read"):
            chosen = {
                each.name: each.median
                for each in measured
                if (each.place, each.size, each.operation) == (place, AT, operation)
            }
            fastest = min((name for name in chosen if name in PEERS), key=lambda name: chosen[name])
            for name in (name for name in chosen if name not in PEERS):
                lead = chosen[fastest] / chosen[name]
                met = "the floor" if name in FLOOR else "goal met" if lead >= GOAL else "goal missed"
                lines.append(
                    f"- On {place}, {operation}: {EVERYONE[name].title} is {lead:.1f} × as fast as the fastest peer, "
                    f"{PEERS[fastest].title} ({chosen[name]:,.0f} against {chosen[fastest]:,.0f} µs): {met}."
                )
    return "\n".join(lines)


def tables(measured: list[Measured]) -> str:
    return "\n\n".join(
        f"### {operation.capitalize()}, on {place}\n\n{_table(measured, place, operation)}"
        for place in _in_order(each.place for each in measured)
        for operation in ("append", "read")
    )


def _table(measured: list[Measured], place: str, operation: str) -> str:
    chosen = {(each.name, each.size): each for each in measured if (each.place, each.operation) == (place, operation)}
    sizes = sorted({size for _, size in chosen})
    rows = [
        [each.title, *(f"{chosen[name, size].median:,.0f} / {chosen[name, size].p99:,.0f}" for size in sizes)]
        for name, each in EVERYONE.items()
    ]
    return markdown_table(["", *(f"{size:,} messages" for size in sizes)], rows, left=1)


def drawing(measured: list[Measured]) -> str:
    chosen = {(each.place, each.name, each.operation): each.median for each in measured if each.size == AT}
    places = _in_order(each.place for each in measured)
    rows = [
        Row(
            subject.title,
            [Dot(f"{work}, {place}", chosen[place, name, work]) for work in ("append", "read") for place in places],
        )
        for name, subject in EVERYONE.items()
    ]
    return dot_plot(f"Median time of a call with {AT:,} messages in the conversation, µs", rows)


def _in_order(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


_PAGE = """# Gunita and other libraries, storing and reading

Written by `make bench-peers`. Each call appends one turn (two messages) to a conversation or reads its latest 20 turns.
Times are microseconds, *median / 99th percentile*. Every library runs in a process of its own with its current
version and its own defaults on a local file; they take turns in small batches.

Durability is not the same everywhere, so Gunita is measured with both of its settings: *full* flushes every commit to
the disk, as all the peers do by default; *normal* leaves the flush to the next checkpoint. On a disk, an append with
a flush costs what the disk costs, whoever writes it. Therefore everything is also measured in memory, where a
flush costs nothing and only the code is left. *Awaited* is `AsyncGunita`, which hops into a thread as the peers'
async classes do.

{circumstances}

![Median times at 1,000 messages](peers.svg)

## Against the goal

Goal: at least 3 × as fast as the fastest of them with 1,000 messages. *By hand* is the floor: the fewest statements of
Python's own driver on two bare tables, which check nothing and belong to nobody. Where the floor itself is not 3 × as
fast as a peer, no library on this driver can be.

{verdict}

## Where the time goes

py-spy on one caller, on a disk, normal durability (2026-11-16). Of an append 80 % passes inside SQLite: 51 % in the
commit, 26 % in the statements, 3 % in beginning; ids, checks, scope and the record that is given back are the rest. Of
a read 50 % passes inside SQLite, 34 % in making twenty records of its rows, with their ids and times. A read takes 1.0
to 1.1 × what it takes by hand on the same tables ([storage](storage.md)), which hold a tenant, ids, token counts and
their indexes: a third of the fastest peer's time is not to be had there. An append takes 1.2 to 1.3 × by hand's.

## Figures

{tables}

## What each really reads

{reads}
"""
