"""Fits what tells that a query names two topics: `python -m training.references.pairs --out DIR`.

DIR holds the exported model, with heads.npz and calibration.npz; both are written again with what was fitted. Each line
of pairs/*.tsv is `domain, language, label, turns, query`: "both" wants two turns, "either" one of two, "one" looks like
it and wants one, "none" wants none; topics stand in [brackets]. The heads are fitted on all lines, what weighs them
together with the turns on those whose domains no network learns from.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from gunita.language import topics
from gunita.language.encoder import Encoder
from gunita.language.heads import Floats, ReferenceHeads, whole_query
from gunita.language.readings import Readings
from gunita.models import Turn
from training.references.bank import APART, BankTurn, Domain, load_bank
from training.references.calibrate import named, report_curve
from training.references.fitting import arrays, fit_net, mean_net, settle, store
from training.references.read import NOBODY, THEN
from training.references.written import read_all

FOLDER = Path(__file__).parent / "pairs"
LABELS = ("both", "either", "one", "none")
JOINS = LABELS[:2]
FOLDS = 4
NETS, HIDDEN, STEPS = 5, 8, 150
SHRINKING_JOINS, SHRINKING_TWO = 2e-4, 1e-2
LIFTED = {"both": 1.75, "either": 0.0}
"""Lift of log-odds: who talks to one conversation names two topics more often than the queries of all domains do."""
SHORTER_SHARE = 0.5
"""How many queries stand on a part of their conversation instead of the whole."""


JOINERS = {
    "en": {"both": (" and ", " and also ", " plus ", " & ", ", then ", " with "), "either": (" or ", " or maybe ")},
    "tl": {"both": (" at ", " at saka ", " saka ", " pati "), "either": (" o ", " o kaya ")},
    "taglish": {"both": (" tsaka ", " saka ", " pati ", " and ", " plus "), "either": (" o ", " or ", " ba o ")},
    "ceb": {"both": (" ug ", " ug apil ", " ug pati "), "either": (" o ", " o kaha ")},
    "es": {"both": (" y ", " y también "), "either": (" o ", " o quizás ")},
}
"""How people join two topics when they say little else."""
TAILS = {
    "en": ("", " please", ", again", ", both", "?"),
    "tl": ("", ", pakiulit", " po", "?"),
    "taglish": ("", ", pakiulit", " ulit", " nga", "?"),
    "ceb": ("", ", usba palihog", " pud", "?"),
    "es": ("", ", por favor", "?"),
}


class PairError(ValueError):
    """A line that does not say what it should."""


@dataclass(frozen=True, slots=True)
class Line:
    """A query that names two topics, or looks like it."""

    domain: str
    lang: str
    label: str
    turns: tuple[str, ...]
    query: str
    spans: tuple[tuple[int, int], ...] = ()
    """Where its topics stand, as far as they are marked."""


def read_lines() -> list[Line]:
    lines = []
    for path in sorted(FOLDER.glob("*.tsv")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                lines.append(read_line(text))
            except ValueError as wrong:
                raise PairError(f"{path.name}:{number}: {wrong}: {text[:100]}") from wrong
    return lines


def read_line(text: str) -> Line:
    domain, lang, label, numbers, marked = text.split("\t")
    spans, plain = [], marked
    while "[" in plain:
        head, rest = plain.split("[", 1)
        topic, tail = rest.split("]", 1)
        spans.append((len(head), len(head) + len(topic)))
        plain = head + topic + tail
    turns = tuple(f"{domain}/{number.strip()}" for number in numbers.split(",") if number.strip())
    wanted = {"both": 2, "either": 2, "one": 1, "none": 0}[label]
    if len(turns) != wanted or len(spans) != wanted:
        raise ValueError(f"{label} names {wanted} turns and topics")
    return Line(domain, lang, label, turns, plain.strip(), tuple(spans))


def in_few_words(line: Line, rng: random.Random) -> Line:
    """The same topics with next to nothing around them, as people type on a phone."""
    topics_, tail = [line.query[start:end] for start, end in line.spans], rng.choice(TAILS[line.lang])
    if line.label not in JOINS:
        return replace(line, query=topics_[0] + tail, spans=((0, len(topics_[0])),))
    first, joined = len(topics_[0]), topics_[0] + rng.choice(JOINERS[line.lang][line.label])
    spans = ((0, first), (len(joined), len(joined) + len(topics_[1])))
    return replace(line, query=joined + topics_[1] + tail, spans=spans)


def all_lines() -> list[Line]:
    rng, written = random.Random(7), read_lines()
    return [*written, *(in_few_words(line, rng) for line in written if line.spans), *written_apart()]


def written_apart() -> Iterator[Line]:
    """Queries that name one topic, whether one turn fits it or several, and those that name none of the history."""
    for written in read_all(APART):
        if written.example.kind == "topic":
            yield Line(written.domain, written.example.lang, "one", written.turns, written.example.query)
        elif written.example.label == "none":
            yield Line(written.domain, written.example.lang, "none", (), written.example.query)


# What the heads say of it


def fit_heads(encoder: Encoder, lines: Sequence[Line]) -> dict[str, Floats]:
    """Curves over states: which tokens join two topics, and whether the whole query names two."""
    read = [(line, encoder.point(line.query)) for line in lines]
    states = np.concatenate([pointing.states for _, pointing in read])
    joining = np.concatenate([joining_tokens(line, pointing.offsets) for line, pointing in read])
    whole = np.stack([whole_query(pointing.states) for _, pointing in read])
    two = np.array([[float(line.label == label) for label in JOINS] for line in lines], np.float32)
    return fit_curves("joins", states, joining, SHRINKING_JOINS) | fit_curves("two", whole, two, SHRINKING_TWO)


def joining_tokens(line: Line, offsets: Sequence[tuple[int, int]]) -> Floats:
    wanted = np.zeros((len(offsets), len(JOINS)), np.float32)
    if line.label in JOINS:
        begin, end = line.spans[0][1], line.spans[1][0]
        wanted[:, JOINS.index(line.label)] = [begin <= start < stop <= end for start, stop in offsets]
    return wanted


def fit_curves(name: str, states: Floats, wanted: Floats, shrinking: float) -> dict[str, Floats]:
    """Logistic curves, small in terms of how much each number of a state differs."""
    mean, spread = states.mean(axis=0), states.std(axis=0) + 1e-3
    x, y = torch.from_numpy((states - mean) / spread), torch.from_numpy(wanted)
    weight = torch.zeros(y.shape[1], x.shape[1], requires_grad=True)
    bias = torch.full((y.shape[1],), -3.0, requires_grad=True)

    def loss() -> torch.Tensor:
        wrong = functional.binary_cross_entropy_with_logits(x @ weight.T + bias, y, reduction="none").sum(1).mean()
        return wrong + shrinking * weight.square().sum()

    settle(loss, [weight, bias], steps=0)
    plain = weight.detach().numpy() / spread
    return {f"{name}.weight": plain, f"{name}.bias": bias.detach().numpy() - plain @ mean}


# Whether a query names two


def rows_of(readings: Readings, lines: Sequence[Line], domains: dict[str, Domain]) -> tuple[Floats, Floats, list[str]]:
    """What speaks for two topics in each query, and whether both are meant, and one of both."""
    rng, rows, wanted, kept = random.Random(5), [], [], []
    for line in lines:
        history = conversation(line, domains[line.domain], rng)
        turns = [Turn(NOBODY, NOBODY, "user", n, t.query, t.response, THEN) for n, t in enumerate(history, 1)]
        pair = readings.compared(line.query, None, turns).pair
        if pair is None:
            continue
        found = {history[pair.first].id, history[pair.second].id} == set(line.turns)
        rows.append(pair.row)
        wanted.append([float(found and line.label == label) for label in JOINS])
        kept.append(line.domain)
    return np.stack(rows), np.array(wanted, np.float32), kept


def conversation(line: Line, domain: Domain, rng: random.Random) -> list[BankTurn]:
    """The whole conversation in its order, or a part of it that holds what is meant."""
    if rng.random() > SHORTER_SHARE:
        return list(domain.turns)
    others = [turn.id for turn in domain.turns if turn.id not in line.turns]
    kept = {*line.turns, *rng.sample(others, rng.randint(min(2, len(others)), len(others)))}
    return [turn for turn in domain.turns if turn.id in kept]


def fold_of(domain: str) -> int:
    return sum(domain.encode()) % FOLDS


def fit(encoder: Encoder, heads: dict[str, Floats]) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The heads, fitted on all lines, and the curves after them, fitted on what heads say that never saw the domain."""
    domains = {domain.name: domain for domain in load_bank(APART)}
    lines = all_lines()
    rows, wanted, places = [], [], []
    for held_out in range(FOLDS):
        unseen = [line for line in lines if line.domain in domains and fold_of(line.domain) == held_out]
        taught = [line for line in lines if line.domain not in domains or fold_of(line.domain) != held_out]
        readings = Readings(encoder, ReferenceHeads(heads | fit_heads(encoder, taught)))
        found, meant, of = rows_of(readings, unseen, domains)
        rows.append(found)
        wanted.append(meant)
        places += of
    return fit_heads(encoder, lines), curves(np.concatenate(rows), np.concatenate(wanted), places)


def curves(rows: Floats, wanted: Floats, places: Sequence[str]) -> dict[str, Floats]:
    fold = np.array([fold_of(domain) for domain in places])
    found: dict[str, Floats] = {}
    for column, label in enumerate(JOINS):
        said = np.zeros(len(rows), np.float32)
        for held_out in range(FOLDS):
            net = topics.SmallNet(several_fits(rows[fold != held_out], wanted[fold != held_out, column]))
            said[fold == held_out] = net.probability(rows[fold == held_out])
        report_curve(label, said, wanted[:, column])
        fitted = several_fits(rows, wanted[:, column])
        found |= named(label, fitted | {"bias": fitted["bias"] + np.float32(LIFTED[label])})
    return found


def several_fits(rows: Floats, wanted: Floats) -> dict[str, Floats]:
    """The mean of a few small networks, which few queries teach more safely than one."""
    return mean_net([fit_net(rows, wanted, HIDDEN, STEPS) for _ in range(NETS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(1)
    encoder = Encoder((args.out / "encoder.onnx").read_bytes(), (args.out / "tokenizer.json").read_bytes())
    added, found = fit(encoder, arrays(args.out / "heads.npz"))
    store(args.out / "heads.npz", {name: array.astype(np.float16) for name, array in added.items()})
    store(args.out / "calibration.npz", found)


if __name__ == "__main__":
    main()
