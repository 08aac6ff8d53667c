"""Begins answers, finds those on their way, and does what is due when they are given."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias
from uuid import UUID

from gunita.aio import AsyncGunita
from gunita.chat.condensing_model import summarised
from gunita.chat.records import Answering, ChatReply, ChatRequest, Closed, Ready
from gunita.chat.speech import Speech
from gunita.models import Scope
from gunita.server.streams import Answer, GivenAnswer, Place, RunningAnswer
from gunita.settings import Condensing

_log = logging.getLogger("gunita.server")

Key: TypeAlias = tuple[Scope, str | None, str]
"""Whose request it is, and its id."""


class Answers:
    """Every answer this process is giving; nothing here outlives it that the database does not hold too."""

    def __init__(
        self, grace_seconds: float, turns_at_once: int, told: Callable[[ChatReply], None] = lambda _: None
    ) -> None:
        self._told = told
        self._grace_seconds = grace_seconds
        # Understanding is work for processors: more threads than these would only take turns at being interrupted.
        self._room = asyncio.Semaphore(turns_at_once)
        self._running: dict[Place, RunningAnswer] = {}
        self._requests: dict[Key, asyncio.Task[Answer]] = {}
        self._folding: set[tuple[str | None, UUID]] = set()
        self._background: set[asyncio.Task[None]] = set()

    async def begin(self, gunita: AsyncGunita, request: ChatRequest) -> Answer:
        """Begin an answer, or join the one that the same request began."""
        if request.request_id is None:
            return await self._begin(gunita, request)
        key = (gunita.scope, request.user_id, request.request_id)
        task = self._requests.get(key)
        if task is None:
            task = self._requests[key] = asyncio.create_task(self._begin(gunita, request))
            task.add_done_callback(lambda done: self._begun(key, done))
        # One who leaves takes nothing away from the others.
        return await asyncio.shield(task)

    async def find(self, gunita: AsyncGunita, session_id: UUID, turn_number: int) -> Answer:
        """Find an answer on its way or given, as far as the scope reaches."""
        running = self._running.get((gunita.scope.tenant_id, session_id, turn_number))
        if running is not None and gunita.scope.user_id in {None, running.user_id}:
            return running
        return GivenAnswer(await gunita.chat.kept_reply(session_id, turn_number))

    async def stop_all(self) -> None:
        """Keep what was said so far, and finish what is due."""
        await asyncio.gather(*(answer.stop() for answer in list(self._running.values())), return_exceptions=True)
        while self._background:
            await asyncio.gather(*self._background, return_exceptions=True)

    async def settled(self) -> None:
        """Wait until nothing is due any more."""
        while self._background:
            await asyncio.gather(*self._background)

    async def _begin(self, gunita: AsyncGunita, request: ChatRequest) -> Answer:
        if gunita.model is None:
            # One hop into the pool for the whole turn: there is nothing to wait for in between.
            async with self._room:
                closed = await gunita.chat.from_memory(request)
            return GivenAnswer(self._given(gunita, closed))
        async with self._room:
            begun = await gunita.chat.begin(request)
        if isinstance(begun, Ready):
            self._told(begun.reply)
            return GivenAnswer(begun.reply)
        return self._speaking(gunita, begun)

    def _speaking(self, gunita: AsyncGunita, answering: Answering) -> RunningAnswer:
        async def finish(speech: Speech) -> ChatReply:
            closed = await gunita.chat.finish(
                answering,
                speech.text,
                interrupted=not speech.complete,
                error=speech.error,
                tool_calls=speech.tool_calls,
            )
            return self._given(gunita, closed)

        answer = RunningAnswer(answering, gunita.model, finish, self._grace_seconds)
        place = (gunita.scope.tenant_id, answering.session_id, answering.turn_number)
        self._running[place] = answer
        answer.whole.add_done_callback(lambda _: self._running.pop(place, None))
        return answer

    def _given(self, gunita: AsyncGunita, closed: Closed) -> ChatReply:
        self._told(closed.reply)
        if closed.wants_follow_up:
            self._later(self._follow_up(gunita, closed.reply))
        return closed.reply

    def _begun(self, key: Key, task: asyncio.Task[Answer]) -> None:
        """Forget a request when it failed or its answer is whole; from then on the database knows it."""
        if task.cancelled() or task.exception() is not None or isinstance(task.result(), GivenAnswer):
            self._requests.pop(key, None)
            return
        answer = task.result()
        assert isinstance(answer, RunningAnswer)
        answer.whole.add_done_callback(lambda _: self._requests.pop(key, None))

    async def _follow_up(self, gunita: AsyncGunita, reply: ChatReply) -> None:
        """Title the conversation and fold what has grown too long; one at a time for a conversation."""
        conversation = (gunita.scope.tenant_id, reply.session_id)
        if conversation in self._folding:
            return
        self._folding.add(conversation)
        try:
            due = await gunita.chat.after_answer(reply.session_id)
            if due is None:
                return
            model = gunita.model if gunita.settings.condenser is Condensing.MODEL else None
            summary = await summarised(model, due, gunita.settings.model_context_tokens) if model else None
            await gunita.chat.keep_summary(due, summary)
        finally:
            self._folding.discard(conversation)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            # The answer is given and kept; what was due now is due again after the next turn.
            _log.warning("what was due after an answer failed: %s", type(problem).__name__, exc_info=problem)
