"""Real sentences: questions, commands and news teach nothing about a user; statements of iKAT's users do."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from training.extraction.compose import Example

SPEAKER = re.compile(r"\b(i|i'm|i've|my|me|we|our|ako|ko|akin|aking|akong|kong|kami|namin|natin)\b", re.IGNORECASE)
LIKING = re.compile(r"\b(like|love|prefer|favou?rite|enjoy|hate|dislike|fan of|interested in)\b", re.IGNORECASE)
NOT_LASTING = re.compile(r"\b(going to|want to|just|will|planning|would like)\b", re.IGNORECASE)
UNKNOWN_CATEGORY = ""


def real_examples(data: Path, seed: int) -> list[Example]:
    rng = random.Random(seed)
    found = [*_questions(data), *_requests(data), *_parallel(data, rng), *_statements(data)]
    return [Example(text, label, category, language, rng.random() < 0.1) for text, label, category, language in found]


def _questions(data: Path) -> Iterator[tuple[str, str, str, str]]:
    for line in (data / "questions" / "fresh.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        yield record["text"], "none", "none", record["lang"]


def _requests(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """What people tell a restaurant guide: wishes of the moment, said in the first person; two dialogues of three."""
    dialogues = json.loads((data / "conversations" / "gecor_camrest.json").read_text(encoding="utf-8"))
    for number, dialogue in enumerate(dialogues):
        if number % 3:
            for turn in dialogue["dial"]:
                yield turn["usr"]["transcript"], "none", "none", "en"


def _parallel(data: Path, rng: random.Random) -> Iterator[tuple[str, str, str, str]]:
    """News and commands; a sentence that speaks of "I" might be a statement and is left out of the news."""
    for name, most in (("alt.tsv", 500), ("massive.tsv", 700), ("tatoeba.tsv", 500)):
        with (data / "parallel" / name).open(encoding="utf-8", newline="") as file:
            pairs = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
        keeps_all = name == "massive.tsv"
        usable = [pair for pair in pairs if len(pair) == 2 and (keeps_all or not any(map(SPEAKER.search, pair)))]
        for english, tagalog in rng.sample(usable, most):
            yield english, "none", "none", "en"
            yield tagalog, "none", "none", "tl"


def _statements(data: Path) -> Iterator[tuple[str, str, str, str]]:
    for path in sorted((data / "facts").glob("ikat_*.json")):
        for topic in json.loads(path.read_text(encoding="utf-8")):
            for text in topic["ptkb"].values():
                if SPEAKER.search(text) and not NOT_LASTING.search(text):
                    yield text, "preference" if LIKING.search(text) else "fact", UNKNOWN_CATEGORY, "en"
            for turn in topic["turns"]:
                if turn["utterance"].rstrip().endswith("?"):
                    yield turn["utterance"], "none", "none", "en"
