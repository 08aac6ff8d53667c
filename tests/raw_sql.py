"""SQL spoken past Gunita, as the database's owner."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg

Rows: TypeAlias = list[tuple[Any, ...]]
Raw: TypeAlias = Callable[..., Rows]

REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError)


def run(url: str, statement: str, *parameters: Any) -> Rows:
    with connected(url) as raw:
        return raw(statement, *parameters)


@contextmanager
def connected(url: str) -> Iterator[Raw]:
    """Keep one connection for many statements, each a transaction of its own; parameters are written ?."""
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as connection:
            yield lambda statement, *parameters: _on_postgres(connection, statement, parameters)
        return
    file = sqlite3.connect(url, isolation_level=None)
    try:
        file.execute("PRAGMA foreign_keys = ON")
        file.execute("PRAGMA synchronous = OFF")
        yield lambda statement, *parameters: file.execute(statement, parameters).fetchall()
    finally:
        file.close()


def _on_postgres(connection: psycopg.Connection, statement: str, parameters: tuple[Any, ...]) -> Rows:
    cursor = connection.execute(statement.replace("%", "%%").replace("?", "%s"), parameters or None)
    return cursor.fetchall() if cursor.description else []
