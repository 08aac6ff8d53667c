"""Deletes somebody or something from every table, counts what went, and looks whether anything is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from gunita.erasure import DeletionKind, DeletionReceipt, Erasure, stored_subject, subject_of_user
from gunita.models import Scope
from gunita.store.database import Database, Row, ScopedDatabase, Statements
from gunita.store.rows import as_json, json_object, readable

HANGS_ON_MESSAGES = ("message_index", "index_queue", "forgotten_sources")
HANGS_ON_CONVERSATIONS = (
    "summaries",
    "receipts",
    "requests",
    "corrections",
    "extraction_cursors",
    "jobs",
    "pending_clarifications",
)
OF_A_CONVERSATION = (*HANGS_ON_MESSAGES, "messages", *HANGS_ON_CONVERSATIONS, "conversations")
OF_A_USER = (*OF_A_CONVERSATION, "memory_history", "memories", "user_memory", "user_state", "api_keys")
OF_A_TENANT = (*OF_A_USER, "retention_rules", "cleanup_runs")
OF_THE_TENANT_ALONE = ("api_keys", "retention_rules", "cleanup_runs")
LEARNT = ("memory_history", "memories")

ERASED_AT_ONCE = 20_000
"""Messages of a user that go in one transaction; of more, conversations go one by one before the rest."""
USERS_AT_ONCE = 1_000
SHORT_TERM = timedelta(minutes=5)
"""An open question lasts so long at most after the last activity."""


def empty_the_log(db: ScopedDatabase) -> None:
    """Write the database's log over where it is ours, so that nothing deleted stands in it."""
    db.all("empty_the_log_of_tenant")


def erase_user(db: ScopedDatabase, user_id: str) -> Counter[str]:
    """Delete everything about a user; tell how many rows went from which table."""
    counted: Counter[str] = Counter(dict.fromkeys(OF_A_USER, 0))
    messages = db.one("count_messages_of_user", user_id=user_id)
    if messages and messages[0] > ERASED_AT_ONCE:
        counted.update(_erase_conversations_one_by_one(db, user_id))
    with db.transaction() as together:
        # Whoever writes to one of the conversations at this moment is waited for, and their rows are counted too.
        together.run("hold_conversations_of_user", user_id=user_id)
        for table in OF_A_USER:
            counted[table] += together.run(f"erase_{table}_of_user", user_id=user_id)
    return counted


def erase_conversation(
    db: ScopedDatabase, conversation_id: UUID, user_id: str, *, with_memories: bool = False
) -> Counter[str]:
    """Delete a conversation, and where it is asked for, what was learnt from it."""
    counted: Counter[str] = Counter()
    with db.transaction() as together:
        together.run("hold_conversation", conversation_id=conversation_id)
        _erase(together, counted, OF_A_CONVERSATION, "of_conversation", conversation_id, user_id)
        if with_memories:
            _erase(together, counted, LEARNT, "learnt_from", conversation_id, user_id)
    return counted


def erase_memory(db: ScopedDatabase, memory_id: UUID, user_id: str, now: datetime) -> Counter[str]:
    """Delete a memory with its history; what it was learnt from is not learnt from again."""
    counted: Counter[str] = Counter()
    with db.transaction() as together:
        together.run("forget_sources_of_memory", memory_id=memory_id, now=now)
        for table in LEARNT:
            counted[table] = together.run(f"erase_{table}_of_memory", memory_id=memory_id, user_id=user_id)
    return counted


def erase_tenant(db: ScopedDatabase) -> Counter[str]:
    """Delete every user of a tenant, one after another, then what is the tenant's own."""
    counted: Counter[str] = Counter(dict.fromkeys(OF_A_TENANT, 0))
    while users := db.all("users_of_tenant", limit=USERS_AT_ONCE):
        for (user_id,) in users:
            counted.update(erase_user(db, user_id))
    with db.transaction() as together:
        for table in OF_THE_TENANT_ALONE:
            counted[table] += together.run(f"erase_{table}_of_tenant")
    return Counter({table: counted[table] for table in OF_A_TENANT})


def left(db: ScopedDatabase, receipt: DeletionReceipt) -> dict[str, int]:
    """Count the rows that a deletion should have taken and that are there, by table."""
    until = {"deleted_at": receipt.deleted_at, "short_term_until": receipt.deleted_at + SHORT_TERM}
    match receipt.kind:
        case DeletionKind.USER:
            rows = db.all("left_of_user", user_id=receipt.subject, **until)
        case DeletionKind.TENANT:
            rows = db.all("left_of_tenant", **until)
        case DeletionKind.MEMORY:
            rows = db.all("left_of_memory", memory_id=UUID(receipt.subject))
        case DeletionKind.CONVERSATION:
            rows = db.all("left_of_conversation", conversation_id=UUID(receipt.subject))
            if "memories" in receipt.counts:
                rows += db.all("left_of_what_was_learnt_from", conversation_id=UUID(receipt.subject))
    return {table: count for table, count in rows if count}


def put_receipt(db: ScopedDatabase, receipt: DeletionReceipt) -> None:
    db.run(
        "insert_deletion_receipt_of_tenant",
        receipt_id=receipt.id,
        kind=receipt.kind.value,
        subject=stored_subject(receipt.kind, receipt.tenant_id, receipt.subject),
        counts=as_json(dict(receipt.counts)),
        digest=receipt.digest,
        deleted_at=receipt.deleted_at,
    )


def get_receipt(db: ScopedDatabase, receipt_id: UUID) -> DeletionReceipt | None:
    """Give a receipt as it is stored."""
    rows = db.all("get_deletion_receipt_of_tenant", receipt_id=receipt_id)
    return next(iter(readable(rows, lambda row: _receipt(db, row))), None)


def receipts(db: ScopedDatabase, *, limit: int, offset: int) -> list[DeletionReceipt]:
    rows = db.all("list_deletion_receipts_of_tenant", limit=limit, offset=offset)
    return readable(rows, lambda row: _receipt(db, row))


def erasures_since(database: Database, moment: datetime) -> list[Erasure]:
    """List what was deleted in any tenant since a moment, oldest first."""
    db = database.within(Scope())
    return [
        Erasure(DeletionKind(kind), tenant or None, subject, db.decode.moment(at))
        for tenant, _, kind, subject, at in db.all("deletions_since", moment=moment)
    ]


def was_erased(db: ScopedDatabase, user_id: str, conversation_id: UUID, said_at: datetime) -> bool:
    """Tell whether something said at a moment has been deleted since, with its user, conversation or tenant.

    The scope must be the tenant's service; whoever brings back what waited outside the database asks this first.
    """
    row = db.one(
        "find_deletions_of_tenant",
        user_subject=subject_of_user(db.scope.tenant_id, user_id),
        conversation_subject=str(conversation_id),
        tenant_subject=db.scope.tenant_id or "",
        said_at=said_at,
    )
    return bool(row and row[0])


def everything_of_user(db: ScopedDatabase, user_id: str) -> Mapping[str, list[Row]]:
    """Read what is kept about a user beside conversations, messages and memories."""
    return {
        name: db.all(name, user_id=user_id)
        for name in (
            "conversation_rules_of_user",
            "summaries_of_user",
            "beliefs_of_user",
            "corrections_of_user",
            "receipts_of_user",
            "requests_of_user",
            "pending_of_user",
            "keys_of_user_of_tenant",
        )
    }


def _erase(
    together: Statements, counted: Counter[str], tables: tuple[str, ...], how: str, conversation_id: UUID, user_id: str
) -> None:
    for table in tables:
        name = f"erase_{table}_{how}"
        counted[table] = together.run(name, conversation_id=conversation_id, user_id=user_id)


def _erase_conversations_one_by_one(db: ScopedDatabase, user_id: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    page: dict[str, Any] = {"user_id": user_id, "archived": None, "limit": 100, "offset": 0}
    while rows := db.all("list_conversations_of_user", **page):
        for row in rows:
            counted.update(erase_conversation(db, db.decode.identifier(row[0]), user_id))
    return counted


def _receipt(db: ScopedDatabase, row: Row) -> DeletionReceipt:
    return DeletionReceipt(
        id=db.decode.identifier(row[0]),
        kind=DeletionKind(row[1]),
        tenant_id=db.scope.tenant_id,
        subject=row[2],
        counts=json_object(db.decode, row[3]),
        deleted_at=db.decode.moment(row[5]),
        digest=row[4],
    )
