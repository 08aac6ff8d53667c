"""Whether a statement says that things have changed, so that what was known before no longer holds."""

from __future__ import annotations

from gunita.language.words import words

# Adverbs and verbs of change; closed classes, in English and Filipino.
CHANGED_TEXT = """
    now nowadays anymore longer actually already instead changed switched moved relocated transferred became quit left
    joined stopped started correction resigned gone turned recently
    ngayon dati lumipat umalis nagbitiw nagretiro nag-resign tumigil naging bumalik nagpalit pinalitan ngaun pala
    resign move switch transfer relocate convert
"""
CHANGED = frozenset(CHANGED_TEXT.split())
ALREADY = "na"
SPEAKERS = frozenset({"ako", "kami", "ko", "namin", "aq", "po"})


def is_change(text: str) -> bool:
    """Say whether a text tells of a change: by an adverb or a verb of change, or by Tagalog "na" beside the speaker."""
    tokens = words(text)
    if CHANGED & set(tokens):
        return True
    beside = zip(tokens, [*tokens[1:], ""], strict=True)
    return any(
        (one == ALREADY and other in SPEAKERS) or (other == ALREADY and one in SPEAKERS) for one, other in beside
    )
