"""How sure the parser may say it is: trained thresholds and calibrations, so that a 0.8 is right four times of five."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from importlib import resources

import numpy as np

from gunita.language import positions
from gunita.language.heads import Floats
from gunita.language.topics import FEATURES, SmallNet
from gunita.language.understanding import Understanding
from gunita.models import IntentType

CALIBRATION_FILE = "calibration.npz"
EARLIER_SHARES = (0.5, 0.35, 0.25)
"""Scores of the turns a bare "earlier" may mean, most recent first; none is enough to go on without asking."""

UNDECIDED = 0.65
"""The most a turn scores while another fits the topic as well."""
SEVERAL_BAR = 0.65
"""Where several turns are this likely to be meant alike, the user is asked which."""
SEVERAL_BAR_WITHOUT_A_RIVAL = 0.75
"""The same where no second turn fits nearly as well as the best: then there is less to ask about."""
SEVERAL_BAR_BESIDE = 0.85
"""The same where a step is counted from the topic: whoever counts has one turn in mind."""
BOTH_BAR = 0.72
"""Where two topics are this likely to be meant together, both of their turns are the answer."""
EITHER_BAR = 0.5
"""Where it is this likely that one of two is meant, and the query does not say which, the user is asked."""
CLOSE_BEHIND = 0.6
"""A turn that fits this share as well as the best may be meant in its place."""
LEAST_FIT = 0.5
"""Where no turn fits a topic better than this, it means none of them."""
MOST_CANDIDATES = 3
MAY_POINT = 0.1
SURE_OF_KIND = 0.85
SURE_OF_PLACE = 0.8
RELIED_ON = 0.9


class Pointing(Enum):
    NOWHERE = auto()
    FOLLOWUP = auto()
    REFERENCE = auto()


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic curves from the heads' raw probabilities to how often they are right, fitted on unseen phrasings."""

    reference_bar: float
    """For what names a topic, by the query alone."""
    place_bar: float
    """For what names a place or a time."""
    followup_bar: float
    """For what goes on from the last turn of a history."""
    lone_followup_bar: float
    """The same where no history is known."""
    topic_bar: float
    intent: Mapping[str, Floats]
    scorer: SmallNet
    gate: SmallNet
    right: SmallNet
    several: SmallNet
    both: SmallNet
    either: SmallNet

    def points(self, understanding: Understanding, has_history: bool) -> Pointing:
        bar = self.reference_bar if understanding.kind is IntentType.TOPIC else self.place_bar
        if understanding.reference >= max(bar, understanding.followup):
            return Pointing.REFERENCE
        if understanding.followup >= (self.followup_bar if has_history else self.lone_followup_bar):
            return Pointing.FOLLOWUP
        return Pointing.NOWHERE

    def leaves_open(self, understanding: Understanding) -> bool:
        """Whether a query may point by a place, and it is not clear that it does, or by which."""
        if understanding.reference < MAY_POINT:
            return False
        sure = understanding.kind_probability >= SURE_OF_KIND and understanding.reference >= self.place_bar
        return not sure or understanding.place_probability < SURE_OF_PLACE

    def surely_places(self, understanding: Understanding) -> bool:
        """Whether words point by a place of their own, and one may rely on it."""
        return (
            understanding.reference >= max(self.place_bar, understanding.followup)
            and understanding.kind in (IntentType.ORDINAL, IntentType.RELATIVE)
            and positions.names_a_place(understanding.positions)
            and self.intent_confidence(understanding) >= RELIED_ON
        )

    def intent_confidence(self, understanding: Understanding) -> float:
        """How likely kind, places and time are all read right."""
        return curve(self.intent[understanding.kind.value], raw_intent(understanding))

    def followup_confidence(self, understanding: Understanding) -> float:
        return curve(self.intent["followup"], (understanding.followup,))

    def fits(self, rows: Floats) -> Floats:
        """How likely a topic fits each turn, from what speaks for it."""
        return self.scorer.probability(rows)

    def topic_reference(self, understanding: Understanding, rows: Floats) -> float:
        """How likely a query points at one of the turns by naming a topic, given what speaks for each turn."""
        return float(self.gate.probability(gate_row(understanding, rows, self.fits(rows))[None, :])[0])

    def choice(self, chance: float, rows: Floats, fits: Floats, rivalry: Floats) -> Choice:
        """How sure the best fitting turn is; the chance is that the query names a turn's topic at all."""
        row = choice_row(chance, rows, fits)
        beside = np.concatenate([row, rivalry])
        return Choice(float(self.right.probability(row[None])[0]), float(self.several.probability(beside[None])[0]))

    def pairing(self, row: Floats) -> Pairing:
        """Whether a query names two topics, from what speaks for the two turns they would mean."""
        return Pairing(float(self.both.probability(row[None, :])[0]), float(self.either.probability(row[None, :])[0]))


@dataclass(frozen=True, slots=True)
class Pairing:
    """How likely two turns are both meant, and how likely one of the two is and the user does not say which."""

    both: float
    either: float


@dataclass(frozen=True, slots=True)
class Choice:
    """How likely the best fitting turn is the one meant, if one is; and how likely several are meant alike."""

    right: float
    several: float

    def asks(self, has_rival: bool, counts_from_it: bool) -> bool:
        """Whether it is too likely that another turn is meant as well."""
        if counts_from_it:
            return self.several >= SEVERAL_BAR_BESIDE
        return self.several >= (SEVERAL_BAR if has_rival else SEVERAL_BAR_WITHOUT_A_RIVAL)


def raw_intent(understanding: Understanding) -> tuple[float, ...]:
    """The probabilities an intent's confidence rests on."""
    timed = understanding.kind is IntentType.TEMPORAL
    last = understanding.time_probability if timed else understanding.place_probability
    return (understanding.reference, understanding.kind_probability, last)


def gate_row(understanding: Understanding, rows: Floats, fits: Floats) -> Floats:
    """How the query reads, and how well the turns fit it."""
    best = int(fits.argmax())
    others = np.delete(fits, best)
    read = (understanding.reference, understanding.followup, understanding.kind_probability_of_topic)
    fit = (float(fits[best]), float(others.max()) if len(others) else 0.0, float(1.0 - np.prod(1.0 - fits)))
    best_row = [float(rows[best, i]) for i in GATE_FEATURES]
    return np.array([*(log_odds(p) for p in (*read, *fit)), *best_row, float(best == len(fits) - 1)], np.float32)


def choice_row(chance: float, rows: Floats, fits: Floats) -> Floats:
    """How far the best fitting turn is ahead of the others, in every respect."""
    order = np.argsort(-fits, kind="stable")
    first, second = rows[order[0]], rows[order[min(1, len(order) - 1)]]
    ranked = [float(fits[i]) for i in order[:3]] + [0.0] * max(0, 3 - len(order))
    share = ranked[0] / max(float(fits.sum()), 1e-6)
    ahead = [float(first[i] - second[i]) for i in GATE_FEATURES]
    read = [log_odds(p) for p in (chance, *ranked, share)]
    shown = [float(first[i]) for i in GATE_FEATURES]
    return np.array([*read, *ahead, *shown, np.log(len(fits))], np.float32)


GATE_FEATURES = tuple(
    FEATURES.index(name)
    for name in (
        "topic_query", "topic_response", "gist_query", "gist_response", "whole_query", "whole_response",
        "query_met_query", "query_met_response", "query_vote", "words_either", "said_either", "judged", "has_topic",
        "topic_length",
    )
)  # fmt: skip
"""What the best fitting turn shows, beside the probability that it fits."""


def curve(weights: Floats, probabilities: tuple[float, ...]) -> float:
    total = float(weights[-1]) + sum(float(w) * log_odds(p) for w, p in zip(weights, probabilities, strict=False))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def log_odds(probability: float) -> float:
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


@cache
def shipped() -> Calibration:
    """The calibration that ships with the model, read once."""
    file = resources.files("gunita.language") / "model" / CALIBRATION_FILE
    with resources.as_file(file) as path, np.load(path) as stored:
        return from_arrays({name: stored[name] for name in stored.files})


def from_arrays(stored: Mapping[str, Floats]) -> Calibration:
    intent = {name.removeprefix("intent."): array for name, array in stored.items() if name.startswith("intent.")}
    nets = {
        kind: SmallNet({n.removeprefix(f"{kind}."): array for n, array in stored.items() if n.startswith(f"{kind}.")})
        for kind in ("scorer", "gate", "right", "several", "both", "either")
    }
    return Calibration(
        reference_bar=float(stored["reference_bar"]),
        place_bar=float(stored["place_bar"]),
        followup_bar=float(stored["followup_bar"]),
        lone_followup_bar=float(stored["lone_followup_bar"]),
        topic_bar=float(stored["topic_bar"]),
        intent=intent,
        scorer=nets["scorer"],
        gate=nets["gate"],
        right=nets["right"],
        several=nets["several"],
        both=nets["both"],
        either=nets["either"],
    )
