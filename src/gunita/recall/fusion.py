"""How well each message answers a query: words and meaning together, with who said it, when, and beside what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gunita.recall.aims import Aim, aim_of, called_among
from gunita.recall.index import NOBODY, Floats, MessageIndex
from gunita.recall.terms import hash_of, query_words
from gunita.recall.timewords import Span, spans

Scores: TypeAlias = NDArray[np.float32]

SATURATION = 1.5
LENGTH_MATTERS = 0.9
"""BM25's k1 and b; a chat's long answers name everything once, so that length has to count nearly in full."""
DAYS_OFF = 3.0
"""Days beside a named time over which a message loses most of what that time lends it."""
MICROSECONDS_A_DAY = 86_400_000_000
EPOCH_DAY = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts against words, which count 1 when a text holds all of a query's."""

    meaning: float = 1.0
    asker: float = 0.4
    answerer: float = 0.1
    called: float = 0.3
    date: float = 0.2
    neighbour: float = 0.3
    short: float = 15.0
    """Words under which a message hardly stands alone and is read with its neighbours."""
    short_among_people: float = 30.0
    """The same where speakers have names: people lean on each other's words more than questions and answers do."""


WEIGHTS = Weights()
MEMORY_WEIGHTS = Weights(asker=0.0, answerer=0.0, neighbour=0.0)
"""Memories are all about the user, and stand alone."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A query as search reads it."""

    words: tuple[tuple[str, ...], ...]
    """Its words, each as the terms it may stand under."""
    vector: Floats | None
    aim: Aim
    span: Span | None

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(term for forms in self.words for term in forms)


@dataclass(frozen=True, slots=True)
class Scored:
    """Each entry's score, and the parts it is made of."""

    total: Scores
    words: Scores
    meaning: Scores
    date: Scores


def sought(query: str, vector: Floats | None, asked_on: date) -> Sought:
    """Read a query: its terms, whose words it is after, and the narrowest time it names."""
    named = spans(query, asked_on)
    return Sought(tuple(query_words(query)), vector, aim_of(query), named[0] if named else None)


def score(index: MessageIndex, wanted: Sought, weights: Weights = WEIGHTS) -> Scored:
    """Score every entry of an index."""
    words = words_score(index, wanted.words)
    meaning = meaning_score(index, wanted.vector)
    when = date_score(index, wanted.span)
    said = words + weights.meaning * meaning
    total = (
        said
        + weights.neighbour * lent_by_neighbours(index, said, weights)
        + speaker_score(index, wanted.aim, weights)
        + weights.called * called_score(index, wanted.terms)
        + weights.date * when
    )
    return Scored(total, words, meaning, when)


def words_score(index: MessageIndex, words: Sequence[Sequence[str]]) -> Scores:
    """BM25 over the index's own words, as a share of what a text could reach that holds every term once.

    A word that no text holds counts in that share as well: a query that shares one word of six with everything said,
    as across languages, is not answered by whoever happens to hold it.
    """
    count = len(index)
    total = np.zeros(count, np.float32)
    if not count:
        return total
    lengths = index.columns.lengths
    norm = SATURATION * (1 - LENGTH_MATTERS + LENGTH_MATTERS * lengths / max(float(lengths.mean()), 1.0))
    whole = 0.0
    for forms in words:
        found = [held for form in forms if len((held := index.holding(hash_of(form)))[0])]
        for holders, times in found:
            weight = rarity(count, len(holders))
            total[holders] += weight * times * (SATURATION + 1) / (times + norm[holders])
            whole += weight
        if not found:
            whole += rarity(count, 0)
    return total / np.float32(whole) if whole else total


def rarity(count: int, holders: int) -> float:
    """Weigh a term by how few of all texts hold it."""
    return math.log(1 + (count - holders + 0.5) / (holders + 0.5))


def meaning_score(index: MessageIndex, vector: Floats | None) -> Scores:
    """How alike the query and the nearest piece of each text are; 0 for a text that no model has read yet."""
    total = np.zeros(len(index), np.float32)
    if vector is not None and index.vectors.size:
        # An entry's pieces stand together, so that the best of each run is the best of an entry.
        starts = np.flatnonzero(np.diff(index.owners, prepend=-1))
        total[index.owners[starts]] = np.maximum(np.maximum.reduceat(index.vectors @ vector, starts), 0)
    return total


def date_score(index: MessageIndex, span: Span | None) -> Scores:
    """1 for what was said within a named time, less with every day beside it."""
    if span is None:
        return np.zeros(len(index), np.float32)
    days = index.columns.moments // MICROSECONDS_A_DAY
    first, last = span.first.toordinal() - EPOCH_DAY, span.last.toordinal() - EPOCH_DAY
    off = np.maximum(0.0, np.maximum(first - days, days - last))
    near: Scores = np.exp(-off / DAYS_OFF).astype(np.float32)
    return near


def lent_by_neighbours(index: MessageIndex, said: Scores, weights: Weights) -> Scores:
    """What the better neighbour of each message has, by how little the message says itself."""
    if not len(index):
        return said
    before, after = index.neighbours
    padded = np.append(said, np.float32(0.0))
    assert NOBODY == -1  # the padding's place
    short = np.where(index.columns.is_named, weights.short_among_people, weights.short)
    alone = 1 / (1 + (index.columns.lengths / short) ** 2)
    lent: Scores = (alone * np.maximum(padded[before], padded[after])).astype(np.float32)
    return lent


def called_score(index: MessageIndex, terms: Sequence[str]) -> Scores:
    """1 for what was said by somebody whom the query names: a question about a person is mostly answered by them."""
    called = called_among(terms, index.speakers)
    if not called:
        return np.zeros(len(index), np.float32)
    return np.isin(index.columns.speakers, list(called)).astype(np.float32)


def speaker_score(index: MessageIndex, aim: Aim, weights: Weights) -> Scores:
    """Favour who the question says spoke; where messages name their speakers, the names are words and decide."""
    match aim:
        case Aim.ASKER:
            favoured, weight = index.columns.is_user, weights.asker
        case Aim.ANSWERER:
            favoured, weight = ~index.columns.is_user, weights.answerer
        case Aim.ANYBODY:
            return np.zeros(len(index), np.float32)
    return (weight * (favoured & ~index.columns.is_named)).astype(np.float32)
