"""The chat as a blocking caller uses it: one turn whole, or as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar, assert_never
from uuid import UUID

from gunita.chat import opening, turn
from gunita.chat.condensers import condensed, condenser_from
from gunita.chat.condensing_model import summarised
from gunita.chat.llm import Model
from gunita.chat.opening import House
from gunita.chat.records import Answering, ChatEvent, ChatReply, ChatRequest, Closed, Delta, Finished, Ready, Started
from gunita.chat.speech import Speech
from gunita.errors import StorageUnavailableError
from gunita.language.condense import Condenser
from gunita.models import JsonObject, Summary
from gunita.services import access, condensing
from gunita.services.condensing import Fold
from gunita.settings import Condensing

Item = TypeVar("Item")


class ChatService:
    """Answers queries with the memory of their conversation."""

    def __init__(self, house: House, model: Model | None, condenser: Condenser | None = None) -> None:
        self._house = house
        self._model = model
        self._condenser = condenser or condenser_from(house.door.settings)

    def reply(
        self,
        query: str,
        user_id: str | None = None,
        session_id: UUID | str | None = None,
        *,
        request_id: str | None = None,
        choice: int | None = None,
    ) -> ChatReply:
        """Answer a query and keep the turn."""
        events = self.stream(query, user_id, session_id, request_id=request_id, choice=choice)
        *_, last = events
        assert isinstance(last, Finished)
        return last.reply

    def stream(
        self,
        query: str,
        user_id: str | None = None,
        session_id: UUID | str | None = None,
        *,
        request_id: str | None = None,
        choice: int | None = None,
    ) -> Iterator[ChatEvent]:
        """Answer a query piece by piece; a caller who stops listening leaves the turn marked interrupted."""
        wanted = None if session_id is None else access.identifier("session_id", session_id)
        begun = self.begin(ChatRequest(query, user_id, wanted, request_id, choice))
        match begun:
            case Ready():
                yield Finished(begun.reply)
            case Answering():
                yield from self._answer(begun)
            case _:
                assert_never(begun)

    def begin(self, request: ChatRequest) -> Answering | Ready:
        """Do everything up to the answer."""
        return turn.begin(self._house, request)

    def finish(
        self,
        answering: Answering,
        text: str,
        *,
        interrupted: bool = False,
        error: str | None = None,
        tool_calls: Sequence[JsonObject] = (),
    ) -> Closed:
        """Do everything after the answer."""
        return turn.finish(self._house, answering, text, interrupted=interrupted, error=error, tool_calls=tool_calls)

    def kept_reply(self, session_id: UUID | str, turn_number: int) -> ChatReply:
        """Give the reply of a turn that was answered before."""
        wanted = access.identifier("session_id", session_id)
        return opening.kept_reply(self._house, wanted, access.turn_number("turn_number", turn_number))

    def from_memory(self, request: ChatRequest) -> Closed:
        """Do a whole turn without a model."""
        begun = self.begin(request)
        if isinstance(begun, Ready):
            return Closed(begun.reply, wants_follow_up=False)
        return self.finish(begun, begun.answer_from_memory)

    def follow_up(self, session_id: UUID) -> Summary | None:
        """Do what may wait until the answer is given: a title, and a summary of what has grown too long."""
        due = self.after_answer(session_id)
        if due is None:
            return None
        return self.keep_summary(due, asyncio.run(self._told_by_model(due)))

    def after_answer(self, session_id: UUID) -> Fold | None:
        """Title the conversation, and say what wants folding into its summary."""
        return turn.follow_up(self._house, session_id)

    def keep_summary(self, due: Fold, summary: Summary | None) -> Summary:
        """Keep a summary that the model wrote, or where there is none, one that the condenser makes."""
        return condensing.keep(self._house.door, due, summary or condensed(self._condenser, due))

    async def _told_by_model(self, due: Fold) -> Summary | None:
        if self._model is None or self._house.door.settings.condenser is not Condensing.MODEL:
            return None
        return await summarised(self._model, due, self._house.door.settings.model_context_tokens)

    def _answer(self, answering: Answering) -> Iterator[ChatEvent]:
        understood = answering.understood
        meant = tuple(turn.turn_number for turn in understood.referenced)
        yield Started(answering.session_id, answering.turn_number, understood.intent, understood.confidence, meant)
        speech = Speech(answering, self._model)
        try:
            for text in blocking(speech.words()):
                yield Delta(text)
        finally:
            closed = self.finish(answering, speech.text, interrupted=not speech.complete, error=speech.error)
        if closed.wants_follow_up:
            # The answer is kept; what was due now is due again after the next turn.
            with suppress(StorageUnavailableError):
                self.follow_up(answering.session_id)
        yield Finished(closed.reply)


def blocking(items: AsyncIterator[Item]) -> Iterator[Item]:
    """Walk an asynchronous iterator on a loop of its own; stopping early closes it."""
    with asyncio.Runner() as runner:

        async def following() -> Item | None:
            return await anext(items, None)

        try:
            while (item := runner.run(following())) is not None:
                yield item
        except asyncio.CancelledError as cancelled:
            # A runner forgets a Ctrl-C that comes in the moment it begins, and says only that it was cancelled.
            raise KeyboardInterrupt from cancelled
