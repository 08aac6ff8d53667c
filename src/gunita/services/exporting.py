"""A conversation written out: as JSON for programs, as Markdown for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, assert_never

from gunita.models import Conversation, ExportFormat, Message, Role

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_SPEAKERS = {Role.USER: "User", Role.ASSISTANT: "Assistant"}


def write(chosen: ExportFormat, conversation: Conversation, said: Iterable[Message]) -> str:
    match chosen:
        case ExportFormat.JSON:
            return as_json(conversation, said)
        case ExportFormat.MARKDOWN:
            return as_markdown(conversation, said)
        case _:
            assert_never(chosen)


def as_json(conversation: Conversation, said: Iterable[Message]) -> str:
    written = json.dumps(
        {
            "conversation": conversation_record(conversation),
            "messages": [message_record(message) for message in said],
        },
        ensure_ascii=False,
        indent=2,
    )
    # A lone surrogate inside a JSON value can be kept but not be written to a file, unless it is spelt out.
    return _HALF_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def as_markdown(conversation: Conversation, said: Iterable[Message]) -> str:
    """Write a heading and the messages in order; each speaker's text stands as it was said."""
    # A title on one line cannot pose as what somebody said.
    title = " ".join((conversation.title or "Conversation").split())
    parts = [f"# {title}", f"_{conversation.created_at:%Y-%m-%d %H:%M} UTC_"]
    parts += [
        f"**{_SPEAKERS[message.role]}** · turn {message.turn_number} · {message.created_at:%Y-%m-%d %H:%M}"
        f"\n\n{message.content}"
        for message in said
    ]
    return "\n\n".join(parts) + "\n"


def conversation_record(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": str(conversation.id),
        "user_id": conversation.user_id,
        "title": conversation.title,
        "created_at": conversation.created_at.isoformat(),
        "updated_at": conversation.updated_at.isoformat(),
        "archived": conversation.archived,
        "pinned": conversation.pinned,
        "document_context": list(conversation.document_context),
        "turn_count": conversation.turn_count,
        "metadata": conversation.metadata,
    }


def message_record(message: Message) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": str(message.id),
        "turn_number": message.turn_number,
        "role": message.role.value,
        "content": message.content,
        "created_at": message.created_at.isoformat(),
    }
    for field in ("tool_calls", "suggested_values", "suggested_actions", "custom_payload"):
        if (value := getattr(message, field)) is not None:
            record[field] = value
    return record
