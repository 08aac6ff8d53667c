"""What is learnt from messages without a model, and what is rightly left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.language.clauses import clauses, own_words
from gunita.language.extraction import LONGEST_CONTENT, Learnt, extract
from gunita.language.extraction_changes import is_change
from gunita.models import MemoryType


def learnt(text: str) -> list[Learnt]:
    return [one for one in extract(text) if not one.denies]


@pytest.mark.parametrize(
    ("text", "memory_type"),
    [
        ("I live in Davao.", MemoryType.FACT),
        ("Nakatira ako sa Tacloban.", MemoryType.FACT),
        ("Software tester ako sa Ortigas.", MemoryType.FACT),
        ("Ayoko ng maanghang.", MemoryType.PREFERENCE),
        ("I prefer short answers.", MemoryType.PREFERENCE),
        ("My daughter's name is Mutya.", MemoryType.ENTITY),
        ("Ang aso namin ay si Bruno.", MemoryType.ENTITY),
        ("I'm building an app for tricycle drivers.", MemoryType.PROJECT),
        ("Nagsusulat ako ng nobela tungkol sa digmaan.", MemoryType.PROJECT),
        ("We decided to sell the car.", MemoryType.DECISION),
        ("Napagdesisyunan naming lumipat ng bahay.", MemoryType.DECISION),
    ],
)
def test_a_lasting_statement_is_learnt_with_its_type_in_the_users_words(text: str, memory_type: MemoryType) -> None:
    (found,) = learnt(text)
    assert found.memory_type is memory_type
    assert found.content == text.rstrip(".")
    assert 0.5 < found.confidence <= 1.0
    assert found.category


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Davao?",
        "Paano magluto ng adobo?",
        "If I were a doctor I would rest more.",
        "Sana nakatira ako sa Japan.",
        'Translate "I live in Davao" into Tagalog.',
        "> I live in Davao",
        "<memory>I live in Davao</memory>",
        "```\nI live in Davao\n```",
        "My neighbor lives in Davao.",
        "Nurse ang kapitbahay namin.",
        "I'm so hungry right now.",
        "Nasa jeep ako ngayon.",
        "Give me a list of hotels.",
        "Baka lumipat ako sa Cebu, di pa sure.",
        "Thanks!",
        "",
        "   ",
        "?!…",
    ],
)
def test_nothing_is_learnt_from_what_says_nothing_lasting_about_the_user(text: str) -> None:
    assert learnt(text) == []


def test_a_denial_teaches_nothing_and_comes_marked() -> None:
    (found,) = extract("Hindi ako nurse.")
    assert found.denies
    (found,) = extract("I'm not from Cebu.")
    assert found.denies


def test_each_clause_of_a_sentence_is_learnt_for_itself() -> None:
    found = learnt("I grew up in Samar but I work in Taguig now. Can you suggest a gym?")
    assert [one.content for one in found] == ["I grew up in Samar", "I work in Taguig now"]


def test_a_reason_stays_with_what_it_explains_and_openers_go() -> None:
    assert [clause.text for clause in clauses("By the way, I have asthma, so avoid dusty trails!")] == [
        "I have asthma",
        "avoid dusty trails",
    ]


def test_quotations_are_not_the_users_own_words() -> None:
    assert "Davao" not in own_words('He said "I live in Davao" and “I love Davao”.\n> Davao')


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Lumipat na ako sa Davao", True),
        ("Actually I'm vegetarian now", True),
        ("I no longer smoke", True),
        ("Kasal na ako", True),
        ("I live in Davao", False),
        ("Mahilig ako sa kape", False),
    ],
)
def test_a_change_shows_in_its_words(text: str, changed: bool) -> None:
    assert is_change(text) is changed


@given(st.text(max_size=300))
def test_any_text_can_be_read_and_what_is_learnt_was_said(text: str) -> None:
    said = " ".join(own_words(text).split())
    for found in extract(text):
        assert 0 < len(found.content) <= LONGEST_CONTENT
        assert set("".join(found.content.split())) <= set("".join(said.split())) | {","}


def test_a_long_paste_is_read_in_bounded_time() -> None:
    assert len(clauses("I like tea. " * 50_000)) <= 200
