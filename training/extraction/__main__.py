"""Make the extraction model and say how well it does on held-out patterns: `python -m training.extraction DATA`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from gunita.language.extraction import LABELS, MODEL_FILE
from training.extraction.train import Data, Weights, fitted, gathered, predicted, prepared

SHIPPED = Path(__file__).parents[2] / "src" / "gunita" / "language" / "model" / MODEL_FILE
PRECISE = 0.95
"""The threshold is the lowest at which so large a share of what is learnt from held-out patterns is right."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="the folder that holds questions/, parallel/ and facts/")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--vectors", type=Path, default=Path(".training/extraction_vectors.npz"))
    options = parser.parse_args()
    examples = gathered(options.data)
    data, known, forms, categories = prepared(examples, options.vectors)
    trial = fitted(data, len(categories))
    report(data, trial)
    threshold = chosen_threshold(data, trial)
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
        threshold=np.float32(threshold),
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


def chosen_threshold(data: Data, weights: Weights) -> float:
    """Find the lowest threshold that is precise enough on patterns the weights have never seen."""
    kinds, gold = predicted(weights, data.inputs[data.held_out])[0], data.labels[data.held_out]
    said = 1 + kinds[:, 1:-1].argmax(1)
    sure = kinds[:, 1:-1].max(1)
    for threshold in np.arange(0.5, 0.99, 0.01):
        chosen = sure >= threshold
        precision = (said[chosen] == gold[chosen]).mean()
        if precision >= PRECISE:
            break
    lasting = (gold > 0) & (gold < len(LABELS) - 1)
    recall = (chosen & (said == gold)).sum() / lasting.sum()
    print(f"threshold {threshold:.2f}: precision {precision:.3f}, recall {recall:.3f} on held-out patterns")
    return float(threshold)


def _stored(lines: list[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


if __name__ == "__main__":
    main()
