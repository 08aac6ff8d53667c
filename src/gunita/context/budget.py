"""What fits: pieces are taken in a stated order until the model's context, less room for the answer, is full.

The order: system prompt and query, always; the turns the query points at and the newest turn, cut before they are left
out; the first turn; pinned memories; the summary; the documents' names; the user memory; the four turns before the
newest; the ten best other memories; recalled turns, up to a quarter of the room; the rest of the window, newest first,
up to the first turn that does not fit; recalled turns of the window that found no place in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gunita.context.pieces import ANSWER_TOKENS, MESSAGE_TOKENS, Meter, Piece, Section, Written, fair_shares
from gunita.context.prompt import Pieces, head
from gunita.errors import ValidationError
from gunita.models import Fate

LARGEST_CONTEXT = 262_144
CONTEXT_TOKENS = 8_192
RESERVE_TOKENS = 1_024
FRESH_TURNS = 4
"""Turns before the newest that come ahead of memories and recalled turns."""
RECALLED_SHARE = 4
"""Recalled turns take at most one part in this many, so that they never push the conversation out."""
LONG_QUERY_SHARE = (3, 4)
"""A query too long for the whole room is cut to this part of it, so that the turn it speaks of may stay."""

NO_ROOM = "no room was left"
AFTER_A_GAP = "a newer turn did not fit"
NOT_AMONG_THE_BEST = "not among the ten best memories"
SHOWN_ALREADY = "already in the prompt"
SHARE_TAKEN = "recalled turns had taken their share"
CUT_TO_FIT = "too long to fit whole"


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens a model reads at once, and how many of them are kept for its answer."""

    context_tokens: int = CONTEXT_TOKENS
    reserve_tokens: int = RESERVE_TOKENS

    def __post_init__(self) -> None:
        if not 1 <= self.context_tokens <= LARGEST_CONTEXT:
            raise ValidationError("context_tokens", f"must be 1 to {LARGEST_CONTEXT}")
        if not 0 <= self.reserve_tokens < self.context_tokens:
            raise ValidationError("reserve_tokens", "must be at least 0 and leave room for the prompt")

    @property
    def prompt_tokens(self) -> int:
        return self.context_tokens - self.reserve_tokens


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one piece: written as it stands in the prompt, or left out."""

    piece: Piece
    written: Written | None
    fate: Fate
    tokens: int
    whole_tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Filled:
    decisions: tuple[Decision, ...]
    used_tokens: int


def fill(pieces: Pieces, budget: Budget, meter: Meter) -> Filled:
    """Decide about every piece, in the stated order."""
    filling = Filling(pieces.system_prompt, budget, meter)
    filling.take_query(pieces.query)
    filling.take_essential((*pieces.referenced[:1], *pieces.newest, *pieces.referenced[1:]))
    filling.take_each(pieces.first, "the first turn")
    filling.take_each(pieces.pinned, "pinned")
    filling.take_each(pieces.summary, "the conversation so far", may_cut=True)
    filling.take_each(pieces.documents, "the conversation is about it")
    filling.take_each(pieces.user_memory, "set for this user")
    gap = filling.take_until_one_does_not_fit(pieces.recent[:FRESH_TURNS])
    filling.take_each(pieces.others, "among the ten best memories")
    windowed = {piece.source for piece in (*pieces.recent, *pieces.first, *pieces.newest, *pieces.referenced)}
    filling.take_recalled([piece for piece in pieces.recalled if piece.source not in windowed])
    filling.take_until_one_does_not_fit(pieces.recent[FRESH_TURNS:], gap=gap)
    filling.take_recalled([piece for piece in pieces.recalled if piece.source in windowed])
    filling.leave_out(pieces.surplus, NOT_AMONG_THE_BEST)
    return Filled(tuple(filling.decisions), budget.prompt_tokens - filling.left)


class Filling:
    """A prompt being filled: what is decided, and how many tokens are left."""

    def __init__(self, system_prompt: str, budget: Budget, meter: Meter) -> None:
        self._meter = meter
        self._limit = budget.prompt_tokens
        self._recalled_left = budget.prompt_tokens // RECALLED_SHARE
        self._open: set[Section] = set()
        self._shown: set[str] = set()
        self._sizes: dict[int, int] = {}
        self.decisions: list[Decision] = []
        bare = _system_tokens(system_prompt, meter, has_sections=False)
        self._first_section_tokens = _system_tokens(system_prompt, meter, has_sections=True) - bare
        self.left = budget.prompt_tokens - ANSWER_TOKENS - bare

    def take_query(self, query: Piece) -> None:
        whole = query.whole()
        if self._size(query) <= self.left:
            self._keep(query, whole, "asked now")
            return
        part, parts = LONG_QUERY_SHARE
        cut = query.shortened(self.left * part // parts, self._meter)
        if cut is None:
            raise ValidationError(
                "context_tokens",
                f"{self._limit} tokens without the answer's reserve do not hold the system prompt and a query; "
                "raise the context size, lower the reserve, or shorten the system prompt",
            )
        self._keep(query, cut, CUT_TO_FIT)

    def take_essential(self, wanted: Sequence[Piece]) -> None:
        """Keep all of them, each cut to its fair share where they are too long; drop the last while even that fails."""
        for count in range(len(wanted), 0, -1):
            written = self._written_to_fit(wanted[:count])
            if written is not None:
                for piece, text in zip(wanted[:count], written, strict=True):
                    cut = text != piece.whole()
                    self._keep(piece, text, CUT_TO_FIT if cut else _essential_reason(piece))
                self.leave_out(wanted[count:], NO_ROOM)
                return
        self.leave_out(wanted, NO_ROOM)

    def take_each(self, wanted: Sequence[Piece], reason: str, *, may_cut: bool = False) -> None:
        for piece in wanted:
            room = self.left - self._frame_tokens([piece])
            whole = piece.whole()
            fits = self._size(piece) <= room
            cut = piece.shortened(room, self._meter) if may_cut and not fits else None
            if fits:
                self._keep(piece, whole, reason)
            elif cut is not None:
                self._keep(piece, cut, CUT_TO_FIT)
            else:
                self.leave_out([piece], NO_ROOM)

    def take_until_one_does_not_fit(self, wanted: Sequence[Piece], *, gap: bool = False) -> bool:
        """Keep turns from the newest back, so that no turn in between is missing; tell whether one did not fit."""
        for piece in wanted:
            if gap:
                self.leave_out([piece], AFTER_A_GAP)
                continue
            self.take_each([piece], "recent")
            gap = piece.source not in self._shown
        return gap

    def take_recalled(self, wanted: Sequence[Piece]) -> None:
        for piece in wanted:
            before = self.left
            if piece.source in self._shown:
                self.leave_out([piece], SHOWN_ALREADY)
            elif self._size(piece) + self._frame_tokens([piece]) > self._recalled_left:
                self.leave_out([piece], SHARE_TAKEN)
            else:
                self.take_each([piece], "found by search")
                self._recalled_left -= before - self.left

    def leave_out(self, unwanted: Sequence[Piece], reason: str) -> None:
        for piece in unwanted:
            self.decisions.append(Decision(piece, None, Fate.LEFT_OUT, 0, self._size(piece), reason))

    def _written_to_fit(self, wanted: Sequence[Piece]) -> list[Written] | None:
        room = self.left - self._frame_tokens(wanted)
        sizes = [self._size(piece) for piece in wanted]
        written: list[Written] = []
        for piece, size, share in zip(wanted, sizes, fair_shares(sizes, room), strict=True):
            text = piece.whole() if size <= share else piece.shortened(share, self._meter)
            if text is None:
                return None
            written.append(text)
        return written

    def _keep(self, piece: Piece, written: Written, reason: str) -> None:
        kept_whole = written == piece.whole()
        tokens = self._size(piece) if kept_whole else written.tokens(self._meter)
        self.left -= tokens + self._frame_tokens([piece])
        self._shown.add(piece.source)
        if piece.section is not None:
            self._open.add(piece.section)
        fate = Fate.KEPT if kept_whole else Fate.CUT
        self.decisions.append(Decision(piece, written, fate, tokens, self._size(piece), reason))

    def _size(self, piece: Piece) -> int:
        # Pieces outlive the filling, so their identity names them; long texts are counted once.
        if id(piece) not in self._sizes:
            self._sizes[id(piece)] = piece.whole().tokens(self._meter)
        return self._sizes[id(piece)]

    def _frame_tokens(self, wanted: Sequence[Piece]) -> int:
        """Count the tags of the sections that would be opened, and what stands before the first of them."""
        new = {piece.section for piece in wanted if piece.section is not None} - self._open
        tags = sum(self._meter.count(section.opening) + self._meter.count(section.closing) for section in new)
        return tags + (self._first_section_tokens if new and not self._open else 0)


def _system_tokens(system_prompt: str, meter: Meter, *, has_sections: bool) -> int:
    text = head(system_prompt, has_sections=has_sections)
    return MESSAGE_TOKENS + meter.count(text) if text else 0


def _essential_reason(piece: Piece) -> str:
    return "the query points at it" if piece.section is Section.REFERENCED else "the newest turn"
