"""What the generated training queries promise: exact spans, consistent labels, stable splits, one set per seed."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.references.example import (
    KINDS,
    LANGS,
    Example,
    Kind,
    Lang,
    TopicForm,
    TopicPhrase,
    from_json,
    is_validation_family,
    to_json,
)
from training.references.grammar.compose import Composer, TemplateError, TopicShelf, parsed
from training.references.grammar.generate import GRAMMARS, Material, examples
from training.references.grammar.numbers import MAX_DIGIT, tagalog_link, written
from training.references.grammar.real import is_held_out_question, trainable_questions
from training.references.grammar.segments import joined, respelt, tidy
from training.references.grammar.speaker import Speaker

TOPIC_TEXTS: dict[Lang, dict[TopicForm, tuple[str, ...]]] = {
    "en": {
        "np": ("visa requirements", "the leaking faucet", "fees at the gym"),
        "gerund": ("renewing a passport", "soaking the rice"),
        "clause": ("the deposit is refundable", "rice should rest first"),
        "keyword": ("insurance", "deposit"),
    },
    "tl": {
        "np": ("tumutulong gripo", "bayad sa upa"),
        "gerund": ("pagkuha ng pasaporte", "pagbabad ng bigas"),
        "clause": ("dapat munang hugasan ang bigas",),
        "keyword": ("bayad", "pasaporte"),
    },
    "taglish": {
        "np": ("yung visa fee", "schedule ng flight"),
        "gerund": ("pag-renew ng passport",),
        "clause": ("kailangan ng dalawang ID",),
        "keyword": ("visa fee",),
    },
    "ceb": {
        "np": ("bayad sa balay", "nawala nga papeles"),
        "gerund": ("pagkuha og lisensya",),
        "clause": ("libre ang una nga bulan",),
        "keyword": ("bayad",),
    },
    "es": {
        "np": ("los requisitos del visado", "el grifo roto"),
        "gerund": ("renovar el pasaporte",),
        "clause": ("el depósito se devuelve",),
        "keyword": ("seguro",),
    },
}
PHRASES = [
    TopicPhrase(text, lang, form, f"{lang}/{form}")
    for lang, forms in TOPIC_TEXTS.items()
    for form, texts in forms.items()
    for text in texts
]
SHELF = TopicShelf(PHRASES)

languages = st.sampled_from(LANGS)
kinds = st.sampled_from(KINDS)
seeds = st.integers(min_value=0, max_value=2**32)


def speaker(lang: Lang, seed: int) -> Speaker:
    return Speaker(GRAMMARS[lang], SHELF, random.Random(seed))


def every_template(lang: Lang) -> list[str]:
    grammar = GRAMMARS[lang]
    rooms = [*grammar.pointers.values(), *grammar.sentences.values(), grammar.followups, grammar.negatives]
    return [template for room in (*rooms, grammar.fresh_objects) for template in room]


@pytest.mark.parametrize("lang", LANGS)
def test_every_template_of_a_language_expands(lang: Lang) -> None:
    grammar = GRAMMARS[lang]
    composer = Composer(lang, grammar.rules, SHELF, random.Random(1))
    for template in every_template(lang):
        assert joined(tidy(composer.compose(template)[0])).query
    for act in (*grammar.tasks, *grammar.recalls):
        composer.compose(act, **grammar.cases, X="x")
    for act in grammar.tasks:
        composer.compose(act, **grammar.followup_objects)


@pytest.mark.parametrize("lang", LANGS)
def test_no_template_is_written_twice(lang: Lang) -> None:
    repeated = [template for template, times in Counter(every_template(lang)).items() if times > 1]
    assert repeated == []


@given(languages, kinds, seeds)
@settings(max_examples=300, deadline=None)
def test_a_reference_says_where_it_points_in_the_way_of_its_kind(lang: Lang, kind: Kind, seed: int) -> None:
    example = speaker(lang, seed).reference(kind)
    assert (example.label, example.kind, example.lang) == ("reference", kind, lang)
    match kind:
        case "ordinal":
            assert example.from_start or example.from_end
            assert example.offset is None
            assert example.topic is None
        case "relative":
            counted_from_now = bool(example.ago) and example.offset is None
            counted_from_a_turn = example.offset is not None and (example.topic is not None) != bool(example.from_start)
            assert counted_from_now or counted_from_a_turn
        case "temporal":
            assert example.time is not None
            assert example.topic is None
        case "topic":
            assert example.topic is not None


@given(languages, kinds, seeds)
@settings(max_examples=300, deadline=None)
def test_spans_lie_inside_the_query_and_hold_what_they_name(lang: Lang, kind: Kind, seed: int) -> None:
    example = speaker(lang, seed).reference(kind)
    spans = [*example.number_spans, *([(*example.topic, 0)] if example.topic else [])]
    for start, end, _ in spans:
        assert 0 <= start < end <= len(example.query)
        assert example.query[start:end].strip() == example.query[start:end]
    for start, end, value in example.number_spans:
        digits = "".join(c for c in example.query[start:end] if c.isdigit())
        assert not digits or int(digits) == value
    assert len(example.number_spans) == len(example.number_roles)


@given(languages, kinds, seeds)
@settings(max_examples=200, deadline=None)
def test_numbers_agree_with_the_positions(lang: Lang, kind: Kind, seed: int) -> None:
    example = speaker(lang, seed).reference(kind)
    places = {
        "start": example.from_start,
        "head": example.from_start,
        "range_from": example.from_start,
        "range_to": example.from_start,
        "end": example.from_end,
        "tail": example.from_end,
        "ago": example.ago,
        "offset": (abs(example.offset or 0),),
    }
    for (_, _, value), role in zip(example.number_spans, example.number_roles, strict=True):
        assert value in places[role]
    assert all(1 <= place <= MAX_DIGIT for place in (*example.from_start, *example.from_end, *example.ago))
    assert len(set(example.from_start)) == len(example.from_start)


@given(languages, seeds, st.booleans())
@settings(max_examples=200, deadline=None)
def test_what_is_no_reference_points_at_nothing(lang: Lang, seed: int, fresh: bool) -> None:
    made = speaker(lang, seed).fresh() if fresh else speaker(lang, seed).followup()
    assert made.label == ("none" if fresh else "followup")
    assert (made.kind, made.offset, made.time, made.topic, made.topic_turn) == (None,) * 5
    assert (made.from_start, made.from_end, made.ago, made.number_spans) == ((),) * 4
    assert made.query.strip()


@given(seeds)
@settings(max_examples=100, deadline=None)
def test_respelling_the_pieces_moves_the_spans_with_them(seed: int) -> None:
    composer = Composer("en", {}, SHELF, random.Random(seed))
    segments, _ = composer.compose("so the {start.nth} one, before {topic.np}?")
    plain = joined(tidy(segments))
    doubled = joined(respelt(tidy(segments), lambda text: text.replace("e", "eee"), spare_numbers=True))
    assert plain.topic is not None
    assert doubled.topic is not None
    assert doubled.query[slice(*doubled.topic)] == plain.query[slice(*plain.topic)].replace("e", "eee")
    for (a, b, _), (c, d, _) in zip(plain.number_spans, doubled.number_spans, strict=True):
        assert plain.query[a:b] == doubled.query[c:d]


@given(languages, st.integers(min_value=1, max_value=MAX_DIGIT), seeds)
@settings(max_examples=300, deadline=None)
def test_every_number_can_be_written_in_every_language(lang: Lang, value: int, seed: int) -> None:
    forms = {"en": ("nth", "card", "digit"), "es": ("nth_f", "nth_m", "card", "digit")}
    for form in forms.get(lang, ("nth", "nth_ng", "card", "card_ng", "digit")):
        text, _ = written(lang, form, value, random.Random(seed))
        digits = "".join(c for c in text if c.isdigit())
        assert text
        assert not digits or int(digits) == value


def test_tagalog_modifiers_take_the_right_linker() -> None:
    assert tagalog_link("pangalawa") == ("pangalawang", "")
    assert tagalog_link("apat") == ("apat", " na")
    assert tagalog_link("huwaran") == ("huwarang", "")


def test_a_seed_always_gives_the_same_set() -> None:
    material = Material(PHRASES)
    assert list(examples(300, 7, material)) == list(examples(300, 7, material))
    assert list(examples(300, 7, material)) != list(examples(300, 8, material))


def test_a_set_is_balanced_over_labels_languages_and_kinds() -> None:
    made = list(examples(4000, 3, Material(PHRASES)))
    share = {label: times / len(made) for label, times in Counter(e.label for e in made).items()}
    assert share["reference"] == pytest.approx(0.5, abs=0.05)
    assert share["followup"] == pytest.approx(0.15, abs=0.04)
    assert share["none"] == pytest.approx(0.35, abs=0.05)
    spoken = {lang: times / len(made) for lang, times in Counter(e.lang for e in made).items()}
    assert spoken["en"] == pytest.approx(0.40, abs=0.05)
    assert spoken["taglish"] == pytest.approx(0.28, abs=0.05)
    assert {e.kind for e in made} == {*KINDS, None}
    assert len({e.query.lower() for e in made}) > 0.99 * len(made)


def test_no_query_carries_two_labels() -> None:
    labels: dict[str, set[str]] = {}
    for example in examples(3000, 11, Material(PHRASES)):
        labels.setdefault(example.query.lower(), set()).add(example.label)
    assert [query for query, found in labels.items() if len(found) > 1] == []


def test_validation_holds_patterns_that_training_never_sees() -> None:
    made = list(examples(4000, 5, Material(PHRASES)))
    trained = {part for e in made if not e.is_validation for part in e.family.split("+")}
    held_out = [e for e in made if e.is_validation]
    assert 0.06 < len(held_out) / len(made) < 0.2
    assert all(any(part not in trained for part in e.family.split("+")) for e in held_out)
    assert not any(is_validation_family(part) for part in trained)


@given(languages, kinds, seeds)
@settings(max_examples=100, deadline=None)
def test_an_example_survives_its_json(lang: Lang, kind: Kind, seed: int) -> None:
    example = speaker(lang, seed).reference(kind)
    assert from_json(to_json(example)) == example


def test_held_out_questions_and_calls_for_a_repeat_are_never_trained_on(tmp_path: Path) -> None:
    texts = [f"who was president number {n}" for n in range(200)] + ["please remind me again please"]
    path = tmp_path / "fresh.jsonl"
    rows = [{"text": text, "lang": "en", "source": "made", "cue": False} for text in texts]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    trained = {utterance.text for utterance in trainable_questions(path)}
    assert not any(is_held_out_question(text) for text in trained)
    assert 0.15 < sum(is_held_out_question(text) for text in texts) / len(texts) < 0.35
    assert "please remind me again please" not in trained


@pytest.mark.parametrize("template", ["a (b|c", "a) b", "a|b"])
def test_a_malformed_template_is_refused(template: str) -> None:
    with pytest.raises(TemplateError):
        parsed(template)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(TemplateError, match="no rule"):
        Composer("en", {}, SHELF, random.Random(0)).compose("{nothing_here}")


def test_a_repeated_rule_keeps_its_choice() -> None:
    composer = Composer("en", {"fruit": ("mango", "guava", "melon")}, SHELF, random.Random(2))
    for _ in range(20):
        first, second = joined(composer.compose("{fruit@1} {fruit@1}")[0]).query.split()
        assert first == second


def test_examples_default_to_no_pointer() -> None:
    example = Example(query="hello", lang="en", family="x", label="none")
    assert example.topic_text is None
