"""Promises of the reference parser for any history and any text."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gunita.language.clarification import ClarificationEngine
from gunita.language.heads import ReferenceHeads
from gunita.language.pairs import parting
from gunita.language.positions import at_time, beside, place
from gunita.language.references import DynamicReferenceParser
from gunita.models import IntentType, Positions, ReferenceIntent, TemporalSense, Turn

PARSER = DynamicReferenceParser()
THEN = datetime(2025, 6, 1, tzinfo=UTC)
NOBODY = UUID(int=0)

remembered = st.lists(st.integers(1, 10_000), min_size=1, max_size=60, unique=True).map(sorted)
counts = st.lists(st.integers(-3, 80), max_size=4).map(tuple)
positions = st.builds(
    Positions,
    from_start=counts,
    from_end=counts,
    ago=counts,
    offset=st.none() | st.integers(-5, 5),
    numbered=counts,
)
sentences = st.text(min_size=1, max_size=60)
talk = st.lists(st.tuples(sentences, sentences), max_size=6)
certainty = st.floats(0, 1)


def turns(numbers: list[int]) -> list[Turn]:
    return [Turn(UUID(int=n), NOBODY, "ana", n, f"question {n}", f"answer {n}", THEN) for n in numbers]


@settings(max_examples=200)
@given(remembered, st.integers(1, 60))
def test_an_ordinal_counts_what_is_remembered(numbers: list[int], n: int) -> None:
    found = place(Positions(from_start=(n,)), numbers).found
    assert found == ((numbers[n - 1],) if n <= len(numbers) else ())


@settings(max_examples=200)
@given(remembered, st.integers(1, 60))
def test_from_the_end_and_ago_are_the_same_count(numbers: list[int], n: int) -> None:
    from_end = place(Positions(from_end=(n,)), numbers)
    assert from_end == place(Positions(ago=(n,)), numbers)
    assert from_end.found == ((numbers[-n],) if n <= len(numbers) else ())


@settings(max_examples=200)
@given(remembered, positions)
def test_only_remembered_turns_are_ever_named(numbers: list[int], wanted: Positions) -> None:
    places = place(wanted, numbers)
    assert set(places.found) <= set(numbers)
    assert len(set(places.found)) == len(places.found)
    assert places.found or places.missing


@settings(max_examples=200)
@given(remembered.filter(lambda numbers: len(numbers) > 1), st.data(), certainty)
def test_one_of_several_places_is_never_taken_without_asking(
    numbers: list[int], data: st.DataObject, sure: float
) -> None:
    named = data.draw(st.lists(st.sampled_from(numbers), min_size=2, unique=True))
    wanted = Positions(numbered=tuple(named), one_of=True)
    found = PARSER.resolve_reference(ReferenceIntent("", IntentType.ORDINAL, (), sure, wanted), turns(numbers))
    assert [turn.turn_number for turn, _ in found.matched_turns] == named
    assert ClarificationEngine().needs_clarification("", found)


@settings(max_examples=200)
@given(remembered, st.data(), st.integers(-5, 5))
def test_a_step_away_and_back_is_where_it_started(numbers: list[int], data: st.DataObject, step: int) -> None:
    anchor = data.draw(st.sampled_from(numbers))
    there = beside(anchor, step, numbers)
    assert there is None or beside(there, -step, numbers) == anchor


@settings(max_examples=100)
@given(remembered, st.sampled_from(TemporalSense))
def test_a_time_word_names_at_most_three_turns_latest_first(numbers: list[int], sense: TemporalSense) -> None:
    found = at_time(sense, numbers).found
    assert 1 <= len(found) <= 3
    assert list(found) == sorted(found, reverse=True)


@settings(max_examples=150, deadline=None)
@given(remembered, positions, certainty, st.sampled_from([IntentType.ORDINAL, IntentType.RELATIVE]))
def test_a_reference_to_nothing_is_never_resolved(
    numbers: list[int], wanted: Positions, sure: float, kind: IntentType
) -> None:
    if not (wanted.from_start or wanted.from_end or wanted.ago or wanted.numbered):
        return
    resolution = PARSER.resolve_reference(ReferenceIntent("", kind, (), sure, wanted), turns(numbers))
    places = place(wanted, numbers)
    assert [turn.turn_number for turn, _ in resolution.matched_turns] == list(places.found)
    assert resolution.is_ambiguous == places.missing
    assert (resolution.best_match is None) == (not places.found)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), talk)
def test_any_text_on_any_history_gives_scores_between_nought_and_one(query: str, said: list[tuple[str, str]]) -> None:
    history = [Turn(UUID(int=n), NOBODY, "ana", n, q, r, THEN) for n, (q, r) in enumerate(said, 1)]
    intent = PARSER.detect_reference(query)
    if intent is None:
        return
    assert 0.0 <= intent.confidence <= 1.0
    resolution = PARSER.resolve_reference(intent, history)
    scores = [score for _, score in resolution.matched_turns]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert 0.0 <= resolution.confidence <= 1.0
    assert {turn.turn_number for turn, _ in resolution.matched_turns} <= {turn.turn_number for turn in history}


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_the_same_query_is_always_understood_the_same(query: str) -> None:
    assert PARSER.detect_reference(query) == PARSER.detect_reference(query)
    assert DynamicReferenceParser().extract_semantic_features(query) == PARSER.extract_semantic_features(query)


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(3, 40))
@settings(max_examples=100, deadline=None)
def test_what_the_judge_says_of_a_turn_does_not_depend_on_where_it_stands(seed: int, turns: int, tokens: int) -> None:
    drawn = np.random.default_rng(seed)
    judge = ReferenceHeads.load().read(drawn.normal(size=(tokens, 384)).astype(np.float32)).judge
    met = drawn.uniform(-1, 1, (turns, 2, tokens)).astype(np.float32)
    order = drawn.permutation(turns)
    said = judge.log_odds(met)
    assert said.shape == (turns,)
    assert np.isfinite(said).all()
    np.testing.assert_allclose(judge.log_odds(met[order]), said[order], atol=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.integers(3, 40))
@settings(max_examples=100, deadline=None)
def test_the_two_topics_of_a_query_are_two_turns_wherever_those_stand(seed: int, turns: int, tokens: int) -> None:
    drawn = np.random.default_rng(seed)
    voiced = drawn.uniform(0, 1, (turns, tokens)).astype(np.float32)
    joins = drawn.uniform(0, 1, (tokens, 2)).astype(np.float32)
    parted = parting(voiced, joins)
    assert parted is not None
    at, first, second = parted
    assert 0 < at < tokens
    assert first != second
    order = drawn.permutation(turns)
    moved = parting(voiced[order], joins)
    assert moved is not None
    assert (moved[0], int(order[moved[1]]), int(order[moved[2]])) == (at, first, second)


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(3, 40))
@settings(max_examples=100, deadline=None)
def test_a_judge_of_every_part_is_the_judge_of_the_whole(seed: int, turns: int, tokens: int) -> None:
    drawn = np.random.default_rng(seed)
    judge = ReferenceHeads.load().read(drawn.normal(size=(tokens, 384)).astype(np.float32)).judge
    met = drawn.uniform(-1, 1, (turns, 2, tokens)).astype(np.float32)
    np.testing.assert_allclose(judge.of_part(0, tokens).log_odds(met), judge.log_odds(met), atol=1e-3)
