"""Takes the sentence encoder out of the shipped file, so that the fork can be trained anew without the first training.

`python -m training.references.shipped OUT` writes encoder.safetensors and tokenizer.json. Exported again, its weights
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

SHIPPED = Path(__file__).resolve().parents[2] / "src" / "gunita" / "language" / "model"


def network_of(path: Path) -> EncoderNetwork:
    """The network whose weights an exported file holds."""
    stored = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer}
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
        for norm, name in (("attended", "norm1"), ("finished", "norm2")):
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
    save_network(network_of(SHIPPED / "encoder.onnx"), args.out / "encoder.safetensors")
    shutil.copyfile(SHIPPED / "tokenizer.json", args.out / "tokenizer.json")


if __name__ == "__main__":
    main()
