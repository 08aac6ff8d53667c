"""DynamicReferenceParser: whether a query points back, how, and at which of the remembered turns."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Generic, Protocol, TypeVar, runtime_checkable

from gunita.language import confidence, positions, topics
from gunita.language.heads import Floats, HeadReading, ReferenceHeads
from gunita.language.languages import language_of
from gunita.language.positions import Places
from gunita.language.understanding import Understanding, understand
from gunita.language.words import content_words
from gunita.models import (
    IntentType,
    Language,
    Positions,
    ReferenceIntent,
    ReferenceResolution,
    SemanticFeatures,
    TemporalSense,
    Turn,
)

LONGEST_QUERY_READ = 600
"""Characters of a query that are read; a pointer stands near the start of what people type."""
QUERIES_REMEMBERED = 256
BAGS_REMEMBERED = 8_192


class Reading(Protocol):
    """A text as the encoder read it: where its tokens stand, their states, and its sentence vector."""

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...
    @property
    def states(self) -> Floats: ...
    @property
    def vector(self) -> Floats: ...


class SentenceEncoder(Protocol):
    """The least a parser can use: texts to unit vectors, one row each."""

    def encode(self, texts: list[str]) -> Floats: ...


@runtime_checkable
class QueryEncoder(Protocol):
    """An encoder the trained heads can sit on: it also gives the states of a text's tokens."""

    def encode(self, texts: list[str]) -> Floats: ...
    def read(self, text: str) -> Reading: ...


class DynamicReferenceParser:
    """Understands what a query points back at; loads the shipped model at its first use.

    Another encoder with `encode` and `read` takes the place of the shipped one, and must give the token states the
    heads were trained on. One that only has `encode` compares topics with turns by its own vectors, while the
    shipped model goes on reading the query.
    """

    def __init__(self, encoder: SentenceEncoder | QueryEncoder | None = None) -> None:
        self._given = encoder
        self._lock = Lock()
        self._engine: Engine | None = None

    def detect_reference(self, query: str) -> ReferenceIntent | None:
        """How the query points back, or None where it asks afresh."""
        text = readable_text(query)
        if text is None:
            return None
        return intent_of(text, self._loaded().understood(text))

    def resolve_reference(self, intent: ReferenceIntent, history: Sequence[Turn]) -> ReferenceResolution:
        """The turns of the history the intent may mean, best first."""
        turns = readable_turns(history)
        if not turns:
            return UNRESOLVED
        return resolve(intent, turns, self._loaded)

    def extract_semantic_features(self, query: str) -> SemanticFeatures:
        """Time words, places and topic words the query holds."""
        text = readable_text(query)
        if text is None:
            return SemanticFeatures((), (), (), ())
        return features_of(text, self._loaded().understood(text))

    def _loaded(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = Engine(self._given)
            return self._engine


class Engine:
    """The loaded parts and what they remember: readings of queries, vectors and words of turns."""

    def __init__(self, given: SentenceEncoder | QueryEncoder | None) -> None:
        self._reader: QueryEncoder = given if isinstance(given, QueryEncoder) else shipped_encoder()
        self._heads = ReferenceHeads.load()
        self._same_space = given is None or isinstance(given, QueryEncoder)
        self.vectors = topics.TextVectors((self._reader if given is None else given).encode)
        self.bag = lru_cache(BAGS_REMEMBERED)(topics.word_bag)
        self._readings: Remembered[str, tuple[Understanding, Reading, HeadReading]] = Remembered(QUERIES_REMEMBERED)

    def understood(self, query: str) -> Understanding:
        return self._read(query)[0]

    def mention(self, query: str, topic: str) -> topics.TopicMention:
        """The topic in sentence space; a topic the query does not hold is taken by its words alone."""
        understanding, reading, said = self._read(query)
        span = self.vectors.of([topic])[0]
        if not self._same_space:
            return topics.TopicMention(topic, span, span, self.vectors.of([query])[0])
        found = understanding.topic is not None and query[slice(*understanding.topic)] == topic
        return topics.TopicMention(topic, said.topic_vector if found else span, span, reading.vector)

    def fits(self, mention: topics.TopicMention, turns: Sequence[Turn]) -> Floats:
        """How likely the topic fits each turn."""
        return confidence.shipped().scorer.fits(self.topic_features(mention, turns))

    def topic_features(self, mention: topics.TopicMention, turns: Sequence[Turn]) -> Floats:
        texts = [topics.TurnText(turn.query_text, turn.response_text) for turn in turns]
        vectors = self.vectors.of([text for turn in texts for text in (turn.query, turn.response)])
        return topics.features(mention, texts, vectors[0::2], vectors[1::2], self.bag)

    def _read(self, query: str) -> tuple[Understanding, Reading, HeadReading]:
        return self._readings.get(query, lambda: self._read_afresh(query))

    def _read_afresh(self, query: str) -> tuple[Understanding, Reading, HeadReading]:
        reading = self._reader.read(query)
        said = self._heads.read(reading.states)
        return understand(query, said, reading.offsets), reading, said


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """The values made lately, by key, at most so many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        value = make()
        with self._lock:
            self._known[key] = value
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return value


UNRESOLVED = ReferenceResolution((), None, is_ambiguous=True, confidence=0.0)


def shipped_encoder() -> QueryEncoder:
    from gunita.language.encoder import Encoder  # the model and its runtime load with the first query, not on import

    return Encoder.load()


def readable_text(query: object) -> str | None:
    """The query as it is read, or None where there is nothing to understand."""
    if not isinstance(query, str):
        return None
    text = " ".join(query[: 4 * LONGEST_QUERY_READ].split())[:LONGEST_QUERY_READ]
    letters = any(char.isalnum() for char in text)
    if not letters or (language_of(text) is Language.OTHER and any(char.isalpha() for char in text)):
        return None
    return text


def readable_turns(history: Iterable[Turn] | None) -> list[Turn]:
    """Turns whose number and texts can be read, oldest first, each number once."""
    if not isinstance(history, Iterable):
        return []
    by_number = {turn.turn_number: turn for turn in history if is_readable(turn)}
    return [by_number[number] for number in sorted(by_number)]


def is_readable(turn: object) -> bool:
    number = getattr(turn, "turn_number", None)
    texts = (getattr(turn, "query_text", None), getattr(turn, "response_text", None))
    counted = isinstance(number, int) and not isinstance(number, bool) and number >= 1
    return counted and all(isinstance(text, str) for text in texts)


def intent_of(query: str, understanding: Understanding) -> ReferenceIntent | None:
    calibration = confidence.shipped()
    match calibration.points(understanding):
        case confidence.Pointing.NOWHERE:
            return None
        case confidence.Pointing.FOLLOWUP:
            sure = calibration.followup_confidence(understanding)
            ago = Positions(ago=(1,))
            return ReferenceIntent(
                query, IntentType.RELATIVE, (), sure, ago, is_followup=True, language=language_of(query)
            )
        case confidence.Pointing.REFERENCE:
            return ReferenceIntent(
                query,
                understanding.kind,
                tuple(query[start:end] for start, end in understanding.indicators),
                calibration.intent_confidence(understanding),
                understanding.positions,
                topic=query[slice(*understanding.topic)] if understanding.topic else None,
                time=understanding.time,
                language=language_of(query),
            )


def features_of(query: str, understanding: Understanding) -> SemanticFeatures:
    places = understanding.positions
    offset = () if places.offset is None else (places.offset,)
    return SemanticFeatures(
        temporal_indicators=() if understanding.time is None else (understanding.time.value,),
        ordinal_positions=(*places.from_start, *places.numbered, *(-n for n in places.from_end)),
        topic_keywords=tuple(content_words(query[slice(*understanding.topic)])) if understanding.topic else (),
        relative_positions=(*(-n for n in places.ago), *offset),
    )


def resolve(intent: ReferenceIntent, turns: Sequence[Turn], engine: Callable[[], Engine]) -> ReferenceResolution:
    """Chooses the way an intent is resolved; only a topic needs the model."""
    numbers = [turn.turn_number for turn in turns]
    if intent.is_followup:
        return one(turns[-1], intent.confidence, is_followup=True)
    named = positions.names_a_place(intent.positions)
    match intent.intent_type:
        case IntentType.RELATIVE if intent.positions.offset is not None and intent.topic and not named:
            return beside_topic(intent, turns, engine())
        case IntentType.ORDINAL | IntentType.RELATIVE if named:
            return at_places(positions.place(intent.positions, numbers), turns, intent.confidence)
        case IntentType.TEMPORAL if intent.time is not None:
            return at_time(intent.time, turns, intent.confidence)
        case IntentType.TOPIC | IntentType.ORDINAL | IntentType.RELATIVE | IntentType.TEMPORAL:
            return about_topic(intent, turns, engine())


def at_places(places: Places, turns: Sequence[Turn], sure: float) -> ReferenceResolution:
    """The turns at places the query names; where one is not there, what is left is only a guess."""
    by_number = {turn.turn_number: turn for turn in turns}
    found = [by_number[number] for number in places.found]
    if not found:
        return UNRESOLVED
    score = sure / 2 if places.missing else sure
    return ReferenceResolution(
        tuple((turn, score) for turn in found),
        found[0],
        is_ambiguous=places.missing,
        confidence=score,
        points_at_several=len(found) > 1,
    )


def at_time(sense: TemporalSense, turns: Sequence[Turn], sure: float) -> ReferenceResolution:
    places = positions.at_time(sense, [turn.turn_number for turn in turns])
    if sense is not TemporalSense.EARLIER or len(places.found) == 1:
        return at_places(places, turns, sure)
    by_number = {turn.turn_number: turn for turn in turns}
    shares = zip(places.found, confidence.EARLIER_SHARES, strict=False)
    ranked = tuple((by_number[number], sure * share) for number, share in shares)
    return ReferenceResolution(ranked, ranked[0][0], is_ambiguous=True, confidence=ranked[0][1])


def about_topic(intent: ReferenceIntent, turns: Sequence[Turn], engine: Engine) -> ReferenceResolution:
    fits = topic_fits(intent, turns, engine)
    return weighed(intent, fits, [*range(len(turns))], turns)


def beside_topic(intent: ReferenceIntent, turns: Sequence[Turn], engine: Engine) -> ReferenceResolution:
    """The turn so many before or after the one the topic names; past either end there is none."""
    offset = intent.positions.offset or 0
    targets = [i + offset if 0 <= i + offset < len(turns) else None for i in range(len(turns))]
    return weighed(intent, topic_fits(intent, turns, engine), targets, turns)


def topic_fits(intent: ReferenceIntent, turns: Sequence[Turn], engine: Engine) -> Floats:
    query = readable_text(intent.query) or intent.topic or ""
    return engine.fits(engine.mention(query, intent.topic or query), turns)


def weighed(
    intent: ReferenceIntent, fits: Floats, targets: Sequence[int | None], turns: Sequence[Turn]
) -> ReferenceResolution:
    """From how well the topic fits each turn to the turns meant, through each turn's target."""
    match_ = topics.likeliest(fits)
    sure = confidence.shipped().topic_confidence(intent.confidence, match_.probability)
    meant = [(target, float(fits[i])) for i in match_.chosen if (target := targets[i]) is not None]
    if not meant:
        return UNRESOLVED
    if len(match_.chosen) == 1:
        return one(turns[meant[0][0]], sure)
    ranked = tuple((turns[target], min(fit, confidence.UNDECIDED)) for target, fit in meant)
    return ReferenceResolution(ranked, ranked[0][0], is_ambiguous=True, confidence=ranked[0][1])


def one(turn: Turn, sure: float, is_followup: bool = False) -> ReferenceResolution:
    return ReferenceResolution(((turn, sure),), turn, is_ambiguous=False, confidence=sure, is_followup=is_followup)
