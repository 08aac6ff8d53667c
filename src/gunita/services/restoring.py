"""What Gunita wrote out comes back as it was: turns under their numbers, memories, and what was kept about users."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from uuid import UUID

from gunita.imports import own
from gunita.imports.records import Learnt, Said, Talk, UserMode, UserValue
from gunita.language.tokens import count_tokens
from gunita.models import Memory, Role
from gunita.services import access
from gunita.services.access import Access
from gunita.services.steady import own_id, steady_id, storable
from gunita.store import importing, moving
from gunita.store.database import Statements
from gunita.store.messages import Payload


def keeps_its_numbers(talk: Talk) -> bool:
    """Tell whether Gunita wrote it, and every message says in which turn it stood, each place once and in order."""
    places = [(said.turn_number or 0, said.role is Role.ASSISTANT) for said in talk.said]
    in_order = all(before < after for before, after in pairwise(places))
    return talk.source == own.SOURCE and in_order and all(number > 0 for number, _ in places)


def checked(door: Access, said: Said) -> tuple[str, Payload]:
    """Check a message as any other is checked, before the database sees it."""
    payload = Payload(
        tool_calls=door.json_list("tool_calls", said.tool_calls or None),
        suggested_values=door.json_list("suggested_values", said.suggested_values or None),
        suggested_actions=door.json_list("suggested_actions", said.suggested_actions or None),
        custom_payload=door.json_object("payload", dict(said.payload)) or None,
    )
    door.json_object("metadata", dict(said.metadata))
    return door.content("content", storable(said.content)), payload


def put_back(
    together: Statements, door: Access, conversation: UUID, user: str, talk: Talk, messages: Mapping[UUID, Said]
) -> None:
    """Put the messages of a conversation that was just begun where they stood, and count them."""
    tokens = 0
    for message, said in messages.items():
        content, payload = checked(door, said)
        counted = count_tokens(content)
        tokens += counted
        moving.put_message(
            together,
            conversation,
            user,
            message,
            said.turn_number or 1,
            said.role,
            content,
            tokens=counted,
            payload=payload,
            metadata=said.metadata,
            at=said.created_at,
        )
    asked = [said.turn_number for said in messages.values() if said.role is Role.USER]
    answered = [said.turn_number for said in messages.values() if said.role is Role.ASSISTANT]
    turns = max(talk.turn_count, *(said.turn_number or 1 for said in messages.values()), 0)
    moving.recount(
        together,
        conversation,
        user,
        turns=turns,
        messages=len(messages),
        tokens=tokens,
        awaits_answer=turns in asked and turns not in answered,
    )


def restore_memory(door: Access, learnt: Learnt, user: str) -> bool:
    """Bring a memory back unless it is here; what it was learnt from is named only where that is here too."""
    tenant = door.scope.tenant_id or ""
    name = (tenant, user, "gunita memory", learnt.source_id)
    ids = [found for found in (own_id(learnt.source_id), steady_id(learnt.created_at, *name)) if found]
    content = door.content("content", storable(learnt.content))
    category = None if learnt.category is None else access.short_text("category", storable(learnt.category))
    with door.db.transaction() as together:
        source, message = _source(together, learnt, user)
        for wanted in ids:
            memory = Memory(
                id=wanted,
                user_id=user,
                memory_type=learnt.memory_type,
                category=category,
                content=content,
                source_conversation_id=source,
                source_message_id=message,
                created_at=learnt.created_at,
                last_accessed_at=learnt.last_accessed_at,
                access_count=learnt.access_count,
                pinned=learnt.pinned,
                archived=learnt.archived,
                confidence=learnt.confidence,
            )
            if moving.put_memory(together, memory):
                return True
            if moving.is_memory_of(together, wanted, user):
                return False
    return False


def restore_value(door: Access, kept: UserValue, user: str) -> bool:
    """Keep a value under a key that has none; what is here by now is newer and stays."""
    key, value = access.key_text("key", kept.key), door.json_value("value", kept.value)
    return moving.put_user_memory(door.db, user, key, value, door.clock())


def restore_mode(door: Access, kept: UserMode, user: str) -> bool:
    return moving.put_user_state(door.db, user, access.short_text("mode", kept.mode), door.clock())


def _source(together: Statements, learnt: Learnt, user: str) -> tuple[UUID | None, UUID | None]:
    conversation = own_id(learnt.source_conversation_id or "")
    if conversation is None or not importing.is_of(together, conversation, user):
        return None, None
    return conversation, own_id(learnt.source_message_id or "")
