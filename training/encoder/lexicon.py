"""Finds which words translate each other, from sentence pairs alone (IBM model 1 in both directions)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The translation probabilities seen in a corpus, and which words of each pair belong together."""

    to_english: dict[str, list[tuple[str, float]]]
    to_other: dict[str, list[tuple[str, float]]]
    links: list[list[tuple[int, int]]]
    """For each pair, (word of the English, word of the other) positions both directions agree on."""


def words_of(text: str) -> list[str]:
    return [match[0].lower() for match in WORD.finditer(text)]


def align(pairs: Sequence[tuple[str, str]], rounds: int = 6) -> Alignment:
    """Aligns the words of sentence pairs by expectation maximisation."""
    english = [words_of(pair[0]) for pair in pairs]
    other = [words_of(pair[1]) for pair in pairs]
    forward = _Direction(english, other)
    backward = _Direction(other, english)
    for _ in range(rounds):
        forward.improve()
        backward.improve()
    towards = forward.best_sources()
    back = backward.best_sources()
    links = [
        [(e, o) for o, e in enumerate(towards[i]) if e >= 0 and back[i][e] == o] for i in range(len(pairs))
    ]  # fmt: skip
    return Alignment(backward.table(), forward.table(), links)


class _Direction:
    """The probability of each target word given each source word, over all pairs at once."""

    def __init__(self, sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> None:
        self.source_words, source_ids = _number(sources)
        self.target_words, target_ids = _number(targets)
        self.shapes = [(len(s), len(t)) for s, t in zip(sources, targets, strict=True)]
        links, places, offset = [], [], 0
        for s, t in zip(source_ids, target_ids, strict=True):
            links.append((s[None, :] * len(self.target_words) + t[:, None]).ravel())
            places.append(np.repeat(np.arange(offset, offset + len(t)), len(s)))
            offset += len(t)
        self.places: Ints = np.concatenate(places)
        keys, inverse = np.unique(np.concatenate(links), return_inverse=True)
        self.link: Ints = inverse.astype(np.int64).ravel()
        self.source: Ints = keys // len(self.target_words)
        self.target: Ints = keys % len(self.target_words)
        self.probability: Floats = np.ones(len(keys))

    def improve(self) -> None:
        raw = self.probability[self.link]
        shares = raw / np.bincount(self.places, raw)[self.places]
        counts = np.bincount(self.link, shares, minlength=len(self.source))
        self.probability = counts / np.bincount(self.source, counts)[self.source]
        self.counts = counts

    def best_sources(self) -> list[list[int]]:
        """Names, for each target word of each pair, the source word that most likely made it."""
        raw = self.probability[self.link]
        best, at = [], 0
        for sources, targets in self.shapes:
            block = raw[at : at + sources * targets].reshape(targets, sources)
            best.append([int(i) for i in block.argmax(1)] if sources else [-1] * targets)
            at += sources * targets
        return best

    def table(self, least: float = 0.1, seen: float = 1.5) -> dict[str, list[tuple[str, float]]]:
        kept = np.flatnonzero((self.probability >= least) & (self.counts >= seen))
        table: dict[str, list[tuple[str, float]]] = {}
        for i in kept[np.argsort(-self.probability[kept])]:
            word = self.source_words[self.source[i]]
            table.setdefault(word, []).append((self.target_words[self.target[i]], float(self.probability[i])))
        return table


def _number(texts: Sequence[Sequence[str]]) -> tuple[list[str], list[Ints]]:
    numbers: dict[str, int] = {}
    ids = [np.array([numbers.setdefault(word, len(numbers)) for word in text], dtype=np.int64) for text in texts]
    return list(numbers), ids
