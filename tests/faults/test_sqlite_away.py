"""SQLite locked by another process, read-only, on a full file system: what is said waits, and comes back in order."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from gunita import Gunita
from gunita.chat.away import KEPT_ASIDE
from gunita.chat.records import Intent
from gunita.resilience.standing import State
from tests.faults.faults import assert_whole, wait_until_ready

HOLDS_THE_LOCK = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def locked_by_another_process(path: Path) -> Iterator[None]:
    command = [sys.executable, "-c", HOLDS_THE_LOCK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield
        other.communicate("\n")


@contextmanager
def read_only(g: Gunita) -> Iterator[None]:
    writer = g._database.behind._writer
    writer.execute("PRAGMA query_only = ON")
    yield
    writer.execute("PRAGMA query_only = OFF")


@contextmanager
def no_file_may_grow(beyond: int) -> Iterator[None]:
    """What a full file system does to a file, where nobody may mount one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def small_file_system(folder: Path) -> Iterator[bool]:
    """Mount a file system of a few hundred kilobytes; tell whether that is allowed here."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def talk(g: Gunita) -> tuple[Any, list[str]]:
    asked = ["How do I cook adobo?", "What does a visa to Japan cost?"]
    session = g.chat.reply(asked[0], "juan").session_id
    g.chat.reply(asked[1], "juan", session)
    return session, asked


def go_on(g: Gunita, session: Any) -> list[str]:
    """Say two things while nothing can be written, and check what comes of them."""
    pointing = g.chat.reply("What was my first question?", "juan", session)
    assert (pointing.intent, pointing.turn_number) == (Intent.REFERENCE, 3)
    assert KEPT_ASIDE in pointing.metadata["warnings"]
    assert g.sessions.store_turn(session, "juan", "And rice?", "Yes.").turn_number == 4
    assert [turn.turn_number for turn in g.sessions.get_session_history(session)] == [1, 2, 3, 4]
    assert g.standing is not None
    assert (g.standing.state, g.standing.waiting_turns) == (State.DEGRADED, 2)
    # Nothing can be written, and everything can still be read.
    assert g.conversations.get_conversation(session).turn_count == 2
    return ["What was my first question?", "And rice?"]


def test_a_file_locked_by_another_process_costs_nobody_a_turn(tmp_path: Path, quick: dict[str, Any]) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path, **quick, sqlite_busy_seconds=0.1) as g:
        session, asked = talk(g)
        with locked_by_another_process(path):
            asked += go_on(g, session)
        wait_until_ready(g)
        assert_whole(str(path), session, asked)
        assert g.chat.reply("Thanks!", "juan", session).metadata["warnings"] == []


def test_a_file_that_another_process_writes_to_can_be_opened_and_read(tmp_path: Path, quick: dict[str, Any]) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path) as g:
        session, asked = talk(g)
    with locked_by_another_process(path), Gunita.open(path, **quick, sqlite_busy_seconds=0) as g:
        assert [turn.query_text for turn in g.sessions.get_session_history(session)] == asked
        assert g.standing is not None
        assert g.standing.state is State.READY
    with locked_by_another_process(path), Gunita.open(path, **quick, sqlite_busy_seconds=0, migrate=False) as g:
        assert g.conversations.get_conversation(session).turn_count == 2


def test_a_file_that_becomes_read_only_costs_nobody_a_turn(tmp_path: Path, quick: dict[str, Any]) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path, **quick) as g:
        session, asked = talk(g)
        with read_only(g):
            asked += go_on(g, session)
        wait_until_ready(g)
        assert_whole(str(path), session, asked)


def test_a_full_file_system_costs_nobody_a_turn(tmp_path: Path, quick: dict[str, Any]) -> None:
    with small_file_system(tmp_path / "small") as mounted:
        path = tmp_path / "small" / "gunita.db"
        with Gunita.open(path, **quick) as g:
            session, asked = talk(g)
            filler = tmp_path / "small" / "filler"
            if mounted:
                fill_up(filler)
                asked += go_on(g, session)
                filler.unlink()
            else:
                with no_file_may_grow(path.with_name("gunita.db-wal").stat().st_size):
                    asked += go_on(g, session)
            wait_until_ready(g)
            assert_whole(str(path), session, asked)


def fill_up(filler: Path) -> None:
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4_096))


def test_where_the_journal_cannot_be_written_either_the_answer_comes_with_a_warning(
    tmp_path: Path, quick: dict[str, Any]
) -> None:
    from gunita.chat.turn import NOT_KEPT

    (tmp_path / "in the way").write_text("a file where the journal's folder should be")
    path = tmp_path / "gunita.db"
    with Gunita.open(path, **(quick | {"journal_folder": tmp_path / "in the way"})) as g:
        session, asked = talk(g)
        with read_only(g):
            reply = g.chat.reply("What was my first question?", "juan", session)
            assert NOT_KEPT in reply.metadata["warnings"]
            assert asked[0] in reply.message
            assert g.standing is not None
            assert not g.standing.keeps_turns
        wait_until_ready(g)
        assert_whole(str(path), session, asked)


@pytest.mark.parametrize("ending", ["closed", "killed"])
def test_turns_that_wait_when_a_process_ends_are_written_back_by_the_next(
    tmp_path: Path, quick: dict[str, Any], ending: str
) -> None:
    path, folder = tmp_path / "gunita.db", quick["journal_folder"]
    with Gunita.open(path) as g:
        session = g.sessions.create_session("juan")
    command = [sys.executable, "-c", LEAVES_TURNS_WAITING, str(path), str(folder), str(session)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "open\n"
        with locked_by_another_process(path):
            process.stdin.write("\n")
            process.stdin.flush()
            assert process.stdout.readline() == "kept\n"
            if ending == "killed":
                process.kill()
            process.communicate("\n")
    assert len(list(Path(folder).iterdir())) == 1
    with Gunita.open(path, journal_folder=folder) as g:
        assert_whole(str(path), session, ["isa", "dalawa", "tatlo"])
        assert not Path(folder).exists()
        assert g.sessions.store_turn(session, "juan", "apat", "a").turn_number == 4


LEAVES_TURNS_WAITING = """
import sys
from gunita import Gunita
path, folder, session = sys.argv[1:]
quick = dict(storage_retry_seconds=0.02, storage_deadline_seconds=0.2, sqlite_busy_seconds=0.05)
g = Gunita.open(path, journal_folder=folder, **quick)
print("open", flush=True)
sys.stdin.readline()
for query in ("isa", "dalawa", "tatlo"):
    g.sessions.store_turn(session, "juan", query, "a")
print("kept", flush=True)
sys.stdin.readline()
g.close()
"""
