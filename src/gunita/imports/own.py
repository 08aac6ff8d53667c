"""What Gunita itself writes out: conversations, memories, and what is kept about users."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gunita.imports.records import Entry, Learnt, OddRecordError, Said, Talk, UserMode, UserValue
from gunita.imports.shapes import identity, mapping, moment_or_none, sequence, text_or_none
from gunita.models import MemoryType, Role

SOURCE = "gunita"
_USER_EXPORT = "gunita user export"


def recognises(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    if isinstance(record.get("conversation"), dict):
        return "messages" in record
    return any(isinstance(record.get(name), dict) for name in ("memory", "user_memory", "user_state"))


def is_whole_user(record: Any) -> bool:
    """Tell whether one record holds everything about a user."""
    return isinstance(record, dict) and str(record.get("format")).startswith(_USER_EXPORT)


def parts(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Take everything about a user apart into records, as JSON Lines hold them."""
    user = record.get("user_id")
    for conversation in sequence(record.get("conversations")):
        yield {"conversation": mapping(conversation), "messages": mapping(conversation).get("messages")}
    for memory in sequence(record.get("memories")):
        yield {"memory": mapping(memory)}
    for key, value in mapping(record.get("user_memory")).items():
        yield {"user_memory": {"user_id": user, "key": key, "value": value}}
    if record.get("user_state") is not None:
        yield {"user_state": {"user_id": user, "mode": record["user_state"]}}


def read(record: dict[str, Any]) -> Entry:
    if "conversation" in record:
        return _talk(mapping(record["conversation"]), sequence(record["messages"]))
    if "memory" in record:
        return _learnt(mapping(record["memory"]))
    if "user_memory" in record:
        kept = mapping(record["user_memory"])
        return UserValue(text_or_none(kept.get("user_id")), identity(kept.get("key"), "a value"), kept.get("value"))
    state = mapping(record["user_state"])
    return UserMode(text_or_none(state.get("user_id")), identity(state.get("mode"), "a user's mode"))


def _talk(conversation: dict[str, Any], messages: list[Any]) -> Talk:
    begun = moment_or_none(conversation.get("created_at"))
    if begun is None:
        raise OddRecordError("the conversation has no date")
    return Talk(
        source=SOURCE,
        source_id=identity(conversation.get("id"), "the conversation"),
        title=text_or_none(conversation.get("title")),
        created_at=begun,
        said=tuple(_said(mapping(message)) for message in messages),
        archived=conversation.get("archived") is True,
        pinned=conversation.get("pinned") is True,
        user_id=text_or_none(conversation.get("user_id")),
        updated_at=moment_or_none(conversation.get("updated_at")),
        document_context=tuple(filter(text_or_none, sequence(conversation.get("document_context")))),
        metadata=mapping(conversation.get("metadata")),
        turn_count=_count(conversation.get("turn_count")),
    )


def _said(message: dict[str, Any]) -> Said:
    at, content = moment_or_none(message.get("created_at")), text_or_none(message.get("content"))
    if at is None or content is None or text_or_none(message.get("role")) not in set(Role):
        raise OddRecordError(f"message {message.get('id')!r} lacks its role, its text or its date")
    return Said(
        source_id=identity(message.get("id"), "a message"),
        role=Role(message["role"]),
        content=content,
        created_at=at,
        payload=mapping(message.get("custom_payload")),
        tool_calls=tuple(sequence(message.get("tool_calls"))),
        suggested_values=tuple(sequence(message.get("suggested_values"))),
        suggested_actions=tuple(sequence(message.get("suggested_actions"))),
        metadata=mapping(message.get("metadata")),
        turn_number=_count(message.get("turn_number")) or None,
    )


def _learnt(memory: dict[str, Any]) -> Learnt:
    at, content = moment_or_none(memory.get("created_at")), text_or_none(memory.get("content"))
    if at is None or content is None or text_or_none(memory.get("memory_type")) not in set(MemoryType):
        raise OddRecordError(f"memory {memory.get('id')!r} lacks its type, its text or its date")
    confidence = memory.get("confidence")
    return Learnt(
        source_id=identity(memory.get("id"), "a memory"),
        user_id=text_or_none(memory.get("user_id")),
        memory_type=MemoryType(memory["memory_type"]),
        category=text_or_none(memory.get("category")),
        content=content,
        created_at=at,
        source_conversation_id=text_or_none(memory.get("source_conversation_id")),
        source_message_id=text_or_none(memory.get("source_message_id")),
        last_accessed_at=moment_or_none(memory.get("last_accessed_at")),
        access_count=_count(memory.get("access_count")),
        pinned=memory.get("pinned") is True,
        archived=memory.get("archived") is True,
        confidence=float(confidence) if isinstance(confidence, int | float) and 0 <= confidence <= 1 else 1.0,
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else 0
