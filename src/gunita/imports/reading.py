"""Reads an export whole: which program wrote it, what it holds, and what of it cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from gunita.imports import chatgpt, claude, own
from gunita.imports.files import records
from gunita.imports.records import OddRecordError, Talk, Unread, UnreadableExportError


class _Program(Protocol):
    """A way of writing conversations down."""

    def recognises(self, record: Any) -> bool: ...

    def read(self, record: dict[str, Any]) -> Talk: ...


_PROGRAMS: tuple[_Program, ...] = (chatgpt, claude, own)


def count(path: Path) -> int:
    """Look through a whole file before anything of it is taken in; tell how many conversations it holds."""
    known = sum(1 for _, record in records(path) if any(program.recognises(record) for program in _PROGRAMS))
    if not known:
        raise UnreadableExportError(
            f"{path.name} holds no conversations of ChatGPT, Claude or Gunita; give the export itself (zip or JSON)"
        )
    return known


def talks(path: Path) -> Iterator[Talk | Unread]:
    for where, record in records(path):
        yield _talk(where, record)


def _talk(where: str, record: Any) -> Talk | Unread:
    for program in _PROGRAMS:
        if program.recognises(record):
            try:
                return program.read(record)
            except OddRecordError as problem:
                return Unread(where, str(problem))
    return Unread(where, "is not a conversation of ChatGPT, Claude or Gunita")
