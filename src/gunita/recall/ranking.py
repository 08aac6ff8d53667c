"""Ranks texts by the words they share with a query, weighed by how rare a word is among them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from gunita.language.remembered import remembering
from gunita.language.words import content_words, stems
from gunita.models import Turn

SHORT = 600
"""Characters up to which a text's stems are kept: the same few memories are weighed at every turn."""


def best_turns(turns: Sequence[Turn], query: str, limit: int) -> list[Turn]:
    """Choose the turns that share the most with a query, leaving out those that share nothing."""
    scores = shared_words(query, [f"{turn.query_text} {turn.response_text}" for turn in turns])
    order = sorted((i for i in range(len(turns)) if scores[i] > 0), key=lambda i: (-scores[i], -turns[i].turn_number))
    return [turns[i] for i in order[:limit]]


def shared_words(query: str, texts: Sequence[str]) -> list[float]:
    """Score each text by the rarity of the query's words it holds, as a share of what it could hold, in 0..1."""
    wanted = [stems(word) for word in dict.fromkeys(content_words(query))]
    held = [_short_forms(text) if len(text) <= SHORT else forms_of(text) for text in texts]
    common = Counter(i for forms in held for i, stem in enumerate(wanted) if stem & forms)
    weights = [math.log(1 + len(texts) / (1 + common[i])) for i in range(len(wanted))]
    whole = sum(weights)
    if whole == 0:
        return [0.0] * len(texts)
    return [sum(w for w, stem in zip(weights, wanted, strict=True) if stem & forms) / whole for forms in held]


def forms_of(text: str) -> frozenset[str]:
    """Give the stems of a text's content words."""
    return frozenset(stem for word in content_words(text) for stem in stems(word))


_short_forms = remembering(8_192)(forms_of)
