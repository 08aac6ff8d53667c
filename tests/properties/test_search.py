"""Search beside a model in plain Python: it never crosses a scope, forgets what is deleted, and loses nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gunita import Gunita
from gunita.models import Message

TENANTS = (None, "acme", "=*")
USERS = ("ana", "*")
WORDS = ("guitar", "landlord", "passport", "umbrella")

acts = st.lists(
    st.tuples(
        st.sampled_from(("say", "say", "say", "index", "delete message", "delete conversation", "reembed")),
        st.sampled_from(TENANTS),
        st.sampled_from(USERS),
        st.sampled_from(WORDS),
    ),
    min_size=1,
    max_size=12,
)
Known = dict[tuple[str | None, str], dict[UUID, tuple[UUID, str]]]


def act(gunita: Gunita, known: Known, what: str, tenant: str | None, user: str, word: str) -> None:
    scope, mine = gunita.scoped(tenant, user), known.setdefault((tenant, user), {})
    match what:
        case "say":
            message = scope.messages.add_message(user, "user", f"my {word} and number {len(mine)}")
            mine[message.id] = (message.conversation_id, word)
        case "index":
            scope.search.index_pending(3)
        case "reembed":
            scope.search.reembed()
        case "delete message" if mine:
            gone = next(iter(mine))
            scope.messages.delete_message(gone)
            del mine[gone]
        case "delete conversation" if mine:
            conversation = next(iter(mine.values()))[0]
            scope.conversations.delete_conversation(conversation)
            for message_id in [found for found, (where, _) in mine.items() if where == conversation]:
                del mine[message_id]


def agrees(gunita: Gunita, known: Known) -> None:
    """Every user, and a service that names one, finds every message of theirs by its word, and never another's."""
    for tenant in TENANTS:
        for user in USERS:
            mine = known.get((tenant, user), {})
            for word in WORDS:
                theirs = {message for message, (_, said) in mine.items() if said == word}
                for asking in (gunita.scoped(tenant, user), gunita.scoped(tenant)):
                    hits = asking.search.search(word, user_id=user, limit=100)
                    found = {hit.found.id for hit in hits if isinstance(hit.found, Message)}
                    assert theirs <= found <= mine.keys()


def rows(gunita: Gunita, known: Known) -> None:
    """What is indexed or waits to be is what is there."""
    for tenant, user in known:
        waiting = gunita.scoped(tenant, user).search.count_waiting()
        indexed = gunita._indexes.of(gunita.scoped(tenant, user)._door, user)
        assert len(indexed) == len(known[tenant, user])
        assert waiting <= len(indexed)


@given(acts)
@settings(max_examples=100)
def test_search_keeps_to_its_scope_and_to_what_is_there_in_sqlite(happened: list[tuple[str, str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Gunita.open(Path(folder) / "gunita.db") as gunita:
        known: Known = {}
        for one in happened:
            act(gunita, known, *one)
        agrees(gunita, known)
        rows(gunita, known)


@pytest.fixture(scope="module")
def opened(postgres_url: str) -> Iterator[Gunita]:
    name = "properties_of_search"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    with Gunita.open(postgres_url.rsplit("/", 1)[0] + f"/{name}") as gunita:
        yield gunita


@given(acts)
@settings(max_examples=100)
def test_search_keeps_to_its_scope_and_to_what_is_there_in_postgres(
    opened: Gunita, happened: list[tuple[str, str, str, str]]
) -> None:
    known: Known = {}
    for tenant in TENANTS:
        for user in USERS:
            opened.scoped(tenant, user).messages.clear_conversation_history(user)
    for one in happened:
        act(opened, known, *one)
    agrees(opened, known)
    rows(opened, known)
