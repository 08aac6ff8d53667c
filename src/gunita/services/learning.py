"""Learns memories from conversations: reads on where it stopped, reconciles with what is known, keeps the history."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Protocol, TypeAlias, assert_never
from uuid import UUID

from gunita.errors import GunitaError, NotFoundError
from gunita.ids import new_id
from gunita.language.encoder import Encoder
from gunita.language.extraction import Floats, Learnt, extract
from gunita.models import Conversation, Memory, Message
from gunita.recall.reconcile import Action, Add, Confirm, Doubt, Known, Supersede, reconcile
from gunita.services.access import Access
from gunita.settings import ExtractionTrigger, Settings
from gunita.store import conversations, learning, memories
from gunita.store.database import Statements
from gunita.store.learning import DueExtraction, LearningProgress, Reason
from gunita.store.memories import MOST_WEIGHED, MemoryFilter

BATCH = 50
"""Messages read and learnt from in one transaction: what a crash repeats."""
LEASE = timedelta(minutes=10)
"""A claimed conversation that is not done by then was left by a process that died; another one takes it."""
RETRY_AFTER = timedelta(minutes=1)
MOST_ASKED_FOR = 10_000
"""Conversations that one request has read; who has more asks again."""
VECTORS_HELD = 8_192

_log = logging.getLogger("gunita.services")


Taught: TypeAlias = Sequence[tuple[Message, Sequence[Learnt]]]
"""Messages in their order, each with what it teaches."""


class Extractor(Protocol):
    """Says what each of a user's messages teaches, in the messages' order."""

    def __call__(self, messages: Sequence[Message]) -> Sequence[Sequence[Learnt]]: ...


def without_model(messages: Sequence[Message]) -> list[list[Learnt]]:
    """Learn with what ships inside the package."""
    return [extract(message.content) for message in messages]


def learn(door: Access, conversation_id: UUID, extractor: Extractor = without_model) -> list[Memory]:
    """Read what is new in a conversation and keep what it teaches; give the memories that came or changed."""
    conversation = conversations.get(door.db, conversation_id)
    if conversation is None:
        raise NotFoundError("conversation", conversation_id)
    touched: dict[UUID, Memory] = {}
    while True:
        after = learning.read_through(door.db, conversation_id)
        unread = learning.user_messages(door.db, conversation_id, after=after, limit=BATCH)
        if not unread:
            return list(touched.values())
        taught = _taught(door, unread, conversation.user_id, extractor)
        plan = _kept(door, conversation, taught, after=after, through_turn=unread[-1].turn_number)
        touched |= {change.after.id: change.after for change in plan}


def _taught(door: Access, unread: Sequence[Message], user_id: str, extractor: Extractor) -> Taught:
    """Read messages, except those that have left a trace or must never leave one again."""
    settled = learning.settled_messages(door.db, user_id)
    fresh = [message for message in unread if message.id not in settled]
    return list(zip(fresh, extractor(fresh), strict=True)) if fresh else []


def _kept(door: Access, conversation: Conversation, taught: Taught, *, after: int, through_turn: int) -> list[Change]:
    """Reconcile what was taught with what is known, and keep it; nobody else learns about the user meanwhile."""
    _prepare_vectors(door, taught, conversation.user_id)
    with door.db.transaction() as together:
        learning.hold_user(together, conversation.user_id)
        # Where somebody else has read these messages meanwhile, theirs stands and this reading is dropped.
        if not learning.advance(
            together,
            conversation.id,
            conversation.user_id,
            after=after,
            through_turn=through_turn,
            now=door.clock(),
        ):
            return []
        plan = planned(taught, known_memories(together, conversation.user_id), conversation.user_id) if taught else []
        for change in plan:
            change.write(together)
    return plan


def _prepare_vectors(door: Access, taught: Taught, user_id: str) -> None:
    """Read the statements at hand beforehand, so that others wait for writing alone."""
    if any(statements for _, statements in taught):
        known_memories(door.db, user_id)
        for _, statements in taught:
            for learnt in statements:
                vector_of(learnt.content)


def known_memories(db: Statements, user_id: str) -> list[Known]:
    found = memories.find(db, user_id, MemoryFilter(), limit=MOST_WEIGHED)
    return [Known(memory, vector_of(memory.content)) for memory in found]


@lru_cache(maxsize=VECTORS_HELD)
def vector_of(text: str) -> Floats:
    vector: Floats = Encoder.load().encode([text])[0]
    return vector


class Change:
    """One action on one memory: what it was, what it becomes, and because of which message."""

    def __init__(self, before: Memory | None, after: Memory, reason: Reason | None, message: Message) -> None:
        self.before, self.after = before, after
        self._reason, self._message = reason, message

    def write(self, db: Statements) -> None:
        if self.before is None or self._reason is None:
            memories.insert(db, self.after)
            return
        learning.keep_belief(db, self.before, self._reason, until=self._message.created_at, cause=self._message.id)
        if self._reason is Reason.SUPERSEDED:
            learning.supersede(db, self.after)
        else:
            learning.weigh(db, self.after.id, self.after.confidence)


def planned(taught: Taught, known: Sequence[Known], user_id: str) -> list[Change]:
    """Decide every change that the messages ask for, each with those before it in mind."""
    current = {one.memory.id: one for one in known}
    plan: list[Change] = []
    for message, statements in taught:
        for learnt in statements:
            for action in reconcile(learnt, vector_of(learnt.content), message.created_at, list(current.values())):
                change = _change(action, message, user_id)
                plan.append(change)
                current[change.after.id] = Known(change.after, vector_of(change.after.content))
    return plan


def _change(action: Action, message: Message, user_id: str) -> Change:
    match action:
        case Add():
            return Change(None, _memory(action.learnt, message, user_id), None, message)
        case Supersede():
            now_said = replace(
                _memory(action.learnt, message, user_id),
                id=action.memory.id,
                pinned=action.memory.pinned,
                access_count=action.memory.access_count,
                last_accessed_at=action.memory.last_accessed_at,
            )
            return Change(action.memory, now_said, Reason.SUPERSEDED, message)
        case Confirm():
            return Change(action.memory, _weighed(action.memory, action.confidence), Reason.CONFIRMED, message)
        case Doubt():
            return Change(action.memory, _weighed(action.memory, action.confidence), Reason.DOUBTED, message)
        case _:
            assert_never(action)


def _weighed(memory: Memory, confidence: float) -> Memory:
    return replace(memory, confidence=confidence)


def _memory(learnt: Learnt, message: Message, user_id: str) -> Memory:
    return Memory(
        id=new_id(message.created_at),
        user_id=user_id,
        memory_type=learnt.memory_type,
        category=learnt.category,
        content=learnt.content,
        source_conversation_id=message.conversation_id,
        source_message_id=message.id,
        created_at=message.created_at,
        confidence=min(learnt.confidence, 0.99),
    )


def schedule(door: Access, conversation_id: UUID) -> None:
    """Note that a conversation has something new to learn from, where the settings want that done without asking."""
    wait, now = waiting_time(door.settings), door.clock()
    conversation = None if wait is None else conversations.get(door.db, conversation_id)
    if wait is not None and conversation is not None:
        learning.put_job(door.db, conversation_id, conversation.user_id, run_after=now + wait, now=now)


def waiting_time(settings: Settings) -> timedelta | None:
    """Say how long after a message its conversation is read; None where only a person may ask for it."""
    trigger = settings.extraction_trigger
    match trigger:
        case ExtractionTrigger.BY_HAND:
            return None
        case ExtractionTrigger.BACKGROUND:
            return timedelta()
        case ExtractionTrigger.IDLE:
            return timedelta(seconds=settings.extraction_idle_seconds)
        case _:
            assert_never(trigger)


def ask_for_conversation(door: Access, conversation: Conversation) -> LearningProgress:
    """Have a conversation read as soon as a worker is free."""
    now = door.clock()
    learning.put_job(door.db, conversation.id, conversation.user_id, run_after=now, now=now)
    return learning.progress(door.db, conversation.user_id, conversation.id, now=now)


def ask_for_all(door: Access, user_id: str | None) -> LearningProgress:
    """Have every conversation of a user, or of the tenant, read that holds something unread."""
    now = door.clock()
    unread = learning.unread_conversations(door.db, user_id, limit=MOST_ASKED_FOR)
    with door.db.transaction() as together:
        for conversation_id, owner in unread:
            learning.put_job(together, conversation_id, owner, run_after=now, now=now)
    return learning.progress(door.db, user_id, None, now=now)


def learn_due(door: Access, extractor: Extractor = without_model, limit: int = 10) -> int:
    """Read the conversations that are due in this scope; one that fails is tried again later, its messages unread."""
    done = 0
    for due in learning.due_jobs(door.db, now=door.clock(), limit=limit):
        now = door.clock()
        if learning.claim_job(door.db, due.job_id, now=now, until=now + LEASE):
            done += _learn_one(door, due, extractor)
    return done


def _learn_one(door: Access, due: DueExtraction, extractor: Extractor) -> bool:
    try:
        learn(door, due.conversation_id, extractor)
    except GunitaError as problem:
        name = type(problem).__name__
        _log.warning("conversation %s could not be read for memories: %s", str(due.conversation_id)[:8], name)
        learning.fail_job(door.db, due, error=name, retry_at=door.clock() + RETRY_AFTER)
        return False
    learning.finish_job(door.db, due)
    return True
