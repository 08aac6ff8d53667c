"""After a turn: a title for a conversation that has none, and a long conversation's older part told in a summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from gunita.language.condense import NEWEST_KEPT, ExtractiveCondenser, should_condense
from gunita.language.titles import title_of
from gunita.models import Conversation, Role, Summary, Turn
from gunita.services.access import Access
from gunita.services.understanding import CLARIFICATION
from gunita.store import conversations, messages, summaries

TURNS_KEPT = NEWEST_KEPT // 2
MOST_TURNS = 10_000
"""Turns folded at once; what is left waits for the next turn."""
SUMMARY_SHARE = 8
"""A summary takes this part of the budget at most."""
LONGEST_SUMMARY, SHORTEST_SUMMARY = 1_024, 64


@dataclass(frozen=True, slots=True)
class Utterance:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Fold:
    """What is to be folded: the last summary, and what was said since, up to a turn."""

    conversation_id: UUID
    user_id: str
    previous: str | None
    said: tuple[Utterance, ...]
    through_turn: int
    budget_tokens: int


def fold(door: Access, conversation_id: UUID) -> Summary | None:
    """Fold what has grown too long into the summary, without a model; the originals stay."""
    due = fold_due(door, conversation_id)
    return None if due is None else keep(door, due, extracted(due))


def fold_due(door: Access, conversation_id: UUID) -> Fold | None:
    """Decide whether a conversation wants folding, and read what is to be folded."""
    conversation = conversations.get(door.db, conversation_id)
    if conversation is None or not is_long(door, conversation.token_count, conversation.message_count):
        return None
    last = summaries.latest(door.db, conversation_id)
    folded = last.through_turn if last else 0
    count, tokens = messages.measure_after(door.db, conversation_id, folded)
    if not is_long(door, tokens, count):
        return None
    since = messages.first_turns(door.db, conversation_id, MOST_TURNS, after=folded)
    return _fold(door, conversation, last.content if last else None, since[:-TURNS_KEPT])


def extracted(due: Fold) -> Summary:
    """Choose the sentences that say most."""
    return ExtractiveCondenser().condense(due.previous, due.said, due.budget_tokens)


def keep(door: Access, due: Fold, summary: Summary) -> Summary:
    kept = replace(summary, through_turn=due.through_turn)
    summaries.put(
        door.db,
        due.conversation_id,
        due.user_id,
        through_turn=kept.through_turn,
        content=kept.content,
        key_topics=kept.key_topics,
        method=kept.method,
        token_count=kept.token_count,
        now=door.clock(),
    )
    return kept


def title_if_missing(door: Access, conversation_id: UUID) -> str | None:
    """Name a conversation after its first exchange unless it has a name; give the name that was made."""
    conversation = conversations.get(door.db, conversation_id)
    if conversation is None or conversation.title is not None:
        return None
    opening = messages.first_turns(door.db, conversation_id, 1)
    title = title_of(opening[0].query_text, opening[0].response_text) if opening else ""
    if not title.strip():
        return None
    return title if conversations.give_title(door.db, conversation_id, title) else None


def is_long(door: Access, tokens: int, count: int) -> bool:
    """Say whether so many tokens or messages are more than should stand in front of a model."""
    return should_condense(tokens, _budget(door), count, door.settings.condense_after_messages)


def _budget(door: Access) -> int:
    return max(door.settings.model_context_tokens - door.settings.answer_reserve_tokens, 1)


def _fold(door: Access, conversation: Conversation, previous: str | None, turns: Sequence[Turn]) -> Fold | None:
    if not turns:
        return None
    # What only cleared up which turn was meant is nothing to remember.
    told = [turn for turn in turns if turn.metadata.get("intent") != CLARIFICATION]
    pairs = ((Utterance(Role.USER, turn.query_text), Utterance(Role.ASSISTANT, turn.response_text)) for turn in told)
    return Fold(
        conversation_id=conversation.id,
        user_id=conversation.user_id,
        previous=previous,
        said=tuple(said for pair in pairs for said in pair),
        through_turn=turns[-1].turn_number,
        budget_tokens=min(max(_budget(door) // SUMMARY_SHARE, SHORTEST_SUMMARY), LONGEST_SUMMARY),
    )
