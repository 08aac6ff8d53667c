"""The encoder's weights in eight bits a number, as they are shipped: the fork is trained on what it will run on.

`python -m training.references.packed ENCODER_FOLDER OUT_FOLDER` packs a trained encoder and copies its tokenizer.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training.encoder.model import EncoderNetwork, Shape

PACKED = "encoder.int8.safetensors"
SCALE = ".scale"


def packed(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Each matrix row in int8 with a scale of its own; vectors stay as they are."""
    out: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if tensor.dim() < 2:
            out[name] = tensor.float().contiguous()
            continue
        scale = tensor.float().abs().amax(dim=1).clamp(min=1e-8) / 127
        out[name] = (tensor.float() / scale[:, None]).round().clamp(-127, 127).to(torch.int8).contiguous()
        out[name + SCALE] = scale.contiguous()
    return out


def unpacked(state: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        name: tensor.float() * state[name + SCALE][:, None] if name + SCALE in state else tensor
        for name, tensor in state.items()
        if not name.endswith(SCALE)
    }


def load_packed(path: Path) -> EncoderNetwork:
    state = unpacked(load_file(path))
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    pieces, width = state["pieces.weight"].shape
    inner, positions = state["layers.0.widened.weight"].shape[0], state["positions.weight"].shape[0]
    network = EncoderNetwork(Shape(pieces, width, layers, width // 32, inner, positions))
    network.load_state_dict(state)
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    save_file(packed(load_file(args.encoder / "encoder.safetensors")), args.out / PACKED)
    shutil.copy(args.encoder / "tokenizer.json", args.out / "tokenizer.json")


if __name__ == "__main__":
    main()
