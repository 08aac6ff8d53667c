"""OpenAI's chat completions over Gunita: any of its clients, pointed here, has memory.

The conversation is the one that the header X-Session-Id names; else the `user` has one that stays the same; else a new
one begins. The user's last message is the query. What a client sends before it becomes the first turns of a
conversation that is still empty, and is otherwise left to memory. Its system messages take the place of the configured
system prompt. Tools go to the model as they are sent, and its calls come back; the results that a client sends behind
the query belong to the same turn, which keeps calls and results whole.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any
from uuid import UUID, uuid5

from fastapi import APIRouter, Header, Response
from fastapi.sse import EventSourceResponse
from pydantic import BaseModel, ConfigDict, Field

from gunita.aio import AsyncGunita
from gunita.chat.closing import TOOL_MESSAGES
from gunita.chat.records import ChatReply, ChatRequest, Delta, Finished, Started, ToolUse
from gunita.errors import NotFoundError, StorageUnavailableError, ValidationError
from gunita.ids import new_id, now
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Scope
from gunita.server.entry import Visitor
from gunita.server.problems import Problem, body_of
from gunita.server.replies import reply, written
from gunita.server.routes.chat import STREAM_HEADERS, session_of
from gunita.server.schemas import answers, example, problems
from gunita.server.streams import Answer

router = APIRouter(prefix="/v1", tags=["openai"])

FROM_MEMORY = "gunita-memory"
"""The name of the model where none is configured."""
CONVERSATIONS = UUID("5b0e8f52-1c0a-4d0e-9f0b-6f6f2b9a7c11")
"""Namespace of the one conversation that a `user` has."""
MOST_TAKEN_OVER = 200


class TextPart(BaseModel):
    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None


class ChatMessage(BaseModel):
    model_config = ConfigDict(extra="allow")

    role: str
    content: str | list[TextPart] | None = None
    tool_calls: list[JsonObject] | None = None
    tool_call_id: str | None = None

    @property
    def whole(self) -> JsonObject:
        """The message as the client wrote it."""
        return self.model_dump(exclude_unset=True)

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class CompletionBody(BaseModel):
    """What Gunita reads of a completion request; other fields are taken and left."""

    model_config = example(
        {"model": "gunita", "user": "juan", "messages": [{"role": "user", "content": "Ano yung una kong tinanong?"}]}
    )

    messages: list[ChatMessage] = Field(min_length=1)
    model: str | None = None
    user: str | None = Field(None, min_length=1, max_length=255)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    tools: list[JsonObject] | None = None
    tool_choice: str | JsonObject | None = None
    parallel_tool_calls: bool | None = None
    functions: list[Any] | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer, as a client remembers them, with the tool calls in between."""

    query: str
    response: str
    tool_messages: Sequence[JsonObject] = ()


@router.get("/models", summary="The model behind Gunita", responses=problems())
async def models(visit: Visitor) -> Response:
    name = model_name(visit.running.gunita)
    return reply({"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "gunita"}]})


@router.post(
    "/chat/completions",
    summary="A chat completion with memory",
    description=__doc__,
    responses=answers("A completion, or with `stream` its chunks", "application/json", "text/event-stream")
    | problems(409),
)
async def completions(
    body: CompletionBody,
    visit: Visitor,
    session: Annotated[str | None, Header(alias="X-Session-Id", description="The conversation to go on with")] = None,
) -> Response:
    place = place_of_query(body)
    query = body.messages[place].text
    g = visit.acting_for(body.user)
    session_id = await prepared(g, body, body.messages[:place], conversation_of(g.scope, body.user, session))
    request = ChatRequest(
        query,
        body.user,
        session_id,
        instructions=instructions_of(body.messages),
        tools=tools_of(body, body.messages[place + 1 :]),
    )
    answer = await visit.answers.begin(g, request)
    name = model_name(g)
    headers = {"X-Session-Id": str(session_id)}
    if body.stream:
        usage = body.stream_options is not None and body.stream_options.include_usage
        return EventSourceResponse(chunks(answer, name, query, usage=usage), headers=STREAM_HEADERS | headers)
    said = await answer.reply()
    return reply(completion(said, name, usage_of(answer, query, said.message)), headers=headers)


def place_of_query(body: CompletionBody) -> int:
    """Find where the query stands, and refuse what would otherwise silently not be done."""
    if body.n not in {None, 1}:
        raise ValidationError("n", "only one answer is given; leave it out or send 1")
    if body.functions:
        raise ValidationError("functions", "are of an older form; send tools")
    asked = [place for place, message in enumerate(body.messages) if message.role == "user"]
    behind = {message.role for message in body.messages[asked[-1] + 1 :]} if asked else set()
    if not asked or body.messages[-1].role not in {"user", "tool"} or not behind <= {"assistant", "tool"}:
        raise ValidationError("messages", "the last message must be the user's, or a tool's result behind it")
    return asked[-1]


def tools_of(body: CompletionBody, since: Sequence[ChatMessage]) -> ToolUse | None:
    """Take what a client says about tools, as it says it."""
    if not body.tools and not since:
        return None
    offered = body.model_dump(exclude_unset=True, include={"tools", "tool_choice", "parallel_tool_calls"})
    return ToolUse(offered if body.tools else {}, [message.whole for message in since])


def conversation_of(scope: Scope, user: str | None, session: str | None) -> UUID:
    """Decide which conversation a completion belongs to."""
    if (named := session_of(session)) is not None:
        return named
    if user is not None and session is None:
        # A length in front keeps two tenants apart whatever characters their names hold.
        tenant = scope.tenant_id or ""
        return uuid5(CONVERSATIONS, f"{len(tenant)}:{tenant}:{user}")
    return new_id(now())


def instructions_of(messages: Sequence[ChatMessage]) -> str | None:
    said = [message.text for message in messages if message.role in {"system", "developer"}]
    return "\n\n".join(text for text in said if text.strip()) or None


def exchanges_of(messages: Sequence[ChatMessage]) -> list[Exchange]:
    """Pair what was asked with what was answered, leaving out what has no other half."""
    spoken = [
        (place, message)
        for place, message in enumerate(messages)
        if message.role in {"user", "assistant"} and message.text.strip()
    ]
    found = [
        Exchange(asked.text, answered.text, [message.whole for message in messages[start + 1 : end]])
        for (start, asked), (end, answered) in pairwise(spoken)
        if asked.role == "user" and answered.role == "assistant"
    ]
    return found[-MOST_TAKEN_OVER:]


async def prepared(g: AsyncGunita, body: CompletionBody, before: Sequence[ChatMessage], session_id: UUID) -> UUID:
    """Take over what the client remembers, where the conversation is still empty."""
    told = exchanges_of(before)
    if not told:
        return session_id
    try:
        if (await g.conversations.get_conversation(session_id)).turn_count:
            return session_id
    except NotFoundError:
        pass
    except StorageUnavailableError:
        # Nobody can tell whether it is empty; what the client remembers is its own, and this turn goes on.
        return session_id
    for exchange in told:
        said = (body.user, exchange.query, exchange.response)
        beside = {TOOL_MESSAGES: list(exchange.tool_messages)} if exchange.tool_messages else None
        try:
            await g.sessions.store_turn(session_id, *said, beside)
        except NotFoundError:
            # Somebody else's: the rest of the turn treats it as unknown too.
            session_id = new_id(now())
            await g.sessions.store_turn(session_id, *said, beside)
    return session_id


def model_name(g: AsyncGunita) -> str:
    return g.model.name if g.model else FROM_MEMORY


def usage_of(answer: Answer, query: str, text: str) -> dict[str, int]:
    prompt = answer.prompt_tokens if answer.prompt_tokens is not None else count_tokens(query)
    completed = count_tokens(text)
    return {"prompt_tokens": prompt, "completion_tokens": completed, "total_tokens": prompt + completed}


def completion(said: ChatReply, model: str, usage: dict[str, int]) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.message, "refusal": None}
    if calls := said.metadata.get("tool_calls"):
        message |= {"content": said.message or None, "tool_calls": calls}
    return {
        "id": f"chatcmpl-{said.session_id.hex}-{said.turn_number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": ended_by(said), "logprobs": None}],
        "usage": usage,
        "gunita": memory_of(said),
    }


def ended_by(said: ChatReply) -> str:
    return "tool_calls" if said.metadata.get("tool_calls") else "stop"


def memory_of(said: ChatReply) -> dict[str, Any]:
    """Tell what only Gunita knows, beside what OpenAI's form has room for."""
    return {
        "session_id": said.session_id,
        "turn_number": said.turn_number,
        "intent": said.intent,
        "confidence": said.confidence,
        "data": said.data,
        "metadata": said.metadata,
        "error": said.error,
    }


async def chunks(answer: Answer, model: str, query: str, *, usage: bool) -> AsyncIterator[bytes]:
    """Write an answer as a completion's chunks."""
    frame: dict[str, Any] = {"object": "chat.completion.chunk", "created": int(time.time()), "model": model}
    try:
        async for heard in answer.listen():
            match heard:
                case None:
                    yield b": keepalive\n\n"
                case _, Started() as event:
                    frame["id"] = f"chatcmpl-{event.session_id.hex}-{event.turn_number}"
                    beside = {"gunita": {"session_id": event.session_id, "turn_number": event.turn_number}}
                    yield chunk(frame | beside, {"role": "assistant", "content": ""})
                case _, Delta() as event:
                    yield chunk(frame, {"content": event.text})
                case _, Finished() as event:
                    calls = event.reply.metadata.get("tool_calls", ())
                    if calls:
                        yield chunk(frame, {"tool_calls": [{"index": i, **call} for i, call in enumerate(calls)]})
                    yield chunk(frame | {"gunita": memory_of(event.reply)}, {}, ended_by(event.reply))
                    if usage:
                        counted = usage_of(answer, query, event.reply.message)
                        yield data(frame | {"choices": [], "usage": counted})
        yield b"data: [DONE]\n\n"
    except Problem as problem:
        yield data(body_of(problem, "", for_openai=True))


def chunk(frame: dict[str, Any], delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
    return data(frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}]})


def data(value: Any) -> bytes:
    return b"data: %b\n\n" % written(value)
