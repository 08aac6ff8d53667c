"""Trains the fork and the heads on labelled queries: `python -m training.references.train --config gpu …`."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from training.encoder.model import EncoderNetwork, from_base, load_network
from training.references.dataset import IGNORED, Arrays, TurnShelf, arrays, read_examples, read_turns
from training.references.example import Example
from training.references.heads import LABELS, ReferenceReader
from training.references.holdout import BANK_FAMILY, is_unseen
from training.references.library import Library, ratings
from training.references.packed import PACKED, load_packed


@dataclass(frozen=True)
class Config:
    batch: int
    epochs: float
    layers: int
    """How many of the encoder's layers are forked."""
    rank: int
    fork_rate: float
    head_rate: float
    rivals: int
    device: str
    most_examples: int | None = None
    seconds: float | None = None
    seed: int = 7


CONFIGS = {
    "gpu": Config(512, 4, 6, 32, 1e-3, 1e-3, 24, "cuda"),
    "cpu": Config(64, 1, 4, 32, 1e-3, 1e-3, 16, "cpu", most_examples=12_000),
    "tiny": Config(16, 1, 1, 4, 1e-3, 2e-3, 4, "cpu", most_examples=64),
}
LOSS_WEIGHTS = {
    "label": 2.0,
    "kind": 1.0,
    "places": 0.7,
    "offset": 1.0,
    "time": 1.0,
    "tags": 1.5,
    "topic": 0.3,
    "gist": 0.3,
    "topic_met": 0.3,
    "query_met": 0.3,
}


MOST_CHECKED = 20_000
STRIKES = 3


@dataclass(frozen=True)
class Lesson:
    """What there is to learn from, and what to check it on."""

    taught: Sequence[Example]
    checked: Sequence[Example]
    turns: TurnShelf
    tokenizer: Tokenizer


@dataclass(frozen=True)
class Batch:
    ids: Tensor
    mask: Tensor
    rows: dict[str, Tensor]


def main() -> None:
    args = arguments()
    config = replace(CONFIGS[args.config], **given(args))
    torch.manual_seed(config.seed)
    examples = read_examples(args.examples)[: config.most_examples]
    everything = [e for e in examples if not is_unseen(e)] if not args.all else examples
    checked = [e for e in examples if is_unseen(e)][:MOST_CHECKED]
    turns = read_turns(args.examples.parent / "turns.json.gz")
    lesson = Lesson(everything, checked, turns, tokenizer_of(args.encoder))
    reader = train(config, load_trunk(args.encoder), lesson, args.out)
    save(reader, args.out / "reader.safetensors")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", choices=CONFIGS, default="gpu")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of the trained sentence encoder")
    parser.add_argument("--examples", type=Path, required=True, help="examples.jsonl.gz, with turns.json.gz beside it")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--epochs", type=float)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--rank", type=int)
    parser.add_argument("--all", action="store_true", help="train on what is otherwise held out, too")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def given(args: argparse.Namespace) -> dict[str, Any]:
    """Settings of the configuration that the command line overrides."""
    named = {"seconds": args.seconds, "rank": args.rank, "layers": args.layers, "epochs": args.epochs}
    return {name: value for name, value in named.items() if value is not None}


def load_trunk(folder: Path) -> EncoderNetwork:
    """The sentence encoder of a folder: packed as it is shipped, as it was trained, or the base it was made from."""
    if (folder / PACKED).exists():
        return load_packed(folder / PACKED)
    if (folder / "encoder.safetensors").exists():
        return load_network(folder / "encoder.safetensors")
    return from_base(load_file(folder / "model.safetensors"))


def tokenizer_of(encoder: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def train(config: Config, trunk: EncoderNetwork, lesson: Lesson, out: Path) -> ReferenceReader:
    taught = arrays(lesson.taught, lesson.tokenizer, lesson.turns.index)
    checked = arrays(lesson.checked, lesson.tokenizer, lesson.turns.index)
    reader = ReferenceReader(trunk, config.layers, config.rank).to(config.device)
    library = Library(reader, lesson.turns, lesson.tokenizer, config.rivals, config.seed)
    clock = Clock(max(1, int(config.epochs * len(taught) / config.batch)), config.seconds)
    print(f"{len(taught)} to train on, {len(checked)} to check, {clock.steps} steps at most", flush=True)
    optimizer, seen = optimization(reader, config), defaultdict(float)
    for batch in batches(taught, config, clock.steps):
        set_rates(optimizer, clock.progress)
        losses = loss_of(reader, batch, library, config.device)
        total = torch.stack([LOSS_WEIGHTS[name] * value for name, value in losses.items()]).sum()
        optimizer.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        for name, value in losses.items():
            seen[name] = 0.98 * seen[name] + 0.02 * float(value.detach()) if clock.step % 10 == 0 else seen[name]
        if clock.tick():
            print(f"{clock} loss { ({name: round(value, 4) for name, value in seen.items()}) }", flush=True)
            report(reader, checked, lesson.checked, library, config)
            save(reader, out / "reader.safetensors")
        if clock.progress >= 1:
            break
    return reader


class Clock:
    """How far training is, by steps or by time, whichever runs out first; strikes a few times on the way."""

    def __init__(self, steps: int, seconds: float | None) -> None:
        self.steps, self.seconds, self.step, self._began, self._struck = steps, seconds, 0, time.time(), 0

    @property
    def progress(self) -> float:
        by_time = (time.time() - self._began) / self.seconds if self.seconds else 0.0
        return min(1.0, max(self.step / self.steps, by_time))

    def tick(self) -> bool:
        self.step += 1
        strikes = self.progress >= 1 or int(self.progress * STRIKES) > self._struck
        self._struck = int(self.progress * STRIKES)
        return strikes

    def __str__(self) -> str:
        return f"step {self.step}/{self.steps} {time.time() - self._began:.0f}s"


def optimization(reader: ReferenceReader, config: Config) -> torch.optim.Optimizer:
    groups = [
        {"params": [p for p in reader.fork.parameters() if p.requires_grad], "rate": config.fork_rate},
        {"params": list(reader.heads.parameters()), "rate": config.head_rate},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def set_rates(optimizer: torch.optim.Optimizer, progress: float) -> None:
    """Warms up over the first twentieth, then falls in a straight line."""
    for group in optimizer.param_groups:
        group["lr"] = group["rate"] * min(1.0, 0.02 + progress / 0.05) * max(0.01, 1 - progress)


def batches(data: Arrays, config: Config, steps: int) -> Iterator[Batch]:
    """Shuffled batches of rows of like length, for as many steps as asked."""
    rng = np.random.default_rng(config.seed)
    made = 0
    while made < steps:
        order = rng.permutation(len(data))
        blocks = [order[i : i + 40 * config.batch] for i in range(0, len(order), 40 * config.batch)]
        by_length = [block[np.argsort(data.lengths[block], kind="stable")] for block in blocks]
        chunks = [block[i : i + config.batch] for block in by_length for i in range(0, len(block), config.batch)]
        for which in rng.permutation(len(chunks)):
            if made == steps:
                return
            made += 1
            yield batch_of(data, chunks[which], config.device)


def batch_of(data: Arrays, rows: np.ndarray, device: str) -> Batch:
    part = data.take(rows)
    longest = int(part.lengths.max())
    mask = torch.arange(longest)[None, :] < torch.from_numpy(part.lengths)[:, None]
    fields = {
        name: torch.from_numpy(getattr(part, name)).to(device)
        for name in ("label", "kind", "offset", "time", "from_start", "from_end", "ago", "places_known", "turn")
    }
    fields["tags"] = torch.from_numpy(part.tags[:, :longest].astype(np.int64)).to(device)
    ids = torch.from_numpy(part.ids[:, :longest].astype(np.int64)).to(device)
    return Batch(ids, mask.to(device), fields)


def loss_of(reader: ReferenceReader, batch: Batch, library: Library, device: str) -> dict[str, Tensor]:
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        said = {name: value.float() for name, value in reader(batch.ids, batch.mask).items()}
    rows = batch.rows
    pointing = (rows["label"] == LABELS.index("reference")).float()
    losses = {
        "label": functional.cross_entropy(said["label"], rows["label"], label_smoothing=0.02),
        "offset": functional.cross_entropy(said["offset"], rows["offset"], ignore_index=IGNORED),
        "time": functional.cross_entropy(said["time"], rows["time"]),
        "tags": functional.cross_entropy(said["tags"].flatten(0, 1), rows["tags"].flatten(), ignore_index=IGNORED),
        "places": places_loss(said, rows),
    }
    if pointing.any():
        losses["kind"] = functional.cross_entropy(said["kind"], rows["kind"], ignore_index=IGNORED)
    named = rows["turn"] >= 0
    if named.any():
        rated = ratings(reader.heads, of_rows(said, named), rows["turn"][named], library)
        first = torch.zeros(int(named.sum()), dtype=torch.long, device=device)
        losses |= {name: functional.cross_entropy(scores, first) for name, scores in rated.items()}
    return losses


def of_rows(said: dict[str, Tensor], chosen: Tensor) -> dict[str, Tensor]:
    return {name: value[chosen] for name, value in said.items()}


def places_loss(said: dict[str, Tensor], rows: dict[str, Tensor]) -> Tensor:
    each = [
        functional.binary_cross_entropy_with_logits(said[name], rows[name], reduction="none").sum(1)
        for name in ("from_start", "from_end", "ago")
    ]
    return (torch.stack(each).sum(0) * rows["places_known"]).mean()


@torch.no_grad()
def report(
    reader: ReferenceReader, checked: Arrays, examples: Sequence[Example], library: Library, config: Config
) -> None:
    """Prints, on phrasings never trained on, what the heads get right by language and by kind."""
    if not len(checked):
        return
    reader.eval()
    right = [flags for batch in in_order(checked, config) for flags in judged(reader, batch, library)]
    reader.train()
    groups: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for example, flags in zip(examples, right, strict=True):
        hand = "written" if example.family.startswith(BANK_FAMILY) else "composed"
        for group in (example.lang, f"{hand} {example.kind or example.label}", hand):
            groups[group].append(flags)
    for group, found in sorted(groups.items()):
        names = sorted({name for flags in found for name in flags})
        shares = {name: np.mean([flags[name] for flags in found if name in flags]) for name in names}
        print(f"  {group:18} n={len(found):6} " + " ".join(f"{k} {100 * v:.1f}" for k, v in shares.items()), flush=True)


def in_order(data: Arrays, config: Config) -> Iterator[Batch]:
    for start in range(0, len(data), config.batch):
        yield batch_of(data, np.arange(start, min(len(data), start + config.batch)), config.device)


def judged(reader: ReferenceReader, batch: Batch, library: Library) -> list[dict[str, bool]]:
    said, rows = reader(batch.ids, batch.mask), batch.rows
    label = said["label"].argmax(-1) == rows["label"]
    pointing = rows["label"] == LABELS.index("reference")
    kind = said["kind"].argmax(-1) == rows["kind"]
    places = torch.stack([((said[n] > 0) == (rows[n] > 0.5)).all(1) for n in ("from_start", "from_end", "ago")]).all(0)
    rest = (said["offset"].argmax(-1) == rows["offset"]) & (said["time"].argmax(-1) == rows["time"])
    tags = ((said["tags"].argmax(-1) == rows["tags"]) | (rows["tags"] == IGNORED)).all(1)
    named = rows["turn"] >= 0
    found: dict[str, Tensor] = {}
    if named.any():
        rated = ratings(reader.heads, of_rows(said, named), rows["turn"][named], library)
        rated["all"] = torch.stack(list(rated.values())).sum(0)
        for name, scores in rated.items():
            found[name] = torch.zeros_like(named)
            found[name][named] = scores.argmax(-1) == 0
    flags: list[dict[str, bool]] = []
    for i in range(len(label)):
        row = {"label": bool(label[i])}
        if pointing[i]:
            row |= {"kind": bool(kind[i]), "time+off": bool(rest[i]), "tags": bool(tags[i])}
            row |= {"places": bool(places[i])} if rows["places_known"][i] else {}
            row |= {name: bool(flags_[i]) for name, flags_ in found.items()} if named[i] else {}
        flags.append(row)
    return flags


def save(reader: ReferenceReader, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    state = {f"{part}.{k}": v for part in ("fork", "heads") for k, v in getattr(reader, part).state_dict().items()}
    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}, path)


def load(trunk: EncoderNetwork, path: Path, config: Config) -> ReferenceReader:
    """Puts a trained fork and heads on a trunk."""
    reader = ReferenceReader(trunk, config.layers, config.rank)
    state = load_file(path)
    for part in ("fork", "heads"):
        prefix = f"{part}."
        own = {name.removeprefix(prefix): tensor for name, tensor in state.items() if name.startswith(prefix)}
        getattr(reader, part).load_state_dict(own)
    reader.eval()
    return reader


if __name__ == "__main__":
    main()
