"""Queries written one by one, in whole conversations' company, where the composed ones come from a grammar.

Each line of written/<domain>.tsv is `language, label, gold, query`, the topic in [brackets], numbers in {braces}.
Places stand with a comma between them where all are meant (`s1,s2`), with a stroke where one of them is (`s1/s2`).
A topic that was never talked about has `-` for its turns.
`python -m training.references.written --check` reads them all and says what is wrong where.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from training.references.bank import APART, BANK_DIRECTORY, load_bank
from training.references.example import Example
from training.spelling import chat_spelling, typos

FOLDER = Path(__file__).parent / "written"
NEVER = "-"
"""Stands for the turns of a topic that is said to have been talked about and never was."""
FAMILY = "bank."
"""A written query is held out with its domain, like every text taken whole from the bank."""
LANGUAGES = {"en", "tl", "taglish", "ceb", "es"}
RARE = {"ceb", "es"}
TIMES = {"now": "just_now", "earlier": "earlier", "opening": "opening"}
_BESIDE = re.compile(r"(.+?)([+-]\d+)$")


class WrittenError(ValueError):
    """A line that does not say what it should."""


@dataclass(frozen=True, slots=True)
class Written:
    """A written query and where it belongs."""

    domain: str
    example: Example
    turns: tuple[str, ...] = ()
    """Bank turns the topic fits; more than one where it fits them equally."""


def read_all(bank: Path = BANK_DIRECTORY) -> list[Written]:
    """The queries written for the domains of a bank."""
    known = known_turns(bank)
    return [written for path in files_of(bank) for written in read_file(path, known)]


def known_turns(bank: Path) -> set[str]:
    return {turn.id for domain in load_bank(bank) for turn in domain.turns}


def files_of(bank: Path) -> list[Path]:
    return sorted((FOLDER / APART.name if bank == APART else FOLDER).glob("*.tsv"))


def read_file(path: Path, known: set[str]) -> Iterator[Written]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield read_line(path.stem, line, known)
            except (ValueError, IndexError) as wrong:
                raise WrittenError(f"{path.name}:{number}: {wrong}: {line[:100]}") from wrong


def read_line(domain: str, line: str, known: set[str]) -> Written:
    lang, label, gold, marked = line.split("\t")
    if lang not in LANGUAGES:
        raise WrittenError(f"unknown language {lang}")
    query, topic, numbers = unmarked(marked)
    plain = Example(query, lang, FAMILY + domain, "none", topic=topic)  # type: ignore[arg-type]
    match label:
        case "none" | "followup":
            return Written(domain, replace(plain, label=label, topic=None))  # type: ignore[arg-type]
        case "temporal":
            return Written(domain, replace(plain, label="reference", kind="temporal", time=TIMES[gold], topic=None))
        case "topic":
            if topic is None:
                raise WrittenError("a topic query marks its topic")
            turns = () if gold == NEVER else bank_turns(domain, gold.split(","), known)
            example = replace(plain, label="reference", kind="topic", topic_turn=",".join(turns))
            return Written(domain, example, turns)
        case "ordinal" | "relative":
            return placed(domain, plain, label, gold, numbers, known)
        case _:
            raise WrittenError(f"unknown label {label}")


def placed(
    domain: str, plain: Example, label: str, gold: str, numbers: list[tuple[int, int]], known: set[str]
) -> Written:
    """A query that names places, or a place beside a topic or beside another place."""
    one_of, gold = "/" in gold, gold.replace("/", ",")
    offset: int | None = None
    if beside := _BESIDE.match(gold):
        gold, offset = beside[1], int(beside[2])
    example = replace(plain, label="reference", kind=label, offset=offset, one_of=one_of)  # type: ignore[arg-type]
    if gold[0].isdigit():
        turns = bank_turns(domain, [gold], known)
        return Written(domain, replace(example, topic_turn=turns[0]), turns)
    places = {letter: tuple(int(p[1:]) for p in gold.split(",") if p[0] == letter) for letter in "sea"}
    example = replace(example, topic=None, from_start=places["s"], from_end=places["e"], ago=places["a"])
    roles = {"s": "start", "e": "end", "a": "ago"}
    named = [(int(p[1:]), roles[p[0]]) for p in gold.split(",")]
    if len(numbers) == 2 and is_range(gold):
        named = [(named[0][0], "range_from"), (named[-1][0], "range_to")]
    if len(numbers) == len(named):
        spans = tuple((start, end, value) for (start, end), (value, _) in zip(numbers, named, strict=True))
        example = replace(example, number_spans=spans, number_roles=tuple(role for _, role in named))  # type: ignore[arg-type]
    return Written(domain, example)


def is_range(gold: str) -> bool:
    """Whether three or more places stand in a row, so that two numbers can name them: "2 to 4"."""
    places = gold.split(",")
    first = places[0]
    return len(places) > 2 and first[0] == "s" and places == [f"s{int(first[1:]) + i}" for i in range(len(places))]


def bank_turns(domain: str, numbers: list[str], known: set[str]) -> tuple[str, ...]:
    turns = tuple(f"{domain}/{number.strip()}" for number in numbers)
    if missing := [turn for turn in turns if turn not in known]:
        raise WrittenError(f"no turn {missing[0]}")
    return turns


def unmarked(marked: str) -> tuple[str, tuple[int, int] | None, list[tuple[int, int]]]:
    """Take the marks out of a query; give the spans that stood inside them."""
    query, topic, numbers, opened = "", None, [], 0
    for letter in marked.strip():
        if letter in "[{":
            opened = len(query)
        elif letter == "]":
            topic = (opened, len(query))
        elif letter == "}":
            numbers.append((opened, len(query)))
        else:
            query += letter
    if not query.strip():
        raise WrittenError("no query")
    return query, topic, numbers


def respelt(example: Example, rng: random.Random) -> Example:
    """Write a query again as another hand might: case, marks, chat spelling, slips; its spans move along."""
    marks = sorted({0, len(example.query), *(example.topic or ()), *(at for s in example.number_spans for at in s[:2])})
    lower, chat, slips = rng.random() < 0.4, rng.random() < 0.35, rng.random() < 0.3
    places, query = {0: 0}, ""
    for start, end in pairwise(marks):
        part = example.query[start:end]
        if chat:
            part = _keeping_spaces(part, lambda text: chat_spelling(text, rng, 0.35))
        if slips:
            part = _keeping_spaces(part, lambda text: typos(text, rng, 0.15))
        query += part.lower() if lower else part
        places[end] = len(query)
    if rng.random() < 0.4:
        query = query[: places[marks[-1]]].rstrip("?.! ") if places[marks[-1]] == len(query) else query
    last = len(query)
    topic = None if example.topic is None else (places[example.topic[0]], min(places[example.topic[1]], last))
    numbers = tuple((places[a], min(places[b], last), value) for a, b, value in example.number_spans)
    return replace(example, query=query, topic=topic, number_spans=numbers)


def _keeping_spaces(part: str, change: Callable[[str], str]) -> str:
    """Change the words of a part and leave the spaces that join it to its neighbours."""
    body = part.strip()
    if not body:
        return part
    start = len(part) - len(part.lstrip())
    return part[:start] + change(body) + part[start + len(body) :]


def taught(copies: int, seed: int, of_the_rare: int | None = None) -> Iterator[Example]:
    """Every written query as it stands, and so many times in other hands; languages with few of them more often."""
    rng = random.Random(seed)
    for written in read_all():
        yield written.example
        times = of_the_rare if of_the_rare and written.example.lang in RARE else copies
        for _ in range(times - 1):
            again = respelt(written.example, rng)
            if again.query.strip():
                yield again


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.parse_args()
    wrong, count = 0, 0
    for bank in (BANK_DIRECTORY, APART):
        known = known_turns(bank)
        for path in files_of(bank):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if not line.strip():
                    continue
                try:
                    read_line(path.stem, line, known)
                    count += 1
                except (ValueError, IndexError, KeyError) as problem:
                    wrong += 1
                    print(f"{path.name}:{number}: {problem}: {line[:90]}")
    print(f"{count} written queries, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
