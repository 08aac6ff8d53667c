"""Folds a conversation into a summary that people and models can read, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np

from gunita.language.keywords import key_topics
from gunita.language.salience import Bag, Floats, Integers, Sentence, likeness, scores
from gunita.language.sentences import sentences
from gunita.language.tokens import Tokens
from gunita.models import Role, Summary

EXTRACTIVE, TRUNCATION = "extractive", "truncation"
FULL = 0.95
"""The share of the budget from which on a conversation is folded."""
NEWEST_KEPT = 6
"""Messages that stay as they are when the rest is folded: three turns."""

CHARACTERS_READ = 2_000_000
"""Of all messages together, shared equally: what bounds the time for any conversation."""
LEAST_READ = 200
READ_FOR_TOPICS = 2_000
"""Sentences, the better half; topics show in far fewer than all."""
FEW_SENTENCES = 20
TOKENS_A_SENTENCE = 24
CHOICES_A_PLACE = 8
MOST_CHOICES = 800
OLD_SHARE = 0.6
"""Of the budget, for what the last summary held, when the new messages could fill it all."""
CROWDING = 0.8
"""What a second sentence from the same stretch is worth beside the first."""

SPEAKERS = {Role.USER: "User", Role.ASSISTANT: "Assistant"}
ENDINGS = tuple('.!?…:;,。！？"”’)]')
SPEAKER_TOKENS = 2
"""What naming the speaker costs a sentence, on average; the finished text is counted exactly."""
SPOKEN_LINE = re.compile(r"(User|Assistant): (.*)", re.DOTALL)


class Said(Protocol):
    """A message, for all a condenser needs to know."""

    @property
    def role(self) -> Role: ...

    @property
    def content(self) -> str: ...


AnySaid = TypeVar("AnySaid", bound=Said)


class Condenser(Protocol):
    """Folds the last summary and the messages since into a new summary of at most that many tokens."""

    def condense(self, previous_summary: str | None, messages: Sequence[Said], budget_tokens: int) -> Summary: ...


def should_condense(tokens_used: int, budget: int, message_count: int, message_limit: int | None = None) -> bool:
    """Say whether what is not folded yet has grown too long, by tokens or, where so configured, by messages."""
    return tokens_used > FULL * budget or (message_limit is not None and message_count >= message_limit)


def to_fold(messages: Sequence[AnySaid], newest_kept: int = NEWEST_KEPT) -> Sequence[AnySaid]:
    """Give the messages to fold: all but the newest; the newest keep their question with them."""
    end = max(len(messages) - max(newest_kept, 0), 0)
    while 0 < end < len(messages) and messages[end].role is Role.ASSISTANT:
        end -= 1
    return messages[:end]


@dataclass(frozen=True, slots=True)
class ExtractiveCondenser:
    """Chooses the sentences that say most, tells who said them, and keeps their order."""

    tokens: Tokens = field(default_factory=Tokens)

    def condense(self, previous_summary: str | None, messages: Sequence[Said], budget_tokens: int) -> Summary:
        old = summary_sentences(previous_summary or "")
        new = message_sentences(messages, first=1)
        everything = [*old, *new]
        if not everything:
            return TruncatingCondenser(self.tokens).condense(previous_summary, messages, budget_tokens)
        places = max(budget_tokens // TOKENS_A_SENTENCE, 1)
        block = stretches(everything, places)
        value, bag = scores(everything, block)
        chosen = self._chosen(everything, len(old), value, bag, block, budget_tokens)
        content = self._fitting(everything, chosen, budget_tokens)
        if not content:
            return TruncatingCondenser(self.tokens).condense(previous_summary, messages, budget_tokens)
        return Summary(content, topics_of(everything, value), EXTRACTIVE, self.tokens.count(content))

    def _chosen(
        self, everything: Sequence[Sentence], old: int, value: Floats, bag: Bag, block: Integers, budget: int
    ) -> list[int]:
        """Choose sentences, best first: some of the last summary's, then new ones until the budget is used."""
        places = np.arange(len(everything))
        costs = dict[int, int]()
        remembered = self._picked(
            everything, places[:old], value, bag, block, costs, self._old_room(everything, old, budget)
        )
        left = budget - sum(costs[place] for place in remembered)
        return remembered + self._picked(everything, places[old:], value, bag, block, costs, left, beside=remembered)

    def _old_room(self, everything: Sequence[Sentence], old: int, budget: int) -> int:
        """Leave the last summary what new messages cannot use, and never less than its share."""
        new_tokens = 0
        for sentence in everything[old:]:
            new_tokens += self.tokens.count(sentence.text) + SPEAKER_TOKENS
            if new_tokens > budget:
                break
        return max(int(OLD_SHARE * budget), budget - new_tokens)

    def _picked(
        self,
        everything: Sequence[Sentence],
        among: Integers,
        value: Floats,
        bag: Bag,
        block: Integers,
        costs: dict[int, int],
        room: int,
        beside: Sequence[int] = (),
    ) -> list[int]:
        choices = best_choices(among, value, block, CHOICES_A_PLACE * max(room // TOKENS_A_SENTENCE, 1))
        everyone = np.array([*choices, *beside], dtype=np.int64)
        alike = likeness(bag, everyone)
        worth = value[everyone] - value[everyone].min(initial=0.0)
        closest = alike[:, len(choices) :].max(axis=1, initial=0.0)[: len(choices)]
        crowd = np.zeros(int(block.max(initial=0)) + 1)
        open_ = np.ones(len(choices), dtype=bool)
        picked: list[int] = []
        while open_.any() and room > 0:
            gain = worth[: len(choices)] * (1.0 - closest) * CROWDING ** crowd[block[choices]]
            best = int(np.where(open_, gain, -1.0).argmax())
            open_[best] = False
            place = int(choices[best])
            cost = costs.setdefault(place, self.tokens.count(everything[place].text) + SPEAKER_TOKENS)
            if gain[best] <= 0 or cost > room:
                continue
            picked.append(place)
            room -= cost
            crowd[block[place]] += 1
            closest = np.maximum(closest, alike[: len(choices), best])
        return picked

    def _fitting(self, everything: Sequence[Sentence], chosen: list[int], budget: int) -> str:
        """Write the chosen sentences in order, without the least worthy ones if they are too long together."""
        for count in range(len(chosen), 0, -1):
            content = written(everything[place] for place in sorted(chosen[:count]))
            if self.tokens.fits(content, budget):
                return content
        return ""


@dataclass(frozen=True, slots=True)
class TruncatingCondenser:
    """The last resort: the beginning of the last summary and the ends of the talk, shortened."""

    tokens: Tokens = field(default_factory=Tokens)

    def condense(self, previous_summary: str | None, messages: Sequence[Said], budget_tokens: int) -> Summary:
        old = self.tokens.head(
            (previous_summary or "").strip(), int(OLD_SHARE * budget_tokens) if messages else budget_tokens
        )
        lines: list[str] = []
        for message in reversed(messages):
            said = self.tokens.head(" ".join(message.content.split()), TOKENS_A_SENTENCE)
            attempt = [f"{SPEAKERS[message.role]}: {said}", *lines]
            if not self.tokens.fits("\n".join([old, *attempt]), budget_tokens):
                break
            lines = attempt
        content = "\n".join(line for line in (old, *lines) if line)
        return Summary(content, key_topics([content], [0]), TRUNCATION, self.tokens.count(content))


def message_sentences(messages: Sequence[Said], first: int = 0) -> list[Sentence]:
    """Part messages into sentences; of very many messages only the beginning is read, less of an answer."""
    most = max(CHARACTERS_READ // max(len(messages), 1), LEAST_READ)
    read = {Role.USER: most * 3 // 2, Role.ASSISTANT: most // 2}
    return [
        Sentence(text, message.role, first + number, is_opening=place == 0)
        for number, message in enumerate(messages)
        for place, text in enumerate(sentences(message.content[: read[message.role]]))
    ]


def summary_sentences(summary: str) -> list[Sentence]:
    """Read a summary back, whoever wrote it: lines that name a speaker keep him."""
    roles = {name: role for role, name in SPEAKERS.items()}
    found: list[Sentence] = []
    for line in summary.splitlines():
        spoken = SPOKEN_LINE.match(line.strip())
        role = roles[spoken.group(1)] if spoken else None
        found += [Sentence(text, role, 0) for text in sentences(spoken.group(2) if spoken else line)]
    return found


def topics_of(everything: Sequence[Sentence], value: Floats) -> tuple[str, ...]:
    """Name the topics of the sentences that say most."""
    count = min(READ_FOR_TOPICS, max(len(everything) // 2, FEW_SENTENCES))
    telling = [everything[place] for place in np.sort(np.argsort(-value, kind="stable")[:count])]
    return key_topics([sentence.text for sentence in telling], [sentence.message for sentence in telling])


def stretches(everything: Sequence[Sentence], count: int) -> Integers:
    """Part the conversation into that many stretches of messages at most, so that none of it is forgotten."""
    message = np.array([sentence.message for sentence in everything], dtype=np.int64)
    _, order = np.unique(message, return_inverse=True)
    return np.asarray(order * min(count, int(order.max()) + 1) // (int(order.max()) + 1), dtype=np.int64)


def best_choices(among: Integers, value: Floats, block: Integers, count: int) -> Integers:
    """Take the best of each stretch in turn, up to that many."""
    real = among[np.isfinite(value[among])]
    by_value = real[np.argsort(-value[real], kind="stable")]
    groups = block[by_value]
    by_block = np.argsort(groups, kind="stable")
    starts = np.concatenate(([0], np.flatnonzero(np.diff(groups[by_block])) + 1)) if len(groups) else by_block
    sizes = np.diff(np.append(starts, len(groups)))
    rank = np.empty(len(groups), dtype=np.int64)
    rank[by_block] = np.arange(len(groups)) - np.repeat(starts, sizes)
    return by_value[np.argsort(rank, kind="stable")[: min(count, MOST_CHOICES)]]


def written(chosen: Iterable[Sentence]) -> str:
    """Write sentences as lines, one for each stretch of talk by one speaker."""
    lines: list[tuple[Role | None, list[str]]] = []
    for sentence in chosen:
        # Chat often goes without a full stop; two sentences on a line need one.
        text = sentence.text if sentence.text.endswith(ENDINGS) else f"{sentence.text}."
        if lines and lines[-1][0] is sentence.role:
            lines[-1][1].append(text)
        else:
            lines.append((sentence.role, [text]))
    return "\n".join(f"{SPEAKERS[role]}: {' '.join(said)}" if role else " ".join(said) for role, said in lines)
