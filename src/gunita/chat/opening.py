"""How a turn begins: whose it is, its number taken and its query stored, or the answer that the same request had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from gunita.chat.records import IN_DATABASE, ChatReply, ChatRequest, Intent, Kept
from gunita.chat.shortterm import ShortTermMemory
from gunita.errors import AccessRefusedError, NotFoundError, RepeatedRequestError
from gunita.ids import new_id
from gunita.language.tokens import count_tokens
from gunita.models import Role, Turn
from gunita.resilience.keeper import Keeper
from gunita.services import access
from gunita.services.access import Access
from gunita.services.search import SearchService
from gunita.services.understanding import Mind
from gunita.store import conversations, messages, turns
from gunita.store.turns import OpenTurn

ABANDONED_AFTER = timedelta(minutes=5)
"""A request without a reply for this long was left by a process that died; whoever asks again is answered."""
BEING_ANSWERED = "this request is being answered already; wait for its reply"
ANOTHER_QUERY = "this request_id was used for another query; give every query an id of its own"


@dataclass(frozen=True, slots=True)
class House:
    """What a turn needs: the door to the store, understanding, short-term memory, search; a keeper for bad times."""

    door: Access
    mind: Mind
    shortterm: ShortTermMemory
    search: SearchService
    keeper: Keeper | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn whose number is taken and whose query is stored."""

    session_id: UUID
    user_id: str
    turn_number: int
    query: str
    conversation: OpenTurn
    goes_on: bool = False
    """Whether the turn has an answer, which called tools whose results have come now."""
    referenced: Sequence[int] = ()
    """The turns that were meant when it began, where it goes on."""
    kept: Kept = IN_DATABASE
    is_unknown: bool = False
    """Whether it may have a past that nobody can see now."""

    @property
    def begins_conversation(self) -> bool:
        return self.turn_number == 1 and not (self.goes_on or self.is_unknown)


def open_turn(house: House, request: ChatRequest, query_id: UUID | None = None) -> Opened | ChatReply:
    """Take the next number and store the query under its id; a request that came before gives its earlier reply."""
    door = house.door
    user_id, query = _whose(house, request), door.content("query", request.query)
    request_id = None if request.request_id is None else access.short_text("request_id", request.request_id)
    if request_id is not None and (earlier := _earlier(house, user_id, request_id, query)):
        return earlier
    opened = None
    if request.session_id is not None:
        opened = _going_on(house, request, user_id, query)
        opened = opened or _opened(house, request.session_id, user_id, query, request_id, query_id)
    # Somebody else's conversation is treated as an unknown one: the query begins a conversation of its own.
    opened = opened or _opened(house, new_id(door.clock()), user_id, query, request_id, query_id)
    assert opened is not None
    return opened


def kept_reply(house: House, session_id: UUID, number: int) -> ChatReply:
    """Read the reply of a turn again."""
    found = messages.get_turn(house.door.db, session_id, number)
    if found is not None:
        return repeated(found)
    if messages.get_of_turn(house.door.db, session_id, number, Role.USER) is not None:
        raise RepeatedRequestError(BEING_ANSWERED)
    raise NotFoundError("turn", f"{number} in conversation {session_id}")


def repeated(turn: Turn) -> ChatReply:
    metadata = dict(turn.metadata)
    return ChatReply(
        query=turn.query_text,
        message=turn.response_text,
        data=metadata.get("choices", []),
        intent=Intent(metadata.get("intent", Intent.NEW)),
        confidence=float(metadata.get("confidence", 0.0)),
        session_id=turn.session_id,
        turn_number=turn.turn_number,
        metadata=metadata | {"repeated": True, "warnings": []},
    )


def _whose(house: House, request: ChatRequest) -> str:
    """Say whose turn it is; a service that names a conversation and no user means that conversation's user."""
    door = house.door
    if request.user_id is None and request.session_id is not None and door.scope.is_service:
        found = conversations.get(door.db, request.session_id)
        return found.user_id if found else door.user(None)
    return door.user(request.user_id)


def _opened(
    house: House, session_id: UUID, user_id: str, query: str, request_id: str | None, query_id: UUID | None
) -> Opened | None:
    """Open a turn in a conversation, made when there is none; None where it is somebody else's."""
    now = house.door.clock()
    size = count_tokens(query)
    try:
        if request_id is None:
            turn = turns.open_turn(house.door.db, session_id, user_id, query, tokens=size, now=now, message_id=query_id)
            return None if turn is None else _as_opened(session_id, user_id, query, turn)
        with house.door.db.transaction() as together:
            turn = turns.open_turn(together, session_id, user_id, query, tokens=size, now=now, message_id=query_id)
            if turn is None:
                return None
            if not turns.remember_request(together, user_id, request_id, session_id, turn.number, now):
                raise RepeatedRequestError(BEING_ANSWERED)
    except AccessRefusedError:
        return None
    return _as_opened(session_id, user_id, query, turn)


def _as_opened(session_id: UUID, user_id: str, query: str, turn: OpenTurn) -> Opened:
    return Opened(session_id, user_id, turn.number, query, turn, kept=Kept(turn.query_id, user_id=user_id))


def _earlier(house: House, user_id: str, request_id: str, query: str) -> Opened | ChatReply | None:
    """Find what became of the same request before: its reply, or its turn, if that was left without an answer."""
    known = turns.find_request(house.door.db, user_id, request_id)
    if known is None:
        return None
    asked = messages.get_of_turn(house.door.db, known.conversation_id, known.turn_number, Role.USER)
    if asked is not None and asked.content != query:
        raise RepeatedRequestError(ANOTHER_QUERY)
    turn = messages.get_turn(house.door.db, known.conversation_id, known.turn_number)
    if turn is not None:
        return repeated(turn)
    if house.door.clock() - known.opened_at < ABANDONED_AFTER:
        raise RepeatedRequestError(BEING_ANSWERED)
    found = _reopened(house, known.conversation_id, user_id, known.turn_number, query)
    return found and replace(found, kept=Kept(asked.id if asked else None, user_id=user_id))


def _going_on(house: House, request: ChatRequest, user_id: str, query: str) -> Opened | None:
    """Find the turn whose answer called the tools that a request brings results of; None where there is none."""
    if request.session_id is None or request.tools is None or not request.tools.since:
        return None
    latest = messages.latest_turns(house.door.db, request.session_id, 1)
    if not latest or latest[0].user_id != user_id or latest[0].query_text != query:
        return None
    said = messages.get_of_turn(house.door.db, request.session_id, latest[0].turn_number, Role.ASSISTANT)
    called = {call.get("id") for call in (said.tool_calls if said else None) or ()}
    if called.isdisjoint(call.get("id") for call in request.tools.calls):
        return None
    meant = latest[0].metadata.get("references", ())
    found = _reopened(house, request.session_id, user_id, latest[0].turn_number, query)
    return found and replace(found, goes_on=True, referenced=meant, kept=Kept(latest[0].id, user_id=user_id))


def _reopened(house: House, session_id: UUID, user_id: str, number: int, query: str) -> Opened | None:
    """Take up a turn again that was opened before."""
    here = conversations.get(house.door.db, session_id)
    if here is None:
        return None
    state = OpenTurn(number, here.title, tuple(here.document_context), here.message_count, here.token_count)
    return Opened(session_id, user_id, number, query, state)
