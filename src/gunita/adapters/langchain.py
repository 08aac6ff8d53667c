"""LangChain: a chat history that keeps its messages in a Gunita conversation.

history = GunitaChatMessageHistory("support-42", gunita, user_id="juan")
history.add_messages([HumanMessage("Kumusta?"), AIMessage("Mabuti naman.")])
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, messages_from_dict
except ImportError as missing:
    raise ImportError("LangChain is not installed; install it with: pip install 'gunita[langchain]'") from missing

from gunita.adapters import naming
from gunita.app import Gunita
from gunita.models import Role
from gunita.services.items import Item

WRITER = "langchain"


class GunitaChatMessageHistory(BaseChatMessageHistory):
    """One conversation as LangChain reads and writes it; every message comes back as it went in."""

    def __init__(
        self, session_id: str, gunita: Gunita, *, user_id: str | None = None, limit: int | None = None
    ) -> None:
        self.session_id = session_id
        self.user_id = naming.owner(gunita, user_id)
        self.conversation_id = naming.conversation_of(self.user_id, session_id)
        self._gunita = gunita
        self._limit = limit

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override, unused-ignore]
        """The newest messages, as many as the limit says, or all."""
        found = self._gunita.items.read(self.conversation_id, writer=WRITER, limit=self._limit)
        return [from_item(item) for item in found]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages behind the last one, next to each other also when others write at the same time."""
        self._gunita.items.append(
            self.conversation_id,
            self.user_id,
            [to_item(message) for message in messages],
            writer=WRITER,
            metadata={naming.SESSION: self.session_id},
        )

    def clear(self) -> None:
        """Delete the conversation with everything that hangs on it."""
        self._gunita.sessions.delete_session(self.conversation_id)


def to_item(message: BaseMessage) -> Item:
    """Read a message: who says what, and whether there is more to it than that."""
    role = _role(message)
    text = str(message.text)
    is_plain = role is not None and message == _plain(role, text)
    return Item(text, role, None if is_plain else {"type": message.type, "data": message.model_dump(mode="json")})


def from_item(item: Item) -> BaseMessage:
    """Write an item as LangChain does."""
    if item.payload is None:
        return _plain(item.role or Role.ASSISTANT, item.text)
    [message] = messages_from_dict([dict(item.payload)])
    return message


def _plain(role: Role, text: str) -> BaseMessage:
    return HumanMessage(text) if role is Role.USER else AIMessage(text)


def _role(message: BaseMessage) -> Role | None:
    """Find out who speaks; system messages and what tools return are nobody's words."""
    if isinstance(message, HumanMessage):
        return Role.USER
    return Role.ASSISTANT if isinstance(message, AIMessage) else None
