"""A real streaming replica: what may be read there is, never older than the call; without it everything goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from gunita import Gunita
from gunita.errors import StorageError, StorageUnavailableError
from gunita.models import Scope
from gunita.settings import Pooling
from gunita.store import queries
from gunita.store.postgres import PostgresDatabase
from gunita.store.replica import LEFT_ALONE_FOR, READ_ELSEWHERE, Replica, ReplicatedDatabase
from tests.postgres_server import PostgresServer

LAST_ASKED = """
SELECT query FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
NOT_READ = "the replica is not read for 30 seconds"


@pytest.fixture(scope="module")
def primary() -> Iterator[PostgresServer]:
    # Its commits need not be on disk to be acknowledged: the replica may get them a moment later than anybody.
    server = PostgresServer.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def standby(primary: PostgresServer) -> Iterator[PostgresServer]:
    server = primary.standby()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _nobody_reads_it_yet(standby: PostgresServer) -> None:
    """Wait until the server has noticed that the last test's connections are gone."""
    while asked(standby):
        time.sleep(0.01)


@pytest.fixture
def g(primary: PostgresServer, standby: PostgresServer) -> Iterator[Gunita]:
    with Gunita.open(primary.url, replica_url=standby.url, replica_wait_seconds=60.0) as opened:
        yield opened


def asked(server: PostgresServer) -> list[str]:
    """Ask a server what those who are connected to it have asked last."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        return [query for (query,) in connection.execute(LAST_ASKED)]


def said(g: Gunita, user: str, query: str) -> None:
    g.sessions.store_turn(g.sessions.create_session(user), user, query, "Oo")


def test_an_export_reads_the_replica_and_has_what_was_just_said(
    g: Gunita, standby: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(20):
        said(g, "ana", f"Tanong {number}")
        assert f"Tanong {number}" in "".join(g.exports.json_lines("ana"))
        assert g.statistics.count("ana").turns == number + 1
        assert ["count(*)" in query for query in asked(standby)] == [True]
    assert NOT_READ not in caplog.text


def test_a_turn_never_reads_the_replica(g: Gunita, standby: PostgresServer) -> None:
    session = g.chat.reply("How do I cook adobo?", "ben").session_id
    g.chat.reply("What was my first question?", "ben", session)
    g.sessions.get_session_history(session)
    g.conversations.list_conversations()
    g.search.search("adobo", user_id="ben")
    g.memories.get_memories()
    g.deletion.delete_user("ben")
    assert asked(standby) == []


def test_a_replica_that_is_behind_is_waited_for(g: Gunita, standby: PostgresServer) -> None:
    g.statistics.count("cora")
    with psycopg.connect(standby.url, autocommit=True) as connection, ThreadPoolExecutor() as pool:
        connection.execute("SELECT pg_wal_replay_pause()")
        try:
            said(g, "cora", "Nandito ba ito?")
            counted = pool.submit(lambda: g.statistics.count("cora").turns)
            while not counted.done() and not any("replay_lsn" in query for query in asked(standby)):
                time.sleep(0.01)
        finally:
            connection.execute("SELECT pg_wal_replay_resume()")
        assert counted.result() == 1
    assert ["count(*)" in query for query in asked(standby)] == [True]


def test_a_replica_that_stands_still_is_not_waited_for_twice(
    primary: PostgresServer, standby: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        psycopg.connect(standby.url, autocommit=True) as connection,
        Gunita.open(primary.url, replica_url=standby.url, replica_wait_seconds=1.0) as g,
    ):
        connection.execute("SELECT pg_wal_replay_pause()")
        try:
            for number in (1, 2):
                said(g, "dina", f"Tanong {number}")
                assert f"Tanong {number}" in "".join(g.exports.json_lines("dina"))
                assert g.statistics.count("dina").turns == number
        finally:
            connection.execute("SELECT pg_wal_replay_resume()")
    assert caplog.text.count(NOT_READ) == 1
    assert "too far behind" in caplog.text


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://postgres@127.0.0.1:1/postgres", "PostgreSQL does not answer"),
        ("{primary}", "it is a primary; check GUNITA_REPLICA_URL"),
        ("{other}", "it copies another database; check GUNITA_REPLICA_URL"),
    ],
)
def test_a_replica_that_is_away_or_is_none_leaves_everything_to_the_primary(
    primary: PostgresServer, new_postgres_url: str, caplog: pytest.LogCaptureFixture, address: str, why: str
) -> None:
    replica = address.format(primary=primary.url, other=new_postgres_url)
    with Gunita.open(primary.url, replica_url=replica, replica_wait_seconds=1.0) as g:
        said(g, "efren", "Nandito ba ito?")
        assert "Nandito ba ito?" in "".join(g.exports.json_lines("efren"))
        assert g.statistics.count("efren").turns == 1
        g.deletion.delete_user("efren")
    assert caplog.text.count(NOT_READ) == 1
    assert why in caplog.text


def test_a_replica_that_was_away_is_asked_again_after_a_while(primary: PostgresServer, standby: PostgresServer) -> None:
    now, answers = [0.0], iter([StorageUnavailableError("away"), standby.url])

    def opening() -> PostgresDatabase:
        if isinstance(answer := next(answers), StorageUnavailableError):
            raise answer
        return database(answer)

    Gunita.open(primary.url).close()
    replicated = ReplicatedDatabase(database(primary.url), Replica(opening, 60.0, clock=lambda: now[0]))
    try:
        mine = replicated.within(Scope(None, "fe"))
        for later, reads in ((0.0, []), (LEFT_ALONE_FOR - 1, []), (1.0, [True])):
            now[0] += later
            mine.all("count_what_is_kept", user_id="fe")
            assert ["count(*)" in query for query in asked(standby)] == reads
    finally:
        replicated.close()


def test_a_replica_that_many_want_at_once_is_opened_once(primary: PostgresServer, standby: PostgresServer) -> None:
    Gunita.open(primary.url).close()
    openings: list[None] = []

    def opening() -> PostgresDatabase:
        openings.append(None)
        return database(standby.url)

    replicated = ReplicatedDatabase(database(primary.url), Replica(opening, 60.0))
    try:
        mine = replicated.within(Scope(None, "gio"))
        with ThreadPoolExecutor(4) as callers:
            counting = [callers.submit(mine.all, "count_what_is_kept", user_id="gio") for _ in range(4)]
        assert len({str(counted.result()) for counted in counting}) == 1
    finally:
        replicated.close()
    assert len(openings) == 1


def database(url: str) -> PostgresDatabase:
    return PostgresDatabase(url, pooling=Pooling.SESSION, schema="public", pool_size=1, wait_seconds=10.0)


def test_an_address_that_cannot_be_read_is_refused_at_once_without_its_password(primary: PostgresServer) -> None:
    with pytest.raises(StorageError) as refused:
        Gunita.open(primary.url, replica_url="postgresql://ana:se@cret@host:x/db")
    assert "cannot be read" in str(refused.value)
    assert "cret" not in str(refused.value)


def test_what_is_read_elsewhere_only_reads() -> None:
    known = queries.load("postgres")
    assert known.keys() >= READ_ELSEWHERE
    assert not [name for name in READ_ELSEWHERE if known[name].writes]
