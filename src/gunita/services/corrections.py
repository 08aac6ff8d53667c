"""Corrections: what a reference was taken for and what it meant, kept to measure with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gunita.errors import NotFoundError, ValidationError
from gunita.ids import new_id
from gunita.models import Turn
from gunita.services import access
from gunita.services.access import Access
from gunita.services.understanding import LATEST_TURNS, Reach, turns_within
from gunita.store import corrections, messages
from gunita.store.corrections import StoredCorrection

MOST_MEANT = 20


class CorrectionService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def correct(self, conversation_id: UUID | str, turn_number: int, meant: Sequence[int]) -> StoredCorrection:
        """Say which earlier turns a turn's query meant; none says that it pointed at nothing."""
        door = self._door
        wanted = access.identifier("conversation_id", conversation_id)
        turn = self._turn(wanted, access.turn_number("turn_number", turn_number))
        numbers = self._earlier_turns(wanted, turn.turn_number, meant)
        now = door.clock()
        correction = StoredCorrection(
            id=new_id(now),
            user_id=turn.user_id,
            conversation_id=wanted,
            turn_number=turn.turn_number,
            understood={key: turn.metadata.get(key) for key in ("intent", "confidence", "references")},
            meant={"references": numbers},
            created_at=now,
        )
        corrections.insert(door.db, correction)
        return correction

    def list_corrections(self, limit: int = 50, offset: int = 0) -> list[StoredCorrection]:
        """List the scope's corrections, newest first."""
        wanted, start = access.page(limit, offset)
        return corrections.newest(self._door.db, limit=wanted, offset=start)

    def export_cases(self, limit: int = 1_000, offset: int = 0) -> str:
        """Write corrections as cases for measuring, one JSON object a line: history, query, and the turns meant."""
        found = self.list_corrections(limit, offset)
        cases = (self._case(correction) for correction in found)
        return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases if case is not None)

    def _case(self, correction: StoredCorrection) -> dict[str, Any] | None:
        """Tell a correction with the history its query was said after; None where that is forgotten."""
        turn = messages.get_turn(self._door.db, correction.conversation_id, correction.turn_number)
        if turn is None:
            return None
        meant = correction.meant.get("references", [])
        reach = Reach(latest=correction.turn_number + LATEST_TURNS, numbers=tuple(meant))
        history = turns_within(self._door.db, correction.conversation_id, reach)
        return {
            "id": str(correction.id),
            "history": [
                {"turn": earlier.turn_number, "query": earlier.query_text, "response": earlier.response_text}
                for earlier in history
                if earlier.turn_number < correction.turn_number
            ],
            "query": turn.query_text,
            "turns": meant,
            "understood": correction.understood,
        }

    def _turn(self, conversation_id: UUID, number: int) -> Turn:
        found = messages.get_turn(self._door.db, conversation_id, number)
        if found is None:
            raise NotFoundError("turn", f"{number} in conversation {conversation_id}")
        return found

    def _earlier_turns(self, conversation_id: UUID, before: int, meant: Sequence[int]) -> list[int]:
        if isinstance(meant, str) or not isinstance(meant, Sequence) or len(meant) > MOST_MEANT:
            raise ValidationError("meant", f"must be a list of at most {MOST_MEANT} turn numbers")
        numbers = sorted({access.turn_number("meant", number) for number in meant})
        for number in numbers:
            if number >= before:
                raise ValidationError("meant", f"turn {number} does not come before turn {before}")
            self._turn(conversation_id, number)
        return numbers
