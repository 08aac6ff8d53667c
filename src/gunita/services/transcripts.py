"""A conversation as it is shown: a page of turns around a place, and whether there is more on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gunita.errors import NotFoundError
from gunita.services import access
from gunita.services.access import Access
from gunita.store import conversations, transcripts
from gunita.store.messages import AFTER_EVERY_TURN
from gunita.store.transcripts import Said, ShownTurn

__all__ = ["Said", "ShownTurn", "Transcript", "TranscriptService"]


@dataclass(frozen=True, slots=True)
class Transcript:
    """Turns in ascending order, without a gap between them."""

    items: Sequence[ShownTurn]
    has_earlier: bool
    has_later: bool


class TranscriptService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def read(
        self,
        conversation_id: UUID | str,
        *,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
        limit: int = 20,
    ) -> Transcript:
        """Read the turns before a number, after one, around one, or with neither the newest."""
        wanted = access.identifier("conversation_id", conversation_id)
        size, _ = access.page(limit)
        if conversations.get(self._door.db, wanted) is None:
            raise NotFoundError("conversation", wanted)
        if after is not None:
            return self._onwards(wanted, after, size, has_earlier=after > 0)
        if around is not None:
            return self._around(wanted, access.turn_number("around", around), size)
        edge = AFTER_EVERY_TURN if before is None else before
        found = transcripts.turns_before(self._door.db, wanted, edge, size + 1)
        return Transcript(found[-size:], has_earlier=len(found) > size, has_later=before is not None)

    def _onwards(self, conversation_id: UUID, after: int, size: int, *, has_earlier: bool) -> Transcript:
        found = transcripts.turns_after(self._door.db, conversation_id, after, size + 1)
        return Transcript(found[:size], has_earlier=has_earlier, has_later=len(found) > size)

    def _around(self, conversation_id: UUID, place: int, size: int) -> Transcript:
        half = size // 2
        earlier = transcripts.turns_before(self._door.db, conversation_id, place, half + 1)
        shown = earlier[-half:] if half else []
        later = self._onwards(conversation_id, place - 1, size - len(shown), has_earlier=False)
        return Transcript([*shown, *later.items], has_earlier=len(earlier) > half, has_later=later.has_later)
