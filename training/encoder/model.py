"""The encoder network: a plain six-layer BERT whose sentence vector is the mean of its token states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

LAYER = "encoder.layer.{}."


@dataclass(frozen=True, slots=True)
class Shape:
    pieces: int
    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512


class Layer(nn.Module):
    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.dropout = dropout
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.joined = nn.Linear(shape.width, shape.width)
        self.attended = nn.LayerNorm(shape.width, eps=1e-12)
        self.widened = nn.Linear(shape.width, shape.inner)
        self.narrowed = nn.Linear(shape.inner, shape.width)
        self.finished = nn.LayerNorm(shape.width, eps=1e-12)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        attended = self.joined(self._attend(states, mask))
        states = self.attended(states + F.dropout(attended, self.dropout, self.training))
        widened = self.narrowed(F.gelu(self.widened(states)))
        finished: Tensor = self.finished(states + F.dropout(widened, self.dropout, self.training))
        return finished

    def _attend(self, states: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = states.shape
        split = (batch, length, self.heads, width // self.heads)
        query, key, value = (
            projection(states).view(split).transpose(1, 2) for projection in (self.query, self.key, self.value)
        )
        dropout = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        return mixed.transpose(1, 2).reshape(batch, length, width)


class EncoderNetwork(nn.Module):
    """Reads token numbers and their mask into token states and one unit-length sentence vector."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.dropout = dropout
        self.pieces = nn.Embedding(shape.pieces, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.embedded = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))

    def states(self, tokens: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        states: Tensor = self.embedded(self.pieces(tokens) + self.positions(places))
        states = F.dropout(states, self.dropout, self.training)
        attention = mask[:, None, None, :].bool()
        for layer in self.layers:
            states = layer(states, attention)
        return states

    def forward(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        states = self.states(tokens, mask)
        weights = mask[:, :, None].float()
        mean = (states.float() * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return F.normalize(mean, dim=-1), states


def from_base(weights: Mapping[str, Tensor], pieces: Tensor | None = None, dropout: float = 0.0) -> EncoderNetwork:
    """Builds the network from BERT weights under their usual names, where wanted with other piece rows."""
    table = weights["embeddings.word_embeddings.weight"] if pieces is None else pieces
    width = table.shape[1]
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    inner = weights[LAYER.format(0) + "intermediate.dense.weight"].shape[0]
    positions = weights["embeddings.position_embeddings.weight"]
    shape = Shape(table.shape[0], width, layers, width // 32, inner, positions.shape[0])
    network = EncoderNetwork(shape, dropout)
    network.load_state_dict(_renamed(weights, table, layers))
    return network


def _renamed(weights: Mapping[str, Tensor], table: Tensor, layers: int) -> dict[str, Tensor]:
    names = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "joined": "attention.output.dense", "attended": "attention.output.LayerNorm",
        "widened": "intermediate.dense", "narrowed": "output.dense", "finished": "output.LayerNorm",
    }  # fmt: skip
    # Only one kind of segment is ever read, so its embedding is part of every position's.
    segment = weights["embeddings.token_type_embeddings.weight"][0].float()
    state = {
        "pieces.weight": table.float(),
        "positions.weight": weights["embeddings.position_embeddings.weight"].float() + segment,
    }
    for part in ("weight", "bias"):
        state[f"embedded.{part}"] = weights[f"embeddings.LayerNorm.{part}"].float()
        for i in range(layers):
            for ours, theirs in names.items():
                state[f"layers.{i}.{ours}.{part}"] = weights[LAYER.format(i) + f"{theirs}.{part}"].float()
    return state


def save_network(network: EncoderNetwork, path: Path) -> None:
    """Writes the weights in half precision, which is far finer than the int8 they are shipped in."""
    save_file({name: value.detach().half().cpu().contiguous() for name, value in network.state_dict().items()}, path)


def load_network(path: Path, dropout: float = 0.0) -> EncoderNetwork:
    """Reads a checkpoint written by save_network."""
    state = {name: value.float() for name, value in load_file(path).items()}
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    pieces, width = state["pieces.weight"].shape
    inner = state["layers.0.widened.weight"].shape[0]
    shape = Shape(pieces, width, layers, width // 32, inner, state["positions.weight"].shape[0])
    network = EncoderNetwork(shape, dropout)
    network.load_state_dict(state)
    return network
