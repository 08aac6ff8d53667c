"""The two engines, real ones: a SQLite file of its own for every test, and a database of its own in one PostgreSQL."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings

from gunita import Gunita
from tests.postgres_server import PostgresServer

settings.register_profile(
    "gunita",
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("gunita")

_POSTGRES_URL = "GUNITA_TEST_POSTGRES"
_server: PostgresServer | None = None
_numbers = itertools.count(1)


def pytest_configure(config: pytest.Config) -> None:
    """Start one PostgreSQL for the whole run; parallel workers inherit its address."""
    global _server
    if _POSTGRES_URL not in os.environ and not config.option.collectonly:
        _server = PostgresServer.start()
        os.environ[_POSTGRES_URL] = _server.url


def pytest_unconfigure() -> None:
    if _server is not None:
        os.environ.pop(_POSTGRES_URL, None)
        _server.stop()


@pytest.fixture(scope="session")
def postgres_url() -> str:
    return os.environ[_POSTGRES_URL]


@pytest.fixture
def new_postgres_url(postgres_url: str) -> Iterator[str]:
    with new_database(postgres_url) as address:
        yield address


@contextmanager
def new_database(postgres_url: str) -> Iterator[str]:
    """An empty database in the run's server, dropped afterwards."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_url.rsplit("/", 1)[0] + f"/{name}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, once for each engine."""
    if request.param == "sqlite":
        return str(tmp_path / "gunita.db")
    address: str = request.getfixturevalue("new_postgres_url")
    return address


@pytest.fixture
def gunita(url: str) -> Iterator[Gunita]:
    with Gunita.open(url) as opened:
        yield opened


@pytest.fixture
def raw(url: str) -> Callable[..., list[tuple[object, ...]]]:
    """Speak SQL to the database directly, as its owner; parameters are written ?."""
    from tests.raw_sql import run

    return lambda statement, *parameters: run(url, statement, *parameters)
