"""What a chat is asked and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias
from uuid import UUID

from gunita.models import IntentType, JsonObject, Receipt, Turn
from gunita.store.turns import OpenTurn


class Intent(StrEnum):
    """What a query turned out to be."""

    NEW = "new"
    FOLLOWUP = "followup"
    REFERENCE = "reference"
    CLARIFICATION = "clarification"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Tools that a client lets the model call, and what came of calls since the query, as OpenAI writes both."""

    offered: JsonObject = field(default_factory=dict)
    """The fields of a request that speak of tools, handed on as they came."""
    since: Sequence[JsonObject] = ()
    """Messages behind the query, whole: the assistant's calls and the tools' results."""

    @property
    def calls(self) -> list[JsonObject]:
        return [call for message in self.since for call in message.get("tool_calls") or ()]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    query: str
    user_id: str | None = None
    session_id: UUID | None = None
    request_id: str | None = None
    """A request that comes again under the same id is answered with what was answered before."""
    choice: int | None = None
    """The number of the turn that was tapped among a clarification's choices."""
    instructions: str | None = None
    """The caller's own system prompt, in place of the configured one."""
    tools: ToolUse | None = None


@dataclass(frozen=True, slots=True)
class ChatReply:
    query: str
    message: str
    data: Sequence[Mapping[str, Any]]
    """The turns, memories and passages that were used, each with its source; or the choices of a clarification."""
    intent: Intent
    confidence: float
    session_id: UUID
    turn_number: int
    metadata: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """How this turn's query was understood."""

    intent: Intent
    confidence: float
    referenced: tuple[Turn, ...] = ()
    warnings: tuple[str, ...] = ()
    kind: IntentType | None = None
    """How it points back; None where it does not, or where a question settled it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a turn's query is kept: in the database, or only here until its answer is in the journal with it."""

    query_id: UUID | None = None
    in_database: bool = True
    user_id: str | None = None
    """Whose it is; None where nobody can tell before the database is back."""


IN_DATABASE = Kept()


@dataclass(frozen=True, slots=True)
class Answering:
    """A turn that is open and waits for its answer; holds no connection and no thread."""

    request: ChatRequest
    session_id: UUID
    user_id: str
    turn_number: int
    began_at: datetime
    understood: Understood
    prompt: Sequence[Mapping[str, str]]
    receipt: Receipt
    data: Sequence[Mapping[str, Any]]
    answer_from_memory: str
    conversation: OpenTurn
    """What the conversation was like when the turn was opened."""
    goes_on: bool = False
    """Whether the turn holds an answer already, which called tools and is now said to its end."""
    kept: Kept = IN_DATABASE
    notices: tuple[str, ...] = ()
    """What went less well than it should; told in the reply's warnings."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A turn that needs no model: a question back to the user, or a request that was answered before."""

    reply: ChatReply


Begun: TypeAlias = Answering | Ready


@dataclass(frozen=True, slots=True)
class Closed:
    """A turn that is answered and kept."""

    reply: ChatReply
    wants_follow_up: bool
    """Whether its conversation still wants a title, or has grown long enough to be folded."""


@dataclass(frozen=True, slots=True)
class Started:
    """The first event of a stream: where it is stored and how it was understood."""

    session_id: UUID
    turn_number: int
    intent: Intent
    confidence: float
    references: tuple[int, ...] = ()
    """The numbers of the turns that the query points back at."""


@dataclass(frozen=True, slots=True)
class Delta:
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    reply: ChatReply


ChatEvent: TypeAlias = Started | Delta | Finished
