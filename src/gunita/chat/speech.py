"""An answer while it is spoken: by the model, or from memory where there is none or it fails before its first word."""

from __future__ import annotations

from collections.abc import AsyncIterator

from gunita.chat.llm import Model, ToolCalls, ToolModel
from gunita.chat.records import Answering
from gunita.errors import ModelError
from gunita.models import JsonObject

SAID_NOTHING = "the language model gave an empty answer; try again, or look at its own logs"


class Speech:
    """What was said so far, what went wrong, and whether it was said to the end."""

    def __init__(self, answering: Answering, model: Model | None) -> None:
        self._answering = answering
        self._model = model
        self._said: list[str] = []
        self.error: str | None = None
        self.tool_calls: tuple[JsonObject, ...] = ()
        self.complete = False

    @property
    def text(self) -> str:
        return "".join(self._said)

    async def words(self) -> AsyncIterator[str]:
        """Speak piece by piece; leaving the iteration stops the model and leaves the answer incomplete."""
        try:
            async for said in self._spoken():
                if isinstance(said, ToolCalls):
                    self.tool_calls = said.calls
                    continue
                self._said.append(said)
                yield said
        except ModelError as problem:
            self.error = str(problem)
            if self._said:
                return
            self._said.append(self._answering.answer_from_memory)
            yield self._answering.answer_from_memory
        self.complete = True

    async def _spoken(self) -> AsyncIterator[str | ToolCalls]:
        answering, model = self._answering, self._model
        if model is None:
            yield answering.answer_from_memory
            return
        tools, room = answering.request.tools, answering.receipt.reserve_tokens
        silent = True
        if tools is not None and isinstance(model, ToolModel):
            async for said in model.stream_with_tools([*answering.prompt, *tools.since], room, tools.offered):
                silent = silent and isinstance(said, str) and not said.strip()
                yield said
        else:
            async for text in model.stream(answering.prompt, room):
                silent = silent and not text.strip()
                yield text
        if silent:
            raise ModelError(SAID_NOTHING)
