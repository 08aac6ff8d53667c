"""Hand-written psycopg: one prepared statement a call from a pool, on Gunita's own tables and on bare ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool

from benchmarks.by_hand import HandTurn, uuid7

_APPEND = """
WITH numbered AS (
    INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count)
    VALUES ('', %s, %s, %s, %s, 1, 2, %s)
    ON CONFLICT (tenant_id, id) DO UPDATE
    SET turn_count = conversations.turn_count + 1, message_count = conversations.message_count + 2,
        updated_at = excluded.updated_at, token_count = conversations.token_count + excluded.token_count
    RETURNING tenant_id, id, user_id, turn_count, updated_at
)
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count)
SELECT numbered.tenant_id, numbered.id, turn_count, said.role, said.id, user_id, said.content, updated_at, said.tokens
FROM numbered CROSS JOIN (VALUES ('user', %s, %s, %s), ('assistant', %s, %s, %s)) AS said (role, id, content, tokens)
RETURNING turn_number
"""
_LATEST = """
SELECT id, user_id, turn_number, content, created_at, metadata
FROM messages WHERE tenant_id = '' AND conversation_id = %s
ORDER BY turn_number DESC, role DESC
LIMIT %s
"""

_BARE_TABLES = """
CREATE SCHEMA bare;
CREATE TABLE bare.conversations (id uuid PRIMARY KEY, user_id text NOT NULL, turn_count integer NOT NULL);
CREATE TABLE bare.messages (conversation_id uuid, turn_number integer, role text, content text NOT NULL,
                            created_at timestamptz NOT NULL DEFAULT now(),
                            PRIMARY KEY (conversation_id, turn_number, role));
INSERT INTO bare.conversations SELECT id, user_id, turn_count FROM public.conversations;
INSERT INTO bare.messages SELECT conversation_id, turn_number, role, content, created_at FROM public.messages;
"""
_BARE_APPEND = """
WITH numbered AS (
    INSERT INTO bare.conversations VALUES (%s, %s, 1)
    ON CONFLICT (id) DO UPDATE SET turn_count = conversations.turn_count + 1
    RETURNING id, turn_count
)
INSERT INTO bare.messages SELECT numbered.id, turn_count, said.role, said.content
FROM numbered CROSS JOIN (VALUES ('user', %s), ('assistant', %s)) AS said (role, content)
RETURNING turn_number
"""
_BARE_LATEST = """
SELECT turn_number, role, content, created_at FROM bare.messages
WHERE conversation_id = %s ORDER BY turn_number DESC, role DESC LIMIT %s
"""


class _Pool:
    """Connections as the tables' owner, who is not held up by row-level security."""

    def __init__(self, url: str, size: int) -> None:
        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True, "prepare_threshold": 0, "options": _with_one_plan(url)},
            min_size=1,
            max_size=size,
            open=True,
        )
        self._pool.wait()

    def fetch(self, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        connection = self._pool.getconn()
        try:
            return connection.execute(statement, values, binary=True).fetchall()
        finally:
            self._pool.putconn(connection)

    def close(self) -> None:
        self._pool.close()


def _with_one_plan(url: str) -> str:
    given = psycopg.conninfo.conninfo_to_dict(url).get("options") or ""
    return f"{given} -c plan_cache_mode=force_generic_plan".strip()


class PostgresByHand:
    """Gunita's tables and durability, no checks, no scopes, no row-level security; `count` gives a text's tokens."""

    def __init__(self, url: str, pool_size: int, count: Callable[[str], int]) -> None:
        self._pool = _Pool(url, pool_size)
        self._count = count

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> HandTurn:
        query_id, now = uuid7(), datetime.now(UTC)
        asked, answered = self._count(query), self._count(response)
        values = (
            conversation_id, user_id, now, now, asked + answered, query_id, query, asked, uuid7(), response, answered,
        )  # fmt: skip
        number = self._pool.fetch(_APPEND, values)[0][0]
        return HandTurn(query_id, conversation_id, user_id, number, query, response, now, {})

    def latest(self, conversation_id: UUID, limit: int) -> list[HandTurn]:
        rows = self._pool.fetch(_LATEST, (conversation_id, 2 * limit))
        turns = [
            HandTurn(asked[0], conversation_id, asked[1], asked[2], asked[3], answered[3], asked[4], answered[5] or {})
            for asked, answered in pairwise(rows)
            if asked[2] == answered[2]
        ]
        turns.reverse()
        return turns

    def close(self) -> None:
        self._pool.close()


class PostgresBare:
    """The least: three columns of a conversation, five of a message, no index beyond the keys, plain rows back."""

    def __init__(self, url: str, pool_size: int) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS bare CASCADE")
            connection.execute(_BARE_TABLES)
            connection.execute("VACUUM ANALYZE bare.conversations")
            connection.execute("VACUUM ANALYZE bare.messages")
        self._pool = _Pool(url, pool_size)

    def append(self, conversation_id: UUID, user_id: str, query: str, response: str) -> int:
        return int(self._pool.fetch(_BARE_APPEND, (conversation_id, user_id, query, response))[0][0])

    def latest(self, conversation_id: UUID, limit: int) -> list[tuple[Any, ...]]:
        return self._pool.fetch(_BARE_LATEST, (conversation_id, 2 * limit))

    def close(self) -> None:
        self._pool.close()
