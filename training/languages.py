"""Train the word-level language model: `python -m training.languages PARALLEL_FOLDER [--out FILE]`.

English and Tagalog come from parallel text (alt.tsv, tatoeba.tsv, massive.tsv); Cebuano, Spanish and chat words from
languages_seeds.tsv and from the queries of training/references/written, written for this project. Each word type is one
example whose target is how its use divides over the languages, so that a name or a loan word found in both says nothing
about either.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gunita.language.languages import BUCKETS, CLASSES, WORD, grams, language_of, normal
from gunita.models import Language
from training.references.written import read_all

SEED = 20
EPOCHS = 20
BATCH = 256
STEP = 0.08
DECAY = 2e-8
HELD_OUT = 0.03
SEED_WEIGHT = 40
"""A seed sentence counts as this many: the parallel text is thousands of times larger."""
WRITTEN_WEIGHT = 2
WRITTEN_LANGUAGES = {
    "en": Language.ENGLISH,
    "tl": Language.TAGALOG,
    "ceb": Language.CEBUANO,
    "es": Language.SPANISH,
}
"""Queries written for references, in the languages that stand alone."""
COMMON_WORDS = 6000
VOWELS = "aeiou"
HERE = Path(__file__).parent
SHIPPED = HERE.parent / "src" / "gunita" / "language" / "model" / "languages.npz"


@dataclass(frozen=True)
class Sentence:
    text: str
    language: Language
    weight: int = 1


def read_parallel(folder: Path) -> list[Sentence]:
    found: list[Sentence] = []
    for name in ("alt.tsv", "tatoeba.tsv", "massive.tsv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if len(row) == 2 and row != ["en", "tl"]:
                    found.append(Sentence(row[0], Language.ENGLISH))
                    found.append(Sentence(row[1], Language.TAGALOG))
    return found


def read_seeds(path: Path) -> list[Sentence]:
    lines = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [Sentence(text, Language(code), SEED_WEIGHT) for code, text in lines]


def read_written() -> list[Sentence]:
    queries = (written.example for written in read_all())
    return [
        Sentence(query.query, WRITTEN_LANGUAGES[query.lang], WRITTEN_WEIGHT)
        for query in queries
        if query.lang in WRITTEN_LANGUAGES
    ]


def count_words(sentences: list[Sentence]) -> dict[str, Counter[Language]]:
    counts: dict[str, Counter[Language]] = defaultdict(Counter)
    for sentence in sentences:
        for match in WORD.finditer(sentence.text):
            if word := normal(match.group()):
                counts[word][sentence.language] += sentence.weight
    return counts


def without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def in_chat_spelling(word: str, rng: random.Random) -> str | None:
    """Drop vowels, swap or lose a letter, the way people type on a phone."""
    if len(word) < 4:
        return None
    kind = rng.random()
    if kind < 0.5:
        return word[0] + "".join(c for c in word[1:-1] if c not in VOWELS) + word[-1]
    at = rng.randrange(1, len(word) - 1)
    if kind < 0.75:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :]


def spelled_out(counts: dict[str, Counter[Language]], rng: random.Random) -> dict[str, Counter[Language]]:
    """Add the chat spelling of common words and Spanish without its accents."""
    more: dict[str, Counter[Language]] = defaultdict(Counter)
    for word, by_language in counts.items():
        for language, count in by_language.items():
            more[word][language] += count
            if language is Language.SPANISH and without_accents(word) != word:
                more[without_accents(word)][language] += count
            if count >= 5 and (spelled := in_chat_spelling(word, rng)):
                more[spelled][language] += max(1, count // 10)
    return more


def shares(counts: dict[str, Counter[Language]]) -> tuple[list[str], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Give each word type its target (how its use divides, per million words of each language) and its weight."""
    totals: Counter[Language] = Counter()
    for by_language in counts.values():
        totals.update(by_language)
    floor = {language: max(totals[language], 300_000) for language in CLASSES}
    words = sorted(counts)
    rates = np.array([[counts[w][language] * 1e6 / floor[language] for language in CLASSES] for w in words])
    targets = (rates / rates.sum(axis=1, keepdims=True)).astype(np.float32)
    weights = np.minimum(1.0 + np.sqrt(rates.sum(axis=1)), 40.0).astype(np.float32)
    return words, targets, weights


def train(
    words: list[str], targets: npt.NDArray[np.float32], importance: npt.NDArray[np.float32], epochs: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Fit a multinomial logistic regression over hashed character n-grams with Adagrad."""
    rng = np.random.default_rng(SEED)
    features = [grams(word) for word in words]
    weights = np.zeros((BUCKETS, len(CLASSES)), dtype=np.float32)
    seen = np.full_like(weights, 1e-3)
    bias = np.zeros(len(CLASSES), dtype=np.float32)
    for _ in range(epochs):
        order = rng.permutation(len(words))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            columns = np.concatenate([features[i] for i in batch])
            rows = np.repeat(np.arange(len(batch)), [len(features[i]) for i in batch])
            logits = np.zeros((len(batch), len(CLASSES)), dtype=np.float32)
            np.add.at(logits, rows, weights[columns])
            logits += bias
            chances = np.exp(logits - logits.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            error = (chances - targets[batch]) * importance[batch, None] / importance[batch].mean()
            touched, places = np.unique(columns, return_inverse=True)
            gradient = np.zeros((len(touched), len(CLASSES)), dtype=np.float32)
            np.add.at(gradient, places, error[rows])
            gradient += DECAY * len(words) * weights[touched]
            seen[touched] += gradient**2
            weights[touched] -= STEP * gradient / np.sqrt(seen[touched])
            bias -= 0.01 * error.mean(axis=0)
    return weights, bias


def common_words(parallel: list[Sentence]) -> tuple[list[str], npt.NDArray[np.uint8]]:
    """Rank words by their greater rate in English or Tagalog; 255 is the most common, 1 the least kept."""
    counts = count_words(parallel)
    totals = {k: sum(c[k] for c in counts.values()) for k in (Language.ENGLISH, Language.TAGALOG)}
    rates = {word: max(found[k] / totals[k] for k in totals) for word, found in counts.items() if found.keys() & totals}
    kept = sorted(rates, key=lambda word: (-rates[word], word))[:COMMON_WORDS]
    top, bottom = math.log(rates[kept[0]]), math.log(rates[kept[-1]])
    levels = [1 + round(254 * (math.log(rates[word]) - bottom) / (top - bottom)) for word in kept]
    return kept, np.array(levels, dtype=np.uint8)


def save(path: Path, parallel: list[Sentence], weights: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> None:
    scale = float(np.abs(weights).max()) / 127.0 or 1.0
    words, levels = common_words(parallel)
    np.savez_compressed(
        path,
        weights=np.round(weights / scale).astype(np.int8),
        scale=np.float32(scale),
        bias=bias,
        common_words=np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        common_levels=levels,
    )


def switched(first: str, second: str) -> str:
    """Join the head of one sentence to the tail of its translation, as a code-switching speaker does."""
    head, tail = first.split(), second.split()
    return " ".join(head[: len(head) // 2] + tail[len(tail) // 2 :])


def report(held_out: list[Sentence]) -> None:
    hits: Counter[str] = Counter()
    total: Counter[str] = Counter()
    pairs = list(zip(held_out[::2], held_out[1::2], strict=False))
    tests = [(s.text, s.language) for s in held_out]
    tests += [(switched(en.text, tl.text), Language.MIXED) for en, tl in pairs if len(en.text.split()) >= 6]
    for text, language in tests:
        total[language.value] += 1
        hits[language.value] += language_of(text) is language
    for name in total:
        print(f"{name}: {hits[name] / total[name]:.3f} of {total[name]} held-out sentences")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parallel", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    sentences = read_parallel(options.parallel)
    rng = random.Random(SEED)
    pairs = [sentences[i : i + 2] for i in range(0, len(sentences), 2)]
    rng.shuffle(pairs)
    cut = int(len(pairs) * HELD_OUT)
    held_out = [sentence for pair in pairs[:cut] for sentence in pair]
    kept = [sentence for pair in pairs[cut:] for sentence in pair]
    counts = count_words([*kept, *read_seeds(HERE / "languages_seeds.tsv"), *read_written()])
    words, targets, importance = shares(spelled_out(counts, rng))
    weights, bias = train(words, targets, importance, options.epochs)
    save(options.out, kept, weights, bias)
    print(f"{len(words)} word types, {options.out.stat().st_size} bytes")
    if options.out == SHIPPED:
        report(held_out)


if __name__ == "__main__":
    main()
