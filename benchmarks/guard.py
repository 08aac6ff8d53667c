"""What the guard costs: beside the same calls without it while the database is there, and by itself while it is away.

python -m benchmarks.guard                          print the figures
python -m benchmarks.guard --docs docs/benchmarks   write them to guard.md as well
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from benchmarks.postgres import durable_server
from benchmarks.timing import Figures, circumstances, side_by_side
from gunita import Gunita
from gunita.errors import StorageUnavailableError
from gunita.ids import new_id, now
from gunita.store import messages
from gunita.store.database import ScopedDatabase

TURNS_READ = 20


def append(db: ScopedDatabase, session: UUID) -> Callable[[], object]:
    return lambda: messages.append_turn(
        db, session, "juan", "a question", "an answer", query_tokens=2, response_tokens=2, metadata={}, now=now()
    )


def read(db: ScopedDatabase, session: UUID) -> Callable[[], object]:
    return lambda: messages.latest_turns(db, session, TURNS_READ)


def while_it_is_there(url: str, folder: Path, rounds: int) -> dict[str, dict[str, Figures]]:
    """Time the same calls past the guard, through it, and as a caller makes them, with the fallback and without."""
    kept, plain = Gunita.open(url, journal_folder=folder), Gunita.open(url, fallback=False)
    with kept, plain:
        sessions = [new_id(now()) for _ in range(4)]
        guarded = kept._database
        behind = guarded.behind  # type: ignore[attr-defined]
        ways = [guarded.within(kept.scope), behind.within(kept.scope)]
        for db, session in zip((*ways, *ways), sessions, strict=True):
            for _ in range(TURNS_READ):
                append(db, session)()
        past, through = ways[1], ways[0]
        return {
            "append a turn, the store alone": side_by_side(
                {"without": append(past, sessions[0]), "with": append(through, sessions[1])}, rounds=rounds, batch=20
            ),
            f"read {TURNS_READ} turns, the store alone": side_by_side(
                {"without": read(past, sessions[0]), "with": read(through, sessions[1])}, rounds=rounds, batch=20
            ),
            "store_turn, with the memory for bad times": side_by_side(
                {
                    "without": lambda: plain.sessions.store_turn(sessions[2], "juan", "a question", "an answer"),
                    "with": lambda: kept.sessions.store_turn(sessions[3], "juan", "a question", "an answer"),
                },
                rounds=rounds,
                batch=20,
            ),
        }


def while_it_is_away(folder: Path, calls: int) -> dict[str, list[float]]:
    """Time what is asked while the circuit is open, in milliseconds."""
    with Gunita.open(folder / "away.db", storage_retry_seconds=60.0) as g:
        session = g.chat.reply("How do I cook adobo?", "juan").session_id

        def turn() -> object:
            return g.chat.reply("What was my first question?", "juan", session)

        there = [_milliseconds(turn) for _ in range(calls)]
        with unwritable(g):
            return {
                "a whole chat turn, for comparison while the database is there": there,
                "a call that is refused": [_milliseconds(lambda: _refused(g)) for _ in range(calls)],
                "store_turn, flushed to the journal": [
                    _milliseconds(lambda: g.sessions.store_turn(session, "juan", "a question", "an answer"))
                    for _ in range(calls)
                ],
                "the same chat turn from memory and into the journal": [_milliseconds(turn) for _ in range(calls)],
            }


@contextmanager
def unwritable(g: Gunita) -> Iterator[None]:
    """Take the database away as far as writing goes, and open the circuit."""
    guarded = g._database
    writer = guarded.behind._writer  # type: ignore[attr-defined]
    writer.execute("PRAGMA query_only = ON")
    for writes in (True, False):
        guarded.watch.trip(writes=writes)  # type: ignore[attr-defined]
    yield
    writer.execute("PRAGMA query_only = OFF")


def _refused(g: Gunita) -> None:
    try:
        g.users.get_user_state("juan")
    except StorageUnavailableError:
        return
    raise AssertionError("the circuit is not open")


def _milliseconds(act: Callable[[], object]) -> float:
    before = time.perf_counter()
    act()
    return (time.perf_counter() - before) * 1_000


def report(there: dict[str, dict[str, dict[str, Figures]]], away: dict[str, list[float]], where: dict[str, str]) -> str:
    lines = [
        "# What the guard costs",
        "",
        "Every statement passes the guard ([what it promises](../explanation/durability.md)). Here it is beside the "
        "same statement without it, in small batches one after the other, so that a busy machine disturbs both alike: "
        "read the ratios. Written by `python -m benchmarks.guard --docs docs/benchmarks`.",
        "",
        *(f"- {name}: {value}" for name, value in where.items()),
        "",
        "## While the database is there",
        "",
        "| engine | what | without, median µs | with, median µs | ratio |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for engine, measured in there.items():
        for what, ways in measured.items():
            without, with_it = ways["without"].median, ways["with"].median
            lines.append(f"| {engine} | {what} | {without:,.1f} | {with_it:,.1f} | {with_it / without:.3f} |")
    lines += [
        "",
        "## While it is away and the circuit is open",
        "",
        "The goal is that the guard adds less than 50 ms to a call.",
        "",
        "| what | median ms | slowest ms |",
        "| --- | ---: | ---: |",
    ]
    for what, taken in away.items():
        ordered = sorted(taken)
        lines.append(f"| {what} | {ordered[len(ordered) // 2]:.3f} | {ordered[-1]:.3f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder to write guard.md to")
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--calls", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, durable_server() as server:
        folder = Path(place)
        there = {
            "SQLite": while_it_is_there(str(folder / "there.db"), folder / "waiting", chosen.rounds),
            "PostgreSQL": while_it_is_there(server.url, folder / "waiting", chosen.rounds),
        }
        away = while_it_is_away(folder, chosen.calls)
    text = report(there, away, circumstances(["psycopg"]))
    print(text)
    if chosen.docs:
        (chosen.docs / "guard.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
