"""PostgreSQL: psycopg 3 and its pool; every statement runs as the application's role under an announced scope."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any, LiteralString, NoReturn, TypeVar
from uuid import UUID

import psycopg
from psycopg import errors
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolClosed

from gunita.errors import AccessRefusedError, ConflictError, StorageError, StorageUnavailableError
from gunita.models import Scope
from gunita.settings import Pooling
from gunita.store import deadline, queries
from gunita.store.address import UNREADABLE
from gunita.store.database import CLOSED, Row, ScopedDatabase, Statements, tenant_key

ROLE = "gunita_app"
LONGEST_STATEMENT = 30.0
"""Seconds after which a server that says nothing is taken for stuck, where no deadline says so sooner."""
RECONNECTING = 5.0
"""Seconds of the pool's own attempts; left longer, it would still be waiting when the server has come back."""
PASSES = ("08", "40", "53", "55", "57", "58")
"""Classes of the server's own errors that pass: connections, deadlocks, resources, locks, shutdowns, its machine."""
OUTCOME_UNKNOWN = ("08", "57P")

Result = TypeVar("Result")

_STATEMENTS = {name: queries.for_psycopg(query.steps[0]) for name, query in queries.load("postgres").items()}

# Every statement is a walk along a key, for which there is one good plan whatever the values are; left to choose, the
# server plans some of them anew at each call, which costs as much as running them. Citus finds the shard by the values.
_ANNOUNCE = """
SELECT set_config('role', %(role)s, %(local)s), set_config('search_path', %(schema)s, %(local)s),
       set_config('gunita.tenant', %(tenant)s, %(local)s), set_config('gunita.user', %(user)s, %(local)s),
       set_config('plan_cache_mode', %(plans)s, %(local)s), set_config('timezone', 'UTC', %(local)s)
"""
_HAS_CITUS = "SELECT FROM pg_extension WHERE extname = 'citus'"


class PostgresDecoder:
    """The driver has already made UUIDs, aware times and JSON values."""

    @staticmethod
    def identifier(value: UUID) -> UUID:
        return value

    @staticmethod
    def moment(value: datetime) -> datetime:
        return value if value.tzinfo is UTC else value.astimezone(UTC)

    @staticmethod
    def json(value: Any) -> Any:
        return value


class ScopedConnection(psycopg.Connection[TupleRow]):
    """A connection that remembers which scope it has announced to the server."""

    announced: Scope | None = None

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """Wait for the server as long as the call at hand may take; a server that is stopped never says no."""
        try:
            return super().wait(gen, interval, deadline.remaining(LONGEST_STATEMENT))
        except errors._WaitTimeout as stuck:
            self.close()
            raise psycopg.OperationalError("the server did not answer in time") from stuck


class PostgresDatabase:
    def __init__(self, url: str, *, pooling: Pooling, schema: str, pool_size: int, wait_seconds: float) -> None:
        self._pooling = pooling
        self._schema = schema
        self._wait_seconds = wait_seconds
        self._pool: ConnectionPool[ScopedConnection] = ConnectionPool(
            url,
            connection_class=ScopedConnection,
            kwargs={
                "autocommit": True,
                "connect_timeout": max(2, math.ceil(wait_seconds)),
                # Behind a transaction-mode pooler the next statement may meet another server connection,
                # which has not heard of anything prepared before.
                "prepare_threshold": None if pooling is Pooling.TRANSACTION else 0,
            },
            min_size=1,
            max_size=pool_size,
            timeout=wait_seconds,
            reconnect_timeout=RECONNECTING,
            open=False,
        )
        try:
            self._pool.open(wait=True, timeout=wait_seconds)
            with self._pool.connection() as connection:
                self.is_distributed = connection.execute(_HAS_CITUS).fetchone() is not None
        except psycopg.Error as error:
            self._pool.close()
            explain(error)
        self._plans = "auto" if self.is_distributed else "force_generic_plan"

    def within(self, scope: Scope) -> PostgresScope:
        return PostgresScope(self, scope)

    def execute(self, scope: Scope, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        """Run one statement in a transaction of its own: one round trip unless the scope is new to the connection."""
        connection = self._borrow()
        try:
            if self._pooling is Pooling.SESSION:
                self._announce_if_new(connection, scope)
                return _run(connection, scope, name, parameters)
            with connection.pipeline() as pipeline, connection.transaction():
                self._announce(connection, scope, local=True)
                cursor = _send(connection, scope, name, parameters)
                pipeline.sync()
                return _outcome(cursor)
        except psycopg.Error as error:
            self._replace_if_lost(connection)
            explain(error, sent=True)
        finally:
            self._pool.putconn(connection)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[PostgresTransaction]:
        connection = self._borrow()
        try:
            if self._pooling is Pooling.SESSION:
                self._announce_if_new(connection, scope)
            with connection.transaction():
                if self._pooling is Pooling.TRANSACTION:
                    self._announce(connection, scope, local=True)
                yield PostgresTransaction(connection, scope)
        except psycopg.Error as error:
            self._replace_if_lost(connection)
            explain(error, sent=True)
        finally:
            self._pool.putconn(connection)

    def ask(self, question: LiteralString, **parameters: object) -> object:
        """Ask the server something about itself: one value, the same for every scope."""
        connection = self._borrow()
        try:
            answer = connection.execute(question, parameters).fetchone()
        except psycopg.Error as error:
            self._replace_if_lost(connection)
            explain(error)
        finally:
            self._pool.putconn(connection)
        return None if answer is None else answer[0]

    def close(self) -> None:
        self._pool.close()

    def _borrow(self) -> ScopedConnection:
        """Take a connection; the pool's own context manager would open a transaction bracket that nobody needs."""
        try:
            return self._pool.getconn(deadline.remaining(self._wait_seconds))
        except PoolClosed as error:
            raise StorageError(CLOSED) from error
        except psycopg.Error as error:
            explain(error)

    def _replace_if_lost(self, connection: ScopedConnection) -> None:
        """Look at the others when one connection was lost: what took it has usually taken them too."""
        if connection.closed:
            self._pool.drain()

    def _announce_if_new(self, connection: ScopedConnection, scope: Scope) -> None:
        if connection.announced is not scope and connection.announced != scope:
            connection.announced = None
            self._announce(connection, scope, local=False)
            connection.announced = scope

    def _announce(self, connection: ScopedConnection, scope: Scope, *, local: bool) -> None:
        connection.execute(
            _ANNOUNCE,
            {
                "role": ROLE,
                "schema": self._schema,
                "tenant": "=" + tenant_key(scope),
                "user": "*" if scope.is_service else f"={scope.user_id}",
                "plans": self._plans,
                "local": local,
            },
        )


class PostgresScope(ScopedDatabase):
    decode = PostgresDecoder()

    def __init__(self, database: PostgresDatabase, scope: Scope) -> None:
        super().__init__(scope)
        self._database = database

    def transaction(self) -> AbstractContextManager[Statements]:
        return self._database.transaction(self.scope)

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        return self._database.execute(self.scope, name, parameters)


class PostgresTransaction(Statements):
    decode = PostgresDecoder()

    def __init__(self, connection: ScopedConnection, scope: Scope) -> None:
        super().__init__(scope)
        self._connection = connection

    def run_each(self, *statements: tuple[str, dict[str, Any]]) -> None:
        with self._connection.pipeline():
            for name, parameters in statements:
                _send(self._connection, self.scope, name, parameters)

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        return _run(self._connection, self.scope, name, parameters)


def _run(connection: ScopedConnection, scope: Scope, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
    return _outcome(_send(connection, scope, name, parameters))


def _send(
    connection: ScopedConnection, scope: Scope, name: str, parameters: dict[str, Any]
) -> psycopg.Cursor[TupleRow]:
    parameters["tenant_id"] = tenant_key(scope)
    parameters["scope_user"] = scope.user_id
    return connection.execute(_STATEMENTS[name], parameters, binary=True)


def _outcome(cursor: psycopg.Cursor[TupleRow]) -> tuple[list[Row], int]:
    # Asking for the description instead would build an object for every column.
    return ([] if cursor.rownumber is None else cursor.fetchall()), cursor.rowcount


def explain(error: psycopg.Error, *, sent: bool = False) -> NoReturn:
    """Turn the driver's error into ours, with what to do about it."""
    if isinstance(error, errors.InsufficientPrivilege):
        raise AccessRefusedError(
            f"PostgreSQL refused access: {error}; the row is another's, or the login lacks the role: GRANT {ROLE} TO it"
        ) from error
    if is_temporary(error):
        raise StorageUnavailableError(
            f"PostgreSQL does not answer ({error}); check that it runs and that its address is right, then try again",
            maybe_done=sent and (error.sqlstate or OUTCOME_UNKNOWN[0]).startswith(OUTCOME_UNKNOWN),
        ) from error
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        # The driver itself could not read the address, and quotes the part that it stumbled over.
        raise StorageError(UNREADABLE) from None
    if isinstance(error, psycopg.IntegrityError):
        raise ConflictError(f"the database refused the write: {error}") from error
    raise StorageError(f"PostgreSQL could not do it: {error}") from error


def is_temporary(error: psycopg.Error) -> bool:
    """Tell trouble that passes: a connection that is not there, or what the server itself says will pass."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    # A server that takes over from another refuses writes until it has.
    return error.sqlstate.startswith(PASSES) or isinstance(error, errors.ReadOnlySqlTransaction)
