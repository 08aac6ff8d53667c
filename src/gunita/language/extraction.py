"""Learns lasting things about a user from what the user writes, with the model inside the package and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gunita.language.clauses import Clause, clauses
from gunita.language.encoder import Encoder
from gunita.language.extraction_changes import is_change
from gunita.language.extraction_features import rows
from gunita.models import MemoryType

Floats: TypeAlias = NDArray[np.float32]

MODEL_FILE = "extraction.npz"
NOTHING, DENIAL = "none", "denial"
LABELS = (NOTHING, *MemoryType, DENIAL)
LONGEST_CONTENT = 500
SURE_OF_A_REASON = 0.9
"""What only explains or follows from something else is learnt when it is this sure to stand alone."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """Something lasting that a user said of themselves, in their own words."""

    memory_type: MemoryType
    category: str
    content: str
    confidence: float
    changes: bool = False
    """Says that things are different now, so that what was known before no longer holds."""
    denies: bool = False
    """Says that something is not so; it teaches nothing new and puts what was known in doubt."""


class Meaning(Protocol):
    def encode(self, texts: Sequence[str]) -> Floats: ...


@dataclass(frozen=True, slots=True)
class ExtractionModel:
    """Learned weights: one hidden layer, and two answers from it: what kind of statement, and about what."""

    hidden: Floats
    hidden_bias: Floats
    kinds: Floats
    kinds_bias: Floats
    topics: Floats
    topics_bias: Floats
    categories: tuple[str, ...]
    known: frozenset[str]
    columns: dict[str, int]
    threshold: float

    def judge(self, found: Sequence[Clause], vectors: Floats) -> tuple[Floats, Floats]:
        """Give each clause's probabilities over the labels, and over the categories."""
        seen = np.maximum(rows(found, vectors, self.known, self.columns) @ self.hidden + self.hidden_bias, 0.0)
        return _softmax(seen @ self.kinds + self.kinds_bias), _softmax(seen @ self.topics + self.topics_bias)


def extract(text: str, meaning: Meaning | None = None) -> list[Learnt]:
    """Say what a user's message teaches about the user; what it denies comes along, marked."""
    found = clauses(text)
    if not found:
        return []
    model = shipped_model()
    kinds, topics = model.judge(found, (meaning or Encoder.load()).encode([clause.text for clause in found]))
    judged = [_judged(model, *one) for one in zip(found, kinds, topics, strict=True)]
    learnt = [_together(list(group)) for _, group in groupby(_stretches(found, judged), key=lambda one: one[0])]
    return [one for one in learnt if one is not None]


def _judged(model: ExtractionModel, clause: Clause, kinds: Floats, topics: Floats) -> Learnt | None:
    lasting = float(kinds[1:-1].max())
    denied = float(kinds[-1])
    least = max(model.threshold, SURE_OF_A_REASON) if clause.gives_reason else model.threshold
    if clause.asks or max(lasting, denied) < least:
        return None
    best = 1 + int(kinds[1:-1].argmax())
    return Learnt(
        memory_type=MemoryType(LABELS[best]),
        category=model.categories[int(topics.argmax())],
        content=clause.text[:LONGEST_CONTENT],
        confidence=round(max(lasting, denied), 3),
        changes=is_change(clause.text) or is_change(clause.sentence),
        denies=denied > lasting,
    )


def _stretches(
    found: Sequence[Clause], judged: Sequence[Learnt | None]
) -> list[tuple[int, tuple[Clause, Learnt | None]]]:
    """Number the clauses so that a reason stands with what it explains where both say the same kind of thing."""
    numbered: list[tuple[int, tuple[Clause, Learnt | None]]] = []
    for clause, learnt in zip(found, judged, strict=True):
        number = len(numbered)
        if clause.gives_reason and learnt is not None and numbered:
            before_number, (_, before) = numbered[-1]
            if before is not None and before.memory_type == learnt.memory_type and not before.denies | learnt.denies:
                number = before_number
        numbered.append((number, (clause, learnt)))
    return numbered


def _together(stretch: Sequence[tuple[int, tuple[Clause, Learnt | None]]]) -> Learnt | None:
    """Make one memory of a statement and its reason, as the user joined them."""
    (_, (clause, first)), *rest = stretch
    if first is None or not rest:
        return first
    last = rest[-1][1][0]
    start = clause.sentence.find(clause.text)
    end = clause.sentence.find(last.text, start) + len(last.text)
    sure = max(learnt.confidence for _, (_, learnt) in stretch if learnt is not None)
    return replace(first, content=clause.sentence[start:end][:LONGEST_CONTENT], confidence=sure)


@cache
def shipped_model() -> ExtractionModel:
    """Load the weights that ship with the package, once."""
    source = resources.files("gunita.language") / "model" / MODEL_FILE
    with source.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        weights = {name: stored[name] for name in stored.files}
    return ExtractionModel(
        hidden=weights["hidden"].astype(np.float32),
        hidden_bias=weights["hidden_bias"].astype(np.float32),
        kinds=weights["kinds"].astype(np.float32),
        kinds_bias=weights["kinds_bias"].astype(np.float32),
        topics=weights["topics"].astype(np.float32),
        topics_bias=weights["topics_bias"].astype(np.float32),
        categories=tuple(_lines(weights["categories"])),
        known=frozenset(_lines(weights["known"])),
        columns={form: column for column, form in enumerate(_lines(weights["forms"]))},
        threshold=float(weights["threshold"]),
    )


def _lines(stored: NDArray[np.uint8]) -> list[str]:
    return bytes(stored).decode().split("\n")


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)
