"""Corrupted rows do not hide valid ones: they are skipped with a logged warning and everything else comes back."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, NotFoundError
from tests.properties.values import fresh_tenant
from tests.raw_sql import Raw, connected


class Damage(NamedTuple):
    """How a message row is spoilt, and what can no longer be read of it."""

    role: str
    change: str
    hides_turn: bool = True
    hides_message: bool = True


_EITHER = [
    Damage("user", "content = ''"),
    Damage("assistant", "content = '  '"),
    Damage("assistant", "metadata = '5'", hides_message=False),
    Damage("assistant", "metadata = '[1]'", hides_message=False),
    Damage("assistant", "metadata = '\"text\"'", hides_message=False),
    Damage("assistant", 'tool_calls = \'{"not": "a list"}\'', hides_turn=False),
    Damage("user", "suggested_values = '7'", hides_turn=False),
    Damage("user", "custom_payload = '[1]'", hides_turn=False),
]
_SQLITE = [
    Damage("user", "content = CAST(x'C3' AS TEXT)"),
    Damage("user", "content = CAST('fine then ' || x'FF' AS TEXT)"),
    Damage("assistant", "metadata = '{broken'", hides_message=False),
    Damage("assistant", "metadata = ''", hides_message=False),
    Damage("assistant", f"metadata = '{'[' * 100_000}'", hides_message=False),
    Damage("assistant", "metadata = CAST(x'7B22FF227D' AS TEXT)", hides_message=False),
    Damage("user", "created_at = 9223372036854775807"),
    Damage("user", "created_at = -9223372036854775808"),
    Damage("user", "id = '------------------------------------'"),
    Damage("assistant", "tool_calls = 'not json'", hides_turn=False),
    Damage("user", "custom_payload = '{\"half\":'", hides_turn=False),
]
_POSTGRES = [
    Damage("user", "content = NULL"),
    Damage("assistant", "content = NULL"),
    Damage("user", "created_at = NULL"),
]


@pytest.fixture
def vandal(url: str, gunita: Gunita) -> Iterator[Raw]:
    """The owner, who has taken away what would refuse damage."""
    with connected(url) as raw:
        if url.startswith("postgresql"):
            raw("ALTER TABLE messages DROP CONSTRAINT messages_content_check")
            raw("ALTER TABLE memories DROP CONSTRAINT memories_memory_type_check")
            raw("ALTER TABLE memories DROP CONSTRAINT memories_content_check")
            raw("ALTER TABLE messages ALTER content DROP NOT NULL, ALTER created_at DROP NOT NULL")
        else:
            raw("PRAGMA ignore_check_constraints = ON")
        yield raw


@pytest.fixture
def known_damage(url: str) -> list[Damage]:
    return _EITHER + (_POSTGRES if url.startswith("postgresql") else _SQLITE)


def warned(caplog: pytest.LogCaptureFixture) -> int:
    found = [record for record in caplog.records if record.name == "gunita.store"]
    assert all(record.levelno == logging.WARNING and "skipped" in record.message for record in found)
    caplog.clear()
    return len(found)


@given(data=st.data(), turns=st.integers(1, 12), limit=st.integers(1, 15))
def test_damaged_turns_do_not_hide_valid_ones(
    gunita: Gunita,
    vandal: Raw,
    known_damage: list[Damage],
    caplog: pytest.LogCaptureFixture,
    data: st.DataObject,
    turns: int,
    limit: int,
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    session = g.sessions.create_session("juan")
    stored = [g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}", {"n": n}) for n in range(turns)]
    spoilt = data.draw(st.dictionaries(st.integers(1, turns), st.sampled_from(known_damage), max_size=turns))
    for number, damage in spoilt.items():
        vandal(
            f"UPDATE messages SET {damage.change} WHERE tenant_id = ? AND turn_number = ? AND role = ?",
            tenant,
            number,
            damage.role,
        )
    unreadable = {number for number, damage in spoilt.items() if damage.hides_turn}
    valid = [turn for turn in stored if turn.turn_number not in unreadable]
    caplog.clear()

    assert g.sessions.get_session_history(session, limit=turns) == valid
    assert warned(caplog) == len(unreadable)
    assert g.sessions.get_session_history(session, limit) == valid[-limit:]

    silent = {(number, damage.role) for number, damage in spoilt.items() if damage.hides_message}
    said = {(n, role) for n in range(1, turns + 1) for role in ("user", "assistant")} - silent
    caplog.clear()
    assert {(m.turn_number, m.role) for m in g.conversations.get_messages(session, 100)} == said
    assert warned(caplog) == len(silent)
    assert {(m.turn_number, m.role) for m in g.messages.get_conversation_history("juan", 100)} == said
    assert len(g.messages.get_recent_messages("juan", limit)) == min(limit, len(said))
    exported = json.loads(g.sessions.export_conversation(session))
    assert {(m["turn_number"], m["role"]) for m in exported["messages"]} == said
    caplog.clear()


CONVERSATION_DAMAGE = ["metadata = '[]'", "document_context = '\"text\"'", "document_context = '5'"]


@given(spoilt=st.lists(st.sampled_from([None, *CONVERSATION_DAMAGE]), min_size=1, max_size=6))
def test_damaged_conversations_do_not_hide_valid_ones(
    gunita: Gunita, vandal: Raw, caplog: pytest.LogCaptureFixture, spoilt: list[str | None]
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant, "juan")
    ids = [g.sessions.create_session() for _ in spoilt]
    for session, damage in zip(ids, spoilt, strict=True):
        if damage is not None:
            vandal(f"UPDATE conversations SET {damage} WHERE tenant_id = ? AND id = ?", tenant, str(session))
    valid = {session for session, damage in zip(ids, spoilt, strict=True) if damage is None}
    caplog.clear()
    assert {found.id for found in g.conversations.list_conversations()} == valid
    assert warned(caplog) == len(spoilt) - len(valid)
    for limit in range(1, len(spoilt) + 1):
        assert len(g.sessions.get_recent_sessions(limit)) == min(limit, len(valid))
    for session in set(ids) - valid:
        with pytest.raises(NotFoundError):
            g.conversations.get_conversation(session)
    if valid:
        assert g.conversations.current().id in valid
    caplog.clear()


@given(spoilt=st.lists(st.sampled_from([None, "memory_type = 'guess'", "content = ' '"]), min_size=1, max_size=6))
def test_damaged_memories_do_not_hide_valid_ones(
    gunita: Gunita, vandal: Raw, caplog: pytest.LogCaptureFixture, spoilt: list[str | None]
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    made = [g.memories.create_memory("juan", f"memory {n}") for n in range(len(spoilt))]
    for memory, damage in zip(made, spoilt, strict=True):
        if damage is not None:
            vandal(f"UPDATE memories SET {damage} WHERE tenant_id = ? AND id = ?", tenant, str(memory.id))
    valid = [memory for memory, damage in zip(made, spoilt, strict=True) if damage is None]
    caplog.clear()
    assert g.memories.get_memories("juan") == valid[::-1]
    assert warned(caplog) == len(made) - len(valid)
    for memory in made:
        if memory not in valid:
            with pytest.raises(NotFoundError):
                g.memories.get_memory(memory.id)
    caplog.clear()


def test_a_damaged_value_of_a_user_does_not_hide_the_others(tmp_path, caplog: pytest.LogCaptureFixture) -> None:
    path = str(tmp_path / "gunita.db")
    with Gunita.open(path) as g, connected(path) as raw:
        for key in ("one", "two", "three"):
            g.users.set_memory("juan", key, {"key": key})
        raw("UPDATE user_memory SET value = '{half' WHERE key = 'two'")
        assert g.users.get_all_memory("juan") == {"one": {"key": "one"}, "three": {"key": "three"}}
        assert warned(caplog) == 1
        assert g.users.get_memory("juan", "two", default="none") == "none"


def test_a_page_of_nothing_but_damage_does_not_end_an_export(gunita: Gunita, vandal: Raw) -> None:
    session = gunita.sessions.create_session("juan")
    for n in range(1, 551):
        gunita.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
    # More than one whole page of what an export reads at a time.
    vandal("UPDATE messages SET content = '' WHERE turn_number <= 545")
    exported = json.loads(gunita.sessions.export_conversation(session))
    assert [message["turn_number"] for message in exported["messages"]] == [n for n in range(546, 551) for _ in "qa"]
    assert [turn.turn_number for turn in gunita.sessions.get_session_history(session, 10)] == list(range(546, 551))


def test_a_warning_names_the_row_and_not_what_was_said(
    gunita: Gunita, vandal: Raw, caplog: pytest.LogCaptureFixture
) -> None:
    session = gunita.sessions.create_session("juan")
    turn = gunita.sessions.store_turn(session, "juan", "a secret query", "a secret answer")
    vandal("UPDATE messages SET metadata = '[\"a secret note\"]'")
    assert gunita.sessions.get_session_history(session) == []
    assert str(turn.id) in caplog.text
    assert "secret" not in caplog.text


def test_pages_stay_short_of_damage_and_never_overlap(gunita: Gunita, vandal: Raw) -> None:
    for n in range(9):
        gunita.messages.add_message("juan", "user", f"m{n}")
    vandal("UPDATE messages SET content = '' WHERE content IN ('m8', 'm4')")
    pages = [gunita.messages.get_conversation_history("juan", 3, offset) for offset in (0, 3, 6)]
    assert [[message.content for message in page] for page in pages] == [["m7", "m6"], ["m5", "m3"], ["m2", "m1", "m0"]]
    newest = gunita.messages.get_recent_messages("juan", 3)
    assert [message.content for message in newest] == ["m5", "m6", "m7"]


def test_a_damaged_counter_table_does_not_stop_reading(gunita: Gunita, vandal: Raw) -> None:
    """The conversation's own row is broken; its turns still come back."""
    session: UUID = gunita.sessions.create_session("juan")
    turn = gunita.sessions.store_turn(session, "juan", "q", "a")
    vandal("UPDATE conversations SET metadata = '[]', turn_count = 0")
    assert gunita.sessions.get_session_history(session) == [turn]
