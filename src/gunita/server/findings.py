"""What search and learning say to clients, as the OpenAPI document tells it and as it is made from what was found."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from gunita.models import FoundConversation, Hit, Memory, MemoryType, Message, SearchKind, Turn
from gunita.server.schemas import (
    SESSION,
    ConversationReply,
    JsonObject,
    MemoryReply,
    MessageReply,
    PageReply,
    UserId,
    example,
)
from gunita.store.learning import LearningState, Reason

_MARKED = re.compile("⟦([^⟦⟧]*)⟧")


class FoundKind(StrEnum):
    MESSAGE = "message"
    TURN = "turn"
    MEMORY = "memory"


class SnippetPart(BaseModel):
    model_config = example({"text": "landlord", "match": True})

    text: str
    match: bool


class TurnReply(BaseModel):
    id: UUID
    session_id: UUID
    user_id: str
    turn_number: int
    query_text: str
    response_text: str
    created_at: datetime
    metadata: JsonObject


class HitReply(BaseModel):
    kind: FoundKind
    score: float = Field(description="0 to 1, to compare the hits of one search")
    why: list[str] = Field(description="What speaks for it: words, meaning, time", examples=[["words", "meaning"]])
    snippet: list[SnippetPart] = Field(description="The passage that matches, in parts of plain text")
    conversation_id: UUID | None
    turn_number: int | None
    created_at: datetime
    message: MessageReply | None
    turn: TurnReply | None
    memory: MemoryReply | None


class SearchPage(PageReply):
    query: str
    kind: SearchKind
    items: list[HitReply]


class FoundConversationReply(BaseModel):
    conversation: ConversationReply
    score: float
    snippet: list[SnippetPart]
    turn_number: int | None = Field(description="The best place in it; null where only its title matches")


class FoundConversationPage(PageReply):
    query: str
    items: list[FoundConversationReply]


class ExtractionBody(BaseModel):
    """One conversation, or with none all of the user's that hold something unread."""

    model_config = example({"conversation_id": SESSION})

    conversation_id: UUID | None = None
    user_id: UserId | None = None


class ProgressReply(BaseModel):
    model_config = example(
        {
            "state": "working",
            "conversations_waiting": 1,
            "messages_waiting": 12,
            "messages_read": 50,
            "learnt": 4,
            "last_error": None,
        }
    )

    state: LearningState
    conversations_waiting: int
    messages_waiting: int
    messages_read: int
    learnt: int = Field(description="Memories that came from these conversations")
    last_error: str | None = Field(description="What made the last try fail, which is made again after a minute")


class BeliefReply(BaseModel):
    id: UUID
    memory_id: UUID
    memory_type: MemoryType
    category: str | None
    content: str
    confidence: float
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    believed_from: datetime
    believed_until: datetime
    reason: Reason
    caused_by_message_id: UUID | None


class BeliefList(BaseModel):
    items: list[BeliefReply]


class SourceReply(BaseModel):
    memory_id: UUID
    conversation_id: UUID | None
    conversation_title: str | None
    turn_number: int | None
    message: MessageReply | None


def told_hit(hit: Hit) -> dict[str, Any]:
    """Say what was found, of whichever kind, in one form."""
    found = hit.found
    same: dict[str, Any] = {
        "score": hit.score,
        "why": hit.why.split(", ") if hit.why else [],
        "snippet": parts_of(hit.snippet),
        "created_at": found.created_at,
        "message": None,
        "turn": None,
        "memory": None,
    }
    match found:
        case Message():
            where = {"kind": "message", "conversation_id": found.conversation_id, "turn_number": found.turn_number}
            return same | where | {"message": found}
        case Turn():
            where = {"kind": "turn", "conversation_id": found.session_id, "turn_number": found.turn_number}
            return same | where | {"turn": found}
        case Memory():
            where = {"kind": "memory", "conversation_id": found.source_conversation_id, "turn_number": None}
            return same | where | {"memory": found}


def told_conversation(found: FoundConversation) -> dict[str, Any]:
    return {
        "conversation": found.conversation,
        "score": found.score,
        "snippet": parts_of(found.snippet),
        "turn_number": found.turn_number,
    }


def parts_of(snippet: str) -> list[dict[str, Any]]:
    """Part a snippet at its marks, so that no client has to read them."""
    parts = [{"text": text, "match": place % 2 == 1} for place, text in enumerate(_MARKED.split(snippet))]
    return [part for part in parts if part["text"]]
