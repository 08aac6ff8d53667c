"""What is deleted or expires while turns wait in a journal, or are held in memory, does not come back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from gunita import Gunita
from gunita.erasure import DeletionReceipt
from gunita.ids import new_ids
from gunita.resilience import replay
from gunita.resilience.waiting import WaitingTurn
from gunita.services.deletion import DeletionService
from gunita.services.understanding import ReadTexts
from gunita.store.replaying import Placed
from tests.controlled_clock import ControlledClock
from tests.faults.faults import QUICK, assert_whole, rows_of, wait_until_ready
from tests.faults.tcp_proxy import TcpProxy
from tests.interleaved import Interleaved
from tests.raw_sql import run


@dataclass(frozen=True)
class Servers:
    """Two servers on one database, and a way to part one of them from it."""

    parted: Gunita
    other: Gunita
    away: Callable[[], AbstractContextManager[None]]


@contextmanager
def without_a_wire(wire: TcpProxy) -> Iterator[None]:
    wire.cut()
    yield
    wire.mend()


@contextmanager
def unwritable(g: Gunita) -> Iterator[None]:
    writer = g._database.behind._writer
    writer.execute("PRAGMA query_only = ON")
    yield
    with suppress(sqlite3.ProgrammingError):  # closed meanwhile
        writer.execute("PRAGMA query_only = OFF")


@pytest.fixture
def clock() -> ControlledClock:
    return ControlledClock()


@pytest.fixture
def servers(url: str, wire: TcpProxy, tmp_path: Path, clock: ControlledClock) -> Iterator[Servers]:
    settings: dict[str, Any] = {**QUICK, "clock": clock}
    is_postgres = url.startswith("postgresql")
    address = wire.url(url) if is_postgres else url
    with (
        Gunita.open(address, **settings, journal_folder=tmp_path / "parted") as parted,
        Gunita.open(url, **settings, journal_folder=tmp_path / "other") as other,
    ):
        yield Servers(parted, other, lambda: without_a_wire(wire) if is_postgres else unwritable(parted))


def delete(g: Gunita, kind: str, session: UUID) -> DeletionReceipt:
    match kind:
        case "user":
            return g.deletion.delete_user("juan")
        case "conversation":
            return g.deletion.delete_conversation(session)
        case _:
            return g.deletion.delete_tenant()


@pytest.mark.parametrize("kind", ["user", "conversation", "tenant"])
def test_a_turn_in_the_journal_of_one_server_does_not_outlive_a_deletion_on_another(
    url: str, servers: Servers, clock: ControlledClock, kind: str
) -> None:
    parted, other = (g.scoped("acme") for g in (servers.parted, servers.other))
    doomed, again = parted.sessions.create_session("juan"), uuid4()
    elsewhere = servers.parted.scoped("zeta").sessions.create_session("juan")
    parted.sessions.store_turn(doomed, "juan", "stored before", "a")
    with servers.away():
        parted.sessions.store_turn(doomed, "juan", "waits in the journal", "a")
        servers.parted.scoped("zeta").sessions.store_turn(elsewhere, "juan", "of another tenant", "a")
        clock.forward(seconds=1)
        receipt = delete(other, kind, doomed)
        clock.forward(seconds=1)
        parted.sessions.store_turn(again, "juan", "said afterwards", "a")
    wait_until_ready(servers.parted)
    assert rows_of(url, doomed) == []
    assert run(url, "SELECT count(*) FROM conversations WHERE id = ?", str(doomed)) == [(0,)]
    assert_whole(url, again, ["said afterwards"])
    assert_whole(url, elsewhere, ["of another tenant"])
    assert other.deletion.verify(receipt.id, subject="juan" if kind == "user" else None).verified
    assert servers.parted._keeper is not None
    assert servers.parted._keeper.history(("acme", doomed), parted.scope, 10) is None


def test_a_turn_that_a_dead_server_left_waiting_does_not_outlive_a_deletion(
    url: str, servers: Servers, clock: ControlledClock, tmp_path: Path
) -> None:
    session, kept = uuid4(), uuid4()
    servers.parted.sessions.store_turn(kept, "ana", "first", "a")
    with servers.away():
        servers.parted.sessions.store_turn(session, "juan", "waits", "a")
        servers.parted.sessions.store_turn(kept, "ana", "waits too", "a")
        servers.parted.close()
    clock.forward(seconds=1)
    servers.other.deletion.delete_user("juan")
    address = servers.parted.settings.database_url
    with Gunita.open(address, **QUICK, clock=clock, journal_folder=tmp_path / "parted") as g:
        assert g.standing is not None
        assert (g.standing.waiting_turns, g.standing.counters.turns_replayed) == (0, 1)
    assert rows_of(url, session) == []
    assert_whole(url, kept, ["first", "waits too"])


def test_what_this_process_holds_of_somebody_goes_with_them(servers: Servers) -> None:
    g, gone, kept = servers.parted.scoped("acme"), uuid4(), uuid4()
    g.sessions.store_turn(gone, "juan", "q", "a")
    g.sessions.store_turn(kept, "ana", "q", "a")
    assert g._keeper is not None
    assert g._keeper.held(("acme", gone)) is not None
    g.deletion.delete_user("juan")
    assert g._keeper.held(("acme", gone)) is None
    assert g._keeper.held(("acme", kept)) is not None


def test_what_has_expired_is_not_told_from_memory_while_the_database_is_away(
    servers: Servers, clock: ControlledClock
) -> None:
    g, session = servers.parted, uuid4()
    g.sessions.store_turn(session, "juan", "too old", "a")
    clock.forward(hours=1)
    g.sessions.store_turn(session, "juan", "just old enough", "a")
    with servers.away():
        clock.forward(hours=23)
        assert told(g, session) == ["too old", "just old enough"]
        clock.forward(microseconds=1)
        assert told(g, session) == ["just old enough"]
        assert g.sessions.store_turn(session, "juan", "new", "a").turn_number == 3
        clock.forward(hours=1)
        assert told(g, session) == ["new"]


def told(g: Gunita, session: UUID) -> list[str]:
    """Read what memory tells, as a chat does that cannot ask the database."""
    assert g._keeper is not None
    history = g._keeper.history((None, session), g.scope, 10)
    assert history is not None
    return [turn.query_text for turn in history]


def waiting(session: UUID, clock: ControlledClock) -> WaitingTurn:
    ids = new_ids(clock.now, 2)
    return WaitingTurn(None, "juan", session, 1, ids[0], ids[1], "late", "a", 1, 1, clock.now)


def test_a_turn_written_back_while_its_user_is_being_deleted_goes_with_them(url: str, clock: ControlledClock) -> None:
    session, receipts = uuid4(), []
    with Gunita.open(url, clock=clock) as g:
        turn = waiting(session, clock)
        clock.forward(seconds=1)
        # After it was looked whether the user is deleted, and before the turn is written.
        parted = Interleaved(g._database, lambda: receipts.append(g.deletion.delete_user("juan")), "transaction")
        assert replay.write_back(parted, turn, {}) is None
        assert rows_of(url, session) == []
        assert run(url, "SELECT count(*) FROM conversations") == [(0,)]
        assert g.deletion.verify(receipts[0].id, subject="juan").verified


def test_a_turn_written_back_before_the_receipt_can_be_seen_is_deleted_too(url: str, clock: ControlledClock) -> None:
    session = uuid4()
    with Gunita.open(url, clock=clock) as g:
        turn = waiting(session, clock)
        clock.forward(seconds=1)
        written: list[Placed | None] = []
        parted = Interleaved(
            g._database,
            lambda: written.append(replay.write_back(g._database, turn, {})),
            "insert_deletion_receipt_of_tenant",
        )
        receipt = DeletionService(g._door, parted, (), ReadTexts()).delete_user("juan")
        assert written[0] is not None
        assert rows_of(url, session) == []
        assert g.deletion.verify(receipt.id, subject="juan").verified
