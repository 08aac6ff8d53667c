"""Memories: what is known about users."""

from __future__ import annotations

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from gunita.models import MemoryType
from gunita.server.entry import Limit, Offset, OfUser, Visitor
from gunita.server.findings import BeliefList, ExtractionBody, ProgressReply, SourceReply
from gunita.server.keeping import DeletedWithReceipt
from gunita.server.replies import page, reply
from gunita.server.schemas import MemoryChange, MemoryPage, MemoryReply, NewMemory, problems

router = APIRouter(prefix="/api/memories", tags=["memories"])


@router.get("", summary="List, newest first", response_model=MemoryPage, responses=problems())
async def listed(
    visit: Visitor,
    user_id: OfUser = None,
    memory_type: MemoryType | None = None,
    category: Annotated[str | None, Query(min_length=1, max_length=255)] = None,
    pinned: bool | None = None,
    archived: bool | None = None,
    text: Annotated[str | None, Query(min_length=1, description="A part of what it says")] = None,
    source_conversation_id: UUID | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    service = visit.acting_for(user_id).memories
    wanted = partial(
        service.get_memories,
        user_id,
        memory_type=memory_type,
        category=category,
        pinned=pinned,
        archived=archived,
        text=text,
        source_conversation_id=source_conversation_id,
    )
    return await page(lambda count, start: wanted(limit=count, offset=start), limit, offset)


@router.post("", summary="Enter one", status_code=201, response_model=MemoryReply, responses=problems())
async def create(body: NewMemory, visit: Visitor) -> Response:
    made = await visit.acting_for(body.user_id).memories.create_memory(
        body.user_id,
        body.content,
        body.memory_type,
        category=body.category,
        source_conversation_id=body.source_conversation_id,
        source_message_id=body.source_message_id,
        pinned=body.pinned,
        confidence=body.confidence,
    )
    return reply(made, 201)


@router.post("/extract", summary="Learn from conversations, in the background", status_code=202,
             response_model=ProgressReply, responses=problems(404))  # fmt: skip
async def extract(body: ExtractionBody, visit: Visitor) -> Response:
    """Have a conversation read, or all of the user's that hold something unread; asking twice does the work once."""
    service = visit.acting_for(body.user_id).memories
    asked = await service.request_extraction(body.user_id, conversation_id=body.conversation_id)
    visit.gunita.background.wake()
    return reply(asked, 202)


@router.get("/extract", summary="How far the learning has come", response_model=ProgressReply,
            responses=problems(404))  # fmt: skip
async def extraction(visit: Visitor, conversation_id: UUID | None = None, user_id: OfUser = None) -> Response:
    service = visit.acting_for(user_id).memories
    return reply(await service.extraction_progress(user_id, conversation_id=conversation_id))


@router.get("/{memory_id}", summary="One", response_model=MemoryReply, responses=problems(404))
async def get(memory_id: UUID, visit: Visitor) -> Response:
    return reply(await visit.gunita.memories.get_memory(memory_id))


@router.patch("/{memory_id}", summary="Change one", response_model=MemoryReply, responses=problems(404))
async def update(memory_id: UUID, body: MemoryChange, visit: Visitor) -> Response:
    changes = {field: getattr(body, field) for field in body.model_fields_set}
    return reply(await visit.gunita.memories.update_memory(memory_id, **changes))


@router.delete("/{memory_id}", summary="Delete one", response_model=DeletedWithReceipt, responses=problems(404))
async def delete(memory_id: UUID, visit: Visitor) -> Response:
    """Delete a memory; one that is not there is a 404."""
    receipt = await visit.gunita.deletion.delete_memory(memory_id)
    return reply({"deleted": 1, "receipt_id": receipt.id})


@router.get("/{memory_id}/history", summary="What it said before, oldest first", response_model=BeliefList,
            responses=problems(404))  # fmt: skip
async def history(memory_id: UUID, visit: Visitor) -> Response:
    return reply({"items": await visit.gunita.memories.get_memory_history(memory_id)})


@router.get("/{memory_id}/source", summary="The message it was learnt from", response_model=SourceReply,
            responses=problems(404))  # fmt: skip
async def source(memory_id: UUID, visit: Visitor) -> Response:
    return reply(await visit.gunita.memories.get_memory_source(memory_id))
