"""Exchanges as people write them, English and Taglish, short and long, the same ones in every run."""

from __future__ import annotations

import random
from collections.abc import Sequence

_OPENINGS = (
    "Hi po, ", "Good morning! ", "Tanong lang, ", "Quick question: ", "Sorry ulit, ", "Hello, ", "", "", "", "Ah, ",
)  # fmt: skip
_QUESTIONS = (
    "magkano ba ang bayad sa {thing}",
    "how long does the {thing} usually take",
    "paano ko ba maaayos yung {thing} kung wala akong oras",
    "can you compare the {thing} with the {other} for a family of four",
    "kailangan pa ba ng {other} bago ang {thing}",
    "what should I bring for the {thing}, and is the {other} enough",
    "saan pwedeng magpagawa ng {thing} na hindi masyadong mahal",
    "is it normal that the {thing} costs more than the {other} these days",
    "pakiulit nga yung tungkol sa {thing}, hindi ko nakuha kanina",
    "ano ang mas okay para sa amin, {thing} o {other}",
)
_ANSWERS = (
    "For the {thing}, plan on two to three weeks, because the office only opens its list on Mondays.",
    "Ang {thing} ay nasa ₱{price} ngayon, kasama na ang processing fee, pero puwedeng tumaas sa susunod na buwan.",
    "Kung may {other} ka na, hindi mo na kailangang ulitin ang unang hakbang; dumiretso ka na sa window 4.",
    "Most people get the {thing} first and the {other} after it, since the second one asks for proof of the first.",
    "Dalhin mo ang dalawang valid ID, isang photocopy ng bawat isa, at ang resibo ng {other}.",
    "I would choose the {thing}: it is cheaper over a year, it can be cancelled, and the {other} can be added later.",
    "Tandaan lang na sarado sila tuwing tanghali, kaya mas mabuting pumunta nang maaga o mag-book online.",
    "In short: pay ₱{price}, keep the receipt, and wait for the text message before you go back for the {thing}.",
    "Para sa apat na tao, sulit ang {thing} kung gagamitin n'yo nang higit sa dalawang beses sa isang buwan.",
    "The {other} has its own form, which you can fill in at home; print it on both sides and sign every page.",
)
_THINGS = (
    "passport renewal", "tourist visa", "internet plan", "aircon cleaning", "birth certificate", "barangay clearance",
    "dental cleaning", "school enrolment", "car registration", "laptop repair", "kasal sa simbahan", "PhilHealth",
    "flight rebooking", "SSS loan", "health card", "condo reservation", "driving lesson", "birthday catering",
)  # fmt: skip


class Exchanges:
    """A bank of queries and responses to draw from, so that drawing costs a benchmark nothing."""

    def __init__(self, seed: int = 7, size: int = 2_000) -> None:
        self._random = random.Random(seed)
        self._bank = [(self._query(), self._response()) for _ in range(size)]

    def draw(self) -> tuple[str, str]:
        return self._random.choice(self._bank)

    def _query(self) -> str:
        return self._pick(_OPENINGS) + self._filled(self._pick(_QUESTIONS)) + "?"

    def _response(self) -> str:
        """Write one sentence or a dozen; a quarter are short, a few are long."""
        sentences = min(12, max(1, round(self._random.lognormvariate(1.2, 0.7))))
        return " ".join(self._filled(self._pick(_ANSWERS)) for _ in range(sentences))

    def _filled(self, pattern: str) -> str:
        thing, other = self._random.sample(_THINGS, 2)
        return pattern.format(thing=thing, other=other, price=f"{self._random.randrange(300, 9_000):,}")

    def _pick(self, choices: Sequence[str]) -> str:
        return self._random.choice(choices)
