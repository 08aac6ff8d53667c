"""Conversations as Gunita itself writes them out."""

from __future__ import annotations

from typing import Any

from gunita.imports.records import OddRecordError, Said, Talk
from gunita.imports.shapes import identity, mapping, moment_or_none, sequence, text_or_none
from gunita.models import Role

SOURCE = "gunita"


def recognises(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("conversation"), dict) and "messages" in record


def read(record: dict[str, Any]) -> Talk:
    conversation = mapping(record["conversation"])
    begun = moment_or_none(conversation.get("created_at"))
    if begun is None:
        raise OddRecordError("the conversation has no date")
    return Talk(
        source=SOURCE,
        source_id=identity(conversation.get("id"), "the conversation"),
        title=text_or_none(conversation.get("title")),
        created_at=begun,
        said=tuple(_said(mapping(message)) for message in sequence(record["messages"])),
        archived=conversation.get("archived") is True,
    )


def _said(message: dict[str, Any]) -> Said:
    at, content = moment_or_none(message.get("created_at")), text_or_none(message.get("content"))
    if at is None or content is None or message.get("role") not in set(Role):
        raise OddRecordError(f"message {message.get('id')!r} lacks its role, its text or its date")
    return Said(
        source_id=identity(message.get("id"), "a message"),
        role=Role(message["role"]),
        content=content,
        created_at=at,
        payload=mapping(message.get("custom_payload")),
        tool_calls=tuple(sequence(message.get("tool_calls"))),
    )
