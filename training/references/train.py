"""Trains the fork and the heads on labelled queries: `python -m training.references.train --config gpu …`."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.encoder.model import EncoderNetwork, from_base, load_network
from training.references.dataset import IGNORED, TurnShelf, arrays, read_examples, read_turns
from training.references.example import Example
from training.references.feed import Batch, Feed
from training.references.heads import LABELS, ReferenceReader
from training.references.holdout import FOLDS, is_unseen
from training.references.library import Library, finding_loss, ratings, start_meeting
from training.references.packed import PACKED, load_packed
from training.references.report import report
from training.references.teachers import Teachers, agreement_losses, teacher_files


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
    trust: float = 0.7
    """How much of a lesson is what teachers say, where there are any; the rest is what the labels say."""
    kept: float = 0.0
    """How much stays of the reader that training went on from, so that less of what it knew is lost."""


HERE = "cuda" if torch.cuda.is_available() else "cpu"
CONFIGS = {
    "gpu": Config(512, 3.0, 6, 32, 1e-3, 1e-3, 20, "cuda"),
    "cpu": Config(64, 1, 6, 32, 1e-3, 1e-3, 16, "cpu", most_examples=12_000),
    "refine": Config(256, 2.0, 6, 32, 3e-4, 3e-4, 12, HERE, seconds=1_500, trust=0.4, kept=0.5),
    "tiny": Config(16, 1, 1, 4, 1e-3, 2e-3, 4, "cpu", most_examples=64),
}
LOSS_WEIGHTS = {
    "label": 2.0,
    "kind": 1.0,
    "places": 0.7,
    "offset": 1.0,
    "time": 1.0,
    "one_of": 0.5,
    "tags": 1.5,
    "topic": 0.3,
    "gist": 0.3,
    "topic_met": 0.3,
    "query_met": 0.3,
    "whole": 0.0,
    "fit": 0.15,
    "judged": 0.15,
}
AVERAGED = 0.995
"""How much of the averaged weights stays at each step; they generalise better than the last ones."""

MEETING_RATE = 0.3
"""How fast the place where tokens meet moves, beside the heads; what the encoder knows of words is worth keeping."""
MOST_COMPARED = 128
"""Queries of a batch that are compared with turns, which costs more than reading them."""
MOST_CHECKED = 12_000
STRIKES = 3


@dataclass(frozen=True)
class Lesson:
    """What there is to learn from, and what to check it on."""

    taught: Sequence[Example]
    checked: Sequence[Example]
    turns: TurnShelf
    tokenizer: Tokenizer
    teachers: Teachers = field(default_factory=lambda: Teachers(()))


def main() -> None:
    args = arguments()
    config = replace(CONFIGS[args.config], **given(args))
    torch.manual_seed(config.seed)
    examples = read_examples(args.examples)[: config.most_examples]
    taught, checked = split(examples, args.fold)
    turns = read_turns(args.examples.parent / "turns.json.gz")
    trunk = load_trunk(args.encoder)
    teachers = Teachers([load(trunk, path, config).to(config.device) for path in teacher_files(args.teachers)])
    lesson = Lesson(taught, checked, turns, tokenizer_of(args.encoder), teachers)
    reader = train(config, started(config, trunk, args.start), lesson, args.out)
    if args.start is not None:
        keep(reader, load(trunk, args.start / "reader.safetensors", config), config.kept)
    save(reader, args.out / "reader.safetensors")


def split(examples: Sequence[Example], fold: int | None) -> tuple[Sequence[Example], Sequence[Example]]:
    """What a run learns from, and what it is checked on: everything and nothing where it leaves no fold out."""
    if fold is None:
        return examples, ()
    taught, unseen = [], []
    for example in examples:
        (unseen if is_unseen(example, fold) else taught).append(example)
    return taught, random.Random(1).sample(unseen, min(len(unseen), MOST_CHECKED))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", choices=CONFIGS, default="gpu")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of the trained sentence encoder")
    parser.add_argument("--examples", type=Path, required=True, help="examples.jsonl.gz, with turns.json.gz beside it")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--epochs", type=float)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--rank", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="domains to leave out; without it, none")
    parser.add_argument("--start", type=Path, help="folder of a trained reader to go on from")
    parser.add_argument("--teachers", type=Path, nargs="*", default=[], help="folders of trained readers to learn from")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def given(args: argparse.Namespace) -> dict[str, Any]:
    """Settings of the configuration that the command line overrides."""
    named = {name: getattr(args, name) for name in ("seconds", "rank", "layers", "epochs", "seed")}
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


def started(config: Config, trunk: EncoderNetwork, start: Path | None) -> ReferenceReader:
    """A new reader, or a trained one to go on from, whose tokens go on meeting where they met."""
    if start is None:
        return ReferenceReader(trunk, config.layers, config.rank)
    reader = load(trunk, start / "reader.safetensors", config)
    reader.heads.meet.requires_grad_(False)
    return reader.train()


def keep(reader: ReferenceReader, start: ReferenceReader, share: float) -> None:
    """Moves a reader back by a share of the way from where it started."""
    with torch.no_grad():
        for now, before in ((reader.fork, start.fork), (reader.heads, start.heads)):
            for weight, old in zip(now.parameters(), before.parameters(), strict=True):
                weight.lerp_(old.to(weight.device), share)


def train(config: Config, reader: ReferenceReader, lesson: Lesson, out: Path) -> ReferenceReader:
    taught = feed(lesson.taught, lesson, config)
    checked = feed(lesson.checked, lesson, config) if lesson.checked else None
    reader = reader.to(config.device)
    library = Library(reader, lesson.turns, lesson.tokenizer, config.rivals, config.seed)
    if reader.heads.meet.weight.requires_grad:
        start_meeting(reader.heads, library.responses)
    averaged = AveragedModel(reader, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED))
    clock = Clock(max(1, int(config.epochs * len(taught) / config.batch)), config.seconds)
    print(f"{len(taught)} to train on, {len(lesson.checked)} to check, {clock.steps} steps at most", flush=True)
    optimizer = optimization(reader, config)
    for batch in taught.shuffled(clock.steps):
        set_rates(optimizer, clock.progress)
        losses = loss_of(reader, batch, library, lesson.teachers, config)
        total = torch.stack([LOSS_WEIGHTS[name] * value for name, value in losses.items()]).sum()
        optimizer.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        averaged.update_parameters(reader)
        if clock.tick():
            print(
                f"{clock} loss { ({name: round(float(value.detach()), 4) for name, value in losses.items()}) }",
                flush=True,
            )
            save(averaged.module, out / "reader.safetensors")
            if checked is not None:
                report(averaged.module, checked, lesson.checked, library)
        if clock.progress >= 1:
            break
    found: ReferenceReader = averaged.module
    return found.eval()


def feed(examples: Sequence[Example], lesson: Lesson, config: Config) -> Feed:
    return Feed(arrays(examples, lesson.tokenizer, lesson.turns), config.batch, config.device, config.seed)


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
    meet = reader.heads.meet.weight
    groups = [
        {"params": [p for p in reader.fork.parameters() if p.requires_grad], "rate": config.fork_rate},
        {"params": [p for p in reader.heads.parameters() if p is not meet], "rate": config.head_rate},
        {"params": [meet], "rate": MEETING_RATE * config.head_rate},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def set_rates(optimizer: torch.optim.Optimizer, progress: float) -> None:
    """Warms up over the first twentieth, then falls in a straight line."""
    for group in optimizer.param_groups:
        group["lr"] = group["rate"] * min(1.0, 0.02 + progress / 0.05) * max(0.01, 1 - progress)


def loss_of(
    reader: ReferenceReader, batch: Batch, library: Library, teachers: Teachers, config: Config
) -> dict[str, Tensor]:
    """What a batch still has to teach: by its labels, and by what teachers say of the same queries."""
    device = config.device
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
    if (rows["one_of"] != IGNORED).any():
        losses["one_of"] = functional.cross_entropy(said["one_of"], rows["one_of"], ignore_index=IGNORED)
    if pointing.any():
        losses["kind"] = functional.cross_entropy(said["kind"], rows["kind"], ignore_index=IGNORED)
    every = teachers.read(batch, device)
    if every:
        losses = blended(losses, agreement_losses(said, every, batch), config.trust)
    return losses | topic_losses(reader, said, rows, library, teachers, every, config.trust)


def blended(labelled: dict[str, Tensor], agreed: dict[str, Tensor], trust: float) -> dict[str, Tensor]:
    return {
        name: (1 - trust) * loss + trust * agreed[name] if name in agreed else loss for name, loss in labelled.items()
    }


def topic_losses(
    reader: ReferenceReader,
    said: dict[str, Tensor],
    rows: dict[str, Tensor],
    library: Library,
    teachers: Teachers,
    every: Sequence[dict[str, Tensor]],
    trust: float,
) -> dict[str, Tensor]:
    """How well topics find their turns, and whether turns are known to be meant by what names them, and by no more."""
    fresh = (rows["domain"] >= 0) & (rows["label"] == LABELS.index("none"))
    comparable = torch.nonzero((rows["turns"][:, 0] >= 0) | fresh)[:, 0]
    chosen = comparable[torch.randperm(len(comparable), device=comparable.device)[:MOST_COMPARED]]
    named = rows["turns"][chosen, 0] >= 0
    if not named.any():
        return {}
    company = library.company(rows["turns"][chosen], rows["domain"][chosen])
    rated = ratings(reader.heads, {name: value[chosen] for name, value in said.items()}, company, library)
    found = {name: finding_loss(scores[named], company.fitting[named]) for name, scores in rated.ways.items()}
    # An open mention is fresh where the history does not know its topic, so it says nothing of this company.
    told = (fresh | (rows["label"] == LABELS.index("reference")))[chosen]
    meant = company.fitting.float()
    agreed = trust * teachers.judged(every, chosen, company, library) + (1 - trust) * meant if every else meant
    for name, scores, wanted in (("fit", rated.fit, meant), ("judged", rated.judged, agreed)):
        wrong = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        found[name] = (wrong.sum(-1) * told).sum() / told.sum().clamp(min=1)
    return found


def places_loss(said: dict[str, Tensor], rows: dict[str, Tensor]) -> Tensor:
    each = [
        functional.binary_cross_entropy_with_logits(said[name], rows[name], reduction="none").sum(1)
        for name in ("from_start", "from_end", "ago")
    ]
    return (torch.stack(each).sum(0) * rows["places_known"]).mean()


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
