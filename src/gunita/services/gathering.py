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
from gunita.models import JsonObject, Memory, RecalledTurn, Summary, Turn
from gunita.services.access import Access
from gunita.services.remembering import memories_for
from gunita.settings import Settings
from gunita.store import summaries, userdata

METER = Tokens()


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and what is known about it before anything else is read."""

    conversation_id: UUID
    user_id: str
    query: str
    turns: Sequence[Turn]
    referenced: Sequence[Turn] = ()
    recalled: Sequence[RecalledTurn] = ()
    documents: Sequence[str] = ()
    instructions: str | None = None
    begins: bool = False
    """Whether nothing was said before in this conversation, so that there is no summary of it."""
    beside_tokens: int = 0
    """Tokens of what a caller puts beside the prompt, such as the tools that a model may call."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a query, and the prompt that was made of it."""

    material: Material
    memories: tuple[Memory, ...]
    assembled: Assembled

    @property
    def window(self) -> tuple[Turn, ...]:
        return tuple(chosen.turn for chosen in self.material.window)


def gather(door: Access, asked: Asked) -> Gathered:
    """Read what else is worth knowing and fill the budget with it."""
    known = memories_for(door, asked.user_id, asked.query)
    summary = None if asked.begins else latest_summary(door, asked.conversation_id)
    return fill(door.settings, asked, known, summary, userdata.all_memory(door.db, asked.user_id))


def fill(
    settings: Settings, asked: Asked, known: Sequence[Memory], summary: Summary | None, user_memory: JsonObject
) -> Gathered:
    """Fill the budget with what is known."""
    meant = {turn.turn_number: turn for turn in asked.referenced}
    material = Material(
        query=asked.query,
        system_prompt=asked.instructions or settings.system_prompt,
        window=choose_window(
            [*asked.turns, *meant.values()],
            referenced=list(meant),
            size=settings.window_turns,
            folded_through=summary.through_turn if summary else 0,
        ),
        memories=known,
        user_memory=user_memory,
        summary=summary,
        documents=asked.documents,
        recalled=asked.recalled,
    )
    room = max(settings.model_context_tokens - asked.beside_tokens, settings.answer_reserve_tokens + 1)
    budget = Budget(room, settings.answer_reserve_tokens)
    return Gathered(material, tuple(known), assemble(material, budget, METER))


def latest_summary(door: Access, conversation_id: UUID) -> Summary | None:
    stored = summaries.latest(door.db, conversation_id)
    if stored is None:
        return None
    return Summary(stored.content, stored.key_topics, stored.method, stored.token_count, stored.through_turn)
