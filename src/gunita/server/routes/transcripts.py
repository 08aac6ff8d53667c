"""Conversations as they are shown, what they tell taken together, and who is looking."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from gunita import __version__
from gunita.server.entry import OfUser, Visitor
from gunita.server.replies import reply
from gunita.server.schemas import LARGEST_TURN, CountsReply, JsonObject, problems

router = APIRouter(prefix="/api", tags=["page"])

Place = Annotated[int | None, Query(ge=1, le=LARGEST_TURN)]


class SaidReply(BaseModel):
    id: UUID
    content: str
    created_at: datetime


class ShownTurnReply(BaseModel):
    turn_number: int
    query: SaidReply | None
    response: SaidReply | None = Field(description="Null while the answer is on its way, or where it was lost")
    metadata: JsonObject = Field(description="How the query was understood: intent, confidence, references, choices")


class TranscriptReply(BaseModel):
    items: list[ShownTurnReply]
    has_earlier: bool
    has_later: bool


class DayReply(BaseModel):
    day: date
    turns: int
    conversations: int


class SizeReply(BaseModel):
    least: int
    most: int | None
    conversations: int


class CountedReply(BaseModel):
    name: str
    count: int


class InsightsReply(BaseModel):
    counts: CountsReply
    days: list[DayReply]
    sizes: list[SizeReply]
    topics: list[CountedReply]
    intents: list[CountedReply]
    reference_kinds: list[CountedReply]
    clarification_rate: float | None
    characters: int
    answers_read: int
    retention_hours: float


class AboutReply(BaseModel):
    user_id: str | None = Field(description="Whose credentials these are; null for a service, which acts for any user")
    tenant_id: str | None
    model: str | None = Field(description="The language model that is configured; null: answers come from memory")
    version: str
    retention_hours: float


@router.get("/about", summary="Who is asking, and who answers", response_model=AboutReply, responses=problems())
async def about(visit: Visitor) -> Response:
    scope, gunita = visit.caller.scope, visit.gunita
    return reply(
        {
            "user_id": scope.user_id,
            "tenant_id": scope.tenant_id,
            "model": gunita.model.name if gunita.model else None,
            "version": __version__,
            "retention_hours": gunita.settings.retention_hours,
        }
    )


@router.get(
    "/conversations/{conversation_id}/turns",
    summary="Its turns around a place, with how each was understood",
    response_model=TranscriptReply,
    responses=problems(404),
)
async def turns(
    conversation_id: UUID,
    visit: Visitor,
    before: Place = None,
    after: Annotated[int | None, Query(ge=0, le=LARGEST_TURN)] = None,
    around: Place = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Give a page of turns in order: before a number, after one, around one, or with neither the newest."""
    found = await visit.gunita.transcripts.read(conversation_id, before=before, after=after, around=around, limit=limit)
    return reply(found)


@router.get("/insights", summary="What conversations tell taken together", response_model=InsightsReply,
            responses=problems())  # fmt: skip
async def insights(visit: Visitor, user_id: OfUser = None, days: Annotated[int, Query(ge=1, le=366)] = 30) -> Response:
    return reply(await visit.acting_for(user_id).insights.look(user_id, days=days))
