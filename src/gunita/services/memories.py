"""Memories as a caller manages them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from gunita.errors import NotFoundError, ValidationError
from gunita.ids import new_id
from gunita.models import Memory, MemoryType
from gunita.services import access
from gunita.services.access import Access
from gunita.services.unset import UNSET, Unset
from gunita.store import memories
from gunita.store.memories import MemoryChange, MemoryFilter


class MemoryService:
    def __init__(self, door: Access) -> None:
        self._door = door

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
            memory_type=_memory_type(memory_type),
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
            memory_type=None if memory_type is None else _memory_type(memory_type),
            category=_category(category),
            pinned=access.flag("pinned", pinned),
            archived=access.flag("archived", archived),
            source_conversation_id=_optional_id("source_conversation_id", source_conversation_id),
            text=None if text is None else self._door.content("text", text),
        )
        return memories.find(self._door.db, self._door.user_or_all(user_id), filters)[start : start + wanted]

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
            memory_type=None if memory_type is None else _memory_type(memory_type),
            set_category=category is not UNSET,
            category=None if isinstance(category, Unset) else _category(category),
            pinned=access.flag("pinned", pinned),
            archived=access.flag("archived", archived),
            confidence=None if confidence is None else access.fraction("confidence", confidence),
        )
        changed = memories.update(self._door.db, wanted, change)
        if changed is None:
            raise NotFoundError("memory", wanted)
        return changed

    def delete_memory(self, memory_id: UUID | str) -> bool:
        return memories.delete(self._door.db, access.identifier("memory_id", memory_id))


def _memory_type(value: Any) -> MemoryType:
    try:
        return MemoryType(value)
    except ValueError as problem:
        known = ", ".join(MemoryType)
        raise ValidationError("memory_type", f"{value!r} is unknown; use one of {known}") from problem


def _category(value: str | None) -> str | None:
    return None if value is None else access.short_text("category", value)


def _optional_id(field: str, value: UUID | str | None) -> UUID | None:
    return None if value is None else access.identifier(field, value)
