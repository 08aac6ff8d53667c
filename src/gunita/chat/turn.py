"""One turn, top to bottom. docs/explanation/one-turn.md tells the same story in prose.

`begin` does everything up to the answer, `finish` everything after it. Between the two the answer streams, and
neither a thread nor a connection waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, assert_never
from uuid import UUID

from gunita.chat import answers
from gunita.chat.records import Answering, Begun, ChatReply, ChatRequest, Intent, Ready, Understood
from gunita.chat.shortterm import PendingClarification, ShortTermMemory
from gunita.context import receipt as receipts_as_json
from gunita.errors import AccessRefusedError, ConflictError, NotFoundError, RepeatedRequestError, StorageError
from gunita.ids import new_id
from gunita.language.clarification import Clarification, GaveUp, Narrowed, NotAnAnswer, Settled
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Role, Turn
from gunita.services import access, condensing, gathering, learning, understanding
from gunita.services.access import Access
from gunita.services.condensing import Fold
from gunita.services.gathering import Gathered
from gunita.services.recalling import recalled_turns
from gunita.services.search import SearchService
from gunita.services.understanding import Mind, Reading
from gunita.store import conversations, messages, receipts, turns
from gunita.store.messages import Payload
from gunita.store.receipts import ReceiptKind, StoredReceipt

NOTHING_SAID = "…"
"""Stands for an answer that was cut off before its first word; a turn has a response of some kind."""
ABANDONED_AFTER = timedelta(minutes=5)
"""A request without a reply for this long was left by a process that died; whoever asks again is answered."""
NOT_KEPT = "this answer could not be kept; it will be missing from the conversation"
BEING_ANSWERED = "this request is being answered already; wait for its reply"
ANOTHER_QUERY = "this request_id was used for another query; give every query an id of its own"

_log = logging.getLogger("gunita.chat")


@dataclass(frozen=True, slots=True)
class House:
    """What a turn needs: the door to the store, understanding, short-term memory, and search."""

    door: Access
    mind: Mind
    shortterm: ShortTermMemory
    search: SearchService


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn whose number is taken and whose query is stored."""

    session_id: UUID
    user_id: str
    turn_number: int
    query: str


def begin(house: House, request: ChatRequest) -> Begun:
    """Open the turn, understand the query, and gather what its answer needs."""
    opened = open_turn(house, request)
    if isinstance(opened, ChatReply):
        return Ready(opened)
    query, meant, warnings = settle_pending(house, opened, request.choice)
    if isinstance(meant, Clarification):
        return Ready(ask(house, opened, meant))
    reading, remembered = understanding.understand(house.mind, house.door.db, opened.session_id, query)
    if reading.unclear and reading.resolution is not None and not (meant or warnings):
        return Ready(ask(house, opened, house.mind.clarifications.ask(query, reading.resolution, remembered)))
    understood = understood_as(reading, meant, warnings)
    recalled = recalled_turns(house.door, house.search, opened.session_id, query)
    found = gathering.gather(
        house.door, opened.session_id, query, remembered, understood.referenced, recalled, request.instructions
    )
    return Answering(
        request=request,
        session_id=opened.session_id,
        user_id=opened.user_id,
        turn_number=opened.turn_number,
        began_at=house.door.clock(),
        understood=understood,
        prompt=found.assembled.messages,
        receipt=found.assembled.receipt,
        data=used(found, understood),
        answer_from_memory=answers.from_memory(query, understood, found),
    )


def finish(
    house: House, answering: Answering, text: str, *, interrupted: bool = False, error: str | None = None
) -> ChatReply:
    """Close the turn with its answer, whole or as far as it came, and its receipt, in one transaction."""
    now = house.door.clock()
    receipt_id = new_id(now)
    metadata: dict[str, Any] = {
        "intent": answering.understood.intent.value,
        "confidence": round(answering.understood.confidence, 4),
        "references": [turn.turn_number for turn in answering.understood.referenced],
        "receipt_id": str(receipt_id),
    }
    if interrupted:
        metadata["interrupted"] = True
    warnings = list(answering.understood.warnings)
    try:
        _store_answer(house, answering, text, metadata, receipt_id, now)
    except (StorageError, ConflictError, NotFoundError) as problem:
        # Whoever asked has waited for this answer: they get it, and are told that it was not kept.
        _log.error("the answer of turn %s was not kept: %s", answering.turn_number, problem)
        warnings.append(NOT_KEPT)
    milliseconds = (now - answering.began_at).total_seconds() * 1000
    return ChatReply(
        query=answering.request.query,
        message=text,
        data=answering.data,
        intent=answering.understood.intent,
        confidence=answering.understood.confidence,
        session_id=answering.session_id,
        turn_number=answering.turn_number,
        metadata=metadata | {"warnings": warnings, "timings": {"answer_ms": round(milliseconds, 1)}},
        error=error,
    )


def follow_up(house: House, session_id: UUID) -> Fold | None:
    """Do what may wait until the answer is given: title the conversation; say what wants folding into its summary."""
    condensing.title_if_missing(house.door, session_id)
    learning.schedule(house.door, session_id)
    return condensing.fold_due(house.door, session_id)


def kept_reply(house: House, session_id: UUID, number: int) -> ChatReply:
    """Read the reply of a turn again."""
    found = messages.get_turn(house.door.db, session_id, number)
    if found is not None:
        return _repeated(found)
    if messages.get_of_turn(house.door.db, session_id, number, Role.USER) is not None:
        raise RepeatedRequestError(BEING_ANSWERED)
    raise NotFoundError("turn", f"{number} in conversation {session_id}")


def open_turn(house: House, request: ChatRequest) -> Opened | ChatReply:
    """Take the next number and store the query; a request that came before gives its earlier reply."""
    door = house.door
    user_id, query = _whose(house, request), door.content("query", request.query)
    request_id = None if request.request_id is None else access.short_text("request_id", request.request_id)
    if request_id is not None and (earlier := _earlier(house, user_id, request_id, query)):
        return earlier
    opened = None
    if request.session_id is not None:
        opened = _opened(house, request.session_id, user_id, query, request_id)
    # Somebody else's conversation is treated as an unknown one: the query begins a conversation of its own.
    opened = opened or _opened(house, new_id(door.clock()), user_id, query, request_id)
    assert opened is not None
    return opened


def settle_pending(
    house: House, opened: Opened, choice: int | None
) -> tuple[str, tuple[Turn, ...] | Clarification, tuple[str, ...]]:
    """Read the query as the answer to an open question: what to go on with, about which turns, with which notice."""
    scope = replace(house.door.scope, user_id=opened.user_id)
    pending = house.shortterm.get(scope, opened.session_id)
    if pending is None:
        return opened.query, (), ()
    asked = pending.clarification
    tapped = choice is not None and any(turn.turn_number == choice for turn in asked.turns)
    outcome = (
        house.mind.clarifications.choose(asked, choice)
        if tapped and choice is not None
        else house.mind.clarifications.settle(asked, opened.query)
    )
    match outcome:
        case Settled():
            house.shortterm.drop(scope, opened.session_id)
            return pending.original_query, _whole(house, opened.session_id, outcome.turns), ()
        case Narrowed():
            return pending.original_query, outcome.clarification, ()
        case NotAnAnswer():
            house.shortterm.drop(scope, opened.session_id)
            return opened.query, (), ()
        case GaveUp():
            house.shortterm.drop(scope, opened.session_id)
            return pending.original_query, (), (outcome.notice,)
        case _:
            assert_never(outcome)


def ask(house: House, opened: Opened, clarification: Clarification) -> ChatReply:
    """Ask back: the question is this turn's answer, and is remembered for five minutes."""
    now = house.door.clock()
    scope = replace(house.door.scope, user_id=opened.user_id)
    house.shortterm.put(scope, PendingClarification.opened(scope, opened.session_id, clarification, now))
    choices = [
        {"type": "choice", "turn_number": choice.turn.turn_number, "label": choice.label, "place": choice.place}
        for choice in clarification.choices
    ]
    best = clarification.candidates[0][1] if clarification.candidates else 0.0
    metadata: dict[str, Any] = {"intent": Intent.CLARIFICATION.value, "confidence": round(best, 4), "choices": choices}
    stored = turns.close_turn(
        house.door.db,
        opened.session_id,
        opened.turn_number,
        clarification.question,
        tokens=count_tokens(clarification.question),
        metadata=metadata,
        payload=Payload(),
        now=now,
    )
    if stored is None:
        raise NotFoundError("conversation", opened.session_id)
    return ChatReply(
        query=opened.query,
        message=clarification.question,
        data=choices,
        intent=Intent.CLARIFICATION,
        confidence=best,
        session_id=opened.session_id,
        turn_number=opened.turn_number,
        metadata=metadata | {"round": clarification.round, "warnings": []},
    )


def understood_as(reading: Reading, meant: Sequence[Turn], warnings: tuple[str, ...]) -> Understood:
    """Say in a word what the query is."""
    if meant:
        return Understood(Intent.REFERENCE, 1.0, tuple(meant))
    if warnings or not reading.referenced:
        return Understood(Intent.NEW, 1.0 - reading.confidence if not warnings else 0.0, (), warnings)
    intent = Intent.FOLLOWUP if reading.is_followup else Intent.REFERENCE
    return Understood(intent, reading.confidence, reading.referenced)


def used(found: Gathered, understood: Understood) -> list[Mapping[str, Any]]:
    """List what the answer rests on, each with its source."""
    turns_used: list[Mapping[str, Any]] = [
        {
            "type": "turn",
            "session_id": str(turn.session_id),
            "turn_number": turn.turn_number,
            "query": turn.query_text,
            "response": turn.response_text,
            "confidence": round(understood.confidence, 4),
        }
        for turn in understood.referenced
    ]
    shown = {line.source for line in found.assembled.receipt.lines if line.tokens}
    return turns_used + [
        {
            "type": "memory",
            "id": str(memory.id),
            "memory_type": memory.memory_type.value,
            "content": memory.content,
            "source_conversation_id": memory.source_conversation_id and str(memory.source_conversation_id),
        }
        for memory in found.memories
        if str(memory.id) in shown
    ]


def _whole(house: House, session_id: UUID, cut_short: Sequence[Turn]) -> tuple[Turn, ...]:
    """Read again the turns that short-term memory keeps only the beginning of."""
    found = (messages.get_turn(house.door.db, session_id, turn.turn_number) for turn in cut_short)
    return tuple(turn for turn in found if turn is not None)


def _whose(house: House, request: ChatRequest) -> str:
    """Say whose turn it is; a service that names a conversation and no user means that conversation's user."""
    door = house.door
    if request.user_id is None and request.session_id is not None and door.scope.is_service:
        found = conversations.get(door.db, request.session_id)
        return found.user_id if found else door.user(None)
    return door.user(request.user_id)


def _opened(house: House, session_id: UUID, user_id: str, query: str, request_id: str | None) -> Opened | None:
    """Open a turn in a conversation, made when there is none; None where it is somebody else's."""
    now = house.door.clock()
    try:
        with house.door.db.transaction() as together:
            number = turns.open_turn(together, session_id, user_id, query, tokens=count_tokens(query), now=now)
            if number is None:
                return None
            if request_id and not turns.remember_request(together, user_id, request_id, session_id, number, now):
                raise RepeatedRequestError(BEING_ANSWERED)
    except AccessRefusedError:
        return None
    return Opened(session_id, user_id, number, query)


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
        return _repeated(turn)
    if house.door.clock() - known.opened_at < ABANDONED_AFTER:
        raise RepeatedRequestError(BEING_ANSWERED)
    return Opened(known.conversation_id, user_id, known.turn_number, query)


def _repeated(turn: Turn) -> ChatReply:
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


def _store_answer(
    house: House, answering: Answering, text: str, metadata: JsonObject, receipt_id: UUID, now: datetime
) -> None:
    with house.door.db.transaction() as together:
        stored = turns.close_turn(
            together,
            answering.session_id,
            answering.turn_number,
            text if text.strip() else NOTHING_SAID,
            tokens=count_tokens(text),
            metadata=metadata,
            payload=Payload(),
            now=now,
        )
        if stored is None:
            raise NotFoundError("conversation", answering.session_id)
        receipts.insert(together, _stored_receipt(answering, receipt_id, now))


def _stored_receipt(answering: Answering, receipt_id: UUID, now: datetime) -> StoredReceipt:
    return StoredReceipt(
        id=receipt_id,
        user_id=answering.user_id,
        conversation_id=answering.session_id,
        turn_number=answering.turn_number,
        kind=ReceiptKind.CONTEXT,
        body=receipts_as_json.to_object(answering.receipt),
        created_at=now,
    )
