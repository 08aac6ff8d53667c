"""The chat as a blocking caller uses it: one turn whole, or as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TypeVar, assert_never
from uuid import UUID

from gunita.chat import turn
from gunita.chat.llm import Model
from gunita.chat.records import Answering, ChatEvent, ChatReply, ChatRequest, Delta, Finished, Ready, Started
from gunita.chat.turn import House
from gunita.errors import ModelError
from gunita.services import access

Item = TypeVar("Item")


class ChatService:
    """Answers queries with the memory of their conversation."""

    def __init__(self, house: House, model: Model | None) -> None:
        self._house = house
        self._model = model

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
        self, answering: Answering, text: str, *, interrupted: bool = False, error: str | None = None
    ) -> ChatReply:
        """Do everything after the answer."""
        return turn.finish(self._house, answering, text, interrupted=interrupted, error=error)

    def _answer(self, answering: Answering) -> Iterator[ChatEvent]:
        understood = answering.understood
        yield Started(answering.session_id, answering.turn_number, understood.intent, understood.confidence)
        said: list[str] = []
        error: str | None = None
        interrupted = True
        try:
            try:
                for text in self._words(answering):
                    said.append(text)
                    yield Delta(text)
            except ModelError as problem:
                error = str(problem)
                if not said:
                    said.append(answering.answer_from_memory)
                    yield Delta(said[0])
            interrupted = error is not None
        finally:
            reply = self.finish(answering, "".join(said), interrupted=interrupted, error=error)
        yield Finished(reply)

    def _words(self, answering: Answering) -> Iterator[str]:
        if self._model is None:
            return iter([answering.answer_from_memory])
        return blocking(self._model.stream(answering.prompt, answering.receipt.reserve_tokens))


def blocking(items: AsyncIterator[Item]) -> Iterator[Item]:
    """Walk an asynchronous iterator on a loop of its own; stopping early closes it."""
    with asyncio.Runner() as runner:

        async def following() -> Item | None:
            return await anext(items, None)

        while (item := runner.run(following())) is not None:
            yield item
