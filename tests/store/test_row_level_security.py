"""The second lock, tried with a raw connection: what each PostgreSQL role sees and may write, past Gunita's code."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors, sql

from gunita import Gunita, Scope
from tests.database_roles import TENANTS, TURN_COLUMNS, USERS, announce, claim, everywhere, remember, sees


@pytest.fixture(scope="module")
def address(postgres_url: str) -> Iterator[str]:
    """One database for all of these tests: each puts back what it changes."""
    name = f"test_roles_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield postgres_url.rsplit("/", 1)[0] + f"/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(scope="module")
def gunita(address: str) -> Iterator[Gunita]:
    with Gunita.open(address, postgres_pool_size=2) as opened:
        yield opened


@pytest.fixture(scope="module", autouse=True)
def filled(gunita: Gunita) -> dict[tuple[str | None, str], UUID]:
    return {(tenant, user): remember(gunita, tenant, user) for tenant, user in itertools.product(TENANTS, USERS)}


@pytest.fixture
def connection(address: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address, autocommit=True) as opened:
        yield opened


@pytest.fixture
def undone(connection: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """A connection whose writes are taken back afterwards."""
    with connection.transaction(force_rollback=True):
        yield connection


def test_nothing_announced_sees_nothing(connection: psycopg.Connection) -> None:
    connection.execute("SET ROLE gunita_app")
    assert sees(connection) == everywhere(set())


@pytest.mark.parametrize(("tenant", "user"), [("", ""), ("=", ""), ("", "*"), ("", "=ana")])
def test_half_an_announcement_sees_nothing(connection: psycopg.Connection, tenant: str, user: str) -> None:
    connection.execute("SET ROLE gunita_app")
    connection.execute(
        "SELECT set_config('gunita.tenant', %s, false), set_config('gunita.user', %s, false)", (tenant, user)
    )
    assert sees(connection) == everywhere(set())


def test_after_a_transactions_own_announcement_nothing_is_left(connection: psycopg.Connection) -> None:
    with connection.transaction():
        announce(connection, "acme", None, local=True)
        assert sees(connection) == everywhere({("acme", user) for user in USERS})
    connection.execute("SET ROLE gunita_app")
    assert sees(connection) == everywhere(set())


def test_a_service_sees_all_of_its_tenant(connection: psycopg.Connection) -> None:
    announce(connection, None, None)
    assert sees(connection) == everywhere({(None, user) for user in USERS})


@pytest.mark.parametrize(
    "claims",
    [
        "",
        {},
        {"app_metadata": {"tenant_id": "acme"}},
        {"sub": None, "app_metadata": {"tenant_id": "acme"}},
        {"sub": "ana", "app_metadata": {"tenant_id": "nobody"}},
        {"sub": ["ana"], "app_metadata": {"tenant_id": "acme"}},
        [],
    ],
)
def test_a_token_that_names_nobody_sees_nothing(connection: psycopg.Connection, claims: object) -> None:
    claim(connection, claims)
    assert sees(connection) == everywhere(set())


def test_what_users_say_about_themselves_is_never_trusted(connection: psycopg.Connection) -> None:
    claim(connection, {"sub": "ana", "user_metadata": {"tenant_id": "acme", "sub": "*"}})
    assert sees(connection) == everywhere({(None, "ana")})
    claim(connection, {"sub": "ana", "tenant_id": "acme", "app_metadata": {}})
    assert sees(connection) == everywhere({(None, "ana")})


def test_a_client_cannot_announce_a_scope_for_itself(connection: psycopg.Connection) -> None:
    claim(connection, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}})
    connection.execute("SELECT set_config('gunita.tenant', '==*', false), set_config('gunita.user', '*', false)")
    assert sees(connection) == everywhere({("acme", "ana")})


def test_claims_mean_nothing_to_the_services_own_role(connection: psycopg.Connection) -> None:
    claim(connection, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}}, role="gunita_app")
    assert sees(connection) == everywhere(set())


WRITES = [
    "UPDATE conversations SET title = 'mine'",
    "UPDATE messages SET content = 'mine'",
    "UPDATE memories SET content = 'mine'",
    "UPDATE user_memory SET value = '0'",
    "UPDATE user_state SET mode = 'halted'",
    "DELETE FROM user_memory",
    "DELETE FROM memories",
    "DELETE FROM user_state",
    "DELETE FROM messages",
    "DELETE FROM conversations",
]


@pytest.mark.parametrize("write", WRITES)
def test_the_services_role_cannot_change_or_delete_rows_of_others(undone: psycopg.Connection, write: str) -> None:
    table = write.split()[2 if write.startswith("DELETE") else 1]
    count = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    announce(undone, "acme", "ana")
    own = undone.execute(count).fetchone()
    touched = undone.execute(write.encode()).rowcount
    assert own == (touched,)
    announce(undone, "nobody", None)
    assert undone.execute(write.encode()).rowcount == 0


INSERTS = {
    "conversations": "INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at) "
    "VALUES (%(tenant)s, %(id)s, %(user)s, now(), now())",
    "memories": "INSERT INTO memories (tenant_id, id, user_id, memory_type, content, created_at) "
    "VALUES (%(tenant)s, %(id)s, %(user)s, 'fact', 'x', now())",
    "user_memory": "INSERT INTO user_memory (tenant_id, user_id, key, value, created_at, updated_at) "
    "VALUES (%(tenant)s, %(user)s, %(id)s::text, '1', now(), now())",
    "pending_clarifications": "INSERT INTO pending_clarifications (tenant_id, conversation_id, user_id, payload, "
    "expires_at) VALUES (%(tenant)s, %(id)s, %(user)s, '{}', now())",
    "jobs": "INSERT INTO jobs (tenant_id, id, user_id, kind, run_after, created_at) "
    "VALUES (%(tenant)s, %(id)s, %(user)s, 'embed', now(), now())",
    "receipts": "INSERT INTO receipts (tenant_id, id, user_id, kind, body, created_at) "
    "VALUES (%(tenant)s, %(id)s, %(user)s, 'deletion', '{}', now())",
}


@pytest.mark.parametrize("table", INSERTS)
@pytest.mark.parametrize(("tenant", "user"), [("", "ana"), ("acme", "*"), ("=*", "ana")])
def test_the_services_role_cannot_write_rows_for_others(
    undone: psycopg.Connection, table: str, tenant: str, user: str
) -> None:
    announce(undone, "acme", "ana")
    with pytest.raises(errors.InsufficientPrivilege), undone.transaction():
        undone.execute(INSERTS[table].encode(), {"tenant": tenant, "id": uuid4(), "user": user})
    undone.execute(INSERTS[table].encode(), {"tenant": "acme", "id": uuid4(), "user": "ana"})


def test_a_row_cannot_be_given_away(undone: psycopg.Connection) -> None:
    announce(undone, "acme", "ana")
    for change in ("tenant_id = ''", "user_id = '*'"):
        with pytest.raises(errors.InsufficientPrivilege), undone.transaction():
            undone.execute(f"UPDATE memories SET {change}".encode())


@pytest.mark.parametrize("write", [*WRITES, *INSERTS.values()], ids=lambda text: " ".join(text.split()[:3]))
def test_a_client_cannot_write_at_all(undone: psycopg.Connection, write: str) -> None:
    claim(undone, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}})
    with pytest.raises(errors.InsufficientPrivilege), undone.transaction():
        undone.execute(write.encode(), {"tenant": "acme", "id": uuid4(), "user": "ana"})


@pytest.mark.parametrize("table", ["api_keys", "jobs", "receipts", "pending_clarifications", "schema_migrations"])
def test_a_client_does_not_see_the_services_own_tables(connection: psycopg.Connection, table: str) -> None:
    claim(connection, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}})
    with pytest.raises(errors.InsufficientPrivilege):
        connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))


def test_keys_are_for_the_service_alone(undone: psycopg.Connection) -> None:
    undone.execute(
        "INSERT INTO api_keys (tenant_id, id, name, role, key_hash, created_at) "
        "VALUES ('acme', %s, 'k', 'service', 'h', now())",
        (uuid4(),),
    )
    for user, seen in ((None, 1), ("ana", 0)):
        announce(undone, "acme", user)
        assert undone.execute("SELECT count(*) FROM api_keys").fetchone() == (seen,)


def test_everybodys_grants_on_supabase_open_nothing(undone: psycopg.Connection) -> None:
    """Supabase grants all tables of public to its anon and authenticated roles; the policies must be enough."""
    with undone.transaction():
        undone.execute("CREATE ROLE anon_for_this_test")
        undone.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO anon_for_this_test")
        undone.execute("SET LOCAL ROLE anon_for_this_test")
        tables = undone.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        assert len(tables) > 10
        for (table,) in tables:
            query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
            assert undone.execute(query).fetchone() == (0,), table
        assert undone.execute("SELECT count(*) FROM conversation_turns").fetchone() == (0,)
        assert undone.execute("DELETE FROM schema_migrations").rowcount == 0


def test_every_table_is_locked_and_not_owned_by_the_services_role(connection: psycopg.Connection) -> None:
    rows = connection.execute(
        "SELECT relname, relrowsecurity, pg_get_userbyid(relowner) FROM pg_class "
        "WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    ).fetchall()
    assert all(locked for _, locked, _ in rows), rows
    assert not {owner for *_, owner in rows} & {"gunita_app", "gunita_client"}
    roles = connection.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname LIKE 'gunita_%'").fetchall()
    assert roles == [(False, False)] * 2


def test_the_view_names_what_was_promised_first_and_obeys_its_reader(connection: psycopg.Connection) -> None:
    columns = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'conversation_turns' "
        "ORDER BY ordinal_position"
    ).fetchall()
    assert [name for (name,) in columns][: len(TURN_COLUMNS)] == TURN_COLUMNS
    options = connection.execute("SELECT reloptions FROM pg_class WHERE relname = 'conversation_turns'").fetchone()
    assert options == (["security_invoker=true"],)


def test_the_view_gives_a_client_its_turns(
    gunita: Gunita, connection: psycopg.Connection, filled: dict[tuple[str | None, str], UUID]
) -> None:
    session = filled["acme", "ana"]
    [turn] = gunita.scoped("acme").sessions.get_session_history(session)
    claim(connection, {"sub": "ana", "app_metadata": {"tenant_id": "acme"}})
    rows = connection.execute(f"SELECT {', '.join(TURN_COLUMNS)} FROM conversation_turns".encode()).fetchall()
    assert rows == [(turn.id, session, "ana", 1, "q", "a", turn.created_at, None)]


def test_a_statement_of_gunita_that_forgot_its_user_would_still_see_only_its_scope(
    gunita: Gunita, connection: psycopg.Connection
) -> None:
    """The listing of a whole tenant, run in a user's scope, gives that user's rows: the second lock holds by itself."""
    database = gunita._database.within(Scope("acme", "ana"))
    rows = database.all("list_conversations_of_tenant", archived=None, limit=100, offset=0)
    assert {row[1] for row in rows} == {"ana"}
    assert len(rows) == 1
