"""Search over messages, turns and memories, by words and by meaning together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gunita.errors import NotFoundError, ValidationError
from gunita.ids import microseconds
from gunita.models import Hit, Memory, MemoryType, Message, Role, Scope, SearchKind, Turn
from gunita.recall import fusion
from gunita.recall.aims import in_their_words
from gunita.recall.fusion import Scored, Sought
from gunita.recall.index import Entry, Floats, MessageIndex, conversation_code
from gunita.recall.snippets import snippet
from gunita.recall.terms import terms_of
from gunita.services import access, indexing
from gunita.services.access import Access
from gunita.services.indexes import Indexes
from gunita.services.indexing import Progress
from gunita.store import conversations, memories, messages, search
from gunita.store.database import Database
from gunita.store.memories import MOST_WEIGHED, MemoryFilter

ALIKE = 0.3
"""How alike in meaning a text must be to be found without sharing a word."""
EVERYTHING = 2**31 - 1
_memory_terms = lru_cache(4_096)(terms_of)


class SearchService:
    def __init__(self, door: Access, indexes: Indexes, database: Database) -> None:
        self._door = door
        self._indexes = indexes
        self._database = database

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        conversation_id: UUID | str | None = None,
        role: Role | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kind: SearchKind | str = SearchKind.MESSAGES,
        memory_type: MemoryType | str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> list[Hit]:
        """Find what answers a query, best first: the user's, or for a service that names nobody, the tenant's."""
        wanted_query, chosen = self._door.content("query", query), _kind(kind)
        wanted, start = access.page(limit, offset)
        whose = self._door.user_or_all(user_id)
        where = None if conversation_id is None else access.identifier("conversation_id", conversation_id)
        allowed = _Allowed(
            where,
            None if role is None else access.role(role),
            None if since is None else access.moment("since", since),
            None if until is None else access.moment("until", until),
        )
        if chosen is SearchKind.MEMORIES:
            kinds = None if memory_type is None else access.memory_type(memory_type)
            filters = MemoryFilter(memory_type=kinds, archived=False, source_conversation_id=where)
            return self._memories(wanted_query, whose, filters, allowed, wanted, start)
        if where is not None:
            whose = self._owner_of(where, whose)
        return self._messages(wanted_query, whose, allowed, chosen, wanted, start)

    def best_of_each_conversation(self, query: str, *, user_id: str | None = None, limit: int = 50) -> list[Hit]:
        """Find the message of each conversation that answers a query best, best conversation first."""
        wanted_query, wanted = self._door.content("query", query), access.page(limit)[0]
        index = self._indexes.of(self._door, self._door.user_or_all(user_id))
        if not len(index):
            return []
        sought = self._sought(wanted_query, index)
        scored = fusion.score(index, sought)
        order = best_first(scored, np.ones(len(index), np.bool_))
        _, first = np.unique(index.columns.conversations[order], return_index=True)
        places = [order[place] for place in sorted(first.tolist())[:wanted]]
        return self._message_hits(index, scored, sought, places)[0]

    def index_pending(self, limit: int = 1_000) -> int:
        """Index messages and memories that wait, up to a limit; tell how many were done."""
        wanted, _ = access.page(limit)
        return indexing.index_pending(self._door, wanted)

    def index_everywhere(self, limit: int = 1_000) -> int:
        """Do the same for every tenant that the scope reaches, one after another; what a server's worker calls."""
        if self._door.scope != Scope():
            return self.index_pending(limit)
        wanted, _ = access.page(limit)
        tenants = search.tenants_to_index(self._database)
        doors = (replace(self._door, db=self._database.within(Scope(tenant))) for tenant in tenants)
        return sum(indexing.index_pending(door, wanted) for door in doors)

    def count_waiting(self) -> int:
        """Count the messages and memories that wait to be indexed."""
        return search.count_waiting(self._door.db)

    def reembed(self, progress: Progress | None = None) -> int:
        """Read anew what another model has read, in every tenant that the scope reaches; search goes on meanwhile."""
        model = indexing.shipped_encoder().model_name
        doors = [self._door]
        if self._door.scope == Scope():
            tenants = search.tenants_of_other_models(self._database, model)
            doors += [replace(self._door, db=self._database.within(Scope(tenant))) for tenant in tenants if tenant]
        for door in doors:
            search.queue_other_models(door.db, model)
        total = sum(search.count_waiting(door.db) for door in doors)
        done = 0
        for door in doors:
            done += indexing.index_pending(door, EVERYTHING, _beyond(done, total, progress))
        return done

    def _messages(
        self, query: str, user_id: str | None, allowed: _Allowed, kind: SearchKind, limit: int, offset: int
    ) -> list[Hit]:
        hits: list[Hit] = []
        for surely in (False, True):
            index = self._indexes.of(self._door, user_id, surely=surely)
            wanted = self._sought(query, index)
            scored = fusion.score(index, wanted)
            order = best_first(scored, allowed.mask(index))
            if kind is SearchKind.TURNS:
                return self._turn_hits(index, scored, wanted, order, limit, offset)
            hits, whole = self._message_hits(index, scored, wanted, order[offset : offset + limit])
            if whole:
                break
        return hits

    def _message_hits(
        self, index: MessageIndex, scored: Scored, wanted: Sought, places: Sequence[int]
    ) -> tuple[list[Hit], bool]:
        """Read the messages at some places; tell whether all of them are still there."""
        ids = [index.entries[place].message_id for place in places]
        found = search.messages_by_ids(self._door.db, ids)
        hits = [
            _hit(found[message_id], found[message_id].content, scored, place, wanted)
            for place, message_id in zip(places, ids, strict=True)
            if message_id in found
        ]
        return hits, len(hits) == len(places)

    def _turn_hits(
        self, index: MessageIndex, scored: Scored, wanted: Sought, order: Sequence[int], limit: int, offset: int
    ) -> list[Hit]:
        hits: list[Hit] = []
        for place, entry in _first_of_each_turn(index, order):
            turn = messages.get_turn(self._door.db, entry.conversation_id, entry.turn_number)
            if turn is not None:
                said = turn.query_text if entry.is_user else turn.response_text
                hits.append(_hit(turn, said, scored, place, wanted))
            if len(hits) >= offset + limit:
                break
        return hits[offset:]

    def _memories(
        self, query: str, user_id: str | None, filters: MemoryFilter, allowed: _Allowed, limit: int, offset: int
    ) -> list[Hit]:
        found = memories.find(self._door.db, user_id, filters, limit=MOST_WEIGHED)
        vectors = search.vectors_of_memories(self._door.db, user_id, indexing.shipped_encoder().model_name)
        index = MessageIndex.of([_memory_entry(memory, vectors.get(memory.id)) for memory in found])
        wanted = self._sought(query, index)
        scored = fusion.score(index, wanted, fusion.MEMORY_WEIGHTS)
        order = best_first(scored, allowed.in_time(index))[offset : offset + limit]
        return [_hit(found[place], found[place].content, scored, place, wanted) for place in order]

    def _owner_of(self, conversation_id: UUID, user_id: str | None) -> str:
        """Say whose a conversation is; somebody else's than the user named is not there."""
        conversation = conversations.get(self._door.db, conversation_id)
        if conversation is None or user_id not in (None, conversation.user_id):
            raise NotFoundError("conversation", conversation_id)
        return conversation.user_id

    def _sought(self, query: str, index: MessageIndex) -> Sought:
        vector = _query_vector(in_their_words(query, index.speakers))
        return fusion.sought(query, vector, self._door.clock().date())


@dataclass(frozen=True, slots=True)
class _Allowed:
    """Which messages a search may find; None lets any pass."""

    conversation_id: UUID | None
    role: Role | None
    since: datetime | None
    until: datetime | None

    def mask(self, index: MessageIndex) -> NDArray[np.bool_]:
        columns = index.columns
        passes = self.in_time(index)
        if self.conversation_id is not None:
            passes &= columns.conversations == conversation_code(self.conversation_id)
        if self.role is not None:
            passes &= columns.is_user == (self.role is Role.USER)
        return passes

    def in_time(self, index: MessageIndex) -> NDArray[np.bool_]:
        columns = index.columns
        passes = np.ones(len(index), np.bool_)
        if self.since is not None:
            passes &= columns.moments >= microseconds(self.since)
        if self.until is not None:
            passes &= columns.moments < microseconds(self.until)
        return passes


def _beyond(before: int, total: int, progress: Progress | None) -> Progress | None:
    """Tell progress as a part of a larger whole."""
    return None if progress is None else lambda done, _: progress(before + done, max(before + done, total))


def best_first(scored: Scored, allowed: NDArray[np.bool_]) -> list[int]:
    """Order the places that match at all, best first, and of equals the later one first."""
    matching = np.flatnonzero(allowed & ((scored.words > 0) | (scored.meaning >= ALIKE)))
    order: list[int] = matching[np.argsort(-scored.total[matching], kind="stable")].tolist()
    return order


def _first_of_each_turn(index: MessageIndex, order: Sequence[int]) -> Iterator[tuple[int, Entry]]:
    seen: set[tuple[UUID, int]] = set()
    for place in order:
        entry = index.entries[place]
        turn = (entry.conversation_id, entry.turn_number)
        if turn not in seen:
            seen.add(turn)
            yield place, entry


def _hit(found: Message | Turn | Memory, text: str, scored: Scored, place: int, wanted: Sought) -> Hit:
    total = max(float(scored.total[place]), 0.0)
    parts = (
        ("words", scored.words[place] > 0),
        ("meaning", scored.meaning[place] >= ALIKE),
        ("time", wanted.span is not None and scored.date[place] >= 1.0),
    )
    return Hit(
        found=found,
        score=round(total / (1 + total), 4),
        snippet=snippet(text, wanted.terms),
        why=", ".join(name for name, counts in parts if counts),
    )


def _memory_entry(memory: Memory, vector: bytes | None) -> Entry:
    vectors = np.empty((0, 0), np.int8) if vector is None else np.frombuffer(vector, np.int8)[None, :]
    return Entry(
        message_id=memory.id,
        conversation_id=memory.id,
        turn_number=1,
        is_user=True,
        created_at=memory.created_at,
        terms=_memory_terms(memory.content),
        is_named=False,
        vectors=vectors,
    )


@lru_cache(256)
def _query_vector(query: str) -> Floats:
    vector: Floats = indexing.shipped_encoder().encode([query])[0]
    return vector


def _kind(value: Any) -> SearchKind:
    try:
        return SearchKind(value)
    except ValueError as problem:
        known = ", ".join(SearchKind)
        raise ValidationError("kind", f"{value!r} is unknown; use one of {known}") from problem
