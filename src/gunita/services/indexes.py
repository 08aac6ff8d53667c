"""Holds the message indexes of those who searched last, brought up to date before each search; bounded in memory."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np

from gunita.language.remembered import Remembered
from gunita.models import Message, Role, Scope
from gunita.recall.index import Entry, MessageIndex
from gunita.recall.terms import Terms, speaker_code, terms_of, unpack
from gunita.services.access import Access
from gunita.services.indexing import shipped_encoder, speaker_of
from gunita.store import search
from gunita.store.search import Fingerprint, IndexRow

WAITING_LOOKED_AT = 200
"""Messages not indexed yet that a search still looks through by their words."""
LATER_ADDED = 1_000
NO_VECTORS = np.empty((0, 0), np.int8)
TERM_BYTES_REMEMBERED = 8_000_000
CHECKED_FOR = 1.0
"""Seconds for which only what came is looked for, and not what went: that takes a walk along all of a user's rows."""

# Without a background the latest messages wait, and every search would read the words of all of them anew.
_terms: Remembered[tuple[str, ...], Terms] = Remembered(TERM_BYTES_REMEMBERED, lambda read: 100 + 12 * read.length)


@dataclass(frozen=True, slots=True)
class Held:
    fingerprint: Fingerprint
    index: MessageIndex
    checked_at: float
    """When it was last held against every row, by the process's own clock."""

    def grown(self, later: Sequence[IndexRow], newest: datetime) -> Held:
        seen = Fingerprint(
            self.fingerprint.count + len(later), self.fingerprint.marks + sum(row.mark for row in later), newest
        )
        return Held(seen, self.index.with_more([entry_of_row(row) for row in later]), self.checked_at)


class Indexes:
    """What is held of each scope; the scope that searched longest ago goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._held: OrderedDict[tuple[Scope, str | None], Held] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, door: Access, user_id: str | None, *, surely: bool = False) -> MessageIndex:
        """Give the index of a user's messages, or of a whole tenant's, with those not indexed yet.

        What another process deleted may stand in it for a moment; surely asked for, it does not.
        """
        key = (door.scope, user_id)
        with self._lock:
            held = self._held.get(key)
        grown = None if held is None or surely else _grown(door, user_id, held)
        current = grown or _brought_up_to_date(door, user_id, held)
        if current is not held:
            self._hold(key, current)
        waiting = search.waiting_messages(door.db, user_id, limit=WAITING_LOOKED_AT)
        known = current.index.known
        fresh = [entry_of_message(message) for message in waiting if message.id not in known]
        return current.index.with_more(fresh) if fresh else current.index

    def whose(self) -> set[tuple[str | None, str]]:
        """Name the users of whom an index is held."""
        with self._lock:
            keys = list(self._held)
        return {(scope.tenant_id, user) for scope, wanted in keys if (user := wanted or scope.user_id)}

    def forget(self, tenant_id: str | None, *, user_id: str | None = None, conversation_id: UUID | None = None) -> int:
        """Let go of every index that may hold something of a user or a conversation; tell how many that were."""
        with self._lock:
            gone = [
                (scope, wanted)
                for scope, wanted in self._held
                if scope.tenant_id == tenant_id and user_id in {None, wanted or scope.user_id or user_id}
            ]
            for key in gone:
                del self._held[key]
        return len(gone)

    def _hold(self, key: tuple[Scope, str | None], held: Held) -> None:
        with self._lock:
            self._held[key] = held
            self._held.move_to_end(key)
            while len(self._held) > 1 and sum(h.index.bytes for h in self._held.values()) > self._most_bytes:
                self._held.popitem(last=False)


def _grown(door: Access, user_id: str | None, held: Held) -> Held | None:
    """Add what came since, where that is enough; None where the whole has to be looked at."""
    if time.monotonic() - held.checked_at > CHECKED_FOR:
        return None
    later = search.later_rows(door.db, user_id, held.fingerprint.newest, limit=LATER_ADDED)
    if not later:
        return held
    if len(later) == LATER_ADDED or any(row.message_id in held.index.known for row in later):
        return None
    return held.grown(later, max(row.indexed_at for row in later))


def _brought_up_to_date(door: Access, user_id: str | None, held: Held | None) -> Held:
    """Read what came since; read everything anew where something went or changed."""
    now = time.monotonic()
    present = search.fingerprint(door.db, user_id)
    if held is not None and held.fingerprint == present:
        return replace(held, checked_at=now)
    most = door.settings.search_messages_held
    if held is not None and held.fingerprint.count:
        later = search.later_rows(door.db, user_id, held.fingerprint.newest, limit=most)
        if _explains(held, later, present):
            return replace(held.grown(later, present.newest), checked_at=now)
    rows = search.newest_rows(door.db, user_id, limit=most)
    return Held(present, MessageIndex.of([entry_of_row(row) for row in rows]), now)


def _explains(held: Held, later: Sequence[IndexRow], present: Fingerprint) -> bool:
    """Tell whether the later rows are all that makes the difference."""
    before = held.fingerprint
    return (
        before.count + len(later) == present.count
        and before.marks + sum(row.mark for row in later) == present.marks
        and not any(row.message_id in held.index.known for row in later)
    )


def entry_of_row(row: IndexRow) -> Entry:
    terms, is_named, speaker = unpack(row.terms)
    encoder = shipped_encoder()
    # Vectors of two models do not compare: until the background comes to it, such a message is found by its words.
    is_current = row.model == encoder.model_name
    vectors = np.frombuffer(row.vectors, np.int8).reshape(-1, encoder.dimensions) if is_current else NO_VECTORS
    return Entry(
        message_id=row.message_id,
        conversation_id=row.conversation_id,
        turn_number=row.turn_number,
        is_user=row.role == Role.USER.value,
        created_at=row.created_at,
        terms=terms,
        is_named=is_named,
        vectors=vectors,
        speaker=speaker,
    )


def entry_of_message(message: Message) -> Entry:
    """Read a message that the background has not come to: its words only, since a vector takes time."""
    speaker = speaker_of(message)
    return Entry(
        message_id=message.id,
        conversation_id=message.conversation_id,
        turn_number=message.turn_number,
        is_user=message.role is Role.USER,
        created_at=message.created_at,
        terms=_terms.get((message.content, *speaker), lambda said: terms_of(*said)),
        is_named=bool(speaker),
        vectors=NO_VECTORS,
        speaker=speaker_code(*speaker),
    )
