"""Which language a text is written in, word by word, from a small model that ships with the package."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gunita.models import Language

Floats: TypeAlias = npt.NDArray[np.float32]

CLASSES = (Language.ENGLISH, Language.TAGALOG, Language.CEBUANO, Language.SPANISH)
ENGLISH, TAGALOG, CEBUANO, SPANISH = range(len(CLASSES))

MODEL_FILE = "languages.npz"
BUCKETS = 1 << 15
LONGEST_GRAM = 4
LONGEST_WORD = 40
MOST_WORDS = 200
"""A language shows within a few words; reading 100,000 characters of one text would only cost time."""

SURE = 0.8
"""A word counts as evidence of a second language only when the model is this sure of it."""
MIXED_SHARE = 0.15
"""A text is mixed when the lesser of English and Tagalog holds at least this share of the words."""
STAYING = 0.8
"""How likely a word is in the language of the word before it: speakers switch in runs, not at every word."""

WORD = re.compile(r"[^\W\d_]+(?:['’‘`][^\W\d_]+)*")
"""A hyphen parts words, since Taglish joins languages there: mag-apply, i-explain, pa-check."""
LAUGHTER = re.compile(r"(.)\1{2,}")


@dataclass(frozen=True, slots=True)
class WordLanguage:
    """One word of a text, where it stands, and the language it is most likely in."""

    text: str
    start: int
    end: int
    language: Language
    confidence: float


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """The learned weights: character n-grams to languages, and how common a word is."""

    weights: Floats
    bias: Floats
    common: dict[str, float]

    def log_probabilities(self, word: str) -> Floats:
        logits = self.weights[grams(word)].sum(axis=0) + self.bias
        logits -= logits.max()
        return np.asarray(logits - np.log(np.exp(logits).sum()), dtype=np.float32)


def language_of(text: str) -> Language:
    """Say in which language a text is written; OTHER when nothing in it can be read."""
    if not _is_mostly_latin(text):
        return Language.OTHER
    spans = _spans(text)
    if not spans:
        return Language.OTHER
    names = np.array([start > 0 and text[start].isupper() for _, start, _ in spans])
    return _decide(np.stack([_word_scores(word) for word, _, _ in spans]), names)


def words_by_language(text: str) -> tuple[WordLanguage, ...]:
    """Give every word of a text its language, helped by the words around it."""
    spans = _spans(text)
    if not spans:
        return ()
    readable = [_is_mostly_latin(word) for word, _, _ in spans]
    posteriors = _smooth(np.stack([_word_scores(word) for word, _, _ in spans]))
    return tuple(
        WordLanguage(text[start:end], start, end, CLASSES[int(row.argmax())], float(row.max()))
        if latin
        else WordLanguage(text[start:end], start, end, Language.OTHER, 1.0)
        for (_, start, end), row, latin in zip(spans, posteriors, readable, strict=True)
    )


def commonness(word: str) -> float:
    """Say how common a word is in everyday English and Tagalog, from 0 (never met) to 1 (the most common)."""
    return _model().common.get(normal(word), 0.0)


@lru_cache(maxsize=16_384)
def normal(word: str) -> str:
    """Fold case, look-alike apostrophes and drawn-out letters, so that one word has one spelling."""
    folded = unicodedata.normalize("NFC", word.lower()).translate(_APOSTROPHES).strip("'-")
    return LAUGHTER.sub(r"\1\1", folded)[:LONGEST_WORD]


def grams(word: str) -> npt.NDArray[np.int64]:
    """Give the buckets of a word's character n-grams, and of the word itself."""
    edged = f"^{word}$"
    found = [edged[i : i + n] for n in range(1, LONGEST_GRAM + 1) for i in range(len(edged) - n + 1)]
    found.append(f"={word}")
    return np.array([zlib.crc32(gram.encode()) % BUCKETS for gram in found], dtype=np.int64)


_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'"})


def _spans(text: str) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for match in WORD.finditer(text):
        found.append((normal(match.group()), match.start(), match.end()))
        if len(found) == MOST_WORDS:
            break
    return [span for span in found if span[0]]


def _is_mostly_latin(text: str) -> bool:
    read = text[: MOST_WORDS * LONGEST_WORD]
    if read.isascii():
        return any(map(str.isalpha, read))
    letters = [character for character in read if character.isalpha()]
    latin = sum(1 for letter in letters if ord(letter) < 0x250 or "LATIN" in unicodedata.name(letter, ""))
    return 2 * latin > len(letters)


def _decide(scores: Floats, names: npt.NDArray[np.bool_]) -> Language:
    """Choose one language for the words' scores, or MIXED where English and Tagalog both hold their share.

    A name inside an English sentence often looks Tagalog (Rizal, Ayala), so a capital never proves a second language.
    """
    winner = int(scores.clip(min=np.log(0.02)).sum(axis=0).argmax())
    if winner in (CEBUANO, SPANISH):
        return CLASSES[winner]
    # Between these two a word decides whatever it may mean in the others, which borrow from both.
    either = np.exp(scores[:, [ENGLISH, TAGALOG]])
    sure = (either > SURE * either.sum(axis=1, keepdims=True)) & ~names[:, None]
    lesser = int(sure.sum(axis=0).min())
    if lesser > 0 and lesser >= MIXED_SHARE * len(scores):
        return Language.MIXED
    return CLASSES[winner]


def _smooth(scores: Floats) -> Floats:
    """Weigh each word's scores with its neighbours' (forward and backward), as switches come in runs."""
    switch = np.full((len(CLASSES), len(CLASSES)), (1.0 - STAYING) / (len(CLASSES) - 1))
    np.fill_diagonal(switch, STAYING)
    emitted = np.exp(scores).clip(min=1e-4)
    forward = [emitted[0] / emitted[0].sum()]
    for _, row in pairwise(emitted):
        ahead = row * (forward[-1] @ switch)
        forward.append(ahead / ahead.sum())
    backward = [np.ones(len(CLASSES))]
    for row in emitted[:0:-1]:
        behind = switch @ (row * backward[-1])
        backward.append(behind / behind.sum())
    joined = np.stack(forward) * np.stack(backward[::-1])
    return np.asarray(joined / joined.sum(axis=1, keepdims=True), dtype=np.float32)


@lru_cache(maxsize=8192)
def _word_scores(word: str) -> Floats:
    return _model().log_probabilities(word)


@cache
def _model() -> LanguageModel:
    source = resources.files("gunita.language") / "model" / MODEL_FILE
    with source.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        weights = stored["weights"].astype(np.float32) * float(stored["scale"])
        words = bytes(stored["common_words"]).decode().split("\n")
        levels = stored["common_levels"].astype(np.float32) / 255.0
        return LanguageModel(weights, stored["bias"].astype(np.float32), _pair(words, levels))


def _pair(words: Sequence[str], levels: Floats) -> dict[str, float]:
    return {word: float(level) for word, level in zip(words, levels, strict=True)}
