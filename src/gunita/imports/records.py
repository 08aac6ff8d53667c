"""What an export file holds, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gunita.errors import ValidationError
from gunita.models import JsonObject, Role


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


@dataclass(frozen=True, slots=True)
class Talk:
    """One imported conversation, in the order it was held."""

    source: str
    source_id: str
    title: str | None
    created_at: datetime
    said: tuple[Said, ...]
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be taken in, where it stands and why."""

    where: str
    why: str
