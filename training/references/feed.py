"""Gives training its batches: rows of like length together, every array where the network runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.references.dataset import Arrays, Ints

BLOCK = 40
"""Batches' worth of rows that are sorted by length together."""
FIELDS = (
    "label", "kind", "offset", "time", "from_start", "from_end", "ago", "places_known", "turns", "domain", "one_of",
)  # fmt: skip


@dataclass(frozen=True)
class Batch:
    ids: Tensor
    mask: Tensor
    rows: dict[str, Tensor]


class Feed:
    """The rows of one set, drawn again and again."""

    def __init__(self, data: Arrays, batch: int, device: str, seed: int) -> None:
        self._lengths, self._batch, self._device, self._seed = data.lengths, batch, device, seed
        self._ids = torch.from_numpy(data.ids).to(device)
        self._tags = torch.from_numpy(data.tags).to(device)
        self._fields = {name: torch.from_numpy(getattr(data, name)).to(device) for name in FIELDS}

    def __len__(self) -> int:
        return len(self._lengths)

    def shuffled(self, steps: int) -> Iterator[Batch]:
        """Batches for as many steps as asked."""
        rng = np.random.default_rng(self._seed)
        made = 0
        while made < steps:
            for rows in self._chunks(rng):
                if made == steps:
                    return
                made += 1
                yield self._taken(rows)

    def in_order(self) -> Iterator[Batch]:
        for start in range(0, len(self), self._batch):
            yield self._taken(np.arange(start, min(len(self), start + self._batch)))

    def _chunks(self, rng: np.random.Generator) -> list[Ints]:
        order, block = rng.permutation(len(self)), BLOCK * self._batch
        blocks = [order[i : i + block] for i in range(0, len(order), block)]
        sorted_ = [rows[np.argsort(self._lengths[rows], kind="stable")] for rows in blocks]
        chunks = [rows[i : i + self._batch] for rows in sorted_ for i in range(0, len(rows), self._batch)]
        return [chunks[i] for i in rng.permutation(len(chunks))]

    def _taken(self, rows: Ints) -> Batch:
        longest = int(self._lengths[rows].max())
        chosen = torch.from_numpy(rows).to(self._device)
        lengths = torch.from_numpy(self._lengths[rows]).to(self._device)
        mask = torch.arange(longest, device=self._device)[None, :] < lengths[:, None]
        fields = {name: values[chosen] for name, values in self._fields.items()}
        fields["tags"] = self._tags[chosen, :longest].long()
        return Batch(self._ids[chosen, :longest].long(), mask, fields)
