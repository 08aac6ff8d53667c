"""What is stored comes back: complete, in order, to its own session, after reopening, and with many writing at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, Role, Turn
from tests.properties.values import exchanges, fresh_tenant, json_objects, json_values, memory_types, names, said
from tests.raw_sql import Raw, connected

WRITERS = 16


@pytest.fixture(scope="module")
def writers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(WRITERS) as pool:
        yield pool


@pytest.fixture
def owner(url: str, gunita: Gunita) -> Iterator[Raw]:
    with connected(url) as raw:
        yield raw


def store(g: Gunita, session: UUID, user: str, pairs: list[tuple[str, str]]) -> list[Turn]:
    return [g.sessions.store_turn(session, user, query, response) for query, response in pairs]


@given(user=names(), query=said(), response=said(), metadata=json_objects())
def test_a_stored_turn_comes_back_complete_and_identical(
    gunita: Gunita, user: str, query: str, response: str, metadata: dict[str, Any]
) -> None:
    g = gunita.scoped(fresh_tenant())
    session = g.sessions.create_session(user)
    stored = g.sessions.store_turn(session, user, query, response, metadata)
    assert (stored.session_id, stored.user_id, stored.turn_number) == (session, user, 1)
    assert (stored.query_text, stored.response_text) == (query, response)
    [found] = g.sessions.get_session_history(session)
    assert found == stored
    # The representation tells 1 from 1.0 and True, -0.0 from 0.0, and one order of keys from another.
    assert repr(found.metadata) == repr(metadata)
    assert found.created_at.utcoffset() is not None


@given(pairs=exchanges(10, 50))
def test_ten_to_fifty_turns_come_back_whole_and_in_order(gunita: Gunita, pairs: list[tuple[str, str]]) -> None:
    g = gunita.scoped(fresh_tenant())
    session = g.sessions.create_session("juan")
    stored = store(g, session, "juan", pairs)
    history = g.sessions.get_session_history(session)
    assert history == stored
    assert [(turn.query_text, turn.response_text) for turn in history] == pairs
    assert [turn.turn_number for turn in history] == list(range(1, len(pairs) + 1))
    newest = g.sessions.get_session_history(session, limit=7)
    assert newest == stored[-7:]


@given(said=st.lists(st.sampled_from(["user", "assistant", "turn", "delete"]), max_size=25), limit=st.integers(1, 9))
def test_a_history_of_any_length_skips_half_turns_and_nothing_else(gunita: Gunita, said: list[str], limit: int) -> None:
    g = gunita.scoped(fresh_tenant())
    session = g.sessions.create_session("juan")
    for n, what in enumerate(said):
        if what == "turn":
            g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
        elif what == "delete":
            for message in g.messages.get_conversation_history("juan", 1, offset=n % 3):
                g.messages.delete_message(message.id)
        else:
            g.conversations.add_message(session, what, f"m{n}")
    messages = g.conversations.get_messages(session, 100)
    asked = {message.turn_number: message.content for message in messages if message.role is Role.USER}
    answered = {message.turn_number: message.content for message in messages if message.role is Role.ASSISTANT}
    whole = [(number, asked[number], answered[number]) for number in sorted(asked.keys() & answered.keys())]
    history = g.sessions.get_session_history(session, limit)
    assert [(turn.turn_number, turn.query_text, turn.response_text) for turn in history] == whole[-limit:]


@given(
    pairs=exchanges(1, 5),
    content=said(),
    memory_type=memory_types(),
    value=json_values(),
    payload=st.none() | json_objects(),
    calls=st.none() | st.lists(json_values(), max_size=3),
    mode=names(),
)
def test_everything_survives_reopening(
    url: str,
    pairs: list[tuple[str, str]],
    content: str,
    memory_type: str,
    value: Any,
    payload: dict[str, Any] | None,
    calls: list[Any] | None,
    mode: str,
) -> None:
    tenant = fresh_tenant()
    with Gunita.open(url) as opened:
        g = opened.scoped(tenant)
        conversation = g.conversations.create_conversation("ana", "Trip", ["visa.pdf"], {"n": 1})
        turns = store(g, conversation.id, "ana", pairs)
        message = g.conversations.add_message(
            conversation.id, "user", content, tool_calls=calls, custom_payload=payload
        )
        memory = g.memories.create_memory("ana", content, memory_type, source_message_id=message.id)
        g.users.set_memory("ana", "key", value)
        g.users.set_user_state("ana", mode)
        conversation = g.conversations.get_conversation(conversation.id)
    with Gunita.open(url) as opened:
        g = opened.scoped(tenant)
        assert g.conversations.get_conversation(conversation.id) == conversation
        assert conversation.document_context == ("visa.pdf",)
        assert g.sessions.get_session_history(conversation.id) == turns
        assert repr(g.conversations.get_messages(conversation.id)[-1]) == repr(message)
        assert g.memories.get_memories("ana") == [memory]
        assert repr(g.users.get_memory("ana", "key")) == repr(value)
        assert g.users.get_user_state("ana") == mode


@given(
    writes=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["turn", "message", "delete"])), max_size=20),
    own=exchanges(1, 6),
)
def test_a_sessions_history_holds_only_its_own_turns_whatever_else_is_written(
    gunita: Gunita, writes: list[tuple[int, str]], own: list[tuple[str, str]]
) -> None:
    g = gunita.scoped(fresh_tenant())
    session = g.sessions.create_session("juan")
    others = [g.sessions.create_session(user) for user in ("juan", "juan", "ana", "anonymous")]
    mine: list[Turn] = []
    for number, pair in enumerate(own):
        mine += store(g, session, "juan", [pair])
        for which, what in writes[number :: len(own)]:
            owner_of_other = ("juan", "juan", "ana", "anonymous")[which]
            if what == "turn":
                g.sessions.store_turn(others[which], owner_of_other, "other query", "other response")
            elif what == "message":
                g.messages.add_message("ana", "user", "other words")
            else:
                g.sessions.delete_session(others[which])
    assert g.sessions.get_session_history(session) == mine


@given(count=st.integers(2, 30))
def test_session_ids_are_unique_uuids(gunita: Gunita, writers: ThreadPoolExecutor, count: int) -> None:
    g = gunita.scoped(fresh_tenant())
    made = list(writers.map(lambda _: g.sessions.create_session("juan"), range(count)))
    assert all(isinstance(session, UUID) and session.version == 7 for session in made)
    assert len(set(made)) == count
    assert {session.id for session in g.sessions.get_recent_sessions(limit=count + 1)} == set(made)


@given(sessions=st.lists(exchanges(1, 4), min_size=2, max_size=6))
def test_many_sessions_of_one_user_stay_apart(gunita: Gunita, sessions: list[list[tuple[str, str]]]) -> None:
    g = gunita.scoped(fresh_tenant(), "juan")
    ids = [g.sessions.create_session() for _ in sessions]
    longest = max(len(pairs) for pairs in sessions)
    for position in range(longest):
        for session, pairs in zip(ids, sessions, strict=True):
            store(g, session, "juan", pairs[position : position + 1])
    for session, pairs in zip(ids, sessions, strict=True):
        history = g.sessions.get_session_history(session)
        assert [(turn.query_text, turn.response_text) for turn in history] == pairs
        assert {turn.session_id for turn in history} == {session}


@given(sessions=st.lists(exchanges(0, 3), min_size=1, max_size=4))
def test_every_stored_turn_has_exactly_one_session(
    gunita: Gunita, owner: Raw, sessions: list[list[tuple[str, str]]]
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    ids = [g.sessions.create_session("juan") for _ in sessions]
    for session, pairs in zip(ids, sessions, strict=True):
        store(g, session, "juan", pairs)
    rows = owner(
        "SELECT turns.id, count(conversations.id), min(CAST(conversations.id AS text)) "
        "FROM conversation_turns AS turns LEFT JOIN conversations "
        "ON conversations.tenant_id = turns.tenant_id AND conversations.id = turns.session_id "
        "WHERE turns.tenant_id = ? GROUP BY turns.id",
        tenant,
    )
    assert len(rows) == sum(map(len, sessions))
    assert all(count == 1 for _, count, _ in rows)
    assert {session for _, _, session in rows} <= set(map(str, ids))


@given(turns=st.integers(WRITERS, 3 * WRITERS), begins=st.booleans())
def test_sixteen_threads_on_one_conversation_number_its_turns_without_gaps(
    gunita: Gunita, writers: ThreadPoolExecutor, turns: int, begins: bool
) -> None:
    g = gunita.scoped(fresh_tenant())
    # A session that nobody created begins with its first turn; many may be that first one.
    session = g.sessions.create_session("juan") if begins else uuid4()
    stored = list(writers.map(lambda n: g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}"), range(turns)))
    assert sorted(turn.turn_number for turn in stored) == list(range(1, turns + 1))
    history = g.sessions.get_session_history(session, limit=turns + 1)
    assert history == sorted(stored, key=lambda turn: turn.turn_number)
    assert all(turn.query_text[1:] == turn.response_text[1:] for turn in history)
    found = g.conversations.get_conversation(session)
    assert (found.turn_count, found.message_count) == (turns, 2 * turns)
