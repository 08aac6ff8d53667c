"""The part of a text where it matches, with the matching words marked."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import accumulate

from gunita.language.words import WORD
from gunita.recall.terms import SIGNS_OF_FILIPINO, term_forms, words_of

OPEN, CLOSE = "⟦", "⟧"
"""What stands around a match: characters that a message hardly ever holds, easily turned into any markup."""
LONGEST_SNIPPET = 240
LONGEST_TEXT_SEARCHED = 6_000


def snippet(text: str, wanted: Collection[str]) -> str:
    """Cut the stretch with the most matches out of a text and mark them."""
    text = text[:LONGEST_TEXT_SEARCHED]
    places = _matches(text, wanted)
    start = _densest(places, len(text))
    end = min(len(text), start + LONGEST_SNIPPET)
    start, end = _at_words(text, start, end)
    inside = [(first, last) for first, last in places if start <= first and last <= end]
    marked = "".join(
        text[before:first] + OPEN + text[first:last] + CLOSE
        for before, (first, last) in zip((start, *(last for _, last in inside)), inside, strict=False)
    )
    tail = text[inside[-1][1] if inside else start : end]
    return " ".join(f"{'… ' if start > 0 else ''}{marked}{tail}{' …' if end < len(text) else ''}".split())


def _matches(text: str, wanted: Collection[str]) -> list[tuple[int, int]]:
    """Find where the words stand whose terms are wanted."""
    sought = frozenset(wanted)
    filipino = any(sign in SIGNS_OF_FILIPINO for sign in text[:LONGEST_SNIPPET].lower().split())
    return [
        word.span() for word in WORD.finditer(text) if not sought.isdisjoint(_terms(word.group().lower(), filipino))
    ]


@lru_cache(16_384)
def _terms(word: str, filipino: bool) -> frozenset[str]:
    return frozenset(term for part in words_of(word) for term in term_forms(part, filipino=filipino))


def _densest(places: list[tuple[int, int]], length: int) -> int:
    """Choose where to begin: a little before the stretch that holds the most matches."""
    if not places or length <= LONGEST_SNIPPET:
        return 0
    best, most = places[0][0], 0
    ends = [last for _, last in places]
    counts = accumulate(1 for _ in places)
    for (first, _), passed in zip(places, counts, strict=True):
        held = sum(1 for end in ends[passed - 1 :] if end <= first + LONGEST_SNIPPET - 40)
        if held > most:
            best, most = first, held
    return max(0, min(best - 30, length - LONGEST_SNIPPET))


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the ends of a cut to spaces, where there are some near."""
    if start > 0 and (space := text.find(" ", start, start + 30)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", end - 30, end)) > start:
        end = space
    return start, end
