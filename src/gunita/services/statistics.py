"""How much is kept, as a scope sees it."""

from __future__ import annotations

from dataclasses import dataclass

from gunita.services.access import Access
from gunita.store import statistics
from gunita.store.statistics import Counts

__all__ = ["Counts", "Reachable", "StatisticsService"]


@dataclass(frozen=True, slots=True)
class Reachable:
    """That the database answered, and how long it took."""

    milliseconds: float


class StatisticsService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def count(self, user_id: str | None = None) -> Counts:
        """Count what is kept of a user, or for a service that names nobody, of the tenant."""
        return statistics.count(self._door.db, self._door.user_or_all(user_id))

    def ping(self) -> Reachable:
        """Ask the database something small; raises where it does not answer."""
        before = self._door.clock()
        statistics.ping(self._door.db)
        return Reachable(round((self._door.clock() - before).total_seconds() * 1000, 3))
