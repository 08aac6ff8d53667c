"""The turns a query may mean, as the frozen encoder reads them, and how well queries fit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from training.encoder.model import EncoderNetwork
from training.references.dataset import TurnShelf, rivals
from training.references.heads import Heads, ReferenceReader

TOPIC_SHARPNESS = 20.0
LONGEST_TURN = 72
"""Tokens of a turn's text that topics are compared with in training."""


class Library:
    """Vectors and token states of every turn, and for each turn the rivals its topic must not be mistaken for."""

    def __init__(self, reader: ReferenceReader, turns: TurnShelf, tokenizer: Tokenizer, many: int, seed: int) -> None:
        device = next(reader.parameters()).device.type
        self.queries = read_texts(reader.trunk, turns.queries, tokenizer, device)
        self.responses = read_texts(reader.trunk, turns.responses, tokenizer, device)
        self.rivals = torch.from_numpy(rivals(turns, many, seed)).to(device)

    def scores(self, topics: Tensor, turns: Tensor) -> Tensor:
        """How well each topic's vector fits its own turn (first column) and the rivals."""
        shown = self.shown(turns)
        asked, answered = (torch.einsum("bd,bcd->bc", topics, side.vectors[shown]) for side in self.sides)
        return torch.logsumexp(TOPIC_SHARPNESS * torch.stack([asked, answered]), dim=0)

    def matches(self, heads: Heads, said: dict[str, Tensor], turns: Tensor) -> list[tuple[Tensor, Tensor]]:
        """For both sides of each shown turn: every query token's best match in it, and whether it has a text at all."""
        shown = self.shown(turns)
        return [
            (best_matches(heads, said, side.states[shown], side.mask[shown]), side.mask[shown].any(-1))
            for side in self.sides
        ]

    def shown(self, turns: Tensor) -> Tensor:
        return torch.cat([turns[:, None], self.rivals[turns]], dim=1)

    @property
    def sides(self) -> tuple[TextStates, TextStates]:
        return self.queries, self.responses


@dataclass(frozen=True)
class TextStates:
    """Texts as the frozen encoder reads them."""

    vectors: Tensor
    states: Tensor
    mask: Tensor


def best_matches(heads: Heads, said: dict[str, Tensor], states: Tensor, mask: Tensor) -> Tensor:
    held = functional.normalize(heads.held(states.to(said["named"].dtype)), dim=-1)
    alike = torch.einsum("bid,bcjd->bcij", said["named"], held)
    return alike.masked_fill(~mask[:, :, None, :], -1.0).amax(dim=-1)


def meeting(matches: list[tuple[Tensor, Tensor]], tells: Tensor) -> Tensor:
    """The telling tokens' best matches, in a weighted mean for each side, and both sides together."""
    share = tells / tells.sum(-1, keepdim=True).clamp(min=1e-4)
    met = [torch.where(written, (best * share[:, None, :]).sum(-1), 0.0) for best, written in matches]
    return torch.logsumexp(TOPIC_SHARPNESS * torch.stack(met), dim=0)


@torch.no_grad()
def read_texts(trunk: EncoderNetwork, texts: Sequence[str], tokenizer: Tokenizer, device: str) -> TextStates:
    encodings = tokenizer.encode_batch(list(texts))
    longest = min(LONGEST_TURN, max(len(e.ids) for e in encodings))
    ids = torch.zeros(len(texts), longest, dtype=torch.long)
    mask = torch.zeros(len(texts), longest, dtype=torch.bool)
    for row, encoding in enumerate(encodings):
        n = min(longest, len(encoding.ids))
        ids[row, :n], mask[row, :n] = torch.tensor(encoding.ids[:n]), True
    vectors, states = [], []
    for start in range(0, len(texts), 256):
        part = slice(start, start + 256)
        found, tokens = trunk(ids[part].to(device), mask[part].to(device))
        vectors.append(found)
        states.append(tokens.half())
    written = torch.tensor([bool(text) for text in texts])
    inner = mask & written[:, None]
    # The opening and closing marks say nothing of their own.
    inner[:, 0] = False
    inner[torch.arange(len(texts)), mask.sum(1) - 1] = False
    return TextStates(torch.cat(vectors) * written[:, None].to(device), torch.cat(states), inner.to(device))


def ratings(heads: Heads, said: dict[str, Tensor], turns: Tensor, library: Library) -> dict[str, Tensor]:
    """Four ways to find the turn a query means among its rivals; the right one is the first column."""
    matches = library.matches(heads, said, turns)
    return {
        "topic": library.scores(said["topic"], turns),
        "gist": library.scores(said["gist"], turns),
        "topic_met": meeting(matches, said["topic_tells"]),
        "query_met": meeting(matches, said["query_tells"]),
    }
