"""Answers on their way: each is spoken once, whoever listens, leaves or comes back meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from gunita.chat.llm import Model
from gunita.chat.records import Answering, ChatEvent, ChatReply, Delta, Finished, Started
from gunita.chat.speech import Speech
from gunita.server.problems import INTERNAL, Problem

KEEPALIVE_SECONDS = 15.0
"""How long a listener may hear nothing before a sign of life is sent."""
MODEL_FAILED = "the language model could not answer; try again"

_log = logging.getLogger("gunita.server")

Finish: TypeAlias = Callable[[Speech], Awaitable[ChatReply]]
"""Closes a turn with what was said."""
Numbered: TypeAlias = tuple[int, ChatEvent]


class GivenAnswer:
    """An answer that is there already, told as if it were spoken."""

    def __init__(self, reply: ChatReply) -> None:
        self._reply = reply
        self.session_id = reply.session_id

    @property
    def prompt_tokens(self) -> int | None:
        return None

    async def reply(self) -> ChatReply:
        return self._reply

    async def stop(self) -> ChatReply:
        return self._reply

    async def listen(self, after: int = 0) -> AsyncIterator[Numbered | None]:
        reply = self._reply
        started = Started(reply.session_id, reply.turn_number, reply.intent, reply.confidence)
        events: list[ChatEvent] = [started, Delta(reply.message), Finished(reply)]
        for number, event in enumerate(events, 1):
            if number > after or isinstance(event, Finished):
                yield number, event


class RunningAnswer:
    """An answer that a model is speaking; it goes on for a while when nobody listens, then is kept as it is."""

    def __init__(self, answering: Answering, model: Model | None, finish: Finish, grace_seconds: float) -> None:
        self.session_id, self.turn_number = answering.session_id, answering.turn_number
        self.user_id = answering.user_id
        self.prompt_tokens: int | None = answering.receipt.prompt_tokens
        understood = answering.understood
        self._events: list[ChatEvent] = [
            Started(self.session_id, self.turn_number, understood.intent, understood.confidence)
        ]
        self._news = asyncio.Event()
        self._speech = Speech(answering, model)
        self._finish = finish
        self._grace_seconds = grace_seconds
        self._listeners = 0
        self._alone: asyncio.TimerHandle | None = None
        self._speaking = asyncio.create_task(self._speak())
        self.whole = asyncio.create_task(self._complete())
        self.whole.add_done_callback(lambda _: self._wake())
        self._wait_for_somebody()

    async def reply(self) -> ChatReply:
        """Wait for the whole answer."""
        self._arrive()
        try:
            return await asyncio.shield(self.whole)
        finally:
            self._leave()

    async def stop(self) -> ChatReply:
        """Stop speaking; what was said so far is kept, marked interrupted."""
        self._speaking.cancel()
        return await asyncio.shield(self.whole)

    async def listen(self, after: int = 0) -> AsyncIterator[Numbered | None]:
        """Follow the answer from behind an event; None is a sign of life while nothing is said."""
        self._arrive()
        try:
            place = after if after <= len(self._events) else 0
            while True:
                news = self._news
                while place < len(self._events):
                    place += 1
                    yield place, self._events[place - 1]
                if self.whole.done():
                    break
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):
                        await news.wait()
                except TimeoutError:
                    yield None
            if not isinstance(self._events[-1], Finished):
                raise Problem(500, "internal_error", INTERNAL)
        finally:
            self._leave()

    async def _speak(self) -> None:
        async for text in self._speech.words():
            self._say(Delta(text))

    async def _complete(self) -> ChatReply:
        await asyncio.wait({self._speaking})
        speech = self._speech
        if not self._speaking.cancelled() and (bug := self._speaking.exception()):
            _log.error("an answer failed in an unknown way", exc_info=bug)
            speech.error = MODEL_FAILED
        reply = await self._finish(speech)
        self._say(Finished(reply))
        return reply

    def _say(self, event: ChatEvent) -> None:
        self._events.append(event)
        self._wake()

    def _wake(self) -> None:
        heard, self._news = self._news, asyncio.Event()
        heard.set()

    def _arrive(self) -> None:
        self._listeners += 1
        if self._alone is not None:
            self._alone.cancel()
            self._alone = None

    def _leave(self) -> None:
        self._listeners -= 1
        if self._listeners == 0:
            self._wait_for_somebody()

    def _wait_for_somebody(self) -> None:
        if not self.whole.done():
            self._alone = asyncio.get_running_loop().call_later(self._grace_seconds, self._speaking.cancel)


Answer: TypeAlias = RunningAnswer | GivenAnswer

Place: TypeAlias = tuple[str | None, UUID, int]
"""Tenant, conversation, turn."""
