"""Two topics in one query ("the deposit and the cat"): where it passes over, and which turn each half means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gunita.language.heads import Floats, Judge
from gunita.language.topics import TopicMention, voices

FEATURES = (
    "gain", "first_share", "second_share", "first_lead", "second_lead", "lighter_half",
    "first_judged", "second_judged", "first_judged_lead", "second_judged_lead", "first_in_whole", "second_in_whole",
    "best_in_whole", "joins", "leaves_open", "wants_both", "wants_one", "turns",
    "least_lead", "least_judged", "least_judged_lead", "joined_gain", "joined_lead", "joined_judged_lead",
)  # fmt: skip
LIGHTEST = 0.06
"""A half that tells less than this share of the query names nothing of its own."""
MOST_SURE = 4.0
JOINING = 0.5
"""How much a word that joins topics counts, beside what is gained by two turns, in finding where halves part."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two turns that the halves of a query mean if it names two topics, and what speaks for that."""

    first: int
    second: int
    row: Floats


def pair_named(mention: TopicMention, met: Floats) -> Pair | None:
    """The likeliest two topics of a query, in the order it names them; None where it cannot name two."""
    if len(met) < 2:
        return None
    voiced = voices(mention, met)
    parted = parting(voiced, mention.joins)
    if parted is None:
        return None
    at, first, second = parted
    return Pair(first, second, signs(mention, met, voiced, at, (first, second)))


def parting(voiced: Floats, joins: Floats) -> tuple[int, int, int] | None:
    """The token before which a query parts, and the two turns its halves speak for."""
    before = np.cumsum(voiced, axis=1)[:, :-1]
    after = voiced.sum(axis=1, keepdims=True) - before
    told = before.sum(axis=0)
    whole = float(voiced.sum())
    possible = np.flatnonzero(np.minimum(told, whole - told) > LIGHTEST * whole)
    if not len(possible):
        return None
    gained = [(*two_best(before[:, i], after[:, i]), int(i) + 1) for i in possible]
    passing = np.maximum(joins[:-1, 0], joins[1:, 0])
    weights = [gain / whole + JOINING * float(passing[at - 1]) for gain, _, _, at in gained]
    _, first, second, at = gained[int(np.argmax(weights))]
    return at, first, second


def two_best(before: Floats, after: Floats) -> tuple[float, int, int]:
    """The two different turns that the halves speak for most, one each, and what they say beyond any one turn."""
    firsts, seconds = np.argsort(-before)[:2], np.argsort(-after)[:2]
    pairs = [(float(before[a] + after[b]), int(a), int(b)) for a in firsts for b in seconds if a != b]
    total, first, second = max(pairs)
    return total - float((before + after).max()), first, second


def signs(mention: TopicMention, met: Floats, voiced: Floats, at: int, chosen: tuple[int, int]) -> Floats:
    """What speaks for two topics, were the query parted there and meant the chosen turns."""
    whole = max(float(voiced.sum()), 1e-6)
    halves = (voiced[:, :at].sum(axis=1), voiced[:, at:].sum(axis=1))
    told = [max(float(half.sum()), 1e-6) for half in halves]
    judged = [half_judged(mention.judge, met, 0, at), half_judged(mention.judge, met, at, met.shape[2])]
    in_whole = mention.judge.log_odds(met)
    gain, _, _ = two_best(*halves)
    shares = [float(half[turn]) / mass for half, turn, mass in zip(halves, chosen, told, strict=True)]
    leads = [ahead(half, turn) / mass for half, turn, mass in zip(halves, chosen, told, strict=True)]
    sure = [float(said[turn]) for said, turn in zip(judged, chosen, strict=True)]
    surer = [ahead(said, turn) for said, turn in zip(judged, chosen, strict=True)]
    least = (min(leads), min(sure), min(surer))
    joins, leaves_open = mention.joins[at - 1 : at + 1].max(axis=0)
    row = [
        gain / whole, *shares, *leads, min(told) / whole, *sure, *surer,
        *(float(in_whole[turn]) for turn in chosen), float(in_whole.max()),
        joins, leaves_open, *np.clip(mention.two, -MOST_SURE, MOST_SURE), np.log(len(met)),
        *least, joins * gain / whole, joins * least[0], joins * least[2],
    ]  # fmt: skip
    return np.array(row, np.float32)


def half_judged(judge: Judge, met: Floats, start: int, stop: int) -> Floats:
    """What the judge would say of each turn, had it seen only this part of the query."""
    return judge.of_part(start, stop).log_odds(met[:, :, start:stop])


def ahead(values: Floats, chosen: int) -> float:
    """How far the chosen value is ahead of the best of the others."""
    others = np.delete(values, chosen)
    return float(values[chosen] - others.max())
