"""Reading a reply to a clarification: what it picks, what it rules out, and whether it is an answer at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gunita.language.clarification_records import Clarification, Meaning
from gunita.language.clarification_topics import Topics
from gunita.language.clarification_words import LETTERS, Sign, Word, clauses, words_of
from gunita.language.words import words
from gunita.models import Turn

STRAY_WORDS = 1.0
"""How much of a reply may be about something else while its pick still counts ("the second one, bestie")."""
LONGEST_FRAGMENT = 3
"""Up to this many topic words without a question word are an attempt at an answer, also when nothing matches them."""
SHORTEST_SENTENCE = 2
STRUCTURAL = frozenset({Sign.FILLER, Sign.POINTER, Sign.TURN, Sign.CHOICE, Sign.TAG})
DECIDING = frozenset({Sign.YES, Sign.NO, Sign.NONE, Sign.ALL, Sign.ANY, Sign.DROP})
ANSWERING = DECIDING | {
    Sign.ORDINAL, Sign.CARDINAL, Sign.LAST, Sign.BEFORE_LAST, Sign.MIDDLE, Sign.OLDER, Sign.NEWER, Sign.NOT, Sign.OTHER,
    Sign.TURN, Sign.CHOICE, Sign.POINTER,
}  # fmt: skip
"""How an answer opens; a query of its own opens with a question word or with a word of its own topic."""
JOINERS = frozenset({Sign.AND, Sign.OR, Sign.BUT})


@dataclass(slots=True)
class Reading:
    """What a reply says; several of these may hold at once, and the engine decides which of them counts."""

    picked: list[Turn] = field(default_factory=list)
    ruled_out: list[Turn] = field(default_factory=list)
    alternatives: bool = False
    """The picks are joined by "or": one of them is meant."""
    signs: set[Sign] = field(default_factory=set)
    names_a_missing_place: bool = False
    names_something_else: bool = False
    """Some of its topic words fit no candidate."""
    only_points: bool = False
    """It holds a demonstrative and nothing that would say which ("that's the one")."""
    is_new_query: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a reply between commas and conjunctions."""

    words: tuple[Word, ...]
    joined_by: Sign | None = None

    def has(self, *signs: Sign) -> bool:
        return any(word.sign in signs for word in self.words)

    @property
    def denies(self) -> bool:
        """Tell a denial ("hindi yung una") from a tag ("di ba yung una")."""
        pairs = zip(self.words, (*self.words[1:], None), strict=True)
        return any(one.sign is Sign.NOT and not (two and two.sign is Sign.TAG) for one, two in pairs)


def read_reply(reply: str, asked: Clarification, meaning: Meaning | None) -> Reading:
    """Read a reply against the question that it may answer."""
    if named := _named_in_full(reply, asked):
        return Reading(picked=[named])
    topics = Topics(asked.shown, asked.turns)
    segments = _segments([[_unless_topical(word, topics) for word in clause] for clause in clauses(reply)])
    if _is_fragment(segments, topics):
        topics.meaning = meaning
    reading = Reading()
    for segment in segments:
        _read_segment(segment, asked, topics, reading, alone=len(segments) == 1)
    content = [word for segment in segments for word in segment.words if word.sign is None]
    stray = topics.unexplained(content)
    reading.names_something_else = bool(stray)
    reading.only_points = not stray and any(segment.has(Sign.POINTER) for segment in segments)
    reading.is_new_query = _is_new_query(segments, stray, topics, reading)
    return reading


def _unless_topical(word: Word, topics: Topics) -> Word:
    """Take back a mended spelling where a candidate holds the word as it was typed."""
    return Word(word.text) if word.guessed and topics.holds(word.text) else word


def _is_fragment(segments: Sequence[Segment], topics: Topics) -> bool:
    """Tell a fragment that can only be an answer from a sentence, whose meaning is always near to something."""
    said = [word for segment in segments for word in segment.words if topics.opens(word)]
    content = sum(word.sign is None for word in said)
    if not said or content > LONGEST_FRAGMENT or any(word.sign is Sign.ASKING for word in said):
        return False
    return said[0].sign in ANSWERING or len(said) <= SHORTEST_SENTENCE


def _named_in_full(reply: str, asked: Clarification) -> Turn | None:
    """Find the turn whose question or label was typed or tapped whole."""
    said = words(reply)
    if not said:
        return None
    for choice in asked.choices:
        if said in (words(choice.label), words(f"{choice.label} {choice.place}")):
            return choice.turn
    return next((turn for turn in asked.turns if said == words(turn.query_text)), None)


def _segments(found: Sequence[Sequence[Word]]) -> list[Segment]:
    segments: list[Segment] = []
    for clause in found:
        current: list[Word] = []
        joined_by: Sign | None = None
        for word in clause:
            if word.sign in JOINERS and current:
                segments.append(Segment(tuple(current), joined_by))
                current, joined_by = [], word.sign
            elif word.sign not in JOINERS:
                current.append(word)
        if current:
            segments.append(Segment(tuple(current), joined_by))
    return segments


def _read_segment(segment: Segment, asked: Clarification, topics: Topics, reading: Reading, *, alone: bool) -> None:
    places = _Places(asked, segment.words, alone)
    placed = places.turns() if not topics.quotes(segment.words) else []
    content = [word for word in segment.words if word.sign is None]
    topical = topics.match(content) if content else []
    reading.names_a_missing_place |= places.missing and not (placed or topical)
    if segment.has(Sign.NONE) and not topical:
        reading.signs.add(Sign.NONE)
    elif not (placed or topical):
        reading.signs |= _signs(segment)
        if segment.has(Sign.NO):
            reading.picked.clear()
    elif segment.denies or _is_excepted(segment, reading):
        reading.ruled_out += placed or topical
    else:
        _pick(segment, placed, topical, reading)


def _pick(segment: Segment, placed: list[Turn], topical: list[Turn], reading: Reading) -> None:
    """Join a place and a topic: what both name; where they disagree, either may be meant."""
    both = [turn for turn in placed if turn in topical]
    pronoun = all(word.number == 1 for word in segment.words if word.sign is Sign.CARDINAL) and not segment.has(
        Sign.ORDINAL, Sign.LAST
    )
    turns = both or (topical if topical and pronoun else [*placed, *topical])
    disagree = bool(placed and topical) and not both and not pronoun
    if segment.has(Sign.NO):
        reading.picked.clear()
    reading.picked += [turn for turn in turns if turn not in reading.picked]
    unclear = disagree or (len(turns) > 1 and (len(topical) > 1 or segment.has(Sign.OLDER, Sign.NEWER)))
    reading.alternatives |= segment.joined_by is Sign.OR or unclear


def _is_excepted(segment: Segment, reading: Reading) -> bool:
    """Read "anything but the first"."""
    return segment.joined_by is Sign.BUT and bool(reading.signs & {Sign.ANY, Sign.ALL}) and not reading.picked


def _signs(segment: Segment) -> set[Sign]:
    """Gather what a segment says beside picks; a denied verb of knowing says that the user cannot tell."""
    signs = {word.sign for word in segment.words if word.sign} - STRUCTURAL
    know = words_of(Sign.KNOW)
    if any(word.text in know for word in segment.words):
        signs -= {Sign.KNOW}
        if segment.denies or Sign.NONE in signs or Sign.NO in signs:
            return {Sign.DROP}
    if segment.denies and not signs & {Sign.ALL, Sign.ANY, Sign.DROP}:
        return {Sign.NO}
    if segment.denies and Sign.ALL in signs:
        return {Sign.NONE}
    return signs


@dataclass(slots=True)
class _Places:
    """The places that a segment's number words name, as the question displayed them."""

    asked: Clarification
    words: tuple[Word, ...]
    alone: bool
    missing: bool = False

    def turns(self) -> list[Turn]:
        shown = list(self.asked.shown)
        found = self._compared(shown) or self._groups(shown) or self._singles(shown)
        return list({turn.id: turn for turn in found}.values())

    def _compared(self, shown: list[Turn]) -> list[Turn]:
        """Read "the older one" and "yung mas bago": the one half of what is shown."""
        half = max(1, len(shown) // 2)
        if len(shown) > 1 and any(word.sign is Sign.OLDER for word in self.words):
            return shown[:half]
        if len(shown) > 1 and any(word.sign is Sign.NEWER for word in self.words):
            return shown[-half:]
        return []

    def _groups(self, shown: list[Turn]) -> list[Turn]:
        """Read "the last two", "unang dalawa", "silang dalawa", "las dos"."""
        for index, word in enumerate(self.words):
            if word.sign is not Sign.CARDINAL or word.number < 2 or word.text.isdigit():
                continue
            before = self.words[index - 1] if index else word
            if index + 1 < len(self.words) and self.words[index + 1].sign in (Sign.LAST, Sign.ORDINAL):
                before = self.words[index + 1]
            if before.sign is Sign.LAST and word.number <= len(shown):
                return shown[-word.number :]
            if before.sign is Sign.ORDINAL and before.number == 1 and word.number <= len(shown):
                return shown[: word.number]
            if before.sign in (Sign.POINTER, Sign.ALL) and word.number == len(shown):
                return shown
        return []

    def _singles(self, shown: list[Turn]) -> list[Turn]:
        found: list[Turn] = []
        for index, word in enumerate(self.words):
            found += self._one(index, word, shown)
        return found or self._letter(shown)

    def _one(self, index: int, word: Word, shown: list[Turn]) -> list[Turn]:
        match word.sign:
            case Sign.ORDINAL | Sign.CARDINAL if self._counts(index):
                return self._numbered(index, word.number, shown)
            case Sign.LAST if not self._after_number(index):
                return [self._last(shown)] if shown else []
            case Sign.BEFORE_LAST:
                return shown[-2:-1]
            case Sign.MIDDLE:
                return [shown[len(shown) // 2]] if len(shown) % 2 else []
            case _:
                return []

    def _counts(self, index: int) -> bool:
        """Tell a number from "one" and "isa" used as pronouns ("the second one", "yung isa")."""
        word = self.words[index]
        if word.sign is Sign.ORDINAL or word.number != 1 or word.text.isdigit():
            return True
        others = [other for other in self.words if other is not word and other.sign is not Sign.FILLER]
        return self.alone and all(other.sign is Sign.CHOICE for other in others)

    def _after_number(self, index: int) -> bool:
        """Tell whether "last" closes "second to last" or "pangalawa sa huli", which its number has read."""
        earlier = self.words[max(0, index - 4) : index]
        return any(word.sign is Sign.ORDINAL and word.number > 1 for word in earlier)

    def _numbered(self, index: int, number: int, shown: list[Turn]) -> list[Turn]:
        after = self.words[index + 1 : index + 5]
        if number > 1 and any(word.sign is Sign.LAST for word in after):
            return self._at(shown, len(shown) - number)
        if any(word.sign is Sign.AGO for word in self.words):
            return self._turn_number(self.asked.latest_turn - number + 1)
        by_index = self._at(shown, number - 1) if number >= 1 else []
        by_turn = self._turn_number(number)
        found = (by_turn or by_index) if self._speaks_of_turns(index) else (by_index or by_turn)
        self.missing |= not found
        return found

    def _speaks_of_turns(self, index: int) -> bool:
        """Tell "question 5" and "ika-5 kong tanong", whose number is the turn's, from "number 5"."""
        near = self.words[max(0, index - 2) : index] + self.words[index + 1 : index + 4]
        return any(word.sign is Sign.TURN for word in near)

    def _turn_number(self, number: int) -> list[Turn]:
        ordered = [*self.asked.shown, *self.asked.turns]
        return [turn for turn in ordered if turn.turn_number == number][:1]

    def _last(self, shown: list[Turn]) -> Turn:
        if any(word.sign is Sign.TURN for word in self.words):
            return next(iter(self._turn_number(self.asked.latest_turn)), shown[-1])
        return shown[-1]

    def _letter(self, shown: list[Turn]) -> list[Turn]:
        said = [word for word in self.words if word.sign is not Sign.CHOICE]
        if not self.alone or len(said) != 1 or len(said[0].text) != 1 or said[0].text not in LETTERS:
            return []
        return self._at(shown, LETTERS.index(said[0].text))

    @staticmethod
    def _at(shown: list[Turn], index: int) -> list[Turn]:
        return [shown[index]] if 0 <= index < len(shown) else []


def _is_new_query(segments: Sequence[Segment], stray: Sequence[Word], topics: Topics, reading: Reading) -> bool:
    """Decide whether a reply speaks of something else: what it is about, how it opens, and how much it says."""
    said = [word for segment in segments for word in segment.words if topics.tells(word)]
    if not said or not stray:
        return bool(said) and said[0].sign is Sign.ASKING and reading.names_a_missing_place
    opening = next(word for segment in segments for word in segment.words if topics.opens(word))
    names_a_turn = opening.sign is None and opening not in stray and bool(reading.picked)
    opens_as_an_answer = names_a_turn or opening.sign in ANSWERING
    if not opens_as_an_answer and any(word.sign is Sign.ASKING for word in said):
        return True
    weight = topics.weight(stray)
    if reading.picked or reading.ruled_out or reading.signs & DECIDING:
        return weight > (STRAY_WORDS if opens_as_an_answer else STRAY_WORDS / 2)
    content = sum(word.sign is None for word in said)
    return content > LONGEST_FRAGMENT or (not opens_as_an_answer and (len(said) > 1 or said[0] != opening))
