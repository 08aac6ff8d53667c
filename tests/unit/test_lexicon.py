"""Words for the same thing in several languages, and what they do for finding the turn that is meant."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gunita.language.lexicon import senses, things_named
from gunita.language.references import DynamicReferenceParser
from gunita.language.topics import presence, word_bag
from gunita.language.words import content_words
from gunita.models import Turn

THEN = datetime(2025, 1, 1, tzinfo=UTC)
CHAT = (
    ("Pila kaha ang usa ka kilo nga nukos?", "Mga ₱380 sa merkado karon."),
    ("How do I stop my baby's hiccups?", "Hold him upright and burp him halfway through the feed."),
    ("Saan ako magpapaayos ng bubong?", "Kay Mang Ador sa kanto; ₱1,200 ang singil niya sa isang araw."),
)


@pytest.fixture(scope="module")
def parser() -> DynamicReferenceParser:
    return DynamicReferenceParser()


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    return [
        Turn(UUID(int=n), UUID(int=0), "ana", n, query, response, THEN) for n, (query, response) in enumerate(CHAT, 1)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [("squid", "pusit"), ("pusit", "nukos"), ("calamar", "nukos"), ("roof", "bubong"), ("salary", "sahod")],
)
def test_words_of_four_languages_name_one_thing(one: str, other: str) -> None:
    assert senses(one) & senses(other)


def test_a_form_of_a_word_names_what_the_word_names() -> None:
    assert senses("sasahod") & senses("salary")
    assert senses("roofs") & senses("bubong")


@pytest.mark.parametrize("word", ["", "x", "zzyzx", "1234", "qwertyuiop", "привет", "🙂"])
def test_what_is_no_word_names_nothing(word: str) -> None:
    assert senses(word) == frozenset()


def test_another_word_for_a_thing_counts_for_less_than_the_word_itself() -> None:
    bag = word_bag("presyo ng pusit")
    assert 0 < presence("squid", senses("squid"), bag) < presence("pusit", senses("pusit"), bag) == 1
    assert presence("roof", senses("roof"), bag) == 0


@pytest.mark.parametrize(
    ("phrase", "word", "alone"),
    [("face mask", "facemask", "face"), ("ibang bansa", "abroad", "bansa"), ("Mother-in-law ko", "biyenan", "law")],
)
def test_words_side_by_side_name_what_they_name_together(phrase: str, word: str, alone: str) -> None:
    assert things_named(phrase)[alone] & senses(word)
    assert not senses(alone) & senses(word)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("yung tungkol sa pusit, pakiulit", 1),
        ("the squid one again please", 1),
        ("balik tayo sa sinok ng sanggol", 2),
        ("what did you say about the roof", 3),
        ("kadtong sa atop, usba palihog", 3),
    ],
)
def test_a_turn_is_found_by_another_languages_word(
    parser: DynamicReferenceParser, turns: list[Turn], query: str, meant: int
) -> None:
    intent = parser.detect_reference(query, turns)
    assert intent is not None
    found = parser.resolve_reference(intent, turns)
    assert found.best_match is not None
    assert found.best_match.turn_number == meant


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("lo que dijiste de la lavadora", ["lavadora"]),
        ("kadtong giingon nimo bahin sa nukos", ["nukos"]),
        ("yung sinabi mo tungkol sa bubong", ["bubong"]),
        ("what did you say about the roof", ["roof"]),
    ],
)
def test_words_that_hold_a_sentence_together_name_no_topic(query: str, named: list[str]) -> None:
    assert content_words(query) == named
