"""SQL spoken past Gunita, as the database's owner."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import psycopg


def run(url: str, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement.replace("%", "%%").replace("?", "%s"), parameters or None)
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(url, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        return connection.execute(statement, parameters).fetchall()
