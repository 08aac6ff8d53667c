"""Sets composed queries into histories of bank turns, so that a whole decision can be fitted and measured.

`python -m training.references.cases --out DIR` writes cases.jsonl and histories.jsonl in the scorer's form, all with
phrasings and domains that training leaves out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from gunita.language.positions import Places, at_time, beside, names_a_place, place
from gunita.models import Positions, TemporalSense
from training.references.bank import APART, BankTurn, Domain, Pointer, load_bank
from training.references.example import Example, Kind, Lang, TopicPhrase
from training.references.grammar.compose import TemplateError, TopicShelf
from training.references.grammar.generate import GRAMMARS, bank_material
from training.references.grammar.language import Grammar
from training.references.grammar.speaker import Speaker
from training.references.histories import CaseSampler, sample_history, sample_length
from training.references.holdout import FOLDS, fold_of
from training.references.plain.speaker import PlainSpeaker
from training.references.written import Written, read_all, respelt

IMPOSSIBLE_SHARE = 0.06
NOTHING_FITS_SHARE = 0.05
SEVERAL_FIT_SHARE = 0.16
MOST_TRIES = 400
FRESH_OF_DOMAIN_SHARE = 0.35
"""How many fresh questions are about a domain of the history, the hardest to tell from a mention of a turn."""
PLAIN_SHARE = 0.5
"""How many topics are named plainly, without saying that they were talked about."""
LANGUAGES: Mapping[Lang, float] = {"en": 0.42, "tl": 0.2, "taglish": 0.28, "ceb": 0.06, "es": 0.04}
SITUATIONS = {"none": 0.29, "followup": 0.07, "ordinal": 0.17, "relative": 0.14, "temporal": 0.08, "topic": 0.25}


@dataclass(frozen=True, slots=True)
class Case:
    """A query on a history, and the turns (by place, from one) it means."""

    example: Example
    history: tuple[BankTurn, ...]
    gold: tuple[int, ...]
    ambiguous: bool
    fitting: tuple[int, ...] = ()
    """The turns its topic fits; those it means stand beside them where it names a step."""


def held_out_domains(bank: Sequence[Domain], fold: int) -> list[Domain]:
    return [domain for domain in bank if fold_of(domain.name) == fold]


class CaseMaker:
    """Draws whole cases: a situation, a language, a history, and a query that means something on it."""

    def __init__(self, grammars: Mapping[Lang, Grammar], domains: Sequence[Domain], seed: int) -> None:
        self._rng = random.Random(seed)
        self._grammars = grammars
        self._domains = domains
        self._sampler = CaseSampler(domains)
        shelf = TopicShelf(bank_material(domains).phrases)
        self._speakers = {lang: Speaker(grammar, shelf, self._rng) for lang, grammar in grammars.items()}
        self._plain = {lang: PlainSpeaker(lang, shelf, self._rng) for lang in grammars}

    def draw(self) -> Case | None:
        """One case; None where no held-out phrasing could be found for it."""
        rng = self._rng
        situation = rng.choices(list(SITUATIONS), list(SITUATIONS.values()))[0]
        if situation == "topic":
            return self._about_topic("topic")
        if situation == "relative" and rng.random() < 0.35:
            return self._about_topic("relative")
        if situation == "none" and rng.random() < FRESH_OF_DOMAIN_SHARE:
            return self._fresh_of_domain()
        langs = [lang for lang in LANGUAGES if lang in self._speakers]
        lang = rng.choices(langs, [LANGUAGES[lang] for lang in langs])[0]
        return self._without_topic(lang, situation)

    def _fresh_of_domain(self) -> Case:
        fresh = self._sampler.fresh(self._rng)
        example = Example(fresh.text, fresh.lang, "", "none")  # type: ignore[arg-type]
        return Case(example, fresh.history, (), ambiguous=False)

    def _without_topic(self, lang: Lang, situation: str) -> Case | None:
        plain = self._rng.random() < PLAIN_SHARE
        for _ in range(MOST_TRIES):
            example = self._plainly(self._plain[lang], situation) if plain else None
            example = example or self._spoken(self._speakers[lang], situation)
            if example is not None and example.is_validation and example.topic is None:
                return self._placed(example)
        return None

    def _plainly(self, speaker: PlainSpeaker, situation: str) -> Example | None:
        match situation:
            case "none":
                return speaker.near_miss()
            case "ordinal" | "relative" | "temporal":
                return speaker.counted(situation)  # type: ignore[arg-type]
            case _:
                return None

    def _spoken(self, speaker: Speaker, situation: str) -> Example | None:
        match situation:
            case "none":
                return speaker.fresh()
            case "followup":
                return speaker.followup()
            case "ordinal" | "relative" | "temporal" | "topic":
                return speaker.reference(situation)  # type: ignore[arg-type]
            case _:
                return None

    def _placed(self, example: Example) -> Case:
        return self._on(example, tuple(sample_history(self._rng, self._domains, self._length(example))))

    def _on(self, example: Example, history: tuple[BankTurn, ...]) -> Case:
        numbers = list(range(1, len(history) + 1))
        match example.label:
            case "none":
                return Case(example, history, (), ambiguous=False)
            case "followup":
                return Case(example, history, (len(history),), ambiguous=False)
            case "reference":
                places = meant(example, numbers)
                unclear = places.missing or (example.time == "earlier" and len(places.found) > 1)
                return Case(example, history, () if places.missing else places.found, ambiguous=unclear)

    def _length(self, example: Example) -> int:
        """A length on which the example's places exist, but for a few where they must not."""
        highest = max((*example.from_start, *example.from_end, *example.ago, 1)) + abs(example.offset or 0)
        if highest > 2 and self._rng.random() < IMPOSSIBLE_SHARE:
            return self._rng.randint(1, highest - 1)
        return min(40, max(sample_length(self._rng), highest + self._rng.randint(0, 3)))

    def _about_topic(self, kind: Kind) -> Case | None:
        drawn = self._rng.random()
        several = drawn < SEVERAL_FIT_SHARE and kind == "topic"
        topic = self._sampler.ambiguous(self._rng) if several else self._sampler.topic(self._rng)
        example = self._naming(topic.pointer, kind)
        if example is None:
            return None
        if drawn > 1 - NOTHING_FITS_SHARE:
            return self._nothing_fits(example, topic.history[topic.gold[0] - 1].domain)
        numbers = list(range(1, len(topic.history) + 1))
        meant_ = [beside(n, example.offset or 0, numbers) for n in topic.gold]
        gold = tuple(n for n in meant_ if n is not None)
        return Case(example, topic.history, gold, ambiguous=len(gold) != 1, fitting=topic.gold)

    def _naming(self, pointer: Pointer, kind: Kind) -> Example | None:
        """A query, in a phrasing held out from training, that names its topic by the given phrase."""
        spoken: Lang = pointer.lang  # type: ignore[assignment]
        lang: Lang = "taglish" if spoken in ("en", "tl") and self._rng.random() < 0.3 else spoken
        phrase = TopicPhrase(pointer.text, spoken, pointer.form, "")  # type: ignore[arg-type]
        speaker = PlainSpeaker(lang, TopicShelf([phrase]), self._rng)
        full = Speaker(self._grammars[lang], TopicShelf([phrase]), self._rng)
        plain = kind == "topic" and self._rng.random() < PLAIN_SHARE
        sure = self._rng.random() < 0.6
        for _ in range(MOST_TRIES):
            try:
                named = speaker.sure if sure else partial(speaker.open, points_back=True)
                example = named() if plain else full.reference(kind)
            except TemplateError:
                return None
            if example.is_validation and example.topic is not None:
                return example
        return None

    def written(self, written: Written) -> Case:
        """A hand-written query on a history of its domain."""
        example, rng = written.example, self._rng
        domain = next(domain for domain in self._domains if domain.name == written.domain)
        if not written.turns:
            around = [domain] if rng.random() < 0.7 else list(self._domains)
            if example.label == "followup":
                return Case(example, *self._followed(domain, example))
            history = tuple(sample_history(rng, around, self._length(example)))
            return self._on(example, history)
        phrase = Pointer(example.lang, "np", example.topic_text or example.query, "group")
        targets = [domain.turn(turn) for turn in written.turns]
        topic = self._sampler._planted(rng, targets, phrase, sample_length(rng))
        numbers = list(range(1, len(topic.history) + 1))
        meant_ = [beside(n, example.offset or 0, numbers) for n in topic.gold]
        gold = tuple(n for n in meant_ if n is not None)
        return Case(example, topic.history, gold, ambiguous=len(gold) != 1, fitting=topic.gold)

    def _followed(self, domain: Domain, example: Example) -> tuple[tuple[BankTurn, ...], tuple[int, ...], bool]:
        history = tuple(sample_history(self._rng, [domain], sample_length(self._rng)))
        return history, (len(history),), False

    def _nothing_fits(self, example: Example, domain: str) -> Case:
        themes = {d.name: d.theme for d in self._domains}
        others = [d for d in self._domains if d.theme != themes[domain]] or list(self._domains)
        turns = [turn for d in others for turn in d.turns]
        history = tuple(self._rng.sample(turns, min(len(turns), sample_length(self._rng))))
        return Case(example, history, (), ambiguous=True)


def meant(example: Example, numbers: Sequence[int]) -> Places:
    positions = Positions(example.from_start, example.from_end, example.ago, example.offset)
    if names_a_place(positions):
        return place(positions, numbers)
    return at_time(TemporalSense(example.time), numbers) if example.time else Places((), missing=True)


def written_cases(domains: Sequence[Domain], copies: int, seed: int) -> Iterator[Case]:
    """Queries written by hand for these domains, each on a few histories that hold the turns it means."""
    rng = random.Random(seed)
    maker = CaseMaker(GRAMMARS, domains, seed)
    names = {domain.name for domain in domains}
    for written in chain(read_all(), read_all(APART)):
        if written.domain in names:
            for copy in range(copies):
                example = written.example if copy == 0 else respelt(written.example, rng)
                yield maker.written(replace(written, example=example))


def made_cases(grammars: Mapping[Lang, Grammar], domains: Sequence[Domain], count: int, seed: int) -> Iterator[Case]:
    maker = CaseMaker(grammars, domains, seed)
    for _ in range(count):
        case = maker.draw()
        if case is not None:
            yield case


def write_cases(cases: Sequence[Case], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [json.dumps(case_row(i, case), ensure_ascii=False) + "\n" for i, case in enumerate(cases)]
    (folder / "cases.jsonl").write_text("".join(rows), encoding="utf-8")
    rows = [json.dumps(history_row(i, case), ensure_ascii=False) + "\n" for i, case in enumerate(cases)]
    (folder / "histories.jsonl").write_text("".join(rows), encoding="utf-8")


def case_row(i: int, case: Case) -> dict[str, object]:
    e = case.example
    gold = {
        "refers": e.label != "none",
        "kind": e.kind if e.label == "reference" else e.label,
        "turns": list(case.gold),
        "ambiguous": case.ambiguous,
    }
    return {"id": f"c{i}", "lang": e.lang, "history_id": f"h{i}", "query": e.query, "gold": gold, "note": e.family}


def history_row(i: int, case: Case) -> dict[str, object]:
    turns = [{"turn": n, "query": t.query, "response": t.response} for n, t in enumerate(case.history, 1)]
    return {"history_id": f"h{i}", "turns": turns}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--copies", type=int, default=1, help="histories for each hand-written query")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--fold", type=int, choices=range(FOLDS), default=0)
    args = parser.parse_args()
    domains = held_out_domains(load_bank(), args.fold)
    made = made_cases(GRAMMARS, domains, args.count, args.seed)
    write_cases([*made, *written_cases(domains, args.copies, args.seed)], args.out)


if __name__ == "__main__":
    main()
