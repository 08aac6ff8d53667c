"""The records every room talks in: frozen, slotted, and free of input and output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeAlias
from uuid import UUID

JsonObject: TypeAlias = Mapping[str, Any]

ANONYMOUS = "anonymous"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MemoryType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    ENTITY = "entity"
    PROJECT = "project"
    DECISION = "decision"


class ExportFormat(StrEnum):
    JSON = "json"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose data a statement may touch: one user of a tenant, or, with no user, the tenant's service."""

    tenant_id: str | None = None
    user_id: str | None = None

    @property
    def is_service(self) -> bool:
        return self.user_id is None


@dataclass(frozen=True, slots=True)
class Conversation:
    id: UUID
    user_id: str
    title: str | None
    created_at: datetime
    updated_at: datetime
    archived: bool = False
    pinned: bool = False
    document_context: tuple[str, ...] = ()
    message_count: int = 0
    turn_count: int = 0
    token_count: int = 0
    metadata: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    id: UUID
    conversation_id: UUID
    turn_number: int
    role: Role
    content: str
    created_at: datetime
    tool_calls: Sequence[Any] | None = None
    suggested_values: Sequence[Any] | None = None
    suggested_actions: Sequence[Any] | None = None
    custom_payload: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's query and the assistant's response to it, under one number."""

    id: UUID
    session_id: UUID
    user_id: str
    turn_number: int
    query_text: str
    response_text: str
    created_at: datetime
    metadata: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Memory:
    """Something lasting about a user, learnt from a conversation or entered by hand."""

    id: UUID
    user_id: str
    memory_type: MemoryType
    category: str | None
    content: str
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    created_at: datetime
    last_accessed_at: datetime | None = None
    access_count: int = 0
    pinned: bool = False
    archived: bool = False
    confidence: float = 1.0


class IntentType(StrEnum):
    ORDINAL = "ordinal"
    TEMPORAL = "temporal"
    TOPIC = "topic"
    RELATIVE = "relative"


class Language(StrEnum):
    ENGLISH = "en"
    TAGALOG = "tl"
    MIXED = "taglish"
    CEBUANO = "ceb"
    SPANISH = "es"
    OTHER = "other"


class TemporalSense(StrEnum):
    """What a time word means for the choice of turns."""

    JUST_NOW = "just_now"
    EARLIER = "earlier"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Positions:
    """Places a query names, before any history is known."""

    from_start: tuple[int, ...] = ()
    from_end: tuple[int, ...] = ()
    ago: tuple[int, ...] = ()
    offset: int | None = None
    """Turns after (+) or before (-) the turn the topic, or the place beside it, names."""
    numbered: tuple[int, ...] = ()
    """Turns named outright by their number ("turn 7")."""
    one_of: bool = False
    """Whether one of them is meant, and the query leaves open which ("the third or the fourth")."""


@dataclass(frozen=True, slots=True)
class ReferenceIntent:
    """That a query points back, and how; which turn it means depends on the history."""

    query: str
    intent_type: IntentType
    indicators: Sequence[str]
    confidence: float
    positions: Positions = Positions()
    topic: str | None = None
    time: TemporalSense | None = None
    is_followup: bool = False
    language: Language = Language.ENGLISH


@dataclass(frozen=True, slots=True)
class ReferenceResolution:
    """The turns a reference may mean, best first, each with a score in 0..1."""

    matched_turns: Sequence[tuple[Turn, float]]
    best_match: Turn | None
    is_ambiguous: bool
    confidence: float
    points_at_several: bool = False
    """All matched turns are meant together ("the first and the third"), not one among them."""
    is_followup: bool = False


@dataclass(frozen=True, slots=True)
class SemanticFeatures:
    temporal_indicators: Sequence[str]
    ordinal_positions: Sequence[int]
    topic_keywords: Sequence[str]
    relative_positions: Sequence[int]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a stretch of a conversation was about, in few words."""

    content: str
    key_topics: tuple[str, ...]
    method: str
    token_count: int = 0
    through_turn: int = 0
    """The newest turn that is folded in; 0 where nobody counted."""


class SearchKind(StrEnum):
    """What a search looks for."""

    MESSAGES = "messages"
    TURNS = "turns"
    MEMORIES = "memories"


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that a search found: a message, a turn or a memory."""

    found: Message | Turn | Memory
    score: float
    """In 0..1, higher for a better match; to compare the hits of one search, not those of two."""
    snippet: str
    """The part that matches, with ⟦ and ⟧ around the matching words."""
    why: str
    """What speaks for it: words, meaning, the time that was named."""


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """A conversation that a search found, by its title or by what was said in it."""

    conversation: Conversation
    score: float
    snippet: str
    """The title or the passage that matches, with ⟦ and ⟧ around the matching words."""
    turn_number: int | None
    """The best place in it; None where only its title matches."""


@dataclass(frozen=True, slots=True)
class RecalledTurn:
    """An older turn found by search, of this conversation or of another one of the user's."""

    turn: Turn
    score: float = 0.0
    conversation_title: str | None = None


class PieceKind(StrEnum):
    """What a piece of a prompt is."""

    SYSTEM_PROMPT = "system_prompt"
    MEMORY = "memory"
    USER_MEMORY = "user_memory"
    DOCUMENT = "document"
    SUMMARY = "summary"
    REFERENCED_TURN = "referenced_turn"
    RECALLED_TURN = "recalled_turn"
    WINDOW_TURN = "window_turn"
    QUERY = "query"


class Fate(StrEnum):
    KEPT = "kept"
    CUT = "cut"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """What became of one piece that might have gone into a prompt."""

    kind: PieceKind
    source: str
    """The piece's id or key; for a turn the id of its conversation and its number."""
    turn_number: int | None
    tokens: int
    """Tokens it takes in the prompt: 0 when it was left out."""
    whole_tokens: int
    """Tokens it would take uncut."""
    fate: Fate
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a prompt is made of, what was left out, and why; lines stand in the order they were decided."""

    lines: tuple[ReceiptLine, ...]
    context_tokens: int
    reserve_tokens: int
    framing_tokens: int
    """Tokens of what holds the pieces together: section tags and the opening of the answer."""
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class ConversationContext:
    """Everything worth putting in front of a model for one query."""

    session_id: UUID
    current_query: str
    history: Sequence[Turn]
    referenced_turns: Sequence[Turn] = ()
    needs_clarification: bool = False
    clarification_question: str | None = None
    summary: Summary | None = None
    memories: Sequence[Memory] = ()
    recalled_turns: Sequence[RecalledTurn] = ()
    user_memory: JsonObject = field(default_factory=dict)
    prompt_tokens: int = 0
    budget_tokens: int = 0
    receipt: Receipt | None = None
    messages: Sequence[Mapping[str, str]] = ()


class CountedFrom(StrEnum):
    """What a retention period runs from: each turn by itself, or the last activity of its conversation."""

    TURN = "turn"
    ACTIVITY = "activity"


@dataclass(frozen=True, slots=True)
class Retention:
    """How long turns are kept, and from when that is counted."""

    kept_for: timedelta
    counted_from: CountedFrom = CountedFrom.TURN


@dataclass(frozen=True, slots=True)
class CleanupResult:
    """What one cleanup forgot, or with a dry run would forget."""

    sessions_deleted: int
    turns_deleted: int
    execution_time: float
    """Seconds."""
    errors: tuple[str, ...]
    timestamp: datetime
    """When it began; what was older than the retention then is gone."""
    skipped: bool = False
    """Another server was cleaning at that moment."""


@dataclass(frozen=True, slots=True)
class CleanupStats:
    """What the cleanups of the last ninety days did, taken together."""

    runs: int
    failed_runs: int
    sessions_deleted: int
    turns_deleted: int
    mean_execution_time: float
    last_run: CleanupResult | None
    next_run_at: datetime | None
    """When this process cleans next; None where it is not scheduled to."""
