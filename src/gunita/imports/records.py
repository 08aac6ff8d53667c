"""What an export file holds, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from gunita.errors import ValidationError
from gunita.models import JsonObject, MemoryType, Role


class UnreadableExportError(ValidationError):
    """The file is no export, or is damaged: nothing of it was taken in."""

    def __init__(self, why: str) -> None:
        super().__init__("file", why)


class OddRecordError(ValueError):
    """One record of a file cannot be read; the others can."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of an imported conversation."""

    source_id: str
    role: Role
    content: str
    created_at: datetime
    payload: JsonObject
    tool_calls: tuple[Any, ...] = ()
    suggested_values: tuple[Any, ...] = ()
    suggested_actions: tuple[Any, ...] = ()
    metadata: JsonObject = field(default_factory=dict)
    turn_number: int | None = None
    """Where it stood, if whoever wrote it numbered turns as Gunita does."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One imported conversation, in the order it was held."""

    source: str
    source_id: str
    title: str | None
    created_at: datetime
    said: tuple[Said, ...]
    archived: bool = False
    pinned: bool = False
    user_id: str | None = None
    """Whose it was, if the file says so."""
    updated_at: datetime | None = None
    document_context: tuple[str, ...] = ()
    metadata: JsonObject = field(default_factory=dict)
    turn_count: int = 0


@dataclass(frozen=True, slots=True)
class Learnt:
    """One memory that Gunita wrote out."""

    source_id: str
    user_id: str | None
    memory_type: MemoryType
    category: str | None
    content: str
    created_at: datetime
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    pinned: bool = False
    archived: bool = False
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class UserValue:
    """What stood under one key of a user."""

    user_id: str | None
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class UserMode:
    user_id: str | None
    mode: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be taken in, where it stands and why."""

    where: str
    why: str


Entry: TypeAlias = Talk | Learnt | UserValue | UserMode
