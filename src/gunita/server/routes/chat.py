"""The chat: one answer whole, or as a stream that can be left, resumed and stopped."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, assert_never
from uuid import UUID

from fastapi import APIRouter, Body, Header, Path, Request, Response
from fastapi.sse import EventSourceResponse, format_sse_event

from gunita.chat.records import ChatRequest, Delta, Finished, Started
from gunita.errors import InvalidRoleError, ValidationError
from gunita.models import Role
from gunita.server import logs
from gunita.server.entry import Visitor, admitted_at_once, body_at_once, documented_body
from gunita.server.problems import Problem, body_of
from gunita.server.replies import reply, written
from gunita.server.schemas import LARGEST_TURN, ChatBody, ChatReplyBody, SessionBody, SessionReply, problems
from gunita.server.streams import Answer, Numbered
from gunita.services import access

router = APIRouter(tags=["chat"])

STREAM_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
SIGN_OF_LIFE = b": keepalive\n\n"
LARGEST_EVENT = 10**9

Turn = Annotated[int, Path(ge=1, le=LARGEST_TURN)]
LastEvent = Annotated[str | None, Header(alias="Last-Event-ID", description="The last event that arrived")]
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "`started`, `delta` … and `finished`, each with an id; comments keep the line open",
        "content": {
            "text/event-stream": {
                "example": 'event: delta\ndata: {"text":"Paris"}\nid: 2\n\n',
                "schema": {"type": "string"},
            }
        },
    }
}


@router.post(
    "/chat",
    summary="Ask, and get the whole answer",
    response_model=ChatReplyBody,
    responses=problems(409),
    openapi_extra=documented_body(ChatBody.__name__),
)
async def chat(request: Request) -> Response:
    visit = await admitted_at_once(request)
    answer = await begun(await body_at_once(request, ChatBody), visit)
    return reply(await answer.reply())


@router.post(
    "/chat/session",
    summary="Begin a conversation",
    response_model=SessionReply,
    responses=problems(),
)
async def new_session(visit: Visitor, body: Annotated[SessionBody | None, Body()] = None) -> Response:
    user_id = body.user_id if body else None
    session_id = await visit.acting_for(user_id).sessions.create_session(user_id)
    return reply({"session_id": session_id})


@router.post(
    "/chat/stream",
    summary="Ask, and get the answer as it comes",
    description="The turn is kept when the stream ends. Who goes away may come back for a while, by the same "
    "`request_id` or by GET, with `Last-Event-ID`; then the answer is stopped and kept as interrupted.",
    response_class=Response,
    responses=STREAM | problems(409),
)
async def stream(body: ChatBody, visit: Visitor, last_event: LastEvent = None) -> Response:
    return streamed(await begun(body, visit), last_event)


@router.get(
    "/chat/stream/{session_id}/{turn_number}",
    summary="Follow an answer again",
    response_class=Response,
    responses=STREAM | problems(404, 409),
)
async def resume(session_id: UUID, turn_number: Turn, visit: Visitor, last_event: LastEvent = None) -> Response:
    return streamed(await visit.answers.find(visit.gunita, session_id, turn_number), last_event)


@router.post(
    "/chat/stream/{session_id}/{turn_number}/stop",
    summary="Stop an answer; what was said is kept, marked interrupted",
    response_model=ChatReplyBody,
    responses=problems(404, 409),
)
async def stop(session_id: UUID, turn_number: Turn, visit: Visitor) -> Response:
    answer = await visit.answers.find(visit.gunita, session_id, turn_number)
    return reply(await answer.stop())


async def begun(body: ChatBody, visit: Visitor) -> Answer:
    if body.role not in {None, Role.USER}:
        raise InvalidRoleError(body.role)
    request = ChatRequest(
        query=body.query,
        user_id=body.user_id,
        session_id=session_of(body.session_id),
        request_id=body.request_id,
        choice=body.choice,
    )
    answer = await visit.answers.begin(visit.acting_for(body.user_id), request)
    logs.bind_session(answer.session_id)
    return answer


def session_of(text: str | None) -> UUID | None:
    """Read a session id; one that is malformed is treated as none."""
    try:
        return None if text is None else access.identifier("session_id", text)
    except ValidationError:
        return None


def streamed(answer: Answer, last_event: str | None) -> Response:
    after = int(last_event) if last_event and last_event.isascii() and last_event.isdigit() else 0
    return EventSourceResponse(events(answer, min(after, LARGEST_EVENT)), headers=STREAM_HEADERS)


async def events(answer: Answer, after: int) -> AsyncIterator[bytes]:
    """Write an answer's events; what goes wrong after the first byte is an event too."""
    try:
        async for heard in answer.listen(after):
            yield SIGN_OF_LIFE if heard is None else event_bytes(heard)
    except Problem as problem:
        yield format_sse_event(event="error", data_str=written(body_of(problem, "")).decode())


def event_bytes(heard: Numbered) -> bytes:
    number, event = heard
    match event:
        case Started():
            name, data = "started", written(event)
        case Delta():
            name, data = "delta", written(event)
        case Finished():
            name, data = "finished", written(event.reply)
        case _:
            assert_never(event)
    return b"event: %b\ndata: %b\nid: %d\n\n" % (name.encode(), data, number)
