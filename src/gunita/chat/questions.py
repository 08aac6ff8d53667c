"""Open questions, also while the database is away: then they are remembered by this process alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from gunita.chat.shortterm import InProcessShortTermMemory, PendingClarification, StoredShortTermMemory
from gunita.errors import StorageUnavailableError
from gunita.models import Scope


class OwnQuestions:
    """What this process asked: copies of what is in the database, and what could not be put there."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.copies = InProcessShortTermMemory(clock)
        self.unstored = InProcessShortTermMemory(clock)


class GuardedShortTermMemory:
    """Short-term memory in the database, and in this process while that is away."""

    def __init__(self, stored: StoredShortTermMemory, own: OwnQuestions) -> None:
        self._stored = stored
        self._own = own

    def put(self, scope: Scope, pending: PendingClarification) -> None:
        try:
            self._stored.put(scope, pending)
        except StorageUnavailableError:
            self._own.unstored.put(scope, pending)
        else:
            self._own.copies.put(scope, pending)

    def get(self, scope: Scope, conversation_id: UUID) -> PendingClarification | None:
        unstored = self._own.unstored.get(scope, conversation_id)
        if unstored is not None:
            return unstored
        try:
            return self._stored.get(scope, conversation_id)
        except StorageUnavailableError:
            # A copy may have been settled elsewhere; while the database is away, nobody here can know better.
            return self._own.copies.get(scope, conversation_id)

    def touch(self, scope: Scope, conversation_id: UUID) -> bool:
        return self.get(scope, conversation_id) is not None

    def drop(self, scope: Scope, conversation_id: UUID) -> bool:
        own = self._own
        known = [own.unstored.drop(scope, conversation_id), own.copies.drop(scope, conversation_id)]
        try:
            return self._stored.drop(scope, conversation_id) or any(known)
        except StorageUnavailableError:
            return any(known)
