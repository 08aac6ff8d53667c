"""What a clause looks like to the extraction model: its meaning, its grammar words, and its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gunita.language.clauses import QUOTE_MARK, Clause
from gunita.language.words import words

Floats: TypeAlias = NDArray[np.float32]

OPENING, UNKNOWN = "^", "~"

# Aspect and voice show in the affixes of a Tagalog verb, also of an English one that Taglish borrows (nagbi-build).
ONGOING = re.compile(r"^(?:nag|nang|nam|nan)([a-z]{1,2})-?\1|^([a-z])in([aeiou])\2\3|^[a-z]um([aeiou])[a-z]\4")
DONE = re.compile(r"^(?:nag|na|nai|pinag|ipin)[a-z]{3,}|^[a-z]in[a-z]{3,}|^[a-z]um[a-z]{3,}")
TO_COME = re.compile(r"^(?:mag|mang|ma|i)[a-z]{3,}")
NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÑ][a-zñ]+")
SHAPES = 12


def shape(clause: Clause) -> Floats:
    """Measure what no single word tells."""
    text, tokens = clause.text, words(clause.text)
    unbroken = [token for token in tokens if len(token) > 3]
    return np.array(
        [
            clause.asks,
            "?" in text,
            QUOTE_MARK in text or ":" in text,
            QUOTE_MARK in clause.sentence,
            clause.gives_reason,
            any(ONGOING.match(token) for token in unbroken),
            any(DONE.match(token) for token in unbroken),
            any(TO_COME.match(token) for token in unbroken),
            bool(NAME.search(text)),
            any(token.isdigit() for token in tokens),
            min(len(tokens), 20) / 10.0,
            "!" in clause.sentence,
        ],
        dtype=np.float32,
    )


def grammar(text: str, known: frozenset[str]) -> list[str]:
    """Give a clause's words with every word that is not grammar turned into a mark, and the pairs of neighbours."""
    tokens = [token if token in known else UNKNOWN for token in words(text)]
    pairs = [f"{one} {other}" for one, other in pairwise([OPENING, *tokens]) if (one, other) != (UNKNOWN, UNKNOWN)]
    return [*(token for token in tokens if token != UNKNOWN), *pairs]


def features(clause: Clause, vector: Floats, known: frozenset[str], columns: Mapping[str, int]) -> Floats:
    """Put a clause's meaning, shape and grammar in one row."""
    row = np.zeros(len(vector) + SHAPES + len(columns), dtype=np.float32)
    row[: len(vector)] = vector * np.float32(np.sqrt(len(vector)) / 4)
    start = len(vector)
    row[start : start + SHAPES] = shape(clause)
    for form in grammar(clause.text, known):
        if (column := columns.get(form)) is not None:
            row[start + SHAPES + column] = 1.0
    return row


def rows(found: Sequence[Clause], vectors: Floats, known: frozenset[str], columns: Mapping[str, int]) -> Floats:
    return np.stack([features(clause, vector, known, columns) for clause, vector in zip(found, vectors, strict=True)])
