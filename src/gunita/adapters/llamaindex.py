"""LlamaIndex: a chat store, and a memory with a token limit that knows what an earlier turn was about.

memory = GunitaMemory.from_defaults(gunita=gunita, session_id="support-42", user_id="juan", token_limit=4_000)
SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat("Kumusta?")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.llms import ChatMessage, MessageRole, TextBlock
    from llama_index.core.memory import BaseMemory
    from llama_index.core.storage.chat_store import BaseChatStore
except ImportError as missing:
    raise ImportError("LlamaIndex is not installed; install it with: pip install 'gunita[llamaindex]'") from missing

from gunita.adapters import naming
from gunita.app import Gunita
from gunita.language.tokens import count_tokens
from gunita.models import ConversationContext, Role
from gunita.services.items import Item

WRITER = "llama-index"
LISTED_AT_ONCE = 1_000
READ_AT_MOST = 1_000
"""Messages that are looked at to fill the token limit, however long the conversation."""
_ROLES = {MessageRole.USER: Role.USER, MessageRole.ASSISTANT: Role.ASSISTANT}


class GunitaChatStore(BaseChatStore):
    """Keeps the messages of each key in a Gunita conversation of one user; the async methods run in threads."""

    user_id: str
    _gunita: Gunita = PrivateAttr()

    def __init__(self, gunita: Gunita, user_id: str | None = None) -> None:
        fields: dict[str, Any] = {"user_id": naming.owner(gunita, user_id)}
        super().__init__(**fields)
        self._gunita = gunita

    @classmethod
    def class_name(cls) -> str:
        return "GunitaChatStore"

    def set_messages(self, key: str, messages: Sequence[ChatMessage]) -> None:
        """Put messages in the place of all that a key has."""
        self._gunita.items.replace(
            self._place(key),
            self.user_id,
            [to_item(message) for message in messages],
            writer=WRITER,
            metadata={naming.SESSION: key},
        )

    def get_messages(self, key: str) -> list[ChatMessage]:
        return self.newest_messages(key, None)

    def newest_messages(self, key: str, limit: int | None) -> list[ChatMessage]:
        """Read the newest messages of a key in the order they were said; without a limit, all of them."""
        found = self._gunita.items.read(self._place(key), writer=WRITER, limit=limit)
        return [from_item(item) for item in found]

    def add_message(self, key: str, message: ChatMessage) -> None:
        self.add_messages(key, [message])

    def add_messages(self, key: str, messages: Sequence[ChatMessage]) -> None:
        """Add messages behind the last one, next to each other also when others write at the same time."""
        self._gunita.items.append(
            self._place(key),
            self.user_id,
            [to_item(message) for message in messages],
            writer=WRITER,
            metadata={naming.SESSION: key},
        )

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Delete a key's conversation; give what was in it."""
        found = self.get_messages(key)
        self._gunita.sessions.delete_session(self._place(key))
        return found or None

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        return _message(self._gunita.items.remove(self._place(key), self.user_id, idx, writer=WRITER))

    def delete_last_message(self, key: str) -> ChatMessage | None:
        return _message(self._gunita.items.pop(self._place(key), self.user_id, writer=WRITER))

    def get_keys(self) -> list[str]:
        """Name the user's conversations, newest first: by their key, or where they have none, by their id."""
        keys: list[str] = []
        while page := self._gunita.conversations.list_conversations(LISTED_AT_ONCE, len(keys), user_id=self.user_id):
            keys += [str(found.metadata.get(naming.SESSION, found.id)) for found in page]
        return keys

    def _place(self, key: str) -> Any:
        return naming.conversation_of(self.user_id, key)


class GunitaMemory(BaseMemory):
    """The newest messages that fit under a token limit, after what Gunita knows and the query points at."""

    session_id: str
    user_id: str
    token_limit: int = Field(gt=0)
    recalls: bool = True
    """Tell the model, in a system message ahead of the rest, of memories and of earlier turns the query refers to."""
    _gunita: Gunita = PrivateAttr()
    _store: GunitaChatStore = PrivateAttr()

    def __init__(
        self,
        gunita: Gunita,
        session_id: str,
        user_id: str | None = None,
        token_limit: int | None = None,
        recalls: bool = True,
    ) -> None:
        fields: dict[str, Any] = {
            "session_id": session_id,
            "user_id": naming.owner(gunita, user_id),
            "token_limit": gunita.settings.model_context_tokens if token_limit is None else token_limit,
            "recalls": recalls,
        }
        super().__init__(**fields)
        self._gunita = gunita
        self._store = GunitaChatStore(gunita, user_id)

    @classmethod
    def class_name(cls) -> str:
        return "GunitaMemory"

    @classmethod
    def from_defaults(cls, **kwargs: Any) -> Self:
        return cls(**kwargs)

    def get(self, input: str | None = None, initial_token_count: int = 0, **kwargs: Any) -> list[ChatMessage]:
        """Give what stands in front of the model; what is asked is the input, or the last thing the user said."""
        budget = self.token_limit - initial_token_count
        if budget < 0:
            raise ValueError(f"{initial_token_count} tokens are taken already; the limit is {self.token_limit}")
        said = self._store.newest_messages(self.session_id, READ_AT_MOST)
        known = self._known(_query(input, said)) if self.recalls else None
        if known is not None and 2 * count_tokens(known) > budget:
            known = None
        recent = newest_within(said, budget - (count_tokens(known) if known else 0))
        return [ChatMessage(role=MessageRole.SYSTEM, content=known), *recent] if known else recent

    def get_all(self) -> list[ChatMessage]:
        return self._store.get_messages(self.session_id)

    def put(self, message: ChatMessage) -> None:
        self._store.add_message(self.session_id, message)

    def put_messages(self, messages: list[ChatMessage]) -> None:
        self._store.add_messages(self.session_id, messages)

    def set(self, messages: list[ChatMessage]) -> None:
        self._store.set_messages(self.session_id, messages)

    def reset(self) -> None:
        self._store.delete_messages(self.session_id)

    def _known(self, query: str | None) -> str | None:
        if query is None:
            return None
        place = naming.conversation_of(self.user_id, self.session_id)
        return told(self._gunita.sessions.get_context_for_query(place, query))


def told(context: ConversationContext) -> str | None:
    """Say what is known about the user and what the query refers to, in words for a model, if there is anything."""
    lines = [f"- {memory.content}" for memory in context.memories]
    if lines:
        lines.insert(0, "What is known about the user:")
    if context.referenced_turns:
        lines.append("The user refers to what was said earlier:")
        lines += [
            f"- (turn {turn.turn_number}) user: {turn.query_text}\n  assistant: {turn.response_text}"
            for turn in context.referenced_turns
        ]
    return "\n".join(lines) or None


def newest_within(messages: Sequence[ChatMessage], budget: int) -> list[ChatMessage]:
    """Take the newest messages that fit, beginning with a user's or the system's, and never less than the last."""
    start, left = len(messages), budget
    for place in range(len(messages) - 1, -1, -1):
        left -= count_tokens(messages[place].content or "")
        if left < 0:
            break
        if messages[place].role not in {MessageRole.ASSISTANT, MessageRole.TOOL, MessageRole.FUNCTION}:
            start = place
    return list(messages[start:] or messages[-1:])


def to_item(message: ChatMessage) -> Item:
    """Read a message: who says what, and whether there is more to it than that."""
    role, text = _ROLES.get(message.role), message.content or ""
    is_plain = role is not None and message == _plain(role, text)
    return Item(text, role, None if is_plain else message.model_dump(mode="json"))


def from_item(item: Item) -> ChatMessage:
    """Write an item as LlamaIndex does."""
    if item.payload is None:
        return _plain(item.role or Role.ASSISTANT, item.text)
    return ChatMessage.model_validate(item.payload)


def _message(item: Item | None) -> ChatMessage | None:
    return None if item is None else from_item(item)


def _plain(role: Role, text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole(role.value), blocks=[TextBlock(text=text)])


def _query(given: str | None, said: Sequence[ChatMessage]) -> str | None:
    """Find what is asked; engines that put the question first do not name it again."""
    if given is None and said and said[-1].role is MessageRole.USER:
        given = said[-1].content
    return given if given and not given.isspace() else None
