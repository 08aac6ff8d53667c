"""DSPy as a condenser: a program that folds notes, run over the configured model; optimised ones take its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gunita.chat.condensing_model import INSTRUCTION_TOKENS, TASK, WORDS_A_TOKEN, pieces
from gunita.context.prompt import quoted
from gunita.errors import MissingExtraError, ModelError, ValidationError
from gunita.language.condense import Said
from gunita.language.keywords import key_topics
from gunita.language.tokens import Tokens
from gunita.models import Summary
from gunita.settings import Settings

METHOD = "dspy"
SIGNATURE = "notes: str, since: str, most_words: int -> folded: str"


class DSPyCondenser:
    """Folds with a DSPy program of the signature `notes, since, most_words -> folded`."""

    def __init__(self, settings: Settings, program: Any = None) -> None:
        try:
            import dspy
        except ImportError as missing:
            raise MissingExtraError("condensing with DSPy", "dspy") from missing
        if settings.llm_base_url is None:
            raise ValidationError("condenser", "'dspy' works over a language model; set GUNITA_LLM_BASE_URL as well")
        self._dspy = dspy
        self._program = program or dspy.Predict(dspy.Signature(SIGNATURE, TASK.format(words="`most_words`")))
        self._context_tokens = settings.model_context_tokens
        self._model = dspy.LM(
            f"openai/{settings.llm_model}",
            api_base=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            timeout=settings.llm_timeout_seconds,
            num_retries=settings.llm_retries,
            # Its own memory would keep what users said in a file that nobody cleans up.
            cache=False,
        )

    def condense(self, previous_summary: str | None, messages: Sequence[Said], budget_tokens: int) -> Summary:
        """Fold a stretch at a time; what goes wrong is a ModelError."""
        meter = Tokens()
        room = max(self._context_tokens - 2 * budget_tokens - INSTRUCTION_TOKENS, budget_tokens)
        notes = previous_summary or ""
        for piece in pieces(messages, room, meter):
            notes = self._folded(notes, piece, budget_tokens)
        content = meter.head(notes, budget_tokens).strip()
        return Summary(content, key_topics([content], [0]), METHOD, meter.count(content))

    def _folded(self, notes: str, lines: Sequence[str], budget_tokens: int) -> str:
        most_words = int(budget_tokens * WORDS_A_TOKEN)
        try:
            with self._dspy.context(lm=self._model):
                made = self._program(notes=quoted(notes), since="\n".join(lines), most_words=most_words)
        except self._dspy.DSPyError as problem:
            raise ModelError(f"DSPy did not fold the conversation: {type(problem).__name__}") from problem
        folded = str(made.folded or "").strip()
        if not folded:
            raise ModelError("DSPy folded the conversation into nothing")
        return folded
