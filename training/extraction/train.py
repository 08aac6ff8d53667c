"""Trains the extraction model: one hidden layer over the encoder's vector and the clause's grammar and shape."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from gunita.language.clauses import Clause, own_words, trimmed
from gunita.language.encoder import DIMENSIONS, Encoder
from gunita.language.extraction import LABELS, Floats
from gunita.language.extraction_features import SHAPES, grammar, rows
from training.extraction.compose import Example, compose, grammar_words, patterns
from training.extraction.real import real_examples

SEED = 5
PER_PATTERN = 48
HIDDEN = 48
EPOCHS = 14
BATCH = 128
RATE = 2e-3
DECAY = 2e-4
WORD_DROP, UNIT_DROP = 0.25, 0.3
FEWEST = 12
"""A form is known when this many examples hold it."""
TOPIC_WEIGHT = 0.5


@dataclass(frozen=True)
class Data:
    inputs: Floats
    labels: np.ndarray
    topics: np.ndarray
    """A category's number, or -1 where nobody said it."""
    held_out: np.ndarray
    languages: np.ndarray


@dataclass
class Weights:
    hidden: Floats
    hidden_bias: Floats
    kinds: Floats
    kinds_bias: Floats
    topics: Floats
    topics_bias: Floats

    def arrays(self) -> list[Floats]:
        return [self.hidden, self.hidden_bias, self.kinds, self.kinds_bias, self.topics, self.topics_bias]


def clause_of(text: str) -> Clause:
    own = " ".join(own_words(text).split())
    return Clause(trimmed(own) or own, own, asks=own.rstrip().endswith("?"))


def gathered(data: Path) -> list[Example]:
    return [*compose(PER_PATTERN, SEED), *real_examples(data, SEED)]


def prepared(examples: Sequence[Example], kept: Path) -> tuple[Data, frozenset[str], list[str], list[str]]:
    """Read every example into a row of numbers."""
    known = grammar_words(patterns(), random.Random(SEED))
    found = [clause_of(example.text) for example in examples]
    counts = Counter(
        form for clause, example in zip(found, examples, strict=True) for form in set(grammar(clause.text, known))
    )
    forms = sorted(form for form, count in counts.items() if count >= FEWEST)
    categories = sorted({example.category for example in examples} - {"", "none"})
    columns = {form: i for i, form in enumerate(forms)}
    vectors = encoded([clause.text for clause in found], kept)
    numbers = {name: i for i, name in enumerate(categories)}
    data = Data(
        rows(found, vectors, known, columns),
        np.array([LABELS.index(example.label) for example in examples]),
        np.array([numbers.get(example.category, -1) for example in examples]),
        np.array([example.held_out for example in examples]),
        np.array([example.language for example in examples]),
    )
    return data, known, forms, categories


def encoded(texts: Sequence[str], kept: Path) -> Floats:
    """Give the texts' vectors, read from a file as far as the same encoder made them before."""
    encoder = hashlib.sha256((resources.files("gunita.language") / "model" / "encoder.onnx").read_bytes()).hexdigest()
    known: dict[str, Floats] = {}
    if kept.exists():
        with np.load(kept, allow_pickle=False) as stored:
            if str(stored["encoder"]) == encoder:
                known = dict(zip(bytes(stored["texts"]).decode().split("\n"), stored["vectors"], strict=True))
    missing = sorted(set(texts) - known.keys())
    known |= dict(zip(missing, Encoder.load().encode(missing), strict=True))
    kept.parent.mkdir(parents=True, exist_ok=True)
    joined = np.frombuffer("\n".join(known).encode(), dtype=np.uint8)
    np.savez(kept, encoder=encoder, texts=joined, vectors=np.stack(list(known.values())))
    return np.stack([known[text] for text in texts])


def fitted(data: Data, categories: int, *, held_out_too: bool = False) -> Weights:
    """Descend with Adam; words and units are dropped at random so that meaning and grammar must each carry."""
    rng = np.random.default_rng(SEED)
    weights = _new_weights(data.inputs.shape[1], categories, rng)
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights.arrays()]
    rowsets = np.flatnonzero(~data.held_out | held_out_too)
    step = 0
    for epoch in range(EPOCHS):
        rng.shuffle(rowsets)
        rate = RATE * (1 - epoch / EPOCHS)
        for start in range(0, len(rowsets), BATCH):
            step += 1
            gradients = _gradients(weights, data, rowsets[start : start + BATCH], rng)
            for weight, gradient, (mean, square) in zip(weights.arrays(), gradients, moments, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                fixed = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                weight -= rate * (fixed + DECAY * weight)
    return weights


def predicted(weights: Weights, inputs: Floats) -> tuple[Floats, Floats]:
    seen = np.maximum(inputs @ weights.hidden + weights.hidden_bias, 0)
    return _softmax(seen @ weights.kinds + weights.kinds_bias), _softmax(seen @ weights.topics + weights.topics_bias)


def _gradients(weights: Weights, data: Data, chosen: np.ndarray, rng: np.random.Generator) -> list[Floats]:
    inputs = data.inputs[chosen].copy()
    inputs[:, DIMENSIONS + SHAPES :] *= rng.random(inputs[:, DIMENSIONS + SHAPES :].shape) > WORD_DROP
    inputs[:, :DIMENSIONS] += rng.normal(0, 0.15, (len(chosen), DIMENSIONS)).astype(np.float32)
    before = inputs @ weights.hidden + weights.hidden_bias
    kept = (before > 0) * (rng.random(before.shape) > UNIT_DROP) / (1 - UNIT_DROP)
    seen = (before * kept).astype(np.float32)
    kinds = _softmax(seen @ weights.kinds + weights.kinds_bias)
    topics = _softmax(seen @ weights.topics + weights.topics_bias)
    kinds[np.arange(len(chosen)), data.labels[chosen]] -= 1
    has_topic = data.topics[chosen] >= 0
    topics[np.flatnonzero(has_topic), data.topics[chosen][has_topic]] -= 1
    topics[~has_topic] = 0
    kinds /= len(chosen)
    topics *= TOPIC_WEIGHT / len(chosen)
    back = ((kinds @ weights.kinds.T + topics @ weights.topics.T) * kept).astype(np.float32)
    return [inputs.T @ back, back.sum(0), seen.T @ kinds, kinds.sum(0), seen.T @ topics, topics.sum(0)]


def _new_weights(width: int, categories: int, rng: np.random.Generator) -> Weights:
    def drawn(a: int, b: int) -> Floats:
        return rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32)

    def zeros(n: int) -> Floats:
        return np.zeros(n, dtype=np.float32)

    hidden = drawn(width, HIDDEN) * np.float32(0.5)
    kinds, topics = drawn(HIDDEN, len(LABELS)), drawn(HIDDEN, categories)
    return Weights(hidden, zeros(HIDDEN), kinds, zeros(len(LABELS)), topics, zeros(categories))


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)
