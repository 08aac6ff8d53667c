"""Deleting a session leaves no row anywhere, and touches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from tests.properties.values import exchanges, fresh_tenant
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand


@pytest.fixture
def rows(url: str, gunita: Gunita) -> Iterator[RowsByHand]:
    with connected(url) as raw:
        yield RowsByHand(raw, postgres=url.startswith("postgresql"))


@pytest.fixture
def mentions(rows: RowsByHand) -> dict[str, list[str]]:
    """Every column of every table that can name a conversation, also of tables that this test has not heard of."""
    named = {
        table: [column for column in rows.columns(table) if column in {"conversation_id", "session_id"}]
        for table in rows.tables()
    } | {"conversations": ["id"]}
    assert {"messages", "summaries", "receipts", "jobs", "pending_clarifications"} <= {t for t, c in named.items() if c}
    return {table: columns for table, columns in named.items() if columns}


def rows_of(rows: RowsByHand, mentions: dict[str, list[str]], tenant: str, session: UUID) -> dict[str, int]:
    counted = " UNION ALL ".join(
        f"SELECT '{table}', count(*) FROM {table} WHERE tenant_id = ? AND {column} = ?"
        for table, columns in mentions.items()
        for column in columns
    )
    places = sum(map(len, mentions.values()))
    return {str(table): int(count) for table, count in rows.raw(counted, *[tenant, str(session)] * places)}


@given(pairs=exchanges(0, 4), open_question=st.booleans(), as_user=st.booleans(), by=st.integers(0, 2))
def test_deleting_a_session_leaves_no_row_anywhere(
    gunita: Gunita,
    rows: RowsByHand,
    mentions: dict[str, list[str]],
    pairs: list[tuple[str, str]],
    open_question: bool,
    as_user: bool,
    by: int,
) -> None:
    tenant = fresh_tenant()
    service = gunita.scoped(tenant)
    doomed, kept = service.sessions.create_session("juan"), service.sessions.create_session("juan")
    for session in (doomed, kept):
        for query, response in pairs:
            service.sessions.store_turn(session, "juan", query, response)
        if open_question:
            service.conversations.add_message(session, "user", "And then?")
        rows.everything_that_hangs_on(session, tenant_id=tenant)
    before = rows_of(rows, mentions, tenant, kept)
    come_with_messages = {"messages", "index_queue", "message_index"}
    assert all(rows_of(rows, mentions, tenant, doomed)[table] for table in mentions if table not in come_with_messages)

    g = gunita.scoped(tenant, "juan") if as_user else service
    if by == 0:
        assert g.sessions.delete_session(doomed) == len(pairs)
    elif by == 1:
        assert g.conversations.delete_conversation(doomed) is True
    else:
        assert g.sessions.delete_session(str(doomed).upper()) == len(pairs)

    assert not any(rows_of(rows, mentions, tenant, doomed).values())
    assert rows_of(rows, mentions, tenant, kept) == before
    assert g.sessions.get_session_history(doomed) == []
    assert g.sessions.delete_session(doomed) == 0
    assert g.conversations.delete_conversation(doomed) is False


@given(pairs=exchanges(1, 3))
def test_clearing_a_users_history_leaves_no_row_of_it_and_every_row_of_others(
    gunita: Gunita, rows: RowsByHand, mentions: dict[str, list[str]], pairs: list[tuple[str, str]]
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    mine = [g.sessions.create_session("juan") for _ in range(2)]
    other = g.sessions.create_session("ana")
    for user, session in (("juan", mine[0]), ("juan", mine[1]), ("ana", other)):
        for query, response in pairs:
            g.sessions.store_turn(session, user, query, response)
        rows.everything_that_hangs_on(session, tenant_id=tenant, user_id=user)
    g.users.set_memory("juan", "theme", "dark")
    before = rows_of(rows, mentions, tenant, other)
    assert g.messages.clear_conversation_history("juan") == 2 * 2 * len(pairs)
    for session in mine:
        assert not any(rows_of(rows, mentions, tenant, session).values())
    assert rows_of(rows, mentions, tenant, other) == before
    assert g.users.get_memory("juan", "theme") == "dark"


def test_the_same_session_of_another_tenant_stays(gunita: Gunita, rows: RowsByHand, mentions: dict) -> None:
    session = gunita.sessions.create_session("juan")
    for tenant in (None, "acme"):
        gunita.scoped(tenant).sessions.store_turn(session, "juan", "q", "a")
        rows.everything_that_hangs_on(session, tenant_id=tenant or "")
    before = rows_of(rows, mentions, "acme", session)
    assert gunita.sessions.delete_session(session) == 1
    assert rows_of(rows, mentions, "acme", session) == before
    assert not any(rows_of(rows, mentions, "", session).values())


def test_a_memory_outlives_the_conversation_it_was_learnt_from(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    memory = gunita.memories.create_memory("juan", "Lives in Cebu", source_conversation_id=session)
    gunita.sessions.delete_session(session)
    assert gunita.memories.get_memory(memory.id) == memory
