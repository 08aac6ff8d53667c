"""Writes a checkpoint as the int8 ONNX file the package ships, node by node, so that nothing in it is a surprise."""

from __future__ import annotations

import argparse
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from training.encoder.model import EncoderNetwork, Layer, load_network

Floats = npt.NDArray[np.float32]
MICROSOFT = "com.microsoft"
OPSETS = (helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1))
POSITIONS = 256
FINEST = 63


@dataclass(slots=True)
class Graph:
    """Nodes and stored arrays, gathered in the order they run."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    stored: list[onnx.TensorProto] = field(default_factory=list)

    def store(self, name: str, array: npt.NDArray[np.generic]) -> str:
        self.stored.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def run(self, kind: str, inputs: list[str], name: str, domain: str = "", outputs: list[str] | None = None,
            **attributes: Any) -> str:  # fmt: skip
        node = helper.make_node(kind, inputs, outputs or [name], name=name, domain=domain, **attributes)
        self.nodes.append(node)
        return (outputs or [name])[0]


def export(network: EncoderNetwork, path: Path) -> None:
    """Writes the network: token numbers of a text (or of several of one length) in, its states and vector out."""
    graph = Graph()
    graph.store("finest_step", np.array(1 / 127, np.float32))
    graph.store("one", np.array(1, np.float32))
    graph.store("middle", np.array(128, np.uint8))
    states = embed(graph, network)
    for i, layer in enumerate(network.layers):
        assert isinstance(layer, Layer)
        states = layer_path(graph, layer, states, f"layer{i}")
    graph.run("Identity", [states], "tokens")
    graph.run("ReduceMean", [states], "mean", axes=[1], keepdims=0)
    graph.run("ReduceL2", ["mean"], "length", axes=[1], keepdims=1)
    graph.run("Div", ["mean", "length"], "sentence")
    width = network.shape.width
    model = helper.make_model(
        helper.make_graph(
            graph.nodes, "encoder",
            [helper.make_tensor_value_info("pieces", TensorProto.INT64, ["texts", "places"])],
            [helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["texts", width]),
             helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["texts", "places", width])],
            graph.stored,
        ),
        opset_imports=list(OPSETS), ir_version=9, producer_name="gunita",
    )  # fmt: skip
    onnx.save(model, str(path))


def by_row(weights: Floats, finest: int = 127) -> tuple[npt.NDArray[np.int8], Floats]:
    """Rounds each row to whole steps of its own scale, at most so many either way."""
    scale = np.maximum(np.abs(weights).max(1, keepdims=True), 1e-12) / finest
    return np.rint(weights / scale).astype(np.int8), scale.astype(np.float32)


def embed(graph: Graph, network: EncoderNetwork) -> str:
    rows, scales = by_row(_array(network.pieces.weight))
    graph.store("piece_rows", rows)
    graph.store("piece_scales", scales)
    graph.store("positions_half", _array(network.positions.weight)[:POSITIONS].astype(np.float16))
    graph.run("Gather", ["piece_rows", "pieces"], "rows_int8")
    graph.run("Cast", ["rows_int8"], "rows", to=TensorProto.FLOAT)
    graph.run("Gather", ["piece_scales", "pieces"], "scales")
    graph.run("Mul", ["rows", "scales"], "piece_states")
    graph.run("Cast", ["positions_half"], "positions", to=TensorProto.FLOAT)
    graph.run("Shape", ["pieces"], "places", start=1, end=2)
    graph.store("zero", np.array([0], np.int64))
    graph.run("Slice", ["positions", "zero", "places"], "position_states")
    graph.run("Add", ["piece_states", "position_states"], "summed")
    norm = network.embedded
    names = [graph.store("embed_gain", _array(norm.weight)), graph.store("embed_shift", _array(norm.bias))]
    return graph.run("LayerNormalization", ["summed", *names], "embedded", axis=-1, epsilon=1e-12)


def layer_path(graph: Graph, layer: Layer, states: str, name: str) -> str:
    both = [_array(part.weight) for part in (layer.query, layer.key, layer.value)]
    bias = [_array(part.bias) for part in (layer.query, layer.key, layer.value)]
    wide = _multiply(graph, states, np.concatenate(both), f"{name}.qkv", np.concatenate(bias))
    parts = [f"{name}.query", f"{name}.key", f"{name}.value"]
    graph.run("Split", [wide], f"{name}.split", outputs=parts, axis=-1)
    graph.run("MultiHeadAttention", parts, f"{name}.attended", MICROSOFT, num_heads=layer.heads)
    joined = _multiply(graph, f"{name}.attended", _array(layer.joined.weight), f"{name}.joined")
    states = _add_and_norm(graph, joined, states, layer.attended, layer.joined.bias, f"{name}.norm1")
    wide = _multiply(graph, states, _array(layer.widened.weight), f"{name}.widened")
    graph.run(
        "BiasGelu", [wide, graph.store(f"{name}.widened.bias", _array(layer.widened.bias))], f"{name}.gelu", MICROSOFT
    )
    narrow = _multiply(graph, f"{name}.gelu", _array(layer.narrowed.weight), f"{name}.narrowed")
    return _add_and_norm(graph, narrow, states, layer.finished, layer.narrowed.bias, f"{name}.norm2")


def _add_and_norm(graph: Graph, new: str, old: str, norm: nn.LayerNorm, bias: Tensor, name: str) -> str:
    inputs = [
        new,
        old,
        graph.store(f"{name}.gain", _array(norm.weight)),
        graph.store(f"{name}.shift", _array(norm.bias)),
        graph.store(f"{name}.bias", _array(bias)),
    ]
    return graph.run("SkipLayerNormalization", inputs, name, MICROSOFT, epsilon=1e-12)


def _multiply(graph: Graph, states: str, weights: Floats, name: str, bias: Floats | None = None) -> str:
    """Multiplies states by int8 weights [out, in], every token's states rounded with a scale of their own.

    A scale per token, and not one for all that run together, keeps a text's vector the same in any company. Weights
    take 7 of the 8 bits, so that processors without wide integer sums do not overflow.
    """
    rows, scales = by_row(weights, FINEST)
    graph.run("Abs", [states], f"{name}.sizes")
    graph.run("ReduceMax", [f"{name}.sizes"], f"{name}.largest", axes=[-1], keepdims=1)
    graph.run("Mul", [f"{name}.largest", "finest_step"], f"{name}.step")
    graph.run("Div", [states, f"{name}.step"], f"{name}.steps")
    graph.run("QuantizeLinear", [f"{name}.steps", "one", "middle"], f"{name}.rounded")
    graph.run("MatMulInteger", [f"{name}.rounded", graph.store(f"{name}.rows", rows.T), "middle"], f"{name}.sums")
    graph.run("Cast", [f"{name}.sums"], f"{name}.floats", to=TensorProto.FLOAT)
    graph.run("Mul", [f"{name}.floats", f"{name}.step"], f"{name}.stepped")
    scaled = graph.run("Mul", [f"{name}.stepped", graph.store(f"{name}.scales", scales[:, 0])], f"{name}.product")
    return scaled if bias is None else graph.run("Add", [scaled, graph.store(f"{name}.bias", bias)], f"{name}.sum")


def _array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().cpu().float().numpy(), dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, help="folder with encoder.safetensors and tokenizer.json")
    parser.add_argument("out", type=Path, help="folder the encoder.onnx and tokenizer.json are written to")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    export(load_network(options.checkpoint / "encoder.safetensors"), options.out / "encoder.onnx")
    shutil.copyfile(options.checkpoint / "tokenizer.json", options.out / "tokenizer.json")


if __name__ == "__main__":
    main()
