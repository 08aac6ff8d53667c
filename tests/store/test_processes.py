"""Many processes on one database, some of them killed: nothing acknowledged is lost and nothing is half there."""

from __future__ import annotations

import random
import time
from uuid import uuid4

import pytest

from gunita import Gunita
from tests.raw_sql import Raw
from tests.writer_process import WriterProcess


def start_at_once(writers: list[WriterProcess]) -> None:
    for writer in writers:
        writer.wait_until_ready()
    for writer in writers:
        writer.start()


def test_sixteen_processes_starting_at_once_migrate_once_and_number_turns_without_gaps(url: str, raw: Raw) -> None:
    session = uuid4()
    writers = [WriterProcess(url, session, 10) for _ in range(16)]
    start_at_once(writers)
    numbers = [writer.acknowledged() for writer in writers]
    assert [writer.finish() for writer in writers] == [0] * 16
    assert sorted(number for own in numbers for number in own) == list(range(1, 161))
    assert all(own == sorted(own) for own in numbers)
    versions = [version for (version,) in raw("SELECT version FROM schema_migrations ORDER BY version")]
    assert versions == list(range(1, len(versions) + 1))
    with Gunita.open(url) as g:
        history = g.sessions.get_session_history(session, 1_000)
        assert [turn.turn_number for turn in history] == list(range(1, 161))
        assert all(turn.query_text[1:] == turn.response_text[1:] for turn in history)


def kill_in_the_middle_of_a_thousand_appends(url: str, chance: random.Random) -> None:
    session = uuid4()
    writer = WriterProcess(url, session, 1_000)
    start_at_once([writer])
    numbers = writer.acknowledged(chance.randrange(1, 400))
    time.sleep(chance.random() / 500)
    writer.kill()
    numbers += writer.acknowledged()
    assert writer.finish() == -9
    assert 0 < len(numbers) < 1_000

    with Gunita.open(url) as g:
        history = g.sessions.get_session_history(session, 2_000)
        # At most one more than was heard of: it was committed and not yet said.
        assert len(history) in (len(numbers), len(numbers) + 1)
        assert [turn.turn_number for turn in history] == list(range(1, len(history) + 1))
        assert all(turn.query_text[1:] == turn.response_text[1:] for turn in history)
        found = g.conversations.get_conversation(session)
        assert (found.turn_count, found.message_count) == (len(history), 2 * len(history))
        assert len(g.conversations.get_messages(session, 5_000)) == 2 * len(history)
        assert g.sessions.store_turn(session, "juan", "after", "all").turn_number == len(history) + 1


def test_a_killed_process_loses_no_acknowledged_turn_and_leaves_no_half_turn(url: str) -> None:
    chance = random.Random(7)
    for _ in range(3):
        kill_in_the_middle_of_a_thousand_appends(url, chance)


@pytest.mark.soak
def test_many_killed_processes_lose_no_acknowledged_turn(url: str) -> None:
    chance = random.Random()
    for _ in range(25):
        kill_in_the_middle_of_a_thousand_appends(url, chance)


@pytest.mark.soak
def test_processes_number_turns_without_gaps_again_and_again(url: str) -> None:
    for _ in range(10):
        session = uuid4()
        writers = [WriterProcess(url, session, 40) for _ in range(16)]
        start_at_once(writers)
        numbers = sorted(number for writer in writers for number in writer.acknowledged())
        assert [writer.finish() for writer in writers] == [0] * 16
        assert numbers == list(range(1, 16 * 40 + 1))
