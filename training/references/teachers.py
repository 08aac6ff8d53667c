"""What several trained readers say together, for one more reader to learn from.

Runs that differ in nothing but their seed err in different places, and their mean errs less than any of them. It is
too large to ship; a reader that learns from the mean, beside the labels, costs what one reader costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from training.references.dataset import IGNORED
from training.references.feed import Batch
from training.references.heads import ReferenceReader
from training.references.library import Company, Library, ratings

ONE_OF_MANY = ("label", "kind", "offset", "time", "one_of")
MANY_AT_ONCE = ("from_start", "from_end", "ago")
Said = dict[str, Tensor]


class Teachers:
    """Trained readers, asked about the same queries."""

    def __init__(self, readers: Sequence[ReferenceReader]) -> None:
        self._readers = [reader.eval().requires_grad_(False) for reader in readers]

    @torch.no_grad()
    def read(self, batch: Batch, device: str) -> list[Said]:
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            every = [reader(batch.ids, batch.mask) for reader in self._readers]
        return [{name: value.float() for name, value in said.items()} for said in every]

    @torch.no_grad()
    def judged(self, every: Sequence[Said], chosen: Tensor, company: Company, library: Library) -> Tensor:
        """How likely they think together that each turn of its company is what a query means."""
        judged = [
            ratings(reader.heads, {name: value[chosen] for name, value in said.items()}, company, library).judged
            for reader, said in zip(self._readers, every, strict=True)
        ]
        return torch.stack(judged).sigmoid().mean(0)


def agreement_losses(said: Said, every: Sequence[Said], batch: Batch) -> dict[str, Tensor]:
    """How far a reader is from what its teachers say together about each query, where they were taught to say it."""
    found: dict[str, Tensor] = {}
    for name in ONE_OF_MANY:
        loss = functional.cross_entropy(said[name], likely(every, name), reduction="none")
        told = (batch.rows[name] != IGNORED).float()
        found[name] = (loss * told).sum() / told.sum().clamp(min=1)
    present = batch.mask.bool()
    found["tags"] = functional.cross_entropy(said["tags"][present], likely(every, "tags")[present])
    places = [
        functional.binary_cross_entropy_with_logits(
            said[name], torch.stack([each[name] for each in every]).sigmoid().mean(0), reduction="none"
        ).sum(1)
        for name in MANY_AT_ONCE
    ]
    return found | {"places": torch.stack(places).sum(0).mean()}


def likely(every: Sequence[Said], name: str) -> Tensor:
    return torch.stack([said[name] for said in every]).softmax(-1).mean(0)


def teacher_files(folders: Sequence[Path]) -> list[Path]:
    return [folder / "reader.safetensors" for folder in folders]
