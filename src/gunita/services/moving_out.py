"""Moving out: everything of a user or a tenant, written so that an import brings all of it back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from gunita.errors import NotFoundError
from gunita.models import Conversation, Memory
from gunita.services import access
from gunita.services.access import Access
from gunita.services.exporting import as_markdown, conversation_record, message_record
from gunita.store import conversations, messages, moving, userdata

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class ExportService:
    """Writes out what a scope sees, a piece at a time, however much it is."""

    def __init__(self, door: Access) -> None:
        self._door = door

    def json_lines(self, user_id: str | None = None) -> Iterator[str]:
        """Write a line for every conversation, memory, value and mode: a user's, or naming nobody, the tenant's."""
        whose = self._door.user_or_all(user_id)
        for conversation in moving.conversations(self._door.db, whose):
            yield line_of(self._record(conversation))
        for memory in moving.memories(self._door.db, whose):
            yield line_of({"memory": memory_record(memory)})
        for user, key, value in self._values(whose):
            yield line_of({"user_memory": {"user_id": user, "key": key, "value": value}})
        for user, mode in self._modes(whose):
            yield line_of({"user_state": {"user_id": user, "mode": mode}})

    def markdown(self, user_id: str | None = None) -> Iterator[str]:
        """Write every conversation for people, in the order they were begun: a user's, or the tenant's."""
        for conversation in moving.conversations(self._door.db, self._door.user_or_all(user_id)):
            yield as_markdown(conversation, messages.every_message(self._door.db, conversation.id))

    def conversation_line(self, conversation_id: UUID | str) -> str:
        """Write one conversation on a line, with all that an import needs to bring it back as it was."""
        wanted = access.identifier("conversation_id", conversation_id)
        found = conversations.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("conversation", wanted)
        return line_of(self._record(found))

    def _record(self, conversation: Conversation) -> dict[str, Any]:
        said = [
            message_record(message) | ({"metadata": noted} if noted else {})
            for message, noted in moving.messages(self._door.db, conversation.id)
        ]
        return {"conversation": conversation_record(conversation), "messages": said}

    def _values(self, user_id: str | None) -> Iterator[tuple[str, str, Any]]:
        if user_id is None:
            yield from moving.user_memory(self._door.db)
            return
        for key, value in userdata.all_memory(self._door.db, user_id).items():
            yield user_id, key, value

    def _modes(self, user_id: str | None) -> Iterator[tuple[str, str]]:
        if user_id is None:
            yield from moving.user_states(self._door.db)
        elif (mode := userdata.get_state(self._door.db, user_id)) is not None:
            yield user_id, mode


def line_of(record: dict[str, Any]) -> str:
    written = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate inside a JSON value can be kept but not be written to a file, unless it is spelt out.
    return _HALF_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", written) + "\n"


def memory_record(memory: Memory) -> dict[str, Any]:
    return {
        "id": str(memory.id),
        "user_id": memory.user_id,
        "memory_type": memory.memory_type.value,
        "category": memory.category,
        "content": memory.content,
        "source_conversation_id": memory.source_conversation_id and str(memory.source_conversation_id),
        "source_message_id": memory.source_message_id and str(memory.source_message_id),
        "created_at": memory.created_at.isoformat(),
        "last_accessed_at": memory.last_accessed_at and memory.last_accessed_at.isoformat(),
        "access_count": memory.access_count,
        "pinned": memory.pinned,
        "archived": memory.archived,
        "confidence": memory.confidence,
    }
