"""An answer while it is spoken: by the model, or from memory where there is none or it fails before its first word."""

from __future__ import annotations

from collections.abc import AsyncIterator

from gunita.chat.llm import Model
from gunita.chat.records import Answering
from gunita.errors import ModelError

SAID_NOTHING = "the language model gave an empty answer; try again, or look at its own logs"


class Speech:
    """What was said so far, what went wrong, and whether it was said to the end."""

    def __init__(self, answering: Answering, model: Model | None) -> None:
        self._answering = answering
        self._model = model
        self._said: list[str] = []
        self.error: str | None = None
        self.complete = False

    @property
    def text(self) -> str:
        return "".join(self._said)

    async def words(self) -> AsyncIterator[str]:
        """Speak piece by piece; leaving the iteration stops the model and leaves the answer incomplete."""
        try:
            async for text in self._spoken():
                self._said.append(text)
                yield text
        except ModelError as problem:
            self.error = str(problem)
            if self._said:
                return
            self._said.append(self._answering.answer_from_memory)
            yield self._answering.answer_from_memory
        self.complete = True

    async def _spoken(self) -> AsyncIterator[str]:
        if self._model is None:
            yield self._answering.answer_from_memory
            return
        async for text in self._model.stream(self._answering.prompt, self._answering.receipt.reserve_tokens):
            yield text
        if not self.text.strip():
            raise ModelError(SAID_NOTHING)
