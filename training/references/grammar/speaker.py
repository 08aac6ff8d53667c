"""Makes one example at a time in one language: a reference, a follow-up or a fresh request."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from training.references.example import Example, Kind, Label, stable_hash
from training.references.grammar.compose import Composer, Meaning, TopicShelf
from training.references.grammar.finish import finished
from training.references.grammar.language import Grammar
from training.references.grammar.segments import Segment

TASK_SHARE = 0.3
"""Of the examples that need an act: a task on content rather than a plain recall."""
SENTENCE_SHARE = 0.42
"""Of the references: whole-sentence patterns rather than an act around a pointer."""
OBJECT_SHARE_OF_FOLLOWUPS = 0.15
OBJECT_SHARE_OF_NEGATIVES = 0.14
ANNOUNCED_SHARE = 0.06
"""Of the fresh requests: announced by "second question:" and the like."""


def pattern_id(lang: str, room: str, template: str) -> str:
    """Name a carrier pattern readably and stably."""
    words = re.sub(r"<[^>]*>|[^a-zA-Zñáéíóú ]", " ", template).split()
    return f"{lang}.{room}.{'_'.join(words[:4])[:28]}-{stable_hash(template) % 16**6:06x}"


class Speaker:
    """Speaks one language by its grammar."""

    def __init__(self, grammar: Grammar, topics: TopicShelf, rng: random.Random) -> None:
        self._grammar = grammar
        self._composer = Composer(grammar.lang, grammar.rules, topics, rng)
        self._rng = rng

    def reference(self, kind: Kind) -> Example:
        """Point back at an earlier turn, in the given way."""
        if self._rng.random() < SENTENCE_SHARE:
            return self._spoken("reference", kind, kind + "s", self._rng.choice(self._grammar.sentences[kind]))
        pointer = self._rng.choice(self._grammar.pointers[kind])
        room, act = self._act()
        return self._acted("reference", kind, room, act, kind, pointer)

    def followup(self) -> Example:
        """Go on from the last answer without a pointer."""
        if self._rng.random() > OBJECT_SHARE_OF_FOLLOWUPS:
            return self._spoken("followup", None, "followup", self._rng.choice(self._grammar.followups))
        act = self._rng.choice(self._grammar.tasks)
        segments, meaning = self._composer.compose(act, **self._grammar.followup_objects)
        return self._example("followup", None, pattern_id(self._grammar.lang, "task", act), segments, meaning)

    def fresh(self) -> Example:
        """Ask or tell something that stands on its own."""
        if self._rng.random() > OBJECT_SHARE_OF_NEGATIVES:
            return self._spoken("none", None, "none", self._rng.choice(self._grammar.negatives))
        act = self._rng.choice(self._grammar.tasks)
        thing = self._rng.choice(self._grammar.fresh_objects)
        return self._acted("none", None, "task", act, "object", thing)

    def said(self, text: str, label: Label, family: str) -> Example:
        """Give a real utterance the same surroundings as a composed one."""
        return self._example(label, None, family, [Segment(text)], Meaning())

    def _act(self) -> tuple[str, str]:
        if self._rng.random() < TASK_SHARE:
            return "task", self._rng.choice(self._grammar.tasks)
        return "recall", self._rng.choice(self._grammar.recalls)

    def _acted(self, label: Label, kind: Kind | None, room: str, act: str, thing_room: str, thing: str) -> Example:
        segments, meaning = self._composer.compose(act, **self._grammar.cases, X=thing)
        family = f"{pattern_id(self._grammar.lang, room, act)}+{pattern_id(self._grammar.lang, thing_room, thing)}"
        return self._example(label, kind, family, segments, meaning)

    def _spoken(self, label: Label, kind: Kind | None, room: str, template: str) -> Example:
        segments, meaning = self._composer.compose(template)
        return self._example(label, kind, pattern_id(self._grammar.lang, room, template), segments, meaning)

    def _example(
        self, label: Label, kind: Kind | None, family: str, segments: Sequence[Segment], meaning: Meaning
    ) -> Example:
        points = label == "reference"
        pieces = segments if points else [Segment(s.text) for s in segments]
        if label == "none" and self._rng.random() < ANNOUNCED_SHARE:
            pieces = [Segment(self._rng.choice(self._grammar.fresh_openers) + " "), *pieces]
        done = finished(pieces, self._grammar.lang, self._grammar.openers, self._grammar.closers, self._rng)
        return Example(
            query=done.query,
            lang=self._grammar.lang,
            family=family,
            label=label,
            kind=kind,
            from_start=tuple(meaning.from_start),
            from_end=tuple(meaning.from_end),
            ago=tuple(meaning.ago),
            offset=meaning.offset,
            time=meaning.time,
            topic=done.topic,
            topic_turn=meaning.topic_turn if points else None,
            number_spans=done.number_spans,
            number_roles=done.number_roles,
            one_of=meaning.one_of,
        )
