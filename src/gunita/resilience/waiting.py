"""What waits in a journal: turns to be written back, turns that are open, and word of what is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from gunita.models import ANONYMOUS, JsonObject, Turn
from gunita.resilience.journal import Entry

Place: TypeAlias = tuple[str | None, UUID]
"""A tenant and one of its conversations."""


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A turn that was acknowledged and is not in the database yet; its ids were made when it was said."""

    tenant_id: str | None
    user_id: str | None
    """None where a service named the conversation alone: then it is the conversation's user."""
    conversation_id: UUID
    turn_number: int
    """The number it was told under; written back, it takes the next that is free."""
    query_id: UUID
    response_id: UUID
    query: str
    response: str
    query_tokens: int
    response_tokens: int
    said_at: datetime
    metadata: JsonObject = field(default_factory=dict)
    is_open: bool = False
    """Its query is in the database already; only the answer waits."""
    amends: bool = False
    """It has an answer in the database, in whose place this one comes."""
    request_id: str | None = None
    receipt_id: UUID | None = None
    receipt: JsonObject | None = None
    tool_calls: list[Any] | None = None
    custom_payload: JsonObject | None = None
    title: str | None = None
    """For a conversation that has none."""

    @property
    def place(self) -> Place:
        return self.tenant_id, self.conversation_id

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": "turn",
            "tenant": self.tenant_id,
            "user": self.user_id,
            "conversation": str(self.conversation_id),
            "number": self.turn_number,
            "query_id": str(self.query_id),
            "response_id": str(self.response_id),
            "query": self.query,
            "response": self.response,
            "query_tokens": self.query_tokens,
            "response_tokens": self.response_tokens,
            "said_at": self.said_at.isoformat(),
            "metadata": dict(self.metadata),
            "is_open": self.is_open,
            "amends": self.amends,
            "request": self.request_id,
            "receipt_id": None if self.receipt_id is None else str(self.receipt_id),
            "receipt": self.receipt,
            "tool_calls": self.tool_calls,
            "custom_payload": self.custom_payload,
            "title": self.title,
        }

    @classmethod
    def from_json(cls, entry: Entry) -> WaitingTurn:
        return cls(
            tenant_id=entry["tenant"],
            user_id=entry["user"],
            conversation_id=UUID(entry["conversation"]),
            turn_number=entry["number"],
            query_id=UUID(entry["query_id"]),
            response_id=UUID(entry["response_id"]),
            query=entry["query"],
            response=entry["response"],
            query_tokens=entry["query_tokens"],
            response_tokens=entry["response_tokens"],
            said_at=datetime.fromisoformat(entry["said_at"]),
            metadata=entry["metadata"],
            is_open=entry["is_open"],
            amends=entry["amends"],
            request_id=entry["request"],
            receipt_id=None if entry["receipt_id"] is None else UUID(entry["receipt_id"]),
            receipt=entry["receipt"],
            tool_calls=entry["tool_calls"],
            custom_payload=entry["custom_payload"],
            title=entry["title"],
        )


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that a process is answering, known by the id of its query."""

    tenant_id: str | None
    query_id: UUID

    def to_json(self, kind: str) -> dict[str, Any]:
        return {"kind": kind, "tenant": self.tenant_id, "query_id": str(self.query_id)}


@dataclass(frozen=True, slots=True)
class Outstanding:
    """What a journal's entries leave to be done, in their order."""

    turns: tuple[WaitingTurn, ...] = ()
    open: tuple[OpenTurn, ...] = ()
    """Turns whose process has not said that they were answered."""
    left_open: tuple[OpenTurn, ...] = ()
    """Turns of a process that died while it answered them."""


def done(query_id: UUID) -> dict[str, Any]:
    """Write that nothing is left to do for a turn."""
    return {"kind": "done", "query_id": str(query_id)}


def outstanding(entries: Iterable[Entry]) -> Outstanding:
    """Decide what is left to do."""
    turns: dict[str, WaitingTurn] = {}
    opened: dict[str, OpenTurn] = {}
    left: dict[str, OpenTurn] = {}
    for entry in entries:
        known_by = entry["query_id"]
        match entry["kind"]:
            case "turn":
                turns[known_by] = WaitingTurn.from_json(entry)
                opened.pop(known_by, None)
            case "open":
                opened[known_by] = OpenTurn(entry["tenant"], UUID(known_by))
            case "left":
                left[known_by] = OpenTurn(entry["tenant"], UUID(known_by))
            case "done":
                for waiting in (turns, opened, left):
                    waiting.pop(known_by, None)
    return Outstanding(tuple(turns.values()), tuple(opened.values()), tuple(left.values()))


def entries_of(left: Outstanding, without: set[UUID] | None = None) -> list[Entry]:
    """Write what is left to do as entries, but for some turns."""
    gone = without or set()
    return [
        *(turn.to_json("left") for turn in left.left_open),
        *(turn.to_json("open") for turn in left.open),
        *(turn.to_json() for turn in left.turns if turn.query_id not in gone),
    ]


def turn_of(waiting: WaitingTurn) -> Turn:
    return Turn(
        id=waiting.query_id,
        session_id=waiting.conversation_id,
        user_id=waiting.user_id or ANONYMOUS,
        turn_number=waiting.turn_number,
        query_text=waiting.query,
        response_text=waiting.response,
        created_at=waiting.said_at,
        metadata=waiting.metadata,
    )
