"""Closes turns whose server never came back to answer them, so that no conversation waits for ever."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from uuid import UUID

from gunita.errors import ConflictError
from gunita.ids import first_id, new_id
from gunita.services.expiring import shortened
from gunita.store import replaying
from gunita.store.database import ScopedDatabase

_log = logging.getLogger("gunita.cleanup")

GIVEN_UP_AFTER = timedelta(hours=1)
"""A turn that has no answer by then was left by a server that died and was never started again."""
CLOCKS_DIFFER = timedelta(minutes=10)
"""How far a walk goes back behind the end of the one before, since ids carry the time of whoever made them."""
AT_A_TIME = 1_000


def close_left_open(db: ScopedDatabase, since: datetime, now: datetime) -> int:
    """Mark the turns of a tenant as interrupted that were opened since a moment and given up by now; count them.

    An answer that waits in a journal after all takes the mark's place when it is brought back.
    """
    closed, after, before = 0, first_id(since), first_id(now - GIVEN_UP_AFTER)
    while found := replaying.left_open(db, after, before, AT_A_TIME):
        closed += sum(_closed(db, query_id, now) for query_id in found)
        after = found[-1]
    if closed:
        _log.warning(
            "%d turns were left open by a server that never came back, and are marked as interrupted",
            closed,
            extra={"operation": "cleanup", "tenant": db.scope.tenant_id, "turns_closed": closed},
        )
    return closed


def _closed(db: ScopedDatabase, query_id: UUID, now: datetime) -> bool:
    """Close one turn; one that was deleted at this very moment, or refuses, keeps no other from being closed."""
    try:
        return replaying.close_left_open(db, query_id, new_id(now), now)
    except ConflictError as refusal:
        _log.warning("turn %s stays open: %s", shortened(query_id), refusal)
        return False
