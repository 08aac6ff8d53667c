"""A real database in which something happens at one moment of what is done to it, as another server would do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gunita.models import Scope
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements


class Interleaved:
    """Lets something happen once, before a named statement or the first transaction."""

    def __init__(self, behind: Database, happens: Callable[[], object], before: str) -> None:
        self.behind = behind
        self.before = before
        self._happens: list[Callable[[], object]] = [happens]

    def within(self, scope: Scope) -> ScopedDatabase:
        return InterleavedScope(self, self.behind.within(scope))

    def close(self) -> None:
        """Leave the database open: it is its owner's to close."""

    def reached(self, moment: str) -> None:
        if moment == self.before and self._happens:
            self._happens.pop()()


class InterleavedScope(ScopedDatabase):
    def __init__(self, database: Interleaved, behind: ScopedDatabase) -> None:
        super().__init__(behind.scope)
        self.decode: Decoder = behind.decode
        self._database, self._behind = database, behind

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        self._database.reached("transaction")
        with self._behind.transaction() as together:
            yield together

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        self._database.reached(name)
        return self._behind._execute(name, parameters)
