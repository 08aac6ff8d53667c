"""Invalid input is refused before it reaches the database: by an error that names the field, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, InvalidRoleError, MemoryType, ValidationError
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand

LONGEST_TEXT, LONGEST_JSON, LONGEST_TITLE = 1_000, 1_000, 100
ID = UUID(int=7 << 76 | 2 << 62)


class Call(NamedTuple):
    field: str
    make: Callable[[Gunita, Any], object]


Calls: TypeAlias = list[Call]

TEXTS: Calls = [
    Call("query", lambda g, bad: g.sessions.store_turn(ID, "juan", bad, "fine")),
    Call("response", lambda g, bad: g.sessions.store_turn(ID, "juan", "fine", bad)),
    Call("content", lambda g, bad: g.conversations.add_message(ID, "user", bad)),
    Call("content", lambda g, bad: g.messages.add_message("juan", "user", bad)),
    Call("content", lambda g, bad: g.memories.create_memory("juan", bad)),
    Call("document_context", lambda g, bad: g.conversations.create_conversation("juan", document_context=[bad])),
    Call("user_id", lambda g, bad: g.users.set_memory("" if bad is None else bad, "key", 1)),
    Call("key", lambda g, bad: g.users.set_memory("juan", bad, 1)),
    Call("key", lambda g, bad: g.users.get_memory("juan", bad)),
    Call("key", lambda g, bad: g.users.delete_memory("juan", bad)),
    Call("mode", lambda g, bad: g.users.set_user_state("juan", bad)),
    Call("tenant_id", lambda g, bad: g.scoped("" if bad is None else bad)),
    Call("user_id", lambda g, bad: g.scoped("acme", "" if bad is None else bad)),
    Call("user_id", lambda g, bad: g.sessions.create_session("" if bad is None else bad)),
    Call("user_id", lambda g, bad: g.sessions.store_turn(ID, "" if bad is None else bad, "fine", "fine")),
    Call("title", lambda g, bad: g.conversations.create_conversation("juan", "" if bad is None else bad)),
    Call("title", lambda g, bad: g.sessions.get_or_create_session(title="" if bad is None else bad)),
    Call("title", lambda g, bad: g.conversations.update_conversation(ID, title="" if bad is None else bad)),
    Call("category", lambda g, bad: g.memories.create_memory("juan", "fine", category="" if bad is None else bad)),
    Call("text", lambda g, bad: g.memories.get_memories("juan", text="" if bad is None else bad)),
]
IDENTIFIERS: Calls = [
    Call("session_id", lambda g, bad: g.sessions.store_turn(bad, "juan", "fine", "fine")),
    Call("session_id", lambda g, bad: g.sessions.get_session_history(bad)),
    Call("session_id", lambda g, bad: g.sessions.delete_session(bad)),
    Call("session_id", lambda g, bad: g.sessions.export_conversation(bad)),
    Call("session_id", lambda g, bad: g.sessions.get_or_create_session("" if bad is None else bad)),
    Call("conversation_id", lambda g, bad: g.conversations.get_conversation(bad)),
    Call("conversation_id", lambda g, bad: g.conversations.update_conversation(bad, pinned=True)),
    Call("conversation_id", lambda g, bad: g.conversations.delete_conversation(bad)),
    Call("conversation_id", lambda g, bad: g.conversations.get_messages(bad)),
    Call("conversation_id", lambda g, bad: g.conversations.add_message(bad, "user", "fine")),
    Call("message_id", lambda g, bad: g.messages.delete_message(bad)),
    Call("memory_id", lambda g, bad: g.memories.get_memory(bad)),
    Call("memory_id", lambda g, bad: g.memories.update_memory(bad, pinned=True)),
    Call("memory_id", lambda g, bad: g.memories.delete_memory(bad)),
    Call(
        "source_message_id",
        lambda g, bad: g.memories.create_memory("juan", "fine", source_message_id="" if bad is None else bad),
    ),
    Call(
        "source_conversation_id",
        lambda g, bad: g.memories.create_memory("juan", "fine", source_conversation_id="" if bad is None else bad),
    ),
]
ROLES: Calls = [
    Call("role", lambda g, bad: g.conversations.add_message(ID, bad, "fine")),
    Call("role", lambda g, bad: g.messages.add_message("juan", bad, "fine")),
]
JSON: Calls = [
    Call("value", lambda g, bad: g.users.set_memory("juan", "key", bad)),
    Call("metadata", lambda g, bad: g.sessions.store_turn(ID, "juan", "fine", "fine", {"in": bad})),
    Call("metadata", lambda g, bad: g.conversations.create_conversation("juan", metadata={"in": bad})),
    Call("metadata", lambda g, bad: g.conversations.update_conversation(ID, metadata={"in": bad})),
    Call("tool_calls", lambda g, bad: g.conversations.add_message(ID, "user", "fine", tool_calls=[bad])),
    Call("suggested_values", lambda g, bad: g.conversations.add_message(ID, "user", "fine", suggested_values=[bad])),
    Call("suggested_actions", lambda g, bad: g.conversations.add_message(ID, "user", "fine", suggested_actions=[bad])),
    Call("custom_payload", lambda g, bad: g.conversations.add_message(ID, "user", "fine", custom_payload={"in": bad})),
]
LIMITS: Calls = [
    Call("limit", lambda g, bad: g.sessions.get_session_history(ID, bad)),
    Call("limit", lambda g, bad: g.sessions.get_recent_sessions(bad)),
    Call("limit", lambda g, bad: g.conversations.list_conversations(bad)),
    Call("limit", lambda g, bad: g.conversations.get_messages(ID, bad)),
    Call("limit", lambda g, bad: g.messages.get_conversation_history("juan", bad)),
    Call("count", lambda g, bad: g.messages.get_recent_messages("juan", bad)),
    Call("limit", lambda g, bad: g.memories.get_memories("juan", limit=bad)),
]
OFFSETS: Calls = [
    Call("offset", lambda g, bad: g.conversations.list_conversations(10, bad)),
    Call("offset", lambda g, bad: g.conversations.get_messages(ID, 10, bad)),
    Call("offset", lambda g, bad: g.messages.get_conversation_history("juan", 10, bad)),
    Call("offset", lambda g, bad: g.memories.get_memories("juan", offset=bad)),
]
CONFIDENCES: Calls = [
    Call("confidence", lambda g, bad: g.memories.create_memory("juan", "fine", confidence=bad)),
    Call("confidence", lambda g, bad: g.memories.update_memory(ID, confidence=-1 if bad is None else bad)),
]
MEMORY_TYPES: Calls = [
    Call("memory_type", lambda g, bad: g.memories.create_memory("juan", "fine", bad)),
    Call("memory_type", lambda g, bad: g.memories.get_memories("juan", memory_type="" if bad is None else bad)),
    Call("memory_type", lambda g, bad: g.memories.update_memory(ID, memory_type="" if bad is None else bad)),
]
FLAGS: Calls = [
    Call("archived", lambda g, bad: g.conversations.list_conversations(archived=bad)),
    Call("archived", lambda g, bad: g.conversations.update_conversation(ID, archived=bad)),
    Call("pinned", lambda g, bad: g.conversations.update_conversation(ID, pinned=bad)),
    Call("pinned", lambda g, bad: g.memories.create_memory("juan", "fine", pinned=bad)),
    Call("pinned", lambda g, bad: g.memories.get_memories("juan", pinned=bad)),
    Call("archived", lambda g, bad: g.memories.update_memory(ID, archived=bad)),
]

BLANK = st.text(st.sampled_from([chr(point) for point in range(0x3001) if chr(point).isspace()]), max_size=5)
NOT_TEXT = st.integers() | st.binary(max_size=5) | st.lists(st.text(max_size=3), max_size=2) | st.none()
WITH_NUL = st.tuples(st.text("abc", max_size=5), st.text("abc", max_size=5)).map("\0".join)
WITH_HALF_A_CHARACTER = st.tuples(
    st.text("añ🙂", max_size=5), st.characters(categories=["Cs"]), st.text("añ🙂", max_size=5)
).map("".join)
OVERLONG = st.integers(LONGEST_TEXT + 1, LONGEST_TEXT + 50).map("x".__mul__)
BAD_TEXT = BLANK | NOT_TEXT | WITH_NUL | WITH_HALF_A_CHARACTER | OVERLONG


def is_uuid(value: object) -> bool:
    return isinstance(value, UUID) or (isinstance(value, str) and value.replace("-", "").lower() in {ID.hex})


BAD_IDENTIFIER = (
    st.text(max_size=40).filter(lambda text: not is_uuid(text))
    | NOT_TEXT
    | st.sampled_from(
        [str(ID)[:-1], f"{ID}0", f" {ID}", f"{{{ID}}}", f"urn:uuid:{ID}", "0" * 31 + "_", "٠" * 32, "+" * 32]
    )
)
NOT_JSON = st.sampled_from(
    [
        {1, 2},
        b"bytes",
        object(),
        UUID(int=5),
        float("nan"),
        float("inf"),
        {0: "zero"},
        {None: "none"},
        {False: "no"},
        {1.5: "x"},
        {("a", "b"): 1},
        (1, 2),
        {"deep": [{"deeper": {1: 2}}]},
        ["x" * LONGEST_JSON],
        10**5000,
    ]
)


@pytest.fixture
def strict(url: str) -> Iterator[Gunita]:
    with Gunita.open(
        url, max_text_characters=LONGEST_TEXT, max_json_characters=LONGEST_JSON, max_title_characters=LONGEST_TITLE
    ) as opened:
        yield opened


@pytest.fixture
def rows(url: str, strict: Gunita) -> Iterator[RowsByHand]:
    with connected(url) as raw:
        yield RowsByHand(raw, postgres=url.startswith("postgresql"))


def refused(g: Gunita, rows: RowsByHand, call: Call, bad: object) -> ValidationError:
    before = rows.counts()
    with pytest.raises(ValidationError) as refusal:
        call.make(g, bad)
    assert refusal.value.field == call.field
    assert refusal.value.problem
    assert str(refusal.value).startswith(f"{call.field}: ")
    assert rows.counts() == before
    return refusal.value


@given(call=st.sampled_from(TEXTS), bad=BAD_TEXT)
def test_text_that_is_blank_broken_overlong_or_no_text_is_refused(
    strict: Gunita, rows: RowsByHand, call: Call, bad: object
) -> None:
    refused(strict, rows, call, bad)


@given(call=st.sampled_from(IDENTIFIERS), bad=BAD_IDENTIFIER)
def test_what_is_no_uuid_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@given(call=st.sampled_from(ROLES), bad=NOT_TEXT | st.text(max_size=12) | st.sampled_from(["User", "system", "tool"]))
def test_an_unknown_role_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    if bad not in ("user", "assistant"):
        assert isinstance(refused(strict, rows, call, bad), InvalidRoleError)


@given(call=st.sampled_from(JSON), bad=NOT_JSON)
def test_what_json_cannot_give_back_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@given(
    call=st.sampled_from(LIMITS), bad=st.integers(max_value=0) | st.integers(10_001) | st.sampled_from([1.5, "1", True])
)
def test_an_impossible_limit_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@given(call=st.sampled_from(OFFSETS), bad=st.integers(max_value=-1) | st.sampled_from([1.5, "1", False, None]))
def test_an_impossible_offset_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@given(
    call=st.sampled_from(CONFIDENCES),
    bad=st.floats(max_value=0, exclude_max=True)
    | st.floats(min_value=1, exclude_min=True)
    | st.sampled_from([float("nan"), True, "0.5", None]),
)
def test_a_confidence_outside_zero_to_one_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@given(call=st.sampled_from(MEMORY_TYPES), bad=NOT_TEXT | st.text(max_size=12))
def test_an_unknown_memory_type_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    if bad not in list(MemoryType):
        refused(strict, rows, call, bad)


@given(call=st.sampled_from(FLAGS), bad=st.integers() | st.text(max_size=5))
def test_a_flag_that_is_not_true_or_false_is_refused(strict: Gunita, rows: RowsByHand, call: Call, bad: object) -> None:
    refused(strict, rows, call, bad)


@pytest.mark.parametrize("format_", ["html", "", None, 5, "JSON"])
def test_an_unknown_export_format_is_refused(strict: Gunita, rows: RowsByHand, format_: Any) -> None:
    session = strict.sessions.create_session("juan")
    refused(strict, rows, Call("format", lambda g, bad: g.sessions.export_conversation(session, bad)), format_)


@pytest.mark.parametrize("names", ["visa.pdf", 5, [""], [None], {"a": 1}])
def test_document_names_must_be_a_list_of_names(strict: Gunita, rows: RowsByHand, names: Any) -> None:
    call = Call("document_context", lambda g, bad: g.sessions.get_or_create_session(uuid4(), None, bad))
    refused(strict, rows, call, names)


@pytest.mark.parametrize("value", [5, "text", ["list"], (1,)])
def test_metadata_must_be_an_object_and_tool_calls_a_list(strict: Gunita, rows: RowsByHand, value: Any) -> None:
    refused(strict, rows, Call("metadata", lambda g, bad: g.sessions.store_turn(ID, "juan", "q", "a", bad)), value)
    calls = Call("tool_calls", lambda g, bad: g.conversations.add_message(ID, "user", "q", tool_calls=bad))
    refused(strict, rows, calls, {"not": "a list"})
    refused(strict, rows, calls, "not a list")


def test_json_that_holds_itself_or_is_too_deep_is_refused(strict: Gunita, rows: RowsByHand) -> None:
    itself: dict[str, Any] = {}
    itself["me"] = [itself, itself]
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    call = Call("value", lambda g, bad: g.users.set_memory("juan", "key", bad))
    refused(strict, rows, call, itself)
    refused(strict, rows, call, deep)
    strict.users.set_memory("juan", "key", deep[0])
    assert strict.users.get_memory("juan", "key") == deep[0]


def test_the_limits_themselves_are_taken(strict: Gunita) -> None:
    session = strict.sessions.create_session("u" * 255)
    strict.sessions.store_turn(session, "u" * 255, "x" * LONGEST_TEXT, "🙂" * LONGEST_TEXT)
    strict.conversations.update_conversation(session, title="t" * LONGEST_TITLE)
    strict.users.set_memory("u", "k" * 255, "x" * (LONGEST_JSON - 2))
    assert strict.users.get_memory("u", "k" * 255) == "x" * (LONGEST_JSON - 2)


def test_an_unknown_setting_value_is_refused_by_name(url: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        Gunita.open(url, postgres_pool_size=0)
    assert refusal.value.field == "postgres_pool_size"
