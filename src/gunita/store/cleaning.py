"""Forgetting in the database: finds turns that are too old, and deletes them with all that hangs on them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

from gunita.ids import first_id, new_id
from gunita.models import CleanupResult, CountedFrom, Retention, Scope
from gunita.store.database import Database, Row, ScopedDatabase, Statements
from gunita.store.rows import as_json, json_list_or_none, readable

BEFORE_EVERY_ID = UUID(int=0)
_MICROSECOND = timedelta(microseconds=1)

ExpiredTurn: TypeAlias = tuple[UUID, int]
"""A conversation and the number of a turn in it."""


@dataclass(frozen=True, slots=True)
class Held:
    """A conversation that nobody else writes to for the moment, as it stands then."""

    id: UUID
    user_id: str
    pinned: bool
    own_rule: Retention | None
    updated_at: datetime
    turn_count: int


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A conversation that says itself how long its turns are kept."""

    id: UUID
    rule: Retention
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Gone:
    """What went in one transaction."""

    turns: int = 0
    conversations: int = 0


IsDue: TypeAlias = Callable[[Held], bool]


def tenants(database: Database) -> list[str | None]:
    """Name every tenant of whom something may be forgotten."""
    return [name or None for (name,) in database.within(Scope()).all("tenants_to_clean")]


def rule_of_tenant(db: ScopedDatabase) -> Retention | None:
    row = db.one("get_rule_of_tenant")
    return None if row is None else _rule(row[0], row[1])


def set_rule_of_tenant(db: ScopedDatabase, rule: Retention, now: datetime) -> None:
    db.run("set_rule_of_tenant", kept_for=_microseconds(rule), counted_from=rule.counted_from.value, now=now)


def clear_rule_of_tenant(db: ScopedDatabase) -> bool:
    return bool(db.run("clear_rule_of_tenant"))


def rule_of_conversation(db: ScopedDatabase, conversation_id: UUID) -> Held | None:
    """Give a conversation with its own rule, if it has one."""
    row = db.one("get_rule_of_conversation", conversation_id=conversation_id)
    if row is None:
        return None
    return Held(conversation_id, "", bool(row[2]), _rule(row[0], row[1]), db.decode.moment(row[3]), 0)


def set_rule_of_conversation(db: ScopedDatabase, conversation_id: UUID, rule: Retention | None) -> bool:
    """Give a conversation a rule of its own, or take it away; tell whether there is such a conversation."""
    return bool(
        db.run(
            "set_rule_of_conversation",
            conversation_id=conversation_id,
            kept_for=rule and _microseconds(rule),
            counted_from=rule and rule.counted_from.value,
        )
    )


def oldest_turn(db: ScopedDatabase, conversation_id: UUID) -> datetime | None:
    row = db.one("oldest_turn_of_conversation", conversation_id=conversation_id)
    return None if row is None or row[0] is None else db.decode.moment(row[0])


def expired_turns(db: ScopedDatabase, cutoff: datetime, size: int) -> Iterator[list[ExpiredTurn]]:
    """Walk the tenant's turns that were said before a moment, oldest first, as far as the tenant's rule is theirs."""
    after = BEFORE_EVERY_ID
    while rows := db.all("expired_turns_of_tenant", after=after, before=first_id(cutoff), cutoff=cutoff, limit=size):
        yield [(db.decode.identifier(row[0]), row[1]) for row in rows]
        after = db.decode.identifier(rows[-1][2])


def expired_turns_of(
    db: ScopedDatabase, conversation_id: UUID, cutoff: datetime, size: int
) -> Iterator[list[ExpiredTurn]]:
    """Walk the turns of one conversation that were said before a moment."""
    after = 0
    while rows := db.all(
        "expired_turns_of_conversation_of_tenant",
        conversation_id=conversation_id,
        after=after,
        cutoff=cutoff,
        limit=size,
    ):
        yield [(conversation_id, number) for (number,) in rows]
        after = rows[-1][0]


def quiet_conversations(db: ScopedDatabase, since: datetime, size: int) -> Iterator[UUID]:
    """Walk the conversations in which nothing has happened since a moment, as far as the tenant's rule is theirs."""
    return _ids(db, "quiet_conversations_of_tenant", since, size)


def empty_conversations(db: ScopedDatabase, since: datetime, size: int) -> Iterator[UUID]:
    """Walk those of them in which nothing was said, or is left."""
    return _ids(db, "empty_conversations_of_tenant", since, size)


def conversations_with_own_rule(db: ScopedDatabase, size: int) -> Iterator[OwnRule]:
    after = BEFORE_EVERY_ID
    while rows := db.all("conversations_with_own_rule_of_tenant", after=after, limit=size):
        for row in rows:
            after = db.decode.identifier(row[0])
            rule = _rule(row[2], row[3])
            assert rule is not None
            yield OwnRule(after, rule, db.decode.moment(row[4]))


def turns_left(db: ScopedDatabase, conversation_id: UUID) -> int:
    row = db.one("count_turns_left_of_tenant", conversation_id=conversation_id)
    return row[0] if row else 0


def forget(db: ScopedDatabase, turns: Sequence[ExpiredTurn], is_due: IsDue) -> Gone:
    """Delete turns with all that hangs on them, and the conversations in which nothing is left, in one transaction.

    A conversation is held first and looked at again: one that was pinned meanwhile, or came to life, stays.
    """
    with db.transaction() as together:
        together.all("commit_without_waiting_of_tenant")
        held = _hold(together, {conversation for conversation, _ in turns}, is_due)
        doomed = _listed([turn for turn in turns if turn[0] in held])
        ids = _listed(held)
        gone = together.all("expire_messages_of_tenant", turns=doomed)
        together.run_each(
            ("discount_expired_of_tenant", {"gone": _discounts(together, gone, held)}),
            ("expire_summaries_of_tenant", {"ids": ids}),
            ("expire_receipts_of_tenant", {"turns": doomed}),
            ("expire_requests_of_tenant", {"ids": ids, "turns": doomed}),
            ("expire_corrections_of_tenant", {"ids": ids, "turns": doomed}),
        )
        emptied = _drop_emptied(together, held)
    return Gone(len({(row[0], row[1]) for row in gone}), emptied)


def forget_empty(db: ScopedDatabase, ids: Collection[UUID], is_due: IsDue) -> Gone:
    """Delete conversations in which nothing was said, or is left."""
    with db.transaction() as together:
        held = _hold(together, ids, is_due)
        return Gone(0, _drop_emptied(together, held))


def drop_expired_pending(db: ScopedDatabase, now: datetime) -> int:
    return db.run("drop_expired_pending_of_tenant", now=now)


def put_run(db: ScopedDatabase, run: CleanupResult, *, forget_before: datetime) -> None:
    """Note what a cleanup did; notes older than a moment go."""
    with db.transaction() as together:
        together.run("drop_old_cleanup_runs_of_tenant", before=forget_before)
        together.run(
            "insert_cleanup_run_of_tenant",
            run_id=new_id(run.timestamp),
            started_at=run.timestamp,
            execution_time=run.execution_time,
            sessions_deleted=run.sessions_deleted,
            turns_deleted=run.turns_deleted,
            errors=as_json(list(run.errors)),
        )


def runs(db: ScopedDatabase, limit: int) -> list[CleanupResult]:
    """List what cleanups did, newest first."""
    return readable(db.all("cleanup_runs_of_tenant", limit=limit), lambda row: _run(db, row))


def _ids(db: ScopedDatabase, name: str, since: datetime, size: int) -> Iterator[UUID]:
    after = BEFORE_EVERY_ID
    while rows := db.all(name, after=after, cutoff=since, limit=size):
        for row in rows:
            after = db.decode.identifier(row[0])
            yield after


def _hold(together: Statements, ids: Collection[UUID], is_due: IsDue) -> dict[UUID, Held]:
    rows = together.all("hold_conversations_of_tenant", ids=_listed(ids))
    found = (_held(together, row) for row in rows)
    return {held.id: held for held in found if is_due(held)}


def _held(together: Statements, row: Row) -> Held:
    return Held(
        id=together.decode.identifier(row[0]),
        user_id=row[1],
        pinned=bool(row[2]),
        own_rule=_rule(row[3], row[4]),
        updated_at=together.decode.moment(row[5]),
        turn_count=row[6],
    )


def _discounts(together: Statements, gone: Sequence[Row], held: dict[UUID, Held]) -> str:
    """Say for each conversation how many messages and tokens went, and whether the newest turn was among them."""
    messages: Counter[UUID] = Counter()
    tokens: Counter[UUID] = Counter()
    newest: set[UUID] = set()
    for raw_id, number, size in gone:
        conversation = together.decode.identifier(raw_id)
        messages[conversation] += 1
        tokens[conversation] += size
        if number == held[conversation].turn_count:
            newest.add(conversation)
    return json.dumps([[str(id_), messages[id_], tokens[id_], id_ in newest] for id_ in messages])


def _drop_emptied(together: Statements, held: Collection[UUID]) -> int:
    emptied = [together.decode.identifier(row[0]) for row in together.all("drop_emptied_of_tenant", ids=_listed(held))]
    if emptied:
        together.run("drop_pending_of_gone_of_tenant", ids=_listed(emptied))
        together.run("drop_jobs_of_gone_of_tenant", ids=_listed(emptied))
    return len(emptied)


def _listed(items: Collection[UUID] | Collection[ExpiredTurn]) -> str:
    return json.dumps(list(items), default=str)


def _rule(kept_for: int | None, counted_from: str | None) -> Retention | None:
    if kept_for is None or counted_from is None:
        return None
    return Retention(timedelta(microseconds=kept_for), CountedFrom(counted_from))


def _microseconds(rule: Retention) -> int:
    return rule.kept_for // _MICROSECOND


def _run(db: ScopedDatabase, row: Row) -> CleanupResult:
    return CleanupResult(
        timestamp=db.decode.moment(row[0]),
        execution_time=row[1],
        sessions_deleted=row[2],
        turns_deleted=row[3],
        errors=tuple(json_list_or_none(db.decode, row[4]) or ()),
    )
