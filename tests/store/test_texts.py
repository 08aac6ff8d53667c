"""Awkward text and awkward JSON: stored and returned exactly, or refused by name, the same on both engines."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from gunita import Gunita, ValidationError

TEXTS = {
    "emoji": "👨‍👩‍👧‍👦 🇵🇭 👍🏽",
    "right to left": "مرحبا \u200fabc\u200e שלום \u202eevil\u202c",
    "combining": "e\u0301 vs é, g\u0303, ñ, Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞a",
    "control": "tab\there, bell\a, escape\x1b[31m, delete\x7f, \x01\x02, next line\x85",
    "lines": "\r\n carriage \r alone \n\n\u2028\u2029",
    "blanks around": "  \t kept as given \u00a0\n",
    "not characters": "\ufffe\uffff \U0010ffff \ufdd0 \ufeff",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0001f9d1\u200d\U0001f692",
    "quotes": '\'; DROP TABLE messages; -- "$1" %s %(name)s :name ? \\ \\u0000 {}',
    "invisible": "\u200b\u200d\u2060",
    "taglish": "Magkano po yung bayad? ₱1,500.00 — ‘di ba?",
}
REFUSED = {"NUL": ("before\0after", 6), "high half": ("ab\ud83d", 2), "low half": ("\udc4dab", 0)}
FIELDS = ["query", "response"]


def test_awkward_text_comes_back_exactly(gunita: Gunita) -> None:
    for text in TEXTS.values():
        comes_back(gunita, text)


def comes_back(gunita: Gunita, text: str) -> None:
    session = gunita.sessions.create_session(text)
    stored = gunita.sessions.store_turn(session, text, text, text, {text: text})
    gunita.conversations.update_conversation(session, title=text)
    gunita.users.set_memory(text, text, text)
    gunita.users.set_user_state(text, text)
    memory = gunita.memories.create_memory(text, text, category=text)
    assert gunita.sessions.get_session_history(session) == [stored]
    assert gunita.conversations.get_conversation(session).title == text
    assert gunita.users.get_all_memory(text) == {text: text}
    assert gunita.users.get_user_state(text) == text
    assert gunita.memories.get_memories(text, category=text) == [memory]
    assert [message.content for message in gunita.messages.get_recent_messages(text)] == [text, text]
    assert gunita.scoped(text, text).sessions.get_session_history(session) == []


def test_text_that_one_engine_could_not_keep_is_refused_by_both(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    for (text, position), field in itertools.product(REFUSED.values(), FIELDS):
        with pytest.raises(ValidationError, match=f"position {position}; remove") as refusal:
            gunita.sessions.store_turn(session, "juan", **({"query": "q", "response": "a"} | {field: text}))
        assert refusal.value.field == field
    assert gunita.sessions.get_session_history(session) == []


def test_a_megabyte_comes_back_exactly(gunita: Gunita) -> None:
    chance = random.Random(1)
    words = ["salamat", "po", "👍🏽", "naïve", "\n", "visa", "₱"]
    text = " ".join(chance.choices(words, k=200_000))
    assert len(text.encode()) > 1_000_000
    session = gunita.sessions.create_session("juan")
    stored = gunita.sessions.store_turn(session, "juan", text, text[::-1], {"whole": text})
    assert gunita.sessions.get_session_history(session) == [stored]
    assert gunita.conversations.get_conversation(session).token_count > 300_000


def test_long_messages_add_up(gunita: Gunita) -> None:
    """Two counts that fit sixteen bits each have a sum that does not."""
    session = gunita.sessions.create_session("juan")
    for _ in range(2):
        gunita.sessions.store_turn(session, "juan", "word " * 20_000, "word " * 20_000)
    assert gunita.conversations.get_conversation(session).token_count > 4 * 20_000


def test_a_name_may_be_255_characters_of_any_kind(gunita: Gunita) -> None:
    chance = random.Random(2)
    name = "".join(chr(chance.randrange(0x10000, 0x10FFFF)) for _ in range(255))
    key = name[:200]
    g = gunita.scoped(key, name)
    g.users.set_memory(name, key, 1)
    g.users.set_user_state(name, name)
    session = g.sessions.create_session()
    stored = g.sessions.store_turn(session, name, "q", "a")
    assert g.users.get_all_memory(name) == {key: 1}
    assert g.sessions.get_session_history(session) == [stored]
    for refused in (lambda: gunita.users.set_memory("juan", name, 1), lambda: gunita.scoped(name)):
        with pytest.raises(ValidationError, match="bytes"):
            refused()


VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -0.0,
    1,
    1.0,
    1e16,
    1e-300,
    1.7976931348623157e308,
    5e-324,
    0.1 + 0.2,
    2**53 + 1,
    2**64,
    -(10**100),
    "",
    "null",
    "\0 and \ud800 inside",
    [],
    {},
    [[], {}, [None]],
    {"": {"": {"": []}}},
    {"b": 1, "a": 2, "\0": 3, "10": 4, "9": 5},
    {"mixed": [1, 1.0, "1", True, None, {"1": 1}]},
    "👍🏽 \u2028 </script>",
]


def test_json_keeps_its_types_and_its_order(gunita: Gunita) -> None:
    for value in VALUES:
        keeps(gunita, value)


def keeps(g: Gunita, value: Any) -> None:
    """The representation tells 1 from 1.0, 0.0 from -0.0 and one order of keys from another."""
    g.users.set_memory("juan", "key", value)
    assert repr(g.users.get_memory("juan", "key")) == repr(value)
    assert repr(g.users.get_all_memory("juan")) == repr({"key": value})
    session = g.sessions.create_session("juan")
    g.sessions.store_turn(session, "juan", "q", "a", {"in": value})
    assert repr(g.sessions.get_session_history(session)[0].metadata) == repr({"in": value})
    g.conversations.add_message(session, "assistant", "a", tool_calls=[value], custom_payload={"in": value})
    message = g.conversations.get_messages(session)[-1]
    assert repr((message.tool_calls, message.custom_payload)) == repr(([value], {"in": value}))
    changed = g.conversations.update_conversation(session, metadata={"in": value})
    assert repr(changed.metadata) == repr({"in": value})
    assert json.loads(g.sessions.export_conversation(session).encode()) is not None


def test_a_tuple_of_tool_calls_comes_back_as_the_list_it_was_kept_as(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    added = gunita.conversations.add_message(session, "user", "q", tool_calls=({"name": "find"},))
    assert gunita.conversations.get_messages(session) == [added]
