"""PostgreSQL's row-level security shows each scope and each token its own rows, whatever else was written."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from tests.database_roles import TENANTS, USERS, announce, claim, everywhere, remember, sees

whose = st.tuples(st.sampled_from(TENANTS), st.sampled_from(USERS))


@pytest.fixture
def gunita(new_postgres_url: str) -> Iterator[Gunita]:
    with Gunita.open(new_postgres_url, postgres_pool_size=2) as opened:
        yield opened


@pytest.fixture
def connection(new_postgres_url: str, gunita: Gunita) -> Iterator[psycopg.Connection]:
    with psycopg.connect(new_postgres_url, autocommit=True) as opened:
        yield opened


@given(written=st.sets(whose, min_size=1, max_size=5), scope=whose, service=st.booleans())
def test_an_announced_scope_sees_its_own_rows_and_nothing_else(
    gunita: Gunita,
    connection: psycopg.Connection,
    written: set[tuple[str | None, str]],
    scope: tuple[str | None, str],
    service: bool,
) -> None:
    start_empty(connection)
    for tenant, user in written:
        remember(gunita, tenant, user)
    tenant, user = scope
    announce(connection, tenant, None if service else user)
    reached = {(t, u) for t, u in written if t == tenant and (service or u == user)}
    assert sees(connection) == everywhere(reached)


@given(written=st.sets(whose, min_size=1, max_size=5), token=whose, nothing=st.sampled_from([{}, {"tenant_id": ""}]))
def test_a_token_sees_its_users_rows_and_nothing_else(
    gunita: Gunita,
    connection: psycopg.Connection,
    written: set[tuple[str | None, str]],
    token: tuple[str | None, str],
    nothing: dict[str, str],
) -> None:
    start_empty(connection)
    for tenant, user in written:
        remember(gunita, tenant, user)
    tenant, user = token
    claim(connection, {"sub": user, "app_metadata": nothing if tenant is None else {"tenant_id": tenant}})
    assert sees(connection) == everywhere({token} & written)


def start_empty(connection: psycopg.Connection) -> None:
    connection.execute("RESET ROLE")
    for table in ("conversations", "memories", "user_memory", "user_state"):
        connection.execute(f"DELETE FROM {table}".encode())
