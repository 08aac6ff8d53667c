"""Whoever asks for whomever, in whosever conversation: what is written there belongs to the conversation's own user.

The database could say so too, by keys that name the user; the statements take the user from the conversation's row
instead, and here every method that writes into a conversation is tried with each wrong pair of names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, GunitaError, OutOfScopeError, Role
from gunita.services.items import Item
from tests.raw_sql import Raw, connected

USERS = ("ana", "ben")
CONVERSATIONS = tuple(UUID(int=(7 << 76) | (2 << 62) | number) for number in range(2))
SAID = "I live in Cebu and I love mangoes."
Write = Callable[[Gunita, str, UUID], object]

WRITES: dict[str, Write] = {
    "a turn": lambda g, user, where: g.sessions.store_turn(where, user, SAID, "Noted."),
    "a message": lambda g, user, where: g.conversations.add_message(where, "user", SAID),
    "a question": lambda g, user, where: g.chat.reply(SAID, user_id=user, session_id=where, request_id=user),
    "items": lambda g, user, where: g.items.append(where, user, [Item(SAID, Role.USER)], writer="w"),
    "other items": lambda g, user, where: g.items.replace(where, user, [Item(SAID, Role.USER)], writer="w"),
    "a correction": lambda g, user, where: g.corrections.correct(where, 1, []),
    "a wish to learn": lambda g, user, where: g.memories.request_extraction(user, conversation_id=where),
    "what is learnt": lambda g, user, where: g.memories.extract_memories(where),
    "a summary": lambda g, user, where: g.chat.follow_up(where),
    "a session": lambda g, user, where: g.sessions.get_or_create_session(where),
}
written = st.tuples(
    st.sampled_from((None, *USERS)), st.sampled_from(USERS), st.sampled_from(CONVERSATIONS), st.sampled_from([*WRITES])
)


def of_others(raw: Raw, tables: list[str]) -> dict[str, int]:
    """Count the rows that stand in a conversation and belong to somebody else."""
    found = {
        table: raw(
            f"SELECT count(*) FROM {table} AS written JOIN conversations "
            "ON conversations.tenant_id = written.tenant_id AND conversations.id = written.conversation_id "
            "WHERE conversations.user_id <> written.user_id"
        )[0][0]
        for table in tables
    }
    return {table: count for table, count in found.items() if count}


@pytest.fixture
def gunita(url: str) -> Iterator[Gunita]:
    """Folds early, so that summaries are written too."""
    with Gunita.open(url, background=False, condense_after_messages=4) as opened:
        yield opened


@pytest.fixture
def tables(gunita: Gunita, raw: Raw) -> list[str]:
    """Every table whose rows stand in a conversation and belong to somebody."""
    owned = "('tenant_id', 'user_id', 'conversation_id')"
    if gunita.settings.is_postgres:
        query = (
            "SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relkind = 'r' "
            f"AND relnamespace = 'public'::regnamespace AND attname IN {owned} GROUP BY relname HAVING count(*) = 3"
        )
    else:
        query = (
            "SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c "
            f"WHERE m.type = 'table' AND c.name IN {owned} GROUP BY m.name HAVING count(*) = 3"
        )
    return [str(name) for (name,) in raw(query)]


@given(steps=st.lists(written, min_size=4, max_size=14))
def test_what_is_written_into_a_conversation_belongs_to_its_user(
    gunita: Gunita, url: str, tables: list[str], steps: list[tuple[str | None, str, UUID, str]]
) -> None:
    with connected(url) as raw:
        for table in ("conversations", *tables):
            raw(f"DELETE FROM {table}")
        for who, user, where, what in steps:
            with contextlib.suppress(GunitaError):
                WRITES[what](gunita.scoped("acme", who), user, where)
        assert of_others(raw, tables) == {}


def test_every_method_above_writes_when_the_names_are_right(gunita: Gunita, raw: Raw, tables: list[str]) -> None:
    """Otherwise nothing would have been tried."""
    ana, [here, _] = gunita.scoped("acme", "ana"), CONVERSATIONS
    for _ in range(20):
        WRITES["a turn"](ana, "ana", here)
    for write in (name for name in WRITES if name != "other items"):
        WRITES[write](ana, "ana", here)
    gunita.search.index_everywhere()
    filled = {table for table in tables if raw(f"SELECT count(*) FROM {table}")[0][0]}
    assert filled >= {"messages", "receipts", "requests", "corrections", "summaries", "extraction_cursors"}
    assert set(tables) - filled <= {"pending_clarifications", "jobs"}, "a new table: write to it above"


OF_A_SERVICE: dict[str, Callable[[Gunita], object]] = {
    "make a key": lambda g: g.keys.create_key("mine"),
    "list keys": lambda g: g.keys.list_keys(),
    "revoke a key": lambda g: g.keys.revoke_key(uuid4()),
    "clean": lambda g: g.cleanup.run_cleanup(),
    "preview": lambda g: g.cleanup.preview_cleanup(),
    "count": lambda g: g.cleanup.get_cleanup_stats(),
    "set the tenant's rule": lambda g: g.cleanup.set_retention(1),
    "clear the tenant's rule": lambda g: g.cleanup.clear_retention(),
    "delete the tenant": lambda g: g.deletion.delete_tenant(),
    "list deletions": lambda g: g.deletion.list_receipts(),
}


def test_what_is_a_services_to_do_is_refused_to_users_behind_the_routes_too(gunita: Gunita) -> None:
    gunita.scoped("acme").keys.create_key("kept")
    allowed = []
    for what, do in OF_A_SERVICE.items():
        try:
            do(gunita.scoped("acme", "ana"))
            allowed.append(what)
        except OutOfScopeError:
            continue
    assert allowed == []
    assert len(gunita.scoped("acme").keys.list_keys()) == 1
