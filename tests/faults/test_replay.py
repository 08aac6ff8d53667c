"""What waits comes back once and in order, however often the database comes and goes and whatever is lost meanwhile."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from gunita.ids import new_id, now
from gunita.models import Turn
from gunita.resilience.fallback import NOTHING_BESIDE, ConversationsInUse, size_of
from gunita.resilience.journal import Journal, LeftJournal
from gunita.resilience.opening import fingerprint
from gunita.resilience.standing import State
from gunita.resilience.waiting import OpenTurn
from tests.faults.faults import assert_whole, rows_of, wait_until_ready
from tests.faults.test_sqlite_away import read_only
from tests.raw_sql import run

QUICKEST: dict[str, Any] = {"storage_retry_seconds": 0.001, "storage_deadline_seconds": 0.01, "storage_attempts": 2}


@pytest.fixture
def quickest(tmp_path: Path) -> Iterator[tuple[Gunita, str]]:
    path = str(tmp_path / "gunita.db")
    with Gunita.open(path, **QUICKEST) as g:
        yield g, path


said = st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=12)
"""For each turn the conversation it is said in, and whether the database can be written to meanwhile."""


@given(said)
def test_turns_of_many_conversations_come_back_whole_and_in_order_however_often_the_database_goes(
    quickest: tuple[Gunita, str], said: list[tuple[int, bool]]
) -> None:
    g, path = quickest
    sessions = [uuid4() for _ in range(3)]
    acknowledged: dict[UUID, list[Turn]] = {session: [] for session in sessions}
    for place, is_there in said:
        session = sessions[place]
        with nullcontext() if is_there else read_only(g):
            turn = g.sessions.store_turn(session, "juan", f"query {len(acknowledged[session])}", "a")
        acknowledged[session].append(turn)
    wait_until_ready(g)
    for session, turns in acknowledged.items():
        if turns:
            assert_whole(path, session, [turn.query_text for turn in turns])
            # Under the ids that were told when they were said.
            assert [turn.id for turn in g.sessions.get_session_history(session)] == [turn.id for turn in turns]


def test_what_was_held_is_let_go_when_it_is_back_and_read_anew(quickest: tuple[Gunita, str]) -> None:
    g, path = quickest
    session = uuid4()
    assert g._keeper is not None
    with read_only(g):
        g.sessions.store_turn(session, "juan", "waits", "a")
        assert g._keeper.held((None, session)) is not None
        with Gunita.open(path, journal_folder=Path(path).with_name("other")) as other:
            other.sessions.store_turn(session, "juan", "came before", "a")
    wait_until_ready(g)
    assert g._keeper.held((None, session)) is None
    assert g.standing is not None
    assert (g.standing.conversations_held, g.standing.bytes_held) == (0, 0)
    assert g.standing.counters.turns_renumbered == 1
    assert [turn.query_text for turn in g.sessions.get_session_history(session)] == ["came before", "waits"]


def test_a_process_is_degraded_as_long_as_a_turn_waits(tmp_path: Path) -> None:
    path, session = str(tmp_path / "gunita.db"), uuid4()
    with Gunita.open(path, storage_retry_seconds=600.0) as g:
        assert g._keeper is not None
        said = Turn(new_id(now()), session, "juan", 1, "waits", "a", now())
        g._keeper.keep_said(None, said, new_id(now()), 1, 1)
        assert g.standing is not None
        assert (g.standing.state, g.standing.waiting_turns, g._keeper.watch.is_away) == (State.DEGRADED, 1, False)
    assert_whole(path, session, ["waits"])


def test_a_turn_is_on_the_disk_before_it_is_acknowledged(
    quickest: tuple[Gunita, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    g, path = quickest
    flushed: list[int] = []
    flush = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (flush(file), flushed.append(os.fstat(file).st_size)))
    with read_only(g):
        for number in range(3):
            g.sessions.store_turn(uuid4(), "juan", f"query {number}", "a")
            (journal,) = Path(path).with_name("gunita.db.waiting").iterdir()
            assert journal.stat().st_size in flushed
    wait_until_ready(g)


def left_waiting(tmp_path: Path, turns: int) -> tuple[str, UUID, Path]:
    """Leave turns in a journal, as a process does that ends while nothing can be written."""
    path, folder, session = str(tmp_path / "gunita.db"), tmp_path / "waiting", uuid4()
    g = Gunita.open(path, journal_folder=folder, **QUICKEST)
    g._database.behind._writer.execute("PRAGMA query_only = ON")
    for number in range(turns):
        g.sessions.store_turn(session, "juan", f"query {number}", "a")
    g.close()
    (journal,) = folder.iterdir()
    return path, session, journal


def test_a_journal_that_is_replayed_again_and_again_adds_each_turn_once(tmp_path: Path) -> None:
    path, session, journal = left_waiting(tmp_path, 5)
    copy = tmp_path / "copy"
    shutil.copy(journal, copy)
    for _ in range(3):
        journal.parent.mkdir(exist_ok=True)
        shutil.copy(copy, journal)
        with Gunita.open(path, journal_folder=journal.parent) as g:
            assert_whole(path, session, [f"query {number}" for number in range(5)])
            assert g.standing is not None
            assert (g.standing.waiting_turns, g.standing.counters.turns_lost) == (0, 0)


def test_turns_taken_over_are_on_the_disk_before_the_journal_goes_that_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, session, left = left_waiting(tmp_path, 3)
    flushed, safe = set(), []
    flush, discard = os.fsync, LeftJournal.discard

    def discarded(journal: LeftJournal) -> None:
        (own,) = set(left.parent.glob("*.journal")) - {left}
        safe.append((own.stat().st_ino, own.stat().st_size) in flushed)
        discard(journal)

    monkeypatch.setattr(os, "fsync", lambda file: (flush(file), flushed.add((os.fstat(file)[1], os.fstat(file)[6]))))
    monkeypatch.setattr(LeftJournal, "discard", discarded)
    with Gunita.open(path, journal_folder=left.parent):
        assert safe == [True]
        assert_whole(path, session, ["query 0", "query 1", "query 2"])


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_a_turn_that_the_database_never_takes_keeps_no_other_back_and_is_told(
    tmp_path: Path, refused: int, caplog: pytest.LogCaptureFixture
) -> None:
    path, session, journal = left_waiting(tmp_path, 3)
    told = f"WHEN new.content = 'query {refused}' BEGIN SELECT raise(ABORT, 'not this one'); END"
    run(path, f"CREATE TRIGGER refusing BEFORE INSERT ON messages {told}")
    with Gunita.open(path, journal_folder=journal.parent) as g:
        assert_whole(path, session, [f"query {number}" for number in range(3) if number != refused])
        assert g.standing is not None
        assert (g.standing.waiting_turns, g.standing.counters.turns_lost) == (0, 1)
    assert "was refused by the database" in caplog.text


@pytest.mark.parametrize("hit", [0, 2, 4])
def test_one_damaged_record_costs_one_turn_and_is_counted(
    tmp_path: Path, hit: int, caplog: pytest.LogCaptureFixture
) -> None:
    path, session, journal = left_waiting(tmp_path, 5)
    content = bytearray(journal.read_bytes())
    place = content.index(f"query {hit}".encode())
    content[place] ^= 1
    journal.write_bytes(content)
    with Gunita.open(path, journal_folder=journal.parent) as g:
        assert_whole(path, session, [f"query {number}" for number in range(5) if number != hit])
        assert g.standing is not None
        assert g.standing.counters.records_damaged == 1
    assert "are damaged and were cut" in caplog.text


def test_turns_that_a_dead_process_left_without_an_answer_are_closed_and_may_be_asked_again(
    url: str, tmp_path: Path
) -> None:
    from gunita.chat.records import Answering, ChatRequest

    folder = tmp_path / "waiting"
    with Gunita.open(url, journal_folder=folder) as g:
        begun = g.chat.begin(ChatRequest("Magkano ang visa?", "juan", request_id="r-1"))
        assert isinstance(begun, Answering)
        note = OpenTurn(None, begun.kept.query_id or uuid4())
        settings = g.settings
    # The process that noted it is gone, and its journal is left.
    for file in folder.glob("*"):
        file.unlink()
    left = Journal(folder, fingerprint(settings))
    left.append(note.to_json("open"), durable=False)
    left.close()
    with Gunita.open(url, journal_folder=folder) as g:
        assert [(number, role) for number, role, _ in rows_of(url, begun.session_id)] == [(1, "user"), (1, "assistant")]
        (turn,) = g.sessions.get_session_history(begun.session_id)
        assert turn.metadata["interrupted"] is True
        assert g.standing is not None
        assert g.standing.counters.turns_left_open == 1
        again = g.chat.reply("Magkano ang visa?", "juan", begun.session_id, request_id="r-1")
        assert again.turn_number == 2


def test_what_is_forgotten_does_not_come_back(tmp_path: Path) -> None:
    path, kept, gone = str(tmp_path / "gunita.db"), uuid4(), uuid4()
    with Gunita.open(path, **QUICKEST) as g:
        with read_only(g):
            for session, user in ((kept, "juan"), (gone, "maria"), (kept, "juan"), (gone, "maria")):
                g.sessions.store_turn(session, user, "query", "a")
            assert g._keeper is not None
            assert g._keeper.forget(None, user_id="maria") == 2
            assert g._keeper.history((None, gone), g.scope, 10) is None
        wait_until_ready(g)
        assert_whole(path, kept, ["query"] * 2)
        assert rows_of(path, gone) == []


turn_sizes = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4_000)), max_size=60)


@given(turn_sizes)
def test_memory_for_bad_times_is_bounded_and_keeps_what_was_used_last(said: list[tuple[int, int]]) -> None:
    most = 12_000
    held = ConversationsInUse(most, most_turns=5)
    places = [(None, uuid4()) for _ in range(6)]
    numbers = dict.fromkeys(places, 0)
    for which, length in said:
        place = places[which]
        numbers[place] += 1
        turn = Turn(uuid4(), place[1], "juan", numbers[place], "q", "x" * length, now())
        held.add(place, turn)
        assert held.bytes_held == sum(found.size for at in places if (found := held.get(at)))
        assert held.bytes_held <= most
        found = held.get(place)
        if size_of([turn]) <= most and found is not None:
            assert found.turns[-1] is turn
            assert len(found.turns) <= 5
    for place in places:
        held.let_go(place)
    assert (held.bytes_held, len(held)) == (0, 0)


def test_a_conversation_too_large_to_hold_is_not_held(tmp_path: Path) -> None:
    held, place = ConversationsInUse(1_000), (None, uuid4())
    turn = Turn(uuid4(), place[1], "juan", 1, "q", "x" * 5_000, now())
    held.hold(place, "juan", [turn], NOTHING_BESIDE)
    assert held.get(place) is None
    assert held.bytes_held == 0
