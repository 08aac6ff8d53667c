"""The turns a query may mean, as the frozen encoder reads them, and how well queries fit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.encoder.model import EncoderNetwork
from training.references.dataset import Ints, TurnShelf
from training.references.heads import Heads, ReferenceReader

TOPIC_SHARPNESS = 20.0
LONGEST_TURN = 72
"""Tokens of a turn's text that topics are compared with in training."""
MOST_TOKENS_LOOKED_AT = 200_000
OF_ITS_DOMAIN = 0.5
OF_ITS_THEME = 0.25
"""Shares of a query's company that are near what it means; the rest is anything."""


@dataclass(frozen=True)
class Company:
    """For each query, turns a history may hold, and which of them its topic fits."""

    turns: Tensor
    fitting: Tensor


class Library:
    """Vectors and token states of every turn, and the company a query's turns may stand in."""

    def __init__(self, reader: ReferenceReader, turns: TurnShelf, tokenizer: Tokenizer, many: int, seed: int) -> None:
        device = next(reader.parameters()).device.type
        self.queries = read_texts(reader.trunk, turns.queries, tokenizer, device)
        self.responses = read_texts(reader.trunk, turns.responses, tokenizer, device)
        self._many, self._count, self._device = many, len(turns.ids), device
        self._by_domain, self._by_theme = Shelves(turns.domains, device), Shelves(turns.themes, device)
        self._domains = torch.from_numpy(turns.domains).to(device)
        self._themes = torch.from_numpy(turns.themes).to(device)
        self._chance = torch.Generator(device).manual_seed(seed)

    def company(self, turns: Tensor, domain: Tensor) -> Company:
        """Draws turns anew each time: those meant first, then neighbours of the domain, of the theme, and any."""
        rows = len(turns)
        any_ = self._any(rows, self._many + turns.shape[1])
        meant = torch.where(turns >= 0, turns, any_[:, self._many :])
        home = torch.where(turns[:, 0] >= 0, self._domains[turns[:, 0].clamp(min=0)], domain)
        home = torch.where(home >= 0, home, self._domains[any_[:, 0]])
        near, related = int(self._many * OF_ITS_DOMAIN), int(self._many * OF_ITS_THEME)
        neighbours = self._by_domain.drawn(home, near, self._chance)
        relatives = self._by_theme.drawn(self._themes[neighbours[:, 0]], related, self._chance)
        shown = torch.cat([meant, neighbours, relatives, any_[:, : self._many - near - related]], dim=1)
        return Company(shown, (shown[:, :, None] == turns[:, None, :]).any(-1))

    def _any(self, rows: int, many: int) -> Tensor:
        return torch.randint(self._count, (rows, many), generator=self._chance, device=self._device)

    def scores(self, topics: Tensor, shown: Tensor) -> list[Tensor]:
        """How well each topic's vector fits the query and the response of the turns shown."""
        return [torch.einsum("bd,bcd->bc", topics, side.vectors[shown]) for side in self.sides]

    def matches(self, heads: Heads, said: dict[str, Tensor], shown: Tensor) -> list[tuple[Tensor, Tensor]]:
        """For both sides of each shown turn: every query token's best match in it, and whether it has a text at all."""
        return [
            (best_matches(heads, said, side.states[shown], side.mask[shown]), side.mask[shown].any(-1))
            for side in self.sides
        ]

    @property
    def sides(self) -> tuple[TextStates, TextStates]:
        return self.queries, self.responses


class Shelves:
    """Turns by the group they belong to, to draw from."""

    def __init__(self, labels: Ints, device: str) -> None:
        counts = np.bincount(labels)
        self._order = torch.from_numpy(np.argsort(labels, kind="stable")).to(device)
        self._counts = torch.from_numpy(counts).to(device)
        self._starts = torch.from_numpy(np.cumsum(counts) - counts).to(device)

    def drawn(self, groups: Tensor, many: int, chance: torch.Generator) -> Tensor:
        part = torch.rand(len(groups), many, generator=chance, device=groups.device)
        return self._order[self._starts[groups][:, None] + (part * self._counts[groups][:, None]).long()]


@dataclass(frozen=True)
class TextStates:
    """Texts as the frozen encoder reads them."""

    vectors: Tensor
    states: Tensor
    mask: Tensor


def best_matches(heads: Heads, said: dict[str, Tensor], states: Tensor, mask: Tensor) -> Tensor:
    on_gpu = states.device.type == "cuda"
    with torch.autocast(states.device.type, dtype=torch.bfloat16, enabled=on_gpu):
        held = heads.met(states.bfloat16() if on_gpu else states.float())
        alike = torch.einsum("bid,bcjd->bcij", said["named"], held)
    return alike.masked_fill(~mask[:, :, None, :], -1.0).amax(dim=-1).float()


@torch.no_grad()
def start_meeting(heads: Heads, texts: TextStates) -> None:
    """Lets tokens first meet along the directions in which those of turns differ most."""
    tokens = texts.states[texts.mask][:MOST_TOKENS_LOOKED_AT].float()
    _, _, directions = torch.pca_lowrank(tokens, q=heads.meet.out_features)
    heads.meet.weight.copy_(directions.T)


def meeting(matches: list[tuple[Tensor, Tensor]], tells: Tensor) -> list[Tensor]:
    """The telling tokens' best matches, in a weighted mean for each side."""
    share = tells / tells.sum(-1, keepdim=True).clamp(min=1e-4)
    return [torch.where(written, (best * share[:, None, :]).sum(-1), 0.0) for best, written in matches]


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


@dataclass(frozen=True)
class Ratings:
    """How well the turns of its company fit each query."""

    ways: dict[str, Tensor]
    """Five ways to find the turn meant, each higher where it fits better."""
    fit: Tensor
    """All of them weighed together with how the query reads, as log-odds that the turn is meant."""
    judged: Tensor
    """The same, told token by token."""


def ratings(heads: Heads, said: dict[str, Tensor], company: Company, library: Library) -> Ratings:
    matches = library.matches(heads, said, company.turns)
    sides = {
        "topic": library.scores(said["topic"], company.turns),
        "gist": library.scores(said["gist"], company.turns),
        "topic_met": meeting(matches, said["topic_tells"]),
        "query_met": meeting(matches, said["query_tells"]),
        "whole": library.scores(said["whole"], company.turns),
    }
    ways = {name: torch.logsumexp(TOPIC_SHARPNESS * torch.stack(both), dim=0) for name, both in sides.items()}
    fit = heads.fitting(said, torch.stack([side for both in sides.values() for side in both], dim=-1))
    met = torch.stack([torch.where(written[..., None], best, 0.0) for best, written in matches], dim=2)
    return Ratings(ways, fit, heads.judge(said, met))


def finding_loss(scores: Tensor, fitting: Tensor) -> Tensor:
    """How far the turns that fit are from standing out of their company."""
    return (scores.logsumexp(-1) - scores.masked_fill(~fitting, -1e4).logsumexp(-1)).mean()
