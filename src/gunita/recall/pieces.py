"""Parts a message into pieces that one vector each can stand for."""

from __future__ import annotations

import re

BEGINNING = 700
"""Characters of the first piece, where a long answer says what it is about."""
SHORT_TEXT = 1_200
"""Characters up to which a text is also read in parts: what people say of themselves often stands in an aside."""
PART = 260
MOST_PARTS = 5
_BREAK = re.compile(r"(?<=[.!?…\n])\s+")


def pieces_of(text: str) -> list[str]:
    """Give a text's beginning and, of one that is not long, its parts."""
    parts = _gathered(_BREAK.split(text), PART)[:MOST_PARTS] if len(text) <= SHORT_TEXT else []
    return [text[:BEGINNING], *(parts if len(parts) > 1 else [])]


def _gathered(sentences: list[str], size: int) -> list[str]:
    """Put sentences together up to a size."""
    gathered: list[str] = []
    for sentence in sentences:
        if gathered and len(gathered[-1]) + len(sentence) <= size:
            gathered[-1] += f" {sentence}"
        elif sentence:
            gathered.append(sentence)
    return gathered
