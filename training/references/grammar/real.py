"""Real utterances for the training set: fresh questions as "points at nothing", dependent turns as follow-ups.

A quarter of the fresh questions, chosen by a stable hash of their text, is never trained on: false alarms on
real questions are measured there.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.references.example import Label, Lang, stable_hash

HELD_OUT_ONE_IN = 4
LONGEST = 160
BUCKETS = 64

POINTS_BACK = re.compile(
    r"\b(you (just )?(said|told|mention\w*|answer\w*)|did you (just )?say|(say|tell me) (that|it)|i asked|did i ask"
    r"|i had you|had wanted|wanted to remember|remind me again|that last|go(ing)? back to|(come|get|back) to that"
    r"|earlier|you talk|a(bove|foremention\w*)|previous(ly)?|again|repeat|how long again|what again"
    r"|sinabi mo|sabi mo|tanong ko|ulitin|ulit|kanina|iyon|nauna|binanggit)\b",
    re.IGNORECASE,
)
"""Wide on purpose: losing a good negative costs nothing, a pointer taught as a negative does."""

LEANS_ON_CONTEXT = re.compile(
    r"\b(it|its|that|this|these|those|he|she|him|his|her|they|them|their|one|ones|there|else|too|also|other|another"
    r"|ito|iyan|yan|yun|siya|sila|niya|nila|nito|niyan|doon|dito|rito|diyan)\b",
    re.IGNORECASE,
)


THANKS_OR_ORDER = re.compile(r"\b(thank\w*|bye|first|second|third|last|latter|former)\b", re.IGNORECASE)
"""Later turns that close the talk or point by order, which are no plain follow-ups."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A real sentence, its language, what it is, and the pattern family it counts as."""

    text: str
    lang: Lang
    label: Label
    family: str

    @property
    def source(self) -> str:
        return self.family.split(".")[1] if self.family.startswith("real.") else self.family.split(".")[0]


def is_held_out_question(text: str) -> bool:
    """Say whether a fresh question is kept for measuring."""
    return stable_hash(_plain(text)) % HELD_OUT_ONE_IN == 0


def trainable_questions(path: Path) -> Iterator[Utterance]:
    """Give the fresh questions that training may see, without the few that ask for a repeat."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        text = str(row["text"]).replace("`` ", '"').replace(" ''", '"').replace(" ?", "?")
        if is_held_out_question(str(row["text"])) or _asks_for_repeat(text):
            continue
        yield _utterance(text, "tl" if row["lang"] == "tl" else "en", "none", str(row["source"]))


def _asks_for_repeat(text: str) -> bool:
    return REPEATS.search(text) is not None


REPEATS = re.compile(
    r"had you look up|hindi kita marinig|say that last|remind me again|cancel that last|remember earlier"
    r"|remember what again|how long again|ulitin (lahat|ang kahit)|podcast before|was at earlier|naroroon ko kanina"
    r"|plan again|say (that|it) again|what did you say|repeat (that|it)\b|paksang iyon",
    re.IGNORECASE,
)


def parallel_sentences(folder: Path, questions: Path) -> Iterator[Utterance]:
    """Give commands, talk and news that stand on their own, none of them a held-out question or its translation."""
    kept_out = {_plain(str(json.loads(line)["text"])) for line in questions.read_text(encoding="utf-8").splitlines()}
    for name, share in (("massive", 1), ("tatoeba", 1), ("alt", 6)):
        with (folder / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                pair: tuple[tuple[str, Lang], ...] = ((row["en"], "en"), (row["tl"], "tl"))
                if any(_plain(text) in kept_out for text, _ in pair) or stable_hash(row["en"]) % share:
                    continue
                yield from (_utterance(text, lang, "none", name) for text, lang in pair if _stands_alone(text, name))


def _stands_alone(text: str, source: str) -> bool:
    if not len(text.split()) >= 2 or len(text) > LONGEST or POINTS_BACK.search(text):
        return False
    return source == "alt" or not LEANS_ON_CONTEXT.search(text)


def conversation_turns(folder: Path) -> Iterator[Utterance]:
    """Give first turns as fresh questions, and later turns whose rewrite differs as follow-ups."""
    seen: set[str] = set()
    for source, is_first, raw, rewrite in _conversations(folder):
        text = raw.strip()
        if not text or len(text) > LONGEST or POINTS_BACK.search(text):
            continue
        if text in seen or THANKS_OR_ORDER.search(text):
            continue
        seen.add(text)
        if is_first and not LEANS_ON_CONTEXT.search(text):
            yield _utterance(text, "en", "none", source)
        elif not is_first and _plain(text) != _plain(rewrite) and _depends(text):
            yield _utterance(text, "en", "followup", source)


def _depends(text: str) -> bool:
    names_somebody = any(word[:1].isupper() for word in text.split()[1:])
    return LEANS_ON_CONTEXT.search(text) is not None or (len(text.split()) <= 4 and not names_somebody)


def _conversations(folder: Path) -> Iterator[tuple[str, bool, str, str]]:
    yield from _cast_2019(folder)
    for year in ("2021_manual", "2022"):
        yield from _cast_later(next(folder.glob(f"cast_{year}*.json")))
    for row in json.loads((folder / "canard_dev.json").read_text(encoding="utf-8")):
        if row["Question_no"] > 1:
            yield "canard", False, row["Question"], row["Rewrite"]
    for dialogue in json.loads((folder / "gecor_camrest.json").read_text(encoding="utf-8")):
        for turn in dialogue["dial"]:
            user, first = turn["usr"], turn["turn"] == 0
            for text in (user["transcript_with_ellipsis"], user["transcript_with_coreference"]):
                if not first and text:
                    yield "gecor", False, text, user["transcript_complete"]
            if first:
                yield "gecor", True, user["transcript_complete"], user["transcript_complete"]


def _cast_2019(folder: Path) -> Iterator[tuple[str, bool, str, str]]:
    resolved: dict[str, str] = {}
    path = next(folder.glob("cast_2019*resolved*.tsv"))
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, text = line.partition("\t")
        resolved[key] = text
    for topic in json.loads(next(folder.glob("cast_2019*topics_v1.0.json")).read_text(encoding="utf-8")):
        for turn in topic["turn"]:
            key = f"{topic['number']}_{turn['number']}"
            yield "cast", turn["number"] == 1, turn["raw_utterance"], resolved.get(key, turn["raw_utterance"])


def _cast_later(path: Path) -> Iterator[tuple[str, bool, str, str]]:
    for topic in json.loads(path.read_text(encoding="utf-8")):
        for turn in topic["turn"]:
            raw = turn.get("raw_utterance") or turn.get("utterance")
            if raw:
                first = turn["number"] in (1, "1-1")
                yield "cast", first, raw, turn.get("manual_rewritten_utterance", raw)


def _utterance(text: str, lang: Lang, label: Label, source: str) -> Utterance:
    return Utterance(text.strip(), lang, label, f"real.{source}.{stable_hash(text) % BUCKETS}")


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
