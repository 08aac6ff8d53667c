"""Summaries, topics and titles without a model, by example and by promise."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.language.condense import (
    EXTRACTIVE,
    TRUNCATION,
    Condenser,
    ExtractiveCondenser,
    TruncatingCondenser,
    should_condense,
    summary_sentences,
    to_fold,
)
from gunita.language.keywords import key_topics
from gunita.language.sentences import sentences
from gunita.language.titles import LONGEST_TITLE, title_of
from gunita.language.tokens import Tokens
from gunita.language.words import words
from gunita.models import Role

TOKENS = Tokens()
CONDENSERS: list[Condenser] = [ExtractiveCondenser(), TruncatingCondenser()]


@dataclass(frozen=True)
class Said:
    role: Role
    content: str


def talk(*texts: str) -> list[Said]:
    """Alternate user and assistant."""
    return [Said(Role.ASSISTANT if place % 2 else Role.USER, text) for place, text in enumerate(texts)]


BAGUIO = talk(
    "hello po! balak naming mag-Baguio this December, 4 kami kasama yung dalawang anak ko",
    "Ang saya niyan! Ilang araw kayo doon? Malamig sa Baguio tuwing Disyembre, kaya magdala ng jacket.",
    "budget namin 15k all in",
    "Sa P15,000, kaya na ang bus (P760 sa Victory Liner). Narito ang tips:\n1. **Mag-book nang maaga**: puno na.",
    "allergic sa hipon yung bunso ko ha, remember mo yan",
    "Noted! Ang Good Taste ay may mga pagkaing walang hipon.",
    "ok sige. I decided na Victory Liner na lang, Dec 12 alis namin ng 6am sa Cubao",
    "Great choice! Would you like me to list what to pack?",
    "lol sige mamaya na",
    "Sige, sabihan mo lang ako!",
)


def test_a_summary_keeps_what_the_user_said_of_himself_and_decided_and_tells_who_spoke() -> None:
    summary = ExtractiveCondenser().condense(None, BAGUIO, 110)
    assert summary.method == EXTRACTIVE
    assert summary.token_count == TOKENS.count(summary.content) <= 110
    for fact in ("mag-Baguio this December", "15k", "allergic sa hipon", "Dec 12 alis namin ng 6am"):
        assert fact in summary.content
    for chatter in ("Ang saya niyan", "Great choice", "lol", "Would you like"):
        assert chatter not in summary.content
    assert summary.content.startswith("User: ")
    assert "Victory Liner" in summary.key_topics


def test_folding_keeps_the_last_summary_and_adds_what_is_new() -> None:
    condenser = ExtractiveCondenser()
    first = condenser.condense(None, BAGUIO[:6], 80)
    second = condenser.condense(first.content, BAGUIO[6:], 120)
    assert "allergic sa hipon" in second.content
    assert "Dec 12 alis namin" in second.content
    assert second.content.index("hipon") < second.content.index("Dec 12")


def test_a_summary_by_a_model_is_folded_too() -> None:
    before = "The user plans a family trip to Baguio with two children. The budget is 15,000 pesos."
    summary = ExtractiveCondenser().condense(before, BAGUIO[6:], 150)
    assert "The budget is 15,000 pesos." in summary.content
    assert not summary.content.startswith("User: The user plans")


def test_what_is_said_again_is_kept_once() -> None:
    again = talk(*["My sister Liza moved to Cebu City in 2021.", "Cebu City has good schools for her children."] * 30)
    summary = ExtractiveCondenser().condense(None, again, 200)
    assert summary.content.count("Liza moved") == 1


def test_without_one_telling_sentence_the_talk_is_truncated() -> None:
    summary = ExtractiveCondenser().condense(None, talk("ok", "sige", "haha"), 50)
    assert summary.method == TRUNCATION
    assert summary.content == "User: ok\nAssistant: sige\nUser: haha"


def test_nothing_said_gives_an_empty_summary() -> None:
    for condenser in CONDENSERS:
        assert condenser.condense(None, [], 100).content == ""


def test_truncation_keeps_the_newest_words_and_the_beginning_of_the_last_summary() -> None:
    summary = TruncatingCondenser().condense("Old facts first.", BAGUIO, 60)
    assert summary.content.startswith("Old facts first.")
    assert summary.content.endswith("Assistant: Sige, sabihan mo lang ako!")


@pytest.mark.parametrize(
    ("tokens", "budget", "messages", "limit", "due"),
    [
        (950, 1_000, 4, None, False),
        (951, 1_000, 4, None, True),
        (10, 1_000, 500, None, False),
        (10, 1_000, 19, 20, False),
        (10, 1_000, 20, 20, True),
    ],
)
def test_a_conversation_is_folded_past_its_share_of_the_budget_or_its_messages(
    tokens: int, budget: int, messages: int, limit: int | None, due: bool
) -> None:
    assert should_condense(tokens, budget, messages, limit) is due


def test_the_newest_messages_are_not_folded_and_an_answer_stays_with_its_question() -> None:
    assert to_fold(BAGUIO, 6) == BAGUIO[:4]
    assert to_fold(BAGUIO, 5) == BAGUIO[:4]
    assert to_fold(BAGUIO, 100) == []
    assert to_fold(BAGUIO, 0) == BAGUIO


roles = st.sampled_from(Role)
texts = st.one_of(
    st.text(max_size=60), st.sampled_from([said.content for said in BAGUIO]), st.sampled_from(["```x", "?", "1."])
)
talks = st.lists(st.builds(Said, roles, texts), max_size=25)


@given(st.none() | texts, talks, st.integers(1, 300), st.sampled_from(CONDENSERS))
def test_a_summary_fits_its_budget_is_the_same_every_time_and_counts_itself(
    before: str | None, messages: list[Said], budget: int, condenser: Condenser
) -> None:
    summary = condenser.condense(before, messages, budget)
    assert summary.token_count == TOKENS.count(summary.content) <= budget
    assert condenser.condense(before, messages, budget) == summary


@given(talks, st.integers(20, 300))
def test_an_extract_says_nothing_that_nobody_said(messages: list[Said], budget: int) -> None:
    summary = ExtractiveCondenser().condense(None, messages, budget)
    if summary.method == EXTRACTIVE:
        for line in summary_sentences(summary.content):
            spoken = " ".join(message.content for message in messages if message.role is line.role)
            assert set(words(line.text)) <= set(words(spoken))


@given(st.text(max_size=400))
def test_sentences_lose_no_word_of_plain_text(text: str) -> None:
    plain = "".join(char if char.isalnum() or char in " .!?,\n" else " " for char in text).replace("`", " ")
    lines = ["w " + " ".join(line.split()) for line in plain.split("\n")]
    assert " ".join(sentences("\n".join(lines))).split() == " ".join(lines).split()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Hi Dr. Cruz! ok lang ba? tapos punta tayo sa SM.",
            ["Hi Dr. Cruz!", "ok lang ba?", "tapos punta tayo sa SM."],
        ),
        ("mga 3.5 km lang yun haha", ["mga 3.5 km lang yun haha"]),
        ("# Steps\n1. **Open** it\n- close it", ["Steps", "Open it", "close it"]),
        ("Look:\n```py\nx = 1. y\n```\nDone", ["Look:", "Done"]),
        ("see [the page](https://example.org/a.b) now", ["see the page now"]),
        ("Brgy. Poblacion ang address ko. J. Rizal St.", ["Brgy. Poblacion ang address ko.", "J. Rizal St."]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["a b", "1 2"]),
        ("", []),
    ],
)
def test_sentences_survive_chat(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_a_run_on_is_parted_and_loses_nothing() -> None:
    run_on = "tapos pumunta kami sa palengke at bumili ng gulay, " * 20
    parts = sentences(run_on)
    assert max(map(len, parts)) <= 280
    assert " ".join(parts).split() == run_on.split()


@pytest.mark.parametrize("run", [" ", "\n", ".", "[", "[a](", "|", "- ", "<", "*", "a", "…”", "A. ", "> "])
def test_no_run_of_characters_makes_reading_slow(run: str) -> None:
    hostile = run * (200_000 // len(run)) + "x"
    assert ExtractiveCondenser().condense(None, talk(hostile), 50).token_count <= 50
    assert len(title_of(hostile)) <= LONGEST_TITLE


def test_topics_are_the_phrases_that_come_back() -> None:
    texts = [
        "Paano mag-apply ng student visa sa Japan?",
        "For a student visa you need a certificate of eligibility.",
        "Magkano ang student visa?",
        "The certificate of eligibility is free, the embassy fee is small.",
    ]
    topics = key_topics(texts)
    assert topics[0] == "student visa"
    assert len(topics) <= 8
    assert len({word for topic in topics for word in topic.lower().split()}) == sum(
        len(topic.split()) for topic in topics
    )


@pytest.mark.parametrize(
    ("query", "response", "title"),
    [
        ("What is the capital of France?", "Paris.", "What is the capital of France"),
        ("Hello po! Paano po mag-renew ng passport sa DFA?", "", "Paano po mag-renew ng passport sa DFA"),
        ("pwede ba akong magtanong tungkol sa SSS loan", "Oo naman.", "SSS loan"),
        ("good morning", "Magandang umaga! Ano ang maitutulong ko?", "Good morning"),
        ("asap need help!!! my iPhone 15 won't turn on...", "", "My iPhone 15 won't turn on"),
        ("iPhone or Samsung?", "", "iPhone or Samsung"),
        ("😂😂😂", "That joke about the carabao is funny.", "That joke about the carabao is funny"),
        ("```python\ndef f(): pass\n```", "That function does nothing yet.", "That function does nothing yet"),
        ("I want to know how to cook adobo", "", "How to cook adobo"),
        (
            "can you please help me write a cover letter for a nursing job in Dubai, I have 5 years experience",
            "",
            "Write a cover letter for a nursing job in Dubai",
        ),
        (
            "magkano po ba ang bayad sa kuryente ngayong buwan kung 250 kWh ang gamit namin?",
            "",
            "Magkano ang bayad sa kuryente ngayong buwan",
        ),
    ],
)
def test_a_title_says_what_the_first_question_is_about(query: str, response: str, title: str) -> None:
    assert title_of(query, response) == title


@given(st.text(min_size=1, max_size=300), st.text(max_size=100))
def test_a_title_is_short_on_one_line_and_without_a_full_stop(query: str, response: str) -> None:
    title = title_of(query, response)
    assert len(title) <= LONGEST_TITLE
    assert title == " ".join(title.split())
    assert not title.endswith((".", "?", "!", ",", ":", ";", "…"))
