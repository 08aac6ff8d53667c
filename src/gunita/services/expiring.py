"""Forgets what is too old in one tenant: in small pieces, with rests between them, past whatever refuses to go."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from uuid import UUID

from gunita.errors import ConflictError, StorageError, StorageUnavailableError
from gunita.models import CountedFrom, Retention
from gunita.store import cleaning
from gunita.store.cleaning import ExpiredTurn, Gone, Held, IsDue
from gunita.store.database import ScopedDatabase

_log = logging.getLogger("gunita.cleanup")

EVER = datetime(9999, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
WAITS = (0.5, 1.0, 2.0)
"""Seconds before a piece is tried again that failed because the database was away."""
TURNS_A_SECOND = 1_600.0
"""Nobody needs it faster: the turns of an hour, five thousand of a busy service, are gone in four seconds."""
SETTLED_AFTER = 0.1
"""Seconds of work after which what was written is settled: seldom enough to be cheap, often enough to stay short."""


class CleaningStopped(Exception):
    """The process ends; what is left is forgotten by the next run."""


@dataclass(slots=True)
class Pace:
    """How much is deleted in one transaction, and how long it rests afterwards, so that others get their turn."""

    most: int
    piece: int
    least: int
    """Below this, beginning and ending a transaction would take longer than the work."""
    aim: float
    """Seconds that one transaction should take."""
    ease: float
    """A piece that took less than this share of them may grow."""
    rest: float
    """How long it rests at least, as a multiple of how long it worked."""

    @classmethod
    def of_one_writer(cls, most: int) -> Pace:
        """Go in small steps, a third of the time at most, where everybody who writes waits meanwhile."""
        return cls(most, piece=8, least=8, aim=0.002, ease=0.5, rest=2.0)

    @classmethod
    def of_many_writers(cls, most: int) -> Pace:
        """Go in longer steps, two fifths of the time at most, where others share processors and disk.

        Whoever commits next waits until all that was written before is on the disk, what a long step wrote as well; and
        a step has its price, however short. So it is to be about as long as that price is worth, and no shorter on a
        slow machine, where the price is higher still.
        """
        return cls(most, piece=24, least=24, aim=0.007, ease=0.8, rest=1.5)

    def after(self, seconds: float, count: int) -> float:
        """Learn from how long a piece took; say how long to rest, which is longer on a fast machine."""
        if seconds > self.aim:
            self.piece = max(min(self.least, self.most), min(self.piece, count) // 2)
        elif seconds < self.ease * self.aim and count >= self.piece:
            self.piece = min(self.most, self.piece + max(1, self.piece // 4))
        return max(seconds * self.rest, count / TURNS_A_SECOND - seconds)


@dataclass(slots=True)
class Sweep:
    """One walk through one tenant, and what came of it."""

    db: ScopedDatabase
    now: datetime
    pace: Pace
    pause: Callable[[float], bool]
    """Waits so many seconds; tells whether the process ends."""
    settle: Callable[[], None] = field(init=False)
    turns: int = 0
    sessions: int = 0
    errors: list[str] = field(default_factory=list)
    unsettled: float = 0.0
    """Seconds of work since what was written was last settled."""

    def everything(self, rule: Retention) -> None:
        """Forget what the tenant's rule and the conversations' own rules say."""
        with self.db.long_work() as self.settle:
            self._everything(rule)

    def _everything(self, rule: Retention) -> None:
        for turns in due_turns(self.db, rule, self.now, self.pace.most):
            self._forget(turns, partial(is_due, rule, self.now, None))
        for own in cleaning.conversations_with_own_rule(self.db, self.pace.most):
            due = partial(is_due, own.rule, self.now, own.rule)
            for turns in due_turns_of(self.db, own, self.now, self.pace.most):
                self._forget(turns, due)
            if own.updated_at < cutoff(own.rule, self.now):
                self._forget_empty([own.id], due)
        quiet_since = cutoff(rule, self.now)
        empty = cleaning.empty_conversations(self.db, quiet_since, self.pace.most)
        while ids := list(islice(empty, self.pace.most)):
            self._forget_empty(ids, lambda held: is_due(rule, self.now, None, held) and held.updated_at < quiet_since)
        cleaning.drop_expired_pending(self.db, self.now)

    def _forget(self, turns: Sequence[ExpiredTurn], due: IsDue) -> None:
        place = 0
        while place < len(turns):
            piece = turns[place : place + min(self.pace.piece, self.pace.most)]
            place += len(piece)
            self._go_on(piece, due)

    def _go_on(self, piece: Sequence[ExpiredTurn], due: IsDue) -> None:
        """Delete a piece; where it is refused, its halves, until what refuses stands alone and is told."""
        try:
            self._patiently(lambda: cleaning.forget(self.db, piece, due), len(piece))
        except StorageUnavailableError:
            raise
        except (StorageError, ConflictError) as problem:
            if len(piece) > 1:
                half = len(piece) // 2
                self._go_on(piece[:half], due)
                self._go_on(piece[half:], due)
                return
            conversation, number = piece[0]
            self.errors.append(f"turn {number} of conversation {conversation} stays: {type(problem).__name__}")
            _log.error("cleanup could not delete turn %d of %s: %s", number, shortened(conversation), problem)

    def _forget_empty(self, ids: Sequence[UUID], due: IsDue) -> None:
        try:
            self._patiently(lambda: cleaning.forget_empty(self.db, ids, due), len(ids))
        except StorageUnavailableError:
            raise
        except (StorageError, ConflictError) as problem:
            self.errors += [f"conversation {id_} stays: {type(problem).__name__}" for id_ in ids]
            _log.error("cleanup could not delete empty %s: %s", ", ".join(map(shortened, ids)), problem)

    def _patiently(self, work: Callable[[], Gone], size: int) -> None:
        """Do one transaction, again where the database was away for a moment, and rest."""
        for wait in (*WAITS, None):
            began = time.perf_counter()
            try:
                gone = work()
            except StorageUnavailableError:
                if wait is None:
                    raise
                self._rest(wait)
            else:
                # Counted before anything else can happen: what went is told, also when the process ends in the rest.
                self._count(gone)
                self._rest_after(time.perf_counter() - began, size)
                return

    def _rest_after(self, worked: float, size: int) -> None:
        self._rest(self.pace.after(worked, size))
        self.unsettled += worked
        if self.unsettled >= SETTLED_AFTER:
            self.unsettled = 0.0
            self.settle()

    def _rest(self, seconds: float) -> None:
        if self.pause(seconds):
            raise CleaningStopped

    def _count(self, gone: Gone) -> None:
        self.turns += gone.turns
        self.sessions += gone.conversations


def cutoff(rule: Retention, now: datetime) -> datetime:
    """Say before which moment things are older than the retention."""
    return max(now - rule.kept_for, EARLIEST) if rule.kept_for < now - EARLIEST else EARLIEST


def is_due(rule: Retention, now: datetime, own: Retention | None, held: Held) -> bool:
    """Decide whether a rule still holds: nobody pinned the conversation, gave it another rule, or went on with it."""
    if held.pinned or held.own_rule != own:
        return False
    return rule.counted_from is CountedFrom.TURN or held.updated_at < cutoff(rule, now)


def due_turns(db: ScopedDatabase, rule: Retention, now: datetime, size: int) -> Iterator[Sequence[ExpiredTurn]]:
    """Walk what a tenant's rule lets go."""
    before = cutoff(rule, now)
    if rule.counted_from is CountedFrom.TURN:
        yield from cleaning.expired_turns(db, before, size)
        return
    gathered: list[ExpiredTurn] = []
    for conversation in cleaning.quiet_conversations(db, before, size):
        for turns in cleaning.expired_turns_of(db, conversation, EVER, size):
            gathered += turns
            if len(gathered) >= size:
                yield gathered
                gathered = []
    if gathered:
        yield gathered


def due_turns_of(
    db: ScopedDatabase, own: cleaning.OwnRule, now: datetime, size: int
) -> Iterator[Sequence[ExpiredTurn]]:
    """Walk what a conversation's own rule lets go."""
    before = cutoff(own.rule, now)
    if own.rule.counted_from is CountedFrom.TURN:
        yield from cleaning.expired_turns_of(db, own.id, before, size)
    elif own.updated_at < before:
        yield from cleaning.expired_turns_of(db, own.id, EVER, size)


def foreseen(db: ScopedDatabase, rule: Retention, now: datetime, size: int) -> tuple[int, int]:
    """Count the conversations and turns that a sweep would forget, without forgetting them."""
    expired: dict[UUID, int] = {}
    walks = [due_turns(db, rule, now, size)]
    owns = list(cleaning.conversations_with_own_rule(db, size))
    walks += [due_turns_of(db, own, now, size) for own in owns]
    for walk in walks:
        for turns in walk:
            for conversation, _ in turns:
                expired[conversation] = expired.get(conversation, 0) + 1
    emptied = sum(count == cleaning.turns_left(db, conversation) for conversation, count in expired.items())
    emptied += sum(1 for _ in cleaning.empty_conversations(db, cutoff(rule, now), size))
    emptied += sum(own.updated_at < cutoff(own.rule, now) and not cleaning.turns_left(db, own.id) for own in owns)
    return emptied, sum(expired.values())


def shortened(identifier: UUID) -> str:
    """Say enough of an id to find it again in the database, and no more."""
    text = str(identifier)
    return f"{text[:8]}…{text[-4:]}"
