"""Words, meaning, speaker, dates and neighbours, each shown to move what it should and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from gunita.language.encoder import Encoder
from gunita.recall import fusion
from gunita.recall.aims import Aim, aim_of, in_their_words
from gunita.recall.fusion import Weights
from gunita.recall.index import Entry, MessageIndex, restored, shortened
from gunita.recall.pieces import pieces_of
from gunita.recall.snippets import snippet
from gunita.recall.terms import pack, query_terms, query_words, speaker_code, terms_of, unpack

TODAY = date(2023, 6, 14)
NONE = Weights(meaning=0, asker=0, answerer=0, called=0, date=0, neighbour=0)


def entry(number: int, text: str, *, is_user: bool = True, days_ago: int = 0, read: bool = False) -> Entry:
    vectors = shortened(Encoder.load().encode(pieces_of(text))) if read else np.empty((0, 0), np.int8)
    said = datetime(2023, 6, 14, 9, tzinfo=UTC) - timedelta(days_ago)
    return Entry(UUID(int=number), UUID(int=0), number, is_user, said, terms_of(text), False, vectors)


def best(index: MessageIndex, query: str, weights: Weights = fusion.WEIGHTS, *, read: bool = False) -> int:
    vector = Encoder.load().encode([query])[0] if read else None
    total = fusion.score(index, fusion.sought(query, vector, TODAY), weights).total
    (first,) = np.flatnonzero(total == total.max())
    return index.entries[int(first)].message_id.int


def test_the_text_with_the_rarer_words_comes_first() -> None:
    index = MessageIndex.of([entry(1, "the garden is green"), entry(2, "a garden with orchids"), entry(3, "my garden")])
    assert best(index, "orchids in the garden", NONE) == 2


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    index = MessageIndex.of([entry(1, "the garden is green"), entry(2, "orchids all over"), entry(3, "our old garden")])
    assert best(index, "orchids in the garden", NONE) == 2


def test_of_two_texts_with_the_word_the_shorter_one_is_about_it() -> None:
    long = "the car, the house, the garden and the river all need some work before winter comes over the mountains"
    index = MessageIndex.of([entry(1, long), entry(2, "the garden needs work")])
    assert best(index, "garden", NONE) == 2


def test_forms_of_a_word_find_each_other() -> None:
    index = MessageIndex.of([entry(1, "We painted the kitchen"), entry(2, "We bought a kitchen table")])
    assert best(index, "painting", NONE) == 1


@pytest.mark.parametrize("query", ["Kailan ako nagbayad?", "binayaran ko na ba", "magbayad", "niluto ko"])
def test_forms_of_a_tagalog_word_find_each_other(query: str) -> None:
    index = MessageIndex.of(
        [entry(1, "Tungkol sa bayad ng kuryente at sa luto ni Nanay"), entry(2, "Pupunta ako sa palengke bukas")]
    )
    assert best(index, query, NONE) == 1


def test_one_shared_word_among_many_unknown_ones_says_little() -> None:
    index = MessageIndex.of([entry(1, "Ang email ko ay hindi gumagana"), entry(2, "Bukas ang kasal ni Ana")])
    alone = fusion.words_score(index, query_words("email")).max()
    among = fusion.words_score(index, query_words("forward yesterday's email from the plumber")).max()
    assert alone > 0.9
    assert among < alone / 2


def test_a_word_found_by_one_of_its_forms_is_not_missed_for_the_other() -> None:
    index = MessageIndex.of([entry(1, "Tungkol sa bayad ng kuryente"), entry(2, "Pupunta ako sa palengke")])
    assert len(query_words("binayaran ko ba")[0]) == 2
    assert fusion.words_score(index, query_words("binayaran ko ba")).max() > 0.9


def test_meaning_finds_what_shares_no_word_across_languages() -> None:
    index = MessageIndex.of(
        [
            entry(1, "The cat sleeps on the roof.", read=True),
            entry(2, "My daughter is getting married in October.", read=True),
            entry(3, "Nasira ang kotse ko sa EDSA.", read=True),
        ]
    )
    assert best(index, "kailan ikakasal ang anak ko", read=True) == 2
    assert best(index, "my car broke down", read=True) == 3


def test_a_question_about_oneself_favours_ones_own_words() -> None:
    index = MessageIndex.of([entry(1, "A guitar costs a lot", is_user=False), entry(2, "A guitar costs a lot")])
    assert best(index, "How much did my guitar cost?") == 2
    assert best(index, "What did you tell me a guitar costs?") == 1


def by(name: str, number: int, text: str) -> Entry:
    spoken = replace(entry(number, text), is_named=True, speaker=speaker_code(name))
    return replace(spoken, terms=terms_of(text, name))


def test_a_question_about_somebody_favours_what_they_said_themselves() -> None:
    index = MessageIndex.of(
        [
            by("Melanie", 1, "Thanks, Caroline! The painting class sounds fun."),
            by("Caroline", 2, "I joined a painting class."),
        ]
    )
    assert best(index, "Which class did Caroline join?") == 2
    assert best(index, "What does Melanie think of the painting class?") == 1
    chatty = by("Melanie", 1, "What did you paint, Caroline? Caroline?")
    assert best(MessageIndex.of([chatty, by("Caroline", 2, "I paint lakes")]), "What did Caroline paint?") == 2
    scored = fusion.called_score(index, query_terms("What do Caroline and Melanie paint?"))
    assert scored.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What job did Caroline leave?", "What job did I leave?"),
        ("How is Melanie's mother?", "How is my mother?"),
        ("Saan nakatira si Caroline?", "Saan nakatira ako?"),
        ("Ano ang aso ni Caroline?", "Ano ang aso ko?"),
        ("What do Caroline and Melanie paint?", "What do Caroline and Melanie paint?"),
        ("What does Carol paint?", "What does Carol paint?"),
    ],
)
def test_a_question_about_one_of_them_is_put_as_they_would_say_it(question: str, said: str) -> None:
    assert in_their_words(question, frozenset(map(speaker_code, ("Caroline", "Melanie")))) == said
    assert in_their_words(question, frozenset()) == question


@pytest.mark.parametrize(
    ("question", "aim"),
    [
        ("What did I buy?", Aim.ASKER),
        ("Saan ako nag-apply?", Aim.ASKER),
        ("What was the hotel you recommended?", Aim.ANSWERER),
        ("Ano nga yung sinabi mong hotel?", Aim.ANSWERER),
        ("Can you remind me of the title?", Aim.ANSWERER),
        ("Who wrote El Filibusterismo?", Aim.ANYBODY),
    ],
)
def test_a_question_says_whose_words_it_is_after(question: str, aim: Aim) -> None:
    assert aim_of(question) is aim


def test_a_named_time_favours_what_was_said_then() -> None:
    index = MessageIndex.of([entry(1, "I bought a lamp", days_ago=60), entry(2, "I bought a lamp", days_ago=1)])
    assert best(index, "What lamp did I buy yesterday?") == 2
    assert best(index, "What lamp did I buy two months ago?") == 1


def test_a_message_borrows_from_its_own_conversation_alone_and_a_long_one_hardly_anything() -> None:
    beside = [entry(1, "Which beach in Siargao is best?"), entry(2, "Alegria!"), entry(3, "It rains. " * 40)]
    elsewhere = replace(entry(2, "Alegria!"), message_id=UUID(int=4), conversation_id=UUID(int=9))
    wanted = fusion.sought("beach in Siargao", None, TODAY)
    _, short, _, stranger = fusion.score(MessageIndex.of([*beside, elsewhere]), wanted).total
    assert short > 0
    assert stranger == 0
    moved = [beside[0], replace(beside[2], turn_number=2)]
    assert fusion.score(MessageIndex.of(moved), wanted).total[1] < short / 5


def test_among_named_people_a_longer_message_leans_on_what_it_answers() -> None:
    answer = "Yes, every summer from twelve to sixteen, with a ladder and three pots of red and gold, my uncle and me"
    question, told = entry(1, "Can you paint shop signs?"), entry(2, answer)
    wanted = fusion.sought("paint signs", None, TODAY)
    plain = fusion.score(MessageIndex.of([question, told]), wanted).total[1]
    named = fusion.score(MessageIndex.of([replace(one, is_named=True) for one in (question, told)]), wanted).total[1]
    assert named > 1.2 * plain > 0


def test_the_best_piece_of_a_text_stands_for_its_meaning() -> None:
    aside = entry(
        1, "Write a packing list for the mountains. " * 8 + "My daughter gets married in October. " * 8, read=True
    )
    assert len(aside.vectors) > 2
    index = MessageIndex.of([aside, entry(2, "Nasira ang kotse ko sa EDSA.", read=True)])
    vector = Encoder.load().encode(["kailan ikakasal ang anak ko"])[0]
    pieces = restored(aside.vectors) @ vector
    assert fusion.meaning_score(index, vector)[0] == pytest.approx(pieces.max(), abs=1e-5)
    assert pieces.max() > pieces[0] + 0.1


def test_a_short_message_is_found_by_what_stands_beside_it() -> None:
    index = MessageIndex.of([entry(1, "Which beach in Siargao is best?"), entry(2, "Alegria!"), entry(9, "Ok!")])
    scored = fusion.score(index, fusion.sought("beach in Siargao", None, TODAY))
    assert scored.total[1] > scored.total[2]


def test_adding_entries_is_the_same_as_making_the_index_of_all() -> None:
    topics = ["rent", "rice", "rain", "rent", "ride", "ring", "road"]
    texts = [f"message {n} about {word}" for n, word in enumerate(topics * 4)]
    entries = [entry(n + 1, text) for n, text in enumerate(texts)]
    grown = MessageIndex.of(entries[:5])
    for one in entries[5:]:
        grown = grown.with_more([one])
    wanted = fusion.sought("rent and rain", None, TODAY)
    whole = fusion.score(MessageIndex.of(entries), wanted)
    np.testing.assert_allclose(fusion.score(grown, wanted).total, whole.total, rtol=1e-5)


def test_an_empty_index_scores_nothing() -> None:
    assert len(fusion.score(MessageIndex.of([]), fusion.sought("anything", None, TODAY)).total) == 0


def test_terms_survive_the_database() -> None:
    terms = terms_of("Si Ana ay nagluto ng adobo, adobo ulit", "Ana")
    again, is_named, speaker = unpack(pack(terms, is_named=True, speaker=speaker_code("Ñora")))
    assert (is_named, speaker) == (True, speaker_code("nora"))
    assert again.length == terms.length
    assert dict(zip(again.hashes, again.counts, strict=True)) == dict(zip(terms.hashes, terms.counts, strict=True))


def test_a_stored_vector_is_nearly_what_it_was() -> None:
    vectors = Encoder.load().encode(["rent is due on Friday", "bayaran ang upa sa Biyernes"])
    again = restored(shortened(vectors))
    assert float(np.abs(again @ vectors.T - vectors @ vectors.T).max()) < 0.02


def test_a_snippet_shows_the_match_and_marks_it() -> None:
    text = "Nothing here. " * 60 + "We signed the lease in Makati on Friday. " + "More of nothing. " * 60
    shown = snippet(text, query_terms("makati lease"))
    assert "⟦lease⟧ in ⟦Makati⟧" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 300


@pytest.mark.parametrize("text", ["x", "short text", "no match " * 100, "⟦odd⟧ " * 50])
def test_a_snippet_without_a_match_is_the_beginning(text: str) -> None:
    assert snippet(text, []).startswith(text[:5].strip())
