"""Everything about one user, written out as plain JSON values, for them to take along or to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from gunita.models import Conversation, Memory
from gunita.services.exporting import conversation_record, message_record
from gunita.store import conversations, erasing, memories, messages, userdata
from gunita.store.database import Decoder, ScopedDatabase
from gunita.store.memories import MemoryFilter

FORMAT = "gunita user export 1"
AT_ONCE = 500

Column: TypeAlias = tuple[str, Callable[[Decoder, Any], Any]]


def _plain(_: Decoder, value: Any) -> Any:
    return value


def _id(decode: Decoder, value: Any) -> str | None:
    return None if value is None else str(decode.identifier(value))


def _time(decode: Decoder, value: Any) -> str | None:
    return None if value is None else decode.moment(value).isoformat()


def _json(decode: Decoder, value: Any) -> Any:
    return None if value is None else decode.json(value)


COLUMNS: Mapping[str, tuple[str, Sequence[Column]]] = {
    "conversation_rules_of_user": (
        "retention_rules",
        [("conversation_id", _id), ("kept_for_microseconds", _plain), ("counted_from", _plain)],
    ),
    "summaries_of_user": (
        "summaries",
        [
            ("conversation_id", _id),
            ("through_turn", _plain),
            ("content", _plain),
            ("key_topics", _json),
            ("method", _plain),
            ("created_at", _time),
        ],
    ),
    "beliefs_of_user": (
        "memory_history",
        [
            ("memory_id", _id),
            ("memory_type", _plain),
            ("category", _plain),
            ("content", _plain),
            ("confidence", _plain),
            ("believed_from", _time),
            ("believed_until", _time),
            ("reason", _plain),
        ],
    ),
    "corrections_of_user": (
        "corrections",
        [
            ("id", _id),
            ("conversation_id", _id),
            ("turn_number", _plain),
            ("understood", _json),
            ("meant", _json),
            ("created_at", _time),
        ],
    ),
    "receipts_of_user": (
        "receipts",
        [
            ("id", _id),
            ("conversation_id", _id),
            ("turn_number", _plain),
            ("kind", _plain),
            ("body", _json),
            ("created_at", _time),
        ],
    ),
    "requests_of_user": (
        "requests",
        [("request_id", _plain), ("conversation_id", _id), ("turn_number", _plain), ("created_at", _time)],
    ),
    "pending_of_user": (
        "pending_clarifications",
        [("conversation_id", _id), ("payload", _json), ("expires_at", _time)],
    ),
    "keys_of_user_of_tenant": (
        "api_keys",
        [("id", _id), ("name", _plain), ("created_at", _time), ("last_used_at", _time), ("revoked_at", _time)],
    ),
}


def written_out(db: ScopedDatabase, user_id: str, now: datetime) -> dict[str, Any]:
    """Read everything that is kept about a user; the hash of a key and the vectors of search tell nothing and stay."""
    beside = erasing.everything_of_user(db, user_id)
    return {
        "format": FORMAT,
        "exported_at": now.isoformat(),
        "tenant_id": db.scope.tenant_id,
        "user_id": user_id,
        "conversations": [_conversation(db, conversation) for conversation in _conversations(db, user_id)],
        "memories": [_memory(memory) for memory in memories.find(db, user_id, MemoryFilter())],
        "user_memory": userdata.all_memory(db, user_id),
        "user_state": userdata.get_state(db, user_id),
    } | {
        COLUMNS[name][0]: [
            {column: read(db.decode, value) for (column, read), value in zip(COLUMNS[name][1], row, strict=True)}
            for row in rows
        ]
        for name, rows in beside.items()
    }


def _conversations(db: ScopedDatabase, user_id: str) -> Iterator[Conversation]:
    offset = 0
    while page := conversations.recent_page(db, user_id, limit=AT_ONCE, offset=offset):
        yield from page
        offset += AT_ONCE


def _conversation(db: ScopedDatabase, conversation: Conversation) -> dict[str, Any]:
    said = [message_record(message) for message in messages.every_message(db, conversation.id)]
    return conversation_record(conversation) | {"messages": said}


def _memory(memory: Memory) -> dict[str, Any]:
    record = {field: getattr(memory, field) for field in memory.__dataclass_fields__}
    return {
        name: value if value is None or isinstance(value, bool | int | float) else _said(value)
        for name, value in record.items()
    }


def _said(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
