"""Makes chats of two people out of haystacks: `python -m benchmarks.recall_chats HAYSTACKS QUESTIONS OUT`.

Nobody has given us long chats of two people. These are made of what two users said, taken in turns under two names, now
and then with the other's name called; "I" and "my" in the questions become the name. OUT is a folder that takes
haystacks.jsonl and questions.jsonl for `benchmarks.recall` and the scorer. They tell what a speaker's name is worth.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

NAMES = (("Andrea", "Bianca"), ("Carlo", "Dennis"))
CALLED = 0.4
"""How often one calls the other by name, as people in written chats do."""
FIRST_PERSON = (
    (r"\b(am I|I am|I'm)\b", "{name} is"),
    (r"\b(have I|I have|I've)\b", "{name} has"),
    (r"\bI\b", "{name}"),
    (r"\b(my|mine)\b", "{name}'s"),
    (r"\b(me|myself)\b", "{name}"),
)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def chat_of(one: dict[str, Any], other: dict[str, Any], names: tuple[str, str], rng: random.Random) -> dict[str, Any]:
    """Take the sessions of two users side by side, each message in turn."""
    sessions = []
    for place, (mine, theirs) in enumerate(zip_longest(one["sessions"], other["sessions"])):
        said = [_by(session, speaker, names, rng) for speaker, session in enumerate((mine, theirs)) if session]
        messages = [message for pair in zip_longest(*said) for message in pair if message]
        sessions.append({"session": f"s{place}", "at": (mine or theirs)["at"], "messages": messages})
    return {"haystack": f"{names[0]}-{names[1]}", "sessions": sessions}


def _by(session: dict[str, Any], speaker: int, names: tuple[str, str], rng: random.Random) -> list[dict[str, Any]]:
    called = f"{rng.choice(('Hey', 'Thanks', 'Wow', 'Hi'))}, {names[1 - speaker]}! "
    return [
        {
            "id": message["id"],
            "role": ("user", "assistant")[speaker],
            "name": names[speaker],
            "text": (called if rng.random() < CALLED else "") + message["text"],
        }
        for message in session["messages"]
        if message["role"] == "user"
    ]


def about(question: str, name: str) -> str:
    for pattern, instead in FIRST_PERSON:
        question = re.sub(pattern, instead.format(name=name), question, flags=re.IGNORECASE)
    return question


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("haystacks", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    found, rng = lines(given.haystacks), random.Random(5)
    chats, where = [], {}
    for names, (one, other) in zip(NAMES, zip(found[::2], found[1::2], strict=True), strict=True):
        chats.append(chat_of(one, other, names, rng))
        where |= {one["haystack"]: (names[0], chats[-1]), other["haystack"]: (names[1], chats[-1])}
    asked = []
    for question in lines(given.questions):
        name, chat = where[question["haystack"]]
        kept = {message["id"] for session in chat["sessions"] for message in session["messages"]}
        changed = about(question["question"], name)
        if set(question["gold"]) <= kept and name in changed:
            asked.append(question | {"haystack": chat["haystack"], "question": changed})
    given.out.mkdir(parents=True, exist_ok=True)
    for file, rows in (("haystacks", chats), ("questions", asked)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (given.out / f"{file}.jsonl").write_text(text, encoding="utf-8")
    print(f"{len(chats)} chats, {len(asked)} questions")


if __name__ == "__main__":
    main()
