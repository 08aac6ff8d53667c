"""Ranks every message for each question by the public search: `python -m benchmarks.recall HAYSTACKS QUESTIONS OUT`.

The store is filled through the public API, background indexing included; OUT takes one ranking a line, best first.
`--store FILE` keeps the filled store and uses it again, `--database URL` fills a PostgreSQL instead, and `--parts`
prints what each part of the ranking gives, figured here from the questions' gold messages; `--rivals` prints what the
engines' own searches find. `--pairs FILE` takes English and Filipino sentences beside each other instead (a line each,
between tabs), keeps one language as messages and asks for each by the other.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.recall_pairs import print_pairs
from benchmarks.recall_parts import print_parts
from benchmarks.recall_rivals import print_rivals
from gunita import Gunita

RANKED = 50


class SettableClock:
    """The time that a question is asked at."""

    def __init__(self) -> None:
        self.now = datetime(2000, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def fill(gunita: Gunita, haystack: dict[str, Any]) -> dict[UUID, str]:
    """Keep a haystack as one user's conversations; give each message's name in the data."""
    user = gunita.scoped("recall", haystack["haystack"])
    names: dict[UUID, str] = {}
    for session in haystack["sessions"]:
        conversation = user.conversations.create_conversation(title=session["session"])
        for place, said in enumerate(session["messages"]):
            message = user.conversations.add_message(
                conversation.id,
                said["role"],
                said["text"],
                created_at=moment(session["at"]) + timedelta(seconds=place),
                custom_payload={"name": said["name"], "source": said["id"]}
                if said.get("name")
                else {"source": said["id"]},
            )
            names[message.id] = said["id"]
    return names


def names_in(gunita: Gunita, haystack: str) -> dict[UUID, str]:
    """Read the names of a store that was filled before."""
    messages = gunita.scoped("recall", haystack).messages.get_conversation_history(haystack, limit=10_000)
    return {message.id: (message.custom_payload or {})["source"] for message in messages}


def index_all(gunita: Gunita, users: Sequence[str]) -> None:
    """Let the background work run until nothing waits."""
    began, done = time.perf_counter(), 0
    for user in users:
        search = gunita.scoped("recall", user).search
        while step := search.index_pending(200):
            done += step
            print(f"indexed {done} messages in {time.perf_counter() - began:.0f} s", flush=True)


def rank(
    gunita: Gunita, clock: SettableClock, questions: Sequence[dict[str, Any]], names: dict[str, dict[UUID, str]]
) -> Iterator[dict[str, Any]]:
    for question in questions:
        clock.now = moment(question["at"])
        search = gunita.scoped("recall", question["haystack"]).search
        hits = search.search(question["question"], limit=RANKED)
        known = names[question["haystack"]]
        yield {"id": question["id"], "ranking": [known[hit.found.id] for hit in hits]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("haystacks", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--store", type=Path, help="keep the filled SQLite store here and use it again")
    parser.add_argument("--database", help="an empty PostgreSQL database to fill instead")
    parser.add_argument("--parts", action="store_true", help="print what each part of the ranking gives")
    parser.add_argument("--rivals", action="store_true", help="print what FTS5, tsvector and pgvector find")
    parser.add_argument("--pairs", type=Path, help="sentences in two languages: each must find the other")
    given = parser.parse_args()
    if given.pairs:
        print_pairs(given.pairs)
    clock = SettableClock()
    with tempfile.TemporaryDirectory() as folder:
        address = given.database or given.store or Path(folder) / "recall.db"
        filled = given.store is not None and given.store.exists()
        with Gunita.open(address, clock=clock) as gunita:
            haystacks = lines(given.haystacks)
            users = [haystack["haystack"] for haystack in haystacks]
            if filled:
                names = {user: names_in(gunita, user) for user in users}
            else:
                names = {haystack["haystack"]: fill(gunita, haystack) for haystack in haystacks}
            clock.now = datetime.now(UTC)
            index_all(gunita, users)
            questions = lines(given.questions)
            began = time.perf_counter()
            rankings = list(rank(gunita, clock, questions, names))
            print(f"{len(rankings)} questions, {1000 * (time.perf_counter() - began) / len(rankings):.1f} ms each")
            given.out.write_text("".join(json.dumps(ranking) + "\n" for ranking in rankings), encoding="utf-8")
            if given.parts:
                print_parts(gunita, questions, names)
            if given.rivals:
                print_rivals(haystacks, questions)


if __name__ == "__main__":
    main()
