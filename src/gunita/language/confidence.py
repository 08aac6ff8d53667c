"""How sure the parser may say it is: trained thresholds and calibrations, so that a 0.8 is right four times of five."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from importlib import resources

import numpy as np

from gunita.language.heads import Floats
from gunita.language.topics import FEATURES, SmallNet
from gunita.language.understanding import Understanding
from gunita.models import IntentType

CALIBRATION_FILE = "calibration.npz"
EARLIER_SHARES = (0.5, 0.35, 0.25)
"""Scores of the turns a bare "earlier" may mean, most recent first; none is enough to go on without asking."""

UNDECIDED = 0.65
"""The most a turn scores while another fits the topic as well."""


class Pointing(Enum):
    NOWHERE = auto()
    FOLLOWUP = auto()
    REFERENCE = auto()


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic curves from the heads' raw probabilities to how often they are right, fitted on unseen phrasings."""

    reference_bar: float
    followup_bar: float
    topic_bar: float
    intent: Mapping[str, Floats]
    topic: Floats
    scorer: SmallNet
    gate: SmallNet

    def points(self, understanding: Understanding) -> Pointing:
        if understanding.reference >= max(self.reference_bar, understanding.followup):
            return Pointing.REFERENCE
        if understanding.followup >= self.followup_bar:
            return Pointing.FOLLOWUP
        return Pointing.NOWHERE

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

    def topic_confidence(self, intent: float, match: float) -> float:
        """How likely a topic's turns are the ones meant, given how sure the intent and the match are."""
        return curve(self.topic, (intent, match))


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


GATE_FEATURES = tuple(
    FEATURES.index(name)
    for name in (
        "topic_query", "topic_response", "gist_query", "gist_response", "query_met_query", "query_met_response",
        "words_either", "said_either", "has_topic", "topic_length",
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
        for kind in ("scorer", "gate")
    }
    return Calibration(
        reference_bar=float(stored["reference_bar"]),
        followup_bar=float(stored["followup_bar"]),
        topic_bar=float(stored["topic_bar"]),
        intent=intent,
        topic=stored["topic"],
        scorer=nets["scorer"],
        gate=nets["gate"],
    )
