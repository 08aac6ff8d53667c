"""What a text is found by: the stems of its words, hashed, with how often each occurs; the same on both engines."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gunita.language.words import (
    FUNCTION_WORDS,
    SHORTEST_STEM,
    WORD,
    english_stem,
    fold,
    tagalog_stems,
)

LONGEST_TEXT_INDEXED = 20_000
"""Characters of a message whose words are indexed."""
MOST_OFTEN = 255
FEW_WORDS = 3

SIGNS_OF_FILIPINO_TEXT = """
    ang ng sa mga ko mo ka ako ba yung nung noong po ito niya siya hindi naman lang kasi ni si nila namin natin
"""
SIGNS_OF_FILIPINO = frozenset(SIGNS_OF_FILIPINO_TEXT.split())
"""Words that stand in nearly every Filipino sentence and in hardly any English one."""

Hashes: TypeAlias = NDArray[np.uint32]
Counts: TypeAlias = NDArray[np.uint8]

_HEAD = struct.Struct("<I?3sI")
SPEAKER_BYTES = 3


@dataclass(frozen=True, slots=True)
class Terms:
    """A text's distinct terms, how often each occurs, and how many words it has."""

    hashes: Hashes
    counts: Counts
    length: int


def terms_of(text: str, *context: str) -> Terms:
    """Read a text, and what is known about it besides (a speaker's name), into its terms."""
    found = words_of(text)
    counted = Counter(hash_of(term) for word in found for term in term_forms(word, filipino=is_filipino(found)))
    length = sum(word not in FUNCTION_WORDS for word in found)
    for known in context:
        counted.update(hash_of(term) for term in query_terms(known))
    hashes = np.fromiter(counted.keys(), np.uint32, len(counted))
    counts = np.fromiter((min(count, MOST_OFTEN) for count in counted.values()), np.uint8, len(counted))
    return Terms(hashes, counts, length)


def query_terms(text: str) -> list[str]:
    """List the terms a query is looked up by, each once."""
    return [term for forms in query_words(text) for term in forms]


def query_words(text: str) -> list[tuple[str, ...]]:
    """List a query's words by their terms, each term once; a few bare words may be of either language."""
    found = words_of(text)
    filipino = is_filipino(found) or len(found) <= FEW_WORDS
    seen: set[str] = set()
    words = []
    for word in found:
        fresh = tuple(term for term in term_forms(word, filipino=filipino) if term not in seen)
        seen.update(fresh)
        if fresh:
            words.append(fresh)
    return words


def words_of(text: str) -> list[str]:
    """Words in order, lower case and without accents; hyphens and apostrophes part them."""
    read = text[:LONGEST_TEXT_INDEXED]
    folded = (read.lower() if read.isascii() else fold(read).replace("’", " ")).replace("'", " ").replace("-", " ")
    return WORD.findall(folded)


def is_filipino(words: Iterable[str]) -> bool:
    return not SIGNS_OF_FILIPINO.isdisjoint(words)


def term_forms(word: str, *, filipino: bool) -> tuple[str, ...]:
    """Give the terms of a word: its English stem and, in Filipino company, its root; none for a function word."""
    if word in FUNCTION_WORDS or (len(word) == 1 and not word.isdigit()):
        return ()
    if len(word) <= SHORTEST_STEM or not word.isalpha():
        return (word,)
    return _forms(word, filipino)


@lru_cache(maxsize=65_536)
def _forms(word: str, filipino: bool) -> tuple[str, ...]:
    stem = english_stem(word)
    if not filipino:
        return (stem,)
    root = filipino_root(word)
    return (stem,) if root == stem else (stem, root)


def filipino_root(word: str) -> str:
    """Take off what can be taken off, and undo what a suffix does to the end of a root (bayar-an, lutu-in)."""
    bare = word[2:] if word[:2] == "ni" and len(word) > SHORTEST_STEM + 2 and word[2:3] in "lrwy" else word
    root = min(tagalog_stems(bare), key=lambda found: (len(found), found))
    if root != bare:
        root = root[:-1] + {"r": "d", "u": "o"}.get(root[-1], root[-1])
    return root


def hash_of(term: str) -> int:
    return zlib.crc32(term.encode())


def speaker_code(name: str = "") -> int:
    """Say a speaker's name as a number that a query's terms can be compared with; 0 for one that no query can call."""
    return next((called_code(term) for term in query_terms(name)), 0)


def called_code(term: str) -> int:
    return hash_of(term) & 0xFF_FFFF


def pack(terms: Terms, *, is_named: bool = False, speaker: int = 0) -> bytes:
    """Write terms for the database, with whether their speaker has a name, and which."""
    head = _HEAD.pack(terms.length, is_named, speaker.to_bytes(SPEAKER_BYTES, "little"), len(terms.hashes))
    return head + terms.hashes.tobytes() + terms.counts.tobytes()


def unpack(packed: bytes) -> tuple[Terms, bool, int]:
    length, is_named, speaker, distinct = _HEAD.unpack_from(packed)
    middle = _HEAD.size + 4 * distinct
    hashes = np.frombuffer(packed, np.uint32, distinct, _HEAD.size)
    counts = np.frombuffer(packed, np.uint8, distinct, middle)
    return Terms(hashes, counts, length), is_named, int.from_bytes(speaker, "little")
