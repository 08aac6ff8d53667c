"""Sentences of chat text: with or without punctuation, capitals, Markdown, lists and code."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_SENTENCE = 280
"""Characters after which a run-on is parted at a comma or a space."""

CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
# Every pattern starts at most once in a run of equal characters, so that no text can make it slow.
IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]{0,2000}\)")
EMPHASIS = re.compile(r"[*_]{2,}|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
LINE_START = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*•·–+][ \t]+|\(?\d{1,3}[.)][ \t]+|\|)+[ \t]*", re.MULTILINE)
TABLE_RULE = re.compile(r"^[ \t|:\-+=*_]{3,}+$", re.MULTILINE)
BOUNDARY = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’)\]]*+\s++|\n\s*+")
LAST_WORD = re.compile(r"([^\W\d_]+|\d+)\.$")

# Words that end in a full stop and go on; a closed class, in English and Filipino.
ABBREVIATIONS_TEXT = """
    dr mr mrs ms prof sr jr st vs eg ie etc approx dept no nos vol fig inc ltd co corp ave blvd rd gen gov sen rep hon
    jan feb mar apr jun jul aug sept sep oct nov dec engr atty brgy gng bb kgg atbp hal blg pp pg tel ext min hr hrs
    """
ABBREVIATIONS = frozenset(ABBREVIATIONS_TEXT.split())


def plain(text: str) -> str:
    """Take code, Markdown and list marks off a text and keep its words and line breaks."""
    if "```" in text or "~~~" in text:
        text = CODE.sub("\n", text)
    if "](" in text:
        text = IMAGE_OR_LINK.sub(r"\1", text)
    if "|" in text:
        text = TABLE_RULE.sub("", text).replace("|", " ")
    text = LINE_START.sub("", text)
    return EMPHASIS.sub("", text) if "*" in text or "_" in text or "`" in text else text


def sentences(text: str) -> list[str]:
    """Part a chat text into its sentences, each on one line."""
    return [part for found in _parts(plain(text)) for part in _bounded(" ".join(found.split())) if part]


def _parts(text: str) -> Iterator[str]:
    start = 0
    for boundary in BOUNDARY.finditer(text):
        if "\n" not in boundary.group() and _goes_on(text, start, boundary):
            continue
        yield text[start : boundary.end()]
        start = boundary.end()
    yield text[start:]


def _goes_on(text: str, start: int, boundary: re.Match[str]) -> bool:
    if text[boundary.start()] != ".":
        return False
    word = LAST_WORD.search(text, max(start, boundary.start() - 8), boundary.start() + 1)
    if word is None:
        return False
    before = word.group(1)
    is_initial = len(before) == 1 and before.isupper()
    is_number_of_a_list = before.isdigit() and word.start() == start
    return is_initial or is_number_of_a_list or before.lower() in ABBREVIATIONS


def _bounded(sentence: str) -> Iterator[str]:
    start = 0
    while len(sentence) - start > LONGEST_SENTENCE:
        middle, end = start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE
        place = max(sentence.rfind(", ", middle, end) + 1, 0) or sentence.rfind(" ", middle, end)
        place = place if place > 0 else end
        yield sentence[start:place].strip()
        start = place
    yield sentence[start:].strip()
