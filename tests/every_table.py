"""A row of every table of a SQLite file, written past Gunita, and both engines read whole in the same form."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.types.string import TextLoader

from gunita import Gunita


class Drawn(NamedTuple):
    """What a row is made of where the schema leaves a choice."""

    text: Callable[[], str]
    name: Callable[[], str]
    json: Callable[[], str]
    time: Callable[[], int]
    share: Callable[[], float]
    data: Callable[[], bytes]
    id: Callable[[], str]


def new_file(path: Path) -> Path:
    with Gunita.open(path):
        pass
    return path


def fill(file: sqlite3.Connection, tenant: str, user: str, one: Drawn) -> None:
    """Write a conversation of two turns with everything that can hang on it, and everything that hangs on a user."""
    conversation, memory, asked, answered = one.id(), one.id(), one.id(), one.id()
    mine = {"tenant_id": tenant, "user_id": user}
    of = mine | {"conversation_id": conversation}

    def insert(table: str, **row: Any) -> None:
        places = ", ".join("?" for _ in row)
        file.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", [*row.values()])

    insert(
        "conversations", **mine, id=conversation, title=one.text(), created_at=one.time(), updated_at=one.time(),
        archived=1, document_context=one.json(), message_count=2, turn_count=1, token_count=7, awaits_answer=0,
        metadata=one.json(), kept_for=1 << 40, counted_from="turn",
    )  # fmt: skip
    for role, message in (("user", asked), ("assistant", answered)):
        insert(
            "messages", **of, turn_number=1, role=role, id=message, content=one.text(), created_at=one.time(),
            token_count=3, metadata=one.json(), tool_calls=one.json(), suggested_values=None,
            suggested_actions=one.json(), custom_payload=one.json(),
        )  # fmt: skip
    # The question waits to be indexed; the answer is indexed already.
    file.execute("DELETE FROM index_queue WHERE tenant_id = ? AND message_id = ?", (tenant, answered))
    insert(
        "message_index", **of, message_id=answered, turn_number=1, role="assistant", created_at=one.time(),
        indexed_at=one.time(), mark=5, terms=one.data(), vectors=one.data(), model=one.text(),
    )  # fmt: skip
    insert("summaries", **of, through_turn=1, content=one.text(), method="m", token_count=2, created_at=one.time())
    insert("extraction_cursors", **of, through_turn=1, updated_at=one.time())
    insert("pending_clarifications", **of, payload=one.json(), expires_at=one.time())
    insert("jobs", **of, id=one.id(), kind="extract", payload=one.json(), run_after=one.time(), created_at=one.time())
    insert("receipts", **of, id=one.id(), turn_number=1, kind="context", body=one.json(), created_at=one.time())
    insert("requests", **of, request_id=one.name(), turn_number=1, created_at=one.time())
    insert(
        "corrections", **of, id=one.id(), turn_number=1, understood=one.json(), meant=one.json(), created_at=one.time()
    )
    insert(
        "memories", **mine, id=memory, memory_type="fact", category=one.text(), content=one.text(),
        source_conversation_id=conversation, source_message_id=asked, created_at=one.time(), access_count=1,
        last_accessed_at=one.time(), pinned=1, confidence=one.share(), vector=one.data(), vector_model="m",
    )  # fmt: skip
    insert(
        "memory_history", **mine, memory_id=memory, id=one.id(), memory_type="fact", content=one.text(),
        confidence=one.share(), believed_from=one.time(), believed_until=one.time(), reason="edited",
    )  # fmt: skip
    insert("forgotten_sources", **mine, message_id=asked, forgotten_at=one.time())
    insert("user_memory", **mine, key=one.name(), value=one.json(), created_at=one.time(), updated_at=one.time())
    insert("user_state", **mine, mode=one.name(), updated_at=one.time())
    insert("api_keys", **mine, id=one.id(), name=one.text(), role="user", key_hash=one.id(), created_at=one.time())
    insert("retention_rules", tenant_id=tenant, kept_for=1 << 50, counted_from="activity", updated_at=one.time())
    insert(
        "cleanup_runs", tenant_id=tenant, id=one.id(), started_at=one.time(), execution_time=one.share(),
        sessions_deleted=1 << 40, turns_deleted=0, errors=one.json(),
    )  # fmt: skip
    insert(
        "deletion_receipts", tenant_id=tenant, id=one.id(), kind="user", subject=one.text(), counts=one.json(),
        digest="d", deleted_at=one.time(),
    )  # fmt: skip


def in_file(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Read every table of a SQLite file."""
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            table: sorted(file.execute(f"SELECT {', '.join(columns_of(file, table))} FROM {table}"), key=repr)
            for table in tables
            if not table.startswith(("sqlite_", "transfer_", "schema_"))
        }


def columns_of(file: sqlite3.Connection, table: str) -> list[str]:
    return sorted(name for (name,) in file.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def in_postgres(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Read every table of PostgreSQL, its values said as SQLite says them."""
    with psycopg.connect(url) as connection:
        connection.adapters.register_loader("json", TextLoader)
        connection.execute("SET timezone = 'UTC'")
        found = connection.execute(
            'SELECT table_name, array_agg(column_name::text ORDER BY column_name COLLATE "C") '
            "FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) "
            "WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY 1"
        ).fetchall()
        return {
            table: sorted(
                (tuple(map(plain, row)) for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}")),
                key=repr,
            )
            for table, columns in found
            if not table.startswith(("transfer_", "schema_"))
        }


def plain(value: Any) -> Any:
    match value:
        case bool():
            return int(value)
        case UUID():
            return str(value)
        case datetime():
            since = value - datetime(1970, 1, 1, tzinfo=UTC)
            return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
        case _:
            return value


def emptied(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            if name != "schema_migrations"
        ]
        connection.execute(f"TRUNCATE {', '.join(tables)}".encode())
