"""Measures the extractive condenser: `python -m benchmarks.condense CONVERSATIONS_PATH`.

CONVERSATIONS_PATH is a folder with LongMemEval-style haystacks (*.haystacks.jsonl) and their questions
(*.questions.jsonl), whose gold messages hold the evidence that a good summary should still carry. Ways of using the
same number of tokens are compared: the extractive summary, the same made in several folds, the beginning of every
message in turn (lead), of every user's message (user_lead), and the newest messages (recency). Reported is the share
of the gold messages' key terms that each of them retains, weighted by rarity, and how long condensing takes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core is what is promised

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from gunita.language.condense import ExtractiveCondenser, TruncatingCondenser, message_sentences, written
from gunita.language.tokens import Tokens
from gunita.language.words import LONGEST_TEXT_READ, content_words, english_stem
from gunita.models import Role

TOKENS = Tokens()
MANY = 10_000
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Spoken:
    role: Role
    content: str
    id: str


Summariser = Callable[[Sequence[Spoken], int], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("conversations", type=Path)
    parser.add_argument("--session-tokens", type=int, default=150)
    parser.add_argument("--chat-tokens", type=int, default=2_000)
    parser.add_argument("--show", action="store_true", help="print two summaries to read")
    given = parser.parse_args()
    haystacks, gold = loaded(given.conversations)
    sessions = [session for haystack in haystacks for session in haystack]
    rarity = rarities([message for session in sessions for message in session])
    figures: dict[str, Any] = {
        "sessions": retained(evidenced(sessions, gold), gold, rarity, given.session_tokens),
        "long_chats": retained(
            [list(chain.from_iterable(haystack)) for haystack in haystacks], gold, rarity, given.chat_tokens
        ),
        "seconds": durations([message for session in sessions for message in session]),
    }
    print(json.dumps(figures, indent=1))
    if given.show:
        for session in evidenced(sessions, gold)[:2]:
            print("\n--\n" + extracted(session, given.session_tokens))


def loaded(folder: Path) -> tuple[list[list[list[Spoken]]], set[str]]:
    haystacks = [json.loads(line) for path in sorted(folder.glob("*.haystacks.jsonl")) for line in path.open()]
    questions = [json.loads(line) for path in sorted(folder.glob("*.questions.jsonl")) for line in path.open()]
    talks = [
        [[Spoken(Role(m["role"]), m["text"], m["id"]) for m in session["messages"]] for session in haystack["sessions"]]
        for haystack in haystacks
    ]
    return talks, {message for question in questions for message in question["gold"]}


def evidenced(sessions: Sequence[list[Spoken]], gold: set[str]) -> list[list[Spoken]]:
    return [session for session in sessions if any(message.id in gold for message in session)]


def retained(
    talks: Sequence[list[Spoken]], gold: set[str], rarity: dict[str, float], budget: int
) -> dict[str, dict[str, float]]:
    """For each way of condensing, the mean over gold messages of the share of key terms that is still there."""
    found: dict[str, dict[str, float]] = {}
    for name, summarise in WAYS.items():
        shares: dict[Role, list[float]] = {role: [] for role in Role}
        sizes: list[int] = []
        for talk in talks:
            summary = summarise(talk, budget)
            sizes.append(TOKENS.count(summary))
            kept = terms(summary)
            for message in talk:
                if message.id in gold:
                    shares[message.role].append(share_of(terms(message.content), kept, rarity))
        every = [share for role in Role for share in shares[role]]
        found[name] = {
            "key_terms_kept": mean(every),
            **{f"of_{role.value}_messages": mean(shares[role]) for role in Role},
            "gold_messages": len(every),
            "mean_tokens": round(sum(sizes) / len(sizes), 1),
        }
    return found


def extracted(talk: Sequence[Spoken], budget: int) -> str:
    return ExtractiveCondenser(TOKENS).condense(None, talk, budget).content


def folded(talk: Sequence[Spoken], budget: int) -> str:
    """The same in several folds, as it happens while a conversation grows."""
    summary: str | None = None
    size = max(math.ceil(len(talk) / FOLDS), 1)
    for start in range(0, len(talk), size):
        summary = ExtractiveCondenser(TOKENS).condense(summary, talk[start : start + size], budget).content
    return summary or ""


def lead(talk: Sequence[Spoken], budget: int) -> str:
    """First sentences of all messages, then second ones, until the budget is used."""
    everything = message_sentences(talk)
    rank: Counter[int] = Counter()
    ranked = []
    for place, sentence in enumerate(everything):
        ranked.append((rank[sentence.message], place))
        rank[sentence.message] += 1
    chosen: list[int] = []
    left = budget
    for _, place in sorted(ranked):
        cost = TOKENS.count(everything[place].text) + 3
        if cost <= left:
            chosen.append(place)
            left -= cost
    return written(everything[place] for place in sorted(chosen))


def user_lead(talk: Sequence[Spoken], budget: int) -> str:
    return lead([message for message in talk if message.role is Role.USER], budget)


def recency(talk: Sequence[Spoken], budget: int) -> str:
    text = "\n".join(f"{message.role.value}: {message.content}" for message in talk)
    return TOKENS.tail(text, budget)


WAYS: dict[str, Summariser] = {
    "extractive": extracted,
    "folded": folded,
    "lead": lead,
    "user_lead": user_lead,
    "recency": recency,
}


def mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def terms(text: str) -> set[str]:
    parts = (text[start : start + LONGEST_TEXT_READ] for start in range(0, len(text), LONGEST_TEXT_READ))
    return {english_stem(word) for part in parts for word in content_words(part)}


def share_of(wanted: set[str], kept: set[str], rarity: dict[str, float]) -> float:
    whole = sum(rarity.get(term, 1.0) for term in wanted)
    return sum(rarity.get(term, 1.0) for term in wanted & kept) / whole if whole else 1.0


def rarities(messages: Sequence[Spoken]) -> dict[str, float]:
    held = Counter(term for message in messages for term in terms(message.content))
    return {term: math.log(1 + len(messages) / count) for term, count in held.items()}


def durations(messages: Sequence[Spoken]) -> dict[str, float]:
    many = [messages[number % len(messages)] for number in range(MANY)]
    return dict(timed(many))


def timed(many: Sequence[Spoken]) -> Iterator[tuple[str, float]]:
    for name, condenser in (("extractive", ExtractiveCondenser(TOKENS)), ("truncation", TruncatingCondenser(TOKENS))):
        for count in (20, 1_000, len(many)):
            began, worked = time.perf_counter(), time.process_time()
            condenser.condense(None, many[:count], 1_000)
            yield f"{name}_{count}_messages", round(time.perf_counter() - began, 3)
            yield f"{name}_{count}_messages_cpu", round(time.process_time() - worked, 3)


if __name__ == "__main__":
    main()
