"""Whether several turns fit a query alike: how many stand near the best, and how much the query says."""

from __future__ import annotations

import numpy as np

from gunita.language.heads import Floats
from gunita.language.topics import FEATURES
from gunita.language.understanding import Understanding
from gunita.language.words import content_words, words

EITHER_SIDE = (("gist_query", "gist_response"), ("topic_query", "topic_response"), ("whole_query", "whole_response"),
               ("query_met_query", "query_met_response"))  # fmt: skip
AS_THEY_ARE = ("words_either", "said_either", "query_vote", "judged", "judged")
SCALES = np.array([0.08, 0.08, 0.08, 0.08, 0.2, 0.2, 0.1, 1.0, 2.0, 1.0, 2.0], np.float32)
"""How far behind the best a turn counts for little; the judge's word and how well turns fit by two measures each."""
SHOWN = [
    FEATURES.index(name)
    for name in (
        "words_either",
        "said_either",
        "judged",
        "gist_query",
        "gist_response",
        "whole_query",
        "whole_response",
    )
]
"""What the two turns behind the best show."""
BEHIND = 2
LEAST_ODDS = -9.0


def rivalry(query: str, understanding: Understanding, rows: Floats, fits: Floats) -> Floats:
    """What speaks for several turns being meant alike, beside how far the best is ahead of the next."""
    odds = log_odds_of(fits)
    return np.concatenate([crowding(rows, odds), runners_up(rows, odds), said_in_all(query, understanding)])


def crowding(rows: Floats, odds: Floats) -> Floats:
    """How many other turns stand near the best in each respect, each for less the further it is behind."""
    sides = [np.maximum(rows[:, column(one)], rows[:, column(other)]) for one, other in EITHER_SIDE]
    plain = [rows[:, column(name)] for name in AS_THEY_ARE]
    signs = np.stack([*sides, *plain, odds, odds], axis=1)
    near = np.exp((signs - signs.max(axis=0)) / SCALES)
    return np.asarray(np.log(near.sum(axis=0)), dtype=np.float32)


def runners_up(rows: Floats, odds: Floats) -> Floats:
    """What the second and the third turn show, nothing where there is none."""
    next_ones = np.argsort(-odds, kind="stable")[1 : 1 + BEHIND]
    shown = np.zeros((BEHIND, len(SHOWN) + 1), np.float32)
    shown[:, -1] = LEAST_ODDS
    shown[: len(next_ones)] = np.column_stack([rows[next_ones][:, SHOWN], odds[next_ones]])
    return shown.ravel()


def said_in_all(query: str, understanding: Understanding) -> Floats:
    """How much a query says, which leaves the less open, and how it reads."""
    read = (understanding.reference, understanding.followup, understanding.kind_probability_of_topic)
    length = (len(words(query)), len(content_words(query)), "?" in query)
    return np.concatenate([np.array(length, np.float32), log_odds_of(np.array(read, np.float32))])


def column(name: str) -> int:
    return FEATURES.index(name)


def log_odds_of(probabilities: Floats) -> Floats:
    p = np.clip(probabilities, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float32)
