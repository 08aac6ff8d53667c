"""What the trained heads say about a query: probabilities read off its token states, in plain numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

HEADS_FILE = "heads.npz"
LABELS = ("none", "followup", "reference")
KINDS = ("ordinal", "relative", "temporal", "topic")
TIMES = ("just_now", "earlier", "opening", "none")
OFFSETS = tuple(range(-10, 11))
"""Zero stands for no offset."""
TAGS = ("none", "topic", "start", "end", "ago", "offset", "head", "tail", "range_from", "range_to")
TOPIC_TAG = TAGS.index("topic")
POOLED = ("label", "kind", "from_start", "from_end", "ago", "offset", "time", "one_of")
"""Heads that read the whole query, in the order of their attention columns."""
MANY_OF = frozenset({"from_start", "from_end", "ago"})
"""Heads that may say several things at once."""

MET_SCALE = 4.0
"""Likenesses lie close together; so much wider they were shown in training."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells, token by token, whether a turn is what one query means: what of the query it meets, and what it does not.

    "The landlord wants checks now" shares a landlord with a turn about the deposit, and asks for something new.
    """

    leaning: Floats
    """What each token is in its sentence."""
    looks: Floats
    """How much each of its looks over the query rests on each token."""
    weights: Mapping[str, Floats]

    def of_part(self, start: int, stop: int) -> Judge:
        """The same judge, who has only seen these tokens of the query."""
        looks = self.looks[start:stop]
        return replace(self, leaning=self.leaning[start:stop], looks=looks / np.maximum(looks.sum(axis=0), 1e-6))

    def log_odds(self, met: Floats) -> Floats:
        """For each turn, from how well its query and its response meet each token: (turn, side, token)."""
        w = self.weights
        behind = met - met.max(axis=0, keepdims=True)
        seen = MET_SCALE * np.concatenate([met, behind], axis=1).transpose(0, 2, 1)
        each = np.tanh(self.leaning + seen @ w["judge.meet.weight"].T)
        looked = (self.looks.T @ each).reshape(len(met), -1)
        inner = np.concatenate([looked, each.max(axis=1)], axis=1) @ w["judge.weigh.weight"].T + w["judge.weigh.bias"]
        return np.asarray((np.tanh(inner) @ w["judge.say.weight"].T + w["judge.say.bias"])[:, 0], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class HeadReading:
    """Probabilities for one query; places count from one, tags stand per token."""

    label: Floats
    kind: Floats
    from_start: Floats
    from_end: Floats
    ago: Floats
    offset: Floats
    time: Floats
    one_of: Floats
    """Whether all of the places it names are meant, and whether one of them is."""
    tags: Floats
    topic: Floats
    """Where the topic's tokens point in sentence space."""
    gist: Floats
    """Where the query's telling tokens point, whether or not they name a topic."""
    topic_tells: Floats
    query_tells: Floats
    """How much each token tells: among the topic's tokens, and among all."""
    judge: Judge
    joins: Floats
    """How likely each token joins two topics that are both meant, and two of which one is."""
    two: Floats
    """Log-odds that the query names two topics and means both, and that it means one of them."""


class ReferenceHeads:
    """The trained weights and how they are applied."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: array.astype(np.float32) for name, array in weights.items()}

    @classmethod
    def load(cls) -> ReferenceHeads:
        """The heads that ship with the package, read once."""
        return shipped_heads()

    def read(self, states: Floats) -> HeadReading:
        w = self._weights
        attention = softmax(states @ w["attend.weight"].T + w["attend.bias"], axis=0)
        pooled = attention.T @ states
        said = {name: self._pooled(name, pooled[i], states[0]) for i, name in enumerate(POOLED)}
        tags = softmax(states @ w["tags.weight"].T + w["tags.bias"], axis=1)
        belongs = tags[:, TOPIC_TAG]
        tells = sigmoid(states @ w["telling.weight"].T + w["telling.bias"])
        projected = states @ w["topic.weight"].T + w["topic.bias"]
        return HeadReading(
            **said,
            tags=tags,
            topic=weighted_mean(projected, belongs),
            gist=weighted_mean(projected, tells[:, 1]),
            topic_tells=belongs * tells[:, 0],
            query_tells=tells[:, 1],
            judge=Judge(
                leaning=states @ w["judge.lean.weight"].T + w["judge.lean.bias"],
                looks=softmax(states @ w["judge.look.weight"].T, axis=0),
                weights=w,
            ),
            joins=sigmoid(states @ w["joins.weight"].T + w["joins.bias"]),
            two=w["two.weight"] @ whole_query(states) + w["two.bias"],
        )

    def met(self, states: Floats) -> Floats:
        """Tokens as the sentence encoder reads them, where those of queries and of turns meet, one unit row each."""
        return unit_rows(states @ self._weights["meet.weight"].T)

    def _pooled(self, name: str, pooled: Floats, first: Floats) -> Floats:
        w = self._weights
        logits = w[f"read.{name}.weight"] @ np.concatenate([pooled, first]) + w[f"read.{name}.bias"]
        return sigmoid(logits) if name in MANY_OF else softmax(logits, axis=0)


def whole_query(states: Floats) -> Floats:
    """A query at a glance: its opening mark's state, and the mean of all."""
    return np.concatenate([states[0], states.mean(axis=0)])


@cache
def shipped_heads() -> ReferenceHeads:
    file = resources.files("gunita.language") / "model" / HEADS_FILE
    with resources.as_file(file) as path, np.load(path) as stored:
        return ReferenceHeads({name: stored[name] for name in stored.files})


def softmax(logits: Floats, axis: int) -> Floats:
    raised = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis=axis, keepdims=True), dtype=np.float32)


def sigmoid(logits: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))), dtype=np.float32)


def weighted_mean(rows: Floats, weights: Floats) -> Floats:
    """The direction of the rows' mean, each as heavy as its weight."""
    return unit(weights @ rows / max(float(weights.sum()), 1e-4))


def unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6), dtype=np.float32)


def unit_rows(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-6), dtype=np.float32)
