"""The one way to the store: every statement passes here, is tried again where that is safe, and is refused at once
while the database is known to be away."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from gunita.errors import StorageUnavailableError
from gunita.models import Scope
from gunita.resilience.circuit import Circuit
from gunita.resilience.retry import Patience, retried
from gunita.store import deadline, queries
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements

Outcome = TypeVar("Outcome")

SLOW_SECONDS = 1.0
SLOW_FOR = 30.0
"""Seconds for which a database counts as slow after it was."""
AWAY = "the database is away and is not asked again before it is found back; try again later"
RETRY_AFTER = 5.0

# Which statements write is the same in both engines.
_WRITES = {name: query.writes for name, query in queries.load("sqlite").items()}


@dataclass(slots=True)
class Counters:
    """What happened since the process began, as plain numbers for whoever measures."""

    retries: int = 0
    failures: int = 0
    refusals: int = 0
    slow_statements: int = 0
    turns_journalled: int = 0
    turns_replayed: int = 0
    turns_renumbered: int = 0
    turns_lost: int = 0
    turns_left_open: int = 0
    records_damaged: int = 0
    references_failed: int = 0
    answered_while_away: int = 0


@dataclass(slots=True)
class Watch:
    """What the guard knows of the database: whether it can be read, whether it can be written to, how fast it is."""

    patience: Patience = field(default_factory=Patience)
    slow_seconds: float = SLOW_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    reading: Circuit = field(init=False)
    writing: Circuit = field(init=False)
    counters: Counters = field(default_factory=Counters)
    slow_until: float = 0.0
    on_opening: Callable[[], None] = lambda: None
    """Called when a circuit opens; whoever brings the database back listens here."""

    def __post_init__(self) -> None:
        self.reading, self.writing = Circuit(self.clock), Circuit(self.clock)

    @property
    def is_away(self) -> bool:
        """Whether nothing can be kept in the database for the moment."""
        return self.writing.is_open or self.reading.is_open

    @property
    def is_slow(self) -> bool:
        return self.clock() < self.slow_until

    def circuit(self, *, writes: bool) -> Circuit:
        return self.writing if writes else self.reading

    def refuse(self) -> NoReturn:
        self.counters.refusals += 1
        raise StorageUnavailableError(AWAY, retry_after=RETRY_AFTER)

    def again(self, call: Callable[[], Outcome], trouble: StorageUnavailableError, *, writes: bool) -> Outcome:
        """Try a call again that failed once; when that fails too, nobody else needs to find out the same."""
        circuit = self.circuit(writes=writes)
        self.failed(writes=writes)
        give_up_at = self.clock() + deadline.remaining(self.patience.deadline)

        def once_more() -> Outcome:
            self.counters.retries += 1
            try:
                return call()
            except StorageUnavailableError:
                self.failed(writes=writes)
                raise

        try:
            outcome = retried(
                once_more,
                trouble,
                self.patience,
                writes=writes,
                seconds_left=lambda: give_up_at - self.clock(),
                sleep=self.sleep,
                chance=self.chance,
                give_up=lambda: circuit.is_open,
            )
        except StorageUnavailableError as last:
            # A lost answer says nothing of how the database is now; what was tried again and again does.
            if self.patience.attempts > 1 and not last.maybe_done:
                self.trip(writes=writes)
            raise
        circuit.worked()
        return outcome

    def failed(self, *, writes: bool) -> None:
        self.counters.failures += 1
        if self.circuit(writes=writes).failed():
            self._opened(writes=writes)

    def trip(self, *, writes: bool) -> None:
        if self.circuit(writes=writes).trip():
            self._opened(writes=writes)

    def was_slow(self) -> None:
        self.counters.slow_statements += 1
        self.slow_until = self.clock() + SLOW_FOR

    def _opened(self, *, writes: bool) -> None:
        if not writes:
            # What cannot be read cannot be written to either.
            self.writing.trip()
        self.on_opening()


class GuardedDatabase:
    """A database that is asked only while it answers."""

    def __init__(self, behind: Database, watch: Watch) -> None:
        self.behind = behind
        self.watch = watch

    def within(self, scope: Scope) -> GuardedScope:
        return GuardedScope(self.behind.within(scope), self.watch)

    def close(self) -> None:
        self.behind.close()


class GuardedScope(ScopedDatabase):
    """A guarded database as one scope sees it."""

    def __init__(self, behind: ScopedDatabase, watch: Watch) -> None:
        super().__init__(behind.scope)
        self.decode: Decoder = behind.decode
        self._behind = behind
        self._watch = watch

    def transaction(self) -> AbstractContextManager[Statements]:
        return self._guarded_transaction()

    def long_work(self) -> AbstractContextManager[Callable[[], None]]:
        return self._behind.long_work()

    @contextmanager
    def _guarded_transaction(self) -> Iterator[Statements]:
        """Open a transaction, trying again while none is there; what fails inside is the caller's to repeat."""
        watch = self._watch
        if watch.writing.is_open:
            watch.refuse()
        began, is_begun, budget = watch.clock(), False, deadline.current()
        if budget is not None:
            budget.begin(began)
        try:
            with ExitStack() as opened:
                together = self._begun(opened)
                is_begun = True
                yield together
        except StorageUnavailableError:
            if is_begun:
                watch.failed(writes=True)
            raise
        finally:
            ended = watch.clock()
            if budget is not None:
                budget.end(ended)
        if watch.writing.failures:
            watch.writing.worked()
        if ended - began > watch.slow_seconds:
            watch.was_slow()

    def _begun(self, opened: ExitStack) -> Statements:
        try:
            return opened.enter_context(self._behind.transaction())
        except StorageUnavailableError as trouble:
            return self._watch.again(lambda: opened.enter_context(self._behind.transaction()), trouble, writes=True)

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        watch = self._watch
        writes = _WRITES[name]
        circuit = watch.writing if writes else watch.reading
        if circuit.is_open:
            watch.refuse()
        began, budget = watch.clock(), deadline.current()
        if budget is not None:
            budget.begin(began)
        try:
            outcome = self._behind._execute(name, parameters)
        except StorageUnavailableError as trouble:
            return watch.again(lambda: self._behind._execute(name, parameters), trouble, writes=writes)
        finally:
            ended = watch.clock()
            if budget is not None:
                budget.end(ended)
        if circuit.failures:
            circuit.worked()
        if ended - began > watch.slow_seconds:
            watch.was_slow()
        return outcome
