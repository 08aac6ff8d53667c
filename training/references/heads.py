"""The network that reads a query: a frozen sentence encoder, a light fork of its layers, and small heads on the fork.

The sentence vector stays exactly what the encoder's own training made it; the fork reuses the encoder's weights
with learned low-rank corrections, which cost a few hundred kilobytes where copies would cost megabytes. At run
time the heads are a few numpy products (gunita.language.heads).
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.model import EncoderNetwork, Layer

LABELS = ("none", "followup", "reference")
KINDS = ("ordinal", "relative", "temporal", "topic")
TIMES = ("just_now", "earlier", "opening", "none")
OFFSETS = tuple(range(-10, 11))
"""Zero stands for no offset."""
TAGS = ("none", "topic", "start", "end", "ago", "offset", "head", "tail", "range_from", "range_to")
FROM_START = FROM_END = AGO = 20

HEAD_SIZES = {
    "label": len(LABELS),
    "kind": len(KINDS),
    "from_start": FROM_START,
    "from_end": FROM_END,
    "ago": AGO,
    "offset": len(OFFSETS),
    "time": len(TIMES),
    "one_of": 2,
}
MEETING_WIDTH = 160
COMPARISONS = 10
"""A query is compared with a turn in five ways, with its query and with its response."""
JUDGED_WIDTH = 32
JUDGED_INNER = 16
LOOKS = 2
"""How many times a judge looks over a query's tokens, each with an attention of its own."""
MEETINGS = 4
"""How a token meets a turn: its query and its response, and how far each is behind the turn that meets it best."""
MET_SCALE = 4.0
CORRECTED = ("query", "key", "value", "joined", "widened", "narrowed")
"""The products of a layer that the fork corrects."""


class LowRank(nn.Module):
    """A frozen product with a small learned correction of low rank beside it."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = [base]
        """In a list, so that the trunk's weights are neither trained nor stored a second time."""
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, x: Tensor) -> Tensor:
        corrected: Tensor = self.base[0](x) + self.up(self.down(x))
        return corrected


def forked(layer: Layer, rank: int, dropout: float) -> Layer:
    """A layer that shares the given one's products, each with a correction of its own, and learns its own norms."""
    fork = copy.deepcopy(layer)
    fork.dropout = dropout
    for name in CORRECTED:
        setattr(fork, name, LowRank(getattr(layer, name), rank))
    return fork


class Judge(nn.Module):
    """Whether a turn is meant, token by token: what of a query a turn meets, and what it says that no turn has."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.lean = nn.Linear(width, JUDGED_WIDTH)
        self.look = nn.Linear(width, LOOKS, bias=False)
        self.meet = nn.Linear(MEETINGS, JUDGED_WIDTH, bias=False)
        self.weigh = nn.Linear((LOOKS + 1) * JUDGED_WIDTH, JUDGED_INNER)
        self.say = nn.Linear(JUDGED_INNER, 1)

    def forward(self, said: dict[str, Tensor], matches: Tensor) -> Tensor:
        """Log-odds for each turn, from how each token is met: matches are (query, turn, side, token)."""
        behind = matches - matches.amax(dim=1, keepdim=True)
        met = MET_SCALE * torch.cat([matches, behind], dim=2).transpose(2, 3)
        each = torch.tanh(said["leaning"][:, None] + self.meet(met))
        looked = torch.einsum("bth,bctk->bchk", said["looks"], each).flatten(2)
        most = each.masked_fill(~said["present"][:, None, :, None].bool(), -1.0).amax(dim=2)
        inner = torch.tanh(self.weigh(torch.cat([looked, most], dim=-1)))
        judged: Tensor = self.say(inner)[..., 0]
        return judged

    def read(self, states: Tensor, present: Tensor) -> dict[str, Tensor]:
        """What of a query is the same for every turn."""
        looks = self.look(states).masked_fill(~present, -1e4).softmax(dim=1)
        return {"leaning": self.lean(states), "looks": looks, "present": present[..., 0]}


class Heads(nn.Module):
    """Small readers over token states; each pools the tokens with an attention of its own."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.attend = nn.Linear(width, len(HEAD_SIZES))
        self.read = nn.ModuleDict({name: nn.Linear(2 * width, size) for name, size in HEAD_SIZES.items()})
        self.tags = nn.Linear(width, len(TAGS))
        self.topic = nn.Linear(width, width)
        nn.init.eye_(self.topic.weight)
        nn.init.zeros_(self.topic.bias)
        self.meet = nn.Linear(width, min(width, MEETING_WIDTH), bias=False)
        """Takes tokens, of queries and of turns alike, from the frozen encoder's states to where they meet."""
        nn.init.orthogonal_(self.meet.weight)
        self.telling = nn.Linear(width, 2)
        """How much a token tells: among the topic's tokens, and among all of the query's."""
        self.weigh = nn.Sequential(nn.Linear(COMPARISONS + len(LABELS) + len(KINDS), 24), nn.GELU(), nn.Linear(24, 1))
        """Only for training: what is compared and how the query reads, together."""
        self.judge = Judge(width)

    def forward(self, states: Tensor, mask: Tensor, plain: Tensor) -> dict[str, Tensor]:
        """Reads the fork's states, and the frozen encoder's own where tokens meet those of turns."""
        present = mask.bool().unsqueeze(-1)
        weights = self.attend(states).masked_fill(~present, -1e4).softmax(dim=1)
        pooled = torch.einsum("btk,btd->bkd", weights, states)
        first = states[:, 0]
        out = {name: self.read[name](torch.cat([pooled[:, i], first], dim=-1)) for i, name in enumerate(HEAD_SIZES)}
        out["tags"] = self.tags(states)
        belongs = out["tags"].softmax(-1)[..., 1:2] * present
        tells = torch.sigmoid(self.telling(states)) * present
        out["topic"] = self.pointed_at(states, belongs)
        out["gist"] = self.pointed_at(states, tells[..., 1:2])
        out["whole"] = functional.normalize((plain * present).sum(1), dim=-1, eps=1e-6)
        out["named"] = self.met(plain)
        out["topic_tells"] = belongs[..., 0] * tells[..., 0]
        out["query_tells"] = tells[..., 1]
        return out | self.judge.read(states, present)

    def met(self, states: Tensor) -> Tensor:
        return functional.normalize(self.meet(states), dim=-1)

    def fitting(self, said: dict[str, Tensor], compared: Tensor) -> Tensor:
        """Log-odds that each of some turns is the one a query means."""
        read = torch.cat([said["label"].log_softmax(-1), said["kind"].log_softmax(-1)], dim=-1)
        beside = read[:, None, :].expand(-1, compared.shape[1], -1)
        weighed: Tensor = self.weigh(torch.cat([4 * compared, beside], dim=-1))
        return weighed[..., 0]

    def pointed_at(self, states: Tensor, weight: Tensor) -> Tensor:
        """The place in sentence space that the weighted tokens name."""
        pooled = (self.topic(states) * weight).sum(1) / weight.sum(1).clamp(min=1e-4)
        return functional.normalize(pooled, dim=-1, eps=1e-6)


class ReferenceReader(nn.Module):
    """A frozen trunk with a learned fork of its top layers, and the heads on the fork."""

    def __init__(self, trunk: EncoderNetwork, layers: int, rank: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.trunk = trunk.requires_grad_(False).eval()
        self.shared = trunk.shape.layers - layers
        self.fork = nn.ModuleList(
            forked(layer, rank, dropout) for layer in list(trunk.layers)[self.shared :] if isinstance(layer, Layer)
        ).requires_grad_(True)
        self.heads = Heads(trunk.shape.width)

    def train(self, mode: bool = True) -> ReferenceReader:
        super().train(mode)
        self.trunk.eval()
        return self

    def states(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Token states on the fork, and the frozen encoder's own."""
        trunk = self.trunk
        places = torch.arange(tokens.shape[1], device=tokens.device)
        plain: Tensor = trunk.embedded(trunk.pieces(tokens) + trunk.positions(places))
        attention = mask[:, None, None, :].bool()
        states = plain
        for i, layer in enumerate(trunk.layers):
            with torch.no_grad():
                plain = layer(plain, attention)
            states = plain if i < self.shared else self.fork[i - self.shared](states, attention)
        return states, plain

    def forward(self, tokens: Tensor, mask: Tensor) -> dict[str, Tensor]:
        states, plain = self.states(tokens, mask)
        said: dict[str, Tensor] = self.heads(states, mask, plain)
        return said
