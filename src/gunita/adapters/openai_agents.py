"""OpenAI Agents: a Session that keeps an agent's items in a Gunita conversation.

session = GunitaSession("support-42", gunita, user_id="juan")
await Runner.run(agent, "Kumusta?", session=session)
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

try:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings
except ImportError as missing:
    raise ImportError("OpenAI Agents is not installed; install it with: pip install 'gunita[agents]'") from missing

from gunita.adapters import naming
from gunita.app import Gunita
from gunita.models import Role
from gunita.services.items import Item

WRITER = "openai-agents"


class GunitaSession:
    """One conversation as the Agents SDK reads and writes it; every item comes back as it went in."""

    def __init__(
        self,
        session_id: str,
        gunita: Gunita,
        *,
        user_id: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self.user_id = naming.owner(gunita, user_id)
        self.conversation_id = naming.conversation_of(self.user_id, session_id)
        self._gunita = gunita

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Read the newest items in the order they were said; with no limit given, the settings' or all."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        found = await asyncio.to_thread(self._gunita.items.read, self.conversation_id, writer=WRITER, limit=limit)
        return [from_item(item) for item in found]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items behind the last one, next to each other also when others write at the same time."""
        await asyncio.to_thread(
            self._gunita.items.append,
            self.conversation_id,
            self.user_id,
            [to_item(item) for item in items],
            writer=WRITER,
            metadata={naming.SESSION: self.session_id},
        )

    async def pop_item(self) -> TResponseInputItem | None:
        """Take away the newest item."""
        popped = await asyncio.to_thread(self._gunita.items.pop, self.conversation_id, self.user_id, writer=WRITER)
        return None if popped is None else from_item(popped)

    async def clear_session(self) -> None:
        """Delete the conversation with everything that hangs on it."""
        await asyncio.to_thread(self._gunita.sessions.delete_session, self.conversation_id)


def to_item(said: Any) -> Item:
    """Read an item of the SDK: who says what, and whether there is more to it than that."""
    role = _role(said)
    text = _text(said.get("content")) if role is not None else ""
    is_plain = role is not None and said == {"role": role.value, "content": text}
    return Item(text, role, None if is_plain else dict(said))


def from_item(item: Item) -> TResponseInputItem:
    """Write an item as the SDK does."""
    said: Any = item.payload
    if said is None:
        said = {"role": (item.role or Role.ASSISTANT).value, "content": item.text}
    return said  # type: ignore[no-any-return, unused-ignore]


def _role(said: Mapping[str, Any]) -> Role | None:
    """Find out who speaks; calls, their results, reasoning and system messages are nobody's words."""
    if said.get("type", "message") != "message":
        return None
    return {"user": Role.USER, "assistant": Role.ASSISTANT}.get(said.get("role", ""))


def _text(content: object) -> str:
    """Join the words of a message that is text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    words = (part.get("text") or part.get("refusal") for part in parts if isinstance(part, Mapping))
    return "\n".join(word for word in words if isinstance(word, str))
