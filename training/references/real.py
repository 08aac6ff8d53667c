"""Reads queries real people wrote, as examples: fresh questions, commands, and follow-ups with their rewrites."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.references.example import Example, Lang, stable_hash

HELD_OUT_SHARE = 4
"""One fresh question in four is never trained on, and is where false alarms are counted."""

# Asked of a voice assistant with no conversation before it, yet they do point back; they would teach the opposite.
POINTS_BACK = re.compile(
    r"\b(repeat (that|it|what|all)|say (that|it)( \w+)? again|what did you( just)? say|last thing i had you|"
    r"that last (thing|information)|remind me again|i wanted to remember|wanted to remember earlier|"
    r"hindi kita marinig|ulitin (iyon|yun|yon|mo|lahat)|sinabi mo|you (just )?said)\b",
    re.IGNORECASE,
)

# A follow-up whose dependence shows in its words; "what was the price range?" may as well be fresh.
LEANS_ON_CONTEXT = re.compile(
    r"\b(he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|those|these|there|one|ones|other|others|"
    r"else|instead|also|too|what about|how about)\b|^(and|but|or|so|why|how so|where|when|who)\b\W*$",
    re.IGNORECASE,
)
ANSWERS = re.compile(r"^\W*(yes|no|nope|yeah|ok|okay|alright|sure|thank|how about|what about)\b", re.IGNORECASE)


def is_held_out(text: str) -> bool:
    return stable_hash(text.strip().lower()) % HELD_OUT_SHARE == 0


def held_out_fresh(data: Path) -> list[dict[str, Any]]:
    """Fresh questions kept for measuring, as the file has them."""
    return [row for row in fresh_rows(data) if is_held_out(row["text"])]


def fresh_rows(data: Path) -> list[dict[str, Any]]:
    with (data / "questions" / "fresh.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def real_examples(data: Path) -> list[Example]:
    """Every real query that may be trained on, labelled, each once."""
    held_out = {row["text"].strip().lower() for row in held_out_fresh(data)}
    found: dict[str, Example] = {}
    for source in (fresh, utterances, questions_in_context, dialogue_turns, searches):
        for example in source(data):
            text = example.query.strip()
            if 2 < len(text) < 400 and text.lower() not in held_out and not POINTS_BACK.search(text):
                found.setdefault(text.lower(), example)
    return list(found.values())


def example(text: str, lang: Lang, source: str, label: str) -> Example:
    bucket = stable_hash(text) % 200
    return Example(text, lang, f"real-{source}-{bucket}", "followup" if label == "followup" else "none")


def fresh(data: Path) -> Iterator[Example]:
    for row in fresh_rows(data):
        yield example(row["text"], "tl" if row["lang"] == "tl" else "en", "fresh", "none")


def utterances(data: Path) -> Iterator[Example]:
    """Voice-assistant commands and short sentences; a pair is dropped when either side is held out."""
    held_out = {row["text"].strip().lower() for row in held_out_fresh(data)}
    for name in ("massive", "tatoeba"):
        rows = (data / "parallel" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
        for row in rows:
            english, _, tagalog = row.partition("\t")
            if english.strip().lower() in held_out or tagalog.strip().lower() in held_out:
                continue
            yield example(english, "en", name, "none")
            yield example(tagalog, "tl", name, "none")


def questions_in_context(data: Path) -> Iterator[Example]:
    """Questions that need the one before them, and their self-contained rewrites."""
    for row in json.loads((data / "conversations" / "canard_dev.json").read_text(encoding="utf-8")):
        yield from raw_and_rewritten(row["Question"], row["Rewrite"], "canard")


def dialogue_turns(data: Path) -> Iterator[Example]:
    for dialogue in json.loads((data / "conversations" / "gecor_camrest.json").read_text(encoding="utf-8")):
        for turn in dialogue["dial"]:
            user = turn["usr"]
            if not ANSWERS.search(user["transcript_complete"]):
                yield example(user["transcript_complete"], "en", "gecor", "none")
            for shortened in (user["transcript_with_ellipsis"], user["transcript_with_coreference"]):
                if shortened and turn["turn"] > 0 and LEANS_ON_CONTEXT.search(shortened):
                    yield example(shortened, "en", "gecor", "followup")


def searches(data: Path) -> Iterator[Example]:
    """Turns of conversational search with the rewrites their makers wrote."""
    folder = data / "conversations"
    for topic in json.loads((folder / "cast_2021_manual_evaluation_topics_v1.0.json").read_text(encoding="utf-8")):
        for turn in topic["turn"]:
            yield from raw_and_rewritten(turn["raw_utterance"], turn["manual_rewritten_utterance"], "cast")
    for topic in json.loads((folder / "cast_2022_evaluation_topics_tree_v1.0.json").read_text(encoding="utf-8")):
        for turn in topic["turn"]:
            if turn.get("participant") == "User" and "manual_rewritten_utterance" in turn:
                yield from raw_and_rewritten(turn["utterance"], turn["manual_rewritten_utterance"], "cast")


def raw_and_rewritten(raw: str, rewritten: str, source: str) -> Iterator[Example]:
    if raw.strip().lower() != rewritten.strip().lower() and LEANS_ON_CONTEXT.search(raw):
        yield example(raw, "en", source, "followup")
    yield example(rewritten, "en", source, "none")
