"""Learns memories from conversations: reads on where it stopped, reconciles with what is known, keeps the history."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Protocol, assert_never
from uuid import UUID

from gunita.errors import GunitaError, NotFoundError
from gunita.ids import new_id
from gunita.language.encoder import Encoder
from gunita.language.extraction import Floats, Learnt, extract
from gunita.models import Memory, Message
from gunita.recall.reconcile import Action, Add, Confirm, Doubt, Known, Supersede, reconcile
from gunita.services.access import Access
from gunita.settings import ExtractionTrigger
from gunita.store import conversations, learning, memories
from gunita.store.database import Statements
from gunita.store.learning import DueExtraction, Reason
from gunita.store.memories import MemoryFilter

BATCH = 50
"""Messages read and learnt from in one transaction: what a crash repeats."""
LEASE = timedelta(minutes=10)
"""A claimed conversation that is not done by then was left by a process that died; another one takes it."""
RETRY_AFTER = timedelta(minutes=1)
VECTORS_HELD = 8_192

_log = logging.getLogger("gunita.services")


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
        settled = learning.settled_messages(door.db, conversation.user_id)
        fresh = [message for message in unread if message.id not in settled]
        taught = list(zip(fresh, extractor(fresh), strict=True)) if fresh else []
        plan = planned(taught, known_memories(door, conversation.user_id), conversation.user_id)
        with door.db.transaction() as together:
            mine = learning.advance(
                together,
                conversation_id,
                conversation.user_id,
                after=after,
                through_turn=unread[-1].turn_number,
                now=door.clock(),
            )
            # Where somebody else has read these messages meanwhile, theirs stands and this reading is dropped.
            if mine:
                for change in plan:
                    change.write(together)
        if mine:
            touched |= {change.after.id: change.after for change in plan}


def known_memories(door: Access, user_id: str) -> list[Known]:
    found = memories.find(door.db, user_id, MemoryFilter())
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


def planned(taught: Sequence[tuple[Message, Sequence[Learnt]]], known: Sequence[Known], user_id: str) -> list[Change]:
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
    trigger, now = door.settings.extraction_trigger, door.clock()
    match trigger:
        case ExtractionTrigger.BY_HAND:
            return
        case ExtractionTrigger.BACKGROUND:
            wait = timedelta()
        case ExtractionTrigger.IDLE:
            wait = timedelta(seconds=door.settings.extraction_idle_seconds)
        case _:
            assert_never(trigger)
    conversation = conversations.get(door.db, conversation_id)
    if conversation is not None:
        learning.put_job(door.db, conversation_id, conversation.user_id, run_after=now + wait, now=now)


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
