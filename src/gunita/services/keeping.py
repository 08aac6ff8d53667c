"""Keeps a whole turn, and reads turns back: in the database, or while that is away, in the refuge beside it."""

from __future__ import annotations

import logging
from uuid import UUID

from gunita.errors import StorageUnavailableError
from gunita.ids import new_ids
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Turn
from gunita.services.access import Access
from gunita.store import deadline, messages

_log = logging.getLogger("gunita.services")


def keep_turn(
    door: Access, conversation_id: UUID, user_id: str, query: str, response: str, metadata: JsonObject
) -> Turn | None:
    """Keep a turn under the next number; None when the conversation is somebody else's."""
    now, sizes = door.clock(), (count_tokens(query), count_tokens(response))
    ids = new_ids(now, 2)

    def append() -> Turn | None:
        return messages.append_turn(
            door.db,
            conversation_id,
            user_id,
            query,
            response,
            query_tokens=sizes[0],
            response_tokens=sizes[1],
            metadata=metadata,
            now=now,
            ids=ids,
        )

    refuge, tenant_id = door.refuge, door.scope.tenant_id
    if refuge is None:
        return append()
    place = (tenant_id, conversation_id)
    if not refuge.must_wait(place):
        try:
            with deadline.within(door.settings.storage_deadline_seconds):
                kept = append()
        except StorageUnavailableError as trouble:
            _log.warning("a turn is kept in the journal: %s", trouble)
        else:
            if kept is not None:
                refuge.said(place, kept)
            return kept
    if not refuge.may_belong_to(place, user_id):
        return None
    said = Turn(ids[0], conversation_id, user_id, 0, query, response, now, metadata)
    return refuge.keep_said(tenant_id, said, ids[1], *sizes)


def history(door: Access, conversation_id: UUID, limit: int) -> list[Turn]:
    """Read the newest turns; while the database is away, those of them that are in memory."""
    refuge, place = door.refuge, (door.scope.tenant_id, conversation_id)
    if refuge is None:
        return messages.latest_turns(door.db, conversation_id, limit)
    try:
        with deadline.within(door.settings.storage_deadline_seconds):
            stored = messages.latest_turns(door.db, conversation_id, limit)
    except StorageUnavailableError:
        found = refuge.history(place, door.scope, limit)
        if found is None:
            raise
        _log.warning("the database is away: the newest %d turns were read from memory", len(found))
        return found
    if not refuge.must_wait(place):
        return stored
    # What waits in the journal was said after what is stored.
    waiting = refuge.history(place, door.scope, limit) or []
    known = {turn.id for turn in stored}
    return [*stored, *(turn for turn in waiting if turn.id not in known)][-limit:]
