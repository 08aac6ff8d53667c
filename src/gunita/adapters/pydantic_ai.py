"""Pydantic AI: an agent's message history, kept in a Gunita conversation.

history = GunitaHistory("support-42", gunita, user_id="juan")
result = await agent.run("Kumusta?", message_history=await history.load())
await history.save(result.new_messages())
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

try:
    from pydantic_ai.messages import (
        ModelMessage,
        ModelMessagesTypeAdapter,
        ModelRequest,
        ModelResponse,
        TextPart,
        UserPromptPart,
    )
except ImportError as missing:
    raise ImportError("Pydantic AI is not installed; install it with: pip install 'gunita[pydantic-ai]'") from missing

from gunita.adapters import naming
from gunita.app import Gunita
from gunita.models import Role
from gunita.services.items import Item

WRITER = "pydantic-ai"


class GunitaHistory:
    """One conversation as Pydantic AI reads and writes it; every message comes back as it went in."""

    def __init__(self, session_id: str, gunita: Gunita, *, user_id: str | None = None) -> None:
        self.session_id = session_id
        self.user_id = naming.owner(gunita, user_id)
        self.conversation_id = naming.conversation_of(self.user_id, session_id)
        self._gunita = gunita

    def messages(self, limit: int | None = None) -> list[ModelMessage]:
        """Read the newest messages in the order they were said, or all.

        A limit never cuts between a tool's call and its result: what is given begins with something a user said.
        """
        found = self._gunita.items.read(self.conversation_id, writer=WRITER, limit=limit)
        if limit is not None:
            spoken = [place for place, item in enumerate(found) if item.role is Role.USER]
            found = found[spoken[0] :] if spoken else []
        return [from_item(item) for item in found]

    def add(self, messages: Sequence[ModelMessage]) -> None:
        """Add messages behind the last one, as a run's `new_messages()` gives them."""
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

    async def load(self, limit: int | None = None) -> list[ModelMessage]:
        """Read as `messages` does, for callers that await."""
        return await asyncio.to_thread(self.messages, limit)

    async def save(self, messages: Sequence[ModelMessage]) -> None:
        """Add as `add` does, for callers that await."""
        await asyncio.to_thread(self.add, messages)


def to_item(message: ModelMessage) -> Item:
    """Read a message: who says what, and the whole of it, since times and usage stand in every one."""
    [payload] = ModelMessagesTypeAdapter.dump_python([message], mode="json")
    if isinstance(message, ModelResponse):
        return Item(
            "\n".join(part.content for part in message.parts if isinstance(part, TextPart)), Role.ASSISTANT, payload
        )
    prompts = [part for part in message.parts if isinstance(part, UserPromptPart)]
    return Item("\n".join(map(_words, prompts)), Role.USER if prompts else None, payload)


def from_item(item: Item) -> ModelMessage:
    """Write an item as Pydantic AI does."""
    if item.payload is not None:
        [message] = ModelMessagesTypeAdapter.validate_python([item.payload])
        return message
    if item.role is Role.USER:
        return ModelRequest(parts=[UserPromptPart(item.text)])
    return ModelResponse(parts=[TextPart(item.text)])


def _words(prompt: UserPromptPart) -> str:
    """Join the words of a prompt that is text or a sequence of parts."""
    if isinstance(prompt.content, str):
        return prompt.content
    parts: list[Any] = [part if isinstance(part, str) else getattr(part, "content", None) for part in prompt.content]
    return "\n".join(part for part in parts if isinstance(part, str))
