"""What is PostgreSQL's own: poolers, schemas, logins, a server that is away or drops a connection."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest

from gunita import ConflictError, Gunita, StorageUnavailableError
from gunita.errors import AccessRefusedError, SchemaTooOldError
from gunita.store.alone import alone
from tests.postgres_server import PostgresServer

_names = itertools.count(1)


def use_everything(g: Gunita) -> None:
    """Write and read through every service once."""
    user = f"user {next(_names)}"
    mine = g.scoped("acme", user)
    session = mine.sessions.create_session()
    stored = mine.sessions.store_turn(session, user, "Magkano?", "Isang daan.", {"n": 1})
    assert mine.sessions.get_session_history(session) == [stored]
    message = mine.conversations.add_message(session, "user", "Salamat", tool_calls=[1])
    assert mine.conversations.get_messages(session)[-1] == message
    assert mine.messages.get_recent_messages(user, 1) == [message]
    assert mine.messages.delete_message(message.id) is True
    assert mine.messages.count_messages(user) == 2
    assert mine.conversations.update_conversation(session, title="Bayad").title == "Bayad"
    assert [found.id for found in mine.conversations.list_conversations()] == [session]
    memory = mine.memories.create_memory(user, "Lives in Cebu")
    assert mine.memories.update_memory(memory.id, pinned=True).pinned
    assert [found.id for found in mine.memories.get_memories()] == [memory.id]
    mine.users.set_memory(user, "theme", {"dark": True})
    mine.users.set_memory(user, "theme", {"dark": False})
    assert mine.users.get_all_memory(user) == {"theme": {"dark": False}}
    mine.users.set_user_state(user, "active")
    assert mine.users.get_user_state(user) == "active"
    assert g.scoped("other").conversations.list_conversations() == []
    assert g.scoped("acme", "stranger").sessions.get_session_history(session) == []
    assert mine.sessions.delete_session(session) == 1
    assert mine.messages.clear_conversation_history(user) == 0


def as_login(url: str, login: str) -> str:
    return url.replace("postgres@", f"{login}@")


@pytest.fixture
def new_login(postgres_url: str, new_postgres_url: str) -> Iterator[Callable[..., str]]:
    """Make logins for one test and give their addresses of its database."""
    made = []

    def make(options: str = "") -> str:
        name = f"login_{os.getpid()}_{next(_names)}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {name} LOGIN {options}".encode())
        made.append(name)
        return as_login(new_postgres_url, name)

    yield make
    with psycopg.connect(new_postgres_url, autocommit=True) as connection:
        for name in made:
            connection.execute(f"ALTER DATABASE {connection.info.dbname} OWNER TO postgres".encode())
            connection.execute(f"REASSIGN OWNED BY {name} TO postgres".encode())
            connection.execute(f"DROP OWNED BY {name}".encode())
            connection.execute(f"DROP ROLE {name}".encode())


def test_a_server_that_is_away_is_said_with_advice() -> None:
    with pytest.raises(
        StorageUnavailableError, match="check that it runs and that its address is right, then try again"
    ):
        Gunita.open("postgresql://postgres@127.0.0.1:1/gunita")


def test_a_database_that_is_not_there_is_said(postgres_url: str) -> None:
    with pytest.raises(StorageUnavailableError, match='database "nowhere" does not exist'):
        Gunita.open(postgres_url.rsplit("/", 1)[0] + "/nowhere")


def test_behind_a_transaction_pooler_everything_works(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url, postgres_pooling="transaction") as g:
        for _ in range(3):
            use_everything(g)


def test_behind_a_transaction_pooler_nothing_is_left_on_the_connection(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url, postgres_pooling="transaction", postgres_pool_size=1) as g:
        for _ in range(7):
            use_everything(g)
        with g._database.behind._pool.connection() as connection:
            [(role, path, tenant, user, pid)] = connection.execute(
                "SELECT current_user, current_setting('search_path'), current_setting('gunita.tenant', true), "
                "current_setting('gunita.user', true), pg_backend_pid()"
            ).fetchall()
            assert connection.execute("SELECT name FROM pg_prepared_statements").fetchall() == []
        use_everything(g)
        with g._database.behind._pool.connection() as connection:
            assert connection.info.backend_pid == pid
    assert (role, path) == ("postgres", '"$user", public')
    assert not tenant
    assert not user


def test_a_direct_connection_prepares_its_statements_and_remembers_its_scope(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url, postgres_pool_size=1) as g:
        use_everything(g)
        with g._database.behind._pool.connection() as connection:
            [(role, prepared)] = connection.execute(
                "SELECT current_user, (SELECT count(*) FROM pg_prepared_statements)"
            ).fetchall()
    assert role == "gunita_app"
    assert prepared > 5


def test_a_schema_of_its_own_is_apart(new_postgres_url: str) -> None:
    session = uuid4()
    with (
        Gunita.open(new_postgres_url) as public,
        Gunita.open(new_postgres_url, postgres_schema="other") as other,
        Gunita.open(new_postgres_url, postgres_schema="other", postgres_pooling="transaction") as pooled,
    ):
        use_everything(other)
        stored = other.sessions.store_turn(session, "juan", "q", "a")
        assert pooled.sessions.get_session_history(session) == [stored]
        assert public.sessions.get_session_history(session) == []
        assert public.sessions.store_turn(session, "ana", "hers", "hers").turn_number == 1
        assert other.sessions.get_session_history(session) == [stored]
    with psycopg.connect(new_postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM public.messages").fetchone() == (2,)
        assert connection.execute("SELECT user_id FROM other.conversations").fetchall() == [("juan",)]


def test_an_owner_who_is_no_superuser_can_migrate_and_work(new_postgres_url: str, new_login) -> None:
    with Gunita.open(new_postgres_url, postgres_schema="makes_the_roles"):
        pass
    owner = new_login("IN ROLE gunita_app")
    with psycopg.connect(new_postgres_url, autocommit=True) as connection:
        login = psycopg.conninfo.conninfo_to_dict(owner)["user"]
        connection.execute(f"ALTER DATABASE {connection.info.dbname} OWNER TO {login}".encode())
    with Gunita.open(owner) as g:
        use_everything(g)
        with psycopg.connect(owner) as connection:
            assert connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (
                False,
            )
    with Gunita.open(owner) as g:
        use_everything(g)


def test_an_owner_with_rights_in_the_schema_alone_can_migrate(new_postgres_url: str, new_login) -> None:
    with Gunita.open(new_postgres_url, postgres_schema="makes_the_roles"):
        pass
    owner = new_login("IN ROLE gunita_app")
    with psycopg.connect(new_postgres_url, autocommit=True) as connection:
        login = psycopg.conninfo.conninfo_to_dict(owner)["user"]
        connection.execute(f"CREATE SCHEMA given AUTHORIZATION {login}".encode())
    with Gunita.open(owner, postgres_schema="given") as g:
        use_everything(g)


def test_on_a_new_server_an_owner_who_may_make_roles_makes_them() -> None:
    server = PostgresServer.start()
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE ROLE owner LOGIN CREATEROLE")
            connection.execute("CREATE DATABASE gunita OWNER owner")
        address = as_login(server.url.rsplit("/", 1)[0] + "/gunita", "owner")
        with Gunita.open(address) as g:
            use_everything(g)
    finally:
        server.stop()


def test_a_login_that_is_only_a_member_works_without_migrating(new_postgres_url: str, new_login) -> None:
    with Gunita.open(new_postgres_url):
        pass
    member = new_login("IN ROLE gunita_app")
    for pooling in ("session", "transaction"):
        with Gunita.open(member, migrate=False, postgres_pooling=pooling) as g:
            use_everything(g)
    # With nothing left to do, asking for migrations does no harm either.
    with Gunita.open(member) as g:
        use_everything(g)
    with psycopg.connect(member) as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (0,)


def test_a_member_of_nothing_is_refused_with_advice(new_postgres_url: str, new_login) -> None:
    with Gunita.open(new_postgres_url):
        pass
    with pytest.raises(AccessRefusedError, match="GRANT gunita_app TO it"):
        Gunita.open(new_login(), migrate=False)


def test_a_member_cannot_open_what_the_owner_has_not_made(new_postgres_url: str, new_login) -> None:
    with Gunita.open(new_postgres_url, postgres_schema="makes_the_roles"):
        pass
    with pytest.raises(SchemaTooOldError, match="run `gunita migrate` as the tables' owner"):
        Gunita.open(new_login("IN ROLE gunita_app"), migrate=False)


def test_a_connection_that_the_server_dropped_is_replaced(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url, postgres_pool_size=1, fallback=False) as g:
        session = g.sessions.create_session("juan")
        with psycopg.connect(new_postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(StorageUnavailableError):
            g.sessions.store_turn(session, "juan", "q", "a")
        assert g.sessions.store_turn(session, "juan", "q", "a").turn_number == 1


def test_a_statement_that_the_database_refuses_leaves_the_connection_usable(new_postgres_url: str) -> None:
    for pooling in ("session", "transaction"):
        with Gunita.open(new_postgres_url, postgres_pool_size=1, postgres_pooling=pooling) as g:
            database = g._database.within(g.scope)
            for _ in range(3):
                with pytest.raises(ConflictError, match="the database refused the write"):
                    database.run("set_user_state", user_id="", mode="active", now=None)
            use_everything(g)


def test_every_connection_lent_is_waited_for_and_then_said(new_postgres_url: str) -> None:
    with Gunita.open(
        new_postgres_url, postgres_pool_size=1, postgres_wait_seconds=0.2, storage_attempts=1, fallback=False
    ) as g:
        with g._database.behind._pool.connection(), pytest.raises(StorageUnavailableError, match=r"0\.2"):
            g.sessions.create_session("juan")
        use_everything(g)


def test_an_errand_that_lasts_keeps_no_row_from_being_swept_away(new_postgres_url: str) -> None:
    with Gunita.open(new_postgres_url) as g, alone(g.settings, "cleanup") as held:
        assert held
        with psycopg.connect(new_postgres_url, autocommit=True) as connection:
            waiting = connection.execute(
                "SELECT backend_xmin, backend_xid FROM pg_stat_activity "
                "WHERE datname = current_database() AND state = 'idle in transaction'"
            ).fetchall()
    assert waiting == [(None, None)], "one transaction waits, with no snapshot and no number of its own"
