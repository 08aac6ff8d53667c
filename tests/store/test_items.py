"""Histories of other frameworks: exact, in order, and understood as turns like any other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from gunita import Gunita, NotFoundError, Role, ValidationError
from gunita.services.items import Item

WRITER = "some-framework"

ASKED = Item("Magkano ang pamasahe?", Role.USER)
CALLED = Item(payload={"type": "function_call", "name": "fare", "arguments": "{}"})
RETURNED = Item(payload={"type": "function_call_output", "output": "₱40,000"})
ANSWERED = Item("Mga ₱40,000.", Role.ASSISTANT, {"role": "assistant", "id": "m1", "content": "Mga ₱40,000."})
PROMPTED = Item(payload={"role": "system", "content": "Be brief."})


def read(gunita: Gunita, conversation: object, limit: int | None = None) -> list[Item]:
    return gunita.items.read(str(conversation), writer=WRITER, limit=limit)


def test_what_tools_did_lies_in_the_turn_that_asked_for_it(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [PROMPTED, ASKED], writer=WRITER)
    gunita.items.append(here, "juan", [CALLED], writer=WRITER)
    gunita.items.append(here, "juan", [RETURNED, ANSWERED], writer=WRITER)
    assert [item.payload or item.text for item in read(gunita, here)] == [
        PROMPTED.payload,
        ASKED.text,
        CALLED.payload,
        RETURNED.payload,
        ANSWERED.payload,
    ]
    [turn] = gunita.sessions.get_session_history(here)
    assert (turn.turn_number, turn.query_text, turn.response_text) == (1, ASKED.text, ANSWERED.text)


def test_the_newest_items_are_read_in_the_order_they_were_said(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, CALLED, RETURNED, ANSWERED, ASKED, ANSWERED], writer=WRITER)
    assert read(gunita, here, 3) == [ANSWERED, ASKED, ANSWERED]
    assert read(gunita, here, 0) == []
    assert len(read(gunita, here, 50)) == 6


def test_plain_words_of_the_chat_are_items_too(gunita: Gunita) -> None:
    here = gunita.sessions.create_session("juan")
    gunita.sessions.store_turn(here, "juan", "Kumusta?", "Mabuti naman.")
    gunita.items.append(here, "juan", [CALLED, ANSWERED], writer=WRITER)
    assert read(gunita, here)[:2] == [Item("Kumusta?", Role.USER), Item("Mabuti naman.", Role.ASSISTANT)]
    assert gunita.sessions.get_session_history(here)[0].response_text == "Mabuti naman.\n\nMga ₱40,000."


def test_another_framework_reads_the_words_alone(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [PROMPTED, ASKED, CALLED, RETURNED, ANSWERED], writer=WRITER)
    assert gunita.items.read(here, writer="another") == [ASKED, Item("Mga ₱40,000.", Role.ASSISTANT)]


def test_items_are_taken_from_the_end_one_by_one(gunita: Gunita) -> None:
    here = uuid4()
    said = [ASKED, CALLED, RETURNED, ANSWERED]
    gunita.items.append(here, "juan", said, writer=WRITER)
    popped = [gunita.items.pop(here, "juan", writer=WRITER) for _ in range(5)]
    assert [item and (item.payload or item.text) for item in popped] == [
        ANSWERED.payload,
        RETURNED.payload,
        CALLED.payload,
        ASKED.text,
        None,
    ]
    assert read(gunita, here) == []


def test_an_answer_that_was_taken_back_is_given_anew_in_its_turn(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, ANSWERED], writer=WRITER)
    gunita.items.pop(here, "juan", writer=WRITER)
    gunita.items.append(here, "juan", [Item("Libre po.", Role.ASSISTANT)], writer=WRITER)
    [turn] = gunita.sessions.get_session_history(here)
    assert (turn.turn_number, turn.response_text) == (1, "Libre po.")


def test_counts_follow_what_is_there(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, CALLED, ANSWERED], writer=WRITER)
    before = gunita.conversations.get_conversation(here)
    gunita.items.append(here, "juan", [Item("At 20 oras.", Role.ASSISTANT)], writer=WRITER)
    gunita.items.pop(here, "juan", writer=WRITER)
    after = gunita.conversations.get_conversation(here)
    assert (after.message_count, after.turn_count, after.token_count) == (2, 1, before.token_count)
    assert before.title == after.title == "Magkano ang pamasahe"


def test_a_history_is_replaced_whole_and_keeps_its_name(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, ANSWERED], writer=WRITER, metadata={"session": "fares"})
    gunita.conversations.update_conversation(here, title="Pamasahe", pinned=True)
    gunita.items.replace(here, "juan", [Item("Kumusta?", Role.USER)], writer=WRITER)
    assert read(gunita, here) == [Item("Kumusta?", Role.USER)]
    kept = gunita.conversations.get_conversation(here)
    assert (kept.title, kept.pinned, kept.turn_count, kept.metadata) == ("Pamasahe", True, 1, {"session": "fares"})


def test_an_item_is_removed_from_the_middle(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, CALLED, RETURNED, ANSWERED], writer=WRITER)
    removed = gunita.items.remove(here, "juan", 2, writer=WRITER)
    assert removed is not None
    assert removed.payload == RETURNED.payload
    assert [item.payload for item in read(gunita, here)] == [None, CALLED.payload, ANSWERED.payload]
    assert gunita.items.remove(here, "juan", 3, writer=WRITER) is None


def test_what_the_database_cannot_keep_as_text_comes_back_all_the_same(gunita: Gunita) -> None:
    here = uuid4()
    odd = [
        Item("a\0b", Role.USER),
        Item("\ud83d broken", Role.ASSISTANT),
        Item("   ", Role.USER),
        Item("", Role.ASSISTANT),
    ]
    gunita.items.append(here, "juan", odd, writer=WRITER)
    assert read(gunita, here) == odd


def test_nobody_else_reads_or_writes_a_history(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, ANSWERED], writer=WRITER)
    maria = gunita.scoped(user_id="maria")
    assert maria.items.read(here, writer=WRITER) == []
    assert maria.items.pop(here, None, writer=WRITER) is None
    for intrude in (maria.items.append, maria.items.replace):
        with pytest.raises(NotFoundError):
            intrude(here, "maria", [ASKED], writer=WRITER)
    with pytest.raises(NotFoundError):
        gunita.items.append(here, "maria", [ASKED], writer=WRITER)
    assert gunita.scoped(tenant_id="shop").items.read(here, writer=WRITER) == []
    assert len(read(gunita, here)) == 2


def test_what_is_no_json_is_refused_and_nothing_is_stored(gunita: Gunita) -> None:
    here = uuid4()
    for wrong in (Item(payload={"a": {1, 2}}), Item("only words"), Item("x" * 3_000_000, Role.USER)):
        with pytest.raises(ValidationError):
            gunita.items.append(here, "juan", [ASKED, wrong], writer=WRITER)
    assert read(gunita, here) == []


def test_what_one_writer_adds_together_stays_together(gunita: Gunita) -> None:
    here = uuid4()

    def write(writer: int) -> None:
        for number in range(5):
            name = f"{writer}/{number}"
            call = Item(payload={"call": name})
            added = [Item(name, Role.USER), call, Item(f"re {name}", Role.ASSISTANT)]
            gunita.items.append(here, "juan", added, writer=WRITER)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    said = [item.text or item.payload["call"] for item in read(gunita, here) if item.text or item.payload]
    together = [said[place : place + 3] for place in range(0, len(said), 3)]
    assert all(call == name and answer == f"re {name}" for name, call, answer in together)
    assert sorted(name for name, _, _ in together) == sorted(f"{w}/{n}" for w in range(8) for n in range(5))
    assert len(gunita.sessions.get_session_history(here, 100)) == 40


def test_an_item_is_amended_in_its_place_or_taken_away(gunita: Gunita) -> None:
    here = uuid4()
    gunita.items.append(here, "juan", [ASKED, CALLED, RETURNED, ANSWERED, ASKED, ANSWERED], writer=WRITER)
    corrected = Item("Mga ₱50,000.", Role.ASSISTANT, {"id": "m2"})

    def amend(wanted: Item, become: Item | None) -> bool:
        return gunita.items.amend(here, "juan", lambda item: item == wanted, lambda _: become, writer=WRITER)

    assert amend(ANSWERED, corrected)
    assert read(gunita, here) == [ASKED, CALLED, RETURNED, ANSWERED, ASKED, corrected]
    assert amend(ANSWERED, corrected)
    assert amend(CALLED, None)
    assert read(gunita, here) == [ASKED, RETURNED, corrected, ASKED, corrected]
    assert [turn.response_text for turn in gunita.sessions.get_session_history(here)] == [corrected.text] * 2
    assert not amend(CALLED, None)
    with pytest.raises(ValidationError):
        amend(corrected, ASKED)
    assert not gunita.items.amend(uuid4(), "juan", lambda _: True, lambda _: None, writer=WRITER)
    assert not gunita.items.amend(here, "juan", lambda _: True, lambda _: None, writer="another-framework")
    assert len(read(gunita, here)) == 5


def test_the_conversation_that_holds_an_id_is_found_in_its_scope_alone(gunita: Gunita) -> None:
    here, mark = uuid4(), str(uuid4())
    gunita.items.append(here, "juan", [ASKED, Item(payload={"step": {"id": mark}})], writer=WRITER)
    assert gunita.items.conversation_holding(mark) == here
    assert gunita.scoped(user_id="juan").items.conversation_holding(mark) == here
    assert gunita.scoped(user_id="maria").items.conversation_holding(mark) is None
    assert gunita.scoped(tenant_id="shop").items.conversation_holding(mark) is None
    assert gunita.items.conversation_holding(mark[:-1]) is None
    with pytest.raises(ValidationError):
        gunita.items.conversation_holding("%")
