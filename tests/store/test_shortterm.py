"""The pending clarification in the database: shared by processes, and apart from everything that lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gunita import Gunita
from gunita.chat.shortterm import PendingClarification, StoredShortTermMemory
from gunita.language.clarification import ClarificationEngine
from gunita.models import ReferenceResolution, Scope
from gunita.settings import Settings
from gunita.store.database import Database
from gunita.store.opening import open_database

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
Raw = Callable[..., list[tuple[object, ...]]]
LASTING = ("conversations", "messages", "memories", "user_memory", "user_state", "summaries", "jobs")


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(gunita: Gunita) -> UUID:
    session = UUID(str(gunita.sessions.create_session("ana")))
    gunita.sessions.store_turn(session, "ana", "Paano magluto ng adobo?", "Ilaga sa suka at toyo.")
    gunita.sessions.store_turn(session, "ana", "Magkano ang passport?", "Nasa 950 pesos.")
    return session


@pytest.fixture
def database(url: str, gunita: Gunita) -> Iterator[Database]:
    opened = open_database(Settings(database_url=url))
    yield opened
    opened.close()


@pytest.fixture
def memory(database: Database, clock: Clock) -> StoredShortTermMemory:
    return StoredShortTermMemory(database, clock)


def pending_in(gunita: Gunita, session: UUID, scope: Scope) -> PendingClarification:
    history = gunita.sessions.get_session_history(session)
    found = ReferenceResolution([(turn, 0.65) for turn in history], history[0], True, 0.6)
    return PendingClarification.opened(scope, session, ClarificationEngine().ask("yung kanina?", found, history), START)


ANA = Scope(None, "ana")


def test_another_process_finds_what_one_has_asked(
    url: str, gunita: Gunita, session: UUID, memory: StoredShortTermMemory, clock: Clock
) -> None:
    pending = pending_in(gunita, session, ANA)
    memory.put(ANA, pending)
    elsewhere = open_database(Settings(database_url=url))
    try:
        found = StoredShortTermMemory(elsewhere, clock).get(ANA, session)
    finally:
        elsewhere.close()
    assert found is not None
    assert found.clarification == pending.clarification
    assert found.question == pending.question


def test_it_expires_five_minutes_after_the_last_activity(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, clock: Clock
) -> None:
    memory.put(ANA, pending_in(gunita, session, ANA))
    clock.forward(minutes=4, seconds=59)
    renewed = memory.get(ANA, session)
    assert renewed is not None
    assert renewed.expires_at == clock.now + timedelta(minutes=5)
    clock.forward(minutes=4, seconds=59)
    assert memory.touch(ANA, session)
    clock.forward(minutes=5)
    assert memory.get(ANA, session) is None
    assert not memory.touch(ANA, session)


def test_a_new_question_replaces_the_old_one_and_dropped_is_gone(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, raw: Raw
) -> None:
    for _ in range(2):
        memory.put(ANA, pending_in(gunita, session, ANA))
    assert raw("SELECT count(*) FROM pending_clarifications") == [(1,)]
    assert memory.drop(ANA, session)
    assert not memory.drop(ANA, session)
    assert memory.get(ANA, session) is None


@pytest.mark.parametrize("other", [Scope(None, "ben"), Scope("rival", "ana"), Scope("rival")])
def test_another_user_or_tenant_never_reaches_it(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, other: Scope
) -> None:
    memory.put(ANA, pending_in(gunita, session, ANA))
    assert memory.get(other, session) is None
    assert not memory.touch(other, session)
    assert not memory.drop(other, session)
    assert memory.get(ANA, session) is not None


def test_what_cannot_be_read_is_dropped_and_not_raised(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, raw: Raw
) -> None:
    memory.put(ANA, pending_in(gunita, session, ANA))
    raw("UPDATE pending_clarifications SET payload = ?", '{"made": "elsewhere"}')
    assert memory.get(ANA, session) is None
    assert raw("SELECT count(*) FROM pending_clarifications") == [(0,)]


def test_short_term_memory_leaves_the_lasting_tables_as_they_are(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, clock: Clock, raw: Raw
) -> None:
    def lasting() -> list[list[tuple[object, ...]]]:
        return [raw(f"SELECT * FROM {table} ORDER BY 1, 2") for table in LASTING]

    before = lasting()
    memory.put(ANA, pending_in(gunita, session, ANA))
    memory.get(ANA, session)
    memory.touch(ANA, session)
    clock.forward(minutes=6)
    memory.get(ANA, session)
    memory.drop(ANA, session)
    assert lasting() == before


def test_new_turns_leave_the_pending_question_as_it_is(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, raw: Raw
) -> None:
    memory.put(ANA, pending_in(gunita, session, ANA))
    before = raw("SELECT * FROM pending_clarifications")
    gunita.sessions.store_turn(session, "ana", "Bagong tanong?", "Bagong sagot.")
    assert raw("SELECT * FROM pending_clarifications") == before


def test_deleting_the_conversation_takes_its_pending_question_along(
    gunita: Gunita, session: UUID, memory: StoredShortTermMemory, raw: Raw
) -> None:
    memory.put(ANA, pending_in(gunita, session, ANA))
    gunita.sessions.delete_session(session)
    assert raw("SELECT count(*) FROM pending_clarifications") == [(0,)]
