"""Takes the network out of the shipped files: the sentence encoder, and the fork and heads that sit on it.

`python -m training.references.shipped OUT` writes encoder.safetensors and tokenizer.json, so that the fork can be
trained anew without the first training, and reader.safetensors, so that it can be trained on. Exported again, weights
round to the very numbers they were read from, so sentence vectors stay what they are.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.encoder.export import Floats
from training.encoder.model import EncoderNetwork, Shape, save_network
from training.references.heads import CORRECTED, ReferenceReader
from training.references.train import save

OF_TWO_TOPICS = ("joins.", "two.")
"""Heads that training.references.pairs adds to a network that is trained."""
NORMS = {"attended": "norm1", "finished": "norm2"}
SHIPPED = Path(__file__).resolve().parents[2] / "src" / "gunita" / "language" / "model"


def reader_of(folder: Path) -> ReferenceReader:
    """The trained reader of a folder of exported files; what only training needs starts anew."""
    stored = stored_in(folder / "encoder.onnx")
    trunk = network_of(folder / "encoder.onnx")
    reader = ReferenceReader(trunk, trunk.shape.layers, stored["fork0.query.down.scales"].shape[0])
    missing, unknown = reader.fork.load_state_dict(fork_state(stored, trunk), strict=False)
    if missing or unknown:
        raise ValueError(f"a fork of another make: {missing} {unknown}")
    with np.load(folder / "heads.npz") as file:
        heads = {n: torch.from_numpy(file[n].astype(np.float32)) for n in file.files if not n.startswith(OF_TWO_TOPICS)}
    reader.heads.load_state_dict(reader.heads.state_dict() | heads)
    return reader


def fork_state(stored: dict[str, Floats], trunk: EncoderNetwork) -> dict[str, Tensor]:
    """Its corrections and norms; in the file each bias stands added to the encoder's own."""
    state = {}
    for i, layer in enumerate(trunk.layers):
        query, key, value = np.split(stored[f"fork{i}.qkv.bias"], 3)
        biases = {"query": query, "key": key, "value": value, "joined": stored[f"fork{i}.norm1.bias"],
                  "widened": stored[f"fork{i}.widened.bias"], "narrowed": stored[f"fork{i}.norm2.bias"]}  # fmt: skip
        for part in CORRECTED:
            state[f"{i}.{part}.down.weight"] = matrix(stored, f"fork{i}.{part}.down")
            state[f"{i}.{part}.up.weight"] = matrix(stored, f"fork{i}.{part}.up")
            state[f"{i}.{part}.up.bias"] = biases[part] - getattr(layer, part).bias.detach().numpy()
        for norm, name in NORMS.items():
            state[f"{i}.{norm}.weight"] = stored[f"fork{i}.{name}.gain"]
            state[f"{i}.{norm}.bias"] = stored[f"fork{i}.{name}.shift"]
    return {name: torch.from_numpy(np.array(values, np.float32)) for name, values in state.items()}


def stored_in(path: Path) -> dict[str, Floats]:
    return {each.name: numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer}


def network_of(path: Path) -> EncoderNetwork:
    """The network whose weights an exported file holds."""
    stored = stored_in(path)
    pieces, width = stored["piece_rows"].shape
    layers = 1 + max(int(name.split(".")[0][5:]) for name in stored if name.startswith("layer"))
    inner = stored["layer0.widened.bias"].shape[0]
    shape = Shape(pieces, width, layers, width // 32, inner, stored["positions_half"].shape[0])
    network = EncoderNetwork(shape)
    network.load_state_dict(state_of(stored, layers))
    return network


def state_of(stored: dict[str, Floats], layers: int) -> dict[str, Tensor]:
    state = {
        "pieces.weight": stored["piece_rows"] * stored["piece_scales"],
        "positions.weight": stored["positions_half"],
        "embedded.weight": stored["embed_gain"],
        "embedded.bias": stored["embed_shift"],
    }
    for i in range(layers):
        ours, theirs = f"layers.{i}", f"layer{i}"
        for part, weight, bias in zip(
            ("query", "key", "value"),
            np.split(matrix(stored, f"{theirs}.qkv"), 3),
            np.split(stored[f"{theirs}.qkv.bias"], 3),
            strict=True,
        ):
            state |= {f"{ours}.{part}.weight": weight, f"{ours}.{part}.bias": bias}
        biases = {"joined": "norm1.bias", "widened": "widened.bias", "narrowed": "norm2.bias"}
        for part, bias_name in biases.items():
            state[f"{ours}.{part}.weight"] = matrix(stored, f"{theirs}.{part}")
            state[f"{ours}.{part}.bias"] = stored[f"{theirs}.{bias_name}"]
        for norm, name in NORMS.items():
            state[f"{ours}.{norm}.weight"] = stored[f"{theirs}.{name}.gain"]
            state[f"{ours}.{norm}.bias"] = stored[f"{theirs}.{name}.shift"]
    return {name: torch.from_numpy(np.array(values, np.float32)) for name, values in state.items()}


def matrix(stored: dict[str, Floats], name: str) -> Floats:
    """A product's weights, as [out, in] floats."""
    return np.asarray(stored[f"{name}.rows"].T * stored[f"{name}.scales"][:, None], dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    reader = reader_of(SHIPPED)
    save_network(reader.trunk, args.out / "encoder.safetensors")
    save(reader, args.out / "reader.safetensors")
    shutil.copyfile(SHIPPED / "tokenizer.json", args.out / "tokenizer.json")


if __name__ == "__main__":
    main()
