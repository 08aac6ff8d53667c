"""Exact token counts and cuts, offline."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Any

from gunita.language.remembered import remembering

MARK = "[…]"
"""Stands where text was taken out; the same in every language."""

CHARACTERS_FIRST_READ = 8
"""Characters read per wanted token before a longer stretch is tried; only odd texts need the second try."""
SHORT = 2_000
"""Characters up to which a text's count is remembered: the turns in a window are the same at every turn but one."""
BACK_TO_A_SPACE = 0.8
"""A cut goes back to the last space when that keeps at least this share of the text."""


class Encoding(StrEnum):
    """The tokenizers that ship with the package."""

    O200K = "o200k_base"
    CL100K = "cl100k_base"


class Tokens:
    """Counts and cuts texts in one encoding."""

    def __init__(self, encoding: Encoding = Encoding.O200K) -> None:
        self.encoding = encoding

    def count(self, text: str) -> int:
        """Count the tokens of a text."""
        return count_tokens(text, self.encoding)

    def count_many(self, texts: Iterable[str]) -> list[int]:
        """Count the tokens of each text."""
        count = _tables(self.encoding).count
        return [int(count(text)) for text in texts]

    def fits(self, text: str, limit: int) -> bool:
        """Say whether a text has at most that many tokens, without reading on once it has more."""
        if limit < 1:
            return text == "" and limit == 0
        # No token is shorter than a byte, and no character longer than four.
        return 4 * len(text) <= limit or _tables(self.encoding).count_till_limit(text, limit) is not None

    def head(self, text: str, limit: int) -> str:
        """Keep the beginning of a text, at most that many tokens, up to a space where one is near."""
        if self.fits(text, limit):
            return text
        cut = self._first(text, limit)
        return self._whole_words(_back_to_a_space(cut), cut, limit)

    def tail(self, text: str, limit: int) -> str:
        """Keep the end of a text, at most that many tokens, from a space on where one is near."""
        if self.fits(text, limit):
            return text
        cut = self._last(text, limit)
        return self._whole_words(_on_to_a_space(cut), cut, limit)

    def shorten(self, text: str, limit: int) -> str:
        """Keep two thirds of the room for the beginning of a text and one for its end, with a mark between."""
        if self.fits(text, limit):
            return text
        for room in range(limit - self.count(f" {MARK} "), 0, -1):
            ending = self.tail(text, room // 3)
            cut = f"{self.head(text, room - room // 3)} {MARK} {ending}".strip()
            if self.fits(cut, limit):
                return cut
        return self.head(MARK, limit)

    def _whole_words(self, trimmed: str, cut: str, limit: int) -> str:
        # A word without the space before it may be read as more tokens than with it.
        return trimmed if self.fits(trimmed, limit) else cut

    def _first(self, text: str, limit: int) -> str:
        if limit < 1:
            return ""
        stretch = CHARACTERS_FIRST_READ * limit
        while stretch < len(text) and self.fits(text[:stretch], limit):
            stretch *= 2
        pieces = _tables(self.encoding).encode(text[:stretch])
        for kept in range(min(limit, len(pieces)), 0, -1):
            # A token may end inside a character, and cut text may be read as other tokens than it was part of.
            start = _tables(self.encoding).decode(pieces[:kept])
            if start is not None and self.fits(start, limit):
                return str(start)
        return ""

    def _last(self, text: str, limit: int) -> str:
        if limit < 1:
            return ""
        stretch = CHARACTERS_FIRST_READ * limit
        while stretch < len(text) and self.fits(text[-stretch:], limit):
            stretch *= 2
        pieces = _tables(self.encoding).encode(text[-stretch:])
        for kept in range(min(limit, len(pieces)), 0, -1):
            end = _tables(self.encoding).decode(pieces[-kept:])
            if end is not None and self.fits(end, limit):
                return str(end)
        return ""


def count_tokens(text: str, encoding: Encoding = Encoding.O200K) -> int:
    """Count the tokens of a text."""
    return _remembered_count(encoding, text) if len(text) <= SHORT else _count(encoding, text)


def _count(encoding: Encoding, text: str) -> int:
    return int(_tables(encoding).count(text))


_remembered_count = remembering(8_192)(_count)


def _back_to_a_space(text: str) -> str:
    space = max(text.rfind(" "), text.rfind("\n"))
    return text[:space].rstrip() if space >= BACK_TO_A_SPACE * len(text) else text


def _on_to_a_space(text: str) -> str:
    spaces = [place for place in (text.find(" "), text.find("\n")) if place >= 0]
    near = min(spaces, default=len(text)) <= (1 - BACK_TO_A_SPACE) * len(text)
    return text[min(spaces) :].lstrip() if spaces and near else text


@cache
def _tables(encoding: Encoding) -> Any:
    # Loading the tables takes a tenth of a second, which only those who count should pay.
    from rs_bpe.bpe import openai

    return openai.o200k_base() if encoding is Encoding.O200K else openai.cl100k_base()
