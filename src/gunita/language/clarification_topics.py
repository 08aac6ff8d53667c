"""Comparing a reply's topic words with the turns it may mean: by words, and by meaning where there is an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from gunita.language.clarification_records import Meaning
from gunita.language.clarification_words import Sign, Word, slips
from gunita.language.languages import commonness
from gunita.language.words import FUNCTION_WORDS, best_likeness, trigrams, words
from gunita.models import Turn

ALIKE = 0.55
"""From this likeness on, two words are taken for forms or misspellings of one."""
FROM_THE_RESPONSE = 0.75
"""A word of the answer counts less than a word of the question: the user knows a turn by what they asked."""
COVERED = 0.5
"""The share of a reply's topic words that a turn must hold to be meant."""
CLEAR_LEAD = 0.12
COMMON_WORDS_COUNT_LESS = 0.6
SHORTEST_TELLING = 3
"""Shorter words that nothing explains are mostly interjections."""
LONG_ENOUGH_FOR_A_SLIP = 5
SLIPPED = 0.8

RELATED = 0.2
MEANING_LEAD = 0.05
"""From this cosine, and this lead over every other candidate, a fragment names a turn by its meaning."""
LONGEST_MEANING = 300
MOST_WORDS_COMPARED = 24
LONGEST_COMPARED = 600
"""Characters of a turn that are compared; a user who names a turn names what it opened with."""


@dataclass
class Topics:
    """The candidates' words and vectors, worked out once for a reply."""

    shown: Sequence[Turn]
    pool: Sequence[Turn]
    meaning: Meaning | None = None
    settled_by_meaning: set[str] = field(default_factory=set)

    @cached_property
    def _words(self) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
        every = {turn.turn_number: turn for turn in (*self.pool, *self.shown)}
        return {number: (_words_of(turn.query_text), _words_of(turn.response_text)) for number, turn in every.items()}

    def quotes(self, said: Sequence[Word]) -> bool:
        """Tell whether a number word belongs to a turn's own words ("first aid", "2 days") and picks no place."""
        texts = [f" {' '.join(words(turn.query_text))} " for turn in self.pool]
        numbers = (Sign.ORDINAL, Sign.CARDINAL, Sign.LAST)
        return any(
            f" {one.text} {two.text} " in text
            for one, two in pairwise(said)
            if (one.sign in numbers and two.sign is None) or (two.sign in numbers and one.sign is None)
            for text in texts
        )

    def match(self, said: Sequence[Word]) -> list[Turn]:
        """Find the turns that the words name, among those shown first and among the others after that."""
        topical = [word for word in said if self._weight(word.text) > 0][:MOST_WORDS_COMPARED]
        if not topical:
            return []
        found = self._by_words(topical, self.shown)
        if len(found) == 1:
            return found
        if self.meaning is not None and (meant := self._by_meaning(self.meaning, topical, found)):
            self.settled_by_meaning |= {word.text for word in topical}
            return meant
        return found or self._by_words(topical, self.pool)

    def unexplained(self, said: Sequence[Word]) -> list[Word]:
        """Keep the topic words that no candidate holds and that meaning did not settle either."""
        return [
            word
            for word in said[:MOST_WORDS_COMPARED]
            if self._weight(word.text) > 0
            and len(word.text) >= SHORTEST_TELLING
            and word.text not in self.settled_by_meaning
            and max((self._held(word.text, turn) for turn in self.pool), default=0.0) < ALIKE * FROM_THE_RESPONSE
        ]

    def tells(self, word: Word) -> bool:
        """Tell a word that says something from courtesy and grammar."""
        if word.sign is None:
            return self._weight(word.text) > 0 and len(word.text) >= SHORTEST_TELLING
        return word.sign is not Sign.FILLER

    @staticmethod
    def opens(word: Word) -> bool:
        """Tell whether a reply may be judged by this word when it is its first ("tell" in "tell me a joke")."""
        return len(word.text) >= SHORTEST_TELLING if word.sign is None else word.sign is not Sign.FILLER

    def holds(self, word: str) -> bool:
        return any(word in asked or word in answered for asked, answered in self._words.values())

    def weight(self, said: Sequence[Word]) -> float:
        return sum(self._weight(word.text) for word in said)

    def _by_words(self, said: Sequence[Word], turns: Sequence[Turn]) -> list[Turn]:
        whole = self.weight(said)
        scores = [(sum(self._weight(w.text) * self._held(w.text, t) for w in said) / whole, t) for t in turns]
        best = max((score for score, _ in scores), default=0.0)
        if best < COVERED * FROM_THE_RESPONSE:
            return []
        near = [turn for score, turn in scores if score >= best - CLEAR_LEAD]
        return near if len(near) < len(turns) or len(turns) == 1 else []

    def _by_meaning(self, meaning: Meaning, said: Sequence[Word], among: Sequence[Turn]) -> list[Turn]:
        """Find the one turn that is clearly nearest in meaning, against all candidates for contrast."""
        texts = [text[:LONGEST_MEANING] for turn in self.pool for text in (turn.query_text, turn.response_text)]
        vectors = meaning.encode([" ".join(word.text for word in said), *texts])
        cosines = (vectors[1:] @ vectors[0]).reshape(-1, 2)
        scores = np.maximum(cosines[:, 0], cosines[:, 1] * FROM_THE_RESPONSE)
        order = np.argsort(-scores, kind="stable")
        best = self.pool[int(order[0])]
        lead = float(scores[order[0]] - scores[order[1]]) if len(order) > 1 else 0.0
        clear = float(scores[order[0]]) >= RELATED and lead >= MEANING_LEAD
        return [best] if clear and (not among or best in among) else []

    def _held(self, word: str, turn: Turn) -> float:
        asked, answered = self._words[turn.turn_number]
        in_question = _likeness(word, asked)
        if in_question >= ALIKE:
            return in_question
        in_answer = _likeness(word, answered)
        return in_answer * FROM_THE_RESPONSE if in_answer >= ALIKE else 0.0

    @staticmethod
    def _weight(word: str) -> float:
        if word in FUNCTION_WORDS or len(word) < 2:
            return 0.0
        return 1.0 - COMMON_WORDS_COUNT_LESS * commonness(word)


def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text[:LONGEST_COMPARED]))


def _likeness(word: str, others: frozenset[str]) -> float:
    """Compare a word with a text's words; one slip in a longer word is taken for the same word."""
    if word in others:
        return 1.0
    mine = trigrams(word)
    # Forms and misspellings of a word share letters in a row; most words share none, and are passed over cheaply.
    near = [other for other in others if not mine.isdisjoint(trigrams(other))]
    best = best_likeness(word, near)
    if best >= ALIKE or len(word) < LONG_ENOUGH_FOR_A_SLIP:
        return best
    return SLIPPED if any(abs(len(word) - len(other)) <= 1 and slips(word, other) == 1 for other in near) else best
