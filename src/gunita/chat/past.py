"""Where a turn finds what was said before: in the database, or while that is away, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from gunita.chat import closing
from gunita.chat.opening import House, Opened
from gunita.chat.records import ChatRequest, Understood
from gunita.models import Turn
from gunita.resilience.fallback import NOTHING_BESIDE, Beside, Held
from gunita.services import gathering, understanding
from gunita.services.gathering import Asked, Gathered
from gunita.services.recalling import recalled_turns
from gunita.services.understanding import AFRESH, LATEST_TURNS, Reach, Reading
from gunita.store import messages

FROM_MEMORY = "the database is away: this answer rests on what was in memory"
NOT_IN_MEMORY = (
    "the database is away and this conversation was not in memory: the answer knows nothing of what was said before"
)


class Past(Protocol):
    @property
    def notices(self) -> tuple[str, ...]:
        """What whoever asked should know about this past."""
        ...

    def understood(self, query: str) -> tuple[Reading, list[Turn]]:
        """Understand a query against it, and give the turns that were read for it."""
        ...

    def latest(self) -> list[Turn]:
        """Give its newest turns."""
        ...

    def numbered(self, numbers: Iterable[int]) -> tuple[Turn, ...]:
        """Give turns by their numbers."""
        ...

    def gathered(self, request: ChatRequest, query: str, turns: Sequence[Turn], understood: Understood) -> Gathered:
        """Gather what else is worth knowing, and fill the budget."""
        ...


@dataclass(frozen=True, slots=True)
class StoredPast:
    """The past as the database has it."""

    house: House
    opened: Opened
    notices: tuple[str, ...] = ()
    most_turns: int | None = None
    """How many of the latest turns go before the model; as many as settings say unless it must be fewer."""

    def understood(self, query: str) -> tuple[Reading, list[Turn]]:
        house, opened = self.house, self.opened
        return understanding.understand(house.mind, house.door.db, opened.session_id, query, before=opened.turn_number)

    def latest(self) -> list[Turn]:
        return understanding.turns_within(
            self.house.door.db, self.opened.session_id, Reach(), before=self.opened.turn_number
        )

    def numbered(self, numbers: Iterable[int]) -> tuple[Turn, ...]:
        return whole(self.house, self.opened.session_id, numbers)

    def gathered(self, request: ChatRequest, query: str, turns: Sequence[Turn], understood: Understood) -> Gathered:
        house, opened = self.house, self.opened
        recalled = recalled_turns(
            house.door,
            house.search,
            opened.session_id,
            query,
            user_id=opened.user_id,
            turn_count=opened.turn_number,
        )
        asked = Asked(
            conversation_id=opened.session_id,
            user_id=opened.user_id,
            query=query,
            turns=turns if self.most_turns is None else turns[-self.most_turns :],
            referenced=understood.referenced,
            recalled=recalled,
            documents=opened.conversation.documents,
            instructions=request.instructions,
            begins=opened.begins_conversation,
            beside_tokens=closing.tool_tokens(request.tools),
        )
        found = gathering.gather(house.door, asked)
        if house.keeper is not None:
            known = found.material
            beside = Beside(known.summary, found.memories, known.user_memory, opened.conversation.documents)
            house.keeper.hold((house.door.scope.tenant_id, opened.session_id), opened.user_id, turns, beside)
        return found


@dataclass(frozen=True, slots=True)
class HeldPast:
    """The past as far as it is in memory."""

    house: House
    opened: Opened
    held: Held | None

    @property
    def notices(self) -> tuple[str, ...]:
        is_known = self.held is not None or self.opened.begins_conversation
        return (FROM_MEMORY,) if is_known else (FROM_MEMORY, NOT_IN_MEMORY)

    def understood(self, query: str) -> tuple[Reading, list[Turn]]:
        turns = self.latest()
        if not turns:
            return AFRESH, []
        intent = self.house.mind.references.detect_reference(query, turns)
        return understanding.read(self.house.mind, query, intent, turns), turns

    def latest(self) -> list[Turn]:
        held = self.held.turns if self.held else ()
        before = [turn for turn in held if turn.turn_number < self.opened.turn_number]
        return [turn for turn in before if not understanding.only_cleared_up(turn)][-LATEST_TURNS:]

    def numbered(self, numbers: Iterable[int]) -> tuple[Turn, ...]:
        held = {turn.turn_number: turn for turn in self.held.turns} if self.held else {}
        return tuple(held[number] for number in numbers if number in held)

    def gathered(self, request: ChatRequest, query: str, turns: Sequence[Turn], understood: Understood) -> Gathered:
        beside = self.held.beside if self.held else NOTHING_BESIDE
        asked = Asked(
            conversation_id=self.opened.session_id,
            user_id=self.opened.user_id,
            query=query,
            turns=turns,
            referenced=understood.referenced,
            documents=beside.documents,
            instructions=request.instructions,
            begins=self.opened.begins_conversation,
            beside_tokens=closing.tool_tokens(request.tools),
        )
        return gathering.fill(self.house.door.settings, asked, beside.memories, beside.summary, beside.user_memory)


def whole(house: House, session_id: UUID, numbers: Iterable[int]) -> tuple[Turn, ...]:
    """Read turns by their numbers; short-term memory keeps only their beginnings."""
    found = (messages.get_turn(house.door.db, session_id, number) for number in numbers)
    return tuple(turn for turn in found if turn is not None)
