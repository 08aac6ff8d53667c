"""PostgreSQL stopped, killed, restarted and paused under a conversation: it goes on, and not a word is lost."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gunita import Gunita
from gunita.chat.away import KEPT_ASIDE
from gunita.chat.past import FROM_MEMORY, NOT_IN_MEMORY
from gunita.chat.records import Intent
from gunita.errors import StorageUnavailableError
from gunita.resilience.standing import State
from tests.faults.conftest import Fragile
from tests.faults.faults import assert_whole, wait_until_ready

ASKED = ["How do I cook adobo?", "What does a visa to Japan cost?"]


def talk(g: Gunita) -> Any:
    """Say two things, and give the conversation they were said in."""
    session = g.chat.reply(ASKED[0], "juan").session_id
    g.chat.reply(ASKED[1], "juan", session)
    return session


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_conversation_goes_on_while_postgresql_is_down_and_is_whole_when_it_is_back(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any], how: str
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        getattr(fragile, how)()
        try:
            reply = g.chat.reply("What was my first question?", "juan", session)
            assert (reply.intent, reply.turn_number) == (Intent.REFERENCE, 3)
            assert [used["turn_number"] for used in reply.data] == [1]
            assert ASKED[0] in reply.message
            assert reply.metadata["warnings"] == [FROM_MEMORY, KEPT_ASIDE]
            assert g.sessions.store_turn(session, "juan", "And the oven?", "Not needed.").turn_number == 4
            assert [turn.turn_number for turn in g.sessions.get_session_history(session)] == [1, 2, 3, 4]
            standing = g.standing
            assert standing is not None
            assert (standing.state, standing.waiting_turns) == (State.DEGRADED, 2)
            with pytest.raises(StorageUnavailableError):
                g.conversations.update_conversation(session, title="Later")
        finally:
            fragile.start()
        wait_until_ready(g)
        assert_whole(fragile_url, session, [*ASKED, "What was my first question?", "And the oven?"])
        assert g.chat.reply("Thanks!", "juan", session).metadata["warnings"] == []
        assert g.standing is not None
        assert g.standing.counters.turns_replayed == 2
    assert not Path(quick["journal_folder"]).exists()


def test_while_the_circuit_is_open_nobody_waits_for_the_database(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.stop()
        try:
            g.chat.reply("Hello?", "juan", session)
            assert g.standing is not None
            refused = g.standing.counters.refusals
            failed = g.standing.counters.failures
            for _ in range(20):
                with pytest.raises(StorageUnavailableError, match="is away and is not asked again"):
                    g.users.get_user_state("juan")
            assert (g.standing.counters.refusals - refused, g.standing.counters.failures) == (20, failed)
        finally:
            fragile.start()
        wait_until_ready(g)


def test_a_restart_between_two_turns_costs_nobody_a_turn(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.restart()
        for number in range(4):
            g.chat.reply(f"Question {number}", "juan", session)
        wait_until_ready(g)
        assert_whole(fragile_url, session, [*ASKED, *(f"Question {number}" for number in range(4))])


def test_a_paused_server_is_given_up_at_the_deadline_and_what_it_did_late_is_not_done_twice(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.pause()
        try:
            replies = [g.chat.reply(f"Paused {number}", "juan", session) for number in range(3)]
            assert all(KEPT_ASIDE in reply.metadata["warnings"] for reply in replies)
        finally:
            fragile.go_on()
        wait_until_ready(g)
        assert_whole(fragile_url, session, [*ASKED, "Paused 0", "Paused 1", "Paused 2"])


def test_a_cleanup_that_meets_a_paused_server_does_not_keep_a_process_from_ending(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        outcome: list[object] = []

        def clean() -> None:
            try:
                outcome.append(g.cleanup.run_cleanup())
            except StorageUnavailableError as trouble:
                outcome.append(trouble)

        cleaning = threading.Thread(target=clean, daemon=True)
        fragile.pause()
        try:
            cleaning.start()
            g.cleanup.stop_schedule()
            cleaning.join(60)
            assert isinstance(outcome[0], StorageUnavailableError)
        finally:
            fragile.go_on()
        wait_until_ready(g)


def test_a_turn_that_was_opened_before_the_server_died_is_closed_when_it_is_back(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    from gunita.chat.records import Answering, ChatRequest

    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        begun = g.chat.begin(ChatRequest("Is rice included?", "juan", session))
        assert isinstance(begun, Answering)
        fragile.kill()
        try:
            closed = g.chat.finish(begun, "Yes.")
            assert closed.reply.metadata["warnings"] == [KEPT_ASIDE]
        finally:
            fragile.start()
        wait_until_ready(g)
        assert_whole(fragile_url, session, [*ASKED, "Is rice included?"])


def test_a_conversation_that_was_not_in_memory_is_answered_with_a_warning_and_goes_where_it_belongs(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as first:
        session = talk(first)
    with Gunita.open(fragile_url, **quick) as g:
        fragile.stop()
        try:
            reply = g.chat.reply("What was my first question?", "juan", session)
            assert reply.metadata["warnings"] == [FROM_MEMORY, NOT_IN_MEMORY, KEPT_ASIDE]
            assert ASKED[0] not in reply.message
        finally:
            fragile.start()
        wait_until_ready(g)
        assert_whole(fragile_url, session, [*ASKED, "What was my first question?"])


def test_what_a_stranger_said_to_a_conversation_nobody_could_look_up_ends_in_one_of_their_own(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as first:
        session = talk(first)
    with Gunita.open(fragile_url, **quick) as g:
        fragile.stop()
        try:
            for _ in range(2):
                assert ASKED[0] not in g.chat.reply("What was my first question?", "maria", session).message
        finally:
            fragile.start()
        wait_until_ready(g)
        assert_whole(fragile_url, session, ASKED)
        (own,) = g.scoped(user_id="maria").sessions.get_recent_sessions()
        assert own.id != session
        assert_whole(fragile_url, own.id, ["What was my first question?"] * 2)


def test_a_stranger_who_names_a_conversation_in_memory_gets_one_of_their_own(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.stop()
        try:
            reply = g.chat.reply("What was my first question?", "maria", session)
            assert reply.session_id != session
            assert ASKED[0] not in reply.message
            assert reply.data == []
        finally:
            fragile.start()
        wait_until_ready(g)
        assert_whole(fragile_url, session, ASKED)
        assert_whole(fragile_url, reply.session_id, ["What was my first question?"])


def test_a_request_that_comes_twice_while_the_server_is_down_is_answered_once(
    fragile: Fragile, fragile_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.stop()
        try:
            first = g.chat.reply("Again?", "juan", session, request_id="r-1")
            second = g.chat.reply("Again?", "juan", session, request_id="r-1")
            assert (second.message, second.turn_number) == (first.message, first.turn_number)
        finally:
            fragile.start()
        wait_until_ready(g)
        assert g.chat.reply("Again?", "juan", session, request_id="r-1").message == first.message
        assert_whole(fragile_url, session, [*ASKED, "Again?"])


def test_an_answer_waits_no_longer_than_the_deadline(fragile: Fragile, fragile_url: str, quick: dict[str, Any]) -> None:
    """The one that finds out waits; the bound leaves room for a machine that is busy with other things."""
    with Gunita.open(fragile_url, **quick) as g:
        session = talk(g)
        fragile.pause()
        try:
            began = time.monotonic()
            g.chat.reply("Anybody there?", "juan", session)
            assert time.monotonic() - began < 10 * quick["storage_deadline_seconds"]
        finally:
            fragile.go_on()
        wait_until_ready(g)
