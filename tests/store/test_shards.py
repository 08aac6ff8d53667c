"""Every statement of the store meets one shard of a database that is spread by tenant; needs no cluster."""

from __future__ import annotations

import re

import psycopg
import pytest
from typer.testing import CliRunner

from gunita import Gunita
from gunita.cli.commands import app
from gunita.store import distributing, queries
from tests.raw_sql import run
from tests.shards import loose_tables
from tests.test_house import BEFORE_ANY_SCOPE, TOUCHES_NO_ROW

STATEMENTS = {
    name: query.steps[0]
    for name, query in queries.load("postgres").items()
    if name not in BEFORE_ANY_SCOPE | TOUCHES_NO_ROW
}
_CONDITION = re.compile(r"(?:\w+\.)?\btenant_id = (?::tenant_id|\w+\.tenant_id)")
WITH_CONDITIONS = [
    (name, place) for name, statement in STATEMENTS.items() for place in range(len(_CONDITION.findall(statement)))
]


@pytest.fixture(scope="module")
def tables() -> set[str]:
    """Every table that is spread, and the view over one of them, read from what the migrations make."""
    made = re.compile(r"^CREATE (?:UNLOGGED )?(?:TABLE|VIEW) (\w+)", re.MULTILINE)
    from gunita.store.migrate import known

    found = {name for migration in known("postgres") for name in made.findall(migration.sql)}
    return found - distributing.ON_EVERY_NODE


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_held_to_its_tenants_shard(tables: set[str], name: str) -> None:
    assert loose_tables(STATEMENTS[name], tables) == []


@pytest.mark.parametrize(("name", "place"), WITH_CONDITIONS)
def test_a_statement_that_drops_the_tenant_anywhere_is_noticed(tables: set[str], name: str, place: int) -> None:
    found = list(_CONDITION.finditer(STATEMENTS[name]))[place]
    broken = STATEMENTS[name][: found.start()] + "true" + STATEMENTS[name][found.end() :]
    on_every_node = re.search(r"(FROM|UPDATE|INTO) api_keys\b", broken) is not None
    assert loose_tables(broken, tables) or on_every_node


def test_what_only_looks_held_is_noticed(tables: set[str]) -> None:
    for statement in (
        "SELECT 1 FROM messages WHERE tenant_id = :tenant_id OR id = :id",
        "SELECT 1 FROM messages WHERE NOT (tenant_id = :tenant_id)",
        "SELECT 1 FROM messages WHERE tenant_id = :user_id",
        "SELECT 1 FROM messages WHERE tenant_id >= :tenant_id",
        "SELECT 1 FROM messages JOIN memories ON memories.id = messages.id WHERE messages.tenant_id = :tenant_id",
        "WITH found AS (SELECT id FROM jobs) DELETE FROM messages WHERE tenant_id = :tenant_id",
        "INSERT INTO jobs (id) VALUES (:id)",
        "INSERT INTO jobs (tenant_id, id) SELECT messages.tenant_id, id FROM messages",
        "INSERT INTO jobs (tenant_id, id) VALUES (:tenant_id, :id) ON CONFLICT (id) DO NOTHING",
    ):
        assert loose_tables(statement, tables), statement


def test_the_view_joins_within_a_tenant(new_postgres_url: str, tables: set[str]) -> None:
    with Gunita.open(new_postgres_url):
        pass
    [(view,)] = run(new_postgres_url, "SELECT pg_get_viewdef('conversation_turns')")
    held = view.rstrip(";").replace("WHERE", "WHERE asked.tenant_id = :tenant_id AND", 1)
    assert loose_tables(held, tables) == []
    assert loose_tables(view, tables) != []


def test_every_key_and_every_reference_between_tables_begins_with_the_tenant(new_postgres_url: str) -> None:
    """A cluster can keep a key unique, and a reference true, only inside a shard."""
    with Gunita.open(new_postgres_url):
        pass
    with psycopg.connect(new_postgres_url) as connection:
        keys = connection.execute(
            "SELECT relname, pg_get_indexdef(indexrelid), pg_get_indexdef(indexrelid, 1, true) FROM pg_index "
            "JOIN pg_class ON pg_class.oid = indrelid "
            "WHERE indisunique AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migrations'"
        ).fetchall()
        references = connection.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE contype = 'f' AND connamespace = 'public'::regnamespace"
        ).fetchall()
    assert len(keys) >= 20
    elsewhere = [
        said for table, said, first in keys if first != "tenant_id" and table not in distributing.ON_EVERY_NODE
    ]
    assert elsewhere == []
    assert references
    assert all(re.match(r"FOREIGN KEY \(tenant_id, .*REFERENCES \w+\(tenant_id, ", said) for (said,) in references)


def test_spreading_without_citus_says_what_is_missing(new_postgres_url: str, tmp_path) -> None:
    ended = CliRunner().invoke(app, ["migrate", "--distribute", "-d", new_postgres_url])
    assert ended.exit_code == 1
    assert "this database has no Citus" in ended.stderr
    ended = CliRunner().invoke(app, ["migrate", "--distribute", "-d", str(tmp_path / "gunita.db")])
    assert ended.exit_code == 1
    assert "is for PostgreSQL with Citus" in ended.stderr


def test_tables_are_spread_behind_those_they_refer_to() -> None:
    order = distributing.in_order({"z": {"conversations"}, "a": {"z"}, "conversations": set(), "b": set()})
    assert order[0] == "conversations"
    assert order.index("z") < order.index("a")
