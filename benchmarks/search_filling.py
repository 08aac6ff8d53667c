"""Fills tables for timing search: one user through the public API, the others by SQL, with bytes for vectors."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from benchmarks.texts import Exchanges
from gunita import Gunita
from gunita.models import Message
from gunita.recall.index import shortened
from gunita.recall.pieces import pieces_of
from gunita.recall.terms import pack, terms_of
from gunita.services.indexing import MARK, shipped_encoder
from gunita.store import search
from tests.raw_sql import connected

USER = "searcher"
TURNS_A_CONVERSATION = 50
STEP = 50_000

# Ids that grow, as real ones do, so that rows are written one behind the other.
IDS = {
    "sqlite": {
        "conversation": "printf('%08x-0000-7000-8000-%012x', {number}, {conversation})",
        "message": "printf('%08x-%04x-7000-9000-%012x', {number}, role = 'user', rank)",
        "bytes": "randomblob(384)",
    },
    "postgres": {
        "conversation": "(lpad(to_hex({number}), 8, '0') || '-0000-7000-8000-'"
        " || lpad(to_hex({conversation}), 12, '0'))::uuid",
        "message": "(lpad(to_hex({number}), 8, '0') || '-000' || (role = 'user')::int || '-7000-9000-'"
        " || lpad(to_hex(rank), 12, '0'))::uuid",
        "bytes": "decode(repeat(md5(random()::text), 24), 'hex')",
    },
}
COPIED = """
CREATE TABLE copied AS
SELECT dense_rank() OVER (ORDER BY messages.conversation_id) AS place, messages.turn_number, messages.role, content,
       messages.created_at, row_number() OVER (ORDER BY messages.id) AS rank, indexed_at, mark, terms, model
FROM messages
JOIN message_index AS found ON found.tenant_id = '' AND found.user_id = 'searcher' AND found.message_id = messages.id
WHERE messages.tenant_id = '' AND messages.user_id = 'searcher'
"""
CONVERSATIONS = """
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at)
SELECT DISTINCT '', {conversation_id}, '{user}', min(created_at) OVER (), min(created_at) OVER () FROM copied
"""
MESSAGES = """
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at)
SELECT '', {conversation_id}, turn_number, role, {message_id}, '{user}', content, created_at
FROM copied ORDER BY place, turn_number, role
"""
INDEX = """
INSERT INTO message_index (tenant_id, user_id, message_id, conversation_id, turn_number, role, created_at, indexed_at,
                           mark, terms, vectors, model)
SELECT '', '{user}', {message_id}, {conversation_id}, turn_number, role, created_at, indexed_at, mark, terms,
       {bytes}, model
FROM copied ORDER BY 3
"""


def fill(gunita: Gunita, messages: int) -> int:
    """Keep a user's conversations and index them with made-up vectors, as many as each text has pieces; count those."""
    user, exchanges = gunita.scoped(user_id=USER), Exchanges()
    for turn in range(messages // 2):
        if turn % TURNS_A_CONVERSATION == 0:
            session = user.sessions.create_session()
        user.sessions.store_turn(session, USER, *exchanges.draw())
    waiting = search.waiting_messages(user._door.db, USER, limit=messages)
    random = np.random.default_rng(1)
    return sum(index_with_noise(user, waiting[start : start + STEP], random) for start in range(0, len(waiting), STEP))


def index_with_noise(user: Gunita, waiting: list[Message], random: np.random.Generator) -> int:
    encoder, now, pieces = shipped_encoder(), datetime.now(UTC), 0
    with user._door.db.transaction() as together:
        for message in waiting:
            vectors = random.standard_normal((len(pieces_of(message.content)), encoder.dimensions)).astype(np.float32)
            search.put(
                together,
                message.id,
                terms=pack(terms_of(message.content)),
                vectors=shortened(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).tobytes(),
                model=encoder.model_name,
                mark=message.id.int & MARK,
                now=now,
            )
            search.leave_queue(together, user.scope.user_id or USER, message.id)
            pieces += len(vectors)
    return pieces


def add_others(url: str, engine: str, users: int) -> None:
    """Give the same messages to other users, without queueing them: they are indexed already."""
    with connected(url) as raw:
        if engine == "sqlite":
            triggers = raw(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name = 'messages_are_queued'"
            )
            for name, _ in triggers:
                raw(f"DROP TRIGGER {name}")
        else:
            raw("SET session_replication_role = replica")
            raw("SET synchronous_commit = off")
        raw(COPIED)
        for number in range(1, users + 1):
            names = {name: text.format(number=number, conversation="place") for name, text in IDS[engine].items()}
            for statement in (CONVERSATIONS, MESSAGES, INDEX):
                raw(
                    statement.format(
                        user=f"other-{number:06}",
                        conversation_id=names["conversation"],
                        message_id=names["message"],
                        bytes=names["bytes"],
                    )
                )
            if number % 10 == 0:
                print(f"  {number} of {users} other users", flush=True)
        raw("DROP TABLE copied")
        if engine == "sqlite":
            for _, statement in triggers:
                raw(statement)
        else:
            # As the server does by itself before long; until then every look at an index has to look at the table too.
            raw("VACUUM ANALYZE")
