"""DynamicReferenceParser: whether a query points back, how, and at which of the remembered turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from threading import Lock

from gunita.language import confidence, positions
from gunita.language.heads import Floats
from gunita.language.languages import language_of as read_language
from gunita.language.positions import Places
from gunita.language.readings import (
    TEXT_BYTES_REMEMBERED,
    QueryEncoder,
    Readings,
    SentenceEncoder,
    shipped_encoder,
)
from gunita.language.remembered import remembering
from gunita.language.rivals import rivalry
from gunita.language.understanding import NO_PLACE, Understanding, moved
from gunita.language.words import content_words, words
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

__all__ = ["DynamicReferenceParser", "QueryEncoder", "SentenceEncoder", "shipped_encoder"]

PAUSE = re.compile(r"(?<=\w)\s*(?:[,;:–—…]|\.\.|\s-\s)\s*(?=\w)")
FEWEST_WORDS_IN_FULL = 5
"""Shorter queries, such as "go on", may be said of many things."""
LONGEST_QUERY_READ = 600
"""Characters of a query that are read; a pointer stands near the start of what people type."""


class DynamicReferenceParser:
    """Understands what a query points back at; loads the shipped model at its first use.

    Another encoder with `encode` and `read` takes the place of the shipped one, and must give the token states the
    heads were trained on. One that only has `encode` compares topics with turns by its own vectors, while the
    shipped model goes on reading the query.
    """

    def __init__(
        self, encoder: SentenceEncoder | QueryEncoder | None = None, memory_bytes: int = TEXT_BYTES_REMEMBERED
    ) -> None:
        self._given = encoder
        self._memory_bytes = memory_bytes
        self._lock = Lock()
        self._readings: Readings | None = None

    def detect_reference(self, query: str, history: Sequence[Turn] | None = None) -> ReferenceIntent | None:
        """How the query points back, or None where it asks afresh.

        Some queries name a thing that only the history knows ("the deposit, is it refundable?"): with the history
        given they are told from fresh questions, without it only what points back by its form is found.
        """
        text = readable_text(query)
        if text is None:
            return None
        readings = self._loaded()
        turns = readable_turns(history)
        intent = intent_of(text, understood(text, readings), has_history=bool(turns))
        if not turns or (intent is not None and intent.intent_type is not IntentType.TOPIC and not intent.is_followup):
            return intent
        return intent_with_history(text, intent, turns, readings)

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
        return features_of(text, understood(text, self._loaded()))

    def _loaded(self) -> Readings:
        with self._lock:
            if self._readings is None:
                self._readings = Readings(self._given, memory_bytes=self._memory_bytes)
            return self._readings


UNRESOLVED = ReferenceResolution((), None, is_ambiguous=True, confidence=0.0)


@remembering(256)
def language_of(text: str) -> Language:
    """The language of a text; the same query is asked about several times in one decision."""
    return read_language(text)


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


def understood(query: str, readings: Readings) -> Understanding:
    """How a query reads; where it is not clear by which place it points, how what stands beside its pauses does.

    "Ung pangatlo, bawat taon ba?": what is said of the turn would be taken for its topic.
    """
    whole, calibration = readings.understood(query), confidence.shipped()
    if not calibration.leaves_open(whole):
        return whole
    parts = [(start, readings.understood(query[start:end])) for start, end in beside_pauses(query)]
    placed = [(start, part) for start, part in parts if calibration.surely_places(part)]
    # "The one before the last": a part may point elsewhere than the whole does.
    if len({part.positions for _, part in placed} | {whole.positions} - {NO_PLACE}) != 1:
        return whole
    if not placed:
        return whole
    start, surest = max(placed, key=lambda found: calibration.intent_confidence(found[1]))
    return moved(surest, start)


def beside_pauses(query: str) -> list[tuple[int, int]]:
    """Where the words before the first pause stand, and those after the last one."""
    pauses = list(PAUSE.finditer(query))
    return [(0, pauses[0].start()), (pauses[-1].end(), len(query))] if pauses else []


def intent_of(query: str, understanding: Understanding, has_history: bool) -> ReferenceIntent | None:
    calibration = confidence.shipped()
    match calibration.points(understanding, has_history):
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


def intent_with_history(
    query: str, intent: ReferenceIntent | None, turns: Sequence[Turn], readings: Readings
) -> ReferenceIntent | None:
    """Weighs how the query reads together with how well a remembered turn fits it."""
    if intent is None and asked_before(query, turns):
        # Who asks the same once more wants it answered, and does not point at having asked.
        return None
    understanding, calibration = readings.understood(query), confidence.shipped()
    topic = query[slice(*understanding.topic)] if understanding.topic else None
    told_apart = [turns[i] for i in distinct(query, topic, turns, readings)]
    compared = readings.compared(query, topic, told_apart)
    sure = calibration.topic_reference(understanding, compared.rows)
    if sure < calibration.topic_bar and compared.pair is not None:
        # No turn fits well by itself where each fits one half of the query.
        sure = max(sure, calibration.pairing(compared.pair.row).both)
    if sure < calibration.topic_bar and (intent is None or intent.is_followup):
        return intent
    # What points back by its form alone does so though no turn may fit it: then it is asked about.
    found = topic_intent(query, understanding) if intent is None or intent.is_followup else intent
    return replace(found, confidence=sure, topic=topic)


def topic_intent(query: str, understanding: Understanding) -> ReferenceIntent:
    indicators = tuple(query[start:end] for start, end in understanding.indicators)
    return ReferenceIntent(query, IntentType.TOPIC, indicators, 0.0, language=language_of(query))


def features_of(query: str, understanding: Understanding) -> SemanticFeatures:
    places = understanding.positions
    offset = () if places.offset is None else (places.offset,)
    return SemanticFeatures(
        temporal_indicators=() if understanding.time is None else (understanding.time.value,),
        ordinal_positions=(*places.from_start, *places.numbered, *(-n for n in places.from_end)),
        topic_keywords=tuple(content_words(query[slice(*understanding.topic)])) if understanding.topic else (),
        relative_positions=(*(-n for n in places.ago), *offset),
    )


def resolve(intent: ReferenceIntent, turns: Sequence[Turn], readings: Callable[[], Readings]) -> ReferenceResolution:
    """Chooses the way an intent is resolved; only a topic needs the model."""
    numbers = [turn.turn_number for turn in turns]
    if intent.is_followup:
        return one(turns[-1], intent.confidence, is_followup=True)
    named = positions.names_a_place(intent.positions)
    match intent.intent_type:
        case IntentType.RELATIVE if intent.positions.offset is not None and not named:
            return beside_topic(intent, turns, readings())
        case IntentType.ORDINAL | IntentType.RELATIVE if named:
            places = positions.place(intent.positions, numbers)
            return (one_of_places if intent.positions.one_of else at_places)(places, turns, intent.confidence)
        case IntentType.TEMPORAL if intent.time is not None:
            return at_time(intent.time, turns, intent.confidence)
        case IntentType.TOPIC | IntentType.ORDINAL | IntentType.RELATIVE | IntentType.TEMPORAL:
            return about_topic(intent, turns, readings())


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


def one_of_places(places: Places, turns: Sequence[Turn], sure: float) -> ReferenceResolution:
    """The turns one of which is meant; where only one of them is there, that one is a guess."""
    found = at_places(places, turns, sure)
    if len(found.matched_turns) < 2:
        return found
    score = min(found.confidence, confidence.UNDECIDED)
    ranked = tuple((turn, score) for turn, _ in found.matched_turns)
    return ReferenceResolution(ranked, found.best_match, is_ambiguous=True, confidence=score)


def at_time(sense: TemporalSense, turns: Sequence[Turn], sure: float) -> ReferenceResolution:
    places = positions.at_time(sense, [turn.turn_number for turn in turns])
    if sense is not TemporalSense.EARLIER or len(places.found) == 1:
        return at_places(places, turns, sure)
    by_number = {turn.turn_number: turn for turn in turns}
    shares = zip(places.found, confidence.EARLIER_SHARES, strict=False)
    ranked = tuple((by_number[number], sure * share) for number, share in shares)
    return ReferenceResolution(ranked, ranked[0][0], is_ambiguous=True, confidence=ranked[0][1])


def about_topic(intent: ReferenceIntent, turns: Sequence[Turn], readings: Readings) -> ReferenceResolution:
    return about_two(intent, turns, readings) or weighed(intent, turns, [*range(len(turns))], readings)


def about_two(intent: ReferenceIntent, turns: Sequence[Turn], readings: Readings) -> ReferenceResolution | None:
    """The turns of two topics where the query surely names two: both of them, or which of them is to be asked."""
    query = read_of(intent)
    told_apart = [turns[i] for i in distinct(query, intent.topic, turns, readings)]
    pair = readings.compared(query, intent.topic, told_apart).pair
    if pair is None:
        return None
    named, said = (told_apart[pair.first], told_apart[pair.second]), confidence.shipped().pairing(pair.row)
    if said.both >= confidence.BOTH_BAR:
        scored = tuple((turn, said.both) for turn in named)
        return ReferenceResolution(scored, named[0], is_ambiguous=False, confidence=said.both, points_at_several=True)
    if said.either >= confidence.EITHER_BAR:
        scored = tuple((turn, confidence.UNDECIDED) for turn in named)
        return ReferenceResolution(scored, named[0], is_ambiguous=True, confidence=confidence.UNDECIDED)
    return None


def beside_topic(intent: ReferenceIntent, turns: Sequence[Turn], readings: Readings) -> ReferenceResolution:
    """The turn so many before or after the one the topic names; past either end there is none."""
    offset = intent.positions.offset or 0
    targets = [i + offset if 0 <= i + offset < len(turns) else None for i in range(len(turns))]
    return weighed(intent, turns, targets, readings, counts_from_it=True)


def weighed(
    intent: ReferenceIntent,
    turns: Sequence[Turn],
    targets: Sequence[int | None],
    readings: Readings,
    counts_from_it: bool = False,
) -> ReferenceResolution:
    """From how well the topic fits each turn to the turns meant, through each turn's target."""
    query = read_of(intent)
    told_apart = distinct(query, intent.topic, turns, readings)
    rows = readings.compared(query, intent.topic, [turns[i] for i in told_apart]).rows
    calibration = confidence.shipped()
    fits = calibration.fits(rows)
    rivals = rivalry(query, readings.understood(query), rows, fits)
    choice = calibration.choice(intent.confidence, rows, fits, rivals)
    close = close_to_best(fits)
    asks = choice.asks(len(close) > 1, counts_from_it)
    fitting = close if asks else close[:1]
    meant = [(target, float(fits[i])) for i in fitting if (target := targets[told_apart[i]]) is not None]
    if not meant or float(fits.max()) < confidence.LEAST_FIT:
        return UNRESOLVED
    if not asks:
        return one(turns[meant[0][0]], choice.right)
    ranked = tuple((turns[target], min(fit, confidence.UNDECIDED)) for target, fit in meant)
    return ReferenceResolution(ranked, ranked[0][0], is_ambiguous=True, confidence=min(choice.right, ranked[0][1]))


def asked_before(query: str, turns: Sequence[Turn]) -> bool:
    """Whether a query that says by itself what it is about is one of the turns' own, word for word."""
    said = words(query)
    return len(said) >= FEWEST_WORDS_IN_FULL and any(words(turn.query_text) == said for turn in turns)


def distinct(query: str, topic: str | None, turns: Sequence[Turn], readings: Readings) -> list[int]:
    """Where the turns stand that may be meant; of several that asked the same only the best, the newest of equals."""
    asked = [tuple(words(turn.query_text)) for turn in turns]
    if len(set(asked)) == len(turns):
        return [*range(len(turns))]
    fits = confidence.shipped().fits(readings.compared(query, topic, turns).rows)
    best: dict[tuple[str, ...], int] = {}
    for i in sorted(range(len(turns)), key=lambda i: float(fits[i])):
        best[asked[i]] = i
    return sorted(best.values())


def read_of(intent: ReferenceIntent) -> str:
    return readable_text(intent.query) or intent.topic or ""


def close_to_best(fits: Floats) -> list[int]:
    """Turns that fit about as well as the best one, best first."""
    order = [int(i) for i in (-fits).argsort(kind="stable")[: confidence.MOST_CANDIDATES]]
    return [i for i in order if fits[i] >= confidence.CLOSE_BEHIND * fits[order[0]]]


def one(turn: Turn, sure: float, is_followup: bool = False) -> ReferenceResolution:
    return ReferenceResolution(((turn, sure),), turn, is_ambiguous=False, confidence=sure, is_followup=is_followup)
