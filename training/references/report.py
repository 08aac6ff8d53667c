"""Says, on phrasings and domains never trained on, what the heads get right by language and by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from training.references.dataset import IGNORED
from training.references.example import Example
from training.references.feed import Batch, Feed
from training.references.heads import LABELS, ReferenceReader
from training.references.holdout import BANK_FAMILY
from training.references.library import Library, ratings

BESTS = ("best fit", "best judged")


@torch.no_grad()
def report(reader: ReferenceReader, checked: Feed, examples: Sequence[Example], library: Library) -> None:
    reader.eval()
    right = [flags for batch in checked.in_order() for flags in judged(reader, batch, library)]
    reader.train()
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    for example, flags in zip(examples, right, strict=True):
        hand = "written" if example.family.startswith(BANK_FAMILY) else "composed"
        for group in (example.lang, f"{hand} {example.kind or example.label}", hand):
            groups[group].append(flags)
    for group, found in sorted(groups.items()):
        names = sorted({name for flags in found for name in flags if name not in BESTS})
        shares = {name: np.mean([flags[name] for flags in found if name in flags]) for name in names}
        print(f"  {group:18} n={len(found):6} " + " ".join(f"{k} {100 * v:.1f}" for k, v in shares.items()), flush=True)
    for name in BESTS:
        told = told_apart(name, groups["written topic"], groups["written none"])
        print(f"  written topics told from fresh questions by the {name}: {100 * told:.1f} %", flush=True)


def told_apart(name: str, topics: Sequence[dict[str, float]], fresh: Sequence[dict[str, float]]) -> float:
    """How often a topic's best turn is rated above a fresh question's."""
    high, low = (np.array([row[name] for row in rows if name in row]) for rows in (topics, fresh))
    return float((high[:, None] > low[None, :]).mean()) if len(high) and len(low) else float("nan")


def judged(reader: ReferenceReader, batch: Batch, library: Library) -> list[dict[str, float]]:
    said, rows = reader(batch.ids, batch.mask), batch.rows
    flags = read_right(said, rows)
    compared = torch.nonzero((rows["turns"][:, 0] >= 0) | (rows["domain"] >= 0))[:, 0]
    if not len(compared):
        return flags
    company = library.company(rows["turns"][compared], rows["domain"][compared])
    rated = ratings(reader.heads, {name: value[compared] for name, value in said.items()}, company, library)
    ways = {
        **rated.ways,
        "fit": rated.fit,
        "judged": rated.judged,
        "all": torch.stack(list(rated.ways.values())).sum(0),
    }
    best = {"best fit": rated.fit.amax(-1).tolist(), "best judged": rated.judged.amax(-1).tolist()}
    found = {
        name: company.fitting.gather(1, scores.argmax(-1)[:, None])[:, 0].tolist() for name, scores in ways.items()
    }
    for i, row in enumerate(compared.tolist()):
        flags[row] |= {name: values[i] for name, values in best.items()}
        if rows["turns"][row, 0] >= 0 and rows["label"][row] == LABELS.index("reference"):
            flags[row] |= {name: float(hits[i]) for name, hits in found.items()}
    return flags


def read_right(said: dict[str, Tensor], rows: dict[str, Tensor]) -> list[dict[str, float]]:
    """What of each query is read as it is meant, without any turn."""
    whole = {
        "kind": said["kind"].argmax(-1) == rows["kind"],
        "time+off": (said["offset"].argmax(-1) == rows["offset"]) & (said["time"].argmax(-1) == rows["time"]),
        "tags": ((said["tags"].argmax(-1) == rows["tags"]) | (rows["tags"] == IGNORED)).all(1),
    }
    names = ("from_start", "from_end", "ago")
    places = torch.stack([((said[name] > 0) == (rows[name] > 0.5)).all(1) for name in names]).all(0).tolist()
    label = (said["label"].argmax(-1) == rows["label"]).tolist()
    pointing = (rows["label"] == LABELS.index("reference")).tolist()
    known = rows["places_known"].tolist()
    columns = {name: right.tolist() for name, right in whole.items()}
    flags: list[dict[str, float]] = []
    for i in range(len(label)):
        row = {"label": float(label[i])}
        if pointing[i]:
            row |= {name: float(values[i]) for name, values in columns.items()}
            row |= {"places": float(places[i])} if known[i] else {}
        flags.append(row)
    return flags
