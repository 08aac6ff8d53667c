"""Whose words a question is after: the asker's own ("what did I buy"), or what it was told ("you recommended")."""

from __future__ import annotations

import re
from enum import StrEnum

from gunita.language.words import fold


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
