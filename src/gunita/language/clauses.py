"""Parts what a user wrote into clauses that can each say one thing, without what is quoted from somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gunita.language.sentences import sentences

MOST_CLAUSES = 200
"""Clauses of one message that are looked at; a pasted document says little about whoever pasted it."""
FEWEST_WORDS = 2

QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
TAGGED = re.compile(r"<(\w{1,40})[^<>]{0,200}>.*?</\1>", re.DOTALL)
QUOTATION = re.compile(r"[\"“”«][^\"“”«»]{2,2000}[\"“”»]|(?<!\w)['‘][^'‘’\n]{6,500}['’](?!\w)")
QUOTE_MARK = "“…”"

# Words that join clauses: what follows a reason word explains, what follows the others says something of its own.
REASON = re.compile(
    r"[,;]?\s+(?=(?:because|since i|dahil|kasi|kaya)\s)|,\s+(?=so\s)"
    r"|\s+(?=so (?:i|i'm|we|my|please|ayoko|ayaw|gusto|mas|di|hindi|medyo|kailangan)\b)",
    re.IGNORECASE,
)
JOINT = re.compile(
    r";\s+|[,]?\s+(?:but|pero|ngunit|subalit|while|whereas)\s+|,\s+(?:and|at|tapos|then|plus)\s+"
    r"|\s+(?:and|at|tapos|plus)\s+(?=(?:i|i'm|im|i've|we|we're|my|our|may|meron|mayroon|ayoko|gusto|mahilig)\b)"
    r"|[.!?…]+\s+|,\s+(?=(?:i|i'm|im|i've|we|we're|ayoko|ayaw|mas|nasa|decided|desidido|yun|yung|sa \w+ na)\b)",
    re.IGNORECASE,
)
OPENER = re.compile(
    r"^(?:(?:and|but|so|also|btw|by the way|actually|fyi|heads up|well|anyway|oh|ok|okay|yes|yeah|no|hi|hello|"
    r"thanks|thank you|sorry|pero|at|kasi|tapos|saka|pala|oo|hindi|opo|salamat|sige|bale|ah|hay|because|dahil|kaya|"
    r"in fact|to be honest|honestly|tbh)\b(?=[\s,:!.–-]|$)[\s,:!.–-]*)+",
    re.IGNORECASE,
)
CLOSER = re.compile(r"[\s,;:.!…–-]+$|[\s,]+(?:btw|lol|haha+|hehe+|sorry|huhu)[.!]*$", re.IGNORECASE)
NEGATIVE_OPENER = re.compile(r"^(?:no|hindi|di|oo|at|so|kaya|pero)\s+(?![,:!.])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message that says one thing."""

    text: str
    sentence: str
    asks: bool
    gives_reason: bool = False
    """Explains the clause before it."""


def clauses(text: str) -> list[Clause]:
    """Part a message into clauses, in order."""
    found: list[Clause] = []
    for sentence in sentences(own_words(text)):
        found.extend(_clauses_of(sentence))
        if len(found) >= MOST_CLAUSES:
            break
    return found[:MOST_CLAUSES]


def own_words(text: str) -> str:
    """Leave out what is quoted: lines of a reply, tagged passages, and what stands between quotation marks."""
    text = QUOTED_LINE.sub("", text)
    if "<" in text:
        text = TAGGED.sub(" ", text)
    return QUOTATION.sub(QUOTE_MARK, text)


def _clauses_of(sentence: str) -> Iterator[Clause]:
    asks = sentence.rstrip(" \"'”’)").endswith("?")
    for part in _joined_if_short(JOINT.split(sentence)):
        for number, piece in enumerate(_joined_if_short(REASON.split(part))):
            content = trimmed(piece)
            if content:
                yield Clause(content, sentence, asks, gives_reason=number > 0)


def trimmed(text: str) -> str:
    """Take off the words that only open or close a clause."""
    previous = None
    while previous != text:
        previous = text
        if not NEGATIVE_OPENER.match(text) or not re.match(r"(?:no|hindi|di)\b", text, re.IGNORECASE):
            text = OPENER.sub("", text, count=1)
        text = CLOSER.sub("", text)
    return text.strip()


def _joined_if_short(parts: list[str]) -> list[str]:
    """Put a part of a word or two back to the part before it, since it says nothing alone."""
    joined: list[str] = []
    for part in parts:
        if joined and len(part.split()) < FEWEST_WORDS:
            joined[-1] = f"{joined[-1]}, {part}"
        elif part:
            joined.append(part)
    return joined
