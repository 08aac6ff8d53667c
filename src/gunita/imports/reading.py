"""Reads an export whole: which program wrote it, what it holds, and what of it cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from gunita.imports import chatgpt, claude, own
from gunita.imports.files import records
from gunita.imports.records import Entry, OddRecordError, Unread, UnreadableExportError


class _Program(Protocol):
    """A way of writing conversations down."""

    def recognises(self, record: Any) -> bool: ...

    def read(self, record: dict[str, Any]) -> Entry: ...


_PROGRAMS: tuple[_Program, ...] = (chatgpt, claude, own)


def count(path: Path) -> int:
    """Look through a whole file before anything of it is taken in; tell how many records of ours it holds."""
    known = sum(1 for _, record in records(path) if own.is_whole_user(record) or any(map(_program, _parts(record))))
    if not known:
        raise UnreadableExportError(
            f"{path.name} holds no conversations of ChatGPT, Claude or Gunita; give the export itself (zip or JSON)"
        )
    return known


def entries(path: Path) -> Iterator[tuple[int, Entry | Unread]]:
    """Read everything a file holds, each with the number of its record."""
    for number, (where, record) in enumerate(records(path), start=1):
        for part in _parts(record):
            yield number, _entry(where, part)


def _parts(record: Any) -> Iterable[Any]:
    """Take a record apart that holds others: everything about a user, or a whole export inside one object."""
    if own.is_whole_user(record):
        return own.parts(record)
    if isinstance(record, dict) and isinstance(record.get("conversations"), list):
        return list(record["conversations"])
    return [record]


def _entry(where: str, record: Any) -> Entry | Unread:
    program = _program(record)
    if program is None:
        return Unread(where, "is not a conversation of ChatGPT, Claude or Gunita")
    try:
        return program.read(record)
    except OddRecordError as problem:
        return Unread(where, str(problem))


def _program(record: Any) -> _Program | None:
    return next((program for program in _PROGRAMS if program.recognises(record)), None)
