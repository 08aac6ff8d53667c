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
from tests.conftest import new_database
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


TURNS_LISTED = json.dumps([[str(CONVERSATION), 1], [str(CONVERSATION), 2]])
IDS_LISTED = json.dumps([str(CONVERSATION)])
CLEANING: dict[str, dict[str, Any]] = {
    "hold_conversations_of_tenant": {"ids": IDS_LISTED},
    "expire_messages_of_tenant": {"turns": TURNS_LISTED},
    "discount_expired_of_tenant": {"gone": json.dumps([[str(CONVERSATION), 2, 9, False]])},
    "expire_summaries_of_tenant": {"ids": IDS_LISTED},
    "expire_receipts_of_tenant": {"turns": TURNS_LISTED},
    "expire_requests_of_tenant": {"ids": IDS_LISTED, "turns": TURNS_LISTED},
    "expire_corrections_of_tenant": {"ids": IDS_LISTED, "turns": TURNS_LISTED},
    "drop_emptied_of_tenant": {"ids": IDS_LISTED},
}
"""What forgets by lists; each looks its rows up one by one."""


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
        "INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at) "
        "VALUES ('', ?, ?, ?, ?, 'context', '{}', ?)",
        [
            (str(conversation_id(TURNS * n + turn)), user, str(made), turn, moment)
            for n, (made, user) in enumerate(conversations)
            for turn in range(1, TURNS + 1)
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


@pytest.fixture(scope="module")
def server(postgres_url: str) -> Iterator[psycopg.Connection]:
    with new_database(postgres_url) as url:
        with Gunita.open(url):
            pass
        with psycopg.connect(url, autocommit=True) as connection:
            with connection.cursor() as cursor, connection.transaction():
                fill(lambda statement, rows: cursor.executemany(statement.replace("?", "%s"), rows), NOW)
            connection.execute("ANALYZE")
            yield connection


@pytest.mark.parametrize("user", [None, USER], ids=["service", "user"])
def test_postgres_uses_an_index_and_never_reads_a_whole_table(server: psycopg.Connection, user: str | None) -> None:
    with server.transaction(force_rollback=True):
        announce(server, None, user, local=True)
        for name, parameters in HOT.items():
            check_plan(server, name, parameters | {"tenant_id": "", "scope_user": user})


def test_what_forgets_by_lists_looks_its_rows_up_in_postgres_behind_its_policies(server: psycopg.Connection) -> None:
    with server.transaction(force_rollback=True):
        announce(server, None, None, local=True)
        # Small tables are read whole whatever stands in a statement; what could not be looked up still shows.
        for other_way in ("seqscan", "hashjoin", "mergejoin"):
            server.execute(f"SET LOCAL enable_{other_way} = off")
        for name, parameters in CLEANING.items():
            plan = plan_of(server, name, parameters | {"tenant_id": "", "scope_user": None})
            found = [node["Index Cond"] for node in every_node(plan) if "Index Cond" in node]
            assert found, (name, plan)
            assert all("conversation_id = " in by or "(id = " in by for by in found), (name, found)


@pytest.mark.parametrize("name", CLEANING)
def test_what_forgets_by_lists_looks_its_rows_up_in_sqlite(file: sqlite3.Connection, name: str) -> None:
    for step in queries.load("sqlite")[name].steps:
        bound = CLEANING[name] | {"tenant_id": "", "scope_user": None}
        plan = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {step}", bound)]
        scans = [line for line in plan if line.startswith("SCAN")]
        assert not [line for line in scans if "VIRTUAL TABLE" not in line and "CONSTANT ROW" not in line], plan


LISTS = {
    "list_conversations_of_user": {"user_id": USER, "archived": None, "limit": 50, "offset": 0},
    "list_conversations_of_tenant": {"archived": None, "limit": 50, "offset": 0},
}
"""A page costs what it shows, though all of `fill` was changed at one moment, as by an import."""


@pytest.mark.parametrize("name", LISTS)
def test_a_page_of_conversations_is_read_in_its_order_from_sqlite(file: sqlite3.Connection, name: str) -> None:
    [step] = queries.load("sqlite")[name].steps
    plan = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {step}", LISTS[name] | {"tenant_id": ""})]
    assert not [line for line in plan if "TEMP B-TREE" in line], plan


@pytest.mark.parametrize("name", LISTS)
def test_a_page_of_conversations_is_read_in_its_order_from_postgres(server: psycopg.Connection, name: str) -> None:
    with server.transaction(force_rollback=True):
        announce(server, None, None, local=True)
        # In a table this small a sort costs less than a walk; what could not be walked would still be sorted.
        server.execute("SET LOCAL enable_sort = off")
        plan = plan_of(server, name, LISTS[name] | {"tenant_id": ""})
        assert not [node for node in every_node(plan) if "Sort" in node["Node Type"]], plan


def check_plan(connection: psycopg.Connection, name: str, parameters: dict[str, Any]) -> None:
    [step] = queries.load("postgres")[name].steps
    plan = plan_of(connection, name, parameters)
    kinds = [node["Node Type"] for node in every_node(plan)]
    assert "Seq Scan" not in kinds, (name, json.dumps(plan, indent=1))
    if not step.startswith(("INSERT", "WITH")) or name == "append_message":
        assert any("Index" in kind for kind in kinds), (name, kinds)


def plan_of(connection: psycopg.Connection, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    [step] = queries.load("postgres")[name].steps
    statement = f"EXPLAIN (FORMAT JSON) {queries.for_psycopg(step)}".encode()
    [(plans,)] = connection.execute(statement, parameters).fetchall()
    plan: dict[str, Any] = plans[0]["Plan"]
    return plan


def every_node(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from every_node(child)
