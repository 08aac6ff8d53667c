"""Speaks plain mentions in every language the grammars know."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from training.references.example import LANGS, Example, Kind, Lang
from training.references.grammar.compose import Rules, TopicShelf
from training.references.grammar.generate import GRAMMARS, LANG_WEIGHTS
from training.references.grammar.language import Grammar
from training.references.grammar.speaker import Speaker
from training.references.plain import cebuano, english, spanish, tagalog, taglish

SITUATIONS = {"sure": 40, "open": 18, "open fresh": 14, "ordinal": 9, "relative": 6, "temporal": 6, "negatives": 7}


@dataclass(frozen=True, slots=True)
class Patterns:
    """The plain patterns of one language."""

    rules: Rules
    sure: Sequence[str]
    """References by their form."""
    open: Sequence[str]
    """References where the history knows the topic, fresh questions where it does not."""
    ordinal: Sequence[str]
    relative: Sequence[str]
    temporal: Sequence[str]
    negatives: Sequence[str]


PATTERNS: Mapping[Lang, Patterns] = {
    lang: Patterns(m.RULES, m.SURE, m.OPEN, m.ORDINAL, m.RELATIVE, m.TEMPORAL, m.NEGATIVES)
    for lang, m in (("en", english), ("tl", tagalog), ("taglish", taglish), ("ceb", cebuano), ("es", spanish))
}  # type: ignore[misc]


class PlainSpeaker(Speaker):
    """Names the thing itself, and hardly says that it was said before."""

    def __init__(self, lang: Lang, topics: TopicShelf, rng: random.Random) -> None:
        self._patterns = PATTERNS[lang]
        super().__init__(with_rules(GRAMMARS[lang], self._patterns.rules), topics, rng)

    def sure(self) -> Example:
        return self._spoken("reference", "topic", "plain", self._rng.choice(self._patterns.sure))

    def open(self, points_back: bool) -> Example:
        """A mention that only a history can tell from a fresh question."""
        template = self._rng.choice(self._patterns.open)
        if points_back:
            return self._spoken("reference", "topic", "open", template)
        return self._spoken("none", None, "open", template)

    def counted(self, kind: Kind) -> Example:
        templates = {
            "ordinal": self._patterns.ordinal,
            "relative": self._patterns.relative,
            "temporal": self._patterns.temporal,
        }[kind]
        return self._spoken("reference", kind, f"plain-{kind}", self._rng.choice(templates))

    def near_miss(self) -> Example:
        return self._spoken("none", None, "plain-none", self._rng.choice(self._patterns.negatives))

    def any(self) -> Example:
        situation = self._rng.choices(list(SITUATIONS), list(SITUATIONS.values()))[0]
        match situation:
            case "sure":
                return self.sure()
            case "open" | "open fresh":
                return self.open(points_back=situation == "open")
            case "ordinal" | "relative" | "temporal":
                return self.counted(situation)  # type: ignore[arg-type]
            case _:
                return self.near_miss()


def with_rules(grammar: Grammar, more: Rules) -> Grammar:
    clashing = set(grammar.rules) & set(more)
    if clashing:
        raise ValueError(f"rules of {grammar.lang} are named twice: {sorted(clashing)}")
    return replace(grammar, rules={**grammar.rules, **more})


def plain_examples(count: int, seed: int, topics: TopicShelf) -> Iterator[Example]:
    rng = random.Random(seed)
    speakers = {lang: PlainSpeaker(lang, topics, rng) for lang in LANGS}
    for _ in range(count):
        yield speakers[rng.choices(LANGS, [LANG_WEIGHTS[lang] for lang in LANGS])[0]].any()
