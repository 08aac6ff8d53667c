"""Single messages on both engines: how they number turns, how they are listed by user, how they are deleted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import UUID

import pytest

from gunita import Gunita, ids

FROZEN = datetime(2026, 3, 1, tzinfo=UTC)


def numbers(g: Gunita, session: UUID, roles: str) -> list[int]:
    """Say one message after another, u for a user's and a for an assistant's, and tell their turn numbers."""
    spoken = {"u": "user", "a": "assistant"}
    return [
        g.conversations.add_message(session, spoken[role], f"{role}{n}").turn_number for n, role in enumerate(roles)
    ]


NUMBERED = {
    "ua": [1, 1],
    "uaua": [1, 1, 2, 2],
    "uu": [1, 2],
    "uua": [1, 2, 2],
    "a": [1],
    "aa": [1, 2],
    "aua": [1, 2, 2],
    "uaaua": [1, 1, 2, 3, 3],
    "uuaau": [1, 2, 2, 3, 4],
}


def test_a_users_message_opens_a_turn_and_the_answer_closes_it(gunita: Gunita) -> None:
    for roles, expected in NUMBERED.items():
        session = gunita.sessions.create_session("juan")
        assert numbers(gunita, session, roles) == expected, roles
        found = gunita.conversations.get_messages(session)
        assert [message.content[0] for message in found] == list(roles)
        conversation = gunita.conversations.get_conversation(session)
        assert (conversation.turn_count, conversation.message_count) == (expected[-1], len(roles))
        asked, answered = (
            {number for number, role in zip(expected, roles, strict=True) if role == who} for who in "ua"
        )
        whole = {turn.turn_number for turn in gunita.sessions.get_session_history(session)}
        assert whole == asked & answered, roles


def test_a_whole_turn_after_an_open_question_leaves_it_open(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    assert numbers(gunita, session, "u") == [1]
    assert gunita.sessions.store_turn(session, "juan", "q", "a").turn_number == 2
    assert numbers(gunita, session, "au") == [3, 4]
    assert [turn.turn_number for turn in gunita.sessions.get_session_history(session)] == [2]


def test_messages_are_read_in_pages(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    numbers(gunita, session, "uauau")
    pages = [gunita.conversations.get_messages(session, 2, offset) for offset in (0, 2, 4, 6)]
    assert [[message.content for message in page] for page in pages] == [["u0", "a1"], ["u2", "a3"], ["u4"], []]


@pytest.mark.parametrize("clock", [ids.now, lambda: FROZEN], ids=["running", "frozen"])
def test_a_users_messages_are_in_the_order_of_writing(url: str, clock: Callable[[], datetime]) -> None:
    """Also when the clock stands still, and across conversations."""
    with Gunita.open(url, clock=clock) as g:
        written = write_here_and_there(g)
        newest_first = g.messages.get_conversation_history("juan", 100)
        assert [message.content for message in newest_first] == written[::-1]
        assert g.messages.get_conversation_history("juan", 10, 5) == newest_first[5:15]
        assert g.messages.get_recent_messages("juan", 7) == newest_first[:7][::-1]
        assert g.messages.count_messages("juan") == 90
        assert g.messages.count_messages("ana") == 0


def write_here_and_there(g: Gunita) -> list[str]:
    one, other = g.sessions.create_session("juan"), g.sessions.create_session("juan")
    written = []
    for n in range(30):
        g.sessions.store_turn((one, other)[n % 2], "juan", f"q{n}", f"a{n}")
        g.conversations.add_message((one, other)[n % 3 == 0], "user", f"m{n}")
        written += [f"q{n}", f"a{n}", f"m{n}"]
    return written


def test_a_query_stands_before_its_answer_whatever_other_threads_write(gunita: Gunita) -> None:
    sessions = [gunita.sessions.create_session(f"user {n}") for n in range(16)]

    def write(n: int) -> None:
        for _ in range(15):
            gunita.sessions.store_turn(sessions[n], f"user {n}", "q", "a")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(16)))
    for n in range(16):
        said = gunita.messages.get_recent_messages(f"user {n}", 100)
        assert [(message.turn_number, message.content) for message in said] == [
            (number, text) for number in range(1, 16) for text in "qa"
        ]


def test_messages_by_user_go_to_the_active_conversation(gunita: Gunita) -> None:
    first = gunita.messages.add_message("juan", "user", "Magkano?")
    second = gunita.messages.add_message("juan", "assistant", "Isang daan.")
    assert first.conversation_id == second.conversation_id
    assert (first.turn_number, second.turn_number) == (1, 1)
    assert gunita.messages.get_recent_messages("juan") == [first, second]


def test_deleting_a_message_keeps_the_counts_right(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    numbers(gunita, session, "uauu")
    before = gunita.conversations.get_conversation(session)
    question = gunita.conversations.get_messages(session)[2]
    assert gunita.messages.delete_message(question.id) is True
    assert gunita.messages.delete_message(str(question.id)) is False
    after = gunita.conversations.get_conversation(session)
    assert (after.message_count, after.turn_count) == (3, 3)
    assert 0 < after.token_count < before.token_count
    assert [message.turn_number for message in gunita.conversations.get_messages(session)] == [1, 1, 3]
    # The newest question is still open, and its answer closes it.
    assert numbers(gunita, session, "a") == [3]


def test_an_answer_to_a_deleted_question_opens_a_turn_of_its_own(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    numbers(gunita, session, "u")
    [question] = gunita.conversations.get_messages(session)
    gunita.messages.delete_message(question.id)
    assert numbers(gunita, session, "au") == [2, 3]
    empty = gunita.sessions.create_session("juan")
    gunita.sessions.store_turn(empty, "juan", "q", "a")
    for message in gunita.conversations.get_messages(empty):
        gunita.messages.delete_message(message.id)
    found = gunita.conversations.get_conversation(empty)
    assert (found.message_count, found.token_count, found.turn_count) == (0, 0, 1)
    assert gunita.sessions.store_turn(empty, "juan", "q", "a").turn_number == 2


def test_clearing_a_users_history_counts_what_went(gunita: Gunita) -> None:
    for user in ("juan", "juan", "ana"):
        gunita.sessions.store_turn(gunita.sessions.create_session(user), user, "q", "a")
    assert gunita.messages.clear_conversation_history("juan") == 4
    assert gunita.messages.clear_conversation_history("juan") == 0
    assert gunita.messages.count_messages("juan") == 0
    assert gunita.messages.count_messages("ana") == 2


def test_history_reads_the_latest_turns_up_to_the_limit(url: str) -> None:
    with Gunita.open(url, history_limit=3) as g:
        session = g.sessions.create_session("juan")
        for n in range(1, 8):
            g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}")
        assert [turn.turn_number for turn in g.sessions.get_session_history(session)] == [5, 6, 7]
        assert [turn.turn_number for turn in g.sessions.get_session_history(session, limit=5)] == [3, 4, 5, 6, 7]
        assert len(g.sessions.get_session_history(session, limit=10_000)) == 7
