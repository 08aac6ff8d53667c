"""The figures of benchmarks/peers_memory.py as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.peers_finders import FINDERS
from benchmarks.plots import markdown_table


def write(folder: Path, about: Mapping[str, str], found: Mapping[str, Mapping[str, Any]], encode_ms: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        circumstances="\n".join(f"- {name}: {value}" for name, value in about.items()),
        encode=f"{encode_ms:.1f}",
        table=table(found),
        behaviour=behaviour(found),
        having=having(found),
    )
    (folder / "peers-memory.md").write_text(page, encoding="utf-8")


def table(found: Mapping[str, Mapping[str, Any]]) -> str:
    head = ["", "R@5", "R@10", "all@10", "find, ms", "keep, ms"]
    rows = []
    for name, one in found.items():
        recall = one["recall"]
        figures = [f"{recall[key]:.3f}" for key in ("R@5", "R@10", "all@10")] if recall else ["no search", "", ""]
        rows.append([FINDERS[name].title, *figures, f"{one['find_ms']:.1f}" if recall else "", f"{one['keep_ms']:.2f}"])
    return markdown_table(head, rows, left=1)


def behaviour(found: Mapping[str, Mapping[str, Any]]) -> str:
    head = [
        "",
        "said while the file was held",
        "there afterwards",
        "left of a user who was deleted",
        "users kept apart by",
    ]
    rows = [
        [
            FINDERS[name].title,
            _said(one["locked"]),
            _there(one["locked"]),
            _left(one["deletion"]),
            FINDERS[name].isolation,
        ]
        for name, one in found.items()
    ]
    return markdown_table(head, rows, left=5)


def having(found: Mapping[str, Mapping[str, Any]]) -> str:
    head = ["", "version", "packages", "installed, MB", "import, ms"]
    rows = [
        [
            FINDERS[name].title,
            one["version"],
            f"{one['packages']}",
            f"{one['megabytes']:,.0f}",
            f"{one['import_ms']:,.0f}",
        ]
        for name, one in found.items()
    ]
    return markdown_table(head, rows, left=2)


def _said(locked: Mapping[str, Any]) -> str:
    if not locked["files"]:
        return "in memory alone: gone with the process"
    return f"{locked['said']}, after {locked['seconds']} s"


def _there(locked: Mapping[str, Any]) -> str:
    return "yes" if locked["there_afterwards"] else "no"


def _left(deletion: Mapping[str, Any]) -> str:
    if not deletion["files_before"]:
        return "nothing was on disk"
    return "its words, in " + ", ".join(deletion["files_after"]) if deletion["files_after"] else "nothing"


_PAGE = """# Gunita and other libraries, finding and forgetting

Written by `python -m benchmarks.peers_memory RECALL --docs docs/benchmarks`. Storing and reading are compared in
[peers.md](peers.md).

Every library runs in a process of its own with its current version on local files, and keeps every message of every
haystack. All are given the same vectors, made by Gunita's encoder beforehand, so that what differs is the library; for
Gunita the time to read texts is counted, for the others it is not (one text takes {encode} ms). Recall is figured as
in [recall.md](recall.md), of the 50 messages that each library ranks highest by its own search.

{circumstances}

## Finding

{table}

## Bad times, deletion, and who sees what

Another process holds the library's files for writing while something is said; then it lets go. A user says a word that
nobody else says, and is deleted; every file is searched for the word's bytes.

{behaviour}

## Having it

Everything that a plain installation brings, the package itself and what it requires; and what an import takes in a
fresh process.

{having}
"""
