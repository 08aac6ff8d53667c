"""One turn, top to bottom. docs/explanation/one-turn.md tells the same story in prose.

`begin` does everything up to the answer, `finish` everything after it. Between the two the answer streams, and
neither a thread nor a connection waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never
from uuid import UUID

from gunita.chat import answers, away, closing, misreading
from gunita.chat.opening import House, Opened
from gunita.chat.past import Past
from gunita.chat.records import Answering, Begun, ChatReply, ChatRequest, Closed, Intent, Kept, Ready, Understood
from gunita.chat.shortterm import PendingClarification
from gunita.errors import ConflictError, NotFoundError, StorageError, StorageUnavailableError
from gunita.ids import new_id
from gunita.language.clarification import Clarification, GaveUp, Narrowed, NotAnAnswer, Settled
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Turn
from gunita.resilience.guard import Counters
from gunita.resilience.waiting import WaitingTurn
from gunita.services import condensing, learning
from gunita.services.condensing import Fold
from gunita.services.gathering import Gathered
from gunita.services.understanding import Reading
from gunita.store import deadline
from gunita.store.turns import Answer

NOT_KEPT = "this answer could not be kept; it will be missing from the conversation"

_log = logging.getLogger("gunita.chat")


def begin(house: House, request: ChatRequest) -> Begun:
    """Open the turn and go on with it, from memory where the database is away."""
    with deadline.within(house.door.settings.storage_deadline_seconds):
        opened = away.opened(house, request)
        if isinstance(opened, ChatReply):
            return Ready(opened)
        try:
            return go_on(house, opened, request, away.past_of(house, opened))
        except StorageUnavailableError:
            if house.keeper is None:
                raise
            return go_on(house, opened, request, away.past_in_memory(house, opened))


def go_on(house: House, opened: Opened, request: ChatRequest, past: Past) -> Begun:
    """Understand the query against its past, and gather what its answer needs."""
    query, meant, warnings = settle_pending(house, opened, past, request.choice)
    if isinstance(meant, Clarification):
        return Ready(ask(house, opened, request, meant, past.notices))
    reading, remembered, trouble = misreading.read(past, query, counters_of(house))
    if reading.unclear and reading.resolution is not None and not (meant or warnings or opened.goes_on):
        question = house.mind.clarifications.ask(query, reading.resolution, remembered)
        return Ready(ask(house, opened, request, question, past.notices))
    understood = understood_as(reading, meant, warnings)
    found = past.gathered(request, query, remembered, understood)
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
        kept=opened.kept,
        notices=(*past.notices, *trouble),
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
    metadata = kept_with(answering.understood, receipt_id, interrupted=interrupted)
    warnings = [*answering.understood.warnings, *answering.notices]
    grown, kept = kept_or_not(
        house,
        answering.kept,
        answering.turn_number,
        lambda: closing.store(house, answering, text, metadata, tool_calls, receipt_id, now),
        lambda: closing.waiting(house, answering, text, metadata, tool_calls, receipt_id, now),
    )
    warnings += (notice for notice in kept if notice not in warnings)
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
    return Closed(reply, wants_follow_up=bool(grown))


def kept_with(understood: Understood, receipt_id: UUID, *, interrupted: bool) -> dict[str, Any]:
    """Say what is kept beside an answer: how its query was understood, and whether it was said to its end."""
    kept: dict[str, Any] = {
        "intent": understood.intent.value,
        "confidence": round(understood.confidence, 4),
        "references": [turn.turn_number for turn in understood.referenced],
        "receipt_id": str(receipt_id),
    }
    if understood.kind:
        kept["kind"] = understood.kind.value
    if interrupted:
        kept["interrupted"] = True
    return kept


def kept_or_not(
    house: House, kept: Kept, number: int, write: Callable[[], bool], waiting: Callable[[], WaitingTurn]
) -> tuple[bool | None, tuple[str, ...]]:
    """Keep an answer where it can be kept; whoever waited for it gets it also where it cannot, and is told."""
    try:
        with deadline.within(house.door.settings.storage_deadline_seconds):
            return away.keep(house, kept, write, waiting)
    except (StorageError, ConflictError, NotFoundError) as problem:
        _log.error("the answer of turn %s was not kept: %s", number, problem)
        return None, (NOT_KEPT,)


def follow_up(house: House, session_id: UUID) -> Fold | None:
    """Do what may wait: title a conversation that has no title yet; say what wants folding into its summary."""
    condensing.title_if_missing(house.door, session_id)
    learning.schedule(house.door, session_id)
    return condensing.fold_due(house.door, session_id)


def settle_pending(
    house: House, opened: Opened, past: Past, choice: int | None
) -> tuple[str, tuple[Turn, ...] | Clarification, tuple[str, ...]]:
    """Read the query as the answer to an open question: what to go on with, about which turns, with which notice."""
    if opened.goes_on:
        return opened.query, past.numbered(opened.referenced), ()
    if opened.begins_conversation:
        return opened.query, (), ()
    scope = replace(house.door.scope, user_id=opened.user_id)
    pending = house.shortterm.get(scope, opened.session_id)
    if pending is None:
        return opened.query, (), ()
    asked = pending.clarification
    tapped = choice is not None and any(turn.turn_number == choice for turn in asked.turns)
    clarifications = house.mind.clarifications
    outcome = misreading.attempted(
        lambda: (
            clarifications.choose(asked, choice)
            if tapped and choice is not None
            else clarifications.settle(asked, opened.query)
        ),
        counters_of(house),
    )
    match outcome:
        case Settled():
            house.shortterm.drop(scope, opened.session_id)
            return pending.original_query, past.numbered(turn.turn_number for turn in outcome.turns), ()
        case Narrowed():
            return pending.original_query, outcome.clarification, ()
        case NotAnAnswer() | None:
            house.shortterm.drop(scope, opened.session_id)
            return opened.query, (), ()
        case GaveUp():
            house.shortterm.drop(scope, opened.session_id)
            return pending.original_query, (), (outcome.notice,)
        case _:
            assert_never(outcome)


def ask(
    house: House, opened: Opened, request: ChatRequest, clarification: Clarification, notices: tuple[str, ...]
) -> ChatReply:
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
    answer = Answer(clarification.question, count_tokens(clarification.question), metadata)
    _, kept = kept_or_not(
        house,
        opened.kept,
        opened.turn_number,
        lambda: closing.store_question(house, opened, answer, now),
        lambda: closing.waiting_question(house, opened, request, answer, now),
    )
    return ChatReply(
        query=opened.query,
        message=clarification.question,
        data=choices,
        intent=Intent.CLARIFICATION,
        confidence=best,
        session_id=opened.session_id,
        turn_number=opened.turn_number,
        metadata=metadata | {"round": clarification.round, "warnings": [*notices, *kept]},
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


def counters_of(house: House) -> Counters:
    """Give where failures are counted; without a keeper nobody reads them."""
    return house.keeper.watch.counters if house.keeper else Counters()
