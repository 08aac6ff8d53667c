"""Messages by user, whatever conversation they were said in."""

from __future__ import annotations

from uuid import UUID

from gunita.models import Message, Role
from gunita.services import access
from gunita.services.access import Access
from gunita.services.conversations import ConversationService
from gunita.store import conversations, messages


class MessageService:
    def __init__(self, door: Access, current: ConversationService) -> None:
        self._door = door
        self._conversations = current

    def add_message(self, user_id: str, role: Role | str, content: str) -> Message:
        """Add a message to the user's active conversation."""
        speaker, checked = access.role(role), self._door.content("content", content)
        return self._conversations.add_message(self._conversations.current(user_id).id, speaker, checked)

    def get_conversation_history(self, user_id: str, limit: int = 50, offset: int = 0) -> list[Message]:
        """Read a user's messages newest first, for display."""
        wanted, start = access.page(limit, offset)
        return messages.page_of_user(self._door.db, self._door.user(user_id), limit=wanted, offset=start)

    def get_recent_messages(self, user_id: str, count: int = 10) -> list[Message]:
        """Read a user's newest messages oldest first, for prompts."""
        wanted, _ = access.page(count, named="count")
        return messages.newest_of_user(self._door.db, self._door.user(user_id), limit=wanted)[::-1]

    def count_messages(self, user_id: str) -> int:
        return messages.count_of_user(self._door.db, self._door.user(user_id))

    def clear_conversation_history(self, user_id: str) -> int:
        """Delete the user's conversations; tell how many messages went."""
        return conversations.delete_all_of_user(self._door.db, self._door.user(user_id))

    def delete_message(self, message_id: UUID | str) -> bool:
        return messages.delete(self._door.db, access.identifier("message_id", message_id))
