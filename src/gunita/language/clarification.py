"""ClarificationEngine: when to ask which turn is meant, what to ask, and what the reply settles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never
from uuid import UUID

from gunita.errors import NotFoundError
from gunita.language.clarification_questions import Why, choices_for, speaking, word_question, wording_for
from gunita.language.clarification_records import (
    Candidate,
    Choice,
    Clarification,
    GaveUp,
    LoadedOnUse,
    Meaning,
    Narrowed,
    NotAnAnswer,
    Outcome,
    Settled,
    by_number,
)
from gunita.language.clarification_replies import Reading, read_reply
from gunita.language.clarification_topics import Topics
from gunita.language.clarification_words import Sign, Word
from gunita.language.words import content_words
from gunita.models import ReferenceResolution, Turn

__all__ = [
    "Choice", "Clarification", "ClarificationEngine", "GaveUp", "LoadedOnUse", "Meaning", "Narrowed", "NotAnAnswer",
    "Outcome", "Settled",
]  # fmt: skip

ROUNDS = 3
CHOICES_BY_ROUND = (5, 4, 3)
"""Broad first, then fewer."""
OFFERED_WHEN_NOTHING_FITS = 3
MOST_CANDIDATES = 12
LATEST_COMPARED = 50


class ClarificationEngine:
    """Asks the user which turn is meant, and reads the answer; it keeps nothing between calls."""

    def __init__(
        self,
        meaning: Meaning | None = None,
        *,
        sure_from: float = 0.7,
        rival_from: float = 0.6,
        clear_lead: float = 0.1,
        rounds: int = ROUNDS,
    ) -> None:
        self._meaning = meaning
        self._sure_from = sure_from
        self._rival_from = rival_from
        self._clear_lead = clear_lead
        self._rounds = rounds

    def needs_clarification(self, query: str, resolution: ReferenceResolution) -> bool:
        """Say whether the user must be asked before the query can go on; a follow-up never asks."""
        if resolution.is_followup:
            return False
        ranked = sorted((score for _, score in resolution.matched_turns), reverse=True)
        if resolution.is_ambiguous or resolution.best_match is None or not ranked:
            return True
        if not ranked[0] >= self._sure_from:
            return True
        return not resolution.points_at_several and self._has_a_rival(ranked)

    def _has_a_rival(self, ranked: Sequence[float]) -> bool:
        return len(ranked) > 1 and ranked[1] > self._rival_from and ranked[0] - ranked[1] < self._clear_lead

    def generate_clarification_question(
        self, query: str, resolution: ReferenceResolution, history: Sequence[Turn]
    ) -> str:
        """Put the question that `ask` would ask, as text alone."""
        return self.ask(query, resolution, history).question

    def ask(
        self,
        query: str,
        resolution: ReferenceResolution,
        history: Sequence[Turn],
        round: int = 1,
    ) -> Clarification:
        """Ask which turn a query means, in its user's language, with the likeliest turns as choices."""
        matched = _ranked(resolution.matched_turns)
        others = _nearest_first("" if matched else query, history, without={turn.id for turn, _ in matched})
        candidates = (*matched, *((turn, 0.0) for turn in others))[:MOST_CANDIDATES]
        offered = len(matched) or OFFERED_WHEN_NOTHING_FITS
        language, polite = speaking(query, history or [turn for turn, _ in matched])
        numbers = [turn.turn_number for turn in (*history, *(turn for turn, _ in matched))]
        draft = Clarification(query, "", (), candidates, language, polite, round, max(numbers, default=0))
        why = Why.SEVERAL_FIT if matched else Why.NOTHING_FITS
        return _showing(draft, candidates[:offered], why=why, fitting=len(matched), remembered=_span(history))

    def settle(self, asked: Clarification, reply: str) -> Outcome:
        """Read the reply to a clarification: it settles it, narrows it, or has nothing to do with it."""
        if not asked.candidates:
            return NotAnAnswer()
        reading = read_reply(reply, asked, self._meaning)
        if reading.is_new_query:
            return NotAnAnswer()
        if reading.picked:
            return self._picked(asked, reading)
        if reading.ruled_out:
            return self._left(asked, without=reading.ruled_out)
        return self._answered_without_a_pick(asked, reading)

    def choose(self, asked: Clarification, turn_number: int) -> Settled:
        """Settle a clarification by the tap on one of its choices."""
        found = [turn for turn in asked.turns if turn.turn_number == turn_number]
        if not found:
            raise NotFoundError("choice", turn_number)
        return Settled((found[0],))

    def resolve_with_clarification(
        self, original_query: str, clarification_response: str, resolution: ReferenceResolution
    ) -> Turn:
        """Give the matched turn that a reply means, and the likeliest one where the reply does not say.

        Always one of the resolution's matched turns; NotFoundError where there are none. `settle` tells more.
        """
        asked = self.ask(original_query, resolution, ())
        if not asked.candidates:
            raise NotFoundError("matched turn for", repr(original_query))
        outcome = self.settle(asked, clarification_response)
        match outcome:
            case Settled():
                return outcome.turn
            case Narrowed():
                return outcome.clarification.candidates[0][0]
            case NotAnAnswer() | GaveUp():
                return asked.candidates[0][0]
            case _:
                assert_never(outcome)

    def _picked(self, asked: Clarification, reading: Reading) -> Outcome:
        kept = [turn for turn in reading.picked if turn not in reading.ruled_out] or reading.picked
        if reading.alternatives and len(kept) > 1:
            return self._ask_again(asked, [pair for pair in asked.candidates if pair[0] in kept])
        return Settled(by_number(kept))

    def _answered_without_a_pick(self, asked: Clarification, reading: Reading) -> Outcome:
        shown = [pair for pair in asked.candidates if pair[0] in asked.shown]
        signs = reading.signs
        if Sign.DROP in signs:
            return self._give_up(asked)
        if Sign.ANY in signs:
            return Settled((shown[0][0],))
        if Sign.NONE in signs or (signs & {Sign.NO, Sign.OTHER} and not reading.names_something_else):
            return self._left(asked, without=asked.shown, more=True)
        if Sign.ALL in signs:
            return Settled(asked.shown)
        agrees = Sign.YES in signs and Sign.NO not in signs
        if len(shown) == 1 and (agrees or (reading.only_points and not signs - {Sign.CARDINAL})):
            return Settled((shown[0][0],))
        return self._ask_again(asked, shown[:1] if agrees else shown, keep=asked.candidates)

    def _left(self, asked: Clarification, *, without: Sequence[Turn], more: bool = False) -> Outcome:
        """Go on with what a denial leaves of the choices, or with turns that were not shown yet."""
        left = [pair for pair in asked.candidates if pair[0] not in without]
        shown = [pair for pair in left if pair[0] in asked.shown]
        if len(shown) == 1 and not more:
            return Settled((shown[0][0],))
        if not left:
            return self._give_up(asked)
        return self._ask_again(asked, shown or left, keep=left)

    def _ask_again(
        self, asked: Clarification, offered: Sequence[Candidate], keep: Sequence[Candidate] | None = None
    ) -> Outcome:
        if asked.round >= self._rounds:
            return self._give_up(asked)
        kept = tuple(keep if keep is not None else offered)
        draft = replace(asked, candidates=kept, round=asked.round + 1)
        return Narrowed(_showing(draft, offered, why=Why.SEVERAL_FIT, fitting=len(offered), remembered=len(kept)))

    def _give_up(self, asked: Clarification) -> GaveUp:
        return GaveUp(wording_for(asked.language, asked.polite).going_on)


def _nearest_first(query: str, history: Sequence[Turn], without: set[UUID]) -> list[Turn]:
    """Order the turns that did not match: those that share a word with the query, then the latest.

    Meaning has had its say by now: the parser compared every turn with the query before it matched none.
    """
    latest = [turn for turn in reversed(by_number(history)) if turn.id not in without][:LATEST_COMPARED]
    topical = [Word(word) for word in content_words(query)]
    near = Topics(latest, latest).match(topical)[:OFFERED_WHEN_NOTHING_FITS]
    return [*near, *(turn for turn in latest if turn not in near)]


def _span(history: Sequence[Turn]) -> int:
    """Count the turns that are remembered, also where the middle of a long conversation was not read."""
    numbers = [turn.turn_number for turn in history]
    return max(numbers) - min(numbers) + 1 if numbers else 0


def _ranked(matched: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Order matches best first, each turn once, with every score inside 0..1."""
    best: dict[UUID, Candidate] = {}
    for turn, score in sorted(matched, key=lambda pair: -pair[1]):
        best.setdefault(turn.id, (turn, min(1.0, max(0.0, score))))
    return tuple(best.values())[:MOST_CANDIDATES]


def _showing(
    draft: Clarification, offered: Sequence[Candidate], *, why: Why, fitting: int, remembered: int
) -> Clarification:
    """Complete a clarification: the best of the offered turns as choices in the order of the conversation."""
    most = CHOICES_BY_ROUND[min(draft.round, len(CHOICES_BY_ROUND)) - 1]
    wording = wording_for(draft.language, draft.polite)
    choices = choices_for(by_number([turn for turn, _ in offered[:most]]), wording)
    question = word_question(
        choices, wording, why=why, round_=draft.round, candidates=max(fitting, len(choices)), remembered=remembered
    )
    return replace(draft, question=question, choices=choices)
