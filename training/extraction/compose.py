"""Composes labelled statements from patterns and fillers; whole patterns and whole fillers are held out."""

from __future__ import annotations

import random
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gunita.language.words import words
from training.spelling import chat_spelling

HERE = Path(__file__).parent
CHOICE = re.compile(r"\(([^()]*)\)(\?)?")
SLOT = re.compile(r"\{(\w+)\}")
ALL = "all"
RESPELT = 0.2
LOWERED = 0.25
DECORATED = 0.25
OPENERS = {
    "en": (
        "Also, ",
        "Well, ",
        "Just so you know, ",
        "For context, ",
        "Note that ",
        "Right now ",
        "Honestly ",
        "As you know, ",
    ),
    "tl": ("Bale ", "Para malaman mo, ", "Nga pala, ", "Alam mo, ", "Sa totoo lang, "),
    "taglish": ("Btw ", "Actually ", "So ayun, ", "FYI ", "Nga pala, ", "To be honest "),
}
CLOSERS = {
    "en": (" by the way", ", you know", " these days", " as well", " too"),
    "tl": (" po", " nga pala", " talaga", " kasi"),
    "taglish": (" po", " actually", " btw", " kasi", " talaga", " haha"),
}


@dataclass(frozen=True, slots=True)
class Pattern:
    number: int
    language: str
    label: str
    category: str
    template: str


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    label: str
    category: str
    language: str
    held_out: bool


def patterns() -> list[Pattern]:
    found: list[Pattern] = []
    for language, line in _lines(HERE / "patterns.txt"):
        label, category, template = (part.strip() for part in line.split(" | ", 2))
        found.append(Pattern(len(found), language, label, category, template))
    return found


def slots() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for language, line in _lines(HERE / "slots.txt"):
        name, fillers = line.split(":", 1)
        found[language][name] = tuple(filler.strip() for filler in fillers.split(" | "))
    return found


def grammar_words(chosen: Sequence[Pattern], rng: random.Random) -> frozenset[str]:
    """Words that hold the patterns together, in all their spellings; what fills the slots is not grammar."""
    met: dict[str, set[int]] = defaultdict(set)
    for pattern in chosen:
        for word in words(SLOT.sub(" ", pattern.template).translate(str.maketrans("()|?", "    "))):
            met[word].add(pattern.number)
    common = [word for word, where in met.items() if len(where) > 1]
    respelt = {form for word in common for _ in range(4) for form in words(chat_spelling(word, rng, 1.0))}
    return frozenset(common) | respelt


def compose(per_pattern: int, seed: int, holdout_every: int = 7) -> Iterator[Example]:
    """Fill every pattern; every seventh pattern, and every fifth filler of it, are never trained on."""
    fillers = slots()
    for pattern in patterns():
        # A stream of its own for every pattern: adding one leaves the others' examples, and their vectors, alone.
        rng = random.Random(f"{seed} {pattern.template}")
        held_out = is_held_out(pattern, holdout_every)
        usable = {
            name: [f for i, f in enumerate(values) if (i % 5 == 4) == held_out] or list(values)
            for name, values in {**fillers[ALL], **fillers[pattern.language]}.items()
        }
        seen = set()
        for _ in range(per_pattern):
            text = _spoken(_filled(pattern.template, usable, rng), pattern, rng)
            if text not in seen:
                seen.add(text)
                yield Example(text, pattern.label, pattern.category, pattern.language, held_out)


def is_held_out(pattern: Pattern, every: int = 7) -> bool:
    return zlib.crc32(pattern.template.encode()) % every == 3


def _filled(template: str, fillers: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    while found := CHOICE.search(template):
        ways = [*found[1].split("|"), *([""] if found[2] else [])]
        template = template[: found.start()] + rng.choice(ways) + template[found.end() :]
    text = SLOT.sub(lambda slot: rng.choice(fillers[slot[1]]), template)
    return " ".join(text.replace(" ,", ",").split())


def _spoken(text: str, pattern: Pattern, rng: random.Random) -> str:
    """Say it as people do: capital or not, with a word in front or after, in chat spelling."""
    text = text[:1].upper() + text[1:]
    if rng.random() < DECORATED:
        opener = rng.choice(OPENERS[pattern.language])
        text = opener + (text if text.startswith(("I ", "I'")) else text[:1].lower() + text[1:])
    elif rng.random() < DECORATED and not text.endswith("?"):
        text += rng.choice(CLOSERS[pattern.language])
    if rng.random() < RESPELT:
        text = chat_spelling(text, rng, 0.5)
    if rng.random() < LOWERED:
        text = text.lower().replace("'", "" if rng.random() < 0.5 else "'")
    return text


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    language = ALL
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language = line.strip("[]")
        elif line and not line.startswith("#"):
            yield language, line
