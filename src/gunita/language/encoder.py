"""Reads texts into vectors with the model inside the package; the only importer of onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from gunita.language.remembered import Remembered

# It reports its use to its makers unless it is told not to before it is loaded; Gunita speaks to nobody unasked.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

Floats: TypeAlias = NDArray[np.float32]

MODEL_NAME = "gunita-encoder-1"
DIMENSIONS = 384
LONGEST = 256
"""Tokens of a text that are read, its opening and closing marks included."""
VECTORS_HELD = 2_048
LONGEST_CHARACTERS = 8 * LONGEST
"""Characters that are looked at for them; a longer tail is not read, however long it is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: where each token stands in it, each token's state, and the whole text's unit vector."""

    offsets: tuple[tuple[int, int], ...]
    """Start and end of each token in the text; the opening and closing marks stand at (0, 0)."""
    states: Floats
    vector: Floats


@dataclass(frozen=True, slots=True)
class Pointing:
    """A text read for what it points at: where each token stands in it, and each token's state for the heads."""

    offsets: tuple[tuple[int, int], ...]
    states: Floats


class Encoder:
    """Sentence vectors for English, Tagalog and Taglish, the same for a text alone or in any company."""

    def __init__(self, model: bytes, tokenizer: bytes, threads: int = 1) -> None:
        import onnxruntime  # a large library, which only those who encode should load

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._tokenizer: Tokenizer = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.enable_truncation(LONGEST)
        self._can_point = any(put.name == "pointing" for put in self._session.get_inputs())
        # Deciding, recalling, weighing memories and indexing all ask for the vector of one and the same query.
        self._vectors: Remembered[str, Floats] = Remembered(VECTORS_HELD)

    @classmethod
    def load(cls) -> Encoder:
        """The encoder that ships with the package, loaded once per process."""
        return _shipped()

    @property
    def model_name(self) -> str:
        return MODEL_NAME

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def encode(self, texts: Sequence[str]) -> Floats:
        """Gives one unit vector per text, in order."""
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vectors.get(readable(text), self._vector)
        return vectors

    def read(self, text: str) -> Reading:
        """Gives a text's vector together with its tokens and their states, in one pass."""
        read = readable(text)
        encoding = self._tokenizer.encode(read)
        vectors, states = self._run(["sentence", "tokens"], encoding.ids)
        return Reading(tuple(encoding.offsets), states[0], self._vectors.get(read, lambda _: vectors[0]))

    def point(self, text: str) -> Pointing:
        """Gives a text's tokens and their states on the path that the reference heads sit on, in one pass."""
        encoding = self._tokenizer.encode(readable(text))
        return Pointing(tuple(encoding.offsets), self._run(["tokens"], encoding.ids, pointing=True)[0][0])

    def _vector(self, text: str) -> Floats:
        vector: Floats = self._run(["sentence"], self._tokenizer.encode(text).ids)[0][0]
        return vector

    def _run(self, wanted: list[str], pieces: Sequence[int], pointing: bool = False) -> list[Floats]:
        feed: dict[str, NDArray[np.generic]] = {"pieces": np.array([pieces], dtype=np.int64)}
        if self._can_point:
            feed["pointing"] = np.array(pointing)
        found: list[Floats] = self._session.run(wanted, feed)
        return found


def readable(text: str) -> str:
    """The part of a text that is looked at, with what no encoding can carry replaced one for one."""
    return text[:LONGEST_CHARACTERS].encode("utf-16-le", "replace").decode("utf-16-le", "replace")


@cache
def runtime_errors() -> tuple[type[Exception], ...]:
    """What the model's runtime raises: kinds of its own that have nothing in common."""
    from onnxruntime.capi import onnxruntime_pybind11_state as runtime

    return tuple(kind for kind in vars(runtime).values() if isinstance(kind, type) and issubclass(kind, Exception))


@cache
def _shipped() -> Encoder:
    files = resources.files("gunita.language") / "model"
    return Encoder((files / "encoder.onnx").read_bytes(), (files / "tokenizer.json").read_bytes())
