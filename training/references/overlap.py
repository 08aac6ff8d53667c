"""Says whether two phrases share a content word, across inflections of English, Tagalog, Cebuano and Spanish."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

_STOPWORDS = frozenset((Path(__file__).parent / "function_words.txt").read_text(encoding="utf-8").split())
_WORD = re.compile(r"[^\W_]+(?:['\-][^\W_]+)*")
_SHORTEST_STEM = 4
_SHARED_PREFIX = 5


def fold(text: str) -> str:
    """Lowercases the text and drops its accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """Gives the words of a text that carry meaning, hyphenated ones also in their parts."""
    words: set[str] = set()
    for match in _WORD.findall(fold(text)):
        parts = [match.replace("'", ""), *re.split(r"['\-]", match)]
        words.update(part for part in parts if part not in _STOPWORDS and (len(part) > 1 or part.isdigit()))
    return frozenset(words)


def same_stem(left: str, right: str) -> bool:
    """Says whether two words look like forms of one word (equal, one inside the other, or a long common beginning)."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(short) < _SHORTEST_STEM or short.isdigit():
        return False
    return short in long or (short[:_SHARED_PREFIX] == long[:_SHARED_PREFIX] and len(short) >= _SHARED_PREFIX)


def shared_words(phrase: str, text: str) -> frozenset[str]:
    """Gives the content words of the phrase that also occur, in some form, in the text."""
    theirs = content_words(text)
    return frozenset(
        word for word in content_words(phrase) if word in theirs or any(same_stem(word, w) for w in theirs)
    )
