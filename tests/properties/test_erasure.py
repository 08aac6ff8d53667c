"""A deletion takes everything and nothing else, its receipt verifies, and fails as soon as one row is put back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from gunita.chat.shortterm import LIFETIME
from gunita.erasure import DeletionKind, DeletionReceipt
from gunita.store import erasing
from tests.controlled_clock import ControlledClock
from tests.properties.values import fresh_tenant
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand

PARENTS = {
    "messages": ["conversations"],
    "message_index": ["conversations", "messages"],
    "index_queue": [],
    "forgotten_sources": ["conversations", "messages"],
    "memory_history": ["memories"],
    "memories": [],
    "jobs": [],
    "pending_clarifications": [],
    "user_memory": [],
    "user_state": [],
    "api_keys": [],
    "conversations": [],
    "retention_rules": [],
    "cleanup_runs": [],
}
"""Which rows must be there before one of a table can be; of the others, their conversation."""


@pytest.fixture
def clock() -> ControlledClock:
    return ControlledClock()


@pytest.fixture
def gunita(url: str, clock: ControlledClock) -> Iterator[Gunita]:
    with Gunita.open(url, clock=clock) as opened:
        yield opened


@pytest.fixture
def rows(url: str, gunita: Gunita) -> Iterator[RowsByHand]:
    with connected(url) as raw:
        yield RowsByHand(raw, postgres=url.startswith("postgresql"))


def lived(g: Gunita, rows: RowsByHand, tenant: str, user: str) -> tuple[UUID, UUID]:
    """Have a user leave something in every table; give a conversation and a memory."""
    session = g.sessions.create_session(user)
    turn = g.sessions.store_turn(session, user, "I live in Cebu", "Noted")
    forgotten = g.memories.create_memory(user, "Old", source_conversation_id=session, source_message_id=turn.id)
    g.memories.delete_memory(forgotten.id)
    memory = g.memories.create_memory(user, "Lives in Cebu", source_conversation_id=session, source_message_id=turn.id)
    g.memories.update_memory(memory.id, content="Lives in Davao")
    g.users.set_memory(user, "theme", {"dark": True})
    g.users.set_user_state(user, "active")
    g.keys.create_key("key", "user", user)
    mine = {"tenant_id": tenant, "user_id": user}
    rows.everything_that_hangs_on(session, **mine)
    rows.raw(
        "UPDATE pending_clarifications SET expires_at = ? WHERE tenant_id = ? AND conversation_id = ?",
        rows.moment(turn.created_at + LIFETIME),
        tenant,
        str(session),
    )
    indexed = {"message_id": str(turn.id), "conversation_id": str(session), "turn_number": 1, "role": "user"}
    blobs = {"terms": b"t", "vectors": b"v", "model": "m", "mark": 1}
    rows.insert("message_index", mine | indexed | blobs | {"created_at": rows.then, "indexed_at": rows.then})
    return session, memory.id


def taken(rows: RowsByHand, tenant: str) -> dict[str, list[dict[str, Any]]]:
    """Copy every row of a tenant, table by table."""
    copied = {}
    for table in rows.tables():
        columns = rows.columns(table)
        found = rows.raw(f"SELECT {', '.join(columns)} FROM {table} WHERE tenant_id = ?", tenant)
        copied[table] = [dict(zip(columns, row, strict=True)) for row in found]
    return copied


def delete(g: Gunita, kind: DeletionKind, user: str, session: UUID, memory: UUID) -> DeletionReceipt:
    match kind:
        case DeletionKind.USER:
            return g.deletion.delete_user(user)
        case DeletionKind.CONVERSATION:
            return g.deletion.delete_conversation(session, with_memories=True)
        case DeletionKind.MEMORY:
            return g.deletion.delete_memory(memory)
        case DeletionKind.TENANT:
            return g.deletion.delete_tenant()


@given(kind=st.sampled_from(DeletionKind), choice=st.integers(0, 100), as_user=st.booleans(), is_much=st.booleans())
def test_a_receipt_verifies_until_one_row_is_put_back(
    gunita: Gunita,
    rows: RowsByHand,
    clock: ControlledClock,
    kind: DeletionKind,
    choice: int,
    as_user: bool,
    is_much: bool,
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    session, memory = lived(g, rows, tenant, "juan")
    lived(g, rows, tenant, "ana")
    g.cleanup.set_retention(24)
    before = taken(rows, tenant)
    clock.forward(seconds=1)
    caller = gunita.scoped(tenant, "juan") if as_user and kind is not DeletionKind.TENANT else g
    with pytest.MonkeyPatch.context() as patch:
        # Of somebody who said much, conversations go one by one.
        patch.setattr(erasing, "ERASED_AT_ONCE", 0 if is_much else erasing.ERASED_AT_ONCE)
        receipt = delete(caller, kind, "juan", session, memory)
    after = taken(rows, tenant)

    gone = {table: len(before[table]) - len(after[table]) for table in before}
    assert {table: count for table, count in gone.items() if count > 0} == {
        table: count for table, count in receipt.counts.items() if count and table in gone
    }
    subject = "juan" if kind is DeletionKind.USER else None
    assert caller.deletion.verify(receipt.id, subject=subject).verified
    if kind is not DeletionKind.TENANT:
        assert others_rows(before) == others_rows(after)

    lost = [table for table, count in gone.items() if count > 0]
    put_back(rows, before, after, lost[choice % len(lost)])
    told = caller.deletion.verify(receipt.id, subject=subject)
    assert not told.verified
    assert told.intact
    assert sum(told.left.values()) >= 1


EMPTIED = {
    DeletionKind.USER: erasing.OF_A_USER,
    DeletionKind.CONVERSATION: (*erasing.OF_A_CONVERSATION, *erasing.LEARNT),
    DeletionKind.MEMORY: erasing.LEARNT,
    DeletionKind.TENANT: erasing.OF_A_TENANT,
}


@pytest.mark.parametrize("kind", DeletionKind)
def test_a_row_put_back_in_any_table_is_counted_there(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, kind: DeletionKind
) -> None:
    counted = {}
    for table in EMPTIED[kind]:
        tenant = fresh_tenant()
        g = gunita.scoped(tenant)
        session, memory = lived(g, rows, tenant, "juan")
        g.cleanup.set_retention(24)
        g.cleanup.run_cleanup()
        before = taken(rows, tenant)
        clock.forward(seconds=1)
        receipt = delete(g, kind, "juan", session, memory)
        after = taken(rows, tenant)
        assert receipt.counts[table] == len(before[table]) - len(after[table]) > 0, table
        put_back(rows, before, after, table)
        told = g.deletion.verify(receipt.id, subject="juan" if kind is DeletionKind.USER else None)
        counted[table] = told.left.get(table, 0)
    assert [table for table, count in counted.items() if count != 1] == []


def others_rows(copied: dict[str, list[dict[str, Any]]]) -> dict[str, int]:
    return {
        table: sum(row.get("user_id") == "ana" for row in found)
        for table, found in copied.items()
        if table != "deletion_receipts"
    }


def put_back(
    rows: RowsByHand, before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]], table: str
) -> None:
    """Write one lost row again, behind Gunita's back, with what it cannot be without."""
    there = {name: [str(row) for row in found] for name, found in after.items()}
    for name in [*PARENTS.get(table, ["conversations"]), table]:
        lost = [row for row in before[name] if str(row) not in there[name]]
        for row in lost if name != table else lost[:1]:
            rows.insert(name, row | json_columns(row))


def json_columns(row: dict[str, Any]) -> dict[str, Any]:
    return {name: json.dumps(value) for name, value in row.items() if isinstance(value, dict | list)}


@given(messages=st.integers(0, 3))
def test_whoever_comes_back_is_not_taken_for_what_was_left(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, messages: int
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    lived(g, rows, tenant, "juan")
    clock.forward(seconds=1)
    receipt = g.deletion.delete_user("juan")
    clock.forward(hours=1)
    session = g.sessions.create_session("juan")
    for _ in range(messages):
        g.sessions.store_turn(session, "juan", "I am back", "Welcome")
    g.users.set_memory("juan", "theme", 1)
    assert g.deletion.verify(receipt.id, subject="juan").verified


def test_a_changed_receipt_is_found_out(gunita: Gunita, rows: RowsByHand) -> None:
    g = gunita.scoped("acme")
    lived(g, rows, "acme", "juan")
    receipt = g.deletion.delete_user("juan")
    rows.raw("UPDATE deletion_receipts SET counts = ? WHERE tenant_id = ?", '{"messages": 0}', "acme")
    told = g.deletion.verify(receipt.id, subject="juan")
    assert (told.verified, told.intact) == (False, False)


def test_no_table_is_forgotten(rows: RowsByHand) -> None:
    """A table that somebody adds later has to be deleted from too."""
    of_users = {table for table in rows.tables() if "user_id" in rows.columns(table)}
    of_conversations = {table for table in rows.tables() if "conversation_id" in rows.columns(table)}
    assert of_users == set(erasing.OF_A_USER)
    assert of_conversations <= set(erasing.OF_A_CONVERSATION)
    assert set(rows.tables()) - {"deletion_receipts"} == set(erasing.OF_A_TENANT)


def test_what_is_kept_of_a_deletion_does_not_name_who_it_was(gunita: Gunita, rows: RowsByHand) -> None:
    user = f"juan.{uuid4().hex}@example.com"
    g = gunita.scoped("acme")
    lived(g, rows, "acme", user)
    g.deletion.delete_user(user)
    for table, found in taken(rows, "acme").items():
        assert user not in str(found), table


def test_everything_about_a_user_is_written_out(gunita: Gunita, rows: RowsByHand) -> None:
    g = gunita.scoped("acme")
    session, memory = lived(g, rows, "acme", "juan")
    lived(g, rows, "acme", "ana")
    told = g.deletion.export_user("juan")
    assert [conversation["id"] for conversation in told["conversations"]] == [str(session)]
    assert [message["content"] for message in told["conversations"][0]["messages"]] == ["I live in Cebu", "Noted"]
    assert [found["id"] for found in told["memories"]] == [str(memory)]
    assert told["user_memory"] == {"theme": {"dark": True}}
    assert told["user_state"] == "active"
    for part in (
        "summaries",
        "memory_history",
        "corrections",
        "receipts",
        "requests",
        "pending_clarifications",
        "api_keys",
    ):
        assert len(told[part]) == 1, part
    assert "ana" not in str(told)
