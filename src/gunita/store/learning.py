"""What learning keeps: how far a conversation was read, what was believed before, and what is never learnt again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from gunita.ids import new_id
from gunita.models import Memory, MemoryType, Message, Scope
from gunita.store.database import Database, Decoder, Row, ScopedDatabase, Statements
from gunita.store.messages import message_of
from gunita.store.rows import readable, text, text_or_none


class Reason(StrEnum):
    """Why a belief ended, or was weighed anew."""

    SUPERSEDED = "superseded"
    CONFIRMED = "confirmed"
    DOUBTED = "doubted"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class Belief:
    """What a memory said before, from when to when, and which message changed it."""

    id: UUID
    memory_id: UUID
    memory_type: MemoryType
    category: str | None
    content: str
    confidence: float
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    believed_from: datetime
    believed_until: datetime
    reason: Reason
    caused_by_message_id: UUID | None


@dataclass(frozen=True, slots=True)
class DueExtraction:
    job_id: UUID
    conversation_id: UUID
    run_after: datetime


class LearningState(StrEnum):
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """How far the reading of a conversation, or of all of a user's, has come."""

    state: LearningState
    conversations_waiting: int
    messages_waiting: int
    messages_read: int
    learnt: int
    """Memories that came from these conversations and are still known."""
    last_error: str | None


def hold_user(db: Statements, user_id: str) -> None:
    """Let nobody else learn about a user until the transaction ends."""
    db.run("hold_user", user_id=user_id)


def user_messages(db: ScopedDatabase, conversation_id: UUID, *, after: int, limit: int) -> list[Message]:
    """Read what the user wrote after a turn, oldest first."""
    rows = db.all("user_messages_after", conversation_id=conversation_id, after=after, limit=limit)
    return readable(rows, lambda row: message_of(db.decode, row))


def read_through(db: ScopedDatabase, conversation_id: UUID) -> int:
    """Say up to which turn a conversation has been read."""
    row = db.one("get_extraction_cursor", conversation_id=conversation_id)
    return 0 if row is None else int(row[0])


def advance(
    db: Statements, conversation_id: UUID, user_id: str, *, after: int, through_turn: int, now: datetime
) -> bool:
    """Move the cursor on, unless somebody else has moved it meanwhile."""
    return bool(
        db.run(
            "advance_extraction_cursor",
            conversation_id=conversation_id,
            user_id=user_id,
            after=after,
            through_turn=through_turn,
            now=now,
        )
    )


def settled_messages(db: ScopedDatabase, user_id: str) -> frozenset[UUID]:
    """Give the messages that have left a trace among the memories, or must never leave one again."""
    return frozenset(db.decode.identifier(row[0]) for row in db.all("messages_that_left_traces", user_id=user_id))


def keep_belief(db: Statements, before: Memory, reason: Reason, *, until: datetime, cause: UUID | None) -> None:
    """Write down what a memory said until now."""
    db.run(
        "insert_belief",
        memory_id=before.id,
        belief_id=new_id(until),
        user_id=before.user_id,
        memory_type=before.memory_type.value,
        category=before.category,
        content=before.content,
        confidence=before.confidence,
        source_conversation_id=before.source_conversation_id,
        source_message_id=before.source_message_id,
        believed_from=before.created_at,
        believed_until=until,
        reason=reason.value,
        caused_by_message_id=cause,
    )


def beliefs(db: ScopedDatabase, memory_id: UUID) -> list[Belief]:
    """Read what a memory said before, oldest first."""
    rows = db.all("beliefs_of_memory", memory_id=memory_id)
    return readable(rows, lambda row: _belief(db.decode, row))


def supersede(db: Statements, memory: Memory) -> None:
    """Let a memory say something else from now on."""
    db.run(
        "supersede_memory",
        memory_id=memory.id,
        content=memory.content,
        memory_type=memory.memory_type.value,
        category=memory.category,
        confidence=memory.confidence,
        source_conversation_id=memory.source_conversation_id,
        source_message_id=memory.source_message_id,
        now=memory.created_at,
        archived=memory.archived,
    )


def weigh(db: Statements, memory_id: UUID, confidence: float) -> None:
    db.run("weigh_memory", memory_id=memory_id, confidence=confidence)


def forget_sources(db: Statements, memory_id: UUID, now: datetime) -> None:
    """See to it that nothing is learnt again from the messages a memory came from."""
    db.run("forget_sources_of_memory", memory_id=memory_id, now=now)


def count_uses(db: ScopedDatabase, uses: Mapping[UUID, int], now: datetime) -> None:
    """Add up how often memories were used, all in one transaction."""
    with db.transaction() as together:
        for memory_id, times in sorted(uses.items()):
            together.run("count_memory_uses", memory_id=memory_id, uses=times, now=now)


def put_job(db: Statements, conversation_id: UUID, user_id: str, *, run_after: datetime, now: datetime) -> None:
    """Note that a conversation is to be read; a note that is there already is moved to the new time."""
    db.run(
        "put_extraction_job",
        job_id=uuid5(conversation_id, "extract"),
        conversation_id=conversation_id,
        user_id=user_id,
        run_after=run_after,
        now=now,
    )


def put_job_if_unread(db: Statements, message: Message, user_id: str, *, run_after: datetime, now: datetime) -> None:
    """Note that a message's conversation is to be read, unless it has been read as far as that."""
    db.run(
        "put_extraction_job_if_unread",
        job_id=uuid5(message.conversation_id, "extract"),
        conversation_id=message.conversation_id,
        user_id=user_id,
        turn_number=message.turn_number,
        run_after=run_after,
        now=now,
    )


def unread_conversations(db: ScopedDatabase, user_id: str | None, *, limit: int) -> list[tuple[UUID, str]]:
    """List the conversations in which a user has said something unread, newest first, each with its user."""
    rows = db.all("conversations_to_learn", user_id=user_id, limit=limit)
    return [(db.decode.identifier(row[0]), row[1]) for row in rows]


def progress(
    db: ScopedDatabase, user_id: str | None, conversation_id: UUID | None, *, now: datetime
) -> LearningProgress:
    """Say how far the reading of one conversation, or of all, has come; jobs whose time has not come do not count."""
    which = {
        "user_id": user_id,
        "any_conversation": conversation_id is None,
        "conversation_id": conversation_id,
    }
    waiting, working, error = db.one("extraction_jobs_at_hand", now=now, **which) or (0, 0, None)
    unread, read = db.one("count_messages_learnt_from", **which) or (0, 0)
    (learnt,) = db.one("count_memories_learnt", **which) or (0,)
    state = LearningState.WORKING if working else LearningState.WAITING if waiting else LearningState.DONE
    return LearningProgress(state, waiting, unread, read, learnt, error)


def due_jobs(db: ScopedDatabase, *, now: datetime, limit: int) -> list[DueExtraction]:
    rows = db.all("due_extraction_jobs", now=now, limit=limit)
    identifier, moment = db.decode.identifier, db.decode.moment
    return [DueExtraction(identifier(row[0]), identifier(row[1]), moment(row[2])) for row in rows]


def tenants_to_learn(database: Database, now: datetime) -> list[str | None]:
    """List the tenants that have something due; the null tenant is None."""
    return [row[0] or None for row in database.within(Scope()).all("tenants_to_learn", now=now)]


def claim_job(db: Statements, job_id: UUID, *, now: datetime, until: datetime) -> bool:
    return bool(db.run("claim_extraction_job", job_id=job_id, now=now, claimed_until=until))


def finish_job(db: Statements, due: DueExtraction) -> None:
    """Strike a job off, unless it was moved to a later time while it was done; then it only becomes free again."""
    if not db.run("finish_extraction_job", job_id=due.job_id, run_after=due.run_after):
        db.run("release_extraction_job", job_id=due.job_id, failures=0, error=None, run_after=None)


def fail_job(db: Statements, due: DueExtraction, *, error: str, retry_at: datetime) -> None:
    db.run("release_extraction_job", job_id=due.job_id, failures=1, error=error, run_after=retry_at)


def _belief(decode: Decoder, row: Row) -> Belief:
    return Belief(
        id=decode.identifier(row[0]),
        memory_id=decode.identifier(row[1]),
        memory_type=MemoryType(row[2]),
        category=text_or_none(row[3]),
        content=text(row[4]),
        confidence=float(row[5]),
        source_conversation_id=row[6] and decode.identifier(row[6]),
        source_message_id=row[7] and decode.identifier(row[7]),
        believed_from=decode.moment(row[8]),
        believed_until=decode.moment(row[9]),
        reason=Reason(row[10]),
        caused_by_message_id=row[11] and decode.identifier(row[11]),
    )
