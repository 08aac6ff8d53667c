"""What the grammar of one language consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.references.example import Kind, Lang
from training.references.grammar.compose import Rules


@dataclass(frozen=True, slots=True)
class Grammar:
    """Carrier templates of one language; `{P}` in an act is a pointer, a pronoun or a fresh object."""

    lang: Lang
    rules: Rules
    cases: Mapping[str, str]
    """The forms an object takes in an act (`{P}`, `{Psa}`, …), written around `{X}`, the object itself."""
    tasks: Sequence[str]
    """Acts on a piece of content: they point back, go on or start afresh depending on their object."""
    recalls: Sequence[str]
    """Acts that only make sense with something said before."""
    pointers: Mapping[Kind, Sequence[str]]
    sentences: Mapping[Kind, Sequence[str]]
    followup_objects: Mapping[str, str]
    fresh_objects: Sequence[str]
    followups: Sequence[str]
    negatives: Sequence[str]
    fresh_openers: Sequence[str]
    """Ways to announce a new question that sound like an ordinal: "last question, …"."""
    openers: Sequence[str]
    closers: Sequence[str]
