"""Conversations as a caller manages them, on both engines."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gunita import Gunita, NotFoundError, OutOfScopeError


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def tick(self, **by: float) -> None:
        self.now += timedelta(**(by or {"microseconds": 1}))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def g(url: str, clock: Clock):
    with Gunita.open(url, clock=clock) as opened:
        yield opened


def test_a_conversation_is_created_whole(g: Gunita, clock: Clock) -> None:
    made = g.conversations.create_conversation("juan", "Visa", ["visa.pdf", "itinerary.docx"], {"source": "web"})
    assert (made.user_id, made.title, made.document_context) == ("juan", "Visa", ("visa.pdf", "itinerary.docx"))
    assert (made.created_at, made.updated_at) == (clock.now, clock.now)
    assert (made.message_count, made.turn_count, made.token_count) == (0, 0, 0)
    assert (made.archived, made.pinned, made.metadata) == (False, False, {"source": "web"})
    assert g.conversations.get_conversation(str(made.id)) == made


def test_listing_is_by_recency_of_activity(g: Gunita, clock: Clock) -> None:
    made = []
    for title in ("first", "second", "third"):
        made.append(g.conversations.create_conversation("juan", title))
        clock.tick()
    g.sessions.store_turn(made[0].id, "juan", "q", "a")
    clock.tick()
    g.conversations.create_conversation("ana", "hers")
    mine = g.conversations.list_conversations(user_id="juan")
    assert [found.title for found in mine] == ["first", "third", "second"]
    assert [found.title for found in g.conversations.list_conversations()] == ["hers", "first", "third", "second"]
    pages = [g.conversations.list_conversations(2, offset, user_id="juan") for offset in (0, 2, 4)]
    assert [[found.title for found in page] for page in pages] == [["first", "third"], ["second"], []]
    assert [found.title for found in g.sessions.get_recent_sessions(2)] == ["hers", "first"]


def test_an_old_clock_does_not_move_activity_back(g: Gunita, clock: Clock) -> None:
    session = g.sessions.create_session("juan")
    g.sessions.store_turn(session, "juan", "q", "a")
    newest = clock.now
    clock.now -= timedelta(hours=1)
    g.sessions.store_turn(session, "juan", "q", "a")
    g.conversations.add_message(session, "user", "q")
    assert g.conversations.get_conversation(session).updated_at == newest


def test_updating_changes_what_is_given_and_leaves_the_rest(g: Gunita, clock: Clock) -> None:
    made = g.conversations.create_conversation("juan", "Visa", metadata={"a": 1})
    clock.tick()
    pinned = g.conversations.update_conversation(made.id, pinned=True)
    assert (pinned.pinned, pinned.archived, pinned.title, pinned.metadata) == (True, False, "Visa", {"a": 1})
    assert pinned.updated_at == clock.now
    renamed = g.conversations.update_conversation(made.id, title="Trip", metadata={})
    assert (renamed.title, renamed.metadata, renamed.pinned) == ("Trip", {}, True)
    bare = g.conversations.update_conversation(made.id, title=None, pinned=False)
    assert (bare.title, bare.pinned) == (None, False)
    assert g.conversations.get_conversation(made.id) == bare


def test_archived_conversations_are_apart(g: Gunita, clock: Clock) -> None:
    old, new = (g.conversations.create_conversation("juan", title) for title in ("old", "new"))
    g.conversations.update_conversation(old.id, archived=True)
    assert [found.title for found in g.conversations.list_conversations(archived=True)] == ["old"]
    assert [found.title for found in g.conversations.list_conversations(archived=False)] == ["new"]
    assert {found.title for found in g.conversations.list_conversations()} == {"old", "new"}
    assert g.conversations.current("juan").id == new.id


def test_the_current_conversation_is_the_newest_active_one_or_a_new_one(g: Gunita, clock: Clock) -> None:
    made = g.conversations.current("juan")
    assert g.conversations.current("juan") == made
    clock.tick()
    newer = g.conversations.create_conversation("juan")
    assert g.conversations.current("juan") == newer
    for conversation in (made, newer):
        g.conversations.update_conversation(conversation.id, archived=True)
    fresh = g.conversations.current("juan")
    assert fresh.id not in {made.id, newer.id}
    assert g.conversations.current("ana").user_id == "ana"
    assert g.scoped(user_id="juan").conversations.current() == fresh


def test_a_session_is_found_or_begun(g: Gunita) -> None:
    wanted = uuid4()
    begun = g.sessions.get_or_create_session(wanted, "Visa", ["visa.pdf"])
    assert (begun.id, begun.title, begun.document_context, begun.user_id) == (
        wanted,
        "Visa",
        ("visa.pdf",),
        "anonymous",
    )
    assert g.sessions.get_or_create_session(str(wanted), "Other") == begun
    assert g.sessions.get_or_create_session().id != wanted


def test_what_is_not_there_is_said_with_advice(g: Gunita) -> None:
    nobody = uuid4()
    for attempt in (
        lambda: g.conversations.get_conversation(nobody),
        lambda: g.conversations.update_conversation(nobody, pinned=True),
        lambda: g.conversations.add_message(nobody, "user", "q"),
        lambda: g.sessions.export_conversation(nobody),
        lambda: g.memories.get_memory(nobody),
        lambda: g.memories.update_memory(nobody, pinned=True),
    ):
        with pytest.raises(
            NotFoundError, match=f"{nobody} here; it may have been deleted, have expired, or belong"
        ) as no:
            attempt()
        assert no.value.identifier == nobody
    assert g.sessions.get_session_history(nobody) == []
    assert g.conversations.get_messages(nobody) == []
    assert g.sessions.delete_session(nobody) == 0
    assert g.messages.delete_message(nobody) is False
    assert g.memories.delete_memory(nobody) is False


def test_a_users_scope_speaks_for_that_user_alone(g: Gunita) -> None:
    juan = g.scoped(user_id="juan")
    assert juan.conversations.create_conversation().user_id == "juan"
    assert juan.memories.create_memory(None, "Lives in Cebu").user_id == "juan"
    with pytest.raises(OutOfScopeError, match="use a scope of theirs, or the tenant's service scope"):
        juan.sessions.create_session("ana")
    assert g.sessions.store_turn(uuid4(), None, "q", "a").user_id == "anonymous"


def test_a_conversation_is_exported_as_json(g: Gunita, clock: Clock) -> None:
    made = g.conversations.create_conversation("juan", "Visa 🇵🇭", ["visa.pdf"], {"half": "\ud800"})
    g.sessions.store_turn(made.id, "juan", "Magkano?", "₱1,500")
    g.conversations.add_message(made.id, "user", "Sige", tool_calls=[{"name": "pay", "args": {"sum": 1500}}])
    written = g.sessions.export_conversation(made.id)
    # It can be written to a file, and a person can read it.
    assert "Visa 🇵🇭" in written.encode().decode()
    exported = json.loads(written)
    assert exported["conversation"]["metadata"] == {"half": "\ud800"}
    assert exported["conversation"]["document_context"] == ["visa.pdf"]
    assert exported["conversation"]["created_at"] == "2026-03-01T12:00:00.123456+00:00"
    assert [(m["turn_number"], m["role"], m["content"]) for m in exported["messages"]] == [
        (1, "user", "Magkano?"),
        (1, "assistant", "₱1,500"),
        (2, "user", "Sige"),
    ]
    assert exported["messages"][2]["tool_calls"] == [{"name": "pay", "args": {"sum": 1500}}]
    assert "custom_payload" not in exported["messages"][2]


def test_a_conversation_is_exported_as_markdown(g: Gunita) -> None:
    made = g.conversations.create_conversation("juan", "Visa")
    g.sessions.store_turn(made.id, "juan", "Magkano?", "*Isang* libo.\n\n- una")
    assert g.sessions.export_conversation(made.id, "markdown") == (
        "# Visa\n\n_2026-03-01 12:00 UTC_\n\n"
        "**User** · turn 1 · 2026-03-01 12:00\n\nMagkano?\n\n"
        "**Assistant** · turn 1 · 2026-03-01 12:00\n\n*Isang* libo.\n\n- una\n"
    )


def test_a_long_conversation_is_exported_whole(g: Gunita) -> None:
    session = g.sessions.create_session("juan")
    for n in range(1_001):
        g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
    exported = json.loads(g.sessions.export_conversation(session))
    assert [m["content"] for m in exported["messages"]] == [f"{who}{n}" for n in range(1_001) for who in "qa"]


def test_many_callers_at_once_share_one_current_conversation(gunita: Gunita) -> None:
    with ThreadPoolExecutor(8) as callers:
        found = list(callers.map(lambda _: gunita.conversations.current("newcomer").id, range(24)))
    assert len(set(found)) == 1
