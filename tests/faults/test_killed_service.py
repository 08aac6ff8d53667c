"""The service killed at random instants while clients write: what was acknowledged is there, once and in order."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gunita import Gunita
from tests.faults.conftest import Fragile
from tests.faults.faults import rows_of, wait_until
from tests.faults.service_process import Client, ServiceProcess

QUICK = {"storage_retry_seconds": "0.05", "storage_deadline_seconds": "0.6", "postgres_wait_seconds": "0.5"}


@pytest.fixture
def service(url: str, tmp_path: Path) -> Iterator[ServiceProcess]:
    process = ServiceProcess(url, tmp_path, **QUICK)
    yield process
    process.stop()


def live_and_die(service: ServiceProcess, clients: list[Client], chance: random.Random) -> None:
    """Serve the clients for a moment and be killed in the middle of it."""
    service.start()
    for client in clients:
        client.start()
    before = sum(len(client.acknowledged) for client in clients)
    wait_until(lambda: sum(len(client.acknowledged) for client in clients) > before, 60)
    time.sleep(chance.random() / 2)
    service.kill()
    for client in clients:
        client.stop()


def check(url: str, client: Client) -> None:
    """Check one client's conversation against what it was told."""
    rows = rows_of(url, client.session)
    numbers = sorted({number for number, _, _ in rows})
    assert numbers == list(range(1, len(numbers) + 1))
    # Every turn is whole: a query and its answer.
    assert [role for _, role, _ in rows] == ["user", "assistant"] * len(numbers)
    kept = [content for _, role, content in rows if role == "user"]
    assert len(kept) == len(set(kept))
    assert set(client.acknowledged) <= set(kept) <= set(client.sent)
    assert [query for query in client.sent if query in kept] == kept


def die_again_and_again(url: str, service: ServiceProcess, deaths: int, chance: random.Random) -> None:
    clients = [Client(service.url, user) for user in ("ana", "ben", "cora")]
    for _ in range(deaths):
        live_and_die(service, clients, chance)
    with Gunita.open(url, journal_folder=service.journal_folder):
        for client in clients:
            check(url, client)
            assert len(client.acknowledged) >= 1


def test_a_service_killed_while_clients_write_loses_nothing_and_leaves_nothing_half_done(
    url: str, service: ServiceProcess
) -> None:
    die_again_and_again(url, service, 2 if url.startswith("postgresql") else 3, random.Random(6))


@pytest.mark.soak
def test_a_service_killed_a_hundred_times_loses_nothing(url: str, service: ServiceProcess) -> None:
    """Runs on both engines, which makes two hundred."""
    die_again_and_again(url, service, 100, random.Random())


def test_a_service_killed_while_its_database_is_down_loses_nothing(
    fragile: Fragile, fragile_url: str, tmp_path: Path
) -> None:
    service = ServiceProcess(fragile_url, tmp_path, **QUICK)
    clients = [Client(service.url, user) for user in ("ana", "ben")]
    try:
        service.start()
        for client in clients:
            client.start()
        wait_until(lambda: all(len(client.acknowledged) > 2 for client in clients), 60)
        fragile.stop()
        before = [len(client.acknowledged) for client in clients]
        wait_until(lambda: all(len(c.acknowledged) > n + 3 for c, n in zip(clients, before, strict=True)), 60)
        ready = httpx.get(f"{service.url}/readyz", timeout=10).json()
        assert (ready["status"], ready["database_ms"]) == ("degraded", None)
        assert ready["waiting_turns"] > 3
        service.kill()
        for client in clients:
            client.stop()
    finally:
        service.stop()
        fragile.start()
    with Gunita.open(fragile_url, journal_folder=service.journal_folder):
        for client in clients:
            check(fragile_url, client)
    assert not service.journal_folder.exists()


def test_a_service_that_starts_before_its_database_waits_for_it(
    fragile: Fragile, fragile_url: str, tmp_path: Path
) -> None:
    patient = QUICK | {"storage_retry_seconds": "1.0"}
    service = ServiceProcess(fragile_url, tmp_path, **patient)
    fragile.stop()
    try:
        service.launch()
        wait_until(lambda: "does not answer yet" in (tmp_path / "service.log").read_text(), 60)
    finally:
        fragile.start()
    service.wait_until_ready()
    service.stop()
