"""AutoCleanupService: forgets on time, on every server's clock and by one of them at a time."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from gunita.errors import (
    ConflictError,
    NotFoundError,
    OutOfScopeError,
    StorageError,
    StorageUnavailableError,
    ValidationError,
)
from gunita.models import CleanupResult, CleanupStats, CountedFrom, Retention, Scope
from gunita.services import access
from gunita.services.access import Access
from gunita.services.expiring import EARLIEST, WAITS, CleaningStopped, Pace, Sweep, foreseen
from gunita.services.giving_up import CLOCKS_DIFFER, GIVEN_UP_AFTER, close_left_open
from gunita.services.scheduling import Schedule
from gunita.services.understanding import ReadTexts
from gunita.store import cleaning
from gunita.store.alone import alone
from gunita.store.database import Database, ScopedDatabase

_log = logging.getLogger("gunita.cleanup")

ERRAND = "cleanup"
RUNS_KEPT_FOR = timedelta(days=90)
MOST_RUNS = 10_000
RUNS_LOOKED_AT = 100
AGAIN_AFTER = timedelta(minutes=5)
"""How soon a cleanup that failed is tried again."""
LONGEST_RETENTION = 24 * 366 * 200.0
MOST_ERRORS = 100


class AutoCleanupService:
    """Deletes what is older than its retention: of every tenant for the system's own service, else of the scope's."""

    def __init__(self, door: Access, database: Database, schedule: Schedule, texts: ReadTexts) -> None:
        self._door = door
        self._database = database
        self._schedule = schedule
        self._texts = texts

    def run_cleanup(self) -> CleanupResult:
        """Forget everything that is due now; where another server is at it, leave it to that one."""
        self._service_only()
        try:
            return self._cleaned()
        finally:
            # Whichever server deletes: what this one has read of it goes, too.
            self._texts.let_go(self._door.clock())

    def _cleaned(self) -> CleanupResult:
        now, began = self._door.clock(), time.perf_counter()
        with ExitStack() as errand:
            if not self._begun_alone(errand):
                _log.info("cleanup left to another server, which is at it")
                return CleanupResult(0, 0, time.perf_counter() - began, (), now, skipped=True)
            since = self._closed_to()
            sweeps = [self._swept(db, now, since) for db in self._tenants()]
        result = CleanupResult(
            sessions_deleted=sum(sweep.sessions for sweep in sweeps),
            turns_deleted=sum(sweep.turns for sweep in sweeps),
            execution_time=time.perf_counter() - began,
            errors=tuple(error for sweep in sweeps for error in sweep.errors)[:MOST_ERRORS],
            timestamp=now,
        )
        self._note(result)
        return result

    def _begun_alone(self, errand: ExitStack) -> bool:
        """Take the errand, again where the database was away for a moment; False where another process has it."""
        for wait in WAITS:
            try:
                return errand.enter_context(alone(self._door.settings, ERRAND))
            except StorageUnavailableError as trouble:
                _log.warning("cleanup waits for the database: %s", trouble)
                if self._schedule.pause(wait):
                    raise
        return errand.enter_context(alone(self._door.settings, ERRAND))

    def preview_cleanup(self) -> CleanupResult:
        """Say what a cleanup would forget now, and forget nothing."""
        self._service_only()
        now, began = self._door.clock(), time.perf_counter()
        size = self._door.settings.cleanup_batch_turns
        counts = [foreseen(db, self._rule(db), now, size) for db in self._tenants()]
        sessions, turns = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
        return CleanupResult(sessions, turns, time.perf_counter() - began, (), now)

    def schedule_hourly(self) -> None:
        """Clean every hour, or as often as the settings say, from now on; what was missed is made up for at once."""
        self._service_only()
        every = timedelta(hours=self._door.settings.cleanup_interval_hours)
        last = self._last_run()
        now = self._door.clock()
        first_at = now if last is None or last.errors else max(last.timestamp + every, now)
        self._schedule.start(self._come_round, every, first_at)

    def stop_schedule(self) -> None:
        """Clean no more on schedule; a cleanup on its way stops after the piece at hand."""
        self._schedule.stop()

    def get_cleanup_stats(self) -> CleanupStats:
        self._service_only()
        runs = cleaning.runs(self._door.db, MOST_RUNS)
        return CleanupStats(
            runs=len(runs),
            failed_runs=sum(bool(run.errors) for run in runs),
            sessions_deleted=sum(run.sessions_deleted for run in runs),
            turns_deleted=sum(run.turns_deleted for run in runs),
            mean_execution_time=math.fsum(run.execution_time for run in runs) / len(runs) if runs else 0.0,
            last_run=runs[0] if runs else None,
            next_run_at=self._schedule.next_run_at,
        )

    def set_retention(
        self,
        hours: float,
        *,
        counted_from: CountedFrom | str = CountedFrom.TURN,
        conversation_id: UUID | str | None = None,
    ) -> Retention:
        """Say how long the turns of the tenant are kept, or those of one conversation."""
        rule = Retention(_period(hours), _counted_from(counted_from))
        if conversation_id is None:
            self._service_only()
            cleaning.set_rule_of_tenant(self._door.db, rule, self._door.clock())
        else:
            self._set_own(conversation_id, rule)
        return rule

    def clear_retention(self, conversation_id: UUID | str | None = None) -> None:
        """Take the tenant's rule away, or a conversation's own one."""
        if conversation_id is None:
            self._service_only()
            cleaning.clear_rule_of_tenant(self._door.db)
        else:
            self._set_own(conversation_id, None)

    def get_retention(self, conversation_id: UUID | str | None = None) -> Retention:
        """Say which rule holds for the tenant, or for one conversation."""
        if conversation_id is None:
            return self._rule(self._door.db)
        return self._conversation(conversation_id).own_rule or self._rule(self._door.db)

    def forgotten_at(self, conversation_id: UUID | str) -> datetime | None:
        """Say when something of a conversation is forgotten next; None where it is pinned or holds nothing."""
        wanted = access.identifier("conversation_id", conversation_id)
        found = self._conversation(wanted)
        oldest = cleaning.oldest_turn(self._door.db, wanted)
        if found.pinned or oldest is None:
            return None
        rule = found.own_rule or self._rule(self._door.db)
        return (oldest if rule.counted_from is CountedFrom.TURN else found.updated_at) + rule.kept_for

    def _swept(self, db: ScopedDatabase, now: datetime, since: datetime) -> Sweep:
        """Sweep one tenant; what keeps it from being swept keeps no other one."""
        settings = self._door.settings
        pace = Pace.of_many_writers if settings.is_postgres else Pace.of_one_writer
        sweep = Sweep(db, now, pace(settings.cleanup_batch_turns), self._schedule.pause)
        try:
            close_left_open(db, since, now)
            sweep.everything(self._rule(db))
        except (StorageError, ConflictError) as problem:
            sweep.errors.append(f"tenant {db.scope.tenant_id!r} was not cleaned to the end: {type(problem).__name__}")
            _log.error("cleanup of a tenant stopped: %s", problem, extra={"tenant": db.scope.tenant_id})
        except CleaningStopped:
            _log.info("cleanup stopped because the process ends; the next one goes on")
        return sweep

    def _tenants(self) -> Iterator[ScopedDatabase]:
        if self._door.scope != Scope():
            yield self._door.db
            return
        for tenant in cleaning.tenants(self._database):
            yield self._database.within(Scope(tenant))

    def _rule(self, db: ScopedDatabase) -> Retention:
        settings = self._door.settings
        return cleaning.rule_of_tenant(db) or Retention(
            timedelta(hours=settings.retention_hours), CountedFrom(settings.retention_counted_from)
        )

    def _note(self, result: CleanupResult) -> None:
        _log.log(
            logging.ERROR if result.errors else logging.INFO,
            "cleanup deleted %d turns and %d conversations, with %d errors",
            result.turns_deleted,
            result.sessions_deleted,
            len(result.errors),
            extra={
                "operation": "cleanup",
                "turns_deleted": result.turns_deleted,
                "sessions_deleted": result.sessions_deleted,
                "seconds": round(result.execution_time, 3),
            },
        )
        try:
            cleaning.put_run(self._door.db, result, forget_before=result.timestamp - RUNS_KEPT_FOR)
        except StorageError as problem:
            _log.error("what the cleanup did was not noted: %s", problem)

    def _come_round(self) -> None:
        """Clean on schedule; a failure is tried again soon."""
        try:
            failed = bool(self.run_cleanup().errors)
        except StorageError as problem:
            _log.error("cleanup failed and is tried again: %s", problem)
            failed = True
        if failed:
            self._schedule.sooner(self._door.clock() + AGAIN_AFTER)

    def _last_run(self) -> CleanupResult | None:
        return next(iter(cleaning.runs(self._door.db, 1)), None)

    def _closed_to(self) -> datetime:
        """Say up to when turns that nobody will answer were surely closed: by the last run without an error."""
        whole = (run.timestamp for run in cleaning.runs(self._door.db, RUNS_LOOKED_AT) if not run.errors)
        last = next(whole, None)
        return EARLIEST if last is None else last - GIVEN_UP_AFTER - CLOCKS_DIFFER

    def _conversation(self, conversation_id: UUID | str) -> cleaning.Held:
        wanted = access.identifier("conversation_id", conversation_id)
        found = cleaning.rule_of_conversation(self._door.db, wanted)
        if found is None:
            raise NotFoundError("conversation", wanted)
        return replace(found, id=wanted)

    def _set_own(self, conversation_id: UUID | str, rule: Retention | None) -> None:
        wanted = access.identifier("conversation_id", conversation_id)
        if not cleaning.set_rule_of_conversation(self._door.db, wanted, rule):
            raise NotFoundError("conversation", wanted)

    def _service_only(self) -> None:
        if self._door.scope.user_id is not None:
            raise OutOfScopeError("the tenant's service", f"user {self._door.scope.user_id!r}")


def _period(hours: float) -> timedelta:
    if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 < hours <= LONGEST_RETENTION:
        raise ValidationError("hours", f"must be a number above 0, at most {LONGEST_RETENTION:,.0f}, not {hours!r}")
    period = timedelta(hours=hours)
    if not period:
        raise ValidationError("hours", "is less than a microsecond")
    return period


def _counted_from(value: CountedFrom | str) -> CountedFrom:
    try:
        return CountedFrom(value)
    except ValueError as problem:
        raise ValidationError("counted_from", f"{value!r} is unknown; use 'turn' or 'activity'") from problem
