"""The parser with the shipped model: what it understands in each way of speaking, and what it survives."""

from __future__ import annotations

import doctest
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from gunita.language.clarification import ClarificationEngine
from gunita.language.encoder import Encoder
from gunita.language.references import DynamicReferenceParser
from gunita.models import IntentType, Positions, ReferenceIntent, ReferenceResolution, TemporalSense, Turn

NOBODY = UUID(int=0)
TALK = (
    ("How much is the application fee for a student visa?", "The fee is 160 dollars, paid before the interview."),
    ("Paano magluto ng sinigang na baboy?", "Pakuluan ang baboy, idagdag ang sampalok, gabi at kangkong."),
    ("Which laptop is good for video editing?", "Look for 32 GB of memory and a dedicated graphics card."),
    ("Magkano ang upa sa condo sa Makati?", "Mga 25,000 hanggang 40,000 piso kada buwan ang isang kwarto."),
    ("How do I get rid of ants in the kitchen?", "Wipe the trail with vinegar and put out borax bait."),
)


def history(first: int = 1) -> list[Turn]:
    then = datetime(2025, 6, 1, tzinfo=UTC)
    return [
        Turn(UUID(int=n), NOBODY, "ana", n, query, response, then) for n, (query, response) in enumerate(TALK, first)
    ]


@pytest.fixture(scope="module")
def parser() -> DynamicReferenceParser:
    return DynamicReferenceParser()


def resolved(parser: DynamicReferenceParser, query: str) -> ReferenceResolution:
    intent = parser.detect_reference(query, history())
    assert intent is not None
    return parser.resolve_reference(intent, history())


def pointed_at(parser: DynamicReferenceParser, query: str, turns: list[Turn] | None = None) -> list[int]:
    intent = parser.detect_reference(query)
    if intent is None:
        return []
    resolution = parser.resolve_reference(intent, history() if turns is None else turns)
    return [turn.turn_number for turn, _ in resolution.matched_turns]


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ("what was the first thing I asked?", [1]),
        ("yung pangalawang tanong ko", [2]),
        ("ulitin mo yung huling sagot mo", [5]),
        ("compare your first and third answers", [1, 3]),
        ("two questions ago", [4]),
        ("what did you just say?", [5]),
        ("yung tungkol sa visa, magkano nga ulit?", [1]),
        ("balik tayo dun sa laptop", [3]),
        ("what you said about renting a condo", [4]),
        ("the one right before the laptop question", [2]),
        ("show me question #4 again", [4]),
    ],
)
def test_a_reference_finds_its_turns(parser: DynamicReferenceParser, query: str, turns: list[int]) -> None:
    assert sorted(pointed_at(parser, query)) == turns


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ("ung pangalawa, gawin mong tatlong araw na lang", [2]),
        ("ikaapat, di ko nakuha nang maayos", [4]),
        ("yung una kong tinanong, palitan mo ng 15 minutes", [1]),
        ("pangatlo, pakihabaan pa", [3]),
        ("the one before the last, once more", [4]),
    ],
)
def test_what_is_said_of_a_turn_behind_a_pause_does_not_hide_its_place(
    parser: DynamicReferenceParser, query: str, turns: list[int]
) -> None:
    resolution = resolved(parser, query)
    assert [turn.turn_number for turn, _ in resolution.matched_turns] == turns
    assert resolution.confidence >= 0.7


@pytest.mark.parametrize("query", ["second, my visa expires in May", "una, hugasan mo ang bigas"])
def test_a_count_before_a_pause_may_be_just_a_count(parser: DynamicReferenceParser, query: str) -> None:
    assert parser.detect_reference(query, history()) is None


def test_a_step_goes_from_the_turn_that_fits_best_also_where_no_topic_is_marked(parser: DynamicReferenceParser) -> None:
    assert pointed_at(parser, "not the laptop one, the one right after it") == [4]


@pytest.mark.parametrize(
    "query",
    [
        "How do I apply for a passport?",
        "Who was the first president of the Philippines?",
        "Ano ang huling pelikula ni Lea Salonga?",
        "remind me to call mom at six",
        "sino ang unang babaeng pangulo ng Pilipinas?",
    ],
)
def test_a_fresh_question_points_nowhere(parser: DynamicReferenceParser, query: str) -> None:
    assert parser.detect_reference(query) is None


def test_a_followup_belongs_to_the_last_turn_and_is_marked(parser: DynamicReferenceParser) -> None:
    intent = parser.detect_reference("what about in the bathroom?")
    assert intent is not None
    assert intent.is_followup
    resolution = parser.resolve_reference(intent, history())
    assert resolution.is_followup
    assert resolution.best_match == history()[-1]


def test_a_bare_earlier_offers_the_latest_turns_ranked(parser: DynamicReferenceParser) -> None:
    intent = parser.detect_reference("yung sinabi mo kanina")
    assert intent is not None
    assert intent.intent_type is IntentType.TEMPORAL
    resolution = parser.resolve_reference(intent, history())
    assert [turn.turn_number for turn, _ in resolution.matched_turns] == [5, 4, 3]
    assert resolution.is_ambiguous
    assert resolution.confidence < 0.7


def test_a_place_that_is_not_there_is_a_reference_to_nothing(parser: DynamicReferenceParser) -> None:
    intent = parser.detect_reference("what was the ninth question?")
    assert intent is not None
    resolution = parser.resolve_reference(intent, history())
    assert resolution.matched_turns == ()
    assert resolution.best_match is None
    assert resolution.is_ambiguous


@pytest.mark.parametrize(
    ("query", "candidates"),
    [
        ("the third or maybe the fourth answer, not sure which, say it again", [3, 4]),
        ("one of my first three questions, I forget which one", [1, 2, 3]),
        ("pangalawa yata o pangatlo, isa dun, ulitin mo nga", [2, 3]),
        ("isa dun sa huling dalawang sagot mo, pa-check kung tama", [4, 5]),
    ],
)
def test_one_of_several_places_is_asked_about(
    parser: DynamicReferenceParser, query: str, candidates: list[int]
) -> None:
    resolution = resolved(parser, query)
    assert sorted(turn.turn_number for turn, _ in resolution.matched_turns) == candidates
    assert resolution.is_ambiguous
    assert not resolution.points_at_several
    assert ClarificationEngine().needs_clarification(query, resolution)


@pytest.mark.parametrize(
    "query", ["compare the third and the fourth answer", "pagsamahin mo ang una at pangalawang sagot"]
)
def test_all_of_several_places_are_not_asked_about(parser: DynamicReferenceParser, query: str) -> None:
    resolution = resolved(parser, query)
    assert len(resolution.matched_turns) == 2
    assert not ClarificationEngine().needs_clarification(query, resolution)


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ("put the visa fee and the laptop advice on one page", [1, 3]),
        ("compare the rent in Makati with the visa fee", [4, 1]),
        ("pagkumparahin mo yung upa sa makati tsaka bayad sa visa", [4, 1]),
        ("magkano lahat pag pinagsama yung upa sa condo at yung bayad sa visa", [4, 1]),
    ],
)
def test_two_topics_named_together_are_both_meant_in_their_order(
    parser: DynamicReferenceParser, query: str, turns: list[int]
) -> None:
    resolution = resolved(parser, query)
    assert [turn.turn_number for turn, _ in resolution.matched_turns] == turns
    assert resolution.points_at_several
    assert not ClarificationEngine().needs_clarification(query, resolution)


@pytest.mark.parametrize(
    ("query", "turn"),
    [
        ("not the visa, the laptop one", 3),
        ("yung tungkol sa sinigang, tapos i-send mo kay mama", 2),
        ("the memory and the graphics card, what was it again?", 3),
    ],
)
def test_one_topic_beside_an_and_or_a_not_is_one(parser: DynamicReferenceParser, query: str, turn: int) -> None:
    resolution = resolved(parser, query)
    assert [turn.turn_number for turn, _ in resolution.matched_turns] == [turn]


@pytest.mark.parametrize(
    "query",
    [
        "it was either in the visa answer or in the one about the condo, I forget",
        "yung sa laptop ba o yung sa condo, di ko na maalala kung alin",
    ],
)
def test_one_of_two_topics_is_asked_about(parser: DynamicReferenceParser, query: str) -> None:
    resolution = resolved(parser, query)
    assert len(resolution.matched_turns) == 2
    assert ClarificationEngine().needs_clarification(query, resolution)


@pytest.mark.parametrize(
    "last", ["yung nasa hulihan, ulitin mo", "kinaulahian nimong tubag, usba", "pang-labindalawang tanong ko"]
)
def test_rarer_words_for_a_place_are_known(parser: DynamicReferenceParser, last: str) -> None:
    assert pointed_at(parser, last) == ([] if "labindalawa" in last else [5])


def test_the_first_one_is_the_first_still_remembered(parser: DynamicReferenceParser) -> None:
    assert pointed_at(parser, "what was my first question?", history(first=8)) == [8]


def test_an_intent_made_by_hand_resolves_too(parser: DynamicReferenceParser) -> None:
    placed = ReferenceIntent("", IntentType.ORDINAL, (), 0.9, Positions(from_start=(2,)))
    assert parser.resolve_reference(placed, history()).best_match == history()[1]
    timed = ReferenceIntent("", IntentType.TEMPORAL, (), 0.9, time=TemporalSense.OPENING)
    assert parser.resolve_reference(timed, history()).best_match == history()[0]
    about = ReferenceIntent("", IntentType.TOPIC, (), 0.9, topic="student visa fee")
    assert parser.resolve_reference(about, history()).best_match == history()[0]


def test_features_name_times_places_and_topics(parser: DynamicReferenceParser) -> None:
    features = parser.extract_semantic_features("what did you say about the visa fee?")
    assert "visa" in features.topic_keywords
    assert parser.extract_semantic_features("the second question").ordinal_positions == (2,)
    assert parser.extract_semantic_features("three questions ago").relative_positions == (-3,)
    assert parser.extract_semantic_features("what did you just say?").temporal_indicators == ("just_now",)


@pytest.mark.parametrize(
    "query",
    ["", "  ", "\n\t", "😀😀😀", "???", "第一个问题是什么", "первый вопрос", "ما هو السؤال", "\x00", "x" * 100_000],
)
def test_nothing_readable_points_nowhere(parser: DynamicReferenceParser, query: str) -> None:
    assert parser.detect_reference(query) is None


@pytest.mark.parametrize("query", [None, 7, b"the first one", ["the first one"]])
def test_what_is_no_text_points_nowhere(parser: DynamicReferenceParser, query: Any) -> None:
    assert parser.detect_reference(query) is None
    assert parser.extract_semantic_features(query).topic_keywords == ()


def test_only_the_beginning_of_a_very_long_query_is_read(parser: DynamicReferenceParser) -> None:
    beginning = "what was the first question I asked? " + "la " * 400
    assert parser.detect_reference(beginning + "la " * 40_000) == parser.detect_reference(beginning)


def test_corrupted_turns_are_passed_over(parser: DynamicReferenceParser) -> None:
    good = history()
    broken: list[Any] = [None, "turn", Turn(NOBODY, NOBODY, "ana", 0, "a", "b", good[0].created_at)]
    broken.append(Turn(NOBODY, NOBODY, "ana", 9, None, None, good[0].created_at))  # type: ignore[arg-type]
    intent = parser.detect_reference("what was the last question?")
    assert intent is not None
    resolution = parser.resolve_reference(intent, [*broken, *good])
    assert resolution.best_match == good[-1]


@pytest.mark.parametrize("nothing", [[], None, ()])
def test_no_history_leaves_a_reference_unresolved(parser: DynamicReferenceParser, nothing: Any) -> None:
    intent = parser.detect_reference("what was the first question?")
    assert intent is not None
    resolution = parser.resolve_reference(intent, nothing)
    assert resolution.best_match is None
    assert resolution.is_ambiguous
    assert resolution.confidence == 0.0


def test_another_encoder_compares_topics_by_its_own_vectors() -> None:
    class Counting:
        """Forwards to the shipped encoder and counts what it was asked."""

        def __init__(self) -> None:
            self.texts: list[str] = []

        def encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
            self.texts += texts
            return Encoder.load().encode(texts)

    other = Counting()
    assert pointed_at(DynamicReferenceParser(other), "what did you say about the student visa?") == [1]
    assert TALK[0][0] in other.texts


def test_the_examples_of_the_explanation_hold() -> None:
    page = Path(__file__).parents[2] / "docs" / "explanation" / "references.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


class CountingEncoder:
    """The shipped encoder, with a note of every text that it reads."""

    def __init__(self) -> None:
        self._encoder = Encoder.load()
        self.read_texts: list[str] = []

    def encode(self, texts: Any) -> Any:
        return self._encoder.encode(texts)

    def read(self, text: str) -> Any:
        self.read_texts.append(text)
        return self._encoder.read(text)

    def point(self, text: str) -> Any:
        return self._encoder.point(text)


def test_no_text_of_a_conversation_is_read_twice() -> None:
    encoder = CountingEncoder()
    parser = DynamicReferenceParser(encoder)
    turns = history()
    for asked in range(1, len(turns)):
        parser.detect_reference(turns[asked].query_text, turns[:asked])
    assert len(encoder.read_texts) > len(turns)
    assert len(encoder.read_texts) == len(set(encoder.read_texts))


def test_a_question_asked_again_word_for_word_is_asked_afresh(parser: DynamicReferenceParser) -> None:
    again = "how do i get rid of ants in the kitchen"
    assert parser.detect_reference(again, history()) is None
    assert pointed_at(parser, "what did you say about " + again) == [5]


def test_of_turns_that_asked_the_same_the_newest_is_meant_and_nobody_is_asked_which(
    parser: DynamicReferenceParser,
) -> None:
    twice = [*history(), *(replace(turn, turn_number=turn.turn_number + 5) for turn in history())]
    intent = parser.detect_reference("what did you say about the ants?", twice)
    assert intent is not None
    found = parser.resolve_reference(intent, twice)
    assert ([turn.turn_number for turn, _ in found.matched_turns], found.is_ambiguous) == ([10], False)


def test_turns_that_only_said_go_on_are_told_apart_by_their_answers(parser: DynamicReferenceParser) -> None:
    told = [replace(turn, query_text="go on") for turn in history()]
    intent = parser.detect_reference("yung tungkol sa sinigang, paki-ulit", told)
    assert intent is not None
    assert parser.resolve_reference(intent, told).best_match == told[1]


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("repeat the twenty-third answer please", 23),
        ("ano nga ulit ang ika-dalawampu't tatlong tanong ko?", 23),
        ("go back to the twenty-first thing I asked", 21),
    ],
)
def test_places_in_words_are_read_past_those_the_heads_know(
    parser: DynamicReferenceParser, query: str, meant: int
) -> None:
    long = [replace(history()[n % 5], query_text=f"question {n}", turn_number=n) for n in range(1, 31)]
    assert pointed_at(parser, query, long) == [meant]
