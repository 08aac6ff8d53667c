"""Makes turns and phrases that point at them out of translated sentences, so that topics are met across languages.

A phrase is a few words of one side of a pair; the turn is the other side (or, now and then, the same one).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from gunita.language.languages import commonness
from gunita.language.words import FUNCTION_WORDS, words
from training.references.bank import BankTurn, Domain, Pointer
from training.references.grammar.real import is_held_out_question
from training.references.holdout import PAIRS

SOURCES = {"massive": 5_000, "tatoeba": 2_500, "alt": 5_000}
PHRASES_PER_TURN = 2
SAME_SIDE_SHARE = 0.25
PLAIN = 0.75
"""Words more common than this say too little to name a topic on their own."""


def parallel_domains(data: Path, seed: int = 1) -> list[Domain]:
    """One domain for each source of pairs, its turns without anything but phrases."""
    rng = random.Random(seed)
    domains = []
    for name, most in SOURCES.items():
        rows = (data / "parallel" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
        rng.shuffle(rows)
        turns = [turn for i, row in enumerate(rows[:most]) for turn in paired(f"{PAIRS}{name}", i, row, rng)]
        domains.append(Domain(f"{PAIRS}{name}", f"{PAIRS}{name}", tuple(turns), (), (), ()))
    return domains


def paired(domain: str, i: int, row: str, rng: random.Random) -> Iterator[BankTurn]:
    english, _, tagalog = row.partition("\t")
    if not tagalog or is_held_out_question(english) or is_held_out_question(tagalog):
        return
    sides = [("en", english), ("tl", tagalog)]
    rng.shuffle(sides)
    (lang, text), other = sides
    pointers = []
    for _ in range(PHRASES_PER_TURN):
        spoken, source = (lang, text) if rng.random() < SAME_SIDE_SHARE else other
        phrase = some_words(source, rng)
        if phrase:
            pointers.append(Pointer(spoken, rng.choice(("keyword", "np")), phrase, "paraphrase"))
    if pointers:
        asked = rng.random() < 0.6
        yield BankTurn(f"{domain}/{i}", domain, lang, text if asked else "", "" if asked else text, tuple(pointers))


def some_words(text: str, rng: random.Random) -> str | None:
    """A few neighbouring words that begin and end with one that carries meaning and hold one that is not common."""
    found = words(text)
    spans = [
        found[i : i + n]
        for n in (1, 2, 3, 4)
        for i in range(len(found) - n + 1)
        if carries(found[i]) and carries(found[i + n - 1]) and any(commonness(w) < PLAIN for w in found[i : i + n])
    ]
    return " ".join(rng.choice(spans)) if spans else None


def carries(word: str) -> bool:
    return word not in FUNCTION_WORDS and len(word) > 2 and not word.isdigit()
