"""Which turns a topic means: by meaning and by words, over queries and responses, as a probability per turn."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from gunita.language.heads import Floats, sigmoid
from gunita.language.words import FUNCTION_WORDS, SHORTEST_FUZZY, content_words, likeness, stems, words

FEATURES = (
    "topic_query", "topic_response", "span_query", "span_response", "sentence_query", "sentence_response",
    "words_query", "words_response", "words_either", "rarest_word",
    "meaning_lead", "words_lead", "meaning_rank", "recency", "topic_length",
)  # fmt: skip
TEXTS_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class TurnText:
    """One remembered turn's texts."""

    query: str
    response: str


@dataclass(frozen=True, slots=True)
class TopicMention:
    """A topic as a query names it: its words, and three readings of it in sentence space."""

    text: str
    learned: Floats
    """Where the heads place the topic."""
    span: Floats
    """The vector of the topic's words alone."""
    sentence: Floats
    """The vector of the whole query."""


class TextVectors:
    """Remembers the vectors of the texts seen lately, so that a history is encoded once."""

    def __init__(self, encode: Callable[[list[str]], Floats], most: int = TEXTS_REMEMBERED) -> None:
        self._encode = encode
        self._most = most
        self._known: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> Floats:
        """One row per text; only what is not remembered is encoded, outside the lock."""
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= dict(zip(missing, self._encode(missing), strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])


@dataclass(frozen=True, slots=True)
class WordBag:
    """A text's content words, and every stem they may have."""

    words: frozenset[str]
    stems: frozenset[str]


def word_bag(text: str) -> WordBag:
    found = frozenset(content_words(text))
    return WordBag(found, frozenset(stem for word in found for stem in stems(word)))


def presence(word: str, bag: WordBag) -> float:
    """How surely a word, or a form or misspelling of it, stands in a text."""
    if word in bag.words:
        return 1.0
    if not bag.stems.isdisjoint(stems(word)):
        return 0.95
    if len(word) < SHORTEST_FUZZY or word.isdigit():
        return 0.0
    return max((likeness(word, other) for other in bag.words if abs(len(other) - len(word)) <= 4), default=0.0)


def overlap(topic: str, queries: Sequence[WordBag], responses: Sequence[WordBag]) -> Floats:
    """Per turn: share of the topic's words in the query, in the response, in either, and the rarest word's presence.

    Words are weighted by how few turns of this history hold them.
    """
    named = list(dict.fromkeys(content_words(topic))) or [w for w in words(topic) if w not in FUNCTION_WORDS]
    out = np.zeros((len(queries), 4), np.float32)
    if not named:
        return out
    asked = np.array([[presence(word, bag) for bag in queries] for word in named], np.float32)
    answered = np.array([[presence(word, bag) for bag in responses] for word in named], np.float32)
    either = np.maximum(asked, 0.9 * answered)
    held = (either > 0.5).sum(axis=1)
    weight = np.array([math.log((len(queries) + 1) / (n + 0.5)) for n in held], np.float32)
    weight = np.maximum(weight, 0.05)
    share = weight / weight.sum()
    out[:, 0], out[:, 1], out[:, 2] = share @ asked, share @ answered, share @ either
    present = either * (held > 0)[:, None]
    out[:, 3] = present[int(np.argmax(weight * (held > 0)))]
    return out


def features(
    mention: TopicMention, turns: Sequence[TurnText], queries: Floats, responses: Floats, bags: Callable[[str], WordBag]
) -> Floats:
    """What speaks for each turn being the one meant, one row per turn, oldest first."""
    meaning = np.stack(
        [v @ side.T for v in (mention.learned, mention.span, mention.sentence) for side in (queries, responses)], axis=1
    )
    spoken = overlap(mention.text, [bags(t.query) for t in turns], [bags(t.response) for t in turns])
    base = np.maximum(meaning[:, 0], meaning[:, 1]) + np.maximum(meaning[:, 2], meaning[:, 3])
    n = len(turns)
    rank = np.argsort(np.argsort(-base)) / max(n - 1, 1)
    recency = np.arange(1, n + 1) / n
    length = np.full(n, min(len(words(mention.text)), 8) / 8)
    columns = [meaning, spoken, lead(base)[:, None], lead(spoken[:, 2])[:, None]]
    columns += [rank[:, None], recency[:, None], length[:, None]]
    return np.concatenate(columns, axis=1).astype(np.float32)


def lead(values: Floats) -> Floats:
    """How far each value is ahead of the best of the others (behind it, when negative)."""
    if len(values) < 2:
        return np.asarray(values, dtype=np.float32)
    order = np.sort(values)
    best_other = np.where(values == order[-1], order[-2], order[-1])
    return np.asarray(values - best_other, dtype=np.float32)


class TopicScorer:
    """A small trained network from a turn's features to the probability that the topic means it."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def fits(self, rows: Floats) -> Floats:
        w = self._weights
        scaled = (rows - w["mean"]) / w["spread"]
        hidden = np.tanh(scaled @ w["inner"] + w["inner_bias"])
        return sigmoid(np.asarray(hidden @ w["outer"] + scaled @ w["direct"] + w["bias"], dtype=np.float32))


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """Turns a topic fits, by index, best first, and how likely exactly these and no others are meant."""

    chosen: tuple[int, ...]
    probability: float


def likeliest(fits: Floats, most: int = 4) -> TopicMatch:
    """The turns more likely meant than not, taking each turn's chance as independent of the others'."""
    order = [int(i) for i in np.argsort(-fits, kind="stable")]
    chosen = tuple(i for i in order if fits[i] > 0.5)[:most]
    inside = math.prod(float(fits[i]) for i in chosen)
    outside = math.prod(1.0 - float(fits[i]) for i in order if i not in chosen)
    return TopicMatch(chosen, inside * outside)
