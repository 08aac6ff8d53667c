"""The topic bank keeps its own rules, and the histories composed from it mean what they say."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.references import written
from training.references.bank import APART, BankError, load_bank, read_theme, via_of
from training.references.histories import (
    LONGEST_HISTORY,
    CaseSampler,
    PhraseIndex,
    is_validation_domain,
    load_lookalikes,
    sample_history,
    sample_length,
    training_domains,
    validation_domains,
)
from training.references.overlap import same_stem, shared_words

BANK = load_bank()
TURNS = [turn for domain in BANK for turn in domain.turns]
SAMPLER = CaseSampler(BANK)
TRAINING_SAMPLER = CaseSampler(training_domains(BANK))
LOOKALIKES = load_lookalikes()
seeds = st.integers(min_value=0, max_value=2**32 - 1)
lengths = st.integers(min_value=1, max_value=LONGEST_HISTORY)


def test_the_bank_is_as_large_as_the_model_needs():
    pointers = [pointer for turn in TURNS for pointer in turn.pointers]
    assert len(BANK) >= 70
    assert len(TURNS) >= 700
    assert len(pointers) >= 5000
    assert sum(pointer.via == "paraphrase" for pointer in pointers) / len(pointers) >= 0.4


def test_every_turn_is_pointed_at_in_several_ways_and_languages():
    for turn in TURNS:
        assert 4 <= len(turn.pointers) <= 12, turn.id
        assert sum(pointer.lang != turn.lang for pointer in turn.pointers) >= 2, turn.id


def test_every_domain_has_ambiguity_followups_and_fresh_questions():
    for domain in BANK:
        assert 8 <= len(domain.turns) <= 14, domain.name
        assert 2 <= len(domain.ambiguous) <= 4, domain.name
        assert 4 <= len(domain.followups) <= 6, domain.name
        assert 6 <= len(domain.fresh) <= 10, domain.name


def test_no_network_learns_from_the_domains_set_apart():
    apart = {domain.name for domain in load_bank(APART)}
    assert len(apart) >= 70
    assert apart.isdisjoint(domain.name for domain in BANK)
    assert apart == {query.domain for query in written.read_all(APART)}
    assert apart.isdisjoint(query.domain for query in written.read_all())


def test_keywords_are_single_words():
    turns = [*TURNS, *(turn for domain in load_bank(APART) for turn in domain.turns)]
    keywords = [p for turn in turns for p in turn.pointers if p.form == "keyword"]
    assert all(" " not in pointer.text for pointer in keywords)


def test_how_a_phrase_reaches_its_turn_is_told_by_its_words():
    query, response = "How long should I boil the eggs?", "Nine minutes, then ice water."
    assert via_of("boiling eggs", query, response) == "query"
    assert via_of("ice", query, response) == "response"
    assert via_of("nilagang itlog", query, response) == "paraphrase"


def test_inflected_forms_share_a_word_and_function_words_do_not_count():
    assert same_stem("bayad", "pagbabayad")
    assert shared_words("the one about paying", "how do I pay the bill") == frozenset()
    assert shared_words("mga bayarin", "magkano ang bayarin sa kuryente") == {"bayarin"}


@pytest.mark.parametrize(
    "line",
    [
        '{"domain":"d","record":"turn","id":"d/1","lang":"fr","query":"q","response":"r","pointers":[]}',
        '{"domain":"d","record":"turn","id":"d/1","lang":"en","query":" ","response":"r","pointers":[]}',
        '{"domain":"d","record":"turn","id":"d/1","lang":"en","query":"q","response":"r","pointers":{}}',
        '{"domain":"d","record":"ambiguous","turns":"d/1","pointers":[]}',
    ],
)
def test_a_broken_record_is_refused(tmp_path, line):
    path = tmp_path / "theme.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(BankError):
        read_theme(path)


def test_a_pointer_that_two_turns_share_is_refused(tmp_path):
    turn = (
        '{"domain":"d","record":"turn","id":"d/%d","lang":"en","query":"%s","response":"r",'
        '"pointers":[{"lang":"en","form":"np","text":"money","via":"paraphrase"}]}\n'
    )
    (tmp_path / "theme.jsonl").write_text(turn % (1, "first") + turn % (2, "second"), encoding="utf-8")
    with pytest.raises(BankError, match="points at both"):
        load_bank(tmp_path)


def test_whole_domains_are_held_out_and_the_split_loses_none():
    held_out = validation_domains(BANK)
    assert 0.08 <= len(held_out) / len(BANK) <= 0.25
    assert len(held_out) + len(training_domains(BANK)) == len(BANK)
    assert all(is_validation_domain(domain.name) for domain in held_out)


def test_lookalikes_name_turns_of_the_bank_and_never_a_turn_itself():
    assert set(LOOKALIKES) <= {turn.id for turn in TURNS}
    assert all(turn_id not in others for turn_id, others in LOOKALIKES.items())


@settings(max_examples=200, deadline=None)
@given(seeds)
def test_lengths_stay_between_one_and_forty(seed):
    assert 1 <= sample_length(random.Random(seed)) <= LONGEST_HISTORY


@settings(max_examples=150, deadline=None)
@given(seeds, lengths)
def test_a_history_has_the_wanted_length_and_no_turn_twice(seed, length):
    history = sample_history(random.Random(seed), BANK, length)
    assert len(history) == length
    assert len({turn.id for turn in history}) == length


@settings(max_examples=150, deadline=None)
@given(seeds, lengths)
def test_the_same_seed_gives_the_same_case(seed, length):
    assert SAMPLER.topic(random.Random(seed), length) == SAMPLER.topic(random.Random(seed), length)


@settings(max_examples=200, deadline=None)
@given(seeds, lengths)
def test_a_clear_phrase_fits_one_turn_of_its_history(seed, length):
    case = SAMPLER.topic(random.Random(seed), length)
    index = PhraseIndex(case.history)
    (number,) = case.gold
    others = {turn.id for turn in case.history} - {case.history[number - 1].id}
    assert not case.ambiguous
    assert not LOOKALIKES.get(case.history[number - 1].id, frozenset()) & others
    assert not index.might_fit(case.pointer.text) & others


@settings(max_examples=150, deadline=None)
@given(seeds, lengths)
def test_an_ambiguous_phrase_fits_all_turns_of_its_group(seed, length):
    case = SAMPLER.ambiguous(random.Random(seed), length)
    targets = {case.history[number - 1].id for number in case.gold}
    groups = [set(group.turns) for domain in BANK for group in domain.ambiguous if case.pointer in group.pointers]
    assert case.ambiguous
    assert targets in groups
    assert case.gold == tuple(sorted(case.gold))


@settings(max_examples=100, deadline=None)
@given(seeds, lengths)
def test_a_followup_continues_the_last_turn(seed, length):
    case = SAMPLER.followup(random.Random(seed), length)
    bound = {(f.turn, f.text) for domain in BANK for f in domain.followups}
    assert (case.history[-1].id, case.text) in bound
    assert len(case.history) == length


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_fresh_question_is_no_turn_of_its_history(seed):
    case = SAMPLER.fresh(random.Random(seed))
    assert case.text not in {turn.query for turn in case.history}


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_sampler_of_training_domains_never_shows_a_held_out_one(seed):
    case = TRAINING_SAMPLER.topic(random.Random(seed))
    assert not any(is_validation_domain(turn.domain) for turn in case.history)
