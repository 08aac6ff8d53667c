"""Parts a long message into pieces that one vector each can stand for."""

from __future__ import annotations

import re

LONGEST_PIECE = 700
"""Characters of one piece; about what the encoder reads at once."""
MOST_PIECES = 4
_BREAK = re.compile(r"(?<=[.!?…\n])\s+")


def pieces_of(text: str) -> list[str]:
    """Gather whole sentences up to a piece's length; what follows the last piece is found by its words alone."""
    pieces: list[str] = []
    current = ""
    for sentence in _BREAK.split(text[: 4 * MOST_PIECES * LONGEST_PIECE]):
        if current and len(current) + len(sentence) > LONGEST_PIECE:
            pieces.append(current)
            current = ""
            if len(pieces) == MOST_PIECES:
                return pieces
        current = f"{current} {sentence}".strip()
    return [*pieces, current] if current else pieces or [text[:LONGEST_PIECE]]
