"""When to ask, what the question says, and what replies come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from gunita.errors import NotFoundError
from gunita.language.clarification import (
    ClarificationEngine,
    GaveUp,
    LoadedOnUse,
    Narrowed,
    NotAnAnswer,
    Settled,
)
from gunita.language.clarification_questions import WORDINGS, english_ordinal, excerpt
from gunita.models import Language, ReferenceResolution
from tests.unit.replies import ENGLISH_TURNS, TAGLISH_TURNS, ReplyCase, matching, read_cases, turns_of

ENGLISH = turns_of(ENGLISH_TURNS)
TAGLISH = turns_of(TAGLISH_TURNS)
CASES = read_cases()
NOTHING = ReferenceResolution([], None, False, 0.0)
engine = ClarificationEngine()


def resolution(*scores: float, several: bool = False, followup: bool = False, ambiguous: bool = False):
    matched = [(ENGLISH[place], score) for place, score in enumerate(scores)]
    best = matched[0][0] if matched else None
    return ReferenceResolution(matched, best, ambiguous, max(scores, default=0.0), several, followup)


# When to ask


@pytest.mark.parametrize(
    ("found", "asks"),
    [
        (resolution(0.9), False),
        (resolution(0.7), False),
        (resolution(0.69), True),
        (resolution(), True),
        (resolution(0.9, 0.85), True),
        (resolution(0.9, 0.61), False),
        (resolution(0.9, 0.6), False),
        (resolution(0.75, 0.61), False),
        (resolution(0.72, 0.65), True),
        (resolution(0.9, 0.9, several=True), False),
        (resolution(0.5, 0.5, several=True), True),
        (resolution(0.4, followup=True), False),
        (resolution(followup=True), False),
        (resolution(0.9, ambiguous=True), True),
        (resolution(float("nan")), True),
    ],
)
def test_it_asks_when_the_best_is_weak_or_has_a_rival(found: ReferenceResolution, asks: bool) -> None:
    assert engine.needs_clarification("that one", found) is asks


def test_thresholds_are_settings() -> None:
    strict = ClarificationEngine(sure_from=0.95)
    lenient = ClarificationEngine(sure_from=0.3, rival_from=0.95)
    assert strict.needs_clarification("that", resolution(0.9))
    assert not lenient.needs_clarification("that", resolution(0.4, 0.39))


def test_matches_need_not_come_in_order() -> None:
    assert not engine.needs_clarification("that", resolution(0.2, 0.9))


# What the question says


def test_the_question_names_every_choice_by_content_and_place() -> None:
    asked = engine.ask("what was that?", matching(ENGLISH, 3, 1), ENGLISH)
    assert asked.question.splitlines() == [
        "Which of these do you mean?",
        "1. “How do I cook chicken adobo?” (your 1st question)",
        "2. “How do I renew my passport?” (your 3rd question)",
    ]
    assert engine.generate_clarification_question("what was that?", matching(ENGLISH, 3, 1), ENGLISH) == asked.question


@pytest.mark.parametrize(
    ("query", "language", "polite", "says"),
    [
        ("which one was it", Language.ENGLISH, False, "Do you mean"),
        ("alin nga ba iyon kanina", Language.TAGALOG, False, "Ito ba ang tinutukoy mo"),
        ("alin nga po ba iyon kanina?", Language.TAGALOG, True, "Ito po ba ang tinutukoy ninyo"),
        ("yung sinabi mo about sa payment", Language.MIXED, False, "Ito ba 'yung tinutukoy mo"),
        ("yung previous answer po, please", Language.MIXED, True, "Ito po ba 'yung tinutukoy n'yo"),
        ("unsa to imong giingon ganiha", Language.CEBUANO, False, "Kini ba ang imong gipasabot"),
        ("¿qué dijiste antes sobre eso?", Language.SPANISH, False, "¿Te refieres a"),
    ],
)
def test_it_asks_in_the_language_and_register_of_the_user(
    query: str, language: Language, polite: bool, says: str
) -> None:
    asked = engine.ask(query, matching(ENGLISH, 2), ENGLISH)
    assert (asked.language, asked.polite) == (language, polite)
    assert asked.question.startswith(says)
    assert "“What's a good laptop under 40k?”" in asked.question


def test_a_query_without_words_is_answered_in_the_language_spoken_before() -> None:
    pure = turns_of([("Paano magluto ng sinigang?", "Pakuluan ang baboy."), ("Magkano ang bigas?", "Limampung piso.")])
    assert engine.ask("???", matching(pure, 1, 2), pure).language is Language.TAGALOG
    assert engine.ask("???", matching(pure, 1, 2), pure[:0]).language is Language.TAGALOG


def test_many_candidates_are_asked_for_broadly_and_shown_in_part() -> None:
    history = turns_of([(f"Question about subject {n}?", f"Answer {n}.") for n in range(1, 11)])
    asked = engine.ask("that thing", matching(history, *range(1, 11)), history)
    assert len(asked.choices) == 5
    assert len(asked.candidates) == 10
    assert "any of 10 things" in asked.question.splitlines()[0]


def test_a_reference_to_nothing_says_so_and_offers_the_latest() -> None:
    asked = engine.ask("the seventh one", NOTHING, ENGLISH)
    assert "6 questions I remember" in asked.question
    assert [turn.turn_number for turn in asked.shown] == [4, 5, 6]


def test_the_count_holds_when_only_the_ends_of_a_long_conversation_were_read() -> None:
    history = turns_of([(f"Question {n}?", f"Answer {n}.") for n in range(1, 61)])
    assert "60 questions I remember" in engine.ask("the ninetieth", NOTHING, [history[0], *history[40:]]).question
    assert "20 questions I remember" in engine.ask("the ninetieth", NOTHING, history[40:]).question


def test_a_reference_to_nothing_offers_what_is_nearest_first() -> None:
    asked = engine.ask("go back to the passport", NOTHING, ENGLISH)
    assert [turn.turn_number for turn in asked.shown] == [3, 5, 6]


def test_with_one_turn_it_says_that_there_is_one() -> None:
    asked = engine.ask("yung ikalima", NOTHING, TAGLISH[:1])
    assert asked.question.startswith("Isang tanong mo pa lang ang naaalala ko. Ito ba ang tinutukoy mo")


@pytest.mark.parametrize("query", ["the first one", "yung una", "yung first question", "la primera", "ang una"])
def test_with_no_history_it_says_that_there_is_nothing_yet(query: str) -> None:
    asked = engine.ask(query, NOTHING, [])
    assert asked.choices == ()
    assert asked.question in {wording.nothing_yet for wording in WORDINGS.values()}
    assert engine.settle(asked, "the second one") == NotAnAnswer()


def test_an_excerpt_is_cut_at_a_word_and_breaks_no_markdown() -> None:
    long = (
        "Could you *please* explain\n\n# how `git rebase` differs from [git merge](http://x) when <b>working</b> alone?"
    )
    cut = excerpt(long)
    assert len(cut) <= 61
    assert cut.endswith("…")
    assert not set(cut) & set("*`[]<>\n\\")
    assert long.split()[-1] not in cut
    assert excerpt("keep user_id and C# as they are") == "keep user_id and C# as they are"
    assert excerpt("你" * 200) == "你" * 60 + "…"
    assert excerpt("__bold__ and _soft_ ~~gone~~") == "bold and soft gone"


def test_a_turn_without_a_readable_question_is_named_by_its_answer() -> None:
    broken = [replace(ENGLISH[0], query_text=" \n"), replace(ENGLISH[1], query_text="", response_text="\x00")]
    asked = engine.ask("that", matching(broken, 1, 2), broken)
    assert [choice.label for choice in asked.choices] == [
        "Simmer the chicken in soy sauce, vinegar, garlic and bay…",
        "…",
    ]


def test_english_ordinals() -> None:
    assert [english_ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


# What replies come to


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: f"{case.scenario}: {case.reply}")
def test_a_reply_comes_to_what_it_says(case: ReplyCase) -> None:
    assert case.holds(engine)


@pytest.mark.parametrize(
    ("cases", "share"),
    [
        (CASES[1::2], 0.95),
        (read_cases("replies_second.tsv"), 0.95),
        (read_cases("replies_third.tsv"), 0.95),
        (read_cases("replies_unseen.tsv"), 0.9),
    ],
    ids=["held-out half", "mended after one reading", "mended after another", "never looked into"],
)
def test_other_replies_are_read_as_well(cases: list[ReplyCase], share: float) -> None:
    assert sum(case.holds(engine) for case in cases) / len(cases) >= share


@pytest.mark.parametrize("reply", ["", "   ", "🤷", "…", "\x00", "x" * 100_000, "ano " * 30_000, "你好吗"])
def test_odd_replies_never_raise(reply: str) -> None:
    asked = engine.ask("that", matching(ENGLISH, 1, 3), ENGLISH)
    assert isinstance(engine.settle(asked, reply), Narrowed | NotAnAnswer)


def test_every_choice_is_settled_by_its_number_its_label_and_a_tap() -> None:
    asked = engine.ask("that", matching(ENGLISH, 6, 2, 4, 1), ENGLISH)
    for index, choice in enumerate(asked.choices, start=1):
        assert engine.settle(asked, str(index)) == Settled((choice.turn,))
        assert engine.settle(asked, choice.label) == Settled((choice.turn,))
        assert engine.settle(asked, f"{choice.label} ({choice.place})") == Settled((choice.turn,))
        assert engine.choose(asked, choice.turn.turn_number) == Settled((choice.turn,))
    with pytest.raises(NotFoundError):
        engine.choose(asked, 99)


def test_a_topic_that_fits_two_turns_narrows_to_them() -> None:
    history = turns_of(
        [
            ("How do I renew my passport?", "At the DFA."),
            ("How much is a passport for a child?", "The same fee."),
            ("Best beach in Palawan?", "Nacpan."),
        ]
    )
    asked = engine.ask("that", matching(history, 1, 2, 3), history)
    outcome = engine.settle(asked, "the passport one")
    assert isinstance(outcome, Narrowed)
    assert [turn.turn_number for turn in outcome.clarification.shown] == [1, 2]
    assert engine.settle(outcome.clarification, "for the child") == Settled((history[1],))


def test_none_of_them_brings_the_turns_that_were_not_shown() -> None:
    asked = engine.ask("that", matching(ENGLISH, 1, 2), ENGLISH)
    outcome = engine.settle(asked, "none of these")
    assert isinstance(outcome, Narrowed)
    assert [turn.turn_number for turn in outcome.clarification.shown] == [3, 4, 5, 6]
    assert outcome.clarification.round == 2


def test_none_of_them_gives_up_when_there_is_nothing_else() -> None:
    asked = engine.ask("yung kanina", matching(TAGLISH[:2], 1, 2), TAGLISH[:2])
    assert engine.settle(asked, "wala diyan") == GaveUp(WORDINGS[asked.language, False].going_on)


def test_after_three_rounds_it_goes_on_and_says_so() -> None:
    asked = engine.ask("what was that", matching(ENGLISH, 1, 2, 3, 4, 5, 6), ENGLISH)
    sizes = []
    outcome: object = Narrowed(asked)
    while isinstance(outcome, Narrowed):
        sizes.append(len(outcome.clarification.choices))
        outcome = engine.settle(outcome.clarification, "hmm")
    assert sizes == [5, 4, 3]
    assert outcome == GaveUp("I couldn't tell which earlier question you meant, so I'll go on without it.")


def test_yes_to_several_choices_asks_about_the_likeliest() -> None:
    asked = engine.ask("that", matching(ENGLISH, 5, 2), ENGLISH)
    outcome = engine.settle(asked, "yes")
    assert isinstance(outcome, Narrowed)
    assert outcome.clarification.shown == (ENGLISH[4],)
    assert engine.settle(outcome.clarification, "yes") == Settled((ENGLISH[4],))


def test_a_place_and_a_topic_that_agree_settle_together() -> None:
    asked = engine.ask("that", matching(ENGLISH, 1, 3), ENGLISH)
    assert engine.settle(asked, "the second one, the passport") == Settled((ENGLISH[2],))


def test_a_number_inside_a_title_picks_the_title() -> None:
    history = turns_of([("Itinerary for 2 days in Cebu?", "Day one."), ("What is first aid for burns?", "Cool it.")])
    asked = engine.ask("that", matching(history, 1, 2), history)
    assert engine.settle(asked, "the 2 days one") == Settled((history[0],))
    assert engine.settle(asked, "first aid") == Settled((history[1],))


class _Subjects:
    """A tiny encoder of meaning: two subjects, known by a few words of either language."""

    SUBJECTS = (("food", "pagkain", "adobo", "ulam"), ("travel", "biyahe", "passport", "lakad"))

    def encode(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        rows = [[sum(word in text.lower() for word in words) for words in self.SUBJECTS] for text in texts]
        found = np.array(rows, dtype=np.float32)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def test_with_an_encoder_a_reply_is_understood_by_meaning() -> None:
    knowing = ClarificationEngine(_Subjects())
    asked = knowing.ask("that", matching(ENGLISH, 1, 3), ENGLISH)
    assert knowing.settle(asked, "yung sa pagkain") == Settled((ENGLISH[0],))
    assert knowing.settle(asked, "biyahe") == Settled((ENGLISH[2],))
    assert isinstance(engine.settle(asked, "yung sa pagkain"), Narrowed)


def test_the_encoder_is_loaded_only_when_words_do_not_settle_it() -> None:
    loads: list[int] = []

    def load() -> _Subjects:
        loads.append(1)
        return _Subjects()

    lazy = ClarificationEngine(LoadedOnUse(load))
    asked = lazy.ask("that", matching(ENGLISH, 1, 3), ENGLISH)
    for reply in (
        "the second",
        "adobo",
        "yes",
        "what's the weather in Manila tomorrow?",
        "how far is the moon from here",
    ):
        lazy.settle(asked, reply)
    assert loads == []
    for _ in range(2):
        assert lazy.settle(asked, "yung sa pagkain") == Settled((ENGLISH[0],))
    assert loads == [1]


def test_a_sentence_of_its_own_is_never_settled_by_meaning() -> None:
    knowing = ClarificationEngine(_Subjects())
    asked = knowing.ask("that", matching(ENGLISH, 1, 3), ENGLISH)
    assert knowing.settle(asked, "which food is good for a long travel day with kids") == NotAnAnswer()
    assert knowing.settle(asked, "anong pagkain ang bawal sa may diabetes") == NotAnAnswer()


# The simple surface


def test_the_simple_surface_gives_the_turn_that_the_reply_means() -> None:
    found = matching(ENGLISH, 1, 3)
    assert engine.resolve_with_clarification("that one", "yung pangalawa", found) == ENGLISH[2]
    assert engine.resolve_with_clarification("that one", "adobo", found) == ENGLISH[0]


@pytest.mark.parametrize("reply", ["", "what's the weather in Manila?", "none of them", "i don't know"])
def test_the_simple_surface_falls_back_to_the_likeliest(reply: str) -> None:
    assert engine.resolve_with_clarification("that one", reply, matching(ENGLISH, 3, 1)) == ENGLISH[2]


def test_the_simple_surface_refuses_to_choose_from_nothing() -> None:
    with pytest.raises(NotFoundError):
        engine.resolve_with_clarification("that one", "the first", NOTHING)


def test_every_wording_has_its_blanks() -> None:
    for wording in WORDINGS.values():
        assert "{choice}" in wording.this_one
        assert "{count}" in wording.which_of_many
        assert "{count}" in wording.not_found
        assert "{number}" in wording.place or "{ordinal}" in wording.place


def test_turns_that_did_not_match_stay_within_reach_behind_the_others() -> None:
    asked = engine.ask("that", matching(ENGLISH, 2), ENGLISH)
    assert asked.shown == (ENGLISH[1],)
    assert [turn.turn_number for turn in asked.turns] == [2, 6, 5, 4, 3, 1]
