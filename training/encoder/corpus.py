"""Reads the parallel and English-only text the encoder learns from, and holds a part of it back for validation."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HELD_OUT = {"alt": 500, "tatoeba": 300, "massive": 700}
LONGEST_CHARACTERS = 1500


@dataclass(frozen=True, slots=True)
class Pair:
    """An English text and what says the same in another language (empty where there is only English)."""

    source: str
    english: str
    other: str = ""


@dataclass(slots=True)
class Corpus:
    pairs: list[Pair] = field(default_factory=list)
    held_out: list[Pair] = field(default_factory=list)


def read_corpus(data: Path, extra: Sequence[Path], exclude: Path | None, seed: int) -> Corpus:
    """Reads everything under the data folder and the extra tables, without a text of the measuring sets."""
    forbidden = read_measuring_texts(exclude) if exclude else frozenset()
    tables = [*sorted((data / "parallel").glob("*.tsv")), *extra]
    parallel = [pair for table in tables for pair in read_table(table) if not _is_forbidden(pair, forbidden)]
    corpus = _split(_unique(parallel), random.Random(seed))
    held_english = {pair.english for pair in corpus.held_out}
    english = (text for text in read_english(data) if text not in held_english and _key(text) not in forbidden)
    corpus.pairs += [Pair("english", text) for text in sorted(set(english))]
    return corpus


def read_table(path: Path) -> Iterator[Pair]:
    """Reads a two-column table with a heading line: English, then the other language."""
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        english, _, other = line.partition("\t")
        if english.strip() and other.strip():
            yield Pair(path.stem, english.strip(), other.strip())


def read_english(data: Path) -> Iterator[str]:
    """Reads the English questions, dialogues and passages, whose own vectors are to stay in place."""
    yield from _fresh_questions(data / "questions" / "fresh.jsonl")
    for folder in ("conversations", "clarify", "facts"):
        for path in sorted((data / folder).glob("*.json")):
            for text in _strings(json.loads(path.read_text(encoding="utf-8"))):
                if _is_prose(text):
                    yield text[:LONGEST_CHARACTERS].strip()
        for path in sorted((data / folder).glob("*.tsv")):
            with path.open(encoding="utf-8", newline="") as lines:
                yield from (row[-1].strip() for row in csv.reader(lines, delimiter="\t") if row)


def read_measuring_texts(path: Path) -> frozenset[str]:
    """Reads the texts that only measure, so that none of them is learnt from."""
    sets: dict[str, list[list[str]]] = json.loads(path.read_text(encoding="utf-8"))
    return frozenset(_key(text) for pairs in sets.values() for pair in pairs for text in pair)


def join_neighbours(pairs: Sequence[Pair], source: str, rng: random.Random) -> Iterator[list[Pair]]:
    """Groups runs of two to five neighbouring news sentences, to be learnt as one longer message."""
    news = [pair for pair in pairs if pair.source == source]
    start = 0
    while start < len(news):
        run = news[start : start + rng.randint(2, 5)]
        if len(run) > 1:
            yield run
        start += len(run)


def _fresh_questions(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        if question["lang"] == "en":
            yield question["text"]


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from _strings(part)
        case list():
            for part in value:
                yield from _strings(part)


def _is_prose(text: str) -> bool:
    words = text.split()
    return len(words) >= 3 and sum(word.isalpha() for word in words) * 2 > len(words)


def _unique(pairs: Iterable[Pair]) -> list[Pair]:
    return list({(_key(pair.english), _key(pair.other)): pair for pair in pairs}.values())


def _split(pairs: Sequence[Pair], rng: random.Random) -> Corpus:
    """Holds out whole English texts, so that no other translation of one is trained on."""
    held: set[str] = set()
    for source, wanted in HELD_OUT.items():
        texts = sorted({_key(pair.english) for pair in pairs if pair.source == source})
        held.update(rng.sample(texts, min(wanted, len(texts) // 10)))
    corpus = Corpus()
    seen: set[str] = set()
    for pair in pairs:
        key = _key(pair.english)
        if key not in held:
            corpus.pairs.append(pair)
        elif key not in seen:
            seen.add(key)
            corpus.held_out.append(pair)
    return corpus


def _is_forbidden(pair: Pair, forbidden: frozenset[str]) -> bool:
    return _key(pair.english) in forbidden or _key(pair.other) in forbidden


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()
