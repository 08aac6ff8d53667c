"""Which turns a topic means: by meaning and by words, over queries and responses, as a probability per turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gunita.language.heads import Floats, Judge, sigmoid
from gunita.language.languages import commonness
from gunita.language.lexicon import NOTHING, things_named
from gunita.language.words import FUNCTION_WORDS, SHORTEST_FUZZY, content_words, likeness, stems, trigrams, words

FEATURES = (
    "topic_query", "topic_response", "gist_query", "gist_response", "whole_query", "whole_response",
    "topic_met_query", "topic_met_response", "query_met_query", "query_met_response", "topic_vote", "query_vote",
    "words_query", "words_response", "words_either", "rarest_word", "said_either", "judged",
    "topic_lead", "gist_lead", "whole_lead", "topic_met_lead", "query_met_lead", "words_lead", "said_lead",
    "judged_lead", "recency", "topic_length", "has_topic",
)  # fmt: skip
VOTE_SHARPNESS = 10.0
"""How clearly a token of the query must be met better by one turn than by others to speak for it alone."""
BYTE = 127.0
OBJECTS = 1_000
"""Bytes that a remembered text takes beside its numbers: the text itself, mostly."""
SAME_THING = 0.9
"""How surely a word stands in a text that has another word for the same thing."""
LEAST_SHARED = 0.35
"""Without this share of its letter triples somewhere in a text, no word of the text can be a slip of it."""


@dataclass(frozen=True, slots=True)
class WordBag:
    """A text's content words, every stem they may have, the things they may name, and all their letter triples."""

    words: frozenset[str]
    stems: frozenset[str]
    things: frozenset[int]
    trigrams: frozenset[str]


@dataclass(frozen=True, slots=True)
class HeldTokens:
    """Rows of a text's tokens in a byte a number; a busy service holds those of thousands of turns."""

    rows: NDArray[np.int8]
    steps: Floats
    """What one means in each row."""

    @classmethod
    def of(cls, rows: Floats) -> HeldTokens:
        steps = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-6) / BYTE
        return cls(np.rint(rows / steps[:, None]).astype(np.int8), steps.astype(np.float32))


@dataclass(frozen=True, slots=True)
class TextMeaning:
    """A text in sentence space, and its tokens where a query's tokens meet them."""

    vector: Floats
    held: HeldTokens

    @property
    def bytes(self) -> int:
        return self.vector.nbytes + self.held.rows.nbytes + self.held.steps.nbytes + OBJECTS


@dataclass(frozen=True, slots=True)
class TurnMeaning:
    """One remembered turn, read once."""

    query: TextMeaning
    response: TextMeaning
    query_words: WordBag
    response_words: WordBag


@dataclass(frozen=True, slots=True)
class TopicMention:
    """What a query names, in the readings that turns are compared with."""

    text: str
    """The topic's words, or the whole query where it marks none."""
    query: str
    topic: Floats
    gist: Floats
    whole: Floats
    """The vector of the whole query."""
    named: Floats
    topic_tells: Floats
    query_tells: Floats
    judge: Judge
    joins: Floats
    two: Floats
    has_topic: bool


def word_bag(text: str) -> WordBag:
    found = frozenset(content_words(text))
    every_stem = frozenset(stem for word in found for stem in stems(word))
    named = frozenset(thing for things in things_named(text).values() for thing in things)
    return WordBag(found, every_stem, named, frozenset(triple for word in found for triple in trigrams(word)))


def presence(word: str, things: frozenset[int], bag: WordBag) -> float:
    """How surely a word, or a form or misspelling of it, or another word for the same thing, stands in a text."""
    if word in bag.words:
        return 1.0
    if not bag.stems.isdisjoint(stems(word)):
        return 0.95
    if not bag.things.isdisjoint(things):
        return SAME_THING
    letters = trigrams(word)
    if len(word) < SHORTEST_FUZZY or word.isdigit() or len(letters & bag.trigrams) < LEAST_SHARED * len(letters):
        return 0.0
    return max((likeness(word, other) for other in bag.words if abs(len(other) - len(word)) <= 4), default=0.0)


def overlap(topic: str, queries: Sequence[WordBag], responses: Sequence[WordBag]) -> Floats:
    """Per turn: share of the topic's words in the query, in the response, in either, and the rarest word's presence.

    Words are weighted by how few turns of this history hold them, and how rare they are in everyday language.
    """
    named = list(dict.fromkeys(content_words(topic))) or [w for w in words(topic) if w not in FUNCTION_WORDS]
    out = np.zeros((len(queries), 4), np.float32)
    if not named:
        return out
    things = things_named(topic)
    asked, answered = (
        np.array([[presence(word, things.get(word, NOTHING), bag) for bag in bags] for word in named], np.float32)
        for bags in (queries, responses)
    )
    either = np.maximum(asked, 0.9 * answered)
    held = (either > 0.5).sum(axis=1)
    scarce = np.log((len(queries) + 1) / (held + 0.5))
    weight = np.maximum(scarce * [1 - 0.7 * commonness(word) for word in named], 0.05).astype(np.float32)
    share = weight / weight.sum()
    out[:, 0], out[:, 1], out[:, 2] = share @ asked, share @ answered, share @ either
    present = either * (held > 0)[:, None]
    out[:, 3] = present[int(np.argmax(weight * (held > 0)))]
    return out


def features(mention: TopicMention, turns: Sequence[TurnMeaning], met: Floats) -> Floats:
    """What speaks for each turn being the one meant, one row per turn, oldest first."""
    n = len(turns)
    vectors = np.stack([side.vector for turn in turns for side in (turn.query, turn.response)])
    alike = vectors @ np.stack([mention.topic, mention.gist, mention.whole]).T
    meaning = alike.reshape(n, 2, 3).transpose(0, 2, 1).reshape(n, 6)
    tokens, votes = meetings(mention, met)
    asked, answered = [turn.query_words for turn in turns], [turn.response_words for turn in turns]
    spoken = overlap(mention.text, asked, answered)
    said = overlap(mention.query, asked, answered)[:, 2:3]
    judged = mention.judge.log_odds(met)
    either = [np.maximum(both[:, i], both[:, i + 1]) for both in (meaning, tokens) for i in range(0, both.shape[1], 2)]
    leads = [lead(values) for values in (*either, spoken[:, 2], said[:, 0], judged)]
    recency = np.arange(1, n + 1) / n
    length = np.full(n, min(len(words(mention.text)), 8) / 8)
    marked = np.full(n, float(mention.has_topic))
    rest = np.stack([*leads, recency, length, marked], axis=1)
    return np.concatenate([meaning, tokens, votes, spoken, said, judged[:, None], rest], axis=1).astype(np.float32)


def meetings_of(mention: TopicMention, turns: Sequence[TurnMeaning]) -> Floats:
    """How well each turn's query and its response meet each of the query's tokens: (turn, side, token)."""
    best = best_meetings(mention.named, [side.held for turn in turns for side in (turn.query, turn.response)])
    return best.reshape(len(turns), 2, -1)


def voices(mention: TopicMention, met: Floats) -> Floats:
    """How each telling token speaks for the turns that meet it better than others do: (turn, token)."""
    raised = np.exp(VOTE_SHARPNESS * met.max(axis=1))
    return np.asarray(raised / raised.sum(axis=0) * mention.query_tells, dtype=np.float32)


def meetings(mention: TopicMention, met: Floats) -> tuple[Floats, Floats]:
    """How well the topic's tokens and all telling tokens are met in each turn's query and response.

    Also how they vote: each telling token for the turns that meet it better than others do.
    """
    tells = np.stack([mention.topic_tells, mention.query_tells], axis=1)
    share = tells / np.maximum(tells.sum(axis=0), 1e-4)
    shares = (met @ share).transpose(0, 2, 1).reshape(len(met), 4)
    raised = np.exp(VOTE_SHARPNESS * met.max(axis=1))
    return shares, raised / raised.sum(axis=0) @ share


def best_meetings(named: Floats, texts: Sequence[HeldTokens]) -> Floats:
    """For each text, each query token's likeness to the text's token that is most like it."""
    starts = np.cumsum([0, *(len(held.rows) for held in texts)])
    best = np.zeros((len(texts), len(named)), np.float32)
    if starts[-1]:
        rows, steps = (np.concatenate(parts) for parts in zip(*((h.rows, h.steps) for h in texts), strict=True))
        alike = named @ rows.astype(np.float32).T * steps
        for i, held in enumerate(texts):
            if len(held.rows):
                best[i] = alike[:, starts[i] : starts[i + 1]].max(axis=1)
    return best


def lead(values: Floats) -> Floats:
    """How far each value is ahead of the best of the others (behind it, when negative)."""
    if len(values) < 2:
        return np.asarray(values, dtype=np.float32)
    order = np.sort(values)
    best_other = np.where(values == order[-1], order[-2], order[-1])
    return np.asarray(values - best_other, dtype=np.float32)


class SmallNet:
    """A small trained network from features to a probability; without an inner layer, a logistic curve."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def probability(self, rows: Floats) -> Floats:
        w = self._weights
        scaled = (rows - w["mean"]) / w["spread"]
        total = scaled @ w["direct"] + w["bias"]
        if "inner" in w:
            total = total + np.tanh(scaled @ w["inner"] + w["inner_bias"]) @ w["outer"]
        return sigmoid(np.asarray(total, dtype=np.float32))
