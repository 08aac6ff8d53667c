"""How the lines of the lexicon are packed, and that the shipped file is made of them."""

from __future__ import annotations

import numpy as np

from gunita.language.lexicon import shipped_lexicon
from training.lexicon import LINES, packed

SMALL = ["squid, pusit, nukos", "salary, sahod, sweldo", "fish, isda, squid"]


def test_words_of_a_line_name_one_thing_and_a_word_of_two_lines_two() -> None:
    lexicon = packed(SMALL)
    assert lexicon.named_by("pusit") == lexicon.named_by("nukos") == {0}
    assert lexicon.named_by("squid") == {0, 2}
    assert not lexicon.named_by("sahod") & lexicon.named_by("isda")


def test_a_form_of_a_word_is_known_by_its_stem_and_its_own_line_goes_first() -> None:
    lexicon = packed([*SMALL, "sahoding, odd"])
    assert lexicon.named_by("sasahod") == {1}
    assert lexicon.named_by("sahoding") == {3}


def test_the_shipped_file_is_packed_from_the_lines() -> None:
    made, shipped = packed(LINES.read_text(encoding="utf-8").splitlines()), shipped_lexicon()
    np.testing.assert_array_equal(made.words, shipped.words)
    np.testing.assert_array_equal(made.starts, shipped.starts)
    np.testing.assert_array_equal(made.things, shipped.things)


def test_every_line_names_a_thing_by_two_words_or_more_in_folded_spelling() -> None:
    for line in LINES.read_text(encoding="utf-8").splitlines():
        words = line.split(", ")
        assert len(words) > 1
        assert all(word == word.lower() and word.isalnum() for word in words), line
