"""Conversations and their messages."""

from __future__ import annotations

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from gunita.models import ExportFormat
from gunita.server.entry import Limit, Offset, OfUser, Visitor
from gunita.server.keeping import DeletedWithReceipt
from gunita.server.replies import page, reply
from gunita.server.schemas import (
    ConversationChange,
    ConversationPage,
    ConversationReply,
    MessagePage,
    MessageReply,
    NewConversation,
    NewMessage,
    WholeConversation,
    answers,
    problems,
)

router = APIRouter(prefix="/api/conversations", tags=["conversations"])

EXPORTED = {ExportFormat.JSON: ("application/json", "json"), ExportFormat.MARKDOWN: ("text/markdown", "md")}


@router.get("", summary="List, newest activity first", response_model=ConversationPage, responses=problems())
async def listed(
    visit: Visitor, user_id: OfUser = None, archived: bool | None = None, limit: Limit = 50, offset: Offset = 0
) -> Response:
    g = visit.acting_for(user_id)
    return await page(
        partial(g.conversations.list_conversations, user_id=user_id, archived=archived), limit=limit, offset=offset
    )


@router.post("", summary="Begin one", status_code=201, response_model=ConversationReply, responses=problems())
async def create(body: NewConversation, visit: Visitor) -> Response:
    g = visit.acting_for(body.user_id)
    made = await g.conversations.create_conversation(body.user_id, body.title, body.document_context, body.metadata)
    return reply(made, 201)


@router.get("/current", summary="The active one, made when there is none", response_model=ConversationReply,
            responses=problems())  # fmt: skip
async def current(visit: Visitor, user_id: OfUser = None) -> Response:
    return reply(await visit.acting_for(user_id).conversations.current(user_id))


@router.get("/{conversation_id}", summary="One, with its newest messages", response_model=WholeConversation,
            responses=problems(404))  # fmt: skip
async def get(conversation_id: UUID, visit: Visitor, limit: Limit = 50, offset: Offset | None = None) -> Response:
    """Give a conversation, its summary, and a page of its messages in order: the newest ones unless told otherwise."""
    service = visit.gunita.conversations
    found = await service.get_conversation(conversation_id)
    start = max(found.message_count - limit, 0) if offset is None else offset
    said = await service.get_messages(conversation_id, limit, start)
    following = start + limit if start + limit < found.message_count else None
    messages = {"items": said, "limit": limit, "offset": start, "next_offset": following}
    whole = {field: getattr(found, field) for field in found.__dataclass_fields__}
    return reply(whole | {"summary": await service.get_summary(conversation_id), "messages": messages})


@router.patch("/{conversation_id}", summary="Change title, archived, pinned, metadata",
              response_model=ConversationReply, responses=problems(404))  # fmt: skip
async def update(conversation_id: UUID, body: ConversationChange, visit: Visitor) -> Response:
    changes = {field: getattr(body, field) for field in body.model_fields_set}
    return reply(await visit.gunita.conversations.update_conversation(conversation_id, **changes))


@router.delete("/{conversation_id}", summary="Delete one with everything that hangs on it",
               response_model=DeletedWithReceipt,
               responses=problems(404))  # fmt: skip
async def delete(conversation_id: UUID, visit: Visitor) -> Response:
    """Delete a conversation; one that is not there is a 404."""
    receipt = await visit.gunita.deletion.delete_conversation(conversation_id)
    return reply({"deleted": 1, "receipt_id": receipt.id})


@router.get("/{conversation_id}/messages", summary="Its messages, in order", response_model=MessagePage,
            responses=problems(404))  # fmt: skip
async def messages(conversation_id: UUID, visit: Visitor, limit: Limit = 50, offset: Offset = 0) -> Response:
    service = visit.gunita.conversations
    await service.get_conversation(conversation_id)
    return await page(partial(service.get_messages, conversation_id), limit, offset)


@router.post("/{conversation_id}/messages", summary="Add a message", status_code=201, response_model=MessageReply,
             responses=problems(404))  # fmt: skip
async def add_message(conversation_id: UUID, body: NewMessage, visit: Visitor) -> Response:
    made = await visit.gunita.conversations.add_message(
        conversation_id,
        body.role,
        body.content,
        tool_calls=body.tool_calls,
        suggested_values=body.suggested_values,
        suggested_actions=body.suggested_actions,
        custom_payload=body.custom_payload,
    )
    return reply(made, 201)


@router.get(
    "/{conversation_id}/export",
    summary="Write it out",
    response_class=Response,
    responses=answers("The whole conversation", "application/json", "text/markdown") | problems(404),
)
async def export(
    conversation_id: UUID, visit: Visitor, format: Annotated[ExportFormat, Query()] = ExportFormat.JSON
) -> Response:
    text = await visit.gunita.sessions.export_conversation(conversation_id, format)
    media_type, ending = EXPORTED[format]
    name = f'attachment; filename="conversation-{conversation_id}.{ending}"'
    return Response(text.encode(errors="replace"), 200, {"Content-Disposition": name}, media_type)
