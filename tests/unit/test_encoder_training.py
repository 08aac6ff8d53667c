"""What the training recipe promises: noise keeps meaning's place, alignment finds words, verbs are formed rightly."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.encoder.composed import compose, conjugate
from training.encoder.corpus import Pair, join_neighbours, read_corpus
from training.encoder.lexicon import align
from training.encoder.views import Item, make_views
from training.encoder.vocabulary import grow_vocabulary, make_tokenizer
from training.spelling import chat_spelling, typos

SEEDS = st.integers(0, 2**32)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=80), seed=SEEDS, strength=st.floats(0, 1))
def test_noise_never_fails_and_repeats_with_its_seed(text: str, seed: int, strength: float) -> None:
    for noise in (chat_spelling, typos):
        assert noise(text, random.Random(seed), strength) == noise(text, random.Random(seed), strength)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=80), seed=SEEDS)
def test_noise_of_no_strength_changes_nothing(text: str, seed: int) -> None:
    assert chat_spelling(text, random.Random(seed), 0) == text
    assert typos(text, random.Random(seed), 0) == text


@pytest.mark.parametrize(
    ("root", "affix", "forms"),
    [
        ("kain", "um", ("kumain", "kumakain", "kakain", "kumain")),
        ("inom", "um", ("uminom", "umiinom", "iinom", "uminom")),
        ("aral", "mag", ("nag-aral", "nag-aaral", "mag-aaral", "mag-aral")),
        ("luto", "mag", ("nagluto", "nagluluto", "magluluto", "magluto")),
        ("tulog", "ma", ("natulog", "natutulog", "matutulog", "matulog")),
    ],
)
def test_verbs_take_their_aspects(root: str, affix: str, forms: tuple[str, str, str, str]) -> None:
    assert conjugate(root, affix) == forms


def test_composed_sentences_are_distinct_and_finished() -> None:
    pairs = list(compose(300, random.Random(1)))
    assert len({pair.other for pair in pairs}) == 300
    assert all(pair.english[-1] in ".?" and pair.other[0].isupper() for pair in pairs)


def test_alignment_finds_translations_and_their_places() -> None:
    pairs = [("the red house", "ang pulang bahay"), ("the house", "ang bahay"), ("the red car", "ang pulang kotse"),
             ("a car", "isang kotse"), ("a house", "isang bahay"), ("a red car", "isang pulang kotse")]  # fmt: skip
    found = align(pairs, rounds=15)
    assert found.to_english["bahay"][0][0] == "house"
    assert found.to_other["car"][0][0] == "kotse"
    assert (2, 2) in found.links[0]


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS)
def test_views_keep_the_sentence_speaking(seed: int) -> None:
    item = Item("alt", "The red house is big.", "Malaki ang pulang bahay.", ((1, 2), (2, 3), (4, 0)))
    views = make_views(item, {"house": [("bahay", 0.9)]}, random.Random(seed))
    assert all(text.strip() for text in (views.english, views.other, views.mixed))


def test_new_pieces_follow_the_old_ones_and_tokenise_whole(tmp_path: Path) -> None:
    base = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "b", "##b"]
    grown = grow_vocabulary(base, ["baba baba baba", "abab"], most=500)
    assert grown[:9] == [piece for piece in base if piece != "[unused0]"]
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(_tokenizer_shape()))
    assert make_tokenizer(grown, path).encode("Baba").tokens == ["[CLS]", "baba", "[SEP]"]
    parts = make_tokenizer(grown, path, frozenset({"baba"})).encode("baba").tokens
    assert parts[0] == "[CLS]"
    assert "baba" not in parts


def test_the_corpus_holds_out_whole_texts_and_never_learns_a_measuring_one(tmp_path: Path) -> None:
    folder = tmp_path / "parallel"
    folder.mkdir()
    for empty in ("questions", "conversations", "clarify", "facts"):
        (tmp_path / empty).mkdir()
    (tmp_path / "questions" / "fresh.jsonl").write_text('{"text": "who won the game", "lang": "en"}\n')
    rows = [f"sentence number {i}\tpangungusap bilang {i}" for i in range(100)]
    (folder / "tatoeba.tsv").write_text("en\ttl\n" + "\n".join(rows))
    measuring = tmp_path / "pairs.json"
    measuring.write_text(json.dumps({"set": [["Sentence number 7.", "iba"]]}))
    corpus = read_corpus(tmp_path, [], measuring, seed=1)
    held = {pair.english for pair in corpus.held_out}
    learnt = {pair.english for pair in corpus.pairs}
    assert held
    assert not held & learnt
    assert "sentence number 7" not in held | learnt
    assert "who won the game" in learnt


def test_neighbours_are_joined_in_order() -> None:
    news = [Pair("alt", str(i), str(i)) for i in range(23)]
    runs = list(join_neighbours(news, "alt", random.Random(1)))
    assert all(2 <= len(run) <= 5 for run in runs)
    assert all(
        [int(p.english) for p in run] == list(range(int(run[0].english), int(run[-1].english) + 1)) for run in runs
    )


def _tokenizer_shape() -> dict[str, object]:
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    around = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]  # fmt: skip
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": 0, "content": s, "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True} for s in specials],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": around, "pair": around,
                           "special_tokens": {s: {"id": s, "ids": [0], "tokens": [s]} for s in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0}},
    }  # fmt: skip
