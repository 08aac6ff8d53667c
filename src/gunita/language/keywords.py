"""The topics of a text: phrases of its own that come back, without a model."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gunita.language.languages import commonness
from gunita.language.words import FUNCTION_WORDS

MOST_TOPICS = 8
LONGEST_PHRASE = 3
RUN = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
BREAK = re.compile(r"[^\w\s'’\-]+|\s-+\s")

# Words that fill talk without naming what it is about; closed class, beside the function words.
TALK_TEXT = """
    hi hello hey thanks thank yes yeah ok okay oo opo sige salamat sure great good nice really very much many lot lots
    way ways thing things time times day days help want wanted know think try trying look looking find found new own
    here here's it's i'm i've i'd i'll don't that's let's you're there's can't what's some something anything someone
    recommend recommendations suggestions suggest tips advice information idea ideas example examples consider keep
    first last next also well even still back come take give made going got using used been being both each other
    another however while since because before between through during without within around over under such same
    different may might must per etc most lalo talaga siguro parang sobrang mas pinaka kanina bukas kahapon araw oras
    provide provides offer offers helps visit explore include includes including individuals
    haha hahaha hehe lol sige ay naku user assistant sounds glad happy feel free specific best make sure
    maraming marami tulong ngayon gawin paki pwedeng puwedeng gusto kailangan tsaka saka dito doon
    """
TALK = frozenset(TALK_TEXT.split())


def key_topics(texts: Sequence[str], sources: Sequence[int] | None = None, most: int = MOST_TOPICS) -> tuple[str, ...]:
    """Name what texts are about, weightiest first; `sources` tells which texts belong to one message."""
    places = range(len(texts)) if sources is None else sources
    spelled: dict[str, list[str]] = defaultdict(list)
    seen: dict[str, set[int]] = defaultdict(set)
    for text, source in zip(texts, places, strict=True):
        for phrase in phrases(text):
            key = phrase.lower()
            spelled[key].append(phrase)
            seen[key].add(source)
    weights = {key: _weight(key, len(sources)) for key, sources in seen.items()}
    ranked = sorted(weights, key=lambda key: (-weights[key], key))
    return tuple(_best_spelling(spelled[key]) for key in _apart(ranked, most))


def phrases(text: str) -> Iterator[str]:
    """Give every run of up to three content words that no other word or mark interrupts."""
    for stretch in BREAK.split(text):
        run: list[str] = []
        for word in (*RUN.findall(stretch), ""):
            if word and is_content(word):
                run.append(word)
                for length in range(1, min(len(run), LONGEST_PHRASE) + 1):
                    yield " ".join(run[-length:])
            else:
                run = []


@lru_cache(maxsize=16_384)
def is_content(word: str) -> bool:
    lowered = word.lower()
    return len(word) > 2 and not word.isdigit() and lowered not in FUNCTION_WORDS and lowered not in TALK


def _weight(key: str, spread: int) -> float:
    """Weigh a phrase by the messages it comes back in; a phrase beats its words when it comes back as often."""
    words = key.split()
    rare = sum(1.0 - 0.8 * commonness(word) for word in words)
    return math.pow(math.log1p(spread), 1.5) * rare / math.sqrt(len(words)) * (1.0 if spread > 1 else 0.5)


def _apart(ranked: Sequence[str], most: int) -> list[str]:
    """Keep the weightiest phrases that share no word."""
    kept: list[str] = []
    used: set[str] = set()
    for key in ranked:
        words = {word[:4] for word in key.split()}
        if used.isdisjoint(words):
            kept.append(key)
            used |= words
        if len(kept) == most:
            break
    return kept


def _best_spelling(spellings: Sequence[str]) -> str:
    count = Counter(spellings)
    return min(count, key=lambda spelling: (-count[spelling], spelling))
