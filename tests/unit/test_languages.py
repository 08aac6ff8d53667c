"""Which language a text is in: real chat lines, single words, other scripts, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gunita.language.languages import commonness, language_of, words_by_language
from gunita.models import Language
from training import languages as training

LINES = [
    (Language(code), text)
    for code, text in (
        line.split("\t")
        for line in (Path(__file__).parent / "data" / "languages.tsv").read_text(encoding="utf-8").splitlines()
    )
]


@pytest.mark.parametrize("half", [0, 1], ids=["looked at while tuning", "held out"])
def test_nine_of_ten_chat_lines_get_their_language(half: int) -> None:
    lines = LINES[half::2]
    right = sum(language_of(text) is language for language, text in lines)
    assert right / len(lines) >= 0.9


@pytest.mark.parametrize("language", list(Language))
def test_no_language_is_left_behind(language: Language) -> None:
    lines = [text for code, text in LINES if code is language]
    right = sum(language_of(text) is language for text in lines)
    assert right / len(lines) >= 0.8


def test_each_word_of_a_switched_sentence_has_its_own_language() -> None:
    read = words_by_language("paano ba mag-apply for a tourist visa")
    by_word = {word.text: word.language for word in read}
    assert by_word["paano"] is Language.TAGALOG
    assert by_word["tourist"] is Language.ENGLISH
    assert [word.text for word in read] == ["paano", "ba", "mag", "apply", "for", "a", "tourist", "visa"]


def test_a_word_keeps_its_place_in_the_text() -> None:
    text = "  Ano'ng oras na, 8am ba?"
    assert all(text[word.start : word.end] == word.text for word in words_by_language(text))


def test_confidence_is_a_probability() -> None:
    assert all(0.0 <= word.confidence <= 1.0 for word in words_by_language("so ano na yung next step 你好 bes"))


@pytest.mark.parametrize("text", ["", "   ", "12345", "😂😂", "???", "你好", "Привет", "مرحبا"])
def test_what_cannot_be_read_is_other(text: str) -> None:
    assert language_of(text) is Language.OTHER


def test_a_foreign_word_in_a_latin_text_is_other_by_itself() -> None:
    assert words_by_language("hello 你好")[1].language is Language.OTHER


@pytest.mark.parametrize("text", ["a" * 100_000, "ano " * 50_000, "\x00\ud800", "é", "_" * 1000, "'" * 500])
def test_odd_text_never_raises(text: str) -> None:
    assert language_of(text) in Language
    assert len(words_by_language(text)) <= 200


def test_chat_spelling_and_drawn_out_letters_keep_the_language() -> None:
    assert language_of("bkt gnun sya mgsalita") is Language.TAGALOG
    assert language_of("oooooo nga eh") is Language.TAGALOG
    assert language_of("pleeeease answer me") is Language.ENGLISH


def test_common_words_are_more_common_than_rare_ones() -> None:
    assert commonness("the") > commonness("weather") > commonness("zyzzyva") == 0.0
    assert commonness("Ang") == commonness("ang") > commonness("pagkain") > 0.0


def test_training_on_a_few_sentences_makes_a_model_that_tells_them_apart(tmp_path: Path) -> None:
    sentences = training.read_seeds(training.HERE / "languages_seeds.tsv")
    counts = training.count_words(sentences)
    words, targets, importance = training.shares(counts)
    weights, bias = training.train(words, targets, importance, epochs=12)
    training.save(tmp_path / "small.npz", sentences, weights, bias)
    scores = {word: weights[training.grams(word)].sum(axis=0) + bias for word in ("unsa", "primera", "kanina", "which")}
    best = {word: training.CLASSES[int(np.argmax(row))] for word, row in scores.items()}
    assert best == {
        "unsa": Language.CEBUANO,
        "primera": Language.SPANISH,
        "kanina": Language.TAGALOG,
        "which": Language.ENGLISH,
    }
    assert (tmp_path / "small.npz").stat().st_size < 400_000
