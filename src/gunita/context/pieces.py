"""Pieces a prompt may be made of: what each says, where it stands, what it costs, and how it is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from gunita.models import PieceKind, Role

MESSAGE_TOKENS = 4
"""What a chat message costs besides its text: three tokens that open and close it, and one that names the role."""
ANSWER_TOKENS = 3
"""What opens the answer, once per prompt. Both figures are the published ones for chat models of this family."""
SMALLEST_CUT = 16
"""Tokens of each of its texts that a cut piece must keep to be worth keeping."""


class Meter(Protocol):
    """Counts tokens and shortens texts.

    A line break before "<" must part two tokens, as it does in o200k and cl100k: then sections add up exactly.
    """

    def count(self, text: str) -> int: ...

    def shorten(self, text: str, limit: int) -> str: ...


class Section(StrEnum):
    """The quoted parts of the system message, in the order they stand there; the value is the tag."""

    KNOWN = "known_about_user"
    USER_MEMORY = "user_memory"
    DOCUMENTS = "documents"
    SUMMARY = "conversation_summary"
    REFERENCED = "referenced_turns"
    RECALLED = "recalled_turns"

    @property
    def opening(self) -> str:
        return f"<{self.value}>\n"

    @property
    def closing(self) -> str:
        return f"</{self.value}>\n"


ChatText: TypeAlias = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class Written:
    """A piece as it stands in the prompt: a line or block of a section, chat messages, or both."""

    quoted: str = ""
    chat: tuple[ChatText, ...] = ()

    def tokens(self, meter: Meter) -> int:
        quoted = meter.count(self.quoted) if self.quoted else 0
        return quoted + sum(MESSAGE_TOKENS + meter.count(text) for _, text in self.chat)


@dataclass(frozen=True, slots=True)
class Piece:
    kind: PieceKind
    source: str
    texts: tuple[str, ...]
    write: Callable[[Sequence[str]], Written]
    section: Section | None = None
    turn_number: int | None = None

    def whole(self) -> Written:
        return self.write(self.texts)

    def shortened(self, limit: int, meter: Meter) -> Written | None:
        """Write the piece in at most that many tokens, or not at all where too little would be left of it."""
        bare = self.write([""] * len(self.texts)).tokens(meter)
        room = limit - bare
        while room >= SMALLEST_CUT * len(self.texts):
            shares = fair_shares([meter.count(text) for text in self.texts], room)
            cut = self.write([meter.shorten(text, share) for text, share in zip(self.texts, shares, strict=True)])
            over = cut.tokens(meter) - limit
            if over <= 0:
                return cut
            room -= over
        return None


def fair_shares(wanted: Sequence[int], room: int) -> list[int]:
    """Divide the room: whoever wants less than an equal part gets it whole, the others share the rest equally."""
    shares = [0] * len(wanted)
    left = max(room, 0)
    smallest_first = sorted(range(len(wanted)), key=wanted.__getitem__)
    for served, place in enumerate(smallest_first):
        shares[place] = min(wanted[place], left // (len(wanted) - served))
        left -= shares[place]
    return shares
