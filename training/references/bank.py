"""Loads the hand-written topic bank: turns, the phrases that point at them, and questions that point at nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from training.references.overlap import content_words, shared_words

BANK_DIRECTORY = Path(__file__).parent / "bank"
APART = BANK_DIRECTORY / "apart"
"""Domains that no network learns from, so that how sure it may be can be fitted on what the shipped one reads."""
LANGUAGES = frozenset({"en", "tl", "taglish", "ceb", "es"})
FORMS = frozenset({"np", "gerund", "clause", "keyword"})
VIAS = frozenset({"query", "response", "paraphrase", "group"})


class BankError(ValueError):
    """A record of the bank breaks one of its rules."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A phrase by which somebody later points at a turn."""

    lang: str
    form: str
    text: str
    via: str


@dataclass(frozen=True, slots=True)
class BankTurn:
    """A question, its answer and the phrases that point at it and at no other turn of its domain."""

    id: str
    domain: str
    lang: str
    query: str
    response: str
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True, slots=True)
class AmbiguousGroup:
    """Turns of one domain and phrases that fit all of them equally well."""

    turns: tuple[str, ...]
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True, slots=True)
class Followup:
    """An elliptical question that only makes sense right after its turn."""

    turn: str
    lang: str
    text: str


@dataclass(frozen=True, slots=True)
class FreshQuestion:
    """A self-contained question of the domain that points back at nothing."""

    lang: str
    text: str


@dataclass(frozen=True, slots=True)
class Domain:
    """One subject people ask about; domains of one theme are related."""

    name: str
    theme: str
    turns: tuple[BankTurn, ...]
    ambiguous: tuple[AmbiguousGroup, ...]
    followups: tuple[Followup, ...]
    fresh: tuple[FreshQuestion, ...]

    def turn(self, turn_id: str) -> BankTurn:
        """Gives the turn with that id."""
        return next(turn for turn in self.turns if turn.id == turn_id)


Record = Mapping[str, object]


def via_of(text: str, query: str, response: str) -> str:
    """Says how a phrase reaches its turn: by the query's words, by the response's alone, or by neither's."""
    if shared_words(text, query):
        return "query"
    return "response" if shared_words(text, response) else "paraphrase"


@lru_cache(maxsize=2)
def load_bank(directory: Path = BANK_DIRECTORY) -> list[Domain]:
    """Reads every file of the bank, checks it and gives its domains in a stable order."""
    domains = [domain for path in sorted(directory.glob("*.jsonl")) for domain in read_theme(path)]
    _check_bank(domains)
    return domains


def read_theme(path: Path) -> list[Domain]:
    """Reads the domains of one file; the file's name is their theme."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    names = list(dict.fromkeys(str(record["domain"]) for record in records))
    return [_domain(name, path.stem, [r for r in records if r["domain"] == name]) for name in names]


def _domain(name: str, theme: str, records: Iterable[Record]) -> Domain:
    by_kind: dict[str, list[Record]] = {"turn": [], "ambiguous": [], "followup": [], "fresh": []}
    for record in records:
        by_kind[_text(record, "record")].append(record)
    return Domain(
        name=name,
        theme=theme,
        turns=tuple(_turn(name, record) for record in by_kind["turn"]),
        ambiguous=tuple(_group(record) for record in by_kind["ambiguous"]),
        followups=tuple(Followup(_text(r, "turn"), _lang(r), _text(r, "text")) for r in by_kind["followup"]),
        fresh=tuple(FreshQuestion(_lang(r), _text(r, "text")) for r in by_kind["fresh"]),
    )


def _turn(domain: str, record: Record) -> BankTurn:
    query, response = _text(record, "query"), _text(record, "response")
    return BankTurn(_text(record, "id"), domain, _lang(record), query, response, _pointers(record))


def _group(record: Record) -> AmbiguousGroup:
    turns = record["turns"]
    if not isinstance(turns, list):
        raise BankError(f"the turns of a group are not a list: {turns!r}")
    return AmbiguousGroup(tuple(str(turn) for turn in turns), _pointers(record))


def _pointers(record: Record) -> tuple[Pointer, ...]:
    entries = record["pointers"]
    if not isinstance(entries, list):
        raise BankError(f"pointers are not a list: {entries!r}")
    return tuple(
        Pointer(_lang(entry), _one_of(entry, "form", FORMS), _text(entry, "text"), _one_of(entry, "via", VIAS))
        for entry in entries
    )


def _text(record: Record, field: str) -> str:
    value = record.get(field)
    if not isinstance(value, str) or not value.strip() or value != value.strip():
        raise BankError(f"{field} is not a trimmed, non-empty text in {record!r}")
    return value


def _one_of(record: Record, field: str, allowed: frozenset[str]) -> str:
    value = _text(record, field)
    if value not in allowed:
        raise BankError(f"{field} {value!r} is none of {sorted(allowed)}")
    return value


def _lang(record: Record) -> str:
    return _one_of(record, "lang", LANGUAGES)


def _check_bank(domains: Iterable[Domain]) -> None:
    seen_names: set[str] = set()
    seen_queries: set[str] = set()
    for domain in domains:
        if domain.name in seen_names:
            raise BankError(f"two domains are named {domain.name}")
        seen_names.add(domain.name)
        for text in [turn.query for turn in domain.turns] + [fresh.text for fresh in domain.fresh]:
            if text.casefold() in seen_queries:
                raise BankError(f"asked twice: {text}")
            seen_queries.add(text.casefold())
        _check_domain(domain)


def _check_domain(domain: Domain) -> None:
    ids = {turn.id for turn in domain.turns}
    if len(ids) != len(domain.turns) or not all(turn_id.startswith(f"{domain.name}/") for turn_id in ids):
        raise BankError(f"turn ids of {domain.name} repeat or belong elsewhere")
    for group in domain.ambiguous:
        if len(set(group.turns)) < 2 or not ids.issuperset(group.turns) or not group.pointers:
            raise BankError(f"a group of {domain.name} names fewer than two of its turns: {group.turns}")
    for followup in domain.followups:
        if followup.turn not in ids:
            raise BankError(f"a follow-up of {domain.name} continues an unknown turn {followup.turn}")
    _check_pointers(domain)


def _check_pointers(domain: Domain) -> None:
    owner: dict[str, str] = {}
    for turn in domain.turns:
        for pointer in turn.pointers:
            if owner.setdefault(pointer.text.casefold(), turn.id) != turn.id:
                raise BankError(f"{pointer.text!r} points at both {owner[pointer.text.casefold()]} and {turn.id}")
            if not content_words(pointer.text):
                raise BankError(f"{pointer.text!r} of {turn.id} has no content word")
            if pointer.via != via_of(pointer.text, turn.query, turn.response):
                raise BankError(f"{pointer.text!r} of {turn.id} is marked {pointer.via}")
    for group in domain.ambiguous:
        for pointer in group.pointers:
            if pointer.text.casefold() in owner:
                raise BankError(f"{pointer.text!r} points at one turn and at a group in {domain.name}")
            if not content_words(pointer.text):
                raise BankError(f"{pointer.text!r} of a group in {domain.name} has no content word")
