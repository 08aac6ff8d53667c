"""Memories as a caller manages them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from gunita.errors import NotFoundError
from gunita.ids import new_id
from gunita.models import Conversation, Memory, MemoryType, Message, Scope
from gunita.services import access
from gunita.services.access import Access
from gunita.services.learning import (
    Extractor,
    ask_for_all,
    ask_for_conversation,
    learn,
    learn_due,
    without_model,
)
from gunita.services.remembering import memories_for
from gunita.services.unset import UNSET, Unset
from gunita.store import conversations, learning, memories, search
from gunita.store.database import Database
from gunita.store.learning import Belief, LearningProgress, Reason
from gunita.store.memories import MemoryChange, MemoryFilter


@dataclass(frozen=True, slots=True)
class MemorySource:
    """Where a memory comes from; all None for one that was entered by hand, or whose source is gone."""

    memory_id: UUID
    conversation_id: UUID | None
    conversation_title: str | None
    turn_number: int | None
    message: Message | None


class MemoryService:
    def __init__(self, door: Access, database: Database, extractor: Extractor = without_model) -> None:
        self._door = door
        self._database = database
        self._extractor = extractor

    def create_memory(
        self,
        user_id: str | None,
        content: str,
        memory_type: MemoryType | str = MemoryType.FACT,
        *,
        category: str | None = None,
        source_conversation_id: UUID | str | None = None,
        source_message_id: UUID | str | None = None,
        pinned: bool = False,
        confidence: float = 1.0,
    ) -> Memory:
        now = self._door.clock()
        memory = Memory(
            id=new_id(now),
            user_id=self._door.user(user_id),
            memory_type=access.memory_type(memory_type),
            category=_category(category),
            content=self._door.content("content", content),
            source_conversation_id=_optional_id("source_conversation_id", source_conversation_id),
            source_message_id=_optional_id("source_message_id", source_message_id),
            created_at=now,
            pinned=bool(access.flag("pinned", pinned)),
            confidence=access.fraction("confidence", confidence),
        )
        memories.insert(self._door.db, memory)
        return memory

    def get_memory(self, memory_id: UUID | str) -> Memory:
        wanted = access.identifier("memory_id", memory_id)
        found = memories.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("memory", wanted)
        return found

    def get_memories(
        self,
        user_id: str | None = None,
        *,
        memory_type: MemoryType | str | None = None,
        category: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
        text: str | None = None,
        source_conversation_id: UUID | str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Memory]:
        """List memories newest first: the user's, or for a service that names nobody, the tenant's."""
        wanted, start = access.page(limit, offset)
        filters = MemoryFilter(
            memory_type=None if memory_type is None else access.memory_type(memory_type),
            category=_category(category),
            pinned=access.flag("pinned", pinned),
            archived=access.flag("archived", archived),
            source_conversation_id=_optional_id("source_conversation_id", source_conversation_id),
            text=None if text is None else self._door.content("text", text),
        )
        whose = self._door.user_or_all(user_id)
        return memories.find(self._door.db, whose, filters, limit=wanted, offset=start)

    def update_memory(
        self,
        memory_id: UUID | str,
        *,
        content: str | None = None,
        memory_type: MemoryType | str | None = None,
        category: str | Unset | None = UNSET,
        pinned: bool | None = None,
        archived: bool | None = None,
        confidence: float | None = None,
    ) -> Memory:
        """Change what is given and leave the rest."""
        wanted = access.identifier("memory_id", memory_id)
        change = MemoryChange(
            content=None if content is None else self._door.content("content", content),
            memory_type=None if memory_type is None else access.memory_type(memory_type),
            set_category=category is not UNSET,
            category=None if isinstance(category, Unset) else _category(category),
            pinned=access.flag("pinned", pinned),
            archived=access.flag("archived", archived),
            confidence=None if confidence is None else access.fraction("confidence", confidence),
        )
        before = self.get_memory(wanted) if content is not None else None
        changed = memories.update(self._door.db, wanted, change)
        if changed is None:
            raise NotFoundError("memory", wanted)
        if before is not None and before.content != changed.content:
            learning.keep_belief(self._door.db, before, Reason.EDITED, until=self._door.clock(), cause=None)
        return changed

    def delete_memory(self, memory_id: UUID | str) -> bool:
        """Delete a memory with its history; what it was learnt from is not learnt from again."""
        wanted = access.identifier("memory_id", memory_id)
        with self._door.db.transaction() as together:
            learning.forget_sources(together, wanted, self._door.clock())
            return memories.delete(together, wanted)

    def get_memory_history(self, memory_id: UUID | str) -> list[Belief]:
        """Tell what a memory said before, oldest first: from when to when, and which message changed it."""
        return learning.beliefs(self._door.db, self.get_memory(memory_id).id)

    def extract_memories(self, conversation_id: UUID | str) -> list[Memory]:
        """Learn from what is new in a conversation; give the memories that came or changed."""
        return learn(self._door, access.identifier("conversation_id", conversation_id), self._extractor)

    def request_extraction(
        self, user_id: str | None = None, *, conversation_id: UUID | str | None = None
    ) -> LearningProgress:
        """Have a conversation, or all of a user's with something unread, read in the background; say how it goes."""
        if conversation_id is not None:
            return ask_for_conversation(self._door, self._conversation(user_id, conversation_id))
        return ask_for_all(self._door, self._door.user_or_all(user_id))

    def extraction_progress(
        self, user_id: str | None = None, *, conversation_id: UUID | str | None = None
    ) -> LearningProgress:
        """Say how far the reading of a conversation, or of all of a user's, has come, in whichever process."""
        whose = self._door.user_or_all(user_id)
        where = None if conversation_id is None else self._conversation(user_id, conversation_id).id
        return learning.progress(self._door.db, whose, where, now=self._door.clock())

    def get_memory_source(self, memory_id: UUID | str) -> MemorySource:
        """Give the message that a memory was learnt from, and where it stands, as far as they are still there."""
        memory = self.get_memory(memory_id)
        where, which = memory.source_conversation_id, memory.source_message_id
        conversation = None if where is None else conversations.get(self._door.db, where)
        message = None if which is None else search.messages_by_ids(self._door.db, [which]).get(which)
        return MemorySource(
            memory_id=memory.id,
            conversation_id=conversation.id if conversation else None,
            conversation_title=conversation.title if conversation else None,
            turn_number=message.turn_number if message else None,
            message=message,
        )

    def extract_due(self, limit: int = 10) -> int:
        """Learn from the conversations that wait for it, as the settings' trigger has it; tell how many were read."""
        return learn_due(self._door, self._extractor, access.page(limit)[0])

    def extract_everywhere(self, limit: int = 10) -> int:
        """Do the same for every tenant that the scope reaches, one after another; what a server's worker calls."""
        if self._door.scope != Scope():
            return self.extract_due(limit)
        wanted, _ = access.page(limit)
        tenants = learning.tenants_to_learn(self._database, self._door.clock())
        doors = (replace(self._door, db=self._database.within(Scope(tenant))) for tenant in tenants)
        return sum(learn_due(door, self._extractor, wanted) for door in doors)

    def get_context_memories(self, user_id: str | None, query: str | None = None, *, limit: int = 10) -> list[Memory]:
        """Give every pinned memory, then the best others for a query; their use is counted, in batches."""
        wanted = None if query is None else self._door.content("query", query)
        others = access.page(limit)[0]
        return memories_for(self._door, self._door.user(user_id), wanted, limit=others)

    def _conversation(self, user_id: str | None, conversation_id: UUID | str) -> Conversation:
        """Find a conversation of the user that is named, if one is."""
        wanted = access.identifier("conversation_id", conversation_id)
        found = conversations.get(self._door.db, wanted)
        if found is None or self._door.user_or_all(user_id) not in (None, found.user_id):
            raise NotFoundError("conversation", wanted)
        return found


def _category(value: str | None) -> str | None:
    return None if value is None else access.short_text("category", value)


def _optional_id(field: str, value: UUID | str | None) -> UUID | None:
    return None if value is None else access.identifier(field, value)
