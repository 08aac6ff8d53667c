"""The address of every database here leads through PgBouncer in transaction mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pooled.pgbouncer import PgBouncer


@pytest.fixture(scope="session")
def pooler(postgres_url: str) -> Iterator[PgBouncer]:
    pooler = PgBouncer(postgres_url)
    yield pooler
    pooler.stop()


@pytest.fixture
def url(pooler: PgBouncer, new_postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("GUNITA_POSTGRES_POOLING", "transaction")
    return pooler.in_front_of(new_postgres_url)
