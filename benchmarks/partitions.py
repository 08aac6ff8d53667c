"""Would hourly partitions pay for forgetting? Counts what one read, one append and one hour's forgetting touch.

python -m benchmarks.partitions     pages touched are the same on a busy machine and on a quiet one
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg

from benchmarks.postgres import durable_server

HOURS = 24
CONVERSATIONS, TURNS = 400, 48
NOW = datetime(2026, 3, 2, tzinfo=UTC)
COLUMNS = """(
    conversation_id uuid NOT NULL, turn_number integer NOT NULL, role text NOT NULL, id uuid NOT NULL,
    content text NOT NULL, created_at timestamptz NOT NULL, PRIMARY KEY (conversation_id, turn_number, role{key})
)"""
READ = "SELECT content FROM {table} WHERE conversation_id = %s AND turn_number < 100 ORDER BY turn_number DESC LIMIT 40"
WRITE = "INSERT INTO {table} VALUES (%s, 100, 'user', gen_random_uuid(), 'said', %s)"


def make(connection: psycopg.Connection, table: str, *, partitioned: bool) -> None:
    """Make a table of messages; a partitioned one must have the time in its key, and then the key is unique no more."""
    how = " PARTITION BY RANGE (created_at)" if partitioned else ""
    connection.execute(f"CREATE TABLE {table} {COLUMNS.format(key=', created_at' if partitioned else '')}{how}")
    connection.execute(f"CREATE INDEX ON {table} (id)")
    for hour in range(HOURS + 1 if partitioned else 0):
        first = NOW - timedelta(hours=HOURS - hour)
        bounds = f"FROM ('{first.isoformat()}') TO ('{(first + timedelta(hours=1)).isoformat()}')"
        connection.execute(f"CREATE TABLE {table}_{hour} PARTITION OF {table} FOR VALUES {bounds}")


def fill(connection: psycopg.Connection, table: str, conversations: list[UUID]) -> None:
    """Have every conversation go on all day, two turns an hour."""
    with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
        for conversation in conversations:
            for turn in range(1, TURNS + 1):
                at = NOW - timedelta(hours=HOURS) + timedelta(minutes=30 * (turn - 1))
                for role in ("user", "assistant"):
                    copy.write_row((conversation, turn, role, uuid4(), "said " * 40, at))
    connection.execute(f"ANALYZE {table}")


def touched(connection: psycopg.Connection, statement: str, parameters: tuple[Any, ...]) -> dict[str, float]:
    """Run a statement twice and tell what the second time touched and how long planning and running took."""
    for _ in range(2):
        with connection.transaction(force_rollback=True):
            row = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", parameters).fetchone()
    assert row is not None
    told = row[0][0]
    pages = told["Plan"]["Shared Hit Blocks"] + told["Plan"]["Shared Read Blocks"]
    return {"pages": pages, "planning_ms": told["Planning Time"], "running_ms": told["Execution Time"]}


def main() -> None:
    conversations = [uuid4() for _ in range(CONVERSATIONS)]
    with durable_server() as server, psycopg.connect(server.url, autocommit=True) as connection:
        for table, partitioned in (("plain", False), ("hourly", True)):
            make(connection, table, partitioned=partitioned)
            fill(connection, table, conversations)
            told = {
                "read 20 turns": touched(connection, READ.format(table=table), (conversations[7],)),
                "append": touched(connection, WRITE.format(table=table), (conversations[7], NOW)),
            }
            began = time.perf_counter()
            if partitioned:
                connection.execute("DROP TABLE hourly_0")
            else:
                connection.execute("DELETE FROM plain WHERE created_at < %s", (NOW - timedelta(hours=HOURS - 1),))
            told["forget the oldest hour"] = {"running_ms": (time.perf_counter() - began) * 1e3}
            print(json.dumps({table: told}, indent=2))


if __name__ == "__main__":
    main()
