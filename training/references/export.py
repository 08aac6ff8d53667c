"""Writes the one ONNX file the package ships, sentence vectors and the reference fork together, and the heads.

`python -m training.references.export ENCODER READER OUT` reads a trained encoder's folder and a trained reader. The
fork's products are the encoder's own, stored once, each with its correction of low rank. Which of the two paths runs
is an input, so that neither costs the other's time.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import Tensor, nn

from training.encoder.export import MICROSOFT, OPSETS, Floats, Graph, by_row, embed, layer_path
from training.encoder.model import EncoderNetwork, Layer
from training.references.heads import LowRank, ReferenceReader
from training.references.train import CONFIGS, load, load_trunk

ONLY_FOR_TRAINING = "weigh."


def export(reader: ReferenceReader, out: Path) -> None:
    """Writes encoder.onnx and heads.npz."""
    graph = Graph()
    graph.store("finest_step", np.array(1 / 127, np.float32))
    graph.store("one", np.array(1, np.float32))
    graph.store("middle", np.array(128, np.uint8))
    embedded = embed(graph, reader.trunk)
    width = reader.trunk.shape.width
    graph.run(
        "If", ["pointing"], "tokens",
        then_branch=fork_path(graph, reader, embedded, width),
        else_branch=sentence_path(graph, reader.trunk, embedded, width),
    )  # fmt: skip
    graph.run("ReduceMean", ["tokens"], "mean", axes=[1], keepdims=0)
    graph.run("ReduceL2", ["mean"], "length", axes=[1], keepdims=1)
    graph.run("Div", ["mean", "length"], "sentence")
    model = helper.make_model(
        helper.make_graph(
            graph.nodes, "encoder",
            [helper.make_tensor_value_info("pieces", TensorProto.INT64, ["texts", "places"]),
             helper.make_tensor_value_info("pointing", TensorProto.BOOL, [])],
            [helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["texts", width]),
             helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["texts", "places", width])],
            graph.stored,
        ),
        opset_imports=list(OPSETS), ir_version=9, producer_name="gunita",
    )  # fmt: skip
    onnx.save(model, str(out / "encoder.onnx"))
    weights = {
        name: tensor.detach().cpu().numpy().astype(np.float16)
        for name, tensor in reader.heads.state_dict().items()
        if not name.startswith(ONLY_FOR_TRAINING)
    }
    np.savez(out / "heads.npz", **weights | of_two_topics(width))  # type: ignore[arg-type]


def of_two_topics(width: int) -> dict[str, NDArray[np.float16]]:
    """Heads that say nothing yet; training.references.pairs fits them on the exported model."""
    shapes = {"joins.weight": (2, width), "joins.bias": (2,), "two.weight": (2, 2 * width), "two.bias": (2,)}
    return {name: np.zeros(shape, np.float16) for name, shape in shapes.items()}


def sentence_path(graph: Graph, trunk: EncoderNetwork, states: str, width: int) -> onnx.GraphProto:
    path = Graph(stored=graph.stored)
    for i, layer in enumerate(trunk.layers):
        assert isinstance(layer, Layer)
        states = layer_path(path, layer, states, f"layer{i}")
    return branch(path, states, "sentence_path", width)


def fork_path(graph: Graph, reader: ReferenceReader, states: str, width: int) -> onnx.GraphProto:
    if reader.shared:
        raise ValueError("a shipped fork takes part in every layer")
    path = Graph(stored=graph.stored)
    for i, layer in enumerate(reader.fork):
        assert isinstance(layer, Layer)
        states = fork_layer(path, layer, states, f"layer{i}", f"fork{i}")
    return branch(path, states, "fork_path", width)


def branch(path: Graph, states: str, name: str, width: int) -> onnx.GraphProto:
    """One way through the layers; what it stores lies outside it, where both ways can reach it."""
    path.run("Identity", [states], f"{name}.states")
    out = helper.make_tensor_value_info(f"{name}.states", TensorProto.FLOAT, ["texts", "places", width])
    return helper.make_graph(path.nodes, name, [], [out])


def fork_layer(graph: Graph, layer: Layer, states: str, base: str, name: str) -> str:
    parts = ("query", "key", "value")
    wide = shared_product(graph, states, f"{base}.qkv", f"{name}.qkv")
    graph.run("Split", [wide], f"{name}.split", outputs=[f"{name}.{part}.shared" for part in parts], axis=-1)
    for part in parts:
        own = correction(graph, low_rank(layer, part), states, f"{name}.{part}")
        graph.run("Add", [f"{name}.{part}.shared", own], f"{name}.{part}")
    bias = graph.store(f"{name}.qkv.bias", np.concatenate([biases(low_rank(layer, part)) for part in parts]))
    inputs = [*(f"{name}.{part}" for part in parts), bias]
    graph.run("MultiHeadAttention", inputs, f"{name}.mixed", MICROSOFT, num_heads=layer.heads)
    joined = corrected(graph, low_rank(layer, "joined"), f"{name}.mixed", f"{base}.joined", f"{name}.joined")
    states = add_and_norm(graph, joined, states, layer.attended, low_rank(layer, "joined"), f"{name}.norm1")
    wide = corrected(graph, low_rank(layer, "widened"), states, f"{base}.widened", f"{name}.widened")
    bias = graph.store(f"{name}.widened.bias", biases(low_rank(layer, "widened")))
    graph.run("BiasGelu", [wide, bias], f"{name}.gelu", MICROSOFT)
    narrow = corrected(graph, low_rank(layer, "narrowed"), f"{name}.gelu", f"{base}.narrowed", f"{name}.narrowed")
    return add_and_norm(graph, narrow, states, layer.finished, low_rank(layer, "narrowed"), f"{name}.norm2")


def low_rank(layer: Layer, part: str) -> LowRank:
    found = getattr(layer, part)
    assert isinstance(found, LowRank)
    return found


def biases(product: LowRank) -> Floats:
    """The encoder's bias and the fork's, added once when the file is written."""
    return array(product.base[0].bias) + array(product.up.bias)


def corrected(graph: Graph, product: LowRank, states: str, base: str, name: str) -> str:
    """The encoder's product with the fork's correction, both without their bias, which the next step adds."""
    shared = shared_product(graph, states, base, name)
    return graph.run("Add", [shared, correction(graph, product, states, name)], f"{name}.corrected")


def shared_product(graph: Graph, states: str, base: str, name: str) -> str:
    """States by the int8 weights the encoder's own path has stored, rounded token by token as there."""
    graph.run("Abs", [states], f"{name}.sizes")
    graph.run("ReduceMax", [f"{name}.sizes"], f"{name}.largest", axes=[-1], keepdims=1)
    graph.run("Mul", [f"{name}.largest", "finest_step"], f"{name}.step")
    graph.run("Div", [states, f"{name}.step"], f"{name}.steps")
    graph.run("QuantizeLinear", [f"{name}.steps", "one", "middle"], f"{name}.rounded")
    graph.run("MatMulInteger", [f"{name}.rounded", f"{base}.rows", "middle"], f"{name}.sums")
    graph.run("Cast", [f"{name}.sums"], f"{name}.floats", to=TensorProto.FLOAT)
    graph.run("Mul", [f"{name}.floats", f"{name}.step"], f"{name}.stepped")
    return graph.run("Mul", [f"{name}.stepped", f"{base}.scales"], f"{name}.product")


def correction(graph: Graph, product: LowRank, states: str, name: str) -> str:
    down = stored_matrix(graph, array(product.down.weight), f"{name}.down")
    up = stored_matrix(graph, array(product.up.weight), f"{name}.up")
    graph.run("MatMul", [states, down], f"{name}.narrow")
    return graph.run("MatMul", [f"{name}.narrow", up], f"{name}.own")


def stored_matrix(graph: Graph, weights: Floats, name: str) -> str:
    """A matrix kept in int8 with a scale per output, turned to floats once, when the file is loaded."""
    rows, scales = by_row(weights)
    graph.run("Cast", [graph.store(f"{name}.rows", rows.T)], f"{name}.floats", to=TensorProto.FLOAT)
    return graph.run("Mul", [f"{name}.floats", graph.store(f"{name}.scales", scales[:, 0])], name)


def add_and_norm(graph: Graph, new: str, old: str, norm: nn.LayerNorm, product: LowRank, name: str) -> str:
    parts = {"gain": array(norm.weight), "shift": array(norm.bias), "bias": biases(product)}
    stored = [graph.store(f"{name}.{part}", values) for part, values in parts.items()]
    return graph.run("SkipLayerNormalization", [new, old, *stored], name, MICROSOFT, epsilon=1e-12)


def array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().cpu().float().numpy(), dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path, help="folder with the trained encoder and its tokenizer.json")
    parser.add_argument("reader", type=Path, help="reader.safetensors as training wrote it")
    parser.add_argument("out", type=Path)
    parser.add_argument("--config", choices=CONFIGS, default="gpu")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    export(load(load_trunk(args.encoder), args.reader, CONFIGS[args.config]), args.out)
    shutil.copyfile(args.encoder / "tokenizer.json", args.out / "tokenizer.json")


if __name__ == "__main__":
    main()
