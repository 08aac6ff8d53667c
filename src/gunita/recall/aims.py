"""Whose words a question is after: the asker's own ("what did I buy"), or what it was told ("you recommended")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from gunita.language.words import fold
from gunita.recall.terms import called_code, query_terms


class Aim(StrEnum):
    """Who said what a question looks for."""

    ASKER = "asker"
    ANSWERER = "answerer"
    ANYBODY = "anybody"


_TOLD = re.compile(
    r"\b(?:you (?:\w+ ){0,2}(?:told|said|gave|mentioned|recommended|suggested|provided|listed|shared|explained|wrote|"
    r"described|advised|proposed)|"
    r"did you (?:\w+ ){0,2}(?:tell|say|give|mention|recommend|suggest|list|share|explain|write)|"
    r"your (?:\w+ )?(?:answer|suggestion|recommendation|advice|list|reply|response)s?|"
    r"(?:remind|refresh) (?:me|my)|(?:previous|earlier|last|past|our) (?:conversation|chat|discussion)s?|"
    r"(?:sinabi|binanggit|binigay|ibinigay|nirekomenda|inirekomenda|ni recommend|ni suggest|sinuggest|sinagot|isinagot|"
    r"ipinaliwanag|pinaliwanag|itinuro|tinuro) (?:mo|mong|ninyo|nyo)|"
    r"(?:sagot|suhestiyon|suggestion|payo|rekomendasyon|recommendation) (?:mo|mong)|paalala mo|ipaalala mo)\b"
)
_OWN = re.compile(
    r"\b(?:i|ive|im|id|my|me|mine|myself|we|our|us|ako|akong|ko|kong|akin|aking|ko ng|namin|natin|kami|tayo|yo|mi)\b"
)


def aim_of(question: str) -> Aim:
    """Tell by what a question says about who spoke."""
    text = " ".join(re.findall(r"\w+", fold(question).replace("'", "").replace("’", "")))
    if _TOLD.search(text):
        return Aim.ANSWERER
    return Aim.ASKER if _OWN.search(text) else Aim.ANYBODY


_PART = re.compile(r"[^\W_]+")
_AFTER_MARKER = {"si": "ako", "ni": "ko", "kay": "akin"}
"""What somebody says of themselves where others would name them, by the Filipino marker before the name."""


def called_among(terms: Iterable[str], speakers: frozenset[int]) -> frozenset[int]:
    """Find who of the speakers is called by name; where everybody is, the names tell nothing."""
    called = speakers.intersection(map(called_code, terms))
    return frozenset() if called == speakers else called


def in_their_words(question: str, speakers: frozenset[int]) -> str:
    """Put a question about somebody as they would say it themselves: "Ana's job" is "my job" in what Ana wrote."""
    called = called_among(query_terms(question), speakers)
    names = [part for part in _PART.findall(question) if not called.isdisjoint(map(called_code, query_terms(part)))]
    if not names:
        return question
    return re.sub(rf"\b(?:(si|ni|kay)\s+)?(?:{'|'.join(names)})\b(['’]s\b)?", _of_oneself, question)


def _of_oneself(named: re.Match[str]) -> str:
    marker, possessive = named.groups()
    return _AFTER_MARKER[marker] if marker else "my" if possessive else "I"
