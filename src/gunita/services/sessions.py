"""Sessions: turns kept and read back in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gunita.errors import NotFoundError, StorageUnavailableError, ValidationError
from gunita.ids import new_id
from gunita.models import Conversation, ConversationContext, ExportFormat, JsonObject, Turn
from gunita.services import access, exporting, gathering, keeping, understanding
from gunita.services.access import Access
from gunita.services.gathering import Asked
from gunita.services.recalling import recalled_turns
from gunita.services.search import SearchService
from gunita.services.understanding import Mind, Reading
from gunita.store import conversations, messages


class ConversationMemoryManager:
    """Keeps turns in sessions; a session is a conversation by another name."""

    def __init__(self, door: Access, mind: Mind, search: SearchService) -> None:
        self._door = door
        self._mind = mind
        self._search = search

    def create_session(self, user_id: str | None = None) -> UUID:
        """Begin a session for a user."""
        now = self._door.clock()
        session_id = new_id(now)
        owner = self._door.user(user_id)
        try:
            conversations.ensure(self._door.db, session_id, owner, now)
        except StorageUnavailableError:
            if self._door.refuge is None:
                raise
            # The id is unique without the database's help, and the first turn begins a session that is not there.
            self._door.refuge.begun((self._door.scope.tenant_id, session_id), owner)
        return session_id

    def store_turn(
        self,
        session_id: UUID | str,
        user_id: str | None,
        query: str,
        response: str,
        metadata: JsonObject | None = None,
    ) -> Turn:
        """Keep a query and its response as the session's next turn; a session that does not exist yet begins."""
        door = self._door
        checked_query, checked_response = door.content("query", query), door.content("response", response)
        turn = keeping.keep_turn(
            door,
            access.identifier("session_id", session_id),
            door.user(user_id),
            checked_query,
            checked_response,
            door.json_object("metadata", metadata),
        )
        if turn is None:
            raise NotFoundError("session", session_id)
        return turn

    def get_session_history(self, session_id: UUID | str, limit: int | None = None) -> list[Turn]:
        """Read the latest turns of a session, ascending by turn number."""
        wanted, _ = access.page(self._door.settings.history_limit if limit is None else limit)
        return keeping.history(self._door, access.identifier("session_id", session_id), wanted)

    def get_context_for_query(self, session_id: UUID | str, current_query: str) -> ConversationContext:
        """Gather what should stand in front of a model for a query, under the token budget."""
        door, query = self._door, self._door.content("current_query", current_query)
        wanted = access.identifier("session_id", session_id)
        reading, turns = understanding.understand(self._mind, door.db, wanted, query)
        here = conversations.get(door.db, wanted)
        user_id, documents = (here.user_id, here.document_context) if here else (door.user(None), ())
        count = here.turn_count if here else 0
        recalled = recalled_turns(door, self._search, wanted, query, user_id=user_id, turn_count=count)
        found = gathering.gather(door, Asked(wanted, user_id, query, turns, reading.referenced, recalled, documents))
        return ConversationContext(
            session_id=wanted,
            current_query=query,
            history=found.window,
            referenced_turns=reading.referenced,
            needs_clarification=reading.unclear,
            clarification_question=self._question(query, reading, turns),
            summary=found.material.summary,
            memories=found.memories,
            recalled_turns=recalled,
            user_memory=found.material.user_memory,
            prompt_tokens=found.assembled.tokens,
            budget_tokens=door.settings.model_context_tokens,
            receipt=found.assembled.receipt,
            messages=found.assembled.messages,
        )

    def get_recent_sessions(self, limit: int = 10) -> list[Conversation]:
        """List the scope's sessions, newest activity first."""
        wanted, _ = access.page(limit)
        return conversations.recent(self._door.db, self._door.user_or_all(None), limit=wanted)

    def get_or_create_session(
        self,
        session_id: UUID | str | None = None,
        title: str | None = None,
        document_context: Sequence[str] | None = None,
    ) -> Conversation:
        """Find a session, or begin one with that id."""
        door, now = self._door, self._door.clock()
        wanted = new_id(now) if session_id is None else access.identifier("session_id", session_id)
        found = conversations.get(door.db, wanted) if session_id is not None else None
        if found is not None:
            return found
        conversations.ensure(
            door.db,
            wanted,
            door.user(None),
            now,
            title=door.title(title),
            document_context=document_names(document_context),
        )
        created = conversations.get(door.db, wanted)
        if created is None:
            raise NotFoundError("session", wanted)
        return created

    def delete_session(self, session_id: UUID | str) -> int:
        """Delete a session with everything that hangs on it; tell how many turns went."""
        return conversations.delete(self._door.db, access.identifier("session_id", session_id)) or 0

    def export_conversation(self, session_id: UUID | str, format: ExportFormat | str = ExportFormat.JSON) -> str:
        """Write a whole conversation as JSON or Markdown."""
        wanted = access.identifier("session_id", session_id)
        chosen = _export_format(format)
        conversation = conversations.get(self._door.db, wanted)
        if conversation is None:
            raise NotFoundError("session", wanted)
        return exporting.write(chosen, conversation, messages.every_message(self._door.db, wanted))

    def _question(self, query: str, reading: Reading, turns: Sequence[Turn]) -> str | None:
        if not reading.unclear or reading.resolution is None:
            return None
        return self._mind.clarifications.generate_clarification_question(query, reading.resolution, turns)


def document_names(names: Sequence[str] | None) -> tuple[str, ...]:
    """Check the names of the documents a conversation is about."""
    if names is None:
        return ()
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ValidationError("document_context", "must be a list of document names")
    return tuple(access.filled_text("document_context", name, 1_000) for name in names)


def _export_format(value: Any) -> ExportFormat:
    try:
        return ExportFormat(value)
    except ValueError as problem:
        raise ValidationError("format", f"{value!r} is unknown; use 'json' or 'markdown'") from problem
