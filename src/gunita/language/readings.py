"""The loaded model and what it remembers: readings of queries, meanings of turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from gunita.language.heads import Floats, HeadReading, ReferenceHeads
from gunita.language.pairs import Pair, pair_named
from gunita.language.remembered import Remembered
from gunita.language.topics import (
    HeldTokens,
    TextMeaning,
    TopicMention,
    TurnMeaning,
    WordBag,
    features,
    meetings_of,
    word_bag,
)
from gunita.language.understanding import Understanding, understand
from gunita.models import Turn

QUERIES_REMEMBERED = 256
TEXT_BYTES_REMEMBERED = 100_000_000
"""About ten kilobytes a text: a few hundred conversations that go on at the same time."""
BAGS_REMEMBERED = 2_048
COMPARISONS_REMEMBERED = 16
TOKENS_HELD = 128
"""Tokens of a turn's text that a query's tokens may meet."""


class Pointing(Protocol):
    """A text read for the heads: where its tokens stand, and their states."""

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...
    @property
    def states(self) -> Floats: ...


class Reading(Pointing, Protocol):
    """A text read for its meaning: its tokens, their states, and its sentence vector."""

    @property
    def vector(self) -> Floats: ...


class SentenceEncoder(Protocol):
    """The least a parser can use: texts to unit vectors, one row each."""

    def encode(self, texts: Sequence[str]) -> Floats: ...


@runtime_checkable
class QueryEncoder(Protocol):
    """An encoder the trained heads can sit on: it also gives the states of a text's tokens."""

    def encode(self, texts: Sequence[str]) -> Floats: ...
    def read(self, text: str) -> Reading: ...
    def point(self, text: str) -> Pointing: ...


def shipped_encoder() -> QueryEncoder:
    from gunita.language.encoder import Encoder  # the model and its runtime load with the first query, not on import

    return Encoder.load()


@dataclass(frozen=True, slots=True)
class Comparison:
    """A query beside the turns of a history."""

    rows: Floats
    """What speaks for each turn being the one meant."""
    pair: Pair | None
    """The two turns that are meant if the query names two topics."""


class Readings:
    """Reads queries and turns with an encoder and the heads, each text once while it is remembered."""

    def __init__(
        self,
        given: SentenceEncoder | QueryEncoder | None,
        heads: ReferenceHeads | None = None,
        memory_bytes: int = TEXT_BYTES_REMEMBERED,
    ) -> None:
        self._reader: QueryEncoder = given if isinstance(given, QueryEncoder) else shipped_encoder()
        self._other = None if given is None or isinstance(given, QueryEncoder) else given
        self._heads = heads or ReferenceHeads.load()
        self._queries: Remembered[str, tuple[Understanding, HeadReading]] = Remembered(QUERIES_REMEMBERED)
        self._texts: Remembered[str, TextMeaning] = Remembered(memory_bytes, lambda meaning: meaning.bytes)
        self._bags: Remembered[str, WordBag] = Remembered(BAGS_REMEMBERED)
        self._comparisons: Remembered[tuple[str, str | None, tuple[tuple[str, str], ...]], Comparison] = Remembered(
            COMPARISONS_REMEMBERED
        )

    def understood(self, query: str) -> Understanding:
        return self._read(query)[0]

    def _mention(self, query: str, topic: str | None) -> TopicMention:
        """What a query names; a topic that the query does not mark is taken by its words alone."""
        understanding, said = self._read(query)
        marked = query[slice(*understanding.topic)] if understanding.topic else None
        text = topic or marked or query
        ours = self._other is None
        reading = self._reader.read(query)
        named = self._heads.met(reading.states)
        # The query will be a turn of the next one's history; then it has been read already.
        whole = self._texts.get(query, lambda _: self._meaning_of(query, reading, named)).vector
        return TopicMention(
            text=text,
            query=query,
            topic=said.topic if ours and text == marked else whole if text == query else self._vector(text),
            gist=said.gist if ours else whole,
            whole=whole,
            named=named,
            topic_tells=said.topic_tells,
            query_tells=said.query_tells,
            judge=said.judge,
            joins=said.joins,
            two=said.two,
            has_topic=text != query,
        )

    def compared(self, query: str, topic: str | None, turns: Sequence[Turn]) -> Comparison:
        """What speaks for each turn being the one a query means; detecting and resolving ask for the same."""
        key = (query, topic, tuple((turn.query_text, turn.response_text) for turn in turns))
        return self._comparisons.get(key, lambda _: self._compared(query, topic, turns))

    def _compared(self, query: str, topic: str | None, turns: Sequence[Turn]) -> Comparison:
        mention, meanings = self._mention(query, topic), [self.meaning(turn) for turn in turns]
        met = meetings_of(mention, meanings)
        return Comparison(features(mention, meanings, met), pair_named(mention, met))

    def meaning(self, turn: Turn) -> TurnMeaning:
        return TurnMeaning(
            self._texts.get(turn.query_text, self._meaning),
            self._texts.get(turn.response_text, self._meaning),
            self._bags.get(turn.query_text, word_bag),
            self._bags.get(turn.response_text, word_bag),
        )

    def _vector(self, text: str) -> Floats:
        return self._texts.get(text, self._meaning).vector

    def _meaning(self, text: str) -> TextMeaning:
        reading = self._reader.read(text)
        return self._meaning_of(text, reading, self._heads.met(reading.states))

    def _meaning_of(self, text: str, reading: Reading, met: Floats) -> TextMeaning:
        vector = reading.vector if self._other is None else self._other.encode([text])[0]
        # Its opening and closing marks are nothing that a query could name.
        return TextMeaning(vector, HeldTokens.of(met[1:-1][:TOKENS_HELD]))

    def _read(self, query: str) -> tuple[Understanding, HeadReading]:
        return self._queries.get(query, self._read_afresh)

    def _read_afresh(self, query: str) -> tuple[Understanding, HeadReading]:
        pointing = self._reader.point(query)
        said = self._heads.read(pointing.states)
        return understand(query, said, pointing.offsets), said
