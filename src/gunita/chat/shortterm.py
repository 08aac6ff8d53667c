"""Short-term memory: the one question that a conversation has open, for five minutes since its last activity."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from gunita.ids import now
from gunita.language.clarification import Choice, Clarification
from gunita.models import ANONYMOUS, Language, Scope, Turn
from gunita.store import pending as stored
from gunita.store.database import Database

_log = logging.getLogger("gunita.shortterm")

Clock: TypeAlias = Callable[[], datetime]

LIFETIME = timedelta(minutes=5)
MOST_ENTRIES = 10_000
LONGEST_TEXT_KEPT = 4_000
"""Enough of a turn to recognise it by; its whole text stays where it belongs, in the conversation."""


@dataclass(frozen=True, slots=True)
class PendingClarification:
    """A clarification that waits for its reply; the turns in it are cut short and known by number and id."""

    scope: Scope
    conversation_id: UUID
    clarification: Clarification
    asked_at: datetime
    expires_at: datetime

    @classmethod
    def opened(
        cls,
        scope: Scope,
        conversation_id: UUID,
        clarification: Clarification,
        at: datetime,
        lifetime: timedelta = LIFETIME,
    ) -> PendingClarification:
        return cls(scope, conversation_id, _cut_short(clarification), at, at + lifetime)

    @property
    def owner(self) -> str:
        return self.scope.user_id or ANONYMOUS

    @property
    def original_query(self) -> str:
        return self.clarification.query

    @property
    def question(self) -> str:
        return self.clarification.question

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.clarification.choices

    @property
    def round(self) -> int:
        return self.clarification.round

    def to_json(self) -> dict[str, Any]:
        return {
            "tenant_id": self.scope.tenant_id,
            "user_id": self.scope.user_id,
            "conversation_id": str(self.conversation_id),
            "clarification": _clarification_to_json(self.clarification),
            "asked_at": self.asked_at.isoformat(),
            "expires_at": self.expires_at.isoformat(),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> PendingClarification:
        """Read what `to_json` wrote; anything else is a ValueError."""
        try:
            return cls(
                Scope(value["tenant_id"], value["user_id"]),
                UUID(value["conversation_id"]),
                _clarification_from_json(value["clarification"]),
                datetime.fromisoformat(value["asked_at"]),
                datetime.fromisoformat(value["expires_at"]),
            )
        except (KeyError, TypeError, AttributeError, IndexError) as damage:
            raise ValueError(f"not a pending clarification: {damage!r}") from damage


class ShortTermMemory(Protocol):
    """Keeps at most one pending clarification for a conversation; reading it is activity and renews it."""

    def put(self, scope: Scope, pending: PendingClarification) -> None: ...

    def get(self, scope: Scope, conversation_id: UUID) -> PendingClarification | None: ...

    def touch(self, scope: Scope, conversation_id: UUID) -> bool: ...

    def drop(self, scope: Scope, conversation_id: UUID) -> bool: ...


class InProcessShortTermMemory:
    """Short-term memory of one process: bounded, and safe among threads."""

    def __init__(
        self, clock: Clock = now, lifetime: timedelta = LIFETIME, max_entries: int = MOST_ENTRIES
    ) -> None:  # fmt: skip
        self._clock = clock
        self._lifetime = lifetime
        self._max_entries = max_entries
        self._lock = threading.Lock()
        # In the order of their last activity, so that the first one is the first to expire.
        self._entries: OrderedDict[tuple[str | None, UUID], PendingClarification] = OrderedDict()

    def put(self, scope: Scope, pending: PendingClarification) -> None:
        key = (scope.tenant_id, pending.conversation_id)
        with self._lock:
            self._forget_expired()
            held = self._entries.get(key)
            if held is not None and held.owner != pending.owner:
                return
            self._entries[key] = pending
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def get(self, scope: Scope, conversation_id: UUID) -> PendingClarification | None:
        key = (scope.tenant_id, conversation_id)
        with self._lock:
            held = self._entries.get(key)
            if held is None or not _reaches(scope, held) or held.expires_at <= self._clock():
                return None
            renewed = replace(held, expires_at=self._clock() + self._lifetime)
            self._entries[key] = renewed
            self._entries.move_to_end(key)
            return renewed

    def touch(self, scope: Scope, conversation_id: UUID) -> bool:
        return self.get(scope, conversation_id) is not None

    def drop(self, scope: Scope, conversation_id: UUID) -> bool:
        key = (scope.tenant_id, conversation_id)
        with self._lock:
            held = self._entries.get(key)
            if held is None or not _reaches(scope, held):
                return False
            del self._entries[key]
            return True

    def whose(self) -> set[tuple[str | None, str]]:
        """Name the users whose questions are held."""
        with self._lock:
            return {(tenant, held.owner) for (tenant, _), held in self._entries.items()}

    def forget(self, tenant_id: str | None, *, user_id: str | None = None, conversation_id: UUID | None = None) -> int:
        """Let go of the questions of a conversation, of a user or of a tenant; tell how many that were."""
        with self._lock:
            gone = [
                (tenant, conversation)
                for (tenant, conversation), held in self._entries.items()
                if tenant == tenant_id and user_id in {None, held.owner} and conversation_id in {None, conversation}
            ]
            for key in gone:
                del self._entries[key]
        return len(gone)

    def __len__(self) -> int:
        with self._lock:
            self._forget_expired()
            return len(self._entries)

    def _forget_expired(self) -> None:
        at = self._clock()
        for key in [key for key, held in self._entries.items() if held.expires_at <= at]:
            del self._entries[key]


class StoredShortTermMemory:
    """Short-term memory in the database's pending table, where any process can settle what another asked."""

    def __init__(self, database: Database, clock: Clock = now, lifetime: timedelta = LIFETIME) -> None:
        self._database = database
        self._clock = clock
        self._lifetime = lifetime

    def put(self, scope: Scope, pending: PendingClarification) -> None:
        within = self._database.within(scope)
        stored.put(within, pending.conversation_id, pending.owner, pending.to_json(), pending.expires_at)

    def get(self, scope: Scope, conversation_id: UUID) -> PendingClarification | None:
        payload = stored.get(self._database.within(scope), conversation_id, self._clock())
        if payload is None or not self.touch(scope, conversation_id):
            return None
        try:
            pending = PendingClarification.from_json(payload)
        except ValueError as damage:
            _log.warning("dropped an unreadable pending clarification of %s: %s", str(conversation_id)[:8], damage)
            self.drop(scope, conversation_id)
            return None
        return replace(pending, expires_at=self._clock() + self._lifetime)

    def touch(self, scope: Scope, conversation_id: UUID) -> bool:
        at = self._clock()
        return stored.renew(self._database.within(scope), conversation_id, at, at + self._lifetime)

    def drop(self, scope: Scope, conversation_id: UUID) -> bool:
        return stored.drop(self._database.within(scope), conversation_id)


def _reaches(scope: Scope, pending: PendingClarification) -> bool:
    return scope.is_service or scope.user_id == pending.owner


def _cut_short(clarification: Clarification) -> Clarification:
    cut = {turn.id: _cut_turn(turn) for turn in clarification.turns}
    return replace(
        clarification,
        query=clarification.query[:LONGEST_TEXT_KEPT],
        candidates=tuple((cut[turn.id], score) for turn, score in clarification.candidates),
        choices=tuple(replace(choice, turn=cut[choice.turn.id]) for choice in clarification.choices),
    )


def _cut_turn(turn: Turn) -> Turn:
    asked, answered = turn.query_text[:LONGEST_TEXT_KEPT], turn.response_text[:LONGEST_TEXT_KEPT]
    return replace(turn, query_text=asked, response_text=answered, metadata={})


def _clarification_to_json(clarification: Clarification) -> dict[str, Any]:
    places = {turn.id: place for place, turn in enumerate(clarification.turns)}
    return {
        "query": clarification.query,
        "question": clarification.question,
        "choices": [[places[choice.turn.id], choice.label, choice.place] for choice in clarification.choices],
        "candidates": [[_turn_to_json(turn), score] for turn, score in clarification.candidates],
        "language": clarification.language.value,
        "polite": clarification.polite,
        "round": clarification.round,
        "latest_turn": clarification.latest_turn,
    }


def _clarification_from_json(value: dict[str, Any]) -> Clarification:
    candidates = tuple((_turn_from_json(turn), float(score)) for turn, score in value["candidates"])
    return Clarification(
        query=value["query"],
        question=value["question"],
        choices=tuple(Choice(candidates[place][0], label, where) for place, label, where in value["choices"]),
        candidates=candidates,
        language=Language(value["language"]),
        polite=bool(value["polite"]),
        round=int(value["round"]),
        latest_turn=int(value["latest_turn"]),
    )


def _turn_to_json(turn: Turn) -> dict[str, Any]:
    return {
        "id": str(turn.id),
        "session_id": str(turn.session_id),
        "user_id": turn.user_id,
        "turn_number": turn.turn_number,
        "query_text": turn.query_text,
        "response_text": turn.response_text,
        "created_at": turn.created_at.isoformat(),
    }


def _turn_from_json(value: dict[str, Any]) -> Turn:
    return Turn(
        id=UUID(value["id"]),
        session_id=UUID(value["session_id"]),
        user_id=value["user_id"],
        turn_number=int(value["turn_number"]),
        query_text=value["query_text"],
        response_text=value["response_text"],
        created_at=datetime.fromisoformat(value["created_at"]),
    )
