"""How much is kept, as a scope sees it."""

from __future__ import annotations

from dataclasses import dataclass

from gunita.errors import OutOfScopeError
from gunita.models import Scope
from gunita.services.access import Access
from gunita.store import statistics
from gunita.store.statistics import Counts

__all__ = ["Counts", "Reachable", "StatisticsService", "StorageSize"]

NEARLY_FULL = 0.8


@dataclass(frozen=True, slots=True)
class Reachable:
    """That the database answered, and how long it took."""

    milliseconds: float


@dataclass(frozen=True, slots=True)
class StorageSize:
    """What the whole database takes, and what it may take."""

    bytes: int
    free_bytes: int
    """Of these, room inside that deleted rows left; 0 where the engine does not say."""
    budget_bytes: int

    @property
    def share(self) -> float:
        return (self.bytes - self.free_bytes) / self.budget_bytes

    @property
    def is_nearly_full(self) -> bool:
        return self.share >= NEARLY_FULL


class StatisticsService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def count(self, user_id: str | None = None) -> Counts:
        """Count what is kept of a user, or for a service that names nobody, of the tenant."""
        return statistics.count(self._door.db, self._door.user_or_all(user_id))

    def storage(self) -> StorageSize:
        """Measure the database; it is one for all tenants, so that only the system's own service is told."""
        if self._door.scope != Scope():
            raise OutOfScopeError("the whole database", "one tenant")
        taken, free = statistics.storage(self._door.db)
        return StorageSize(taken, free, self._door.settings.storage_budget_megabytes * 1_000_000)

    def ping(self) -> Reachable:
        """Ask the database something small; raises where it does not answer."""
        before = self._door.clock()
        statistics.ping(self._door.db)
        return Reachable(round((self._door.clock() - before).total_seconds() * 1000, 3))
