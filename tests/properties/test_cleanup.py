"""Everything older than its retention goes, nothing younger does, to the microsecond, and the counts say so."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import ConflictError, Gunita
from gunita.chat.records import Answering, ChatRequest
from gunita.models import CleanupResult, CountedFrom
from gunita.services.expiring import shortened
from gunita.store import cleaning
from tests.controlled_clock import ControlledClock
from tests.properties.values import fresh_tenant
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand

HOUR = 3_600_000_000


@pytest.fixture
def clock() -> ControlledClock:
    return ControlledClock()


@pytest.fixture
def gunita(url: str, clock: ControlledClock) -> Iterator[Gunita]:
    with Gunita.open(url, clock=clock) as opened:
        yield opened


@pytest.fixture
def rows(url: str, gunita: Gunita) -> Iterator[RowsByHand]:
    with connected(url) as raw:
        yield RowsByHand(raw, postgres=url.startswith("postgresql"))


@dataclass(frozen=True)
class Talk:
    """A conversation as drawn: when its turns are said, in microseconds from the boundary, and what is kept of it."""

    said: list[int]
    pinned: bool
    own_hours: int | None
    own_from: CountedFrom
    open_question: bool


near_the_boundary = st.sampled_from([-2, -1, 0, 1, 2]) | st.integers(-3 * HOUR, 3 * HOUR)
talks = st.builds(
    Talk,
    said=st.lists(near_the_boundary, max_size=4).map(sorted),
    pinned=st.sampled_from([False, False, False, True]),
    own_hours=st.none() | st.integers(1, 6),
    own_from=st.sampled_from(CountedFrom),
    open_question=st.booleans(),
)


def talked(g: Gunita, clock: ControlledClock, talk: Talk, user: str) -> UUID:
    """Say what was drawn, around the moment the clock stands at."""
    boundary = clock.now
    clock.now = boundary + timedelta(microseconds=min(talk.said, default=-4 * HOUR) - 1)
    session = g.conversations.create_conversation(user).id
    if talk.own_hours is not None:
        g.cleanup.set_retention(talk.own_hours, counted_from=talk.own_from, conversation_id=session)
    if talk.pinned:
        g.conversations.update_conversation(session, pinned=True)
    for place, said in enumerate(talk.said):
        clock.now = boundary + timedelta(microseconds=said)
        if talk.open_question and place == len(talk.said) - 1:
            g.conversations.add_message(session, "user", f"at {said}")
        else:
            g.sessions.store_turn(session, user, f"at {said}", f"answered at {said}")
    clock.now = boundary
    return session


def expected(talk: Talk, hours: int, counted_from: CountedFrom) -> list[int]:
    """Say which turns stay when the clock has gone on by so many hours, without asking Gunita."""
    kept_for = (talk.own_hours or hours) * HOUR
    counted = talk.own_from if talk.own_hours else counted_from
    oldest_kept = hours * HOUR - kept_for
    if talk.pinned:
        return talk.said
    if counted is CountedFrom.ACTIVITY:
        last = max(talk.said, default=-4 * HOUR - 1)
        return talk.said if last >= oldest_kept else []
    return [said for said in talk.said if said >= oldest_kept]


def left_of(g: Gunita, session: UUID) -> list[int]:
    found = [m for m in g.conversations.get_messages(session, 100) if m.role == "user"]
    return [int(message.content.removeprefix("at ")) for message in found]


def count(rows: RowsByHand, table: str, tenant: str, what: str = "count(*)") -> int:
    return int(rows.raw(f"SELECT {what} FROM {table} WHERE tenant_id = ?", tenant)[0][0])


def turn_count(rows: RowsByHand, tenant: str) -> int:
    told = "SELECT DISTINCT conversation_id, turn_number FROM messages WHERE tenant_id = ?"
    return len(rows.raw(told, tenant))


@pytest.mark.parametrize("counted_from", CountedFrom)
@pytest.mark.parametrize("own", [False, True], ids=["the tenant's rule", "its own rule"])
def test_a_turn_at_the_very_boundary_stays_and_one_a_microsecond_older_goes(
    gunita: Gunita, clock: ControlledClock, own: bool, counted_from: CountedFrom
) -> None:
    g = gunita.scoped(fresh_tenant())
    g.cleanup.set_retention(24 if own else 2, counted_from=counted_from)
    around = [Talk([said], False, 2 if own else None, counted_from, open_question=False) for said in (-1, 0, 1)]
    sessions = [talked(g, clock, talk, "juan") for talk in around]
    clock.forward(hours=2)
    assert g.cleanup.run_cleanup().turns_deleted == 1
    assert [left_of(g, session) for session in sessions] == [[], [0], [1]]


@given(
    drawn=st.lists(talks, min_size=1, max_size=4),
    hours=st.integers(1, 48),
    counted_from=st.sampled_from(CountedFrom),
    batch_first=st.booleans(),
)
def test_what_is_older_than_its_retention_goes_and_nothing_younger(
    gunita: Gunita,
    rows: RowsByHand,
    clock: ControlledClock,
    caplog: pytest.LogCaptureFixture,
    drawn: list[Talk],
    hours: int,
    counted_from: CountedFrom,
    batch_first: bool,
) -> None:
    caplog.clear()
    caplog.set_level(logging.INFO, "gunita.cleanup")
    tenant = fresh_tenant()
    g, beside = gunita.scoped(tenant), gunita.scoped(tenant + " beside")
    g.cleanup.set_retention(hours, counted_from=counted_from)
    sessions = [talked(g, clock, talk, "juan") for talk in drawn]
    other = talked(beside, clock, Talk([-2 * HOUR], False, None, CountedFrom.TURN, False), "juan")
    clock.forward(hours=hours)
    turns_before, sessions_before = turn_count(rows, tenant), count(rows, "conversations", tenant)

    foreseen = g.cleanup.preview_cleanup()
    assert turn_count(rows, tenant) == turns_before
    result = g.cleanup.run_cleanup()

    assert result.errors == ()
    for session, talk in zip(sessions, drawn, strict=True):
        stays = expected(talk, hours, counted_from)
        assert left_of(g, session) == stays
        conversation = {c.id: c for c in g.conversations.list_conversations(100)}.get(session)
        if stays:
            assert conversation is not None
            answers = len(stays) - (talk.open_question and stays[-1:] == talk.said[-1:])
            assert conversation.message_count == len(stays) + answers
        elif talk.said:
            assert conversation is None or talk.pinned
    removed = turns_before - turn_count(rows, tenant), sessions_before - count(rows, "conversations", tenant)
    assert (result.turns_deleted, result.sessions_deleted) == removed
    assert (foreseen.turns_deleted, foreseen.sessions_deleted) == removed
    assert logged(caplog) == removed
    assert g.cleanup.get_cleanup_stats().turns_deleted == result.turns_deleted
    assert left_of(beside, other) == [-2 * HOUR]
    again = g.cleanup.run_cleanup()
    assert (again.turns_deleted, again.sessions_deleted) == (0, 0)


def logged(caplog: pytest.LogCaptureFixture) -> tuple[int, int]:
    told = [record for record in caplog.records if hasattr(record, "turns_deleted")]
    assert len(told) == 1
    return vars(told[0])["turns_deleted"], vars(told[0])["sessions_deleted"]


@given(count_of_turns=st.integers(1, 5), expired=st.integers(1, 5))
def test_what_hangs_on_a_turn_goes_with_it(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, count_of_turns: int, expired: int
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    session = g.sessions.create_session("juan")
    boundary = clock.now
    for number in range(1, count_of_turns + 1):
        clock.now = boundary + timedelta(microseconds=0 if number > expired else -1)
        g.sessions.store_turn(session, "juan", f"q{number}", "a")
    rows.everything_that_hangs_on(session, tenant_id=tenant)
    clock.now = boundary + timedelta(hours=24)
    g.cleanup.run_cleanup()
    gone = min(expired, count_of_turns)
    left = count_of_turns - gone
    assert count(rows, "messages", tenant) == 2 * left
    assert count(rows, "index_queue", tenant) == 2 * left
    assert count(rows, "conversations", tenant) == (1 if left else 0)
    for table in ("summaries", "receipts", "corrections", "requests", "pending_clarifications"):
        assert count(rows, table, tenant) == 0, table
    for table in ("jobs", "extraction_cursors"):
        assert count(rows, table, tenant) == (1 if left else 0), table


@given(sizes=st.lists(st.integers(1, 6), min_size=1, max_size=4), poisoned=st.integers(0, 20))
def test_a_failure_in_the_middle_hurts_nobody_and_the_next_run_finishes(
    gunita: Gunita,
    rows: RowsByHand,
    clock: ControlledClock,
    caplog: pytest.LogCaptureFixture,
    sizes: list[int],
    poisoned: int,
) -> None:
    caplog.clear()
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    live = g.sessions.create_session("ana")
    old = [g.sessions.create_session("juan") for _ in sizes]
    total = sum(sizes)
    number = 0
    for session, size in zip(old, sizes, strict=True):
        for _ in range(size):
            g.sessions.store_turn(session, "juan", "refuses" if number == poisoned % total else f"q{number}", "a")
            number += 1
    clock.forward(hours=24, microseconds=1)
    g.sessions.store_turn(live, "ana", "still here", "yes")
    with refusing_to_go(rows):
        first = g.cleanup.run_cleanup()
    assert len(first.errors) == 1
    (stays,) = (session for session in old if str(session) in first.errors[0])
    assert f" of {shortened(stays)}: " in caplog.text
    assert first.turns_deleted == total - 1
    assert turn_count(rows, tenant) == 2
    assert [turn.query_text for turn in g.sessions.get_session_history(live)] == ["still here"]
    second = g.cleanup.run_cleanup()
    assert (second.turns_deleted, second.errors) == (1, ())
    assert count(rows, "conversations", tenant) == 1
    assert first.sessions_deleted + second.sessions_deleted == len(old)


@given(turns=st.integers(1, 5), others=st.integers(0, 30))
def test_what_hangs_on_a_turn_and_refuses_keeps_that_turn_whole_and_no_other(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, turns: int, others: int
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    refused, gone = g.sessions.create_session("juan"), g.sessions.create_session("juan")
    for session, many in ((refused, turns), (gone, others)):
        for number in range(many):
            g.sessions.store_turn(session, "juan", f"q{number}", "a")
    clock.forward(hours=24, microseconds=1)
    with refusing(rows, "UPDATE", "conversations", f"OLD.id = '{refused}'"):
        first = g.cleanup.run_cleanup()
    assert len(first.errors) == turns
    assert all(str(refused) in error and error.endswith(ConflictError.__name__) for error in first.errors)
    assert first.turns_deleted == others
    assert len(g.conversations.get_messages(refused)) == 2 * turns
    second = g.cleanup.run_cleanup()
    assert (second.turns_deleted, second.errors) == (turns, ())
    assert count(rows, "conversations", tenant) == 0


@given(size=st.integers(1, 30))
def test_a_cleanup_that_is_stopped_in_the_middle_has_counted_what_went_and_the_next_ones_finish(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, size: int
) -> None:
    tenant = fresh_tenant()
    g = gunita.scoped(tenant)
    session = g.sessions.create_session("juan")
    for number in range(size):
        g.sessions.store_turn(session, "juan", f"q{number}", "a")
    clock.forward(hours=24, microseconds=1)
    gunita.cleanup.stop_schedule()  # as a process does that ends: a cleanup stops after the piece at hand
    left = size
    while left:
        result = g.cleanup.run_cleanup()
        assert 0 < result.turns_deleted == left - turn_count(rows, tenant)
        left -= result.turns_deleted
    assert count(rows, "conversations", tenant) == 0
    assert g.cleanup.get_cleanup_stats().turns_deleted == size


@pytest.mark.parametrize("counted_from", CountedFrom)
def test_no_more_turns_go_in_one_transaction_than_was_set(
    url: str, clock: ControlledClock, monkeypatch: pytest.MonkeyPatch, counted_from: CountedFrom
) -> None:
    sizes: list[int] = []
    forget = cleaning.forget
    monkeypatch.setattr(
        cleaning, "forget", lambda db, turns, due: (sizes.append(len(turns)), forget(db, turns, due))[1]
    )
    with Gunita.open(url, clock=clock, cleanup_batch_turns=3, retention_counted_from=counted_from.value) as g:
        for session in [g.sessions.create_session("juan") for _ in range(4)]:
            for number in range(2):
                g.sessions.store_turn(session, "juan", f"q{number}", "a")
        clock.forward(hours=24, microseconds=1)
        assert g.cleanup.run_cleanup().turns_deleted == 8
    assert sum(sizes) == 8
    assert max(sizes) <= 3


class refusing:  # noqa: N801
    """Has the database itself refuse to delete or insert certain rows of a table."""

    def __init__(self, rows: RowsByHand, what: str, table: str, when: str) -> None:
        self.rows, self.what, self.table, self.when = rows, what, table, when

    def __enter__(self) -> None:
        if self.rows.postgres:
            self.rows.raw(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = 'check_violation'; END $$"
            )
            told = f"FOR EACH ROW WHEN ({self.when}) EXECUTE FUNCTION refuse()"
        else:
            told = f"WHEN {self.when} BEGIN SELECT raise(ABORT, 'not this one'); END"
        self.rows.raw(f"CREATE TRIGGER refusing BEFORE {self.what} ON {self.table} {told}")

    def __exit__(self, *_: object) -> None:
        self.rows.raw(f"DROP TRIGGER refusing{f' ON {self.table}' if self.rows.postgres else ''}")


def refusing_to_go(rows: RowsByHand) -> refusing:
    return refusing(rows, "DELETE", "messages", "OLD.content = 'refuses'")


@pytest.mark.parametrize(
    ("what", "table", "when", "errors"),
    [
        ("DELETE", "pending_clarifications", "OLD.tenant_id = 'acme'", 1),
        ("INSERT", "messages", "NEW.tenant_id = 'acme'", 0),
    ],
)
def test_a_tenant_in_which_something_refuses_keeps_no_other_from_being_cleaned(
    gunita: Gunita, rows: RowsByHand, clock: ControlledClock, what: str, table: str, when: str, errors: int
) -> None:
    """Nor itself from being cleaned as far as it can be: a turn that cannot be closed is no reason to keep others."""
    for tenant in ("acme", "beta"):
        g = gunita.scoped(tenant)
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", "q", "a")
        question = {"tenant_id": tenant, "conversation_id": str(uuid4()), "user_id": "juan", "payload": "{}"}
        rows.insert("pending_clarifications", question | {"expires_at": rows.then})
    clock.forward(hours=22)
    left_open = []
    for tenant in ("acme", "beta"):
        g = gunita.scoped(tenant)
        begun = g.chat.begin(ChatRequest("Magkano ang visa?", "juan"))
        assert isinstance(begun, Answering)
        left_open.append((g, begun.session_id))
    clock.forward(hours=2, microseconds=1)
    with refusing(rows, what, table, when):
        result = gunita.cleanup.run_cleanup()
    assert len(result.errors) == errors
    assert all("'acme'" in error for error in result.errors)
    assert result.turns_deleted == 2
    assert [turn_count(rows, tenant) for tenant in ("acme", "beta")] == [1, 1]
    answered = [[m.role for m in g.conversations.get_messages(session)] for g, session in left_open]
    assert answered == [["user", "assistant"] if what == "DELETE" else ["user"], ["user", "assistant"]]


def test_the_systems_own_service_cleans_every_tenant(gunita: Gunita, clock: ControlledClock) -> None:
    tenants = (None, "acme", "zeta")
    for tenant in tenants:
        g = gunita.scoped(tenant)
        g.sessions.store_turn(g.sessions.create_session("juan"), "juan", "q", "a")
    gunita.scoped("zeta").cleanup.set_retention(48)
    clock.forward(hours=24, microseconds=1)
    result = gunita.cleanup.run_cleanup()
    assert (result.turns_deleted, result.sessions_deleted) == (2, 2)
    clock.forward(hours=24)
    assert gunita.cleanup.run_cleanup().turns_deleted == 1
    assert isinstance(gunita.cleanup.get_cleanup_stats().last_run, CleanupResult)
