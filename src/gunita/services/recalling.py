"""Recalls older turns that a query may need: of its conversation, and of the user's others where that is allowed."""

from __future__ import annotations

from uuid import UUID

from gunita.models import RecalledTurn, SearchKind, Turn
from gunita.services.access import Access
from gunita.services.search import SearchService
from gunita.store import conversations

RELEVANT = 0.4
"""The score under which a turn is not worth a place in a prompt."""


def recalled_turns(
    door: Access, search: SearchService, conversation_id: UUID, query: str, *, user_id: str, turn_count: int
) -> list[RecalledTurn]:
    """Search for turns beyond the window; a conversation that fits into it has none."""
    limit, across = door.settings.recalled_turns, door.settings.recalls_across_conversations(door.scope.tenant_id)
    if not limit or (not across and turn_count <= door.settings.window_turns):
        return []
    hits = search.search(
        query,
        user_id=user_id,
        conversation_id=None if across else conversation_id,
        kind=SearchKind.TURNS,
        limit=limit,
    )
    found = [(hit.found, hit.score) for hit in hits if hit.score >= RELEVANT and isinstance(hit.found, Turn)]
    titles = {turn.session_id: _title(door, turn.session_id, conversation_id) for turn, _ in found}
    return [RecalledTurn(turn, score, titles[turn.session_id]) for turn, score in found]


def _title(door: Access, session_id: UUID, here: UUID) -> str | None:
    """Name the conversation a turn comes from, unless it is the one at hand."""
    other = None if session_id == here else conversations.get(door.db, session_id)
    return other.title if other else None
