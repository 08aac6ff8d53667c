"""Times search over one user with many messages, alone and among others: `python -m benchmarks.search`.

Beside it stand FTS5 alone and brute-force numpy over the same vectors. Vectors are random, since reading texts is not
what is timed; words are real. `--messages` says how many the user has, `--others` how many other users have together.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.postgres import durable_server
from benchmarks.texts import Exchanges
from gunita import Gunita
from gunita.recall.index import shortened
from gunita.recall.terms import pack, terms_of
from gunita.services.indexing import MARK, shipped_encoder
from gunita.store import search
from tests.raw_sql import run as raw

USER = "searcher"
QUERIES = (
    "when is the passport appointment",
    "kailan ang bayad sa upa",
    "what did you recommend for the trip",
    "how much does the insurance cost",
    "yung tungkol sa visa",
)
NEW_ID = {
    "sqlite": "lower(substr(hex(randomblob(16)), 1, 8) || '-0000-7000-8000-' || substr(hex(randomblob(16)), 1, 12))",
    "postgres": "gen_random_uuid()",
}
COPY_CONVERSATION = """
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at)
SELECT tenant_id, {id}, '{user}', created_at, updated_at FROM conversations
WHERE tenant_id = '' AND user_id = 'searcher'
"""
COPY_MESSAGES = """
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at)
SELECT messages.tenant_id, other.id, turn_number, role, {id}, '{user}', content, messages.created_at
FROM messages, conversations AS other
WHERE messages.tenant_id = '' AND messages.user_id = 'searcher' AND other.tenant_id = '' AND other.user_id = '{user}'
"""
COPY_INDEX = """
INSERT INTO message_index (tenant_id, user_id, message_id, conversation_id, turn_number, role, created_at, indexed_at,
                           mark, terms, vectors, model)
SELECT copy.tenant_id, copy.user_id, copy.id, copy.conversation_id, copy.turn_number, copy.role, copy.created_at,
       found.indexed_at, found.mark, found.terms, found.vectors, found.model
FROM messages AS copy
JOIN message_index AS found ON found.turn_number = copy.turn_number AND found.role = copy.role
WHERE copy.tenant_id = '' AND copy.user_id = '{user}' AND found.tenant_id = '' AND found.user_id = 'searcher'
"""


def fill(gunita: Gunita, messages: int) -> None:
    """Keep one long conversation and index it."""
    user, exchanges = gunita.scoped(user_id=USER), Exchanges()
    session = user.sessions.create_session()
    random, encoder = np.random.default_rng(1), shipped_encoder()
    for _ in range(messages // 2):
        query, response = exchanges.draw()
        user.sessions.store_turn(session, USER, query, response)
    now = datetime.now(UTC)
    waiting = search.waiting_messages(user._door.db, USER, limit=messages)
    with user._door.db.transaction() as together:
        for message in waiting:
            vector = random.standard_normal((1, encoder.dimensions)).astype(np.float32)
            search.put(
                together,
                message.id,
                terms=pack(terms_of(message.content)),
                vectors=shortened(vector / np.linalg.norm(vector)).tobytes(),
                model=encoder.model_name,
                mark=message.id.int & MARK,
                now=now,
            )
            search.leave_queue(together, USER, message.id)


def add_others(url: str, engine: str, times: int) -> None:
    """Give the same messages to other users, by SQL."""
    for number in range(times):
        user = f"other-{number}"
        for statement in (COPY_CONVERSATION, COPY_MESSAGES, COPY_INDEX):
            raw(url, statement.format(id=NEW_ID[engine], user=user))
        raw(url, f"DELETE FROM index_queue WHERE user_id = '{user}'")
    if engine == "postgres":
        raw(url, "ANALYZE message_index")


def timed(act: Callable[[str], object], rounds: int) -> dict[str, float]:
    """Time an act for every query, again and again, in milliseconds."""
    for query in QUERIES:
        act(query)
    taken = []
    for place in range(rounds):
        query = f"{QUERIES[place % len(QUERIES)]} {place}"
        began = time.perf_counter()
        act(query)
        taken.append(1000 * (time.perf_counter() - began))
    return {"p50": round(statistics.median(taken), 2), "p99": round(statistics.quantiles(taken, n=100)[98], 2)}


def fts5_alone(texts: list[str]) -> Callable[[str], object]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE found USING fts5(content, tokenize = 'porter unicode61')")
    connection.executemany("INSERT INTO found VALUES (?)", [(text,) for text in texts])
    statement = "SELECT rowid, snippet(found, 0, '[', ']', '…', 30) FROM found WHERE found MATCH ? ORDER BY rank"
    return lambda query: connection.execute(statement, (" OR ".join(query.split()),)).fetchmany(20)


def brute_force(count: int) -> Callable[[str], object]:
    encoder = shipped_encoder()
    vectors = np.random.default_rng(1).standard_normal((count, encoder.dimensions)).astype(np.float32)
    return lambda query: np.argpartition(-(vectors @ encoder.encode([query])[0]), 20)[:20]


def measure(url: str, engine: str, given: argparse.Namespace) -> dict[str, Any]:
    with Gunita.open(url) as gunita:
        fill(gunita, given.messages)
        user = gunita.scoped(user_id=USER)
        began = time.perf_counter()
        user.search.search("cold start")
        figures: dict[str, Any] = {"first search, ms": round(1000 * (time.perf_counter() - began), 1)}
        figures["alone, ms"] = timed(user.search.search, given.rounds)
        add_others(url, engine, given.others // given.messages)
        figures[f"among {given.others:,} messages of others, ms"] = timed(user.search.search, given.rounds)
        if engine == "sqlite":
            texts = [message.content for message in user.messages.get_conversation_history(USER, limit=10_000)]
            figures["FTS5 alone, ms"] = timed(fts5_alone(texts), given.rounds)
            figures["numpy alone, ms"] = timed(brute_force(len(texts)), given.rounds)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--others", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"sqlite": measure(str(Path(folder) / "search.db"), "sqlite", given)}, indent=1), flush=True)
    with durable_server() as server:
        print(json.dumps({"postgres": measure(server.url, "postgres", given)}, indent=1))


if __name__ == "__main__":
    main()
