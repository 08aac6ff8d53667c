"""One labelled training query for the reference heads, and how examples are split and stored."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Label: TypeAlias = Literal["none", "followup", "reference"]
Kind: TypeAlias = Literal["ordinal", "relative", "temporal", "topic"]
Time: TypeAlias = Literal["just_now", "earlier", "opening"]
Lang: TypeAlias = Literal["en", "tl", "taglish", "ceb", "es"]
TopicForm: TypeAlias = Literal["np", "gerund", "clause", "keyword"]
NumberRole: TypeAlias = Literal["start", "end", "ago", "offset", "head", "tail", "range_from", "range_to"]

LABELS: tuple[Label, ...] = ("none", "followup", "reference")
KINDS: tuple[Kind, ...] = ("ordinal", "relative", "temporal", "topic")
TIMES: tuple[Time, ...] = ("just_now", "earlier", "opening")
FORMS: tuple[TopicForm, ...] = ("np", "gerund", "clause", "keyword")
LANGS: tuple[Lang, ...] = ("en", "tl", "taglish", "ceb", "es")
NUMBER_ROLES: tuple[NumberRole, ...] = ("start", "end", "ago", "offset", "head", "tail", "range_from", "range_to")

VALIDATION_PER_MILLE_OF_PARTS = 95
"""A family has one or two parts; at 9.5 % each, about one example in eight is validation."""


@dataclass(frozen=True, slots=True)
class TopicPhrase:
    """Words a user may name an earlier turn by."""

    text: str
    lang: Lang
    form: TopicForm
    turn_id: str


@dataclass(frozen=True, slots=True)
class Example:
    """A query and what it points at, before any history is known."""

    query: str
    lang: Lang
    family: str
    """Ids of the carrier patterns it was composed from, joined by "+"."""
    label: Label
    kind: Kind | None = None
    from_start: tuple[int, ...] = ()
    from_end: tuple[int, ...] = ()
    ago: tuple[int, ...] = ()
    offset: int | None = None
    time: Time | None = None
    topic: tuple[int, int] | None = None
    topic_turn: str | None = None
    number_spans: tuple[tuple[int, int, int], ...] = ()
    number_roles: tuple[NumberRole, ...] = ()
    """What each number span means: a place from the start or the end, "the first n" (head), "the last n" (tail), …"""
    one_of: bool = False
    """Whether one of several places is meant and the user does not say which: "the third or the fourth"."""

    @property
    def topic_text(self) -> str | None:
        return None if self.topic is None else self.query[self.topic[0] : self.topic[1]]

    @property
    def is_validation(self) -> bool:
        return is_validation_family(self.family)


def stable_hash(text: str) -> int:
    """Return the same 64-bit number for a text on every machine and in every run."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def is_validation_family(family: str) -> bool:
    """Say whether any carrier pattern of a family is one that training never sees."""
    return any(stable_hash(part) % 1000 < VALIDATION_PER_MILLE_OF_PARTS for part in family.split("+"))


def to_json(example: Example) -> str:
    return json.dumps(asdict(example), ensure_ascii=False)


def from_json(line: str) -> Example:
    row: dict[str, Any] = json.loads(line)
    for name in ("from_start", "from_end", "ago", "number_roles"):
        row[name] = tuple(row[name])
    row["number_spans"] = tuple(tuple(span) for span in row["number_spans"])
    row["topic"] = None if row["topic"] is None else tuple(row["topic"])
    return Example(**row)
