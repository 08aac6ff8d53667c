"""Turns items into token batches: fresh views every epoch, made by worker processes ahead of the device."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from training.encoder.prepare import Prepared, load
from training.encoder.views import Item, make_views
from training.encoder.vocabulary import make_tokenizer

LONGEST = 256
CHUNK = 8192
VIEWS = 3
# How often an item of a source is met in one epoch.
SHARES = {"english": 0.35, "joined": 0.5, "word": 0.5, "tatoeba": 2.0, "composed": 0.5, "handwritten_tl": 3.0,
          "handwritten_ceb": 4.0, "handwritten_es": 3.0}  # fmt: skip
Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Batch:
    items: npt.NDArray[np.int64]
    tokens: Ids
    """Padded token numbers: all English views, then all foreign ones, then all mixed ones."""


@dataclass(frozen=True, slots=True)
class Job:
    seed: int
    items: list[int]
    tokens: int
    rows: int


@dataclass(slots=True)
class _Worker:
    prepared: Prepared
    tokenizer: Tokenizer
    base: Path
    new_pieces: Sequence[str]


_worker: _Worker | None = None


class Feed:
    """Yields the batches of one epoch after another."""

    def __init__(
        self, prepared: Path, base: Path, epochs: int, workers: int, tokens: int, rows: int, seed: int
    ) -> None:
        self.epochs, self.workers, self.tokens, self.rows, self.seed = epochs, workers, tokens, rows, seed
        self.sources = (prepared, base)
        self.items = load(prepared).items
        self.chunks = max(1, int(sum(SHARES.get(item.source, 1.0) for item in self.items) * 0.99) // CHUNK)

    def __iter__(self) -> Iterator[list[Batch]]:
        if self.workers:
            with multiprocessing.get_context("spawn").Pool(self.workers, _start, self.sources) as pool:
                yield from self._epochs(pool.imap(_make_batches, self._jobs()))
        else:
            _start(*self.sources)
            yield from self._epochs(map(_make_batches, self._jobs()))

    def _jobs(self) -> Iterator[Job]:
        for epoch in range(self.epochs):
            rng = random.Random(self.seed * 77 + epoch)
            chosen: list[int] = []
            for i, item in enumerate(self.items):
                share = SHARES.get(item.source, 1.0)
                chosen += [i] * (int(share) + (rng.random() < share % 1))
            rng.shuffle(chosen)
            size = -(-len(chosen) // self.chunks)
            for at in range(0, len(chosen), size):
                yield Job(rng.randrange(1 << 30), chosen[at : at + size], self.tokens, self.rows)

    def _epochs(self, done: Iterator[list[Batch]]) -> Iterator[list[Batch]]:
        for _ in range(self.epochs):
            yield [batch for _ in range(self.chunks) for batch in next(done)]


def encode(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Ids]:
    """Reads texts into token numbers, cut to what the encoder reads, its closing mark kept."""
    numbers = (found.ids for found in tokenizer.encode_batch(list(texts)))
    return [np.array(ids if len(ids) <= LONGEST else [*ids[: LONGEST - 1], ids[-1]], np.int32) for ids in numbers]


def _pad(rows: Sequence[tuple[int, list[Ids]]]) -> Batch:
    length = -(-max(len(view) for _, views in rows for view in views) // 8) * 8
    tokens = np.zeros((VIEWS, len(rows), length), np.int32)
    for i, (_, views) in enumerate(rows):
        for v, view in enumerate(views):
            tokens[v, i, : len(view)] = view
    return Batch(np.array([item for item, _ in rows], np.int64), tokens.reshape(VIEWS * len(rows), length))


def _start(prepared: Path, base: Path) -> None:
    global _worker
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    corpus = load(prepared)
    old = set((base / "vocab.txt").read_text(encoding="utf-8").splitlines())
    new = [piece for piece in corpus.vocabulary if piece not in old]
    _worker = _Worker(corpus, make_tokenizer(corpus.vocabulary, base / "tokenizer.json"), base, new)


def _make_batches(job: Job) -> list[Batch]:
    """Writes the views of a chunk of items and packs them, views of like length together."""
    assert _worker is not None
    rng = random.Random(job.seed)
    views = [_columns(_worker.prepared.items[i], _worker.prepared, rng) for i in job.items]
    numbers = _tokenise([text for row in views for text in row], _worker, rng)
    rows = [(item, numbers[at * VIEWS : (at + 1) * VIEWS]) for at, item in enumerate(job.items)]
    rows.sort(key=lambda row: max(map(len, row[1])))
    batches, at = [], 0
    while at < len(rows):
        length = max(map(len, rows[at][1]))
        size = max(8, min(job.rows, job.tokens // (length + 4)))
        batches.append(_pad(rows[at : at + size]))
        at += size
    rng.shuffle(batches)
    return batches


def _tokenise(texts: Sequence[str], worker: _Worker, rng: random.Random) -> list[Ids]:
    """Tokenises texts, a fifth of them with a third of the new pieces left out, so that their parts learn too."""
    left_out = frozenset(rng.sample(worker.new_pieces, len(worker.new_pieces) // 3))
    broken = make_tokenizer(worker.prepared.vocabulary, worker.base / "tokenizer.json", left_out)
    parted = [rng.random() < 0.2 for _ in texts]
    in_parts = iter(encode(broken, [text for text, part in zip(texts, parted, strict=True) if part]))
    whole = iter(encode(worker.tokenizer, [text for text, part in zip(texts, parted, strict=True) if not part]))
    return [next(in_parts) if part else next(whole) for part in parted]


def _columns(item: Item, prepared: Prepared, rng: random.Random) -> tuple[str, str, str]:
    views = make_views(item, prepared.to_other, rng)
    return views.english, views.other, views.mixed
