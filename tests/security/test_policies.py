"""PostgreSQL's second lock, attacked with raw SQL as the application's role: every table, verb and wrong scope."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors, sql

from tests.database_roles import announce, claim
from tests.security.people import populated

CLOSED = {"schema_migrations": "SELECT"}
"""What the role may read whole, because it holds nothing of anybody; every other table is under a scope."""
FORGED = [
    ("", ""),
    ("acme", "ana"),
    ("=", "*"),
    ("*", "*"),
    ("=acme", ""),
    ("", "*"),
    ("=acme", "=ben"),
    ("=other", "*"),
    ("=acme'--", "*"),
    ("=ACME", "*"),
    ("=acme\x7f", "*"),
]
"""Announcements, tenant and user, that are not ana's nor the service's of acme."""


@pytest.fixture(scope="module")
def address(postgres_url: str) -> Iterator[str]:
    """A database where ana of acme owns one of everything, and so does somebody elsewhere."""
    name = f"test_policies_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        made = postgres_url.rsplit("/", 1)[0] + f"/{name}"
        with populated(made) as town:
            session = town.belongings.conversation_id
            town.ask(town.as_("ana"), "POST", "/api/memories/extract", json={"conversation_id": session})
            town.ask(town.as_("acme"), "PUT", "/api/retention", json={"hours": 100})
            town.ask(town.as_("acme"), "POST", "/api/cleanup")
        with psycopg.connect(made, autocommit=True) as owner:
            fill_what_is_empty(owner, session)
        yield made
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def fill_what_is_empty(owner: psycopg.Connection, session: str) -> None:
    """Give ana a row in each table that no request of hers has written to."""
    said = owner.execute("SELECT id FROM messages WHERE user_id = 'ana' AND tenant_id = 'acme'").fetchone()
    memory = owner.execute("SELECT id FROM memories WHERE user_id = 'ana' AND tenant_id = 'acme'").fetchone()
    assert said is not None
    assert memory is not None
    now = {
        "tenant_id": "acme",
        "user_id": "ana",
        "conversation_id": session,
        "message_id": said[0],
        "memory_id": memory[0],
    }
    for table in tables(owner):
        if owner.execute(counted(table)).fetchone() == (0,):
            owner.execute(*inserted(owner, table, now))


def tables(connection: psycopg.Connection) -> list[str]:
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
    return [name for (name,) in rows if name not in CLOSED]


def counted(table: str) -> sql.Composed:
    return sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))


CHOSEN = {"role": "user", "kind": "context", "reason": "edited", "memory_type": "fact", "counted_from": "turn"}


def inserted(owner: psycopg.Connection, table: str, known: dict[str, Any]) -> tuple[sql.Composed, list[Any]]:
    """Write an INSERT of a whole row: what is known as it is, the rest by its type."""
    columns = owner.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' "
        "AND table_name = %s AND (is_nullable = 'NO' AND column_default IS NULL OR column_name = 'user_id')",
        (table,),
    ).fetchall()
    by_type: dict[str, Any] = {
        "uuid": uuid4(), "text": str(uuid4()), "integer": 1, "bigint": 1, "double precision": 0.5, "boolean": False,
        "json": "{}", "bytea": b"", "timestamp with time zone": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    values = [known.get(name, CHOSEN.get(name, by_type[kind])) for name, kind in columns]
    names = sql.SQL(", ").join(sql.Identifier(name) for name, _ in columns)
    places = sql.SQL(", ").join(sql.Placeholder() for _ in columns)
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, places)
    return statement, values


@pytest.fixture
def connection(address: str) -> Iterator[psycopg.Connection]:
    """A connection whose writes are taken back."""
    with psycopg.connect(address, autocommit=True) as opened, opened.transaction(force_rollback=True):
        yield opened


def announce_as_it_stands(connection: psycopg.Connection, tenant: str, user: str) -> None:
    connection.execute(
        "SELECT set_config('role', 'gunita_app', true), set_config('gunita.tenant', %s, true), "
        "set_config('gunita.user', %s, true)",
        (tenant, user),
    )


def test_every_table_holds_something_of_acmes(connection: psycopg.Connection) -> None:
    """Otherwise a table that shows nothing would prove nothing."""
    found = tables(connection)
    assert len(found) > 15
    for table in found:
        query = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = 'acme'").format(sql.Identifier(table))
        assert connection.execute(query).fetchone() != (0,), table


@pytest.mark.parametrize(("tenant", "user"), FORGED)
def test_a_forged_scope_sees_changes_and_deletes_nothing_of_anas(
    connection: psycopg.Connection, tenant: str, user: str
) -> None:
    names = tables(connection)
    announce_as_it_stands(connection, tenant, user)
    for table in names:
        # The rule of a tenant is for all its users to read.
        if table == "retention_rules" and tenant == "=acme":
            continue
        name = sql.Identifier(table)
        mine = sql.SQL("tenant_id = 'acme'")
        for verb in (
            sql.SQL("SELECT 1 FROM {} WHERE {}").format(name, mine),
            sql.SQL("SELECT 1 FROM {} WHERE tenant_id <> {} AND false OR {}").format(name, sql.Literal(tenant), mine),
            sql.SQL("UPDATE {} SET tenant_id = tenant_id WHERE {}").format(name, mine),
            sql.SQL("DELETE FROM {} WHERE {}").format(name, mine),
        ):
            assert connection.execute(verb).rowcount == 0, f"{table}: {verb.as_string()}"


@pytest.mark.parametrize(("tenant", "user"), [("acme", "ben"), ("other", None), (None, None), ("other", "ana")])
def test_no_row_is_written_for_ana_in_anothers_scope(
    connection: psycopg.Connection, tenant: str | None, user: str | None
) -> None:
    known = {"tenant_id": "acme", "user_id": "ana"}
    attacks = [(table, *inserted(connection, table, known)) for table in tables(connection)]
    announce(connection, tenant, user, local=True)
    for _, statement, values in attacks:
        with pytest.raises(errors.InsufficientPrivilege), connection.transaction():
            connection.execute(statement, values)


@pytest.mark.parametrize("change", ["tenant_id = 'other'", "user_id = 'ben'"])
def test_no_row_is_given_away(connection: psycopg.Connection, change: str) -> None:
    announce(connection, "acme", "ana", local=True)
    given = []
    for table in ("conversations", "messages", "memories", "user_memory", "user_state", "receipts", "corrections"):
        try:
            with connection.transaction():
                connection.execute(f"UPDATE {table} SET {change}".encode())
            given.append(table)
        except (errors.InsufficientPrivilege, errors.ForeignKeyViolation):
            continue
    assert given == []


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE messages DISABLE ROW LEVEL SECURITY",
        "DROP POLICY messages_of_the_scope ON messages",
        "CREATE POLICY mine ON messages TO gunita_app USING (true)",
        "ALTER ROLE gunita_app BYPASSRLS",
        "TRUNCATE messages",
        "LOCK TABLE messages IN ACCESS EXCLUSIVE MODE; ALTER TABLE messages OWNER TO gunita_app",
        "CREATE OR REPLACE FUNCTION gunita_scope_tenant() RETURNS text LANGUAGE sql RETURN 'acme'",
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql RETURN 1",
        "CREATE TRIGGER mine AFTER INSERT ON messages EXECUTE FUNCTION gunita_queue_messages()",
        "COPY messages TO PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
        "UPDATE schema_migrations SET version = 1",
        "SET session_replication_role = replica",
    ],
)
def test_the_role_cannot_take_the_lock_off(connection: psycopg.Connection, statement: str) -> None:
    announce(connection, "acme", "ben", local=True)
    try:
        with connection.transaction():
            touched = connection.execute(statement.encode()).rowcount
    except (errors.InsufficientPrivilege, errors.InvalidParameterValue):
        return
    assert statement.startswith("UPDATE")
    assert touched == 0


def test_functions_that_look_past_the_policies_tell_no_row(connection: psycopg.Connection) -> None:
    """Each gives names of tenants, or whose key a hash is; none gives what somebody said, and clients may run none."""
    definers = connection.execute(
        "SELECT oid::regprocedure::text, pg_get_function_result(oid) FROM pg_proc "
        "WHERE pronamespace = 'public'::regnamespace AND prosecdef"
    ).fetchall()
    told = {
        column.split()[0] for _, result in definers for column in result.removeprefix("TABLE(").rstrip(")").split(", ")
    }
    assert told <= {"tenant_id", "id", "role", "user_id", "revoked_at", "kind", "subject", "deleted_at"}
    claim(connection, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}})
    for name, _ in definers:
        allowed = connection.execute(
            "SELECT has_function_privilege('gunita_client', %s, 'EXECUTE')", (name,)
        ).fetchone()
        assert allowed == (False,), name


def test_a_view_or_a_clever_function_does_not_see_rows_before_the_policy_does(connection: psycopg.Connection) -> None:
    """A function that tells what it is given is not asked about rows of others, however cheap it claims to be."""
    connection.execute("CREATE TABLE heard (content text)")
    connection.execute("GRANT INSERT, SELECT ON heard TO gunita_app")
    connection.execute(
        "CREATE FUNCTION tell(said text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS "
        "$$ BEGIN INSERT INTO heard VALUES (said); RETURN true; END $$"
    )
    announce(connection, "acme", "ben", local=True)
    connection.execute("SELECT count(*) FROM messages WHERE tell(content)")
    connection.execute("SELECT count(*) FROM conversation_turns WHERE tell(query_text)")
    assert connection.execute("SELECT count(*) FROM heard").fetchone() == (0,)
