"""Reads from a streaming replica where that spares the primary, and never anything older than what was committed when
the call began. A replica that is away, too far behind, or none at all is left alone for a while."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from gunita.errors import StorageUnavailableError
from gunita.models import Scope
from gunita.store import deadline
from gunita.store.database import Row, ScopedDatabase, Statements
from gunita.store.postgres import PostgresDatabase, PostgresDecoder

_Outcome: TypeAlias = tuple[list[Row], int]

_log = logging.getLogger("gunita.store")

READ_ELSEWHERE = frozenset(
    {
        "conversations_after_of_tenant",
        "conversations_after_of_user",
        "memories_after_of_tenant",
        "memories_after_of_user",
        "messages_to_move",
        "user_memory_after_of_tenant",
        "user_states_after_of_tenant",
        "newest_answers_of_tenant",
        "newest_answers_of_user",
        "newest_queries_of_tenant",
        "newest_queries_of_user",
        "count_what_is_kept",
    }
)
"""Exports, insights and counts. A turn's own past, lists, memories and search stay with the primary."""
LEFT_ALONE_FOR = 30.0
"""Seconds for which a replica that failed is not asked again."""
_NAP = 0.005

# A commit that need not be on disk to be acknowledged is in the log all the same, though not written out yet.
_WRITTEN_TO = "SELECT pg_current_wal_insert_lsn()::text"
_HAS_REACHED = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() >= %(place)s::pg_lsn END"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"


class Replica:
    """A replica that is opened when it is first wanted."""

    def __init__(
        self, opening: Callable[[], PostgresDatabase], wait_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._opening = opening
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._opened: PostgresDatabase | None = None
        self._being_opened = threading.Lock()
        self._not_before = -LEFT_ALONE_FOR

    def read(self, primary: PostgresDatabase, scope: Scope, name: str, parameters: dict[str, Any]) -> _Outcome | None:
        """Read there once everything has come that the primary holds now; None where the primary has to be asked."""
        if self._clock() < self._not_before:
            return None
        place = primary.ask(_WRITTEN_TO)
        try:
            replica = self._open(primary)
            if replica is not None and self._comes_to(replica, place):
                return replica.execute(scope, name, parameters)
        except StorageUnavailableError as trouble:
            self._leave_alone(str(trouble))
        return None

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _open(self, primary: PostgresDatabase) -> PostgresDatabase | None:
        with self._being_opened:
            if self._opened is None:
                opened = self._opening()
                if opened.ask(_CLUSTER) != primary.ask(_CLUSTER):
                    opened.close()
                    self._leave_alone("it copies another database; check GUNITA_REPLICA_URL")
                    return None
                self._opened = opened
            return self._opened

    def _comes_to(self, replica: PostgresDatabase, place: object) -> bool:
        until = time.monotonic() + deadline.remaining(self._wait_seconds)
        while (reached := replica.ask(_HAS_REACHED, place=place)) is False and time.monotonic() < until:
            time.sleep(_NAP)
        if reached is None:
            self._leave_alone("it is a primary; check GUNITA_REPLICA_URL")
        elif not reached:
            self._leave_alone("it is too far behind")
        return bool(reached)

    def _leave_alone(self, why: str) -> None:
        self._not_before = self._clock() + LEFT_ALONE_FOR
        _log.warning("the replica is not read for %.0f seconds: %s", LEFT_ALONE_FOR, why)


class ReplicatedDatabase:
    """A primary that a replica reads for."""

    def __init__(self, primary: PostgresDatabase, replica: Replica) -> None:
        self._primary = primary
        self._replica = replica

    def within(self, scope: Scope) -> ReplicatedScope:
        return ReplicatedScope(scope, self._primary, self._replica)

    def close(self) -> None:
        self._replica.close()
        self._primary.close()


class ReplicatedScope(ScopedDatabase):
    decode = PostgresDecoder()

    def __init__(self, scope: Scope, primary: PostgresDatabase, replica: Replica) -> None:
        super().__init__(scope)
        self._primary = primary
        self._replica = replica

    def transaction(self) -> AbstractContextManager[Statements]:
        return self._primary.transaction(self.scope)

    def _execute(self, name: str, parameters: dict[str, Any]) -> _Outcome:
        if name in READ_ELSEWHERE:
            found = self._replica.read(self._primary, self.scope, name, dict(parameters))
            if found is not None:
                return found
        return self._primary.execute(self.scope, name, parameters)
