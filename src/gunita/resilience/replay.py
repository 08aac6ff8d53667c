"""Brings what waits back into the database: in order, once, under the numbers that are free there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from gunita.models import ANONYMOUS, JsonObject, Scope
from gunita.resilience.waiting import OpenTurn, WaitingTurn
from gunita.store import cleaning, conversations, erasing, replaying
from gunita.store.database import Database, ScopedDatabase
from gunita.store.replaying import LateAnswer, LateTurn, Placed


def write_back(database: Database, turn: WaitingTurn, renumbered: Mapping[int, int]) -> Placed | None:
    """Write a turn back; None where it has been deleted meanwhile.

    A turn said in a conversation that turns out to be somebody else's goes to one of its user's own, as it would have
    gone if the database had been there.
    """
    db = database.within(Scope(turn.tenant_id))
    late = _late(turn, turn.user_id or _owner(database, turn) or ANONYMOUS, renumbered)
    if erasing.was_erased(db, late.user_id, turn.conversation_id, turn.said_at):
        return None
    placed = _placed(db, late)
    if placed is not None and erasing.was_erased(db, late.user_id, turn.conversation_id, turn.said_at):
        # Deleted while it was being written; whoever deletes looks again too, once their receipt can be seen here.
        cleaning.forget(db, [(placed.conversation_id, placed.turn_number)], lambda _: True)
        return None
    return placed


def _placed(db: ScopedDatabase, late: LateTurn) -> Placed | None:
    placed = replaying.write_back(db, late)
    if placed is not None or late.is_open:
        return placed
    return replaying.write_back(db, replace(late, conversation_id=own_conversation(late.conversation_id, late.user_id)))


def close_left_open(database: Database, turn: OpenTurn, response_id: UUID, now: datetime) -> bool:
    """Close a turn whose process died while it answered, as interrupted before its first word."""
    return replaying.close_left_open(database.within(Scope(turn.tenant_id)), turn.query_id, response_id, now)


def own_conversation(conversation_id: UUID, user_id: str) -> UUID:
    """Name the conversation that a user gets in the place of one that is not theirs: always the same."""
    return uuid5(conversation_id, user_id)


def with_numbers(metadata: JsonObject, renumbered: Mapping[int, int]) -> JsonObject:
    """Let a turn point at the numbers that those it refers to have in the database."""
    if not renumbered:
        return metadata
    changed: dict[str, Any] = dict(metadata)
    if "references" in changed:
        changed["references"] = [renumbered.get(number, number) for number in changed["references"]]
    if "choices" in changed:
        changed["choices"] = [
            choice | {"turn_number": renumbered.get(choice["turn_number"], choice["turn_number"])}
            for choice in changed["choices"]
        ]
    return changed


def _owner(database: Database, turn: WaitingTurn) -> str | None:
    found = conversations.get(database.within(Scope(turn.tenant_id)), turn.conversation_id)
    return found.user_id if found else None


def _late(turn: WaitingTurn, user_id: str, renumbered: Mapping[int, int]) -> LateTurn:
    return LateTurn(
        conversation_id=turn.conversation_id,
        user_id=user_id,
        query_id=turn.query_id,
        query=turn.query,
        query_tokens=turn.query_tokens,
        answer=LateAnswer(
            turn.response_id,
            turn.response,
            turn.response_tokens,
            with_numbers(turn.metadata, renumbered),
            turn.tool_calls,
            turn.custom_payload,
        ),
        said_at=turn.said_at,
        is_open=turn.is_open or turn.amends,
        amends=turn.amends,
        request_id=turn.request_id,
        receipt_id=turn.receipt_id,
        receipt=turn.receipt,
        title=turn.title,
    )
