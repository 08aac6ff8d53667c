"""Puts one library to the test in a process of its own: `python -m benchmarks.peers_memory_worker NAME FOLDER WORK`.

WORK is a file with the haystacks, the questions and everybody's vectors; what was found is printed as JSON.
"""

from __future__ import annotations

import json
import pickle
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.peers_finders import FINDERS, Finder, Message

RANKED = 50
MARK = "zxqvmarkq"
"""A word that nothing else says."""
PATIENCE = 20.0
"""Seconds for which a library may wait for a file that another process holds."""


def main() -> None:
    # Libraries print; only the answer may go to the one who asked.
    answer, sys.stdout = sys.stdout, sys.stderr
    kind, folder = FINDERS[sys.argv[1]], Path(sys.argv[2])
    work = pickle.loads(Path(sys.argv[3]).read_bytes())
    finder = kind(folder, work["vectors"])
    found: dict[str, Any] = recalled(finder, work)
    found["deletion"] = deleted(finder, folder, work)
    found["locked"] = locked(finder, folder, work)
    print(json.dumps(found), file=answer, flush=True)


def recalled(finder: Finder, work: dict[str, Any]) -> dict[str, Any]:
    """Keep every haystack as a user's messages, then rank them for each question."""
    began, count = time.perf_counter(), 0
    for user, said in work["haystacks"].items():
        finder.keep(user, [Message(*one) for one in said])
        count += len(said)
        print(f"  {user}: {count} messages", flush=True)
    kept = time.perf_counter() - began
    rankings, taken = {}, []
    try:
        for question in work["questions"]:
            before = time.perf_counter()
            rankings[question["id"]] = finder.find(question["haystack"], question["question"], RANKED)
            taken.append(time.perf_counter() - before)
    except NotImplementedError:
        return {"keep_ms": 1e3 * kept / count, "rankings": None}
    return {"keep_ms": 1e3 * kept / count, "find_ms": 1e3 * statistics.median(taken), "rankings": rankings}


def deleted(finder: Finder, folder: Path, work: dict[str, Any]) -> dict[str, Any]:
    """Forget a user who said a marked word, and look for it in every file that is left."""
    text = work["marked"]
    finder.keep("leaver", [Message(f"leaver-{number}", "user", text) for number in range(20)])
    before = _files_with_mark(folder)
    finder.forget("leaver")
    return {"files_before": before, "files_after": _files_with_mark(folder)}


def _files_with_mark(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if MARK.encode() in path.read_bytes())


def locked(finder: Finder, folder: Path, work: dict[str, Any]) -> dict[str, Any]:
    """Say something while another process holds the files, and see what becomes of it."""
    began = time.perf_counter()
    speaker = ThreadPoolExecutor(1)
    with held(folder) as files:
        saying = speaker.submit(finder.say, "stayer", work["stayed"])
        done = bool(wait([saying], PATIENCE).done)
        seconds = round(time.perf_counter() - began, 1)
    problem = saying.exception(PATIENCE)
    said = "accepted" if done else f"waited {PATIENCE:.0f} s"
    if problem is not None:
        said = f"{type(problem).__module__.partition('.')[0]}: {type(problem).__name__}"
    there = False
    until = time.perf_counter() + PATIENCE
    while time.perf_counter() < until and not (there := finder.holds("stayer", work["stayed"])):
        time.sleep(0.5)
    return {"files": files, "said": said, "seconds": seconds, "there_afterwards": there}


@contextmanager
def held(folder: Path) -> Iterator[list[str]]:
    """Hold every SQLite file of a folder for writing."""
    with ExitStack() as holding:
        names = []
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3":
                connection = holding.enter_context(_closing(sqlite3.connect(path, timeout=10, isolation_level=None)))
                connection.execute("BEGIN IMMEDIATE")
                names.append(path.name)
        yield names


@contextmanager
def _closing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    finally:
        connection.close()


if __name__ == "__main__":
    main()
