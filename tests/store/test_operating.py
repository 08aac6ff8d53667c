"""Copies that open, one cleaner at a time, cleaning on schedule, and caches that let go."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from gunita import Gunita
from gunita.app import read_settings
from gunita.cli.commands import app
from gunita.errors import OutOfScopeError, ValidationError
from gunita.ids import now
from gunita.models import CleanupResult
from gunita.services.cleaning import AGAIN_AFTER, AutoCleanupService
from gunita.services.expiring import TURNS_A_SECOND, WAITS, Pace, Sweep
from gunita.services.understanding import ReadTexts
from gunita.store.alone import alone
from gunita.store.backup import back_up, pg_dump
from tests.conftest import new_database
from tests.controlled_clock import ControlledClock
from tests.interleaved import Interleaved
from tests.raw_sql import run as run_sql


def run(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == code, done.output
    return done.output


def talked(url: str, user: str = "juan", clock: ControlledClock | None = None) -> str:
    with Gunita.open(url, clock=clock or now) as g:
        session = g.sessions.create_session(user)
        g.sessions.store_turn(session, user, "Magkano?", "Isang daan")
        g.users.set_memory(user, "theme", "dark")
    return str(session)


def test_a_copy_made_while_somebody_writes_opens_and_holds_what_was_said(
    url: str, tmp_path: Path, postgres_url: str
) -> None:
    session = talked(url)
    target = tmp_path / "copy.backup"
    stop, acknowledged = threading.Event(), [1]

    def write() -> None:
        with Gunita.open(url) as g:
            while not stop.is_set():
                acknowledged.append(g.sessions.store_turn(session, "juan", "At ngayon?", "Dalawa").turn_number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        before = eventually(lambda: acknowledged[-1], lambda newest: newest > 3)
        told = json.loads(run("backup", str(target), "--database", url, "--json"))
    finally:
        stop.set()
        writer.join()
    assert told["bytes"] == target.stat().st_size > 0
    with restored(url, target, postgres_url) as copy, Gunita.open(copy) as g:
        history = g.sessions.get_session_history(session, 10_000)
        assert history[0].query_text == "Magkano?"
        # Whole turns without a gap, and all that were acknowledged before the copy was begun.
        assert [turn.turn_number for turn in history] == list(range(1, len(history) + 1))
        assert len(history) >= before > 3
        assert g.users.get_memory("juan", "theme") == "dark"
    assert "already" in run("backup", str(target), "--database", url, code=1)


class restored:  # noqa: N801
    """Brings a copy back: a SQLite copy is a database, one of PostgreSQL is read by pg_restore."""

    def __init__(self, url: str, copy: Path, server: str) -> None:
        self.copy = copy
        self.fresh = new_database(server) if url.startswith("postgresql") else None

    def __enter__(self) -> str:
        if self.fresh is None:
            return str(self.copy)
        address = self.fresh.__enter__()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
        program = pg_dump().with_name("pg_restore")
        subprocess.run([program, f"--dbname={address}", self.copy], check=True, capture_output=True, timeout=60)
        return address

    def __exit__(self, *_: object) -> None:
        if self.fresh is not None:
            self.fresh.__exit__(None, None, None)


def test_a_password_is_not_shown_to_who_lists_processes(
    new_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, program = tmp_path / "told", tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\necho "$@" > {told}\necho "$PGPASSWORD" >> {told}\nexec {pg_dump()} "$@"\n')
    program.chmod(0o700)
    monkeypatch.setenv("PG_DUMP", str(program))
    with_password = new_postgres_url.replace("postgres@", "postgres:lihim@")
    back_up(read_settings(database_url=with_password), tmp_path / "copy", lambda *_: None)
    arguments, password = told.read_text().splitlines()
    assert "--dbname=" in arguments
    assert ("lihim" in arguments, password) == (False, "lihim")


def test_a_copy_says_what_is_missing(tmp_path: Path) -> None:
    settings = read_settings(database_url=str(tmp_path / "none.db"))
    with pytest.raises(ValidationError):
        back_up(settings, tmp_path / "copy", lambda *_: None)
    assert list(tmp_path.iterdir()) == []


def test_commands_forget_delete_and_check(url: str, tmp_path: Path) -> None:
    talked(url, "old", ControlledClock())
    session = talked(url)
    assert json.loads(run("cleanup", "--dry-run", "-d", url, "--json"))["turns_deleted"] == 1
    cleaned = json.loads(run("cleanup", "-d", url, "--json"))
    assert (cleaned["turns_deleted"], cleaned["sessions_deleted"]) == (1, 1)
    told = json.loads(run("stats", "-d", url, "--json"))
    assert (told["turns"], told["turns_forgotten"], told["cleanups"]) == (1, 1, 1)
    assert 0 < told["storage_share"] < 1
    assert "turns" in run("stats", "-d", url)

    assert "--yes" in run("delete", "--user", "juan", "-d", url, code=1)
    assert "one of" in run("delete", "--yes", "-d", url, code=1)
    receipt = tmp_path / "receipt.json"
    receipt.write_text(run("delete", "--user", "juan", "--yes", "-d", url, "--json"), encoding="utf-8")
    number = json.loads(receipt.read_text())["id"]
    assert "Verified" in run("verify-deletion", str(receipt), "-d", url)
    assert "Verified" in run("verify-deletion", number, "--user", "juan", "-d", url)
    assert "name the user" in run("verify-deletion", number, "-d", url, code=1)
    with Gunita.open(url, clock=ControlledClock()) as g:
        g.sessions.store_turn(session, "juan", "put back", "with an old time")
    told = json.loads(run("verify-deletion", str(receipt), "-d", url, "--json", code=1))
    assert told["verified"] is False
    assert told["left"]["messages"] == 2


CLEANER = """
import sys
from gunita.app import read_settings
from gunita.store.alone import alone
with alone(read_settings(database_url=sys.argv[1]), "cleanup") as held:
    print(held, flush=True)
    sys.stdin.readline()
"""


def test_one_process_cleans_and_a_killed_one_lets_go(url: str) -> None:
    with Gunita.open(url) as g:
        other = subprocess.Popen(
            [sys.executable, "-c", CLEANER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "True\n"
            assert g.cleanup.run_cleanup().skipped
        finally:
            other.kill()
            other.communicate()
        assert not eventually(lambda: g.cleanup.run_cleanup(), lambda result: not result.skipped).skipped
        with alone(g.settings, "cleanup") as first, alone(g.settings, "cleanup") as second:
            assert (first, second) == (True, False)
        with alone(g.settings, "cleanup") as again:
            assert again


def eventually(look, is_well, seconds: float = 20.0):  # type: ignore[no-untyped-def]
    until = time.monotonic() + seconds
    while not is_well(found := look()) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def test_what_was_missed_is_made_up_for_at_once(url: str) -> None:
    talked(url, clock=ControlledClock())
    with Gunita.open(url) as g:
        g.cleanup.schedule_hourly()
        stats = eventually(g.cleanup.get_cleanup_stats, lambda found: found.runs == 1)
        assert stats.turns_deleted == 1
        assert isinstance(stats.last_run, CleanupResult)


def test_what_was_not_missed_is_done_when_it_is_due(url: str) -> None:
    with Gunita.open(url, clock=lambda: now() - timedelta(minutes=20)) as g:
        g.cleanup.run_cleanup()
    with Gunita.open(url) as g:
        g.cleanup.schedule_hourly()
        told = g.cleanup.get_cleanup_stats()
        assert told.next_run_at is not None
        assert timedelta(minutes=38) < told.next_run_at - now() <= timedelta(minutes=40)


def test_a_schedule_keeps_to_its_interval(url: str) -> None:
    with Gunita.open(url, cleanup_interval_hours=6) as g:
        g.cleanup.schedule_hourly()
        told = eventually(g.cleanup.get_cleanup_stats, lambda found: found.runs == 1)
        assert timedelta(hours=5, minutes=59) < told.next_run_at - told.last_run.timestamp <= timedelta(hours=6.1)


def test_a_cleanup_that_failed_comes_round_again_soon_and_at_the_next_start_at_once(url: str) -> None:
    session = talked(url, clock=ControlledClock())
    with Gunita.open(url) as g:
        run_sql(url, "ALTER TABLE messages RENAME TO messages_away")
        g.cleanup.schedule_hourly()
        told = eventually(g.cleanup.get_cleanup_stats, lambda found: found.failed_runs == 1)
        soon = told.last_run.timestamp + AGAIN_AFTER + timedelta(minutes=1)
        eventually(lambda: g.cleanup.get_cleanup_stats().next_run_at, lambda at: at < soon)
        assert g.cleanup.get_cleanup_stats().next_run_at < soon
        run_sql(url, "ALTER TABLE messages_away RENAME TO messages")
    with Gunita.open(url) as g:
        g.cleanup.schedule_hourly()
        told = eventually(g.cleanup.get_cleanup_stats, lambda found: found.runs == 2)
        assert (told.runs, told.failed_runs, told.turns_deleted) == (2, 1, 1)
        assert g.sessions.get_session_history(session) == []


def test_stats_tell_how_many_runs_there_were_and_how_long_they_took(url: str) -> None:
    with Gunita.open(url) as g:
        runs = [g.cleanup.run_cleanup() for _ in range(3)]
        told = g.cleanup.get_cleanup_stats()
        assert (told.runs, told.failed_runs, told.last_run) == (3, 0, runs[-1])
        assert told.mean_execution_time == pytest.approx(sum(run.execution_time for run in runs) / 3)


@pytest.mark.parametrize(
    ("what", "counted_from"),
    [("pinned", "turn"), ("pinned", "activity"), ("given a rule", "turn"), ("gone on with", "activity")],
)
def test_a_conversation_that_somebody_holds_on_to_while_it_is_being_forgotten_stays(
    url: str, what: str, counted_from: str
) -> None:
    clock = ControlledClock()
    session = talked(url, clock=clock)
    clock.forward(hours=24, microseconds=1)
    with Gunita.open(url, clock=clock, retention_counted_from=counted_from) as g:

        def hold_on() -> object:
            match what:
                case "pinned":
                    return g.conversations.update_conversation(session, pinned=True)
                case "given a rule":
                    return g.cleanup.set_retention(48, conversation_id=session)
                case _:
                    return g.sessions.store_turn(session, "juan", "At ngayon?", "Dalawa")

        # After the expired turns were found, and before they are deleted.
        cleanup = AutoCleanupService(
            g._door, Interleaved(g._database, hold_on, "transaction"), g._schedule, ReadTexts()
        )
        assert cleanup.run_cleanup().turns_deleted == 0
        assert len(g.sessions.get_session_history(session)) == (2 if what == "gone on with" else 1)
        g.conversations.update_conversation(session, pinned=False)
        g.cleanup.clear_retention(session)
        clock.forward(hours=25)
        assert cleanup.run_cleanup().turns_deleted >= 1


def test_a_user_does_not_clean(url: str) -> None:
    with Gunita.open(url) as g:
        juan = g.scoped(user_id="juan")
        for forbidden in (juan.cleanup.run_cleanup, juan.cleanup.preview_cleanup, juan.cleanup.get_cleanup_stats):
            with pytest.raises(OutOfScopeError):
                forbidden()
        with pytest.raises(OutOfScopeError):
            juan.cleanup.set_retention(1)


def test_copies_in_another_process_are_let_go(url: str) -> None:
    session = talked(url)
    with Gunita.open(url) as here, Gunita.open(url, background=True) as there:
        there.search.index_everywhere(100)
        there.search.search("magkano", user_id="juan")
        there.sessions.get_session_history(session)
        assert any(("juan" in {user for _, user in kept.whose()}) for kept in there._elsewhere)
        here.deletion.delete_user("juan")
        eventually(lambda: [user for kept in there._elsewhere for _, user in kept.whose()], lambda held: not held)
        assert not [user for kept in there._elsewhere for _, user in kept.whose()]


def test_a_piece_that_meets_a_database_that_is_away_for_a_moment_is_tried_again(tmp_path: Path) -> None:
    clock, waited = ControlledClock(), []
    talked(str(tmp_path / "gunita.db"), clock=clock)
    clock.forward(hours=24, microseconds=1)
    with Gunita.open(tmp_path / "gunita.db", clock=clock) as g:
        writer = g._database.behind._writer

        def pause(seconds: float) -> bool:
            waited.append(seconds)
            writer.execute("PRAGMA query_only = OFF")
            return False

        writer.execute("PRAGMA query_only = ON")
        sweep = Sweep(g._database.behind.within(g.scope), clock.now, Pace.of_one_writer(100), pause)
        sweep.everything(g.cleanup.get_retention())
    assert (sweep.turns, sweep.sessions, sweep.errors, waited[0]) == (1, 1, [], WAITS[0])


def test_the_pace_goes_down_when_it_takes_long_and_up_when_it_does_not() -> None:
    pace = Pace.of_one_writer(1_000)
    for _ in range(10):
        pace.after(1.0, pace.piece)
    assert pace.piece == pace.least
    for _ in range(100):
        pace.after(0.0001, pace.piece)
    assert pace.piece == 1_000
    assert pace.after(0.5, 1_000) == 1.0


def test_a_fast_machine_rests_longer_since_nobody_waits_for_what_is_forgotten() -> None:
    assert Pace.of_many_writers(1_000).after(0.004, 24) == pytest.approx(24 / TURNS_A_SECOND - 0.004)
    assert Pace.of_many_writers(1_000).after(0.02, 24) == pytest.approx(0.03)


def test_the_lock_beside_a_file_is_no_data(tmp_path: Path) -> None:
    path = tmp_path / "gunita.db"
    with Gunita.open(path) as g:
        g.cleanup.run_cleanup()
    assert path.with_name("gunita.db.cleanup").stat().st_size == 0
