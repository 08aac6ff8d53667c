"""A PostgreSQL for a benchmark, as durable as PostgreSQL is by default: every commit is on the disk when it returns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.postgres_server import PostgresServer

_OPTIONS = "-c shared_buffers=512MB -c max_connections=100 -c max_wal_size=4GB"


@contextmanager
def durable_server(more_options: str = "") -> Iterator[PostgresServer]:
    server = PostgresServer.start(f"{_OPTIONS} {more_options}")
    try:
        yield server
    finally:
        server.stop()
