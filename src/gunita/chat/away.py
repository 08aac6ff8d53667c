"""A turn while the database is away: opened in memory, closed in the journal, told of in the reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar
from uuid import UUID

from gunita.chat.opening import BEING_ANSWERED, House, Opened, open_turn, repeated
from gunita.chat.past import HeldPast, Past, StoredPast
from gunita.chat.records import ChatReply, ChatRequest, Kept
from gunita.errors import GunitaError, RepeatedRequestError, StorageUnavailableError
from gunita.ids import new_id
from gunita.models import ANONYMOUS
from gunita.resilience.keeper import Keeper
from gunita.resilience.waiting import WaitingTurn
from gunita.services import access
from gunita.store import conversations
from gunita.store.turns import OpenTurn

Outcome = TypeVar("Outcome")

KEPT_ASIDE = "the database is away: this turn waits in the journal and is written back when the database is there again"
SLOW = "the database is slow: only the latest turns were looked at"
SLOW_WINDOW = 5
"""Turns before the model while the database is slow."""
NOWHERE = UUID(int=0)


def opened(house: House, request: ChatRequest) -> Opened | ChatReply:
    """Open the turn in the database; where that is away, or earlier turns of it still wait, open it in memory."""
    keeper = house.keeper
    if keeper is None:
        return open_turn(house, request)
    query_id = new_id(house.door.clock())
    if keeper.must_wait((house.door.scope.tenant_id, request.session_id or NOWHERE)):
        return _in_memory(house, keeper, request, query_id)
    keeper.opening(house.door.scope.tenant_id, query_id)
    try:
        found = open_turn(house, request, query_id)
    except StorageUnavailableError:
        return _in_memory(house, keeper, request, query_id)
    except GunitaError:
        keeper.answered(query_id)
        raise
    if isinstance(found, ChatReply) or found.kept.query_id != query_id:
        keeper.answered(query_id)
    return found


def past_of(house: House, opened: Opened) -> Past:
    """Say where a turn finds its past: what is held in memory comes first where the turn could not be opened."""
    keeper = house.keeper
    if keeper is None:
        return StoredPast(house, opened)
    if opened.kept.in_database:
        if keeper.watch.is_slow:
            return StoredPast(_hurried(house), opened, (SLOW,), SLOW_WINDOW)
        return StoredPast(house, opened)
    held = keeper.held((house.door.scope.tenant_id, opened.session_id))
    if held is None and not keeper.watch.reading.is_open:
        return StoredPast(house, opened)
    return HeldPast(house, opened, held)


def past_in_memory(house: House, opened: Opened) -> Past:
    """Give what memory has, when the database went away in the middle of a turn."""
    held = house.keeper.held((house.door.scope.tenant_id, opened.session_id)) if house.keeper else None
    return HeldPast(house, opened, held)


def keep(
    house: House, kept: Kept, write: Callable[[], Outcome], waiting: Callable[[], WaitingTurn]
) -> tuple[Outcome | None, tuple[str, ...]]:
    """Close a turn in the database, or while that is away in the journal, and say which where it matters."""
    keeper = house.keeper
    if kept.in_database:
        try:
            outcome = write()
        except StorageUnavailableError:
            if keeper is None or kept.query_id is None:
                raise
        else:
            if keeper is not None and kept.query_id is not None:
                keeper.answered(kept.query_id)
            return outcome, ()
    assert keeper is not None
    keeper.keep(waiting())
    keeper.watch.counters.answered_while_away += 1
    return None, (KEPT_ASIDE,)


def _in_memory(house: House, keeper: Keeper, request: ChatRequest, query_id: UUID) -> Opened | ChatReply:
    """Open a turn as far as memory knows its conversation; nobody reaches one that is known to be another's."""
    door, tenant_id = house.door, house.door.scope.tenant_id
    query = door.content("query", request.query)
    session_id = request.session_id or new_id(door.clock())
    owner, newest = _known(house, keeper, session_id)
    is_unknown = request.session_id is not None and owner is None
    named = None if request.user_id is None and door.scope.is_service else door.user(request.user_id)
    user_id = named or owner or ANONYMOUS
    if owner is not None and owner != user_id:
        session_id, newest = new_id(door.clock()), 0
    request_id = None if request.request_id is None else access.short_text("request_id", request.request_id)
    if request_id is not None:
        came_before, turn = keeper.earlier_request(tenant_id, user_id, request_id)
        if came_before and turn is None:
            raise RepeatedRequestError(BEING_ANSWERED)
        if turn is not None:
            return repeated(turn)
        keeper.remember_request(tenant_id, user_id, request_id, None)
    held = keeper.held((tenant_id, session_id))
    documents = held.beside.documents if held else ()
    state = OpenTurn(newest + 1, None, documents, 0, 0)
    kept = Kept(query_id, in_database=False, user_id=None if is_unknown and named is None else user_id)
    return Opened(session_id, user_id, newest + 1, query, state, kept=kept, is_unknown=is_unknown)


def _known(house: House, keeper: Keeper, session_id: UUID) -> tuple[str | None, int]:
    """Say whose a conversation is and its newest number, as far as anybody can tell now."""
    held = keeper.held((house.door.scope.tenant_id, session_id))
    if held is not None:
        return held.user_id, held.newest_number
    try:
        found = conversations.get(house.door.db, session_id)
    except StorageUnavailableError:
        return None, 0
    return (found.user_id, found.turn_count) if found else (None, 0)


def _hurried(house: House) -> House:
    """Look at less while the database is slow."""
    settings = house.door.settings.model_copy(update={"window_turns": SLOW_WINDOW, "recalled_turns": 0})
    return replace(house, door=replace(house.door, settings=settings))
