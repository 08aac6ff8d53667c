"""Turns composed segments into a finished query: discourse around it, letter case, marks, and the way people type."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from training.references.example import Lang
from training.references.grammar.segments import Joined, Segment, joined, respelt, tidy
from training.spelling import chat_spelling, typos

OPENER_SHARE = 0.2
CLOSER_SHARE = 0.16


@dataclass(frozen=True, slots=True)
class Typing:
    """How often the speakers of a language use chat spelling, slip a key, or leave marks out."""

    chat: float
    chat_strength: float
    slips: float
    lower: float
    unaccented: float = 0.0


TYPING: dict[Lang, Typing] = {
    "en": Typing(chat=0.08, chat_strength=0.25, slips=0.14, lower=0.5),
    "tl": Typing(chat=0.22, chat_strength=0.24, slips=0.1, lower=0.5),
    "taglish": Typing(chat=0.45, chat_strength=0.28, slips=0.1, lower=0.62),
    "ceb": Typing(chat=0.15, chat_strength=0.15, slips=0.1, lower=0.5),
    "es": Typing(chat=0.0, chat_strength=0.0, slips=0.14, lower=0.5, unaccented=0.45),
}


def finished(
    segments: Sequence[Segment], lang: Lang, openers: Sequence[str], closers: Sequence[str], rng: random.Random
) -> Joined:
    """Wrap, punctuate, case and respell a query, keeping every span exact."""
    wrapped = _wrapped(segments, openers, closers, rng)
    marked = _marked(_with_an(tidy(wrapped)) if lang == "en" else tidy(wrapped), lang, rng)
    cased = _cased(marked, TYPING[lang].lower, rng)
    return joined(_typed(cased, TYPING[lang], rng))


def _wrapped(
    segments: Sequence[Segment], openers: Sequence[str], closers: Sequence[str], rng: random.Random
) -> list[Segment]:
    out = list(segments)
    if openers and rng.random() < OPENER_SHARE:
        out.insert(0, Segment(rng.choice(openers) + " "))
    if closers and rng.random() < CLOSER_SHARE:
        closer = rng.choice(closers)
        out = [*_without_final_mark(out), Segment(closer if closer.startswith((",", ".", "!")) else " " + closer)]
    return out


BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=(?!uni|use|one\b|eu)[aeiou])")


def _with_an(segments: list[Segment]) -> list[Segment]:
    return [Segment(BEFORE_VOWEL.sub(r"\1n ", s.text)) if s.role == "carrier" else s for s in segments]


def _without_final_mark(segments: list[Segment]) -> list[Segment]:
    while segments and not segments[-1].text.strip():
        segments = segments[:-1]
    if segments and segments[-1].role == "carrier":
        return [*segments[:-1], Segment(segments[-1].text.rstrip(" ?.!"))]
    return segments


def _marked(segments: list[Segment], lang: Lang, rng: random.Random) -> list[Segment]:
    asks = bool(segments) and segments[-1].text.endswith("?")
    if asks:
        segments = [*_without_final_mark(segments), Segment(_question_mark(rng))]
    elif segments and segments[-1].text[-1:].isalnum():
        segments = [*segments, Segment(rng.choices(("", ".", "!", "..."), weights=(78, 17, 2, 3))[0])]
    if lang == "es" and rng.random() < 0.6:
        segments = [_with_text(s, s.text.replace("¿", "")) for s in segments]
    if rng.random() < 0.2:
        segments = [Segment(s.text.replace(",", "")) if s.role == "carrier" else s for s in segments]
    if rng.random() < 0.15:
        segments = [Segment(re.sub(r"(\w)'(\w)", r"\1\2", s.text)) if s.role == "carrier" else s for s in segments]
    return tidy(segments)


def _question_mark(rng: random.Random) -> str:
    return rng.choices(("?", "", "??", " ?", "???", "?!"), weights=(62, 28, 4, 3, 2, 1))[0]


def _cased(segments: list[Segment], lower_share: float, rng: random.Random) -> list[Segment]:
    roll = rng.random()
    if roll < lower_share:
        return [_with_text(s, s.text.lower()) for s in segments]
    if roll < lower_share + 0.015:
        return [_with_text(s, s.text.upper()) for s in segments]
    if roll < 0.97 and segments:
        return _sentence_case(segments)
    return segments


def _sentence_case(segments: list[Segment]) -> list[Segment]:
    for place, segment in enumerate(segments):
        letter = re.search(r"[^\W_]", segment.text)
        if letter:
            at = letter.start()
            text = segment.text[:at] + segment.text[at].upper() + segment.text[at + 1 :]
            return [*segments[:place], _with_text(segment, text), *segments[place + 1 :]]
    return segments


def _typed(segments: list[Segment], typing: Typing, rng: random.Random) -> list[Segment]:
    if typing.unaccented and rng.random() < typing.unaccented:
        segments = [_with_text(s, _plain(s.text)) for s in segments]
    if rng.random() < typing.chat:
        strength = rng.uniform(0.1, 2 * typing.chat_strength - 0.1)
        if rng.random() < 0.8:
            segments = [_with_text(s, s.text.lower()) for s in segments]
        segments = respelt(segments, lambda text: chat_spelling(text, rng, strength), rng.random() < 0.75)
    if rng.random() < typing.slips:
        segments = respelt(segments, lambda text: typos(text, rng, 0.12), rng.random() < 0.75)
    return tidy(segments)


def _plain(text: str) -> str:
    kept = text.replace("ñ", "\0").replace("Ñ", "\1")
    bare = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    return bare.replace("\0", "ñ").replace("\1", "Ñ").replace("¿", "").replace("¡", "")


def _with_text(segment: Segment, text: str) -> Segment:
    return Segment(text, segment.role, segment.value, segment.number_role)
