"""One turn, top to bottom. docs/explanation/one-turn.md tells the same story in prose.

`begin` does everything up to the answer, `finish` everything after it. Between the two the answer streams, and
neither a thread nor a connection waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never
from uuid import UUID

from gunita.chat import answers, closing
from gunita.chat.opening import House, Opened, open_turn
from gunita.chat.records import Answering, Begun, ChatReply, ChatRequest, Closed, Intent, Ready, Understood
from gunita.chat.shortterm import PendingClarification
from gunita.errors import ConflictError, NotFoundError, StorageError
from gunita.ids import new_id
from gunita.language.clarification import Clarification, GaveUp, Narrowed, NotAnAnswer, Settled
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Turn
from gunita.services import condensing, gathering, learning, understanding
from gunita.services.condensing import Fold
from gunita.services.gathering import Asked, Gathered
from gunita.services.recalling import recalled_turns
from gunita.services.understanding import Reading
from gunita.store import messages, turns
from gunita.store.turns import Answer

NOT_KEPT = "this answer could not be kept; it will be missing from the conversation"

_log = logging.getLogger("gunita.chat")


def begin(house: House, request: ChatRequest) -> Begun:
    """Open the turn, understand the query, and gather what its answer needs."""
    opened = open_turn(house, request)
    if isinstance(opened, ChatReply):
        return Ready(opened)
    query, meant, warnings = settle_pending(house, opened, request.choice)
    if isinstance(meant, Clarification):
        return Ready(ask(house, opened, meant))
    reading, remembered = understanding.understand(
        house.mind, house.door.db, opened.session_id, query, before=opened.turn_number
    )
    if reading.unclear and reading.resolution is not None and not (meant or warnings or opened.goes_on):
        return Ready(ask(house, opened, house.mind.clarifications.ask(query, reading.resolution, remembered)))
    understood = understood_as(reading, meant, warnings)
    found = gather(house, opened, request, query, remembered, understood)
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
        conversation=opened.conversation,
        goes_on=opened.goes_on,
    )


def finish(
    house: House,
    answering: Answering,
    text: str,
    *,
    interrupted: bool = False,
    error: str | None = None,
    tool_calls: Sequence[JsonObject] = (),
) -> Closed:
    """Close the turn with its answer, whole or as far as it came, and its receipt, in one transaction."""
    now = house.door.clock()
    receipt_id = new_id(now)
    metadata: dict[str, Any] = {
        "intent": answering.understood.intent.value,
        "confidence": round(answering.understood.confidence, 4),
        "references": [turn.turn_number for turn in answering.understood.referenced],
        "receipt_id": str(receipt_id),
    }
    if answering.understood.kind:
        metadata["kind"] = answering.understood.kind.value
    if interrupted:
        metadata["interrupted"] = True
    warnings = list(answering.understood.warnings)
    try:
        grown = closing.store(house, answering, text, metadata, tool_calls, receipt_id, now)
    except (StorageError, ConflictError, NotFoundError) as problem:
        # Whoever asked has waited for this answer: they get it, and are told that it was not kept.
        _log.error("the answer of turn %s was not kept: %s", answering.turn_number, problem)
        warnings.append(NOT_KEPT)
        grown = False
    if tool_calls:
        metadata["tool_calls"] = list(tool_calls)
    milliseconds = (now - answering.began_at).total_seconds() * 1000
    reply = ChatReply(
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
    return Closed(reply, grown)


def follow_up(house: House, session_id: UUID) -> Fold | None:
    """Do what may wait: title a conversation that has no title yet; say what wants folding into its summary."""
    condensing.title_if_missing(house.door, session_id)
    learning.schedule(house.door, session_id)
    return condensing.fold_due(house.door, session_id)


def settle_pending(
    house: House, opened: Opened, choice: int | None
) -> tuple[str, tuple[Turn, ...] | Clarification, tuple[str, ...]]:
    """Read the query as the answer to an open question: what to go on with, about which turns, with which notice."""
    if opened.goes_on:
        return opened.query, _whole(house, opened.session_id, opened.referenced), ()
    if opened.begins_conversation:
        return opened.query, (), ()
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
            numbers = (turn.turn_number for turn in outcome.turns)
            return pending.original_query, _whole(house, opened.session_id, numbers), ()
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
        Answer(clarification.question, count_tokens(clarification.question), metadata),
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
    kind = reading.intent.intent_type if reading.intent else None
    return Understood(intent, reading.confidence, reading.referenced, kind=kind)


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


def gather(
    house: House,
    opened: Opened,
    request: ChatRequest,
    query: str,
    remembered: Sequence[Turn],
    understood: Understood,
) -> Gathered:
    """Recall what may help, and fill the budget."""
    recalled = recalled_turns(
        house.door,
        house.search,
        opened.session_id,
        query,
        user_id=opened.user_id,
        turn_count=opened.turn_number,
    )
    asked = Asked(
        conversation_id=opened.session_id,
        user_id=opened.user_id,
        query=query,
        turns=remembered,
        referenced=understood.referenced,
        recalled=recalled,
        documents=opened.conversation.documents,
        instructions=request.instructions,
        begins=opened.begins_conversation,
        beside_tokens=closing.tool_tokens(request.tools),
    )
    return gathering.gather(house.door, asked)


def _whole(house: House, session_id: UUID, numbers: Iterable[int]) -> tuple[Turn, ...]:
    """Read turns by their numbers; short-term memory keeps only their beginnings."""
    found = (messages.get_turn(house.door.db, session_id, number) for number in numbers)
    return tuple(turn for turn in found if turn is not None)
