"""From what the heads say about a query to what it means: places, time, topic; exact wherever numbers are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gunita.language.heads import KINDS, OFFSETS, TAGS, TIMES, TOPIC_TAG, Floats, HeadReading
from gunita.language.numerals import numeral_around
from gunita.models import IntentType, Positions, TemporalSense

Span = tuple[int, int]

LIKELY = 0.5
NOT_UNLIKELY = 0.2
NO_PLACE = Positions()
SURE_BESIDE_DIGITS, SURE_BESIDE_WORDS = 0.8, 0.6
"""Where the places are all written, the heads may add another only when they are this sure of it."""
TOPIC_FLOOR = 0.35
"""Tokens at least this likely to belong to the topic are part of it."""
LARGEST_PLACE = 100_000
DIGITS = re.compile(r"\d{1,9}")
COUNTING_MARK = re.compile(r"(?:ika|pang|pam)[\s-]*\d+|\d+\s*(?:st|nd|rd|th|º|ª|o|a)\b", re.IGNORECASE)
START_ROLES = frozenset({"start", "head", "range_from", "range_to"})
END_ROLES = frozenset({"end", "tail"})


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number the query uses to point, as written."""

    span: Span
    role: str
    value: int | None
    """None where it is neither in digits nor in words that are known; the heads say its value."""
    counts: bool
    """Whether it is written as a count ("3rd", "ika-3", "third") and not as a name ("turn 3", "answer three")."""
    in_digits: bool


@dataclass(frozen=True, slots=True)
class Understanding:
    """What one query means, before any history is known."""

    followup: float
    reference: float
    kind: IntentType
    kind_probability: float
    kind_probability_of_topic: float
    positions: Positions
    place_probability: float
    """How sure the heads are of all the places taken together."""
    time: TemporalSense | None
    time_probability: float
    topic: Span | None
    indicators: tuple[Span, ...]


def understand(query: str, said: HeadReading, offsets: Sequence[Span]) -> Understanding:
    mentions = number_mentions(query, said.tags, offsets)
    topic = topic_span(query, said.tags[:, TOPIC_TAG], offsets)
    positions = positions_of(said, mentions, topic)
    time = time_of(said)
    kind = kind_of(said, positions, time, topic)
    _, followup, reference = (float(p) for p in said.label)
    return Understanding(
        followup=followup,
        reference=reference,
        kind=kind,
        kind_probability=float(said.kind[KINDS.index(kind.value)]),
        kind_probability_of_topic=float(said.kind[KINDS.index(IntentType.TOPIC.value)]),
        positions=positions,
        place_probability=place_probability(said, positions, mentions),
        time=time,
        time_probability=float(said.time[TIMES.index(time.value if time else "none")]),
        topic=topic,
        indicators=tuple(sorted({*(m.span for m in mentions), *((topic,) if topic else ())})),
    )


def moved(understanding: Understanding, by: int) -> Understanding:
    """The same of a part of a query, said of the whole: so many characters stand before it."""

    def there(span: Span) -> Span:
        return span[0] + by, span[1] + by

    topic = understanding.topic and there(understanding.topic)
    return replace(understanding, topic=topic, indicators=tuple(map(there, understanding.indicators)))


def number_mentions(query: str, tags: Floats, offsets: Sequence[Span]) -> tuple[NumberMention, ...]:
    """What the heads take for numbers, in order; parts that they found of one number are that number once."""
    found: list[NumberMention] = []
    for span, role in tagged_spans(query, tags, offsets):
        for mention in mentions_in(query, span, role):
            found = [before for before in found if before.span[1] <= mention.span[0]]
            found.append(mention)
    return tuple(found)


def tagged_spans(query: str, tags: Floats, offsets: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """Runs of tokens the heads give one role in counting, widened to whole words."""
    best = tags.argmax(axis=1)
    at = 0
    while at < len(offsets):
        tag, end = int(best[at]), at + 1
        while end < len(offsets) and int(best[end]) == tag:
            end += 1
        span = (offsets[at][0], offsets[end - 1][1])
        if tag > TOPIC_TAG and span[0] < span[1]:
            yield whole_words(query, span), TAGS[tag]
        at = end


def mentions_in(query: str, span: Span, role: str) -> Iterator[NumberMention]:
    text = query[span[0] : span[1]]
    written = list(DIGITS.finditer(text))
    if not written:
        yield mention_in_words(query, span, role)
    for number in written:
        counts = any(m.start() <= number.start() < m.end() for m in COUNTING_MARK.finditer(text))
        place = (span[0] + number.start(), span[0] + number.end())
        yield NumberMention(place, role, int(number[0]), counts, in_digits=True)


def mention_in_words(query: str, span: Span, role: str) -> NumberMention:
    """A number in words as far as it goes: of "one hundred and five" the heads may mark the one and the five."""
    found = numeral_around(query, *span)
    if found is None:
        return NumberMention(span, role, None, counts=True, in_digits=False)
    number, whole = found
    return NumberMention(whole, role, number.value, number.counts, in_digits=False)


def whole_words(query: str, span: Span) -> Span:
    start, end = span
    while start > 0 and (query[start - 1].isalnum() or query[start - 1] == "-"):
        start -= 1
    while end < len(query) and query[end].isalnum():
        end += 1
    return start, end


def positions_of(said: HeadReading, mentions: Sequence[NumberMention], topic: Span | None) -> Positions:
    """Places and the step beside them, and whether all of the places are meant or one of them."""
    found = placed(said, mentions, topic)
    return replace(found, one_of=names_several(found) and float(said.one_of[1]) > LIKELY)


def names_several(positions: Positions) -> bool:
    places = (positions.from_start, positions.from_end, positions.ago, positions.numbered)
    return sum(map(len, places)) > 1


def placed(said: HeadReading, mentions: Sequence[NumberMention], topic: Span | None) -> Positions:
    """Places and the step beside them; one query counts from a topic, or from a place, or from now."""
    offset = offset_of(said, exact(mentions, "offset"))
    if offset is None:
        found = places_of(said, mentions)
        return likeliest(said, topic) if found == NO_PLACE else found
    counting = [m for m in mentions if m.role != "offset" and not is_within(m.span, topic)]
    if topic is not None and not counting:
        return Positions(offset=offset)
    found = places_of(said, mentions)
    counts_from_now = any(m.role == "ago" for m in counting) or float(said.ago.max()) >= float(said.offset.max())
    if found.ago and counts_from_now:
        return found
    return replace(found, ago=(), offset=offset)


def likeliest(said: HeadReading, topic: Span | None) -> Positions:
    """The likeliest place, where the query as a whole points by one and none is likely by itself."""
    steps = np.where(np.array(OFFSETS) == 0, 0.0, said.offset)
    match KINDS[int(said.kind.argmax())]:
        case IntentType.RELATIVE.value if topic is not None and float(steps.max()) >= max(NOT_UNLIKELY, said.ago.max()):
            return Positions(offset=OFFSETS[int(steps.argmax())])
        case IntentType.RELATIVE.value if float(said.ago.max()) >= NOT_UNLIKELY:
            return Positions(ago=(int(said.ago.argmax()) + 1,))
        case IntentType.ORDINAL.value if float(said.from_start.max()) >= max(NOT_UNLIKELY, said.from_end.max()):
            return Positions(from_start=(int(said.from_start.argmax()) + 1,))
        case IntentType.ORDINAL.value if float(said.from_end.max()) >= NOT_UNLIKELY:
            return Positions(from_end=(int(said.from_end.argmax()) + 1,))
        case _:
            return NO_PLACE


def is_within(span: Span, topic: Span | None) -> bool:
    return topic is not None and topic[0] <= span[0] and span[1] <= topic[1]


def places_of(said: HeadReading, mentions: Sequence[NumberMention]) -> Positions:
    start = [m for m in mentions if m.role in START_ROLES]
    from_start = places(said.from_start, from_the_start(m for m in start if m.counts or m.role != "start"), start)
    named = tuple(m.value for m in start if m.value is not None and m.role == "start" and not m.counts)
    return Positions(
        from_start=tuple(n for n in from_start if n not in named),
        from_end=places(said.from_end, from_the_end(mentions), [m for m in mentions if m.role in END_ROLES]),
        ago=places(said.ago, exact(mentions, "ago"), [m for m in mentions if m.role == "ago"]),
        numbered=tuple(n for n in named if 1 <= n <= LARGEST_PLACE),
    )


def places(likely: Floats, written: Sequence[int], mentions: Sequence[NumberMention]) -> tuple[int, ...]:
    """Places in the order of the query where they are written, then what else the heads read."""
    if past_reach(likely, mentions):
        return tuple(dict.fromkeys(written))
    read = [n for n, p in enumerate(likely, 1) if p > sureness_to_add(mentions) and n not in spoken_for(mentions)]
    return tuple(dict.fromkeys([*written, *read]))


def spoken_for(mentions: Sequence[NumberMention]) -> set[int]:
    """Every number that is written, and the ten and the unit of each: of "ikanapulo ug lima" the heads may read ten."""
    written = [m.value for m in mentions if m.value is not None]
    return {*written, *(n % 10 for n in written), *(n - n % 10 for n in written)}


def sureness_to_add(mentions: Sequence[NumberMention]) -> float:
    """How sure the heads must be of a place that is not among those written."""
    if not mentions or any(m.value is None for m in mentions):
        return LIKELY
    return SURE_BESIDE_DIGITS if all(m.in_digits for m in mentions) else SURE_BESIDE_WORDS


def past_reach(likely: Floats, mentions: Sequence[NumberMention]) -> bool:
    """Whether a number is larger than any the heads know, so that what they read of it is some other number."""
    return any(m.value is not None and m.value > len(likely) for m in mentions)


def from_the_start(mentions: Iterator[NumberMention]) -> list[int]:
    found: list[int] = []
    begin = 1
    for mention in mentions:
        if mention.value is None or not 1 <= mention.value <= LARGEST_PLACE:
            continue
        match mention.role:
            case "head":
                found += range(1, min(mention.value, 100) + 1)
            case "range_from":
                begin = mention.value
                found.append(begin)
            case "range_to":
                found += range(begin, min(mention.value, begin + 100) + 1)
            case _:
                found.append(mention.value)
    return found


def from_the_end(mentions: Sequence[NumberMention]) -> list[int]:
    return [
        *exact(mentions, "end"),
        *(n for size in exact(mentions, "tail") for n in range(1, min(size, 100) + 1)),
    ]


def exact(mentions: Sequence[NumberMention], role: str) -> list[int]:
    values = (m.value for m in mentions if m.role == role)
    return [value for value in values if value is not None and 1 <= value <= LARGEST_PLACE]


def offset_of(said: HeadReading, written: Sequence[int]) -> int | None:
    best = OFFSETS[int(said.offset.argmax())]
    if best == 0:
        return None
    return (1 if best > 0 else -1) * written[0] if written else best


def time_of(said: HeadReading) -> TemporalSense | None:
    """The sense of a time word; where the query as a whole points by time, the likeliest of them."""
    by_time = KINDS[int(said.kind.argmax())] == IntentType.TEMPORAL.value
    name = TIMES[int((said.time[: len(TemporalSense)] if by_time else said.time).argmax())]
    return None if name == "none" else TemporalSense(name)


def topic_span(query: str, likely: Floats, offsets: Sequence[Span]) -> Span | None:
    """The run of words that names a topic: the weightiest run of likely tokens, small gaps bridged."""
    inside = [i for i, p in enumerate(likely) if p >= TOPIC_FLOOR and offsets[i][0] < offsets[i][1]]
    if not inside:
        return None
    runs = [[inside[0]]]
    for i in inside[1:]:
        if i - runs[-1][-1] <= 2:
            runs[-1].append(i)
        else:
            runs.append([i])
    best = max(runs, key=lambda run: float(np.sum(likely[run])))
    return whole_words(query, (offsets[best[0]][0], offsets[best[-1]][1]))


def kind_of(said: HeadReading, positions: Positions, time: TemporalSense | None, topic: Span | None) -> IntentType:
    """The likeliest kind among those the query gives the means for."""
    placed = bool(positions.from_start or positions.from_end or positions.ago or positions.numbered)
    possible = {
        IntentType.ORDINAL: bool(positions.from_start or positions.from_end or positions.numbered),
        IntentType.RELATIVE: placed or (positions.offset is not None and topic is not None),
        IntentType.TEMPORAL: time is not None,
        IntentType.TOPIC: topic is not None,
    }
    kinds = [kind for kind in possible if possible[kind]] or list(possible)
    return max(kinds, key=lambda kind: float(said.kind[KINDS.index(kind.value)]))


def place_probability(said: HeadReading, positions: Positions, mentions: Sequence[NumberMention]) -> float:
    """Product over every class of how sure the heads are of what was taken; what is written speaks for itself."""
    written = spoken_for(mentions)
    step = positions.offset or 0
    product = float(said.offset[OFFSETS.index(step)] if step in OFFSETS else said.offset.max())
    places = ((said.from_start, positions.from_start), (said.from_end, positions.from_end), (said.ago, positions.ago))
    for likely, taken in places:
        for n, p in enumerate(() if past_reach(likely, mentions) else likely, 1):
            if n not in written:
                product *= float(p) if n in taken else 1.0 - float(p)
    return product * float(said.one_of.max()) if names_several(positions) else product
