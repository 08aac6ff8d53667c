"""Makes the many ways one meaning may be written: either language, both mixed, respelt, mistyped."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.encoder.lexicon import WORD, words_of
from training.spelling import chat_spelling, typos

Meanings = Mapping[str, Sequence[tuple[str, float]]]
CLAUSE = re.compile(r"(?<=[,;:.!?])\s+")
SMALL_WORDS = frozenset(
    [
        "ang",
        "ng",
        "sa",
        "na",
        "at",
        "ay",
        "mga",
        "ni",
        "si",
        "nang",
        "kay",
        "ko",
        "mo",
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "is",
        "and",
        "for",
        "on",
        "that",
        "it",
        "by",
        "was",
        "with",
        "as",
        "be",
        "are",
        "i",
    ]
)
VERB_PREFIXES = ("mag-", "nag-", "i-", "ni-", "na-", "pag-", "naka-", "magpa-")


@dataclass(frozen=True, slots=True)
class Item:
    """One meaning to learn: its English text, what else says it, and which of their words belong together."""

    source: str
    english: str
    other: str = ""
    links: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Views:
    english: str
    other: str
    mixed: str


def make_views(item: Item, meanings: Meanings, rng: random.Random) -> Views:
    """Makes one English, one foreign and one mixed writing of an item, some of them noisy."""
    if not item.other:
        mixed = _swap_by_meaning(item.english, meanings, rng)
        return Views(item.english, _noisy(item.english, rng, 0.7), _noisy(mixed, rng, 0.3))
    english = _noisy(item.english, rng, 0.1)
    return Views(english, _noisy(item.other, rng, 0.4), _noisy(mix(item, meanings, rng), rng, 0.35))


def mix(item: Item, meanings: Meanings, rng: random.Random) -> str:
    """Switches codes inside one sentence: its halves, its clauses, or single words."""
    choice = rng.random()
    if choice < 0.2:
        return _halves(item, rng)
    if choice < 0.3:
        return _clauses(item, rng)
    if choice < 0.75 and item.links:
        return _swap_linked(item, rng)
    if choice < 0.85 and item.links:
        return _swap_linked(Item(item.source, item.other, item.english, tuple((o, e) for e, o in item.links)), rng)
    return _swap_by_meaning(item.english, meanings, rng)


def _halves(item: Item, rng: random.Random) -> str:
    share = rng.uniform(0.25, 0.75)
    english, other = item.english.split(), item.other.split()
    e, o = round(share * len(english)), round(share * len(other))
    return " ".join(english[:e] + other[o:] if rng.random() < 0.5 else other[:o] + english[e:])


def _clauses(item: Item, rng: random.Random) -> str:
    english, other = CLAUSE.split(item.english), CLAUSE.split(item.other)
    if len(english) != len(other) or len(english) < 2:
        return _halves(item, rng)
    return " ".join(rng.choice(both) for both in zip(english, other, strict=True))


def _swap_linked(item: Item, rng: random.Random) -> str:
    """Puts English words where their translations stand, as Taglish does, a verb at times with a Filipino prefix."""
    english = words_of(item.english)
    share = rng.choice((0.2, 0.4, 0.6, 0.9))
    swaps = {
        o: english[e]
        for e, o in item.links
        if rng.random() < (share if english[e] not in SMALL_WORDS else share / 5) and e < len(english)
    }
    place = -1

    def swapped(match: re.Match[str]) -> str:
        nonlocal place
        place += 1
        word = swaps.get(place)
        if word is None:
            return match[0]
        prefixed = any(match[0].lower().startswith(p.rstrip("-")) for p in VERB_PREFIXES) and rng.random() < 0.15
        return (rng.choice(VERB_PREFIXES) if prefixed else "") + word

    return WORD.sub(swapped, item.other)


def _swap_by_meaning(text: str, meanings: Meanings, rng: random.Random) -> str:
    """Puts the likeliest translations of single words into an English text."""
    share = rng.choice((0.15, 0.3, 0.5, 0.8))

    def swapped(match: re.Match[str]) -> str:
        english = match[0].lower()
        found = [pair for pair in meanings.get(english, ()) if english in SMALL_WORDS or pair[0] not in SMALL_WORDS]
        if not found or rng.random() > (share / 2 if english in SMALL_WORDS else share):
            return match[0]
        return rng.choices([word for word, _ in found], [weight for _, weight in found])[0]

    return WORD.sub(swapped, text)


def _noisy(text: str, rng: random.Random, chance: float) -> str:
    if rng.random() > chance:
        return text
    choice = rng.random()
    if choice < 0.2:
        return text.lower() if rng.random() < 0.5 else re.sub(r"[.!?]$", "", text)
    if choice < 0.7:
        text = chat_spelling(text, rng, rng.choice((0.1, 0.2, 0.4, 0.7)))
    if choice > 0.55:
        text = typos(text, rng, rng.choice((0.05, 0.1, 0.2)))
    return text
