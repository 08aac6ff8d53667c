"""What a query points at in a conversation: how far back to look, which turns are meant, whether to ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from gunita.language.clarification import ClarificationEngine
from gunita.language.clarification_records import LoadedOnUse
from gunita.language.readings import TEXT_BYTES_REMEMBERED
from gunita.language.references import DynamicReferenceParser, shipped_encoder
from gunita.language.remembered import let_go_of_texts
from gunita.models import ReferenceIntent, ReferenceResolution, Turn
from gunita.store import messages
from gunita.store.database import ScopedDatabase
from gunita.store.messages import AFTER_EVERY_TURN

LATEST_TURNS = 40
"""How many of the latest turns a topic is looked for in."""
FARTHEST_BACK = 2_000
CLARIFICATION = "clarification"
LET_GO_EVERY = timedelta(minutes=1)


class ReadTexts:
    """What this process made of texts it read lately, whosever they were; any deletion has all of it let go.

    Those who talk pay for reading them again, so it is done once in a while, however much is deleted.
    """

    def __init__(self) -> None:
        self._let_go_at: datetime | None = None
        self._due = False

    def let_go(self, now: datetime) -> None:
        """Let go, at once or in a moment."""
        self._due = True
        self.catch_up(now)

    def catch_up(self, now: datetime) -> None:
        """Let go where something was deleted since that was done last."""
        if self._due and (self._let_go_at is None or abs(now - self._let_go_at) >= LET_GO_EVERY):
            let_go_of_texts()
            self._let_go_at, self._due = now, False


@dataclass(frozen=True, slots=True)
class Mind:
    """The two that understand: one what a query points at, one when and how to ask back; and what they have read."""

    references: DynamicReferenceParser
    clarifications: ClarificationEngine
    texts: ReadTexts = field(default_factory=ReadTexts)


def new_mind(memory_bytes: int = TEXT_BYTES_REMEMBERED) -> Mind:
    """Make one that loads the shipped model at its first use."""
    return Mind(DynamicReferenceParser(memory_bytes=memory_bytes), ClarificationEngine(LoadedOnUse(shipped_encoder)))


@dataclass(frozen=True, slots=True)
class Reach:
    """Which turns must be read to resolve an intent: so many first ones, so many latest ones, these by number."""

    first: int = 1
    latest: int = LATEST_TURNS
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How a query was understood against a conversation."""

    intent: ReferenceIntent | None
    resolution: ReferenceResolution | None
    unclear: bool = False

    @property
    def referenced(self) -> tuple[Turn, ...]:
        """The turns that are meant, once it is clear which."""
        if self.resolution is None or self.unclear or self.resolution.best_match is None:
            return ()
        if self.resolution.points_at_several:
            return tuple(turn for turn, _ in self.resolution.matched_turns)
        return (self.resolution.best_match,)

    @property
    def is_followup(self) -> bool:
        return self.intent is not None and self.intent.is_followup

    @property
    def confidence(self) -> float:
        if self.resolution is not None:
            return self.resolution.confidence
        return self.intent.confidence if self.intent is not None else 0.0


AFRESH = Reading(None, None)


def reach_of(intent: ReferenceIntent | None) -> Reach:
    """Decide how much of a conversation an intent needs, whatever the conversation's length."""
    if intent is None:
        return Reach()
    places = intent.positions
    beside = abs(places.offset or 0)
    first = max((*places.from_start, 1)) + beside
    latest = max((*places.from_end, *places.ago, 0)) + beside
    return Reach(
        first=min(first, FARTHEST_BACK),
        latest=min(max(latest, LATEST_TURNS), FARTHEST_BACK),
        numbers=tuple(places.numbered),
    )


def turns_within(db: ScopedDatabase, conversation_id: UUID, reach: Reach, before: int = AFTER_EVERY_TURN) -> list[Turn]:
    """Read the turns of a reach, in order; exchanges that only cleared something up are not counted as turns."""
    if before <= 1:
        return []
    turns = messages.latest_turns(db, conversation_id, reach.latest, before=before)
    if len(turns) >= reach.latest:
        known = {turn.turn_number for turn in turns}
        turns += [t for t in messages.first_turns(db, conversation_id, reach.first) if t.turn_number not in known]
        named = (messages.get_turn(db, conversation_id, n) for n in reach.numbers if n not in known)
        turns += [turn for turn in named if turn is not None]
    return sorted(
        {turn.turn_number: turn for turn in turns if turn.turn_number < before and not only_cleared_up(turn)}.values(),
        key=lambda turn: turn.turn_number,
    )


def only_cleared_up(turn: Turn) -> bool:
    """Tell an exchange that only cleared up what was meant."""
    return turn.metadata.get("intent") == CLARIFICATION


def understand(
    mind: Mind, db: ScopedDatabase, conversation_id: UUID, query: str, before: int = AFTER_EVERY_TURN
) -> tuple[Reading, list[Turn]]:
    """Understand a query against a conversation up to a turn, and give the turns that were read for it."""
    turns = turns_within(db, conversation_id, Reach(), before)
    intent = mind.references.detect_reference(query, turns)
    reach = reach_of(intent)
    if reach != Reach() and len(turns) >= LATEST_TURNS:
        turns = turns_within(db, conversation_id, reach, before)
    return read(mind, query, intent, turns), turns


def read(mind: Mind, query: str, intent: ReferenceIntent | None, turns: Sequence[Turn]) -> Reading:
    """Understand a query against the turns that its intent reaches."""
    if intent is None or (intent.is_followup and not turns):
        return AFRESH
    resolution = mind.references.resolve_reference(intent, turns)
    return Reading(intent, resolution, unclear=mind.clarifications.needs_clarification(query, resolution))
