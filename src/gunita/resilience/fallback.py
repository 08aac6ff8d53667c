"""The conversations in use, held in memory so that they go on while the database is away; bounded, and let go after."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from gunita.models import CountedFrom, JsonObject, Memory, Retention, Summary, Turn
from gunita.resilience.waiting import Place

MOST_TURNS = 40
"""The newest turns that are held of a conversation: as many as a reference is looked for in."""
BYTES_BESIDE_TEXT = 600
"""What a turn takes in memory beside its text, roughly."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What was known beside the turns when the conversation was last answered."""

    summary: Summary | None = None
    memories: tuple[Memory, ...] = ()
    user_memory: JsonObject = field(default_factory=dict)
    documents: tuple[str, ...] = ()


NOTHING_BESIDE = Beside()


@dataclass(slots=True)
class Held:
    """One conversation as far as it is in memory; its turns are replaced as a whole, never changed."""

    user_id: str
    turns: tuple[Turn, ...]
    beside: Beside = NOTHING_BESIDE
    size: int = 0
    expired: int = 0
    """The number of the newest turn that is no longer told."""

    @property
    def newest_number(self) -> int:
        return self.turns[-1].turn_number if self.turns else self.expired

    @property
    def is_whole(self) -> bool:
        """Whether nothing that is still remembered was said before what is held."""
        return bool(self.turns) and self.turns[0].turn_number == self.expired + 1

    def kept_at(self, now: datetime, rule: Retention) -> Held:
        """Leave out what is older than the retention, and what was folded from it."""
        latest = self.turns[-1].created_at if self.turns else now
        counted = [turn.created_at if rule.counted_from is CountedFrom.TURN else latest for turn in self.turns]
        kept = tuple(turn for turn, since in zip(self.turns, counted, strict=True) if now - since <= rule.kept_for)
        if len(kept) == len(self.turns):
            return self
        expired = max(turn.turn_number for turn in self.turns if turn not in kept)
        return Held(self.user_id, kept, replace(self.beside, summary=None), self.size, expired)


class ConversationsInUse:
    """The conversations that were used last, up to so many bytes; the one used longest ago goes first."""

    def __init__(self, most_bytes: int, most_turns: int = MOST_TURNS) -> None:
        self._most_bytes = most_bytes
        self._most_turns = most_turns
        self._lock = threading.Lock()
        self._held: OrderedDict[Place, Held] = OrderedDict()
        self._bytes = 0

    @property
    def bytes_held(self) -> int:
        return self._bytes

    def __len__(self) -> int:
        return len(self._held)

    def get(self, place: Place) -> Held | None:
        return self._held.get(place)

    def hold(self, place: Place, user_id: str, turns: Sequence[Turn], beside: Beside) -> None:
        """Hold what was just read of a conversation."""
        kept = tuple(turns[-self._most_turns :])
        with self._lock:
            self._put(place, Held(user_id, kept, beside, size_of(kept)))

    def add(self, place: Place, turn: Turn) -> None:
        """Hold a turn that was just said; one that does not follow on what is held begins anew."""
        more = len(turn.query_text) + len(turn.response_text) + BYTES_BESIDE_TEXT
        with self._lock:
            held = self._held.get(place)
            if held is None or held.user_id != turn.user_id or held.newest_number >= turn.turn_number:
                self._put(place, Held(turn.user_id, (turn,), NOTHING_BESIDE, more))
                return
            turns = held.turns
            if len(turns) >= self._most_turns:
                more -= size_of(turns[:1])
                turns = turns[1:]
            held.turns = (*turns, turn)
            held.size += more
            self._bytes += more
            self._held.move_to_end(place)
            self._make_room()

    def whose(self) -> set[tuple[str | None, str]]:
        """Name the tenants and users whose conversations are held."""
        with self._lock:
            return {(place[0], held.user_id) for place, held in self._held.items()}

    def let_go(self, place: Place) -> None:
        with self._lock:
            self._drop(place)

    def let_go_of_all(self, tenant_id: str | None, user_id: str | None, conversation_id: UUID | None) -> None:
        """Let go of a conversation, of a user's, or of a whole tenant's."""
        with self._lock:
            for place in [place for place in self._held if place[0] == tenant_id]:
                is_theirs = user_id is None or self._held[place].user_id == user_id
                if is_theirs and conversation_id in {None, place[1]}:
                    self._drop(place)

    def _put(self, place: Place, held: Held) -> None:
        self._drop(place)
        if held.size > self._most_bytes:
            return
        self._held[place] = held
        self._bytes += held.size
        self._make_room()

    def _make_room(self) -> None:
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._held)))

    def _drop(self, place: Place) -> None:
        gone = self._held.pop(place, None)
        if gone is not None:
            self._bytes -= gone.size


def size_of(turns: Iterable[Turn]) -> int:
    """Estimate what turns take in memory."""
    return sum(len(turn.query_text) + len(turn.response_text) + BYTES_BESIDE_TEXT for turn in turns)
