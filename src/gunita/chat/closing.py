"""How a turn ends: its answer, its receipt and its conversation's title, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gunita.chat.opening import House, Opened
from gunita.chat.records import Answering, ChatRequest, Kept, ToolUse
from gunita.context import receipt as receipts_as_json
from gunita.errors import NotFoundError
from gunita.ids import new_id
from gunita.language.titles import title_of
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Turn
from gunita.resilience.waiting import WaitingTurn
from gunita.services import condensing
from gunita.store import receipts, turns
from gunita.store.messages import Payload
from gunita.store.receipts import ReceiptKind, StoredReceipt
from gunita.store.turns import Answer

NOTHING_SAID = "…"
"""Stands for an answer without a word: cut off before the first, or one that only calls tools."""
TOOL_MESSAGES = "tool_messages"
"""Where an answer's payload keeps the calls and results that led to it, whole."""


def store(
    house: House,
    answering: Answering,
    text: str,
    metadata: JsonObject,
    tool_calls: Sequence[JsonObject],
    receipt_id: UUID,
    now: datetime,
) -> bool:
    """Keep an answer and all that goes with it; tell whether something is left to be done for the conversation."""
    door, session_id = house.door, answering.session_id
    answer = Answer(
        content=text if text.strip() else NOTHING_SAID,
        tokens=count_tokens(text),
        metadata=metadata,
        payload=payload_of(answering.request.tools, tool_calls),
        title=title_for(answering, text),
    )
    if not (_amended if answering.goes_on else _answered)(house, answering, answer, receipt_id, now):
        raise NotFoundError("conversation", session_id)
    _hold(
        house,
        answering.kept,
        session_id,
        answering.user_id,
        answering.turn_number,
        answering.request.query,
        answer,
        now,
    )
    here = answering.conversation
    is_untitled = here.title is None and answer.title is None
    return is_untitled or condensing.is_long(door, here.token_count + answer.tokens, here.message_count + 1)


def _answered(house: House, answering: Answering, answer: Answer, receipt_id: UUID, now: datetime) -> bool:
    return turns.answer_turn(
        house.door.db,
        answering.session_id,
        answering.turn_number,
        answer,
        receipt_id=receipt_id,
        receipt=receipts_as_json.to_object(answering.receipt),
        now=now,
    )


def _amended(house: House, answering: Answering, answer: Answer, receipt_id: UUID, now: datetime) -> bool:
    with house.door.db.transaction() as together:
        receipts.insert(together, _receipt(answering, receipt_id, now))
        return turns.amend_turn(together, answering.session_id, answering.turn_number, answer, now=now)


def store_question(house: House, opened: Opened, answer: Answer, now: datetime) -> bool:
    """Keep a question as the answer of its turn; nothing is left to be done for it."""
    if turns.close_turn(house.door.db, opened.session_id, opened.turn_number, answer, now=now) is None:
        raise NotFoundError("conversation", opened.session_id)
    _hold(house, opened.kept, opened.session_id, opened.user_id, opened.turn_number, opened.query, answer, now)
    return False


def waiting(
    house: House,
    answering: Answering,
    text: str,
    metadata: JsonObject,
    tool_calls: Sequence[JsonObject],
    receipt_id: UUID,
    now: datetime,
) -> WaitingTurn:
    """Say what `store` would keep, for the time when the database is back."""
    payload = payload_of(answering.request.tools, tool_calls)
    return WaitingTurn(
        tenant_id=house.door.scope.tenant_id,
        user_id=answering.kept.user_id,
        conversation_id=answering.session_id,
        turn_number=answering.turn_number,
        query_id=answering.kept.query_id or new_id(now),
        response_id=new_id(now),
        query=answering.request.query,
        response=text if text.strip() else NOTHING_SAID,
        query_tokens=count_tokens(answering.request.query),
        response_tokens=count_tokens(text),
        said_at=now if answering.kept.in_database else answering.began_at,
        metadata=metadata,
        is_open=answering.kept.in_database,
        amends=answering.goes_on,
        request_id=answering.request.request_id,
        receipt_id=receipt_id,
        receipt=receipts_as_json.to_object(answering.receipt),
        tool_calls=list(payload.tool_calls) if payload.tool_calls else None,
        custom_payload=payload.custom_payload,
        title=title_for(answering, text),
    )


def waiting_question(house: House, opened: Opened, request: ChatRequest, answer: Answer, now: datetime) -> WaitingTurn:
    """Say what `store_question` would keep."""
    return WaitingTurn(
        tenant_id=house.door.scope.tenant_id,
        user_id=opened.kept.user_id,
        conversation_id=opened.session_id,
        turn_number=opened.turn_number,
        query_id=opened.kept.query_id or new_id(now),
        response_id=new_id(now),
        query=opened.query,
        response=answer.content,
        query_tokens=count_tokens(opened.query),
        response_tokens=answer.tokens,
        said_at=now,
        metadata=answer.metadata,
        is_open=opened.kept.in_database,
        request_id=request.request_id,
    )


def title_for(answering: Answering, text: str) -> str | None:
    """Name a conversation after its first exchange, unless it has a name."""
    if answering.turn_number > 1 or answering.conversation.title is not None:
        return None
    return title_of(answering.request.query, text).strip() or None


def payload_of(tools: ToolUse | None, called: Sequence[JsonObject]) -> Payload:
    """Keep every tool call of a turn, and the messages about them as they came."""
    calls = [*(tools.calls if tools else ()), *called]
    since = list(tools.since) if tools else []
    return Payload(tool_calls=calls or None, custom_payload={TOOL_MESSAGES: since} if since else None)


def tool_tokens(tools: ToolUse | None) -> int:
    """Count what tools take of a model's context, as they are written in a request."""
    return 0 if tools is None else count_tokens(json.dumps([tools.offered, *tools.since]))


def _hold(
    house: House,
    kept: Kept,
    session_id: UUID,
    user_id: str,
    number: int,
    query: str,
    answer: Answer,
    now: datetime,
) -> None:
    """Hold a turn that was just kept, so that its conversation goes on if the database goes away next."""
    if house.keeper is not None and kept.query_id is not None:
        turn = Turn(kept.query_id, session_id, user_id, number, query, answer.content, now, answer.metadata)
        house.keeper.said((house.door.scope.tenant_id, session_id), turn)


def _receipt(answering: Answering, receipt_id: UUID, now: datetime) -> StoredReceipt:
    return StoredReceipt(
        id=receipt_id,
        user_id=answering.user_id,
        conversation_id=answering.session_id,
        turn_number=answering.turn_number,
        kind=ReceiptKind.CONTEXT,
        body=receipts_as_json.to_object(answering.receipt),
        created_at=now,
    )
