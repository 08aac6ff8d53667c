"""Streams a balanced, labelled training set for the reference heads.

python -m training.references.grammar.generate --count 200000 --seed 7 --questions FRESH.jsonl --out SET.jsonl
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from training.references.bank import Domain, load_bank
from training.references.example import (
    FORMS,
    LANGS,
    Example,
    Kind,
    Label,
    Lang,
    TopicForm,
    TopicPhrase,
    stable_hash,
    to_json,
)
from training.references.grammar import cebuano, english, spanish, tagalog, taglish
from training.references.grammar.compose import TopicShelf
from training.references.grammar.language import Grammar
from training.references.grammar.real import (
    Utterance,
    conversation_turns,
    parallel_sentences,
    trainable_questions,
)
from training.references.grammar.speaker import Speaker

GRAMMARS: dict[Lang, Grammar] = {
    "en": english.GRAMMAR,
    "tl": tagalog.GRAMMAR,
    "taglish": taglish.GRAMMAR,
    "ceb": cebuano.GRAMMAR,
    "es": spanish.GRAMMAR,
}
LANG_WEIGHTS = {"en": 40, "tl": 20, "taglish": 28, "ceb": 6, "es": 6}
LABEL_WEIGHTS: dict[Label, int] = {"reference": 50, "followup": 15, "none": 35}
KIND_WEIGHTS: dict[Kind, int] = {"ordinal": 30, "relative": 22, "temporal": 18, "topic": 30}
SAID_SHARE: dict[Label, float] = {"reference": 0.0, "followup": 0.3, "none": 0.42}
"""How many follow-ups and fresh requests are sentences somebody wrote whole, where the language has any."""
ENOUGH_UTTERANCES = 400
"""With fewer whole utterances than this a language leans on them less, so that none comes too often."""
TRIES_FOR_A_NEW_QUERY = 6


Said: TypeAlias = dict[tuple[Lang, Label], list[list[Utterance]]]
"""Whole utterances by language and label, one list per source, so that no large source drowns a small one."""


@dataclass(frozen=True, slots=True)
class Material:
    """What the grammars are filled with: topic phrases, and whole utterances by label."""

    phrases: Sequence[TopicPhrase]
    utterances: Sequence[Utterance] = ()


def bank_material(domains: Sequence[Domain]) -> Material:
    """Take topic phrases, self-contained questions and follow-ups out of the topic bank."""
    phrases: list[TopicPhrase] = []
    said: list[Utterance] = []
    for domain in domains:
        family = f"bank.{domain.name}"
        for turn in domain.turns:
            phrases += [TopicPhrase(p.text, _lang(p.lang), _form(p.form), turn.id) for p in turn.pointers]
            said.append(Utterance(turn.query, _lang(turn.lang), "none", family))
        for group in domain.ambiguous:
            ids = ",".join(group.turns)
            phrases += [TopicPhrase(p.text, _lang(p.lang), _form(p.form), ids) for p in group.pointers]
        said += [Utterance(fresh.text, _lang(fresh.lang), "none", family) for fresh in domain.fresh]
        said += [Utterance(f.text, _lang(f.lang), "followup", family) for f in domain.followups]
    return Material(phrases, said)


def examples(count: int, seed: int, material: Material) -> Iterator[Example]:
    """Give `count` examples, the same ones for the same seed and material."""
    rng = random.Random(seed)
    shelf = TopicShelf(material.phrases)
    speakers = {lang: Speaker(GRAMMARS[lang], shelf, rng) for lang in LANGS}
    said = _by_lang_and_label(material.utterances)
    labels_by_query: dict[int, Label] = {}
    made = 0
    while made < count:
        example = _new_example(speakers, said, labels_by_query, rng)
        if example is not None:
            made += 1
            yield example


def _new_example(
    speakers: dict[Lang, Speaker],
    said: Said,
    labels_by_query: dict[int, Label],
    rng: random.Random,
) -> Example | None:
    lang = rng.choices(LANGS, weights=[LANG_WEIGHTS[lang] for lang in LANGS])[0]
    label = rng.choices(list(LABEL_WEIGHTS), weights=list(LABEL_WEIGHTS.values()))[0]
    example = _spoken(speakers[lang], lang, label, said, rng)
    for _ in range(TRIES_FOR_A_NEW_QUERY):
        key = stable_hash(example.query.lower())
        if key not in labels_by_query:
            labels_by_query[key] = label
            return example
        example = _spoken(speakers[lang], lang, label, said, rng)
    # A few short queries ("why?") have no new variant; one that another label already claims is dropped.
    return example if labels_by_query.get(stable_hash(example.query.lower()), label) == label else None


def _spoken(
    speaker: Speaker,
    lang: Lang,
    label: Label,
    said: Said,
    rng: random.Random,
) -> Example:
    whole = said.get((lang, label), [])
    enough = min(1.0, sum(map(len, whole)) / ENOUGH_UTTERANCES)
    if rng.random() < SAID_SHARE[label] * enough:
        utterance = rng.choice(rng.choices(whole, weights=[len(group) ** 0.5 for group in whole])[0])
        return speaker.said(utterance.text, label, utterance.family)
    match label:
        case "reference":
            return speaker.reference(rng.choices(list(KIND_WEIGHTS), weights=list(KIND_WEIGHTS.values()))[0])
        case "followup":
            return speaker.followup()
        case "none":
            return speaker.fresh()


def _by_lang_and_label(utterances: Sequence[Utterance]) -> Said:
    sources: dict[tuple[Lang, Label, str], list[Utterance]] = {}
    for utterance in utterances:
        sources.setdefault((utterance.lang, utterance.label, utterance.source), []).append(utterance)
    found: Said = {}
    for (lang, label, _), group in sorted(sources.items()):
        found.setdefault((lang, label), []).append(group)
    return found


def _lang(name: str) -> Lang:
    return next(lang for lang in LANGS if lang == name)


def _form(name: str) -> TopicForm:
    return next(form for form in FORMS if form == name)


def main() -> None:
    """Read the material and write the set."""
    options = _options()
    material = bank_material(load_bank())
    said = list(material.utterances)
    if options.questions:
        said += trainable_questions(options.questions)
    if options.parallel and options.questions:
        said += parallel_sentences(options.parallel, options.questions)
    if options.conversations:
        said += conversation_turns(options.conversations)
    with options.out.open("w", encoding="utf-8") as out:
        for example in examples(options.count, options.seed, Material(material.phrases, said)):
            out.write(to_json(example) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--questions", type=Path, help="fresh questions, one JSON object a line")
    parser.add_argument("--parallel", type=Path, help="folder of English-Tagalog sentence pairs")
    parser.add_argument("--conversations", type=Path, help="folder of CAsT, CANARD and GECOR conversations")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
