"""Fits what stands between the heads and a decision, on phrasings and domains never trained on.

`python -m training.references.calibrate --data DATA --out DIR` reads made cases and real queries with the shipped
encoder and heads, and writes calibration.npz: the topic scorer, the confidence curves, and the bars to pass.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from gunita.language import topics
from gunita.language.confidence import choice_row, gate_row, log_odds, raw_intent
from gunita.language.heads import Floats
from gunita.language.readings import Readings
from gunita.language.references import close_to_best, readable_text
from gunita.language.understanding import Understanding
from gunita.models import IntentType, Turn
from training.references.bank import Domain, load_bank
from training.references.cases import Case, held_out_domains, made_cases, written_cases
from training.references.example import Example, is_validation_family
from training.references.grammar.generate import GRAMMARS
from training.references.histories import sample_history
from training.references.holdout import BANK_FAMILY
from training.references.mixture import material

HIDDEN = 12
SHRINKING = 0.001
FOLDS = 5
MOST_REAL = 1_500
REAL_FAMILY = "real."
WANTED_FALSE_ALARMS = 0.003
WANTED_FALSE_PLACES = 0.003
WANTED_FALSE_FOLLOWUPS = 0.005
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
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3_000, help="composed cases")
    parser.add_argument("--copies", type=int, default=3, help="histories for each hand-written query")
    args = parser.parse_args()
    domains = held_out_domains(load_bank())
    cases = [*made_cases(GRAMMARS, domains, args.count, seed=17), *written_cases(domains, args.copies, seed=23)]
    readings = Readings(None)
    reads = [r for case in [*cases, *real_cases(args.data, domains)] if (r := read(readings, case)) is not None]
    np.savez(args.out / "calibration.npz", **calibration(reads))


def real_cases(data: Path, domains: Sequence[Domain]) -> list[Case]:
    """Real queries of buckets that training leaves out, on histories they have nothing to do with."""
    rng = random.Random(29)
    real = [u for u in material((), data).utterances if is_validation_family(u.family) and u.label == "none"]
    return [
        Case(Example(u.text, u.lang, u.family, u.label), tuple(sample_history(rng, domains, 8)), (), ambiguous=False)
        for u in rng.sample(real, min(len(real), MOST_REAL))
    ]


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
    found |= fit_choice(reads, fits, chances)
    found["topic_bar"] = np.float32(best_bar(reads, chances))
    return found


def named(net: str, weights: dict[str, Floats]) -> dict[str, Floats]:
    return {f"{net}.{name}": value for name, value in weights.items()}


def read(readings: Readings, case: Case) -> Read | None:
    query = readable_text(case.example.query)
    if query is None or not case.history:
        return None
    turns = [Turn(NOBODY, NOBODY, "user", n, t.query, t.response, THEN) for n, t in enumerate(case.history, 1)]
    rows = topics.features(readings.mention(query, None), [readings.meaning(turn) for turn in turns])
    return Read(case, readings.understood(query), rows, fitting(case) if names_topic(case) else None)


def names_topic(case: Case) -> bool:
    return case.example.label == "reference" and case.example.topic is not None


def fitting(case: Case) -> NDArray[np.float32]:
    flags = np.zeros(len(case.history), np.float32)
    flags[[number - 1 for number in case.fitting]] = 1.0
    return flags


# The topic scorer


def fit_scorer(reads: Sequence[Read]) -> dict[str, Floats]:
    rows = np.concatenate([r.rows for r in reads])
    return fit_net(rows, np.concatenate([r.fits for r in reads if r.fits is not None]), HIDDEN)


def fit_net(rows: Floats, wanted: Floats, hidden: int = 0, steps: int = 150) -> dict[str, Floats]:
    """A logistic curve, with a small network beside it where hidden units are asked for."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    x, y = torch.from_numpy((rows - mean) / spread), torch.from_numpy(wanted.astype(np.float32))
    weights = net_weights(x.shape[1], hidden)

    def loss() -> torch.Tensor:
        wrong = functional.binary_cross_entropy_with_logits(net_logits(weights, x), y)
        return wrong + SHRINKING * weights["direct"].square().sum()

    settle(loss, list(weights.values()), steps if hidden else 0)
    learned = {name: tensor.detach().numpy().astype(np.float32) for name, tensor in weights.items()}
    return learned | {"mean": mean.astype(np.float32), "spread": spread.astype(np.float32)}


def settle(loss: Callable[[], torch.Tensor], weights: list[torch.Tensor], steps: int) -> None:
    """Lowers a loss: for so many steps, or, where none are given, to its one lowest point."""

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        value = loss()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer: torch.optim.Optimizer
    if steps:
        optimizer = torch.optim.AdamW(weights, lr=0.03, weight_decay=0.05)
        for _ in range(steps):
            optimizer.step(closure)  # type: ignore[arg-type]
        return
    optimizer = torch.optim.LBFGS(weights, max_iter=300, line_search_fn="strong_wolfe")
    optimizer.step(closure)  # type: ignore[arg-type]


def net_weights(width: int, hidden: int) -> dict[str, torch.Tensor]:
    start = {"direct": torch.zeros(width), "bias": torch.zeros(())}
    if hidden:
        start |= {"inner": 0.3 * torch.randn(width, hidden), "inner_bias": torch.zeros(hidden)}
        start["outer"] = 0.1 * torch.randn(hidden)
    return {name: tensor.requires_grad_(True) for name, tensor in start.items()}


def net_logits(w: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    straight = x @ w["direct"] + w["bias"]
    return straight + torch.tanh(x @ w["inner"] + w["inner_bias"]) @ w["outer"] if "inner" in w else straight


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
            chances[kept] = topics.SmallNet(fit_net(rows[taught], wanted[taught])).probability(rows[kept])
    return fit_net(rows[judged], wanted[judged]), [float(p) for p in chances]


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
    return same and places.offset == e.offset and (e.topic is None or topic_found(r))


def topic_found(r: Read) -> bool:
    """Whether the topic's words overlap the true ones by half or more."""
    said, true = r.understanding.topic, r.case.example.topic
    if said is None or true is None:
        return said is true
    shared = min(said[1], true[1]) - max(said[0], true[0])
    return shared >= 0.5 * max(said[1] - said[0], true[1] - true[0])


def fit_choice(reads: Sequence[Read], fits: Sequence[Floats], chances: Sequence[float]) -> dict[str, Floats]:
    """Whether the best fitting turn is the one meant where one is, and whether several are, on hand-written queries."""
    chosen = [
        (
            choice_row(chance, r.rows, f),
            int(f.argmax()) + 1 in r.case.fitting,
            len(r.case.fitting) > 1,
            hash_fold(r.case),
        )
        for r, f, chance in zip(reads, fits, chances, strict=True)
        if r.fits is not None and r.case.fitting and r.case.example.family.startswith(BANK_FAMILY)
    ]
    rows = np.stack([row for row, *_ in chosen])
    right, several, fold = (np.array(column) for column in list(zip(*chosen, strict=True))[1:])
    curves = {"right": (right, ~several), "several": (several, np.ones(len(rows), bool))}
    found: dict[str, Floats] = {}
    for name, (wanted, counted) in curves.items():
        said = np.zeros(len(rows), np.float32)
        for held_out in range(FOLDS):
            kept, taught = fold == held_out, counted & (fold != held_out)
            said[kept] = topics.SmallNet(fit_net(rows[taught], wanted[taught].astype(np.float32))).probability(
                rows[kept]
            )
        report_curve(name, said[counted], wanted[counted].astype(np.float32))
        found |= named(name, fit_net(rows[counted], wanted[counted].astype(np.float32)))
    return found


def report_curve(name: str, said: Floats, wanted: Floats) -> None:
    bins = np.minimum((said * 10).astype(int), 9)
    error = sum(abs(float((said[bins == b] - wanted[bins == b]).sum())) for b in range(10)) / len(said)
    print(f"{name}: true of {100 * wanted.mean():.1f} %, calibration error {error:.3f}, {len(said)} cases")


def fit_curve(rows: Sequence[Sequence[float]], right: Sequence[bool], steps: int = 400) -> Floats:
    """Logistic weights, none below zero, and a bias last: surer heads never make a less sure decision."""
    if not rows or all(right) or not any(right):
        width = len(rows[0]) if rows else 1
        return np.array([*([0.5] * width), 1.0 if not rows or all(right) else -1.0], np.float32)
    x = torch.tensor([[log_odds(p) for p in row] for row in rows], dtype=torch.float32)
    y = torch.tensor(right, dtype=torch.float32)
    raw = torch.zeros(x.shape[1] + 1, requires_grad=True)
    optimizer = torch.optim.Adam([raw], lr=0.05)
    for _ in range(steps):
        weights = functional.softplus(raw[:-1])
        loss = functional.binary_cross_entropy_with_logits(x @ weights + raw[-1], y) + 1e-3 * weights.square().sum()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return torch.cat([functional.softplus(raw[:-1]), raw[-1:]]).detach().numpy().astype(np.float32)


def bars(reads: Sequence[Read]) -> dict[str, Any]:
    """The least probability at which a query counts as pointing back by its form, so that few real questions do."""
    fresh = [r.understanding for r in reads if r.case.example.family.startswith(REAL_FAMILY)]
    written = [
        r.understanding for r in reads
        if r.case.example.label == "none" and r.case.example.family.startswith(BANK_FAMILY)
    ]  # fmt: skip
    by_topic = [u.reference if u.kind is IntentType.TOPIC else 0.0 for u in fresh]
    by_place = [u.reference if u.kind is not IntentType.TOPIC else 0.0 for u in fresh]
    found = {
        "reference_bar": bar(by_topic, WANTED_FALSE_ALARMS, least=0.5, most=0.98),
        "place_bar": bar(by_place, WANTED_FALSE_PLACES, least=0.3, most=0.6),
        "followup_bar": bar([u.followup for u in written], WANTED_FALSE_FOLLOWUPS, least=0.5, most=0.98),
        "lone_followup_bar": bar([u.followup for u in fresh], WANTED_FALSE_FOLLOWUPS, least=0.5, most=0.98),
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
