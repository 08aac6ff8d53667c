"""Behind PgBouncer: many callers on two connections, whose scopes, locks and statements never mix."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest

from gunita import Gunita
from gunita.settings import Settings
from gunita.store.alone import alone
from gunita.store.migrate import known
from tests.faults.service_process import ServiceProcess
from tests.faults.test_killed_service import QUICK
from tests.pooled.pgbouncer import SERVER_CONNECTIONS
from tests.store.test_postgres import use_everything


def test_every_service_works_for_many_callers_on_few_connections(url: str, new_postgres_url: str) -> None:
    with Gunita.open(url, postgres_pool_size=8) as g, ThreadPoolExecutor(8) as callers:
        for done in [callers.submit(use_everything, g) for _ in range(24)]:
            done.result()
    with psycopg.connect(new_postgres_url) as direct:
        [(connections,)] = direct.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    assert connections <= SERVER_CONNECTIONS


def test_no_scope_is_left_for_whoever_comes_next(url: str) -> None:
    """Each caller sees its own rows alone, also under row-level security, and a stranger of the pool sees no scope."""
    with Gunita.open(url, postgres_pool_size=8) as g:

        def live(number: int) -> list[str]:
            mine = g.scoped(f"tenant {number}", "ana")
            for step in range(10):
                mine.users.set_memory("ana", f"key {step}", number)
            return [str(value) for value in mine.users.get_all_memory("ana").values()]

        with ThreadPoolExecutor(8) as callers:
            seen = list(callers.map(live, range(16)))
    assert seen == [[str(number)] * 10 for number in range(16)]
    with psycopg.connect(url, prepare_threshold=None) as stranger:
        for _ in range(2 * SERVER_CONNECTIONS):
            told = stranger.execute(
                "SELECT current_user, coalesce(current_setting('gunita.tenant', true), ''), "
                "(SELECT count(*) FROM pg_prepared_statements)"
            ).fetchone()
            stranger.rollback()
            assert told == ("postgres", "", 0)


def test_servers_that_start_at_once_migrate_once(url: str) -> None:
    with ThreadPoolExecutor(6) as callers:
        for opened in callers.map(lambda _: Gunita.open(url), range(6)):
            opened.close()
    with psycopg.connect(url, prepare_threshold=None) as connection:
        versions = connection.execute("SELECT version FROM schema_migrations ORDER BY 1").fetchall()
    assert versions == [(migration.version,) for migration in known("postgres")]


def test_an_errand_is_held_by_one_process_for_as_long_as_it_takes(url: str, new_postgres_url: str) -> None:
    with Gunita.open(url) as g:
        pooled, direct = (Settings(database_url=address) for address in (url, new_postgres_url))
        with alone(pooled, "cleaning") as held, alone(direct, "cleaning") as also:
            assert (held, also) == (True, False)
            use_everything(g)
            with alone(direct, "cleaning") as still:
                assert not still
        with alone(direct, "cleaning") as free:
            assert free


def test_turns_are_numbered_without_gaps(url: str) -> None:
    with Gunita.open(url, postgres_pool_size=8) as g, ThreadPoolExecutor(8) as callers:
        session = g.sessions.create_session("ana")
        stored = callers.map(lambda n: g.sessions.store_turn(session, "ana", f"q{n}", "a").turn_number, range(60))
        assert sorted(stored) == list(range(1, 61))


@pytest.fixture
def servers(url: str, tmp_path: Path):
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    standing = [ServiceProcess(url, folder, postgres_pooling="transaction", **QUICK) for folder in folders]
    for server in standing:
        server.launch()
    for server in standing:
        server.wait_until_ready()
    yield standing
    for server in standing:
        server.stop()


def test_two_servers_share_a_conversation_behind_it(servers: list[ServiceProcess], url: str) -> None:
    begun = httpx.post(f"{servers[0].url}/chat", json={"query": "Magkano ang visa?", "user_id": "ana"}, timeout=60)
    session = begun.json()["session_id"]
    failed: list[int] = []

    def talk(number: int) -> None:
        body = {"query": f"Ako po si bisita {number}, kumusta?", "user_id": "ana", "session_id": session}
        reply = httpx.post(f"{servers[number % 2].url}/chat", json=body, timeout=60)
        if reply.status_code != 200 or reply.json()["metadata"].get("warnings"):
            failed.append(number)

    callers = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert failed == []
    with Gunita.open(url) as g:
        history = g.sessions.get_session_history(session)
    assert [turn.turn_number for turn in history] == list(range(1, 10))
