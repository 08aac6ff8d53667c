"""Fits what stands between the heads and a decision, on phrasings and domains never trained on.

`python -m training.references.calibrate --data DATA --out DIR` reads made cases and real queries with the shipped
encoder and heads, and writes calibration.npz: the topic scorer, the confidence curves, and the bars to pass.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
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
from gunita.language.confidence import log_odds, raw_intent
from gunita.language.heads import Floats
from gunita.language.references import Engine, readable_text
from gunita.language.understanding import Understanding
from gunita.models import IntentType, Turn
from training.references.bank import load_bank
from training.references.cases import Case, held_out_domains, made_cases
from training.references.example import Example, is_validation_family
from training.references.grammar.generate import GRAMMARS
from training.references.mixture import material

HIDDEN = 12
FOLDS = 5
MOST_REAL = 4_000
WANTED_FALSE_ALARMS = 0.015
WANTED_FALSE_FOLLOWUPS = 0.01
NOBODY = UUID(int=0)
THEN = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Read:
    """A case, what the heads understood of it, and, for a topic, what speaks for each turn."""

    case: Case
    understanding: Understanding
    rows: Floats | None
    fits: NDArray[np.float32] | None
    """One where the topic fits the turn."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12_000)
    args = parser.parse_args()
    cases = [*made_cases(GRAMMARS, held_out_domains(load_bank()), args.count, seed=17), *real_cases(args.data)]
    engine = Engine(None)
    reads = [r for case in cases if (r := read(engine, case)) is not None]
    np.savez(args.out / "calibration.npz", **calibration(reads))


def real_cases(data: Path) -> list[Case]:
    """Real queries of buckets that training leaves out; they need no history to be judged."""
    real = [u for u in material((), data).utterances if is_validation_family(u.family)]
    return [Case(Example(u.text, u.lang, u.family, u.label), (), (), ambiguous=False) for u in real[:MOST_REAL]]


def calibration(reads: Sequence[Read]) -> dict[str, Any]:
    torch.manual_seed(1)
    found: dict[str, Any] = {}
    found |= bars(reads)
    found |= intent_curves(reads)
    topical = [r for r in reads if r.rows is not None]
    held_out_fits = cross_fitted(topical)
    report_topics(topical, held_out_fits)
    found["topic"] = topic_curve(topical, held_out_fits, found)
    found |= {f"scorer.{name}": value for name, value in fit_scorer(topical).items()}
    return found


def read(engine: Engine, case: Case) -> Read | None:
    query = readable_text(case.example.query)
    if query is None:
        return None
    understanding = engine.understood(query)
    if case.example.topic is None or case.example.label != "reference":
        return Read(case, understanding, None, None)
    topic = query[slice(*understanding.topic)] if understanding.topic else query
    turns = [Turn(NOBODY, NOBODY, "user", n, turn.query, turn.response, THEN) for n, turn in enumerate(case.history, 1)]
    rows = engine.topic_features(engine.mention(query, topic), turns)
    return Read(case, understanding, rows, fitting(case))


def fitting(case: Case) -> NDArray[np.float32]:
    offset = case.example.offset or 0
    flags = np.zeros(len(case.history), np.float32)
    for number in case.gold:
        if 0 <= number - 1 - offset < len(flags):
            flags[number - 1 - offset] = 1.0
    return flags


# The topic scorer


def fit_scorer(reads: Sequence[Read], steps: int = 600) -> dict[str, Floats]:
    rows = np.concatenate([r.rows for r in reads if r.rows is not None])
    fits = torch.from_numpy(np.concatenate([r.fits for r in reads if r.fits is not None]))
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    x = torch.from_numpy((rows - mean) / spread)
    weights = scorer_weights(x.shape[1])
    optimizer = torch.optim.AdamW(weights.values(), lr=0.02, weight_decay=0.02)
    for _ in range(steps):
        loss = functional.binary_cross_entropy_with_logits(scorer_logits(weights, x), fits)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    learned = {name: tensor.detach().numpy().astype(np.float32) for name, tensor in weights.items()}
    return learned | {"mean": mean.astype(np.float32), "spread": spread.astype(np.float32)}


def scorer_weights(width: int) -> dict[str, torch.Tensor]:
    start = {
        "inner": 0.3 * torch.randn(width, HIDDEN),
        "inner_bias": torch.zeros(HIDDEN),
        "outer": 0.1 * torch.randn(HIDDEN),
        "direct": torch.zeros(width),
        "bias": torch.zeros(()),
    }
    return {name: tensor.requires_grad_(True) for name, tensor in start.items()}


def scorer_logits(w: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x @ w["inner"] + w["inner_bias"]) @ w["outer"] + x @ w["direct"] + w["bias"]


def cross_fitted(reads: Sequence[Read]) -> list[Floats]:
    """Each case's fits by a scorer that never saw its domain."""
    fold = [hash_fold(topic_domain(r.case)) for r in reads]
    out: list[Floats] = [np.zeros(0, np.float32)] * len(reads)
    for held_out in range(FOLDS):
        taught = [r for r, f in zip(reads, fold, strict=True) if f != held_out]
        if not taught or held_out not in fold:
            continue
        scorer = topics.TopicScorer(fit_scorer(taught))
        for i, r in enumerate(reads):
            if fold[i] == held_out and r.rows is not None:
                out[i] = scorer.fits(r.rows)
    return out


def topic_domain(case: Case) -> str:
    """The domain most of the history is about, which is the topic's."""
    domains = [turn.domain for turn in case.history]
    return max(set(domains), key=domains.count)


def hash_fold(domain: str) -> int:
    return sum(domain.encode()) % FOLDS


def report_topics(reads: Sequence[Read], fits: Sequence[Floats]) -> None:
    tally: dict[str, list[bool]] = defaultdict(list)
    for r, f in zip(reads, fits, strict=True):
        wanted = {i for i, flag in enumerate(r.fits if r.fits is not None else ()) if flag}
        chosen = topics.likeliest(f).chosen
        group = "one" if len(wanted) == 1 else "nothing" if not wanted else "several"
        for name in (group, f"{group} {r.case.example.lang}"):
            tally[f"{name}: right set"].append(set(chosen) == wanted)
        if len(wanted) == 1:
            tally["one: best is right"].append(int(np.argmax(f)) in wanted)
    for name, flags in sorted(tally.items()):
        print(f"  topic {name:28} {100 * np.mean(flags):5.1f} % of {len(flags)}")


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


def topic_curve(reads: Sequence[Read], fits: Sequence[Floats], found: dict[str, Any]) -> Floats:
    rows, right = [], []
    for r, f in zip(reads, fits, strict=True):
        match = topics.likeliest(f)
        if r.understanding.kind is not IntentType.TOPIC or len(match.chosen) != 1:
            continue
        intent = logistic(found["intent.topic"], raw_intent(r.understanding))
        rows.append((intent, match.probability))
        right.append({i for i, flag in enumerate(r.fits if r.fits is not None else ()) if flag} == set(match.chosen))
    return fit_curve(rows, right)


def logistic(weights: Floats, probabilities: Sequence[float]) -> float:
    total = float(weights[-1]) + sum(float(w) * log_odds(p) for w, p in zip(weights, probabilities, strict=False))
    return float(1 / (1 + np.exp(-total)))


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
    """The least probability at which a query counts as pointing back, so that few fresh ones do."""
    fresh = [r.understanding for r in reads if r.case.example.label == "none"]
    reference = bar([u.reference for u in fresh], WANTED_FALSE_ALARMS, least=0.4, most=0.8)
    followup = bar([u.followup for u in fresh], WANTED_FALSE_FOLLOWUPS, least=0.5, most=0.95)
    pointing = [r.understanding for r in reads if r.case.example.label == "reference"]
    seen = np.mean([u.reference >= max(reference, u.followup) for u in pointing]) if pointing else 0.0
    print(f"bars: reference {reference:.3f} (finds {100 * seen:.1f} %), followup {followup:.3f}, fresh {len(fresh)}")
    return {"reference_bar": np.float32(reference), "followup_bar": np.float32(followup)}


def bar(scores: Sequence[float], wanted: float, least: float, most: float) -> float:
    if not scores:
        return (least + most) / 2
    return float(np.clip(np.quantile(scores, 1 - wanted), least, most))


if __name__ == "__main__":
    main()
