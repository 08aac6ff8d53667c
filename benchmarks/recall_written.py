"""Reads the chats of two people that we wrote: `python -m benchmarks.recall_written FOLDER OUT`.

FOLDER holds a text file for each chat: who speaks (`N Nadia`), sessions (`= 2023-01-14 18:20`), what was said
(`N Hello`, or `N@tag Hello` where a question asks for it) and questions: `? type|tag,tag|question`, or with `??` one
that goes out of its way to share no word with its answer. OUT is a folder that takes haystacks.jsonl and
questions.jsonl for `benchmarks.recall` and the scorer. The questions were written before any of them was asked.
"""

from __future__ import annotations

import argparse
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

ASKED_AFTER = timedelta(days=7)
"""How long after the last session a chat is asked about."""


def chat_in(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read a chat and what is asked about it."""
    names: dict[str, str] = {}
    sessions: list[dict[str, Any]] = []
    asked: list[dict[str, Any]] = []
    tagged: dict[str, str] = {}
    for line in filter(None, path.read_text(encoding="utf-8").splitlines()):
        mark, _, rest = line.partition(" ")
        if mark == "=":
            sessions.append({"session": f"s{len(sessions) + 1}", "at": rest.replace(" ", "T"), "messages": []})
        elif mark in {"?", "??"}:
            question = _question(path.stem, len(asked), rest, sessions[-1]["at"], tagged)
            asked.append(question if mark == "?" else question | {"type": f"{question['type']}, reworded"})
        elif not sessions:
            names[mark] = rest
        else:
            speaker, _, tag = mark.partition("@")
            message = _message(path.stem, sessions, list(names).index(speaker), names[speaker], rest)
            sessions[-1]["messages"].append(message)
            if tag:
                tagged[tag] = message["id"]
    return {"haystack": path.stem, "sessions": sessions}, asked


def _message(chat: str, sessions: list[dict[str, Any]], speaker: int, name: str, text: str) -> dict[str, Any]:
    place = f"{chat}:{len(sessions)}:{len(sessions[-1]['messages']) + 1}"
    return {"id": place, "role": ("user", "assistant")[speaker], "name": name, "text": text}


def _question(chat: str, number: int, written: str, last: str, tagged: dict[str, str]) -> dict[str, Any]:
    kind, tags, question = written.split("|")
    return {
        "id": f"{chat}-{number + 1}",
        "haystack": chat,
        "question": question,
        "at": (datetime.fromisoformat(last) + ASKED_AFTER).isoformat(),
        "type": kind,
        "gold": [tagged[tag] for tag in tags.split(",")],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    read = [chat_in(path) for path in sorted(given.folder.glob("*.txt"))]
    chats, questions = [chat for chat, _ in read], [question for _, asked in read for question in asked]
    given.out.mkdir(parents=True, exist_ok=True)
    for file, rows in (("haystacks", chats), ("questions", questions)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (given.out / f"{file}.jsonl").write_text(text, encoding="utf-8")
    said = sum(len(session["messages"]) for chat in chats for session in chat["sessions"])
    print(f"{len(chats)} chats, {said} messages, {len(questions)} questions")


if __name__ == "__main__":
    main()
