"""The guard around a real file: what counts as slow and for how long, and that nobody waits past the deadline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from gunita import Gunita
from gunita.chat.records import Answering, ChatRequest
from gunita.errors import StorageUnavailableError
from gunita.ids import now
from gunita.models import Scope
from gunita.resilience.circuit import FAILURES_ALLOWED
from gunita.resilience.guard import SLOW_FOR, GuardedDatabase, GuardedScope, Watch
from gunita.resilience.retry import Patience
from gunita.store import deadline, statistics, userdata
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements


class SteppingClock:
    """A clock that goes on by a step whenever it is looked at: whatever is timed by two looks takes one step."""

    def __init__(self) -> None:
        self.now, self.step = 1_000.0, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def watch(clock: SteppingClock) -> Watch:
    return Watch(clock=clock)


@pytest.fixture
def db(tmp_path: Path, watch: Watch) -> Iterator[GuardedScope]:
    with Gunita.open(tmp_path / "gunita.db") as g:
        yield GuardedDatabase(g._database.behind, watch).within(Scope())


def read(db: GuardedScope) -> None:
    statistics.ping(db)


def write_together(db: GuardedScope) -> None:
    with db.transaction():
        pass


@pytest.mark.parametrize("work", [read, write_together])
@pytest.mark.parametrize(("seconds", "is_slow"), [(0.0, False), (1.0, False), (1.001, True)])
def test_what_takes_longer_than_a_second_makes_a_database_count_as_slow(
    db: GuardedScope, watch: Watch, clock: SteppingClock, work, seconds: float, is_slow: bool
) -> None:
    clock.step = seconds
    work(db)
    clock.step = 0.0
    assert (watch.is_slow, watch.counters.slow_statements) == (is_slow, int(is_slow))


def test_a_database_that_was_slow_counts_as_slow_for_half_a_minute(
    db: GuardedScope, watch: Watch, clock: SteppingClock
) -> None:
    clock.step = 2.0
    read(db)
    clock.step = 0.0
    clock.now += SLOW_FOR - 0.001
    assert watch.is_slow
    clock.now += 0.001
    assert not watch.is_slow


@contextmanager
def unwritable(g: Gunita) -> Iterator[None]:
    writer = g._database.behind._writer
    writer.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        writer.execute("PRAGMA query_only = OFF")


def write(db: GuardedScope) -> None:
    userdata.set_state(db, "juan", "active", now())


def test_what_is_tried_again_is_counted_and_the_circuit_stays_closed_where_it_worked(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "gunita.db") as g, ExitStack() as trouble:
        watch = Watch(sleep=lambda _: trouble.close())
        trouble.enter_context(unwritable(g))
        write(GuardedDatabase(g._database.behind, watch).within(Scope()))
    assert (watch.counters.retries, watch.counters.failures, watch.writing.failures) == (1, 1, 0)


def test_nobody_waits_for_a_retry_that_the_deadline_of_the_answer_does_not_allow(tmp_path: Path) -> None:
    slept: list[float] = []
    with Gunita.open(tmp_path / "gunita.db") as g:
        db = GuardedDatabase(g._database.behind, Watch(sleep=slept.append)).within(Scope())
        with unwritable(g), deadline.within(0.5), pytest.raises(StorageUnavailableError):
            write(db)
    assert slept == []


def test_trouble_in_the_middle_of_a_transaction_counts_towards_the_circuit(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "gunita.db") as g:
        db = GuardedDatabase(g._database.behind, watch := Watch()).within(Scope())
        for _ in range(FAILURES_ALLOWED):
            assert not watch.is_away
            with pytest.raises(StorageUnavailableError), db.transaction() as together, unwritable(g):
                together.run("forget_request_of_turn", conversation_id=uuid4(), turn_number=0)
    assert (watch.counters.failures, watch.is_away) == (FAILURES_ALLOWED, True)


@pytest.mark.parametrize("work", [write, write_together])
def test_while_the_circuit_of_writing_is_open_nobody_writes_and_everybody_reads(
    db: GuardedScope, watch: Watch, work
) -> None:
    watch.trip(writes=True)
    with pytest.raises(StorageUnavailableError, match="is not asked again"):
        work(db)
    read(db)
    assert (watch.counters.refusals, watch.counters.failures) == (1, 0)
    watch.trip(writes=False)
    with pytest.raises(StorageUnavailableError, match="is not asked again"):
        read(db)


def test_the_settings_are_patient_as_long_as_was_promised(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "gunita.db") as g:
        watch = g._database.watch
        assert watch.patience == Patience(attempts=5, first_wait=1.0, deadline=5.0)
        assert watch.slow_seconds == 1.0


class Timed:
    """A real database that notes how long each statement or transaction may wait when it begins."""

    def __init__(self, behind: Database) -> None:
        self.behind = behind
        self.may_wait: list[float] = []

    def within(self, scope: Scope) -> ScopedDatabase:
        return TimedScope(self, self.behind.within(scope))

    def close(self) -> None:
        """Leave the database open: it is its owner's to close."""

    def begins(self) -> None:
        self.may_wait.append(deadline.remaining(float("inf")))


class TimedScope(ScopedDatabase):
    def __init__(self, database: Timed, behind: ScopedDatabase) -> None:
        super().__init__(behind.scope)
        self.decode: Decoder = behind.decode
        self._database, self._behind = database, behind

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        self._database.begins()
        with self._behind.transaction() as together:
            yield together

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        self._database.begins()
        return self._behind._execute(name, parameters)


@pytest.mark.parametrize("step", ["begun", "finished", "stored", "read"])
def test_no_statement_of_a_turn_may_wait_past_the_deadline_of_its_answer(tmp_path: Path, step: str) -> None:
    with Gunita.open(tmp_path / "gunita.db", storage_deadline_seconds=3.0) as g:
        session = g.chat.reply("How do I cook adobo?", "juan").session_id
        timed = Timed(g._database)
        watched = Gunita(timed, g.settings, g.scope, keeper=g._keeper)
        match step:
            case "stored":
                watched.sessions.store_turn(session, "juan", "And rice?", "Yes.")
            case "read":
                watched.sessions.get_session_history(session)
            case _:
                begun = watched.chat.begin(ChatRequest("What was my first question?", "juan", session))
                assert isinstance(begun, Answering)
        if step == "finished":
            timed.may_wait.clear()
            watched.chat.finish(begun, "How to cook adobo.")
        assert timed.may_wait
        assert max(timed.may_wait) <= 3.0
