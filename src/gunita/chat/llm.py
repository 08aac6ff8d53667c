"""A language model behind any OpenAI-compatible address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from gunita.errors import MissingExtraError, ModelError
from gunita.models import JsonObject
from gunita.settings import Settings

Prompt: TypeAlias = Sequence[Mapping[str, Any]]

BROKE_OFF = "the language model's answer broke off; try again"


class Model(Protocol):
    """Streams the answer to a prompt, piece by piece; leaving the iteration stops the model."""

    name: str

    def stream(self, prompt: Prompt, max_tokens: int) -> AsyncIterator[str]: ...


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """The tools that a model wants called, whole, as OpenAI writes them."""

    calls: tuple[JsonObject, ...]


@runtime_checkable
class ToolModel(Protocol):
    """A model that may also call tools; its calls come last, after all it says."""

    def stream_with_tools(
        self, prompt: Prompt, max_tokens: int, offered: JsonObject
    ) -> AsyncIterator[str | ToolCalls]: ...


class OpenAIModel:
    def __init__(self, settings: Settings) -> None:
        try:
            import openai
        except ImportError as missing:
            raise MissingExtraError("a language model", "llm") from missing
        self._openai = openai
        self.name = settings.llm_model
        self._base_url = settings.llm_base_url
        self._key = settings.llm_api_key.get_secret_value()
        self._timeout = settings.llm_timeout_seconds
        self._retries = settings.llm_retries
        # The client hands on what its transport raises in mid-stream, and what is no JSON.
        self._broken: tuple[type[Exception], ...] = (*_transport_errors(), ValueError)
        self._kept: tuple[asyncio.AbstractEventLoop, Any] | None = None

    @asynccontextmanager
    async def kept_open(self) -> AsyncIterator[None]:
        """Keep connections between the answers of one event loop, as a server wants it."""
        async with self._new_client() as client:
            self._kept = (asyncio.get_running_loop(), client)
            try:
                yield
            finally:
                self._kept = None

    async def stream(self, prompt: Prompt, max_tokens: int) -> AsyncIterator[str]:
        """Stream the answer; what goes wrong on the way is a ModelError that says what to do."""
        async for said in self.stream_with_tools(prompt, max_tokens, {}):
            if isinstance(said, str):
                yield said

    async def stream_with_tools(
        self, prompt: Prompt, max_tokens: int, offered: JsonObject
    ) -> AsyncIterator[str | ToolCalls]:
        """Stream the answer and then the tools it calls, where some are offered."""
        # A client belongs to the event loop it was made in.
        if self._kept is not None and self._kept[0] is asyncio.get_running_loop():
            async for said in self._answer(self._kept[1], prompt, max_tokens, offered):
                yield said
            return
        async with self._new_client() as client:
            async for said in self._answer(client, prompt, max_tokens, offered):
                yield said

    async def _answer(
        self, client: Any, prompt: Prompt, max_tokens: int, offered: JsonObject
    ) -> AsyncIterator[str | ToolCalls]:
        begun = ended = False
        calls: dict[int, dict[str, Any]] = {}
        try:
            answer = await client.chat.completions.create(
                model=self.name,
                messages=[dict(message) for message in prompt],
                max_tokens=max_tokens,
                stream=True,
                **offered,
            )
            begun = True
            async with answer:
                async for chunk in answer:
                    if not chunk.choices:
                        continue
                    delta = chunk.choices[0].delta
                    if delta.content:
                        yield delta.content
                    for part in delta.tool_calls or ():
                        add_part(calls, part.model_dump(exclude_unset=True))
                    ended = ended or chunk.choices[0].finish_reason is not None
        except self._openai.OpenAIError as problem:
            raise ModelError(_advice(problem, self._openai, begun=begun)) from problem
        except self._broken as problem:
            raise ModelError(BROKE_OFF) from problem
        if not ended:
            raise ModelError(BROKE_OFF)
        if calls:
            yield ToolCalls(tuple(calls[place] for place in sorted(calls)))

    async def fill_in(self, prompt: Prompt, schema: Mapping[str, Any], max_tokens: int) -> str:
        """Give an answer as JSON of a schema; an endpoint that knows no schemas is asked for plain JSON."""
        asked: dict[str, Any] = {
            "model": self.name,
            "messages": [dict(message) for message in prompt],
            "max_tokens": max_tokens,
            "temperature": 0,
        }
        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}
        try:
            async with self._new_client() as client:
                try:
                    answer = await client.chat.completions.create(**asked, response_format=form)
                except (self._openai.BadRequestError, self._openai.UnprocessableEntityError):
                    answer = await client.chat.completions.create(**asked)
        except self._openai.OpenAIError as problem:
            raise ModelError(_advice(problem, self._openai, begun=False)) from problem
        except self._broken as problem:
            raise ModelError(BROKE_OFF) from problem
        return (answer.choices[0].message.content or "") if answer.choices else ""

    def _new_client(self) -> Any:
        return self._openai.AsyncOpenAI(
            base_url=self._base_url, api_key=self._key, timeout=self._timeout, max_retries=self._retries
        )


def model_from(settings: Settings) -> Model | None:
    """Make the configured model, or none."""
    return OpenAIModel(settings) if settings.llm_base_url else None


def add_part(calls: dict[int, dict[str, Any]], part: Mapping[str, Any]) -> None:
    """Put a streamed piece of a tool call where it belongs; what is said in pieces are a function's arguments."""
    known = calls.setdefault(part.get("index", len(calls)), {})
    for name, value in part.items():
        if name == "function":
            function = known.setdefault("function", {})
            for field, text in (value or {}).items():
                function[field] = function.get(field, "") + text if field == "arguments" and text else text
        elif name != "index" and value is not None:
            known[name] = value


def _transport_errors() -> tuple[type[Exception], ...]:
    """Give what the transport of the installed client raises; newer clients bring a newer one."""
    found: list[type[Exception]] = []
    for name in ("httpx", "httpx2"):
        try:
            found.append(__import__(name).HTTPError)
        except ImportError:
            continue
    return tuple(found)


def _advice(problem: Exception, openai: Any, *, begun: bool) -> str:
    """Say what to do, in words that may reach whoever asked: no address, no key, nothing the model's host said."""
    if isinstance(problem, openai.APITimeoutError):
        return "the language model took too long; try again, or raise GUNITA_LLM_TIMEOUT_SECONDS"
    if begun:
        return BROKE_OFF
    if isinstance(problem, openai.APIConnectionError):
        return "the language model cannot be reached; check that it runs and that GUNITA_LLM_BASE_URL is right"
    if isinstance(problem, openai.AuthenticationError | openai.PermissionDeniedError):
        return "the language model refused the key; check GUNITA_LLM_API_KEY"
    if isinstance(problem, openai.NotFoundError):
        return "the language model's address knows no such model; check GUNITA_LLM_MODEL and GUNITA_LLM_BASE_URL"
    if isinstance(problem, openai.RateLimitError):
        return "the language model is receiving too many requests; wait a little and try again"
    return "the language model could not answer; try again"
