"""What each part of the ranking gives: the same questions with parts added one after another, and by halves."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from gunita import Gunita
from gunita.recall import fusion
from gunita.recall.aims import in_their_words
from gunita.recall.fusion import WEIGHTS, Weights
from gunita.recall.index import MessageIndex
from gunita.services.indexing import shipped_encoder

WORDS_ALONE = Weights(meaning=0.0, asker=0.0, answerer=0.0, called=0.0, date=0.0, neighbour=0.0)
STEPS: tuple[tuple[str, Weights], ...] = (
    ("words (stems, function words out)", WORDS_ALONE),
    ("meaning alone", replace(WORDS_ALONE, meaning=1e6)),
    ("words + meaning", replace(WORDS_ALONE, meaning=WEIGHTS.meaning)),
    ("+ who speaks", replace(WEIGHTS, date=0.0, neighbour=0.0)),
    ("+ dates", replace(WEIGHTS, neighbour=0.0)),
    ("+ neighbours (all)", WEIGHTS),
    ("all without meaning", replace(WEIGHTS, meaning=0.0)),
    ("all without who speaks", replace(WEIGHTS, asker=0.0, answerer=0.0)),
    ("all without dates", replace(WEIGHTS, date=0.0)),
)


def half_of(question: dict[str, Any]) -> int:
    """Split questions by the hash of their ids: one half to choose by, one to look at afterwards."""
    return int(hashlib.sha256(question["id"].encode()).hexdigest(), 16) % 2


def print_parts(gunita: Gunita, questions: Sequence[dict[str, Any]], names: dict[str, dict[UUID, str]]) -> None:
    indexes = {user: gunita._indexes.of(gunita.scoped("recall", user)._door, user) for user in names}
    vectors = shipped_encoder().encode(
        [in_their_words(question["question"], indexes[question["haystack"]].speakers) for question in questions]
    )
    kept = [(question, vector) for question, vector in zip(questions, vectors, strict=True) if question["gold"]]

    def figures_of(weights: Weights, chosen: Callable[[dict[str, Any]], bool]) -> str:
        found = [
            _figures(indexes[question["haystack"]], names[question["haystack"]], question, vector, weights)
            for question, vector in kept
            if chosen(question)
        ]
        return told(found)

    for name, weights in STEPS:
        print(f"{name:36}{figures_of(weights, lambda question: True)}")
    for half in (0, 1):
        print(f"{f'all, half {half}':36}{figures_of(WEIGHTS, lambda question, half=half: half_of(question) == half)}")


def told(found: Sequence[tuple[float, float, float, float]]) -> str:
    means = np.mean(np.array(found), axis=0)
    named = zip(("R@5", "R@10", "all@10", "N@10"), means, strict=True)
    return "  ".join(f"{name} {value:.3f}" for name, value in named)


def _figures(
    index: MessageIndex, names: dict[UUID, str], question: dict[str, Any], vector: Any, weights: Weights
) -> tuple[float, float, float, float]:
    wanted = fusion.sought(question["question"], vector, datetime.fromisoformat(question["at"]).date())
    order = np.argsort(-fusion.score(index, wanted, weights).total, kind="stable")[:10]
    return figures_of_ranking([names[index.entries[place].message_id] for place in order], question["gold"])


def figures_of_ranking(ranking: Sequence[str], wanted: Sequence[str]) -> tuple[float, float, float, float]:
    """R@5, R@10, all@10 and NDCG@10 of ten names in order."""
    gold = set(wanted)
    gain = sum(1 / math.log2(place + 2) for place, name in enumerate(ranking) if name in gold)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    return (
        len(gold & set(ranking[:5])) / len(gold),
        len(gold & set(ranking)) / len(gold),
        float(gold <= set(ranking)),
        gain / best,
    )
