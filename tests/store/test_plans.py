"""The hot statements find their rows by an index on either engine, however much else the database holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from gunita import Gunita
from gunita.store import queries
from tests.database_roles import announce

USERS, PER_USER, TURNS = 40, 10, 10
USER = "user 7"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def conversation_id(number: int) -> UUID:
    return UUID(int=(7 << 76) | (2 << 62) | number)


CONVERSATION, MESSAGE = conversation_id(77), conversation_id(7_000)

HOT: dict[str, dict[str, Any]] = {
    "append_turn": {
        "conversation_id": CONVERSATION,
        "user_id": USER,
        "query_id": conversation_id(900_001),
        "query": "q",
        "query_tokens": 1,
        "response_id": conversation_id(900_002),
        "response": "a",
        "response_tokens": 1,
        "metadata": None,
        "now": NOW,
        "turn_number": 999,
    },
    "append_message": {
        "conversation_id": CONVERSATION,
        "role": "user",
        "message_id": conversation_id(900_003),
        "content": "q",
        "token_count": 1,
        "tool_calls": None,
        "suggested_values": None,
        "suggested_actions": None,
        "custom_payload": None,
        "now": NOW,
        "turn_number": 999,
        "user_id": USER,
    },
    "messages_before": {"conversation_id": CONVERSATION, "before": 2**31 - 1, "limit": 40},
    "messages_after": {"conversation_id": CONVERSATION, "after": 0, "limit": 40},
    "messages_of_conversation": {"conversation_id": CONVERSATION, "limit": 50, "offset": 0},
    "get_conversation": {"conversation_id": CONVERSATION},
    "list_conversations_of_user": {"user_id": USER, "archived": None, "limit": 50, "offset": 0},
    "newest_messages_of_user": {"user_id": USER, "limit": 20, "offset": 0},
    "count_messages_of_user": {"user_id": USER},
    "get_user_memory": {"user_id": USER, "key": "theme"},
    "list_user_memory": {"user_id": USER},
    "set_user_memory": {"user_id": USER, "key": "theme", "value": "1", "now": NOW},
    "get_user_state": {"user_id": USER},
    "delete_message": {"message_id": MESSAGE},
    "delete_conversation": {"conversation_id": CONVERSATION},
    "list_memories_of_user": {
        "user_id": USER,
        "memory_type": None,
        "category": None,
        "pinned": None,
        "archived": None,
        "any_source": True,
        "source_conversation_id": None,
        "before": UUID(int=2**128 - 1),
        "limit": 1000,
    },
}


def fill(execute_many: Any, moment: Any) -> None:
    """Write a few thousand rows of many users, past Gunita."""
    users = [f"user {n}" for n in range(USERS)]
    conversations = [(conversation_id(n), users[n % USERS]) for n in range(USERS * PER_USER)]
    execute_many(
        "INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count) "
        "VALUES ('', ?, ?, ?, ?, ?)",
        [(str(made), user, moment, moment, TURNS) for made, user in conversations],
    )
    execute_many(
        "INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at) "
        "VALUES ('', ?, ?, ?, ?, ?, 'some words', ?)",
        [
            (str(made), turn, role, str(conversation_id(2 * (TURNS * n + turn) + (role == "user"))), user, moment)
            for n, (made, user) in enumerate(conversations)
            for turn in range(1, TURNS + 1)
            for role in ("user", "assistant")
        ],
    )
    execute_many(
        "INSERT INTO memories (tenant_id, id, user_id, memory_type, content, created_at) "
        "VALUES ('', ?, ?, 'fact', 'some words', ?)",
        [(str(made), user, moment) for made, user in conversations],
    )
    execute_many(
        "INSERT INTO user_memory (tenant_id, user_id, key, value, created_at, updated_at) VALUES ('', ?, ?, '1', ?, ?)",
        [(user, f"key {n}", moment, moment) for user in users for n in range(PER_USER)],
    )
    execute_many(
        "INSERT INTO user_state (tenant_id, user_id, mode, updated_at) VALUES ('', ?, 'active', ?)",
        [(f"user {n}", moment) for n in range(USERS * PER_USER)],
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path: Path = tmp_path_factory.mktemp("plans") / "gunita.db"
    with Gunita.open(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        fill(connection.executemany, 1)
        connection.commit()
        connection.execute("ANALYZE")
        yield connection


@pytest.mark.parametrize("name", HOT)
@pytest.mark.parametrize("user", [None, USER], ids=["service", "user"])
def test_sqlite_searches_and_never_scans(file: sqlite3.Connection, name: str, user: str | None) -> None:
    bound = {key: str(value) if isinstance(value, UUID | datetime) else value for key, value in HOT[name].items()}
    for step in queries.load("sqlite")[name].steps:
        plan = [
            row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {step}", bound | {"tenant_id": "", "scope_user": user})
        ]
        assert not [line for line in plan if line.startswith("SCAN") and "CONSTANT ROW" not in line], plan
        if not step.startswith("INSERT"):
            assert any("USING" in line for line in plan), plan


def test_postgres_uses_an_index_and_never_reads_a_whole_table(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url):
        pass
    with psycopg.connect(new_postgres_url, autocommit=True) as connection:
        with connection.cursor() as cursor, connection.transaction():
            fill(lambda statement, rows: cursor.executemany(statement.replace("?", "%s"), rows), NOW)
        connection.execute("ANALYZE")
        for user in (None, USER):
            announce(connection, None, user)
            for name, parameters in HOT.items():
                check_plan(connection, name, parameters | {"tenant_id": "", "scope_user": user})


def check_plan(connection: psycopg.Connection, name: str, parameters: dict[str, Any]) -> None:
    [step] = queries.load("postgres")[name].steps
    statement = f"EXPLAIN (FORMAT JSON) {queries.for_psycopg(step)}".encode()
    [(plan,)] = connection.execute(statement, parameters).fetchall()
    nodes = list(every_node(plan[0]["Plan"]))
    kinds = [node["Node Type"] for node in nodes]
    assert "Seq Scan" not in kinds, (name, json.dumps(plan, indent=1))
    if not step.startswith(("INSERT", "WITH")) or name == "append_message":
        assert any("Index" in kind for kind in kinds), (name, kinds)


def every_node(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from every_node(child)
