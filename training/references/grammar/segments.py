"""A query in pieces: what each piece is, how pieces are mended, respelt and written out with exact spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from training.references.example import NumberRole

SegmentRole: TypeAlias = Literal["carrier", "topic", "number"]
Respell: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a query and what it is in it."""

    text: str
    role: SegmentRole = "carrier"
    value: int = 0
    number_role: NumberRole | None = None


def tidy(segments: Sequence[Segment]) -> list[Segment]:
    """Merge neighbouring carriers and mend the spaces where pieces meet."""
    merged: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        if merged and merged[-1].role == segment.role == "carrier":
            merged[-1] = Segment(merged[-1].text + segment.text)
        else:
            merged.append(segment)
    mended = [Segment(_mend(s.text)) if s.role == "carrier" else s for s in merged]
    if mended and mended[0].role == "carrier":
        mended[0] = Segment(mended[0].text.lstrip(" ,"))
    if mended and mended[-1].role == "carrier":
        mended[-1] = Segment(mended[-1].text.rstrip())
    return [s for s in mended if s.text]


SPACES = re.compile(r"\s+")
SPACE_BEFORE_MARK = re.compile(r"\s+(?=[,.?!;:])")
DOUBLED_MARK = re.compile(r"([,.?!;:])\s*[,.;:]+(?=\s|$)")
TWO_MARKERS = re.compile(r"\b(sa) sa\b")
TWICE_ABOUT = re.compile(
    r"\b(tungkol|ukol|hinggil|bahin|about) (?:d[ou]n |doon |didto )?sa (?:tungkol|ukol|hinggil|bahin|about) sa\b"
)
SPANISH_TO = re.compile(r"\b([Aa]) el\b")
SPANISH_OF = re.compile(r"\b([Dd])e el\b")


def _mend(text: str) -> str:
    text = SPACE_BEFORE_MARK.sub("", SPACES.sub(" ", text))
    text = DOUBLED_MARK.sub(r"\1", text)
    text = TWICE_ABOUT.sub(r"\1 sa", TWO_MARKERS.sub(r"\1", text))
    return SPANISH_OF.sub(r"\1el", SPANISH_TO.sub(r"\1l", text))


def respelt(segments: Sequence[Segment], respell: Respell, spare_numbers: bool) -> list[Segment]:
    """Respell each piece on its own, keeping the spaces and marks at its edges."""
    return [s if spare_numbers and s.role == "number" else _respelt_segment(s, respell) for s in segments]


def _respelt_segment(segment: Segment, respell: Respell) -> Segment:
    text = _respell_inside(segment.text, respell)
    digits = "".join(c for c in text if c.isdigit())
    # Chat shorthand writes a doubled syllable as "2"; in a number that would name another place.
    if segment.role == "number" and digits and int(digits) != segment.value:
        return segment
    return Segment(text, segment.role, segment.value, segment.number_role)


def _respell_inside(text: str, respell: Respell) -> str:
    core = re.fullmatch(r"(\W*)(.*?)(\W*)", text, re.DOTALL)
    if core is None or not core[2]:
        return text
    return core[1] + (respell(core[2]).strip() or core[2]) + core[3]


@dataclass(frozen=True, slots=True)
class Joined:
    """A finished query with the places of its topic and numbers."""

    query: str
    topic: tuple[int, int] | None
    number_spans: tuple[tuple[int, int, int], ...]
    number_roles: tuple[NumberRole, ...]


def joined(segments: Sequence[Segment]) -> Joined:
    """Write the segments out and note where the topic and the numbers stand."""
    query, topic = "", None
    spans: list[tuple[int, int, int]] = []
    roles: list[NumberRole] = []
    for segment in segments:
        start = len(query)
        query += segment.text
        if segment.role == "topic":
            topic = (start, len(query))
        elif segment.number_role is not None:
            spans.append((start, len(query), segment.value))
            roles.append(segment.number_role)
    return Joined(query, topic, tuple(spans), tuple(roles))
