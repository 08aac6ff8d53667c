"""Which condenser the settings want beside the configured model, and what happens when it fails."""

from __future__ import annotations

import logging
from typing import assert_never

from gunita.errors import ModelError
from gunita.language.condense import Condenser, ExtractiveCondenser, TruncatingCondenser
from gunita.models import Summary
from gunita.services import condensing
from gunita.services.condensing import Fold
from gunita.settings import Condensing, Settings

_log = logging.getLogger("gunita.chat")


def condenser_from(settings: Settings) -> Condenser:
    """Make the condenser that folds without the configured model, or where that fails."""
    match settings.condenser:
        case Condensing.MODEL | Condensing.EXTRACTIVE:
            return ExtractiveCondenser()
        case Condensing.TRUNCATION:
            return TruncatingCondenser()
        case Condensing.DSPY:
            from gunita.chat.condensing_dspy import DSPyCondenser  # a large library, which only those who want it load

            return DSPyCondenser(settings)
        case _:
            assert_never(settings.condenser)


def condensed(condenser: Condenser, due: Fold) -> Summary:
    """Fold; where a model is behind the condenser and does not answer, the sentences that say most are taken."""
    try:
        return condenser.condense(due.previous, due.said, due.budget_tokens)
    except ModelError as problem:
        _log.warning("conversation %s was folded without a model: %s", str(due.conversation_id)[:8], problem)
        return condensing.extracted(due)
