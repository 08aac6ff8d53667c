"""How much each sentence of a conversation says: centrality, rarity, names, numbers, decisions, who said it, where."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gunita.language.keywords import TALK
from gunita.language.words import FUNCTION_WORDS
from gunita.models import Role

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
ACCENTS = re.compile(r"[\u0300-\u036f]+")
NUMBER = re.compile(r"\d")
NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w’'\-]+")
"""A capital inside a sentence; the first word of a sentence proves nothing."""

# Closed classes: the words with which a speaker talks of himself, and those with which something is settled.
FIRST_PERSON_TEXT = """
    i i'm i've i'd i'll im ive my mine me we our us ako ko akin aking kami namin amin tayo natin atin ko'y
"""
FIRST_PERSON = frozenset(FIRST_PERSON_TEXT.split())
DECISION_TEXT = """
    decided decide decision agreed agree chose chosen choose settled confirmed confirm booked book scheduled deadline
    final plan will must need should prefer instead deal promised remember important
    napagdesisyunan desidido nagdesisyon pinili pipiliin napili gagawin bibilhin kukunin itutuloy tuloy kailangan dapat
    sigurado tandaan mahalaga usapan napagkasunduan pumayag plano balak
    """
DECISION = frozenset(DECISION_TEXT.split())
EMPTY = FUNCTION_WORDS | TALK

WEIGHTS = {
    "centrality": 1.0,
    "rarity": 0.5,
    "names": 0.5,
    "numbers": 0.45,
    "decision": 0.3,
    "about_self": 0.9,
    "user": 0.3,
    "opening": 0.25,
    "asked_by_assistant": -1.0,
    "question": -0.2,
    "heading": -1.0,
    "length": 0.5,
}
SIGNS = tuple(name for name in WEIGHTS if name not in {"centrality", "rarity", "length"})
GOOD_LENGTH = (6, 30)
"""Words of a sentence that stands on its own and is not yet a paragraph."""


LEAST_CONTENT, LEAST_WORDS = 2, 4
"""Under this a sentence is a nod, a laugh or a heading."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, who said it, and the place of its message in the conversation."""

    text: str
    role: Role | None
    message: int
    is_opening: bool = False
    """It begins its message."""


@dataclass(frozen=True, slots=True)
class Bag:
    """The content words of all sentences, flat: word numbers, the sentence each stands in, and its weight there."""

    word: Integers
    sentence: Integers
    weight: Floats
    idf: Floats
    sentences: int

    @property
    def words(self) -> int:
        return len(self.idf)


def read(sentences: Sequence[Sentence]) -> tuple[list[list[str]], Bag]:
    """Read the words of every sentence and weigh the content words, each sentence to length one."""
    spoken = [WORD.findall(lowered(sentence.text)) for sentence in sentences]
    content = [
        [word for word in dict.fromkeys(words) if (len(word) > 1 or word.isdigit()) and word not in EMPTY]
        for words in spoken
    ]
    numbers: dict[str, int] = {}
    for word in chain.from_iterable(content):
        numbers.setdefault(word, len(numbers))
    flat = np.fromiter((numbers[word] for words in content for word in words), dtype=np.int64)
    place = np.repeat(np.arange(len(content)), [len(words) for words in content])
    held = np.bincount(flat, minlength=len(numbers))
    idf = np.log1p(len(sentences) / np.maximum(held, 1))
    weight = idf[flat]
    norms = np.sqrt(np.bincount(place, weight**2, minlength=len(sentences)))
    weight = weight / np.maximum(norms, 1e-9)[place]
    return spoken, Bag(flat, place, weight, idf, len(sentences))


def lowered(text: str) -> str:
    """Lower case without accents, fast enough for a whole conversation."""
    folded = text.lower()
    return folded if folded.isascii() else ACCENTS.sub("", unicodedata.normalize("NFKD", folded)).replace("’", "'")


def scores(sentences: Sequence[Sentence], block: Integers) -> tuple[Floats, Bag]:
    """Score every sentence; `block` says which stretch of the conversation each belongs to."""
    spoken, bag = read(sentences)
    features = {
        "centrality": _scaled(centrality(bag, block)),
        "rarity": _scaled(_mean_idf(bag)),
        **_signs(sentences, spoken),
        "length": np.array([_length_fit(len(words)) for words in spoken], dtype=float),
    }
    total = np.zeros(len(sentences))
    for name, values in features.items():
        total += WEIGHTS[name] * values
    tells = np.bincount(bag.sentence, minlength=bag.sentences) >= LEAST_CONTENT
    stands_alone = np.array([len(words) >= LEAST_WORDS for words in spoken], dtype=bool)
    return np.where(tells & stands_alone, total, -np.inf), bag


def centrality(bag: Bag, block: Integers) -> Floats:
    """Say how close each sentence is to the middle of its stretch."""
    blocks = int(block.max(initial=-1)) + 1
    keys = block[bag.sentence] * bag.words + bag.word
    used, inverse = np.unique(keys, return_inverse=True)
    middle = np.bincount(inverse, bag.weight, minlength=len(used))
    sizes = np.sqrt(np.bincount(used // max(bag.words, 1), middle**2, minlength=blocks))
    dots = np.bincount(bag.sentence, bag.weight * middle[inverse], minlength=bag.sentences)
    return np.asarray(dots / np.maximum(sizes, 1e-9)[block], dtype=float)


def likeness(bag: Bag, chosen: Integers) -> Floats:
    """Compare some of the sentences with each other."""
    row_of = np.full(bag.sentences, -1)
    row_of[chosen] = np.arange(len(chosen))
    inside = row_of[bag.sentence] >= 0
    used, column = np.unique(bag.word[inside], return_inverse=True)
    table = np.zeros((len(chosen), len(used)), dtype=np.float32)
    table[row_of[bag.sentence[inside]], column] = bag.weight[inside]
    return np.asarray(table @ table.T, dtype=float)


def _signs(sentences: Sequence[Sentence], spoken: Sequence[Sequence[str]]) -> dict[str, Floats]:
    found = {name: np.zeros(len(sentences)) for name in SIGNS}
    for place, (sentence, words) in enumerate(zip(sentences, spoken, strict=True)):
        asks = sentence.text.endswith("?")
        by_assistant = sentence.role is Role.ASSISTANT
        said = set(words)
        found["names"][place] = min(len(NAME.findall(sentence.text)), 3) / 3
        found["numbers"][place] = NUMBER.search(sentence.text) is not None
        found["decision"][place] = not asks and not said.isdisjoint(DECISION)
        found["about_self"][place] = not by_assistant and not asks and not said.isdisjoint(FIRST_PERSON)
        found["user"][place] = sentence.role is Role.USER
        found["opening"][place] = sentence.is_opening
        found["asked_by_assistant"][place] = asks and by_assistant
        found["question"][place] = asks
        found["heading"][place] = sentence.text.endswith(":")
    return found


def _mean_idf(bag: Bag) -> Floats:
    totals = np.bincount(bag.sentence, bag.idf[bag.word], minlength=bag.sentences)
    return np.asarray(totals / np.maximum(np.bincount(bag.sentence, minlength=bag.sentences), 1), dtype=float)


def _length_fit(words: int) -> float:
    shortest, longest = GOOD_LENGTH
    if words < shortest:
        return words / shortest
    return 1.0 if words <= longest else longest / words


def _scaled(values: Floats) -> Floats:
    top = values.max(initial=0.0)
    return values / top if top > 0 else values
