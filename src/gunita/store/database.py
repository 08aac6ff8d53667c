"""The seam between the store's intentions and the two drivers: named statements under a scope, and no more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from gunita.models import Scope

Row: TypeAlias = tuple[Any, ...]

CLOSED = "this Gunita was closed; open it again"


class Decoder(Protocol):
    """How an engine's values become ours."""

    def identifier(self, value: Any) -> UUID: ...

    def moment(self, value: Any) -> datetime: ...

    def json(self, value: Any) -> Any: ...


class Statements(ABC):
    """Named statements, each of which carries the scope they were made for."""

    decode: Decoder

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def one(self, name: str, /, **parameters: Any) -> Row | None:
        rows = self._execute(name, parameters)[0]
        return rows[0] if rows else None

    def all(self, name: str, /, **parameters: Any) -> list[Row]:
        return self._execute(name, parameters)[0]

    def run(self, name: str, /, **parameters: Any) -> int:
        """Run a statement and count the rows it touched."""
        return self._execute(name, parameters)[1]

    def run_each(self, *statements: tuple[str, dict[str, Any]]) -> None:
        """Run statements one after the other whose outcome nobody needs; where it saves waiting, send them at once."""
        for name, parameters in statements:
            self._execute(name, parameters)

    @abstractmethod
    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]: ...


class ScopedDatabase(Statements):
    """A database as one scope sees it. A statement outside a transaction is a transaction of its own."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Statements]: ...

    def long_work(self) -> AbstractContextManager[Callable[[], None]]:
        """Lend what long work calls between its transactions, so that nobody else pays for what it wrote."""
        return nullcontext(_nothing_to_settle)


class Database(Protocol):
    """One engine with its connections."""

    def within(self, scope: Scope) -> ScopedDatabase: ...

    def close(self) -> None: ...


def _nothing_to_settle() -> None:
    """Do nothing, where the engine looks after what was written by itself."""


def tenant_key(scope: Scope) -> str:
    """Say the tenant as it stands in the tables, where the null tenant is '' so that keys hold for it too."""
    return scope.tenant_id or ""
