"""The whole recipe on a tiny made-up base: prepare, distil, export, and read the exported file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from safetensors.torch import save_file

from training.encoder.distil import CONFIGS, distil
from training.encoder.export import export
from training.encoder.feed import encode
from training.encoder.model import load_network
from training.encoder.prepare import load, prepare, save
from training.encoder.vocabulary import make_tokenizer

WORDS = (
    *("the", "red", "house", "is", "big", "small", "car", "dog", "runs", "who", "won", "game", "today"),
    *("ang", "pulang", "bahay", "ay", "malaki", "maliit", "kotse", "aso", "tumakbo"),
)
ENGLISH = ("the red house", "the big dog", "the small car is red", "the dog runs", "the house is big", "the red car")
FILIPINO = ("ang pulang bahay", "ang malaki na aso", "pulang maliit ang kotse", "tumakbo ang aso", "malaki ang bahay",
            "ang pulang kotse")  # fmt: skip
WIDTH, INNER, LAYERS = 64, 128, 2


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("recipe")
    base, data = folder / "base", folder / "data"
    _write_base(base)
    _write_data(data)
    prepared = folder / "prepared.json.gz"
    save(prepare(data, base, [], None, seed=1), prepared)
    torch.set_num_threads(1)
    distil(prepared, base, folder / "out", replace(CONFIGS["tiny"], epochs=1, rows=16))
    return folder / "out", prepared


def test_distillation_writes_a_network_that_reads_back(recipe: tuple[Path, Path]) -> None:
    network = load_network(recipe[0] / "encoder.safetensors")
    assert network.shape.pieces == len(load(recipe[1]).vocabulary)
    assert json.loads((recipe[0] / "config.json").read_text())["epochs"] == 1


def test_the_exported_file_gives_the_networks_vectors_in_any_company(recipe: tuple[Path, Path], tmp_path: Path) -> None:
    network = load_network(recipe[0] / "encoder.safetensors").eval()
    export(network, tmp_path / "encoder.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"))
    tokens = np.array([[2, 5, 6, 7, 3], [2, 8, 9, 10, 3]], np.int64)
    sentence, states = session.run(["sentence", "tokens"], {"pieces": tokens})
    alone = session.run(["sentence"], {"pieces": tokens[:1]})[0]
    np.testing.assert_allclose(alone[0], sentence[0], atol=1e-5)
    wanted, _ = network(torch.from_numpy(tokens), torch.ones(2, 5))
    assert float((wanted.detach().numpy() * sentence).sum(1).min()) > 0.99
    assert states.shape == (2, 5, WIDTH)


def test_new_pieces_start_at_their_english_meaning(recipe: tuple[Path, Path]) -> None:
    prepared = load(recipe[1])
    assert prepared.to_english["bahay"][0][0] == "house"
    assert any(item.links for item in prepared.items)


def test_long_texts_keep_their_closing_mark(tmp_path: Path) -> None:
    _write_base(tmp_path)
    words = (tmp_path / "vocab.txt").read_text().splitlines()
    tokenizer = make_tokenizer(words, tmp_path / "tokenizer.json")
    ids = encode(tokenizer, ["dog " * 1000])[0]
    assert len(ids) == 256
    assert words[ids[-1]] == "[SEP]"


def _write_base(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS), *"abcdefghijklmnopqrstuvwxyz"]
    words = list(dict.fromkeys([*words, *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]))
    (folder / "vocab.txt").write_text("\n".join(words))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer_shape()))
    torch.manual_seed(1)
    shapes = {"embeddings.word_embeddings.weight": (len(words), WIDTH)}
    shapes |= {
        "embeddings.position_embeddings.weight": (512, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    shapes |= {"embeddings.LayerNorm.weight": (WIDTH,), "embeddings.LayerNorm.bias": (WIDTH,)}
    square, inner = (WIDTH, WIDTH), (INNER, WIDTH)
    parts = {"attention.self.query": square, "attention.self.key": square, "attention.self.value": square,
             "attention.output.dense": square, "attention.output.LayerNorm": (WIDTH,), "intermediate.dense": inner,
             "output.dense": (WIDTH, INNER), "output.LayerNorm": (WIDTH,)}  # fmt: skip
    for layer in range(LAYERS):
        for name, shape in parts.items():
            shapes[f"encoder.layer.{layer}.{name}.weight"] = shape
            shapes[f"encoder.layer.{layer}.{name}.bias"] = shape[:1]
    weights = {name: torch.randn(shape) * 0.1 for name, shape in shapes.items()}
    norms = {name: torch.ones_like(value) for name, value in weights.items() if name.endswith("LayerNorm.weight")}
    save_file({**weights, **norms}, folder / "model.safetensors")


def _write_data(folder: Path) -> None:
    for name in ("parallel", "questions", "conversations", "clarify", "facts"):
        (folder / name).mkdir(parents=True)
    rows = [f"{english} {i}\t{other} {i}" for i in range(8) for english, other in zip(ENGLISH, FILIPINO, strict=True)]
    for name in ("alt", "tatoeba", "massive"):
        (folder / "parallel" / f"{name}.tsv").write_text("en\ttl\n" + "\n".join(f"{row} {name}" for row in rows))
    (folder / "questions" / "fresh.jsonl").write_text('{"text": "who won the game today", "lang": "en"}\n')


def _tokenizer_shape() -> dict[str, object]:
    around = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]  # fmt: skip
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": 0, "content": special, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
             "special": True} for special in specials
        ],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": around, "pair": around,
                           "special_tokens": {s: {"id": s, "ids": [0], "tokens": [s]} for s in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0}},
    }  # fmt: skip
