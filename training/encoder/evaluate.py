"""Measures an encoder: translations found first, and English messages found for the questions of the recall set."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]


def translations_found(encode: Encode, pairs: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Gives how often a foreign text finds its English first, and the English its foreign text."""
    english, other = encode([pair[0] for pair in pairs]), encode([pair[1] for pair in pairs])
    alike, right = other @ english.T, np.arange(len(pairs))
    return float((alike.argmax(1) == right).mean()), float((alike.argmax(0) == right).mean())


def recall_found(encode: Encode, folder: Path, depths: Sequence[int] = (5, 10)) -> dict[int, float]:
    """Gives the mean share of a question's gold messages among the messages nearest to it, for each depth."""
    found: dict[int, list[float]] = {depth: [] for depth in depths}
    ids, vectors = {}, {}
    for haystack in _lines(folder / "longmemeval.haystacks.jsonl"):
        messages = [message for session in haystack["sessions"] for message in session["messages"]]
        ids[haystack["haystack"]] = [message["id"] for message in messages]
        vectors[haystack["haystack"]] = encode([message["text"] for message in messages])
    for question in _lines(folder / "longmemeval.questions.jsonl"):
        name, gold = question["haystack"], set(question["gold"])
        ranked = np.argsort(-(vectors[name] @ encode([question["question"]])[0]))
        for depth in depths:
            found[depth].append(len(gold & {ids[name][i] for i in ranked[:depth]}) / len(gold))
    return {depth: float(np.mean(shares)) for depth, shares in found.items()}


def checkpoint_encoder(folder: Path) -> Encode:
    """Reads a distilled checkpoint, or the base model's folder, as a function from texts to vectors."""
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    from training.encoder.distil import vectors
    from training.encoder.feed import encode
    from training.encoder.model import from_base, load_network
    from training.encoder.vocabulary import make_tokenizer

    if (folder / "encoder.safetensors").exists():
        network = load_network(folder / "encoder.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    else:
        network = from_base(load_file(folder / "model.safetensors"))
        words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        tokenizer = make_tokenizer(words, folder / "tokenizer.json")
    cpu = torch.device("cpu")
    return lambda texts: np.asarray(vectors(network, encode(tokenizer, texts), cpu, 32).numpy(), dtype=np.float32)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="*", help="checkpoint folders; without any, the shipped encoder")
    parser.add_argument("--pairs", type=Path, help='{"name": [[english, other], …]}')
    parser.add_argument("--recall", type=Path, help="folder with the recall questions and haystacks")
    options = parser.parse_args()
    for model in options.models or [None]:
        encode = checkpoint_encoder(model) if model else shipped_encoder()
        if options.pairs:
            for name, pairs in json.loads(options.pairs.read_text(encoding="utf-8")).items():
                there, back = translations_found(encode, pairs)
                print(f"{model or 'shipped'}\t{name}\tto English {there:.4f}\tfrom English {back:.4f}", flush=True)
        if options.recall:
            shares = recall_found(encode, options.recall)
            print(
                f"{model or 'shipped'}\trecall\t" + "\t".join(f"R@{k} {v:.4f}" for k, v in shares.items()), flush=True
            )


def shipped_encoder() -> Encode:
    """Reads the encoder inside the package."""
    from gunita.language.encoder import Encoder

    encoder = Encoder.load()
    return lambda texts: encoder.encode(list(texts))


if __name__ == "__main__":
    main()
