"""What clients send and receive, as the OpenAPI document tells it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from gunita.chat.records import Intent
from gunita.models import MemoryType, Role
from gunita.store.keys import KeyRole
from gunita.store.receipts import ReceiptKind

LARGEST_TURN = 2**31 - 1
SESSION = "0197d2c4-8f3e-7a41-9c55-2b8f6d1e0a37"

UserId = Annotated[str, Field(min_length=1, max_length=255, examples=["juan"])]
TurnNumber = Annotated[int, Field(ge=1, le=LARGEST_TURN, examples=[3])]
JsonObject = dict[str, Any]


def example(value: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"example": value})


class ChatBody(BaseModel):
    """One query."""

    model_config = example({"query": "Tell me more about yung una", "user_id": "juan", "session_id": SESSION})

    query: str
    user_id: UserId | None = None
    role: str | None = Field(None, description="Only `user` makes sense; another role is refused", examples=["user"])
    session_id: str | None = Field(None, description="Unknown or malformed: a new conversation begins")
    request_id: str | None = Field(
        None, min_length=1, max_length=255, description="Sent again under the same id, a query is answered once"
    )
    choice: TurnNumber | None = Field(None, description="The turn that was tapped among a clarification's choices")


class ChatReplyBody(BaseModel):
    model_config = example(
        {
            "query": "Tell me more about yung una",
            "message": "Paris is the capital of France …",
            "data": [{"type": "turn", "session_id": SESSION, "turn_number": 1, "query": "What is the capital …"}],
            "intent": "reference",
            "confidence": 0.97,
            "session_id": SESSION,
            "turn_number": 3,
            "metadata": {"receipt_id": SESSION, "references": [1], "warnings": [], "timings": {"answer_ms": 812.4}},
            "error": None,
        }
    )

    query: str
    message: str
    data: list[JsonObject] = Field(description="Turns, memories and passages used, or the choices of a clarification")
    intent: Intent
    confidence: float = Field(description="How sure the decision about the reference is, 0 to 1")
    session_id: UUID
    turn_number: int
    metadata: JsonObject
    error: str | None = Field(description="What the language model had trouble with, and what to do")


class SessionBody(BaseModel):
    model_config = example({"user_id": "juan"})

    user_id: UserId | None = None


class SessionReply(BaseModel):
    model_config = example({"session_id": SESSION})

    session_id: UUID


class ConversationReply(BaseModel):
    id: UUID
    user_id: str
    title: str | None
    created_at: datetime
    updated_at: datetime
    archived: bool
    pinned: bool
    document_context: list[str]
    message_count: int
    turn_count: int
    token_count: int
    metadata: JsonObject


class MessageReply(BaseModel):
    id: UUID
    conversation_id: UUID
    turn_number: int
    role: Role
    content: str
    created_at: datetime
    tool_calls: list[Any] | None
    suggested_values: list[Any] | None
    suggested_actions: list[Any] | None
    custom_payload: JsonObject | None


class SummaryReply(BaseModel):
    content: str
    key_topics: list[str]
    method: str
    token_count: int
    through_turn: int


class PageReply(BaseModel):
    limit: int
    offset: int
    next_offset: int | None = Field(description="Where the next page begins; null on the last one")


class ConversationPage(PageReply):
    items: list[ConversationReply]


class MessagePage(PageReply):
    items: list[MessageReply]


class WholeConversation(ConversationReply):
    summary: SummaryReply | None
    messages: MessagePage


class NewConversation(BaseModel):
    model_config = example({"user_id": "juan", "title": "Biyahe sa Davao", "document_context": ["itinerary.pdf"]})

    user_id: UserId | None = None
    title: str | None = None
    document_context: list[str] | None = None
    metadata: JsonObject | None = None


class ConversationChange(BaseModel):
    """What is given is changed, what is left out stays; a title of null takes the title away."""

    model_config = example({"title": "Biyahe sa Davao", "pinned": True})

    title: str | None = None
    archived: bool | None = None
    pinned: bool | None = None
    metadata: JsonObject | None = None


class NewMessage(BaseModel):
    model_config = example({"role": "user", "content": "Magkano ang pamasahe?"})

    role: str
    content: str
    tool_calls: list[Any] | None = None
    suggested_values: list[Any] | None = None
    suggested_actions: list[Any] | None = None
    custom_payload: JsonObject | None = None


class Deleted(BaseModel):
    model_config = example({"deleted": 1})

    deleted: int


class MemoryReply(BaseModel):
    id: UUID
    user_id: str
    memory_type: MemoryType
    category: str | None
    content: str
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    created_at: datetime
    last_accessed_at: datetime | None
    access_count: int
    pinned: bool
    archived: bool
    confidence: float


class MemoryPage(PageReply):
    items: list[MemoryReply]


class NewMemory(BaseModel):
    model_config = example({"user_id": "juan", "content": "Lives in Davao", "memory_type": "fact", "pinned": True})

    content: str
    user_id: UserId | None = None
    memory_type: str = "fact"
    category: str | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    pinned: bool = False
    confidence: float = 1.0


class MemoryChange(BaseModel):
    """What is given is changed, what is left out stays; a category of null takes the category away."""

    model_config = example({"content": "Lives in Cebu", "pinned": False})

    content: str | None = None
    memory_type: str | None = None
    category: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    confidence: float | None = None


class UserMemoryBody(BaseModel):
    model_config = example({"value": {"language": "tl", "font_size": 14}})

    value: Any


class UserMemoryReply(BaseModel):
    model_config = example({"key": "preferences", "value": {"language": "tl"}})

    key: str
    value: Any


class UserMemoryList(BaseModel):
    model_config = example({"items": {"preferences": {"language": "tl"}}})

    items: JsonObject


class UserStateBody(BaseModel):
    model_config = example({"mode": "active"})

    mode: str


class UserStateReply(BaseModel):
    model_config = example({"mode": "active"})

    mode: str | None


class CountsReply(BaseModel):
    model_config = example({"conversations": 3, "turns": 41, "messages": 82, "memories": 7, "corrections": 0})

    conversations: int
    turns: int
    messages: int
    memories: int
    corrections: int


class ReceiptReply(BaseModel):
    id: UUID
    user_id: str
    conversation_id: UUID | None
    turn_number: int | None
    kind: ReceiptKind
    body: JsonObject
    created_at: datetime


class NewCorrection(BaseModel):
    """Which earlier turns a query meant; an empty list says that it pointed at nothing."""

    model_config = example({"conversation_id": SESSION, "turn_number": 3, "meant": [1]})

    conversation_id: str
    turn_number: TurnNumber
    meant: list[TurnNumber] = Field(max_length=20)


class CorrectionReply(BaseModel):
    id: UUID
    user_id: str
    conversation_id: UUID
    turn_number: int
    understood: JsonObject
    meant: JsonObject
    created_at: datetime


class CorrectionPage(PageReply):
    items: list[CorrectionReply]


class NewKeyBody(BaseModel):
    model_config = example({"name": "mobile app", "role": "user", "user_id": "juan"})

    name: str
    role: str = "service"
    user_id: UserId | None = None


class KeyReply(BaseModel):
    id: UUID
    name: str
    role: KeyRole
    user_id: str | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewKeyReply(BaseModel):
    secret: str = Field(description="Shown once, and kept nowhere")
    key: KeyReply


class KeyList(BaseModel):
    items: list[KeyReply]


class ProblemReply(BaseModel):
    model_config = example(
        {
            "error_code": "validation_error",
            "message": "query: is empty; give it some text",
            "timestamp": "2026-01-05T09:30:00+00:00",
            "request_id": "4f1c0a7be2d34c0f9a51c3d2b6e87f90",
            "fields": {"query": "is empty; give it some text"},
        }
    )

    error_code: str
    message: str
    timestamp: datetime
    request_id: str
    fields: dict[str, str] | None = None
    details: str | None = Field(None, description="In development mode only")


class HealthReply(BaseModel):
    model_config = example({"status": "alive"})

    status: str


class ReadyReply(BaseModel):
    model_config = example(
        {
            "status": "ready",
            "database_ms": 0.4,
            "waiting_turns": 0,
            "seconds_away": 0.0,
            "model": "llama-3.1-8b",
            "version": "0.1.0",
        }
    )

    status: str = Field(description="ready; slow; or degraded: answers come from memory and are kept in the journal")
    database_ms: float | None = Field(description="How long the database took to answer; null: it does not")
    waiting_turns: int = Field(description="Turns in the journal that are not in the database yet")
    seconds_away: float
    model: str | None = Field(description="The language model that is configured; null: answers come from memory")
    version: str


_TOLD = {
    400: "The request is not valid; `fields` says where",
    401: "No valid key or token",
    403: "The credentials do not reach what was asked for",
    404: "No such thing here",
    409: "The request contradicts what is stored, or is being answered already",
    413: "The body is too large",
    429: "Too many requests; `Retry-After` says when to come again",
    503: "The database is away; `Retry-After` says when to come again",
}


Responses = dict[int | str, dict[str, Any]]


def answers(description: str, *media_types: str) -> Responses:
    """Document an answer that is no JSON object of a fixed form."""
    return {200: {"description": description, "content": {media_type: {} for media_type in media_types}}}


def problems(*statuses: int) -> Responses:
    """Document what a route may answer beside what it is asked for."""
    every = {400, 401, 403, 413, 429, 503, *statuses}
    return {status: {"model": ProblemReply, "description": _TOLD[status]} for status in sorted(every)}
