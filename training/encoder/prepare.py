"""Prepares everything distillation reads: the items to learn, their word links, and the grown vocabulary."""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.encoder.composed import compose
from training.encoder.corpus import Pair, join_neighbours, read_corpus
from training.encoder.lexicon import Alignment, align
from training.encoder.views import Item
from training.encoder.vocabulary import grow_vocabulary

FILIPINO = frozenset({"alt", "tatoeba", "massive", "android_tl", "handwritten_tl", "composed"})
PHRASES = Path(__file__).parent / "phrases"
COMPOSED = 6000
NEW_PIECES = 11000
Meanings = dict[str, list[tuple[str, float]]]


@dataclass(frozen=True, slots=True)
class Prepared:
    vocabulary: list[str]
    items: list[Item]
    held_out: list[Item]
    to_english: Meanings
    to_other: Meanings


def prepare(data: Path, base: Path, extra: Sequence[Path], exclude: Path | None, seed: int) -> Prepared:
    """Reads the corpus, aligns its words, and grows the vocabulary from its non-English side."""
    rng = random.Random(seed)
    corpus = read_corpus(data, [*extra, *sorted(PHRASES.glob("*.tsv"))], exclude, seed)
    corpus.pairs += compose(COMPOSED, rng)
    filipino = [pair for pair in corpus.pairs if pair.source in FILIPINO]
    alignment = align([(pair.english, pair.other) for pair in filipino])
    items = [Item(p.source, p.english, p.other, tuple(x)) for p, x in zip(filipino, alignment.links, strict=True)]
    items += [Item(p.source, p.english, p.other) for p in corpus.pairs if p.source not in FILIPINO]
    items += [_joined(run, rng) for run in join_neighbours(corpus.pairs, "alt", rng)]
    items += _word_items(alignment)
    held_out = [Item(pair.source, pair.english, pair.other) for pair in corpus.held_out]
    vocabulary = (base / "vocab.txt").read_text(encoding="utf-8").splitlines()
    grown = grow_vocabulary(vocabulary, (pair.other for pair in corpus.pairs), NEW_PIECES)
    return Prepared(grown, items, held_out, alignment.to_english, alignment.to_other)


def save(prepared: Prepared, path: Path) -> None:
    """Writes the prepared corpus as one compressed file."""
    rows = {
        "vocabulary": prepared.vocabulary,
        "items": [[i.source, i.english, i.other, i.links] for i in prepared.items],
        "held_out": [[i.source, i.english, i.other, i.links] for i in prepared.held_out],
        "to_english": prepared.to_english,
        "to_other": prepared.to_other,
    }
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump(rows, file, ensure_ascii=False)


def load(path: Path) -> Prepared:
    """Reads a prepared corpus back."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = json.load(file)
    items = [_item(*row) for row in rows["items"]]
    held_out = [_item(*row) for row in rows["held_out"]]
    return Prepared(rows["vocabulary"], items, held_out, rows["to_english"], rows["to_other"])


def _item(source: str, english: str, other: str, links: list[list[int]]) -> Item:
    return Item(source, english, other, tuple((e, o) for e, o in links))


def _joined(run: Sequence[Pair], rng: random.Random) -> Item:
    """Joins neighbouring sentences into one message, its sentences in Filipino or, in half of them, in either."""
    share = rng.choice((0.0, 0.5))
    other = " ".join(pair.english if rng.random() < share else pair.other for pair in run)
    return Item("joined", " ".join(pair.english for pair in run), other)


def _word_items(alignment: Alignment) -> list[Item]:
    """Makes an item of each word whose translation both directions are sure of."""
    items = []
    for other, found in alignment.to_english.items():
        english, sure = found[0]
        back = dict(alignment.to_other.get(english, ()))
        if sure > 0.4 and back.get(other, 0.0) > 0.1 and other != english and len(other) > 2:
            items.append(Item("word", english, other))
    return items


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--extra", type=Path, nargs="*", default=[])
    parser.add_argument("--exclude", type=Path, help="measuring pairs, none of whose texts may be learnt")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    save(prepare(options.data, options.base, options.extra, options.exclude, options.seed), options.out)


if __name__ == "__main__":
    main()
