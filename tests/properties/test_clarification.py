"""What a clarification promises for any history, any scores and any reply."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gunita.language.clarification import (
    Clarification,
    ClarificationEngine,
    GaveUp,
    Narrowed,
    NotAnAnswer,
    Outcome,
    Settled,
)
from gunita.models import ReferenceResolution, Turn
from tests.unit.replies import turns_of

engine = ClarificationEngine()

WORDS = """
    yung una pangalawa the second last one both none hindi oo no yes not or and 1 2 3 #4 turn question tanong adobo visa
    wala lahat kahit alin first two huling dalawa ago po ? , . ika-2 a b what magkano weather
""".split()  # noqa: SIM905 - read as a text, not as a column of forty words

texts = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [
            "How do I cook adobo?",
            "Magkano ang pamasahe?",
            "visa requirements po",
            "¿Dónde queda?",
            "*bold* [x](y)",
            "  ",
        ]
    ),
)
replies = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(WORDS),
        max_size=7,
    ).map(" ".join),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Turn]:
    pairs = draw(st.lists(st.tuples(texts, texts), max_size=14))
    expired = draw(st.integers(0, 5))
    return [replace(turn, turn_number=turn.turn_number + expired) for turn in turns_of(pairs)]


@st.composite
def situations(draw: st.DrawFn) -> tuple[str, ReferenceResolution, list[Turn]]:
    history = draw(histories())
    matched = draw(st.lists(st.sampled_from(history), max_size=12, unique_by=lambda t: t.id)) if history else []
    scored = [(turn, draw(st.floats(0, 1))) for turn in matched]
    best = max(scored, key=lambda pair: pair[1])[0] if scored else None
    query = draw(texts)
    return query, ReferenceResolution(scored, best, draw(st.booleans()), 0.5), history


def ids_of(turns: tuple[Turn, ...]) -> set[UUID]:
    return {turn.id for turn in turns}


@given(situations())
def test_a_clarification_names_only_turns_that_exist(situation: tuple[str, ReferenceResolution, list[Turn]]) -> None:
    asked = engine.ask(*situation)
    existing = {turn.id for turn in situation[2]}
    assert ids_of(asked.shown) <= ids_of(asked.turns) <= existing
    assert len(asked.choices) <= 5
    assert bool(asked.choices) == bool(existing)
    assert all(choice.label in asked.question and choice.place in asked.question for choice in asked.choices)


@given(situations())
def test_candidates_are_ranked_once_each_with_scores_in_range(
    situation: tuple[str, ReferenceResolution, list[Turn]],
) -> None:
    asked = engine.ask(*situation)
    scores = [score for _, score in asked.candidates]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert len(ids_of(asked.turns)) == len(asked.candidates)


@given(situations(), st.lists(replies, min_size=3, max_size=3))
def test_any_replies_settle_to_candidates_or_end_after_three_rounds(
    situation: tuple[str, ReferenceResolution, list[Turn]], said: list[str]
) -> None:
    asked: Clarification = engine.ask(*situation)
    first = ids_of(asked.turns)
    for number, reply in enumerate(said, start=1):
        assert asked.round == number
        outcome: Outcome = engine.settle(asked, reply)
        match outcome:
            case Settled():
                assert ids_of(outcome.turns) <= first
                assert outcome.turns
                return
            case Narrowed():
                asked = outcome.clarification
                assert asked.choices
                assert ids_of(asked.turns) <= first
            case GaveUp():
                assert outcome.notice
                return
            case NotAnAnswer():
                return
    raise AssertionError("a fourth round")


@given(situations(), st.data())
def test_each_choice_is_settled_by_the_number_in_front_of_it(
    situation: tuple[str, ReferenceResolution, list[Turn]], data: st.DataObject
) -> None:
    asked = engine.ask(*situation)
    if not asked.choices:
        return
    place = data.draw(st.integers(1, len(asked.choices)))
    assert engine.settle(asked, f"#{place}") == Settled((asked.choices[place - 1].turn,))


@given(situations(), replies)
def test_the_simple_surface_always_gives_a_matched_turn(
    situation: tuple[str, ReferenceResolution, list[Turn]], reply: str
) -> None:
    query, found, _ = situation
    if found.matched_turns:
        assert engine.resolve_with_clarification(query, reply, found) in [turn for turn, _ in found.matched_turns]


@given(situations())
def test_asking_twice_gives_the_same_question(situation: tuple[str, ReferenceResolution, list[Turn]]) -> None:
    assert engine.ask(*situation) == engine.ask(*situation)
