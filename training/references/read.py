"""Reads cases of domains that a network never saw: what scores and confidences are fitted on.

`python -m training.references.read MODEL --fold K --data DATA --out READS` reads written queries and composed ones on
histories of the fold's domains, and real questions that training leaves out, with an exported encoder and its heads;
with `--apart` those of the domains that no network learns from.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gunita.language.encoder import Encoder
from gunita.language.heads import Floats, ReferenceHeads
from gunita.language.readings import Readings
from gunita.language.references import readable_text
from gunita.language.understanding import Understanding
from gunita.models import Turn
from training.references.bank import APART, Domain, load_bank
from training.references.cases import Case, held_out_domains, made_cases, written_cases
from training.references.example import Example, is_validation_family
from training.references.grammar.generate import GRAMMARS
from training.references.histories import sample_history
from training.references.holdout import FOLDS
from training.references.mixture import material

MOST_REAL = 500
TEXT_BYTES_AT_HAND = 3_000_000_000
"""Room for every turn of the domains: each stands in hundreds of histories, and is read once."""
NOBODY = UUID(int=0)
THEN = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Read:
    """A case, what the heads understood of it, and what speaks for each turn of its history."""

    case: Case
    understanding: Understanding
    rows: Floats
    fits: NDArray[np.float32] | None
    """One where the topic fits the turn; None where the case names no topic."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="folder with encoder.onnx, tokenizer.json and heads.npz")
    unseen = parser.add_mutually_exclusive_group(required=True)
    unseen.add_argument("--fold", type=int, choices=range(FOLDS))
    unseen.add_argument("--apart", action="store_true", help="domains that no network learns from")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data")
    parser.add_argument("--count", type=int, default=1_000, help="composed cases")
    parser.add_argument("--copies", type=int, default=3, help="histories for each hand-written query")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    domains = load_bank(APART) if args.apart else held_out_domains(load_bank(), args.fold)
    cases = [
        *made_cases(GRAMMARS, domains, args.count, seed=17),
        *written_cases(domains, args.copies, seed=23),
        *real_cases(real_questions(args.data), domains, seed=29 + (args.fold or 0)),
    ]
    store(args.out, read_all(readings_of(args.model), cases))


def readings_of(model: Path) -> Readings:
    encoder = Encoder((model / "encoder.onnx").read_bytes(), (model / "tokenizer.json").read_bytes())
    with np.load(model / "heads.npz") as stored:
        return Readings(encoder, ReferenceHeads({name: stored[name] for name in stored.files}), TEXT_BYTES_AT_HAND)


def real_questions(data: Path) -> list[Example]:
    """Real fresh questions of buckets that training leaves out."""
    fresh = (u for u in material((), data).utterances if is_validation_family(u.family) and u.label == "none")
    return [Example(u.text, u.lang, u.family, u.label) for u in fresh]


def real_cases(questions: Sequence[Example], domains: Sequence[Domain], seed: int) -> list[Case]:
    """Real questions on histories they have nothing to do with."""
    rng = random.Random(seed)
    return [
        Case(question, tuple(sample_history(rng, domains, 8)), (), ambiguous=False)
        for question in rng.sample(questions, min(len(questions), MOST_REAL))
    ]


def read_all(readings: Readings, cases: Iterable[Case]) -> list[Read]:
    return [found for case in cases if (found := read(readings, case)) is not None]


def read(readings: Readings, case: Case) -> Read | None:
    query = readable_text(case.example.query)
    if query is None or not case.history:
        return None
    turns = [Turn(NOBODY, NOBODY, "user", n, t.query, t.response, THEN) for n, t in enumerate(case.history, 1)]
    rows = readings.compared(query, None, turns).rows
    return Read(case, readings.understood(query), rows, fitting(case) if names_topic(case) else None)


def names_topic(case: Case) -> bool:
    return case.example.label == "reference" and case.example.topic is not None


def fitting(case: Case) -> NDArray[np.float32]:
    flags = np.zeros(len(case.history), np.float32)
    flags[[number - 1 for number in case.fitting]] = 1.0
    return flags


def store(path: Path, reads: Sequence[Read]) -> None:
    with gzip.open(path, "wb", compresslevel=4) as out:
        pickle.dump(list(reads), out)


def stored(path: Path) -> list[Read]:
    """What an earlier step wrote here; a file from anywhere else is not to be opened."""
    with gzip.open(path, "rb") as file:
        found: list[Read] = pickle.load(file)
    return found


if __name__ == "__main__":
    main()
