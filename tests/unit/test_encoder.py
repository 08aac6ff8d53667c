"""The encoder's promises: unit vectors, the same in any company, never an error, and one meaning near another's."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gunita.language.encoder import DIMENSIONS, LONGEST, Encoder, readable

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load()


@settings(max_examples=100, deadline=None)
@given(text=ANY_TEXT)
def test_any_text_gives_a_unit_vector(text: str) -> None:
    vector = Encoder.load().encode([text])
    assert vector.shape == (1, DIMENSIONS)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


@settings(max_examples=100, deadline=None)
@given(texts=st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_a_text_has_the_same_vector_alone_and_in_company(texts: list[str]) -> None:
    encoder = Encoder.load()
    together = encoder.encode(texts)
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_allclose(encoder.encode([text])[0], row, atol=1e-3)
        np.testing.assert_allclose(encoder.read(text).vector, row, atol=1e-3)


@settings(max_examples=100, deadline=None)
@given(text=ANY_TEXT)
def test_every_token_stands_inside_the_text(text: str) -> None:
    reading = Encoder.load().read(text)
    assert len(reading.offsets) == len(reading.states) <= LONGEST
    assert reading.states.shape[1] == DIMENSIONS
    assert all(0 <= start <= end <= len(text) for start, end in reading.offsets)


@settings(max_examples=100, deadline=None)
@given(text=ANY_TEXT)
def test_making_a_text_readable_moves_no_character(text: str) -> None:
    assert len(readable(text)) == len(text)
    readable(text).encode("utf-8")


def test_offsets_point_at_the_words(encoder: Encoder) -> None:
    text = "Balik sa unang tanong"
    words = {text[start:end] for start, end in encoder.read(text).offsets}
    assert {"unang", "tanong"} <= words


@pytest.mark.parametrize("text", ["", " ", "\ud800", "x" * 100_000, "a " * 100_000, "😀" * 500, "你好，世界", "\x00\n"])
def test_odd_texts_are_read(encoder: Encoder, text: str) -> None:
    reading = encoder.read(text)
    assert abs(float(np.linalg.norm(reading.vector)) - 1) < 1e-5
    assert len(reading.states) <= LONGEST


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, DIMENSIONS)


@pytest.mark.parametrize(
    ("said", "meant", "unrelated"),
    [
        ("Yung tungkol sa bayad sa apartment", "The one about paying for the apartment", "A recipe for chicken soup"),
        ("Paano po kumuha ng pasaporte?", "How do I get a passport?", "How do I cook rice?"),
        ("pano mag luto ng manok", "how to cook chicken", "how to apply for a passport"),
        ("Anong oras ang flight natin bukas", "What time is our flight tomorrow", "What is the price of the house"),
        ("Unsa to akong unang pangutana?", "What was my first question?", "It will rain tomorrow"),
        ("¿Cuánto cuesta el billete?", "How much does the ticket cost?", "My dog is sleeping"),
    ],
)
def test_a_meaning_lies_nearer_than_another_in_any_tongue(
    encoder: Encoder, said: str, meant: str, unrelated: str
) -> None:
    vectors = encoder.encode([said, meant, unrelated])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_threads_share_one_encoder_and_its_vectors(encoder: Encoder) -> None:
    texts = [f"tanong bilang {i} tungkol sa biyahe" for i in range(40)]
    alone = encoder.encode(texts)
    with ThreadPoolExecutor(4) as pool:
        shared = np.concatenate(list(pool.map(lambda text: Encoder.load().encode([text]), texts)))
    np.testing.assert_allclose(shared, alone, atol=1e-3)
    assert Encoder.load() is encoder


def test_the_model_stamps_what_it_makes(encoder: Encoder) -> None:
    assert encoder.model_name == "gunita-encoder-1"
    assert encoder.dimensions == DIMENSIONS


def test_the_shipped_files_stay_under_thirty_megabytes() -> None:
    files = resources.files("gunita.language") / "model"
    parts = ("encoder.onnx", "tokenizer.json", "heads.npz", "calibration.npz", "lexicon.npz")
    assert sum(len((files / part).read_bytes()) for part in parts) < 30_000_000


def test_importing_the_package_does_not_load_the_model() -> None:
    check = "import gunita, sys; assert 'onnxruntime' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True, env=dict(os.environ))
