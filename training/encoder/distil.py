"""Teaches the encoder: every writing of a meaning is drawn to the frozen teacher's vector of its English text."""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from training.encoder.feed import VIEWS, Batch, Feed, encode
from training.encoder.model import EncoderNetwork, from_base, save_network
from training.encoder.prepare import Prepared, load, prepare, save
from training.encoder.vocabulary import first_rows, make_tokenizer


@dataclass(frozen=True, slots=True)
class Config:
    epochs: int = 50
    seconds: float = 1e9
    workers: int = 16
    tokens: int = 24576
    rows: int = 1024
    rate: float = 8e-4
    piece_rate: float = 2e-3
    dropout: float = 0.1
    token_dropout: float = 0.05
    temperature: float = 0.05
    keep: float = 10.0
    """Weight of staying at the teacher's vector against telling it from all others."""
    batch_contrast: float = 0.5
    average: float = 0.997
    validate_every: int = 5
    seed: int = 1


CONFIGS = {
    "full": Config(),
    "tiny": Config(epochs=2, workers=0, tokens=2048, rows=32, validate_every=1, average=0.5),
}


def distil(prepared_path: Path, base: Path, out: Path, config: Config) -> EncoderNetwork:
    """Runs the whole distillation and writes the averaged network and its tokenizer."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(config.seed)
    torch.set_float32_matmul_precision("high")
    started = time.monotonic()
    feed = Feed(prepared_path, base, config.epochs, config.workers, config.tokens, config.rows, config.seed)
    batches = iter(feed)
    prepared = load(prepared_path)
    weights = load_file(base / "model.safetensors")
    bank, target_of = _teach(prepared, base, weights, device)
    student = _student(prepared, base, weights, config).to(device)
    averaged = copy.deepcopy(student).eval()
    tokenizer = make_tokenizer(prepared.vocabulary, base / "tokenizer.json")
    optimiser = _optimiser(student, config)
    step = 0
    for epoch, epoch_batches in enumerate(batches):
        losses = []
        for batch in epoch_batches:
            progress = _progress(epoch, step, len(epoch_batches), started, config)
            _set_rates(optimiser, progress, config)
            losses.append(_learn(student, optimiser, batch, bank, target_of, config))
            _follow(averaged, student, min(config.average, (1 + step) / (10 + step)))
            step += 1
        last = epoch + 1 == config.epochs or time.monotonic() - started > config.seconds
        if last or (epoch + 1) % config.validate_every == 0:
            loss = torch.stack(losses).mean(0).tolist()
            report = validate(averaged, tokenizer, prepared, bank, device)
            print(
                epoch + 1, step, f"{time.monotonic() - started:.0f}s", [round(x, 4) for x in loss], report, flush=True
            )
        if last:
            break
    out.mkdir(parents=True, exist_ok=True)
    save_network(averaged, out / "encoder.safetensors")
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    (out / "config.json").write_text(json.dumps(asdict(config)))
    return averaged


def validate(
    network: EncoderNetwork, tokenizer: Tokenizer, prepared: Prepared, bank: Tensor, device: torch.device
) -> dict[str, float]:
    """Measures, on held-out pairs, how often a text finds its English among its own kind and among all English."""
    report = {}
    for source in sorted({item.source for item in prepared.held_out}):
        held = [item for item in prepared.held_out if item.source == source]
        english = vectors(network, encode(tokenizer, [item.english for item in held]), device)
        other = vectors(network, encode(tokenizer, [item.other for item in held]), device)
        right = torch.arange(len(held), device=device)
        own = other @ english.T
        report[source] = round(float((own.argmax(1) == right).float().mean()), 4)
        among_all = own.diagonal() >= (other @ bank.T).max(1).values
        report[f"{source}_all"] = round(float((among_all & (own.argmax(1) == right)).float().mean()), 4)
    return report


@torch.no_grad()
def vectors(network: EncoderNetwork, texts: Sequence[np.ndarray], device: torch.device, size: int = 512) -> Tensor:
    """Reads token numbers into sentence vectors, longest together."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found = torch.empty(len(texts), network.shape.width, device=device)
    network.eval()
    for at in range(0, len(order), size):
        chosen = order[at : at + size]
        tokens = np.zeros((len(chosen), len(texts[chosen[-1]])), np.int64)
        for row, i in enumerate(chosen):
            tokens[row, : len(texts[i])] = texts[i]
        read = torch.from_numpy(tokens).to(device)
        found[chosen] = network(read, (read != 0).int())[0]
    return found


def _teach(prepared: Prepared, base: Path, weights: dict[str, Tensor], device: torch.device) -> tuple[Tensor, Tensor]:
    """Gives the teacher's vector of every English text, and which of them each item aims at."""
    teacher = from_base(weights).to(device)
    old = (base / "vocab.txt").read_text(encoding="utf-8").splitlines()
    texts = sorted({item.english for item in prepared.items})
    place = {text: i for i, text in enumerate(texts)}
    bank = vectors(teacher, encode(make_tokenizer(old, base / "tokenizer.json"), texts), device)
    return bank, torch.tensor([place[item.english] for item in prepared.items], device=device)


def _student(prepared: Prepared, base: Path, weights: dict[str, Tensor], config: Config) -> EncoderNetwork:
    old = (base / "vocab.txt").read_text(encoding="utf-8").splitlines()
    rows = first_rows(
        prepared.vocabulary, old, weights["embeddings.word_embeddings.weight"].float().numpy(),
        make_tokenizer(old, base / "tokenizer.json"), prepared.to_english,
    )  # fmt: skip
    return from_base(weights, torch.from_numpy(rows), config.dropout)


def _learn(
    student: EncoderNetwork, optimiser: torch.optim.Optimizer, batch: Batch, bank: Tensor, target_of: Tensor,
    config: Config,
) -> Tensor:  # fmt: skip
    device = bank.device
    student.train()
    tokens = torch.from_numpy(batch.tokens).to(device, non_blocking=True).long()
    mask = tokens != 0
    dropped = torch.rand(tokens.shape, device=device) < config.token_dropout
    dropped[: len(batch.items)] = False
    dropped[:, 0] = False
    mask = mask & ~dropped
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        found, _ = student(tokens, mask)
    wanted = target_of[torch.from_numpy(batch.items).to(device)]
    parts = losses(found.view(VIEWS, len(batch.items), -1), wanted, bank, config)
    optimiser.zero_grad(set_to_none=True)
    torch.autograd.backward(config.keep * parts[0] + parts[1] + config.batch_contrast * parts[2])
    torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
    optimiser.step()
    return parts.detach()


def losses(found: Tensor, wanted: Tensor, bank: Tensor, config: Config) -> Tensor:
    """Computes distance to the teacher, confusion with any other English text, and confusion inside the batch."""
    target = bank[wanted]
    away = 1 - (found * target).sum(-1)
    views = found.reshape(-1, found.shape[-1])
    wide = wanted.repeat(VIEWS)
    logits = views @ bank.T / config.temperature
    alike = (target @ bank.T > 0.97).repeat(VIEWS, 1)
    alike[torch.arange(len(wide), device=wide.device), wide] = False
    confused = F.cross_entropy(logits.masked_fill(alike, -1e4), wide)
    near = target @ target.T > 0.97
    near.fill_diagonal_(False)
    own = torch.arange(len(wanted), device=wanted.device)
    pairs = [(found[1] @ found[0].T / config.temperature).masked_fill(near, -1e4)]
    pairs.append((found[2] @ found[0].T / config.temperature).masked_fill(near, -1e4))
    batch = sum((F.cross_entropy(x, own) + F.cross_entropy(x.T, own) for x in pairs), away.new_zeros(())) / 4
    return torch.stack([away.mean(), confused, batch])


def _optimiser(student: EncoderNetwork, config: Config) -> torch.optim.Optimizer:
    pieces = [student.pieces.weight]
    body = [p for name, p in student.named_parameters() if name != "pieces.weight"]
    groups = [{"params": body, "lr": config.rate}, {"params": pieces, "lr": config.piece_rate}]
    on_device = student.pieces.weight.is_cuda
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=on_device)


def _progress(epoch: int, step: int, steps: int, started: float, config: Config) -> float:
    by_time = (time.monotonic() - started) / config.seconds
    return min(1.0, max(step / (config.epochs * steps), by_time))


def _set_rates(optimiser: torch.optim.Optimizer, progress: float, config: Config) -> None:
    warm = min(1.0, progress / 0.04 + 0.01)
    cosine = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress))
    for group, peak in zip(optimiser.param_groups, (config.rate, config.piece_rate), strict=True):
        group["lr"] = peak * warm * cosine


@torch.no_grad()
def _follow(averaged: EncoderNetwork, student: EncoderNetwork, decay: float) -> None:
    torch._foreach_lerp_(list(averaged.parameters()), list(student.parameters()), 1 - decay)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of public text; not needed with --prepared")
    parser.add_argument("--prepared", type=Path, help="corpus written by training.encoder.prepare")
    parser.add_argument("--base", type=Path, required=True, help="folder with the base model's weights and tokenizer")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--config", choices=sorted(CONFIGS), default="full")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="changes to the configuration")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    config = replace(CONFIGS[options.config], **{k: json.loads(v) for k, v in (c.split("=") for c in options.set)})
    prepared = options.prepared or options.out / "prepared.json.gz"
    if not options.prepared:
        save(prepare(options.data, options.base, [], None, config.seed), prepared)
    distil(prepared, options.base, options.out, config)


if __name__ == "__main__":
    main()
