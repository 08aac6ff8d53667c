"""Opens an export, a JSON file or the archive it came in, and reads its records one at a time.

A file may hold a gigabyte, so it is never read whole: one conversation is, at most.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from gunita.imports.records import UnreadableExportError

FIRST_READ = 1 << 20
"""Characters read at a time; twice as many each time a record turns out to be longer."""
LONGEST_RECORD = 1 << 26
"""Characters of one conversation; an archive of a few kilobytes can unpack to more than any machine holds."""
_CONVERSATIONS = re.compile(r"(.*/)?conversations(-\d+)?\.jsonl?")
_BETWEEN = re.compile(r"[\s,]*")
_decode = json.JSONDecoder().raw_decode


def records(path: Path) -> Iterator[tuple[str, Any]]:
    """Give every record of an export with the name of the place it stands at."""
    if not path.is_file():
        raise UnreadableExportError(f"there is no file {path}")
    if not zipfile.is_zipfile(path):
        with path.open("rb") as stream:
            yield from _named(path.name, stream)
        return
    with _archive(path) as archive:
        members = sorted(name for name in archive.namelist() if _CONVERSATIONS.fullmatch(name))
        if not members:
            raise UnreadableExportError(f"the archive {path.name} holds no conversations.json; is it a chat export?")
        for name in members:
            with archive.open(name) as stream:
                yield from _named(name, stream)


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
        raise UnreadableExportError(f"the archive {path.name} is damaged ({problem}); download it again") from problem
    except (RuntimeError, NotImplementedError) as problem:
        raise UnreadableExportError(f"the archive {path.name} cannot be opened: {problem}") from problem


def _named(name: str, stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    try:
        with io.TextIOWrapper(stream, encoding="utf-8-sig") as text:
            for number, record in enumerate(objects(text), start=1):
                yield f"{name}, record {number}", record
    except UnicodeDecodeError as problem:
        raise UnreadableExportError(f"{name} is not text in UTF-8 ({problem.reason})") from problem
    except json.JSONDecodeError as problem:
        raise UnreadableExportError(
            f"{name} is not whole JSON ({problem.msg}); it may have been cut off, so download it again"
        ) from problem


def objects(text: IO[str]) -> Iterator[Any]:
    """Read the objects of a JSON array, of JSON Lines, or the only one there is."""
    window = _Window(text)
    listed = window.next_character() == "["
    if listed:
        window.at += 1
    while (character := window.next_character()) == "{":
        yield window.next_object()
    if listed and character == "]":
        window.at += 1
        listed, character = False, window.next_character()
    if listed or character:
        raise json.JSONDecodeError(f"expected an object or the end, found {character!r}", "", 0)


class _Window:
    """The part of a text that is being read."""

    def __init__(self, text: IO[str]) -> None:
        self._text = text
        self._held = ""
        self.at = 0

    def next_character(self) -> str:
        """Look at what comes after blanks and commas; nothing at the end."""
        while True:
            between = _BETWEEN.match(self._held, self.at)
            self.at = between.end() if between else self.at
            if self.at < len(self._held):
                return self._held[self.at]
            if not self._read(FIRST_READ):
                return ""

    def next_object(self) -> Any:
        wanted = FIRST_READ
        while True:
            try:
                found, self.at = _decode(self._held, self.at)
            except json.JSONDecodeError:
                if not self._read(wanted):
                    raise
                if len(self._held) > LONGEST_RECORD:
                    raise UnreadableExportError(
                        f"a record of it is longer than {LONGEST_RECORD:,} characters; is it a chat export?"
                    ) from None
                wanted *= 2
            except ValueError as problem:
                raise json.JSONDecodeError("it holds a number of thousands of digits", "", self.at) from problem
            except RecursionError as problem:
                raise json.JSONDecodeError("it is nested too deep", "", self.at) from problem
            else:
                return found

    def _read(self, characters: int) -> bool:
        more = self._text.read(characters)
        self._held, self.at = self._held[self.at :] + more, 0
        return bool(more)
