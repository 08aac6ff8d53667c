"""Whatever a framework's history holds, it comes back the same, and lies in turns that can be understood."""

from __future__ import annotations

import itertools
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, Role
from gunita.services import packing
from gunita.services.items import Item

WRITER = "some-framework"

texts = st.one_of(
    st.text(max_size=40), st.sampled_from(["", " ", "…", "\n\n", "a\n\nb", "\0", "\ud800", "Mabuti naman."])
)
payloads = st.dictionaries(st.text(max_size=5), st.one_of(st.text(max_size=10), st.integers(), st.none()), max_size=3)
items = st.one_of(
    st.builds(Item, texts, st.sampled_from(Role), st.one_of(st.none(), payloads)),
    st.builds(Item, st.just(""), st.none(), payloads),
)
histories = st.lists(items, max_size=12)


def kept(item: Item) -> tuple[object, object]:
    """What must come back: the payload where there is one, else who said what."""
    return (item.payload, None) if item.payload is not None else (item.role, item.text)


@given(histories, st.booleans())
def test_items_lie_in_messages_and_are_found_in_them_unchanged_and_in_order(said: list[Item], beginning: bool) -> None:
    rows = packing.rows_of([packing.pack(item, WRITER) for item in said], is_beginning=beginning)
    found = [
        packing.as_seen_by(WRITER, packed)
        for row in rows
        for packed in packing.unpack(row.role, row.content, row.beside()).packed
    ]
    assert [kept(item) for item in found if item is not None] == [kept(item) for item in said]


@given(histories)
def test_every_message_has_words_and_no_two_answers_follow_each_other(said: list[Item]) -> None:
    rows = packing.rows_of([packing.pack(item, WRITER) for item in said], is_beginning=True)
    assert all(row.content.strip() and "\0" not in row.content for row in rows)
    roles = [row.role for row in rows]
    assert all((one, other) != (Role.ASSISTANT, Role.ASSISTANT) for one, other in itertools.pairwise(roles))
    assert roles.count(Role.USER) == sum(item.role is Role.USER for item in said)


@given(st.lists(histories, max_size=4), st.integers(0, 60))
def test_a_stored_history_comes_back_however_it_was_cut_into_writes(
    gunita: Gunita, batches: list[list[Item]], limit: int
) -> None:
    here = uuid4()
    for batch in batches:
        gunita.items.append(here, "juan", batch, writer=WRITER)
    said = [kept(item) for batch in batches for item in batch]
    assert [kept(item) for item in gunita.items.read(here, writer=WRITER)] == said
    newest = said[-limit:] if limit else []
    assert [kept(item) for item in gunita.items.read(here, writer=WRITER, limit=limit)] == newest
