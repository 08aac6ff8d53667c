"""The database itself refuses what is invalid, when spoken to directly in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, MemoryType
from tests.properties.values import said
from tests.raw_sql import REFUSED, connected
from tests.rows_by_hand import RowsByHand

# Everything Python calls white, and nothing else.
BLANKS = [chr(point) for point in range(0x110000) if chr(point).isspace()]


@pytest.fixture
def rows(url: str, gunita: Gunita) -> Iterator[RowsByHand]:
    with connected(url) as raw:
        yield RowsByHand(raw, postgres=url.startswith("postgresql"))


@pytest.fixture
def conversation(rows: RowsByHand) -> UUID:
    made = rows.conversation()
    rows.turn(made, 7)
    rows.memory()
    return made


def refused(rows: RowsByHand, write: str, *arguments: object, **columns: object) -> None:
    """Tell that a write is refused and leaves nothing."""
    before = rows.raw("SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM memories)")
    with pytest.raises(REFUSED):
        getattr(rows, write)(*arguments, **columns)
    assert rows.raw("SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM memories)") == before


@given(content=st.text(st.sampled_from(BLANKS), max_size=6), role=st.sampled_from(["user", "assistant"]))
def test_the_database_refuses_a_message_that_is_empty_or_blank(
    rows: RowsByHand, conversation: UUID, content: str, role: str
) -> None:
    refused(rows, "message", conversation, content=content, role=role)


@given(content=st.text(st.sampled_from(BLANKS), max_size=6))
def test_the_database_refuses_a_memory_that_is_empty_or_blank(
    rows: RowsByHand, conversation: UUID, content: str
) -> None:
    refused(rows, "memory", content=content)


@given(around=st.text(st.sampled_from(BLANKS), min_size=1, max_size=3), core=said(20))
def test_the_database_takes_text_with_blanks_around_it(rows: RowsByHand, around: str, core: str) -> None:
    made = rows.conversation()
    rows.message(made, content=around + core + around)
    assert rows.raw("SELECT content FROM messages WHERE conversation_id = ?", str(made)) == [(around + core + around,)]


@given(number=st.integers(-(2**31), 0))
def test_the_database_refuses_a_turn_number_below_one(rows: RowsByHand, conversation: UUID, number: int) -> None:
    refused(rows, "message", conversation, turn_number=number)


@given(number=st.integers(1, 2**31 - 1), role=st.sampled_from(["user", "assistant"]), content=said(20))
def test_the_database_refuses_the_same_turn_twice(rows: RowsByHand, number: int, role: str, content: str) -> None:
    made = rows.conversation()
    rows.turn(made, number)
    refused(rows, "message", made, turn_number=number, role=role, content=content)


@given(role=st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12))
def test_the_database_refuses_any_other_role(rows: RowsByHand, conversation: UUID, role: str) -> None:
    if role not in {"user", "assistant"}:
        refused(rows, "message", conversation, role=role)
    refused(rows, "message", conversation, role="user" + role + " ")


@given(stranger=st.uuids(), tenant=said(10))
def test_the_database_refuses_a_message_without_its_conversation(
    rows: RowsByHand, conversation: UUID, stranger: UUID, tenant: str
) -> None:
    refused(rows, "message", stranger)
    refused(rows, "message", conversation, tenant_id=tenant)


@given(kind=st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12))
def test_the_database_refuses_an_unknown_memory_type(rows: RowsByHand, conversation: UUID, kind: str) -> None:
    if kind not in set(MemoryType):
        refused(rows, "memory", memory_type=kind)
    refused(rows, "memory", memory_type=f"Fact{kind}")


@given(
    confidence=st.floats(max_value=0, exclude_max=True)
    | st.floats(min_value=1, exclude_min=True)
    | st.just(float("nan"))
)
def test_the_database_refuses_a_confidence_outside_zero_to_one(
    rows: RowsByHand, conversation: UUID, confidence: float
) -> None:
    refused(rows, "memory", confidence=confidence)


@given(name=st.just("") | st.text("ab", min_size=256, max_size=300))
def test_the_database_refuses_a_user_without_a_name_or_with_an_endless_one(rows: RowsByHand, name: str) -> None:
    before = rows.counts()
    with pytest.raises(REFUSED):
        rows.conversation(user_id=name)
    with pytest.raises(REFUSED):
        rows.memory(user_id=name)
    assert rows.counts() == before


@pytest.mark.parametrize("column", ["tenant_id", "conversation_id", "turn_number", "role", "id", "content", "user_id"])
def test_the_database_refuses_a_message_with_something_missing(
    rows: RowsByHand, conversation: UUID, column: str
) -> None:
    refused(rows, "message", conversation, **{column: None})


def test_the_database_refuses_the_same_message_id_twice(rows: RowsByHand, conversation: UUID) -> None:
    made = str(uuid4())
    rows.message(conversation, id=made)
    refused(rows, "message", conversation, id=made, turn_number=2)


def test_the_database_refuses_half_a_vector(rows: RowsByHand, conversation: UUID) -> None:
    refused(rows, "memory", vector=b"\0\0\0\0")
    refused(rows, "memory", vector_model="minilm")
