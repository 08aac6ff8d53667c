"""Conversations as a caller manages them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from gunita.errors import NotFoundError
from gunita.ids import new_id
from gunita.language.tokens import count_tokens
from gunita.models import Conversation, FoundConversation, JsonObject, Message, Role, Summary
from gunita.services import access
from gunita.services.access import Access
from gunita.services.finding import find_conversations
from gunita.services.gathering import latest_summary
from gunita.services.search import SearchService
from gunita.services.sessions import document_names
from gunita.services.unset import UNSET, Unset
from gunita.store import conversations, messages


class ConversationService:
    def __init__(self, door: Access, search: SearchService) -> None:
        self._door = door
        self._search = search

    def create_conversation(
        self,
        user_id: str | None = None,
        title: str | None = None,
        document_context: Sequence[str] | None = None,
        metadata: JsonObject | None = None,
    ) -> Conversation:
        door, now = self._door, self._door.clock()
        conversation_id = new_id(now)
        conversations.ensure(
            door.db,
            conversation_id,
            door.user(user_id),
            now,
            title=door.title(title),
            document_context=document_names(document_context),
            metadata=door.json_object("metadata", metadata),
        )
        return self.get_conversation(conversation_id)

    def get_conversation(self, conversation_id: UUID | str) -> Conversation:
        wanted = access.identifier("conversation_id", conversation_id)
        found = conversations.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("conversation", wanted)
        return found

    def list_conversations(
        self, limit: int = 50, offset: int = 0, *, user_id: str | None = None, archived: bool | None = None
    ) -> list[Conversation]:
        """List conversations by recency: the user's, or for a service that names nobody, the tenant's."""
        wanted, start = access.page(limit, offset)
        whose = self._door.user_or_all(user_id)
        return conversations.recent_page(
            self._door.db, whose, limit=wanted, offset=start, archived=access.flag("archived", archived)
        )

    def update_conversation(
        self,
        conversation_id: UUID | str,
        *,
        title: str | Unset | None = UNSET,
        archived: bool | None = None,
        pinned: bool | None = None,
        metadata: JsonObject | None = None,
    ) -> Conversation:
        """Change what is given and leave the rest."""
        door = self._door
        wanted = access.identifier("conversation_id", conversation_id)
        changed = conversations.update(
            door.db,
            wanted,
            door.clock(),
            set_title=title is not UNSET,
            title=None if isinstance(title, Unset) else door.title(title),
            archived=access.flag("archived", archived),
            pinned=access.flag("pinned", pinned),
            metadata=None if metadata is None else door.json_object("metadata", metadata),
        )
        if changed is None:
            raise NotFoundError("conversation", wanted)
        return changed

    def delete_conversation(self, conversation_id: UUID | str) -> bool:
        """Delete a conversation with everything that hangs on it; tell whether there was one."""
        wanted = access.identifier("conversation_id", conversation_id)
        return conversations.delete(self._door.db, wanted) is not None

    def add_message(
        self,
        conversation_id: UUID | str,
        role: Role | str,
        content: str,
        *,
        tool_calls: Sequence[Any] | None = None,
        suggested_values: Sequence[Any] | None = None,
        suggested_actions: Sequence[Any] | None = None,
        custom_payload: JsonObject | None = None,
        created_at: datetime | None = None,
    ) -> Message:
        """Add one message, said now or at the time given: a user's opens a turn, the assistant's answer closes it."""
        door = self._door
        wanted = access.identifier("conversation_id", conversation_id)
        speaker, checked = access.role(role), door.content("content", content)
        message = messages.append_message(
            door.db,
            wanted,
            speaker,
            checked,
            tokens=count_tokens(checked),
            payload=messages.Payload(
                tool_calls=door.json_list("tool_calls", tool_calls),
                suggested_values=door.json_list("suggested_values", suggested_values),
                suggested_actions=door.json_list("suggested_actions", suggested_actions),
                custom_payload=None if custom_payload is None else door.json_object("custom_payload", custom_payload),
            ),
            now=door.clock() if created_at is None else access.moment("created_at", created_at),
        )
        if message is None:
            raise NotFoundError("conversation", wanted)
        return message

    def get_messages(self, conversation_id: UUID | str, limit: int = 50, offset: int = 0) -> list[Message]:
        """Read messages in the order they were said."""
        wanted, start = access.page(limit, offset)
        return messages.of_conversation(
            self._door.db, access.identifier("conversation_id", conversation_id), limit=wanted, offset=start
        )

    def get_summary(self, conversation_id: UUID | str) -> Summary | None:
        """Give what the older part of a conversation was folded into, if it was."""
        return latest_summary(self._door, access.identifier("conversation_id", conversation_id))

    def search(
        self,
        query: str,
        limit: int = 20,
        offset: int = 0,
        *,
        user_id: str | None = None,
        archived: bool | None = None,
    ) -> list[FoundConversation]:
        """Find conversations by their titles and by what was said in them, best first."""
        wanted, start = access.page(limit, offset)
        checked = self._door.content("query", query)
        whose = self._door.user_or_all(user_id)
        found = find_conversations(self._door, self._search, checked, whose, access.flag("archived", archived))
        return found[start : start + wanted]

    def current(self, user_id: str | None = None) -> Conversation:
        """Give the user's active conversation, made when there is none."""
        now = self._door.clock()
        found = conversations.newest_or_ensured(self._door.db, self._door.user(user_id), new_id(now), now)
        return found or self.create_conversation(user_id)
