"""The background on both engines: what waits is done without asking, by several at once, and by nobody twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from gunita import Gunita
from gunita.errors import StorageError
from gunita.language.extraction import Learnt, extract
from gunita.models import Message
from gunita.services.access import Access
from gunita.services.background import Background, Rests, Task
from gunita.services.learning import learn, learn_due
from gunita.store.learning import LearningState
from tests.raw_sql import run as raw

HOME, FOOD = "I live in Davao.", "Ayoko ng maanghang."


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


def test_what_is_said_is_indexed_and_learnt_without_asking(url: str) -> None:
    with Gunita.open(url, background=True, extraction_trigger="background") as g:
        acme = g.scoped("acme", "juan")
        session = acme.sessions.create_session()
        acme.sessions.store_turn(session, None, HOME, "ok")
        assert eventually(lambda: acme.search.count_waiting() == 0 and bool(acme.memories.get_memories()))
        (memory,) = acme.memories.get_memories()
        assert memory.content == "I live in Davao"
        assert acme.search.search("saan ako nakatira?")[0].why == "meaning"


def test_a_library_does_nothing_unasked_unless_it_is_told_to(url: str) -> None:
    with Gunita.open(url) as g:
        g.messages.add_message("juan", "user", HOME)
        assert not g.background.is_running
        assert g.search.count_waiting() == 1


@pytest.mark.parametrize(("trigger", "learns"), [("by_hand", False), ("idle", False), ("background", True)])
def test_indexing_notes_what_is_to_be_learnt_as_the_trigger_has_it(url: str, trigger: str, learns: bool) -> None:
    with Gunita.open(url, extraction_trigger=trigger) as g:
        g.messages.add_message("juan", "user", HOME)
        g.search.index_pending()
        assert g.memories.extract_due() == int(learns)
        assert g.memories.extract_due() == 0


def test_reading_anew_for_search_has_nothing_learnt_again(url: str) -> None:
    with Gunita.open(url, extraction_trigger="background") as g:
        g.messages.add_message("juan", "user", HOME)
        g.search.index_pending()
        assert g.memories.extract_due() == 1
        raw(url, "UPDATE message_index SET model = 'an older one'")
        assert g.search.reembed() > 0
        assert g.memories.extract_due() == 0


def test_several_workers_share_the_work_and_do_nothing_twice(url: str) -> None:
    with Gunita.open(url, extraction_trigger="background") as g:
        for number in range(40):
            g.messages.add_message(f"user-{number}", "user", f"My dog is called Bantay number {number}.")
        # Whoever indexes a message says when its conversation is read for memories: both say at once.
        with Gunita.open(url, extraction_trigger="background") as other:
            with ThreadPoolExecutor(4) as pool:
                services = [g.search, other.search, g.search, other.search]
                assert sum(pool.map(lambda search: search.index_everywhere(), services)) == 40
            read: list[str] = []

            def noting(messages: list[Message]) -> list[list[Learnt]]:
                read.extend(message.content for message in messages)
                return [extract(message.content) for message in messages]

            def until_nothing_is_due(door: Access) -> int:
                return sum(iter(lambda: learn_due(door, noting, 20), 0))

            with ThreadPoolExecutor(4) as pool:
                doors = [g._door, other._door, g._door, other._door]
                assert sum(pool.map(until_nothing_is_due, doors)) == 40
            assert len(read) == len(set(read)) == 40


def test_two_conversations_read_at_once_make_one_memory_of_the_same_fact(url: str) -> None:
    with Gunita.open(url) as g:
        juan = g.scoped("acme", "juan")
        sessions = [juan.sessions.create_session() for _ in range(4)]
        for session in sessions:
            juan.sessions.store_turn(session, None, HOME, "ok")
        together = threading.Barrier(len(sessions))

        def at_once(messages: list[Message]) -> list[list[Learnt]]:
            taught = [extract(message.content) for message in messages]
            together.wait(30)
            return taught

        with ThreadPoolExecutor(len(sessions)) as pool:
            list(pool.map(lambda session: learn(juan._door, session, at_once), sessions))
        (memory,) = juan.memories.get_memories()
        assert memory.content == "I live in Davao"
        assert len(juan.memories.get_memory_history(memory.id)) == len(sessions) - 1


def test_a_request_has_conversations_read_and_says_how_far_it_is(url: str) -> None:
    with Gunita.open(url, extraction_trigger="by_hand") as g:
        juan = g.scoped("acme", "juan")
        first, second = juan.sessions.create_session(), juan.sessions.create_session()
        juan.sessions.store_turn(first, None, HOME, "ok")
        juan.sessions.store_turn(second, None, FOOD, "ok")
        asked = juan.memories.request_extraction()
        assert (asked.state, asked.conversations_waiting, asked.messages_waiting) == (LearningState.WAITING, 2, 2)
        assert juan.memories.request_extraction() == asked
        assert g.memories.extract_everywhere() == 2
        told = juan.memories.extraction_progress()
        assert (told.state, told.messages_waiting, told.messages_read, told.learnt) == (LearningState.DONE, 0, 2, 2)
        assert juan.memories.extraction_progress(conversation_id=first).learnt == 1
        assert juan.memories.request_extraction().state is LearningState.DONE


def test_a_worker_outlives_trouble_and_what_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    unforeseen: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: unforeseen.append(told.exc_type.__name__))
    outcomes = iter([StorageError("away"), ZeroDivisionError("bug")])
    reached = threading.Event()

    def work() -> int:
        if (problem := next(outcomes, None)) is not None:
            raise problem
        reached.set()
        return 0

    workers = Background([Task("trying", work)], Rests(trouble=0.0))
    workers.start()
    assert reached.wait(30)
    workers.stop()
    assert unforeseen == ["ZeroDivisionError"]
    assert not workers.is_running


def test_a_woken_worker_does_not_wait_for_its_rest_to_end() -> None:
    rounds = threading.Semaphore(0)
    workers = Background([Task("counting", lambda: rounds.release() or 0)], Rests(idle=3600.0))
    workers.start()
    assert rounds.acquire(timeout=30)
    workers.wake()
    assert rounds.acquire(timeout=30)
    workers.stop()


def test_what_was_asked_for_is_not_put_off_by_what_the_trigger_wants(url: str) -> None:
    with Gunita.open(url, extraction_trigger="idle") as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", HOME, "ok")
        g.memories.request_extraction("juan")
        g.search.index_pending()
        g.chat.follow_up(session)
        assert g.memories.extract_due() == 1


def test_what_is_said_while_a_conversation_is_read_is_read_later(url: str) -> None:
    with Gunita.open(url, extraction_trigger="background") as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", HOME, "ok")
        g.search.index_pending()
        said = iter([FOOD])

        def interrupted(messages: list[Message]) -> list[list[Learnt]]:
            for text in said:
                g.sessions.store_turn(session, "juan", text, "ok")
                g.search.index_pending()
            return [extract(message.content) for message in messages]

        assert learn_due(g._door, interrupted) == 1
        assert g.memories.extract_due() == 1
        assert {one.content for one in g.memories.get_memories("juan")} == {"I live in Davao", "Ayoko ng maanghang"}
