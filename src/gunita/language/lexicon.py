"""Which words name the same thing in English, Tagalog, Cebuano and Spanish: "squid", "pusit", "nukos", "calamar".

What takes two or three words in one language is one word here: "face mask" is looked up as "facemask".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gunita.language.words import content_words, stems, words

Number = TypeVar("Number", np.uint32, np.uint16)

LEXICON_FILE = "lexicon.npz"
NOTHING: frozenset[int] = frozenset()
LONGEST_PHRASE = 3
"""Words that may name one thing together: "ibang bansa", "mother in law"."""
ALTERNATING = str.maketrans("oe", "ui")
"""Vowels that change places as spelling and endings have it: tulog and matutulugan, lalake and lalaki."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """For each word the numbers of the things it may name; words stand as their check sums, a tenth of their size."""

    words: NDArray[np.uint32]
    """In ascending order."""
    starts: NDArray[np.uint32]
    """Where each word's things begin, and after the last word where they end."""
    things: NDArray[np.uint16]

    @classmethod
    def of(cls, stored: Mapping[str, NDArray[Any]]) -> Lexicon:
        """Reads what `stored` wrote."""
        words = np.cumsum(whole(stored["steps"], np.uint32), dtype=np.uint32)
        starts = np.concatenate([[0], np.cumsum(stored["counts"])]).astype(np.uint32)
        return cls(words, starts, whole(stored["things"], np.uint16))

    def stored(self) -> dict[str, NDArray[Any]]:
        """A form that packs well: steps from word to word, and numbers parted into their bytes."""
        steps = np.diff(self.words, prepend=np.uint32(0))
        return {"steps": parted(steps), "counts": np.diff(self.starts).astype(np.uint8), "things": parted(self.things)}

    def named_by(self, word: str) -> frozenset[int]:
        """The things a word may name: its own, or else those of its stems."""
        own, *of_stems = self._own([word, *stems(word)])
        return own or frozenset().union(*of_stems)

    def named_by_phrases(self, said: Sequence[str]) -> Iterator[tuple[Sequence[str], frozenset[int]]]:
        """Neighbouring words of a text that name a thing together, and the things."""
        phrases = [
            said[at : at + length]
            for length in range(2, LONGEST_PHRASE + 1)
            for at in range(len(said) - length + 1)
        ]  # fmt: skip
        found = self._own(["".join(phrase) for phrase in phrases])
        return ((phrase, things) for phrase, things in zip(phrases, found, strict=True) if things)

    def _own(self, sought: Sequence[str]) -> list[frozenset[int]]:
        """For each word the things of its own line."""
        sums = np.array([check_sum(word) for word in sought], np.uint32)
        places = np.minimum(np.searchsorted(self.words, sums), len(self.words) - 1)
        known = self.words[places] == sums
        return [self._things(at) if there else NOTHING for at, there in zip(places, known, strict=True)]

    def _things(self, at: int) -> frozenset[int]:
        return frozenset(self.things[self.starts[at] : self.starts[at + 1]].tolist())


def things_named(text: str) -> dict[str, frozenset[int]]:
    """For each word of a text that can name a topic, the things it may name, alone or with the words beside it."""
    found = {word: senses(word) for word in content_words(text)}
    for phrase, things in shipped_lexicon().named_by_phrases(words(text)):
        for word in found.keys() & set(phrase):
            found[word] |= things
    return found


@lru_cache(maxsize=16_384)
def senses(word: str) -> frozenset[int]:
    """The things a word may name, by their numbers."""
    return shipped_lexicon().named_by(word)


def check_sum(word: str) -> int:
    return zlib.crc32(word.translate(ALTERNATING).encode())


@cache
def shipped_lexicon() -> Lexicon:
    """The lexicon that ships with the model, read once."""
    file = resources.files("gunita.language") / "model" / LEXICON_FILE
    with resources.as_file(file) as path, np.load(path) as stored:
        return Lexicon.of(stored)


def parted(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """All the lowest bytes, then all the next."""
    return np.ascontiguousarray(numbers.view(np.uint8).reshape(len(numbers), -1).T)


def whole(parts: NDArray[np.uint8], kind: type[Number]) -> NDArray[Number]:
    return np.ascontiguousarray(parts.T).view(kind)[:, 0]
