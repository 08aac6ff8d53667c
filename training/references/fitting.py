"""Small curves and networks fitted to what was read, with every row at hand at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from gunita.language.confidence import log_odds
from gunita.language.heads import Floats

SHRINKING = 0.001


def fit_net(rows: Floats, wanted: Floats, hidden: int = 0, steps: int = 400) -> dict[str, Floats]:
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
        slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, steps)
        for _ in range(steps):
            optimizer.step(closure)  # type: ignore[arg-type]
            slower.step()
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


def mean_net(nets: Sequence[Mapping[str, Floats]]) -> dict[str, Floats]:
    """One network whose log-odds are the mean of several: their inner layers side by side, on features as they are."""
    outer, inner, inner_bias, direct, bias = [], [], [], [], []
    for net in nets:
        mean, spread = (net[name].astype(np.float64) for name in ("mean", "spread"))
        own = net["direct"] / spread
        direct.append(own)
        bias.append(float(net["bias"]) - float(mean @ own))
        if "inner" in net:
            ways = net["inner"] / spread[:, None]
            inner.append(ways)
            inner_bias.append(net["inner_bias"] - mean @ ways)
            outer.append(net["outer"] / len(nets))
    made = {"mean": np.zeros_like(nets[0]["mean"]), "spread": np.ones_like(nets[0]["spread"])}
    made |= {"direct": np.mean(direct, axis=0), "bias": np.mean(bias)}
    if inner:
        made |= {"inner": np.concatenate(inner, 1), "inner_bias": np.concatenate(inner_bias)}
        made |= {"outer": np.concatenate(outer)}
    return {name: np.asarray(value, np.float32) for name, value in made.items()}


def arrays(path: Path) -> dict[str, Floats]:
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def store(path: Path, fitted: Mapping[str, Any]) -> None:
    """Writes what was fitted into a file, and leaves what else stands there."""
    before = arrays(path) if path.exists() else {}
    np.savez(path, **(before | dict(fitted)))  # type: ignore[arg-type]
