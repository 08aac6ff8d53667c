"""Turns labelled examples into arrays the network trains on, and turns of the bank into the vectors it must find."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.references.bank import Domain
from training.references.example import Example, from_json, to_json
from training.references.heads import AGO, FROM_END, FROM_START, KINDS, LABELS, OFFSETS, TAGS, TIMES
from training.references.holdout import BANK_FAMILY

LONGEST = 48
"""Tokens of a query that are read; training queries are shorter, run-time ones are cut alike."""
IGNORED = -100
MOST_FITTING = 3
"""Turns that one topic may fit alike."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Arrays:
    """One row per example; IGNORED marks what an example says nothing about."""

    ids: NDArray[np.int32]
    lengths: Ints
    tags: NDArray[np.int8]
    label: Ints
    kind: Ints
    offset: Ints
    time: Ints
    from_start: NDArray[np.float32]
    from_end: NDArray[np.float32]
    ago: NDArray[np.float32]
    places_known: NDArray[np.float32]
    """Zero where a row's places are out of the classes' reach and are read from its digits."""
    turns: Ints
    """Indices of the turns the topic fits, up to MOST_FITTING, filled up with IGNORED."""
    domain: Ints
    """Index of the domain a text was written for, or IGNORED."""
    one_of: Ints
    """Whether one of the places is meant or all of them; IGNORED where a row names no two."""

    def __len__(self) -> int:
        return len(self.label)

    def take(self, rows: Ints) -> Arrays:
        return Arrays(**{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})


def write_examples(path: Path, examples: Iterable[Example]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as out:
        for example in examples:
            out.write(to_json(example) + "\n")


def read_examples(path: Path) -> list[Example]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [from_json(line) for line in lines]


def arrays(examples: Sequence[Example], tokenizer: Tokenizer, shelf: TurnShelf) -> Arrays:
    encodings = tokenizer.encode_batch([example.query for example in examples])
    turn_index, domain_index = shelf.index, shelf.domain_index
    length = min(LONGEST, max(len(e.ids) for e in encodings))
    ids = np.zeros((len(examples), length), np.int32)
    tags = np.full((len(examples), length), IGNORED, np.int8)
    lengths = np.zeros(len(examples), np.int64)
    for row, (example, encoding) in enumerate(zip(examples, encodings, strict=True)):
        n = lengths[row] = min(length, len(encoding.ids))
        ids[row, :n] = encoding.ids[:n]
        tags[row, :n] = token_tags(example, encoding.offsets[:n])
    return Arrays(
        ids, lengths, tags,
        label=np.array([LABELS.index(e.label) for e in examples]),
        kind=np.array([IGNORED if e.kind is None else KINDS.index(e.kind) for e in examples]),
        offset=np.array([offset_class(e) for e in examples]),
        time=np.array([TIMES.index(e.time or "none") for e in examples]),
        from_start=many_hot([e.from_start for e in examples], FROM_START),
        from_end=many_hot([e.from_end for e in examples], FROM_END),
        ago=many_hot([e.ago for e in examples], AGO),
        places_known=np.array([places_in_reach(e) for e in examples], np.float32),
        turns=turns_named(examples, turn_index),
        domain=np.array([domain_index.get(e.family.removeprefix(BANK_FAMILY), IGNORED) for e in examples]),
        one_of=np.array([int(e.one_of) if names_several(e) else IGNORED for e in examples]),
    )  # fmt: skip


def token_tags(example: Example, offsets: Sequence[tuple[int, int]]) -> list[int]:
    spans = [(example.topic, TAGS.index("topic"))] if example.topic else []
    spans += [
        ((start, end), TAGS.index(role))
        for (start, end, _), role in zip(example.number_spans, example.number_roles, strict=True)
    ]
    if example.label != "reference":
        # A fresh question has a subject too; whether that counts as a topic is nobody's business.
        spans = [(span, IGNORED) for span, _ in spans]
    return [tag_of(token, spans) for token in offsets]


def tag_of(token: tuple[int, int], spans: Sequence[tuple[tuple[int, int], int]]) -> int:
    begin, end = token
    if begin == end:
        return IGNORED
    return next((tag for (start, stop), tag in spans if begin < stop and start < end), 0)


def offset_class(example: Example) -> int:
    return OFFSETS.index(example.offset or 0) if abs(example.offset or 0) <= max(OFFSETS) else IGNORED


def many_hot(places: Sequence[tuple[int, ...]], size: int) -> NDArray[np.float32]:
    out = np.zeros((len(places), size), np.float32)
    for row, numbers in enumerate(places):
        for n in numbers:
            if 1 <= n <= size:
                out[row, n - 1] = 1.0
    return out


def turns_named(examples: Sequence[Example], index: dict[str, int]) -> Ints:
    out = np.full((len(examples), MOST_FITTING), IGNORED)
    for row, example in enumerate(examples):
        known = [index[turn] for turn in (example.topic_turn or "").split(",") if turn in index][:MOST_FITTING]
        out[row, : len(known)] = known
    return out


def names_several(example: Example) -> bool:
    return len(example.from_start) + len(example.from_end) + len(example.ago) > 1


def places_in_reach(example: Example) -> bool:
    return (
        max(example.from_start, default=0) <= FROM_START
        and max(example.from_end, default=0) <= FROM_END
        and max(example.ago, default=0) <= AGO
    )


@dataclass(frozen=True)
class TurnShelf:
    """Every turn a topic may mean, with the domain each belongs to."""

    ids: tuple[str, ...]
    queries: tuple[str, ...]
    responses: tuple[str, ...]
    domains: Ints
    themes: Ints

    @property
    def index(self) -> dict[str, int]:
        return {turn_id: i for i, turn_id in enumerate(self.ids)}

    @property
    def domain_index(self) -> dict[str, int]:
        return {turn_id.split("/")[0]: int(domain) for turn_id, domain in zip(self.ids, self.domains, strict=True)}


def write_turns(path: Path, domains: Sequence[Domain]) -> None:
    rows = [[t.id, t.query, t.response, d.name, d.theme] for d in domains for t in d.turns]
    with gzip.open(path, "wt", encoding="utf-8") as out:
        json.dump(rows, out, ensure_ascii=False)


def read_turns(path: Path) -> TurnShelf:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows: list[list[str]] = json.load(file)
    ids, queries, responses, domains, themes = (tuple(column) for column in zip(*rows, strict=True))
    return TurnShelf(ids, queries, responses, numbered(domains), numbered(themes))


def numbered(names: Sequence[str]) -> Ints:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)
