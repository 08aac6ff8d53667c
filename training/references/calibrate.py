"""Fits what stands between the heads and a decision, on phrasings and domains never trained on.

`python -m training.references.calibrate READS --out DIR` takes what training.references.read wrote of the domains set
apart, read by the network that is shipped, and writes calibration.npz: the topic scorer, the confidence curves, and the
bars to pass. What tells two topics is not fitted here: training.references.pairs adds it, and it is kept as it is.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gunita.language import topics
from gunita.language.confidence import choice_row, curve, gate_row, raw_intent
from gunita.language.heads import Floats
from gunita.language.references import close_to_best
from gunita.language.rivals import rivalry
from gunita.models import IntentType
from training.references.cases import Case
from training.references.fitting import fit_curve, fit_net, store
from training.references.holdout import BANK_FAMILY
from training.references.read import Read, stored

HIDDEN = 32
GATE_HIDDEN = 16
FOLDS = 4
REAL_FAMILY = "real."
WANTED_FALSE_ALARMS = 0.003
WANTED_FALSE_PLACES = 0.0025
WANTED_FALSE_FOLLOWUPS = 0.005
WANTED_FALSE_LONE_FOLLOWUPS = 0.003
LEVELLED_NETS = {"right": (1.0, 0.5)}
LEVELLED_CURVES = {"intent.ordinal": (0.8, 0.9), "intent.relative": (0.8, 0.9)}
"""Slope and lift of log-odds, chosen on the cases of training/references/validation, which nothing is trained on."""
RAISED_TOPIC_BAR = 0.04
"""By so much more a plain mention has to be a topic of the history; chosen there too."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reads", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    store(args.out / "calibration.npz", levelled(calibration(stored(args.reads))))


def calibration(reads: Sequence[Read]) -> dict[str, Any]:
    torch.manual_seed(1)
    found: dict[str, Any] = {}
    found |= bars(reads)
    found |= intent_curves(reads)
    topical = [r for r in reads if r.fits is not None]
    scorers = cross_fitted(topical)
    fits = [scorers[hash_fold(r.case)].probability(r.rows) for r in reads]
    report_topics([(r, f) for r, f in zip(reads, fits, strict=True) if r.fits is not None])
    gate, chances = fit_gate(reads, fits)
    found |= named("gate", gate)
    found |= named("scorer", fit_scorer(topical))
    found |= fit_choice(reads, fits, sure_of_pointing(reads, chances, found["intent.relative"]))
    found["topic_bar"] = np.float32(best_bar(reads, chances) + RAISED_TOPIC_BAR)
    return found


def levelled(found: dict[str, Any]) -> dict[str, Floats]:
    """Flatten and lift what is too harsh: people talk to one conversation, which is easier than what is fitted on."""
    made = dict(found)
    for name, (slope, lift) in LEVELLED_NETS.items():
        for part in ("direct", "outer", "bias"):
            if f"{name}.{part}" in made:
                made[f"{name}.{part}"] = slope * made[f"{name}.{part}"] + (lift if part == "bias" else 0.0)
    for name in LEVELLED_CURVES:
        made[name] = levelled_curve(name, made[name])
    return {name: np.asarray(value, np.float32) for name, value in made.items()}


def levelled_curve(name: str, weights: Floats) -> Floats:
    slope, lift = LEVELLED_CURVES[name]
    return np.asarray(slope * weights + lift * (np.arange(len(weights)) == len(weights) - 1), np.float32)


def named(net: str, weights: dict[str, Floats]) -> dict[str, Floats]:
    return {f"{net}.{name}": value for name, value in weights.items()}


# The topic scorer


def fit_scorer(reads: Sequence[Read]) -> dict[str, Floats]:
    rows = np.concatenate([r.rows for r in reads])
    return fit_net(rows, np.concatenate([r.fits for r in reads if r.fits is not None]), HIDDEN)


def cross_fitted(reads: Sequence[Read]) -> list[topics.SmallNet]:
    """For each fold of domains, a scorer that never saw it."""
    return [topics.SmallNet(fit_scorer([r for r in reads if hash_fold(r.case) != fold])) for fold in range(FOLDS)]


def hash_fold(case: Case) -> int:
    """The fold of the domain most of the history is about, which is the topic's."""
    domains = [turn.domain for turn in case.history]
    return sum(max(sorted(set(domains)), key=domains.count).encode()) % FOLDS


def fit_gate(reads: Sequence[Read], fits: Sequence[Floats]) -> tuple[dict[str, Floats], list[float]]:
    """Whether a query names a topic of its history; the chances are each by a gate that never saw the domain."""
    rows = np.stack([gate_row(r.understanding, r.rows, f) for r, f in zip(reads, fits, strict=True)])
    wanted = np.array([r.case.example.kind == "topic" for r in reads], np.float32)
    fold = np.array([hash_fold(r.case) for r in reads])
    judged = np.array([decided_by_gate(r) for r in reads])
    chances = np.zeros(len(reads), np.float32)
    for held_out in range(FOLDS):
        taught, kept = judged & (fold != held_out), fold == held_out
        if kept.any():
            chances[kept] = topics.SmallNet(fit_net(rows[taught], wanted[taught], GATE_HIDDEN)).probability(rows[kept])
    return fit_net(rows[judged], wanted[judged], GATE_HIDDEN), [float(p) for p in chances]


def decided_by_gate(r: Read) -> bool:
    """Whether the query alone leaves open that it names a topic."""
    u = r.understanding
    return u.kind is IntentType.TOPIC or u.reference < max(0.5, u.followup)


def best_bar(reads: Sequence[Read], chances: Sequence[float]) -> float:
    """The bar at which most decisions between a topic and a fresh question are right, fresh ones counting thrice."""
    open_ = [
        (chance, r.case.example.label)
        for r, chance in zip(reads, chances, strict=True)
        if decided_by_gate(r) and (r.case.example.kind == "topic" or r.case.example.label == "none")
    ]
    bars_ = np.linspace(0.3, 0.8, 26)
    cost = [sum((3 * (c >= b) if label == "none" else (c < b)) for c, label in open_) for b in bars_]
    bar_ = float(bars_[int(np.argmin(cost))])
    for label in ("none", "reference"):
        share = np.mean([c >= bar_ for c, found in open_ if found == label])
        print(f"gate at {bar_:.2f}: {label} taken for a topic of the history {100 * share:.1f} %")
    return bar_


def report_topics(fitted: Sequence[tuple[Read, Floats]]) -> None:
    tally: dict[str, list[bool]] = defaultdict(list)
    for r, f in fitted:
        wanted = {i for i, flag in enumerate(r.fits if r.fits is not None else ()) if flag}
        chosen = close_to_best(f)
        group = "one" if len(wanted) == 1 else "nothing" if not wanted else "several"
        hand = "written" if r.case.example.family.startswith("bank.") else "composed"
        for name in (f"{hand} {group}", f"{hand} {group} {r.case.example.lang}"):
            tally[f"{name}: right set"].append(set(chosen) == wanted)
        if len(wanted) == 1:
            tally[f"{hand} one: best is right"].append(int(np.argmax(f)) in wanted)
    for name, flags in sorted(tally.items()):
        print(f"  topic {name:36} {100 * np.mean(flags):5.1f} % of {len(flags)}")


# Curves and bars


def intent_curves(reads: Sequence[Read]) -> dict[str, Floats]:
    curves: dict[str, Floats] = {}
    for kind in IntentType:
        chosen = [r for r in reads if r.case.example.label == "reference" and r.understanding.kind is kind]
        rows = [raw_intent(r.understanding) for r in chosen]
        curves[f"intent.{kind.value}"] = fit_curve(rows, [well_read(r) for r in chosen])
    following = [r for r in reads if r.understanding.followup > 0.5]
    curves["intent.followup"] = fit_curve(
        [(r.understanding.followup,) for r in following], [r.case.example.label == "followup" for r in following]
    )
    return curves


def well_read(r: Read) -> bool:
    """Whether kind, places and time are all as the example means them."""
    e, u = r.case.example, r.understanding
    if u.kind.value != e.kind:
        return False
    if u.kind is IntentType.TOPIC:
        return topic_found(r)
    if u.kind is IntentType.TEMPORAL:
        return u.time is not None and u.time.value == e.time
    places = u.positions
    same = {*places.from_start, *places.numbered} == set(e.from_start) and {*places.from_end, *places.ago} == {
        *e.from_end,
        *e.ago,
    }
    return same and (places.offset, places.one_of) == (e.offset, e.one_of) and (e.topic is None or topic_found(r))


def topic_found(r: Read) -> bool:
    """Whether the topic's words overlap the true ones by half or more."""
    said, true = r.understanding.topic, r.case.example.topic
    if said is None or true is None:
        return said is true
    shared = min(said[1], true[1]) - max(said[0], true[0])
    return shared >= 0.5 * max(said[1] - said[0], true[1] - true[0])


def sure_of_pointing(reads: Sequence[Read], chances: Sequence[float], relative: Floats) -> list[float]:
    """What the parser takes for how sure it is that a topic is named, when it comes to choose among turns.

    For a place beside a topic that is how sure it is of the place: no gate is asked.
    """
    beside = levelled_curve("intent.relative", relative)
    return [
        curve(beside, raw_intent(r.understanding)) if steps_from_a_topic(r) else chance
        for r, chance in zip(reads, chances, strict=True)
    ]


def steps_from_a_topic(r: Read) -> bool:
    read = r.understanding
    return read.kind is IntentType.RELATIVE and read.positions.offset is not None and not decided_by_gate(r)


def fit_choice(reads: Sequence[Read], fits: Sequence[Floats], chances: Sequence[float]) -> dict[str, Floats]:
    """Whether the best fitting turn is the one meant where one is, and whether several are, on hand-written queries."""
    chosen = [
        (r, f, choice_row(chance, r.rows, f))
        for r, f, chance in zip(reads, fits, chances, strict=True)
        if r.fits is not None and r.case.fitting and r.case.example.family.startswith(BANK_FAMILY)
    ]
    fold = np.array([hash_fold(r.case) for r, _, _ in chosen])
    rows = np.stack([row for _, _, row in chosen])
    rivals = np.stack([rivalry(r.case.example.query, r.understanding, r.rows, f) for r, f, _ in chosen])
    right = np.array([int(f.argmax()) + 1 in r.case.fitting for r, f, _ in chosen])
    several = np.array([len(r.case.fitting) > 1 for r, _, _ in chosen])
    one = ~several
    return named("right", fit_checked("right", rows[one], right[one], fold[one])) | named(
        "several", fit_checked("several", np.hstack([rows, rivals]), several, fold)
    )


def fit_checked(name: str, rows: Floats, wanted: NDArray[np.bool_], fold: NDArray[np.int_]) -> dict[str, Floats]:
    """A curve fitted on all, after it was seen how curves do on domains they were not fitted on."""
    flags = wanted.astype(np.float32)
    said = np.zeros(len(rows), np.float32)
    for held_out in range(FOLDS):
        kept, taught = fold == held_out, fold != held_out
        said[kept] = topics.SmallNet(fit_net(rows[taught], flags[taught])).probability(rows[kept])
    report_curve(name, said, flags)
    return fit_net(rows, flags)


def report_curve(name: str, said: Floats, wanted: Floats) -> None:
    bins = np.minimum((said * 10).astype(int), 9)
    error = sum(abs(float((said[bins == b] - wanted[bins == b]).sum())) for b in range(10)) / len(said)
    print(f"{name}: true of {100 * wanted.mean():.1f} %, calibration error {error:.3f}, {len(said)} cases")


def bars(reads: Sequence[Read]) -> dict[str, Any]:
    """The least probability at which a query counts as pointing back by its form, so that few real questions do."""
    fresh = [r.understanding for r in reads if r.case.example.family.startswith(REAL_FAMILY)]
    written = [
        r.understanding for r in reads
        if r.case.example.label == "none" and r.case.example.family.startswith(BANK_FAMILY)
    ]  # fmt: skip
    by_topic = [u.reference if u.kind is IntentType.TOPIC else 0.0 for u in fresh]
    by_place = [u.reference if u.kind is not IntentType.TOPIC else 0.0 for u in fresh]
    # The limits are those of the shipped reader: plain references are found by their form alone, and of real questions
    # that it never saw fewer than two in a hundred are taken for one.
    found = {
        "reference_bar": bar(by_topic, WANTED_FALSE_ALARMS, least=0.5, most=0.983),
        "place_bar": bar(by_place, WANTED_FALSE_PLACES, least=0.5, most=0.6),
        "followup_bar": bar([u.followup for u in written], WANTED_FALSE_FOLLOWUPS, least=0.5, most=0.98),
        "lone_followup_bar": bar([u.followup for u in fresh], WANTED_FALSE_LONE_FOLLOWUPS, least=0.986, most=0.997),
    }
    placed = [r for r in reads if r.case.example.kind in ("ordinal", "relative", "temporal")]
    seen = np.mean([r.understanding.reference >= found["place_bar"] for r in placed]) if placed else 0.0
    print(f"bars { ({k: round(v, 3) for k, v in found.items()}) }, finds {100 * seen:.1f} % of places and times")
    return {name: np.float32(value) for name, value in found.items()}


def bar(scores: Sequence[float], wanted: float, least: float, most: float) -> float:
    if not scores:
        return (least + most) / 2
    return float(np.clip(np.quantile(scores, 1 - wanted), least, most))


if __name__ == "__main__":
    main()
