"""Make the extraction model and say how well it does on held-out patterns: `python -m training.extraction DATA`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from gunita.language.extraction import LABELS, MODEL_FILE
from training.extraction.train import Data, Weights, fitted, gathered, predicted, prepared

SHIPPED = Path(__file__).parents[2] / "src" / "gunita" / "language" / "model" / MODEL_FILE
THRESHOLD = 0.7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder that holds questions/, parallel/ and facts/")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--vectors", type=Path, default=Path(".training/extraction_vectors.npz"))
    options = parser.parse_args()
    examples = gathered(options.data)
    data, known, forms, categories = prepared(examples, options.vectors)
    report(data, fitted(data, len(categories)))
    weights = fitted(data, len(categories), held_out_too=True)
    np.savez_compressed(
        options.out,
        hidden=weights.hidden.astype(np.float16),
        hidden_bias=weights.hidden_bias,
        kinds=weights.kinds,
        kinds_bias=weights.kinds_bias,
        topics=weights.topics,
        topics_bias=weights.topics_bias,
        categories=_stored(categories),
        known=_stored(sorted(known)),
        forms=_stored(forms),
        threshold=np.float32(THRESHOLD),
    )
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes")


def report(data: Data, weights: Weights) -> None:
    kinds, topics = predicted(weights, data.inputs)
    for name, chosen in (("trained", ~data.held_out), ("held out", data.held_out)):
        right = kinds[chosen].argmax(1) == data.labels[chosen]
        told = chosen & (data.topics >= 0)
        on_topic = topics[told].argmax(1) == data.topics[told]
        print(f"{name}: {chosen.sum():,} examples, {right.mean():.3f} right, category {on_topic.mean():.3f}")
    for number, label in enumerate(LABELS):
        mine = data.held_out & (data.labels == number)
        said = data.held_out & (kinds.argmax(1) == number)
        both = (mine & said).sum()
        print(f"  {label}: precision {both / max(said.sum(), 1):.3f}, recall {both / max(mine.sum(), 1):.3f}")


def _stored(lines: list[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


if __name__ == "__main__":
    main()
