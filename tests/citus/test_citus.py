"""On a real Citus cluster: tables spread by tenant, every service at work, each hot call at one shard.

GUNITA_TEST_CITUS_URL names a database with the extension and its nodes; a schema of its own is made there and dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from typer.testing import CliRunner

from gunita import Gunita
from gunita.cli.commands import app
from gunita.store import queries
from tests.store.test_plans import HOT
from tests.store.test_postgres import use_everything

URL = os.environ["GUNITA_TEST_CITUS_URL"]


@pytest.fixture(scope="module")
def schema() -> Iterator[str]:
    name = f"gunita_{uuid4().hex[:12]}"
    os.environ["GUNITA_POSTGRES_SCHEMA"] = name
    try:
        for _ in range(2):
            ended = CliRunner().invoke(app, ["migrate", "--distribute", "-d", URL])
            assert ended.exit_code == 0, ended.stderr
        assert "Nothing to do." in ended.stdout
        yield name
    finally:
        del os.environ["GUNITA_POSTGRES_SCHEMA"]
        run(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def run(statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(URL, autocommit=True) as connection:
        cursor = connection.execute(statement.encode(), parameters)
        return cursor.fetchall() if cursor.description else []


def test_every_table_is_spread_by_tenant_or_whole_on_every_node(schema: str) -> None:
    spread = dict(
        run(
            "SELECT relname, coalesce(column_to_column_name(logicalrelid, partkey), 'everywhere') "
            "FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid "
            "WHERE relnamespace = %s::regnamespace",
            schema,
        )
    )
    tables = {name for (name,) in run("SELECT tablename FROM pg_tables WHERE schemaname = %s", schema)}
    assert spread.keys() == tables - {"schema_migrations"}
    assert {name for name, by in spread.items() if by != "tenant_id"} == {"api_keys"}
    beside = run(
        "SELECT DISTINCT colocationid FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid "
        "WHERE relnamespace = %s::regnamespace AND partkey IS NOT NULL",
        schema,
    )
    assert len(beside) == 1


@pytest.mark.parametrize("pooling", ["session", "transaction"])
def test_every_service_works_on_shards(schema: str, pooling: str) -> None:
    with Gunita.open(URL, postgres_schema=schema, postgres_pooling=pooling) as g:
        for _ in range(8):
            use_everything(g)
        g.search.index_everywhere(200)
        for tenant in ("one", "two", None):
            shop = g.scoped(tenant, f"ana {pooling}")
            session = shop.sessions.create_session()
            shop.sessions.store_turn(session, shop.scope.user_id, "Magkano ang visa papuntang Japan?", "Libre po.")
            assert g.search.index_everywhere(200) == 2
            assert "visa" in shop.search.search("visa")[0].snippet
            key = g.scoped(tenant).keys.create_key("test", role="service")
            assert g.keys.owner_of(key.secret) is not None
            g.cleanup.run_cleanup()
            assert g.scoped(tenant).deletion.delete_user(shop.scope.user_id).counts["messages"] == 2
    for table in ("messages", "index_queue", "message_index"):
        assert run(f"SELECT count(*) FROM {schema}.{table}") == [(0,)]


@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_goes_to_one_shard(schema: str, name: str) -> None:
    [step] = queries.load("postgres")[name].steps
    with psycopg.connect(URL, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(
            "SELECT set_config('search_path', %s, false), set_config('role', 'gunita_app', false)", [schema]
        )
        connection.execute("SET citus.explain_all_tasks = on")
        plan = connection.execute(
            f"EXPLAIN {queries.for_psycopg(step)}".encode(), HOT[name] | {"tenant_id": "acme", "scope_user": None}
        ).fetchall()
    counts = [line.strip() for (line,) in plan if "Task Count" in line]
    assert counts
    assert set(counts) == {"Task Count: 1"}, plan
