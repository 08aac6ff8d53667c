"""Gathers what may go before a model: window, summary, memories, user memory; then fills the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gunita.context.assembly import Assembled, assemble
from gunita.context.budget import Budget
from gunita.context.prompt import Material
from gunita.context.window import choose_window
from gunita.language.tokens import Tokens
from gunita.models import Conversation, Memory, RecalledTurn, Summary, Turn
from gunita.services.access import Access
from gunita.services.remembering import memories_for
from gunita.store import conversations, summaries, userdata

METER = Tokens()


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a query, and the prompt that was made of it."""

    conversation: Conversation | None
    material: Material
    memories: tuple[Memory, ...]
    assembled: Assembled

    @property
    def window(self) -> tuple[Turn, ...]:
        return tuple(chosen.turn for chosen in self.material.window)


def gather(
    door: Access,
    conversation_id: UUID,
    query: str,
    turns: Sequence[Turn],
    referenced: Sequence[Turn],
    recalled: Sequence[RecalledTurn] = (),
    instructions: str | None = None,
) -> Gathered:
    """Read what else is worth knowing and fill the budget with it."""
    conversation = conversations.get(door.db, conversation_id)
    user_id = conversation.user_id if conversation else door.user(None)
    known = memories_for(door, user_id, query)
    summary = latest_summary(door, conversation_id)
    meant = {turn.turn_number: turn for turn in referenced}
    material = Material(
        query=query,
        system_prompt=instructions or door.settings.system_prompt,
        window=choose_window(
            [*turns, *meant.values()],
            referenced=list(meant),
            size=door.settings.window_turns,
            folded_through=summary.through_turn if summary else 0,
        ),
        memories=known,
        user_memory=userdata.all_memory(door.db, user_id),
        summary=summary,
        documents=conversation.document_context if conversation else (),
        recalled=recalled,
    )
    budget = Budget(door.settings.model_context_tokens, door.settings.answer_reserve_tokens)
    return Gathered(conversation, material, tuple(known), assemble(material, budget, METER))


def latest_summary(door: Access, conversation_id: UUID) -> Summary | None:
    stored = summaries.latest(door.db, conversation_id)
    if stored is None:
        return None
    return Summary(stored.content, stored.key_topics, stored.method, stored.token_count, stored.through_turn)
