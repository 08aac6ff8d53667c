"""Expands carrier templates into queries whose topic and number spans are known exactly.

A template is text with `(a|b|)` for a choice, `{name}` for a rule (`{name@1}` repeats its
first choice), `{role.form}` for a number or topic slot,
and `<key=value>` for a meaning that no visible number carries. A query is kept as segments with roles until
the very end, so that respelling a piece never loses a span.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from training.references.example import TIMES, Lang, NumberRole, Time, TopicPhrase
from training.references.grammar.numbers import drawn, written
from training.references.grammar.segments import Segment, joined, tidy

Rules: TypeAlias = Mapping[str, Sequence[str]]

SLOT = re.compile(r"(topic|start|end|ago|before|after|head|tail|from|to)(\d*)\.(\w+)")
WORDED = re.compile(r"(start|end|ago)(\d+)=(.+)")
"""A number written in its own words: `{start1=very first}`."""
SAID_CLAUSE = "said_clause"
SAID_CLAUSE_SHARE = 0.5
"""Of the clauses: composed here, with no bank turn behind them, because few of the bank's are whole statements."""
ABOUT = re.compile(r"^(?:tungkol sa|about(?: sa)?|bahin sa|sobre)\s+", re.I)
ARTICLE = re.compile(r"^(?:the|a|an|my|your|our|yung|ang|'yung|iyong|kadtong|el|la|los|las|un|una|mi|mis)\s+", re.I)


@dataclass(slots=True)
class Meaning:
    """What the expanded template says about where it points."""

    from_start: list[int] = field(default_factory=list)
    from_end: list[int] = field(default_factory=list)
    ago: list[int] = field(default_factory=list)
    offset: int | None = None
    time: Time | None = None
    topic_turn: str | None = None
    one_of: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    name: str


@dataclass(frozen=True, slots=True)
class Mark:
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Sequence_, ...]


Node: TypeAlias = Text | Slot | Mark | Choice
Sequence_: TypeAlias = tuple[Node, ...]


class TemplateError(ValueError):
    """A template is malformed or names something that does not exist."""


@cache
def parsed(template: str) -> Sequence_:
    """Turn a template into its tree, once."""
    options, at = _parse_options(template, 0)
    if at != len(template):
        raise TemplateError(f"unbalanced ')' at {at} in {template!r}")
    if len(options) != 1:
        raise TemplateError(f"a choice needs brackets in {template!r}")
    return options[0]


def _parse_options(template: str, at: int) -> tuple[tuple[Sequence_, ...], int]:
    options: list[Sequence_] = []
    nodes: list[Node] = []
    while at < len(template) and template[at] != ")":
        if template[at] == "|":
            options.append(tuple(nodes))
            nodes, at = [], at + 1
            continue
        node, at = _parse_node(template, at)
        nodes.append(node)
    options.append(tuple(nodes))
    return tuple(options), at


def _parse_node(template: str, at: int) -> tuple[Node, int]:
    match template[at]:
        case "(":
            options, end = _parse_options(template, at + 1)
            if end >= len(template):
                raise TemplateError(f"unclosed '(' in {template!r}")
            return Choice(options), end + 1
        case "{":
            end = template.index("}", at)
            return Slot(template[at + 1 : end]), end + 1
        case "<":
            end = template.index(">", at)
            key, _, value = template[at + 1 : end].partition("=")
            return Mark(key, value), end + 1
        case _:
            stop = re.compile(r"[(){}<>|]").search(template, at)
            end = stop.start() if stop else len(template)
            return Text(template[at:end]), end


class TopicShelf:
    """Holds topic phrases by language and form and gives one that fits a slot."""

    def __init__(self, phrases: Sequence[TopicPhrase]) -> None:
        self._by_slot: dict[tuple[str, str], list[TopicPhrase]] = {}
        for phrase in phrases:
            self._by_slot.setdefault((phrase.lang, phrase.form), []).append(phrase)

    def has(self, lang: Lang, form: str) -> bool:
        return (lang, form) in self._by_slot

    def pick(self, lang: Lang, form: str, rng: random.Random) -> TopicPhrase:
        forms = ("keyword", "np") if form in ("bare", "keyword") else (form, "np")
        sources = _sources(lang)
        first = rng.choices(sources, weights=range(len(sources), 0, -1))[0]
        for wanted in forms:
            for source in (first, *sources):
                found = self._by_slot.get((source, wanted))
                if found:
                    return rng.choice(found)
        raise TemplateError(f"no topic phrase for {lang}/{form}")


def _sources(lang: Lang) -> tuple[Lang, ...]:
    match lang:
        case "taglish":
            return ("taglish", "en", "tl")
        case "ceb":
            return ("ceb", "ceb", "en")
        case _:
            return (lang,)


class Composer:
    """Expands the templates of one language."""

    def __init__(self, lang: Lang, rules: Rules, topics: TopicShelf, rng: random.Random) -> None:
        self._lang: Lang = lang
        self._rules = rules
        self._topics = topics
        self._rng = rng
        self._repeated: dict[str, str] = {}

    def compose(self, template: str, **bindings: str) -> tuple[list[Segment], Meaning]:
        """Expand a template; a binding stands in for the rule of its name."""
        segments: list[Segment] = []
        meaning = Meaning()
        self._repeated.clear()
        self._expand(parsed(template), bindings, segments, meaning, depth=0)
        return segments, meaning

    def _expand(
        self, nodes: Sequence_, bindings: Mapping[str, str], out: list[Segment], meaning: Meaning, depth: int
    ) -> None:
        if depth > 40:
            raise TemplateError("a rule calls itself without end")
        for node in nodes:
            match node:
                case Text(text):
                    out.append(Segment(text))
                case Choice(options):
                    self._expand(self._rng.choice(options), bindings, out, meaning, depth + 1)
                case Mark(key, value):
                    _mark(meaning, key, value)
                case Slot(name):
                    self._fill(name, bindings, out, meaning, depth)

    def _fill(self, name: str, bindings: Mapping[str, str], out: list[Segment], meaning: Meaning, depth: int) -> None:
        slot, worded = SLOT.fullmatch(name), WORDED.fullmatch(name)
        if worded is not None:
            out.append(Segment(worded[3], "number", int(worded[2]), _number_role(worded[1])))
            _add_number(meaning, worded[1], int(worded[2]))
        elif slot is None:
            self._expand(parsed(self._template(name, bindings)), bindings, out, meaning, depth + 1)
        elif slot[1] == "topic":
            self._fill_topic(slot[3], out, meaning)
        else:
            self._fill_number(slot[1], slot[2], slot[3], out, meaning)

    def _template(self, name: str, bindings: Mapping[str, str]) -> str:
        rule, _, again = name.partition("@")
        if not again:
            return bindings.get(name) or self._rng.choice(self._rule(rule))
        return self._repeated.setdefault(name, self._rng.choice(self._rule(rule)))

    def _rule(self, name: str) -> Sequence[str]:
        if name not in self._rules:
            raise TemplateError(f"no rule {name!r} in {self._lang}")
        return self._rules[name]

    def _fill_topic(self, form: str, out: list[Segment], meaning: Meaning) -> None:
        if form == "clause" and SAID_CLAUSE in self._rules and not self._takes_clause_from_shelf():
            out.append(Segment(self._said_clause(), "topic"))
            return
        phrase = self._topics.pick(self._lang, form, self._rng)
        marker_stands_outside = form in ("bare", "keyword") or self._lang in ("tl", "taglish", "ceb")
        named = ABOUT.sub("", phrase.text)
        text = ARTICLE.sub("", named) if marker_stands_outside else named
        meaning.topic_turn = phrase.turn_id
        out.append(Segment(text, "topic"))

    def _takes_clause_from_shelf(self) -> bool:
        return self._topics.has(self._lang, "clause") and self._rng.random() > SAID_CLAUSE_SHARE

    def _said_clause(self) -> str:
        pieces: list[Segment] = []
        self._expand(parsed(self._rng.choice(self._rules[SAID_CLAUSE])), {}, pieces, Meaning(), depth=1)
        return joined(tidy(pieces)).query

    def _fill_number(self, role: str, fixed: str, form: str, out: list[Segment], meaning: Meaning) -> None:
        value = int(fixed) if fixed else self._new_value(role, meaning)
        text, linker = written(self._lang, form, value, self._rng)
        out.append(Segment(text, "number", value, _number_role(role)))
        out.append(Segment(linker))
        _add_number(meaning, role, value)

    def _new_value(self, role: str, meaning: Meaning) -> int:
        if role == "to":
            return meaning.from_start[0] + self._rng.randint(1, 4)
        if role == "from":
            return self._rng.randint(1, 6)
        taken = {"start": meaning.from_start, "end": meaning.from_end, "ago": meaning.ago}.get(role, [])
        for _ in range(50):
            value = drawn(role, self._rng)
            if value not in taken:
                return value
        raise TemplateError(f"no new value for {role}")


def _number_role(role: str) -> NumberRole:
    roles: dict[str, NumberRole] = {
        "start": "start", "end": "end", "ago": "ago", "before": "offset", "after": "offset",
        "head": "head", "tail": "tail", "from": "range_from", "to": "range_to",
    }  # fmt: skip
    return roles[role]


def _add_number(meaning: Meaning, role: str, value: int) -> None:
    match role:
        case "start" | "from":
            meaning.from_start.append(value)
        case "end":
            meaning.from_end.append(value)
        case "ago":
            meaning.ago.append(value)
        case "before":
            meaning.offset = -value
        case "after":
            meaning.offset = value
        case "head":
            meaning.from_start.extend(range(1, value + 1))
        case "tail":
            meaning.from_end.extend(range(1, value + 1))
        case "to":
            meaning.from_start.extend(range(meaning.from_start[0] + 1, value + 1))


def _mark(meaning: Meaning, key: str, value: str) -> None:
    match key:
        case "start":
            meaning.from_start.append(int(value))
        case "end":
            meaning.from_end.append(int(value))
        case "ago":
            meaning.ago.append(int(value))
        case "offset":
            meaning.offset = int(value)
        case "time" if value in TIMES:
            meaning.time = next(time for time in TIMES if time == value)
        case "one_of":
            meaning.one_of = True
        case _:
            raise TemplateError(f"unknown mark <{key}={value}>")


def lines(block: str) -> tuple[str, ...]:
    """Return the non-empty lines of a block of templates; a line that starts with # is a comment."""
    return tuple(
        line.strip() for line in block.strip().splitlines() if line.strip() and not line.lstrip().startswith("# ")
    )


def rules(block: str) -> dict[str, tuple[str, ...]]:
    """Read `name = a / b / c` lines into rules; a name may be continued on further lines."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines(block):
        name, _, body = line.partition("=")
        options = tuple("" if option.strip() == "_" else option.strip() for option in body.split(" / "))
        found[name.strip()] = found.get(name.strip(), ()) + options
    return found
