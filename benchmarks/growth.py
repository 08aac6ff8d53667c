"""How long every public operation takes as things grow: the database, the conversation, the conversations of a user.

python -m benchmarks.growth [--docs FOLDER] [--json] [--only sqlite|postgres] [--largest N]

Operations that give back everything there is (an export, a whole history, a deletion) take as long as there is to give;
they stand apart. All others must not grow faster than a logarithm does.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from threadpoolctl import threadpool_limits

from benchmarks import report_growth
from benchmarks.filling import Conversation, fill_postgres, fill_sqlite
from benchmarks.postgres import durable_server
from benchmarks.search_filling import index_with_noise
from benchmarks.texts import Exchanges
from benchmarks.timing import circumstances, side_by_side
from gunita import Gunita
from gunita.chat.records import ChatRequest
from gunita.ids import new_id
from gunita.store import search

DATABASES = (1_000, 10_000, 100_000, 1_000_000)
CONVERSATIONS = (10, 100, 1_000, 10_000)
USERS = (1, 10, 100, 1_000, 10_000)
COMMON_TURNS, COMMON_CONVERSATIONS = 100, 20
ROUNDS, BATCH = 12, 5
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Place:
    """A conversation and its user, at which operations are timed."""

    size: int
    user_id: str
    conversation_id: UUID


@dataclass(frozen=True)
class Planned:
    everything: list[Conversation]
    common: Place
    by_conversation: list[Place]
    by_user: list[Place]


def planned(turns: int, *, with_growing: bool) -> Planned:
    """Decide what stands in a database of that many turns, and whether conversations and users of all sizes do."""
    others = [Conversation(new_id(BEGAN), f"other-{number // 5}", 10) for number in range(turns // 5)]
    common, made = _user("common", COMMON_CONVERSATIONS, COMMON_TURNS, turns)
    by_conversation: list[Place] = []
    by_user: list[Place] = []
    if with_growing:
        for size in CONVERSATIONS:
            place, more = _user(f"talks-{size}", 1, size, size)
            by_conversation.append(place)
            made += more
        for size in USERS:
            place, more = _user(f"begins-{size}", size, 4, size)
            by_user.append(place)
            made += more
    return Planned(others + made, common, by_conversation, by_user)


def _user(name: str, conversations: int, turns: int, size: int) -> tuple[Place, list[Conversation]]:
    made = [Conversation(new_id(BEGAN), name, 2 * turns) for _ in range(conversations)]
    return Place(size, name, made[-1].id), made


Work = Callable[[], object]


def operations(g: Gunita, place: Place) -> dict[str, Work]:
    """Every operation that does a bounded piece of work, as its user calls it."""
    u, exchanges, user, here = g.scoped(user_id=place.user_id), Exchanges(), place.user_id, place.conversation_id
    said = u.conversations.get_messages(here, limit=1)[0]
    memory = u.memories.create_memory(user, "Lives in Davao")
    chat = u.chat.from_memory(ChatRequest("How high is Mount Apo?", session_id=here))

    def once_stored() -> object:
        message = u.conversations.add_message(here, "user", exchanges.draw()[0])
        return u.messages.delete_message(message.id)

    def once_learnt() -> object:
        return u.memories.delete_memory(u.memories.create_memory(user, "Likes sinigang").id)

    def once_begun() -> object:
        return u.conversations.delete_conversation(u.conversations.create_conversation(user).id)

    return {
        "sessions.store_turn": lambda: u.sessions.store_turn(here, user, *exchanges.draw()),
        "chat, answered from memory": lambda: u.chat.from_memory(ChatRequest(exchanges.draw()[0], session_id=here)),
        "chat, pointing back": lambda: u.chat.from_memory(ChatRequest("yung huli mong sinabi", session_id=here)),
        "sessions.get_context_for_query": lambda: u.sessions.get_context_for_query(here, exchanges.draw()[0]),
        "sessions.get_session_history, 20": lambda: u.sessions.get_session_history(here, 20),
        "sessions.get_recent_sessions": lambda: u.sessions.get_recent_sessions(10),
        "conversations.get_conversation": lambda: u.conversations.get_conversation(here),
        "conversations.current": lambda: u.conversations.current(user),
        "conversations.list_conversations, 50": lambda: u.conversations.list_conversations(50),
        "conversations.get_messages, 50": lambda: u.conversations.get_messages(here, 50),
        "conversations.update_conversation": lambda: u.conversations.update_conversation(here, title="Passport"),
        "conversations.create and delete": once_begun,
        "conversations.get_summary": lambda: u.conversations.get_summary(here),
        "add_message and delete_message": once_stored,
        "messages.get_recent_messages": lambda: u.messages.get_recent_messages(user, 10),
        "messages.get_conversation_history, 50": lambda: u.messages.get_conversation_history(user, 50),
        "transcripts.read, newest": lambda: u.transcripts.read(here),
        "transcripts.read, around the first": lambda: u.transcripts.read(here, around=1),
        "search.search": lambda: u.search.search(f"{exchanges.draw()[0]} passport"),
        "conversations.search": lambda: u.conversations.search("passport renewal"),
        "memories.create and delete": once_learnt,
        "memories.get_memory": lambda: u.memories.get_memory(memory.id),
        "memories.get_memories": lambda: u.memories.get_memories(user),
        "memories.get_context_memories": lambda: u.memories.get_context_memories(user, exchanges.draw()[0]),
        "users.set_memory": lambda: u.users.set_memory(user, "mode", "short"),
        "users.get_all_memory": lambda: u.users.get_all_memory(user),
        "receipts.receipt_of_turn": lambda: u.receipts.receipt_of_turn(here, chat.reply.turn_number),
        "cleanup.forgotten_at": lambda: u.cleanup.forgotten_at(said.conversation_id),
    }


def everything_at_once(g: Gunita, place: Place) -> dict[str, Work]:
    """The operations that give back all there is."""
    u, user, here = g.scoped(user_id=place.user_id), place.user_id, place.conversation_id
    return {
        "sessions.export_conversation": lambda: u.sessions.export_conversation(here),
        "sessions.get_session_history, all": lambda: u.sessions.get_session_history(here),
        "messages.count_messages": lambda: u.messages.count_messages(user),
        "statistics.count": lambda: u.statistics.count(user),
        "insights.look": lambda: u.insights.look(user),
    }


def timed(g: Gunita, places: Sequence[Place], kind: Callable[[Gunita, Place], dict[str, Work]]) -> dict[str, Any]:
    """Time each operation at every place, in small alternating batches."""
    ways = {place.size: kind(g, place) for place in places}
    found: dict[str, Any] = {}
    rounds, batch = (ROUNDS, BATCH) if kind is operations else (3, 1)
    for name in ways[places[0].size]:
        figures = side_by_side({str(size): acts[name] for size, acts in ways.items()}, rounds=rounds, batch=batch)
        found[name] = {int(size): round(figure.median, 1) for size, figure in figures.items()}
        print(f"  {name}: {found[name]} µs", file=sys.stderr, flush=True)
    return found


def growth(name: str, medians: Mapping[int, float]) -> float:
    """Say how often a time grew as much as a logarithm would have let it; over 1 is faster."""
    small, large = min(size for size in medians if size >= page_of(name)), max(medians)
    allowed = math.log(large + 1) / math.log(small + 1)
    return medians[large] / medians[small] / allowed


def page_of(name: str) -> int:
    """Tell how many rows an operation gives back at most; below that it grows because there is more to give."""
    _, _, last = name.rpartition(", ")
    return int(last) if last.isdigit() else 1


@contextmanager
def filled(engine: str, plan: Planned) -> Iterator[Gunita]:
    if engine == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "growth.db"
            Gunita.open(path, background=False).close()
            fill_sqlite(path, plan.everything)
            with Gunita.open(path, background=False) as g:
                yield g
        return
    with durable_server() as server:
        Gunita.open(server.url, background=False).close()
        fill_postgres(server.url, plan.everything)
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        with Gunita.open(server.url, background=False) as g:
            yield g


def indexed(g: Gunita, places: Sequence[Place]) -> None:
    """Index what the users said, with vectors of noise: what a search costs does not depend on what they mean."""
    random = np.random.default_rng(1)
    for place in places:
        user = g.scoped(user_id=place.user_id)
        while waiting := search.waiting_messages(user._door.db, place.user_id, limit=20_000):
            index_with_noise(user, waiting, random)


def megabytes(g: Gunita, place: Place) -> float:
    """Tell what a fresh process holds after it has done everything at a place."""
    where = (g.settings.database_url, place.user_id, str(place.conversation_id))
    command = [sys.executable, "-m", "benchmarks.growth_memory", *where]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(engine: str, largest: int) -> dict[str, Any]:
    """Fill databases of every size and time operations in them; conversations and users of all sizes in one."""
    sizes = [size for size in DATABASES if size <= largest]
    growing = sizes[min(2, len(sizes) - 1)]
    by_database: dict[str, dict[int, float]] = {}
    held: dict[str, dict[int, float]] = {"turns in the database": {}}
    found: dict[str, Any] = {"engine": engine, "by_database": by_database, "growing_in": growing, "held": held}
    for size in sizes:
        plan = planned(size, with_growing=size == growing)
        print(f"{engine}, {size:,} turns", file=sys.stderr, flush=True)
        with filled(engine, plan) as g:
            indexed(g, [plan.common, *plan.by_conversation, *plan.by_user])
            for name, medians in timed(g, [plan.common], operations).items():
                by_database.setdefault(name, {}).update(medians)
            held["turns in the database"][size] = megabytes(g, plan.common)
            if size == growing:
                held["turns in the conversation"] = {one.size: megabytes(g, one) for one in plan.by_conversation}
                held["conversations of the user"] = {one.size: megabytes(g, one) for one in plan.by_user}
                found["by_conversation"] = timed(g, plan.by_conversation, operations)
                found["by_user"] = timed(g, plan.by_user, operations)
                found["everything"] = timed(g, plan.by_conversation, everything_at_once)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    parser.add_argument("--largest", type=int, default=max(DATABASES), help="turns in the largest database")
    chosen = parser.parse_args(arguments)
    about = circumstances(["psycopg", "onnxruntime"])
    # As the service does: shared out among processors, many small products would take three times as long.
    with threadpool_limits(1, user_api="blas"):
        found = [measure(name, chosen.largest) for name in ([chosen.only] if chosen.only else ["sqlite", "postgres"])]
    print("\n".join(report_growth.verdict(found, growth)))
    if chosen.json:
        print(json.dumps({"circumstances": about, "engines": found}, indent=2))
    if chosen.docs:
        report_growth.write(chosen.docs, about, found, growth)
    return 0


if __name__ == "__main__":
    sys.exit(main())
