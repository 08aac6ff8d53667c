"""PostgreSQL's roles tried with a raw connection: rows of many owners, and who of them a role can see."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from gunita import Gunita

TENANTS = (None, "acme", "=*", "*")
USERS = ("ana", "*", "=ana")
SCOPED = ("conversations", "messages", "memories", "user_memory", "user_state", "conversation_turns")
TURN_COLUMNS = ["id", "session_id", "user_id", "turn_number", "query_text", "response_text", "created_at", "metadata"]


def remember(gunita: Gunita, tenant: str | None, user: str) -> UUID:
    """Write one row of everything for a user."""
    g = gunita.scoped(tenant, user)
    session = g.sessions.create_session()
    g.sessions.store_turn(session, user, "q", "a")
    g.memories.create_memory(user, "Lives in Cebu")
    g.users.set_memory(user, str(session), 1)
    g.users.set_user_state(user, "active")
    return session


def announce(connection: psycopg.Connection, tenant: str | None, user: str | None, *, local: bool = False) -> None:
    connection.execute(
        "SELECT set_config('role', 'gunita_app', %(local)s), set_config('gunita.tenant', %(tenant)s, %(local)s), "
        "set_config('gunita.user', %(user)s, %(local)s)",
        {"tenant": "=" + (tenant or ""), "user": "*" if user is None else "=" + user, "local": local},
    )


def claim(connection: psycopg.Connection, claims: object, *, role: str = "gunita_client") -> None:
    connection.execute(
        "SELECT set_config('role', %s, false), set_config('request.jwt.claims', %s, false)",
        (role, claims if isinstance(claims, str) else json.dumps(claims)),
    )


def owners(connection: psycopg.Connection, table: str) -> set[tuple[Any, ...]]:
    query = sql.SQL("SELECT DISTINCT nullif(tenant_id, ''), user_id FROM {}").format(sql.Identifier(table))
    return set(connection.execute(query))


def sees(connection: psycopg.Connection) -> dict[str, set[tuple[Any, ...]]]:
    return {table: owners(connection, table) for table in SCOPED}


def everywhere(expected: set[tuple[str | None, str]]) -> dict[str, set[tuple[str | None, str]]]:
    return dict.fromkeys(SCOPED, expected)
