"""Moving in: conversations of other chat programs, taken in once however often they are brought."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from gunita import ids
from gunita.errors import ConflictError, ValidationError
from gunita.imports import own, reading
from gunita.imports.records import Said, Talk, Unread
from gunita.language.tokens import count_tokens
from gunita.services.access import Access, identifier
from gunita.store import conversations, importing
from gunita.store.database import Statements
from gunita.store.messages import Payload

ImportProgress = Callable[[int, int], None]
"""Told how many conversations were read so far, and of how many."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought: conversations begun or gone on with, messages new and here before, what is missing."""

    conversations: int
    messages_added: int
    messages_here: int
    unread: tuple[Unread, ...]


class ImportService:
    """Takes in what other programs, and Gunita itself, wrote out."""

    def __init__(self, door: Access) -> None:
        self._door = door

    def bring_in(
        self,
        path: Path | str,
        user_id: str | None = None,
        *,
        pinned: bool = True,
        progress: ImportProgress | None = None,
    ) -> ImportReport:
        """Take in an export of ChatGPT, Claude or Gunita; a file that is damaged anywhere leaves the store as it was.

        Imported conversations are old and would be forgotten at once, so they are pinned unless told otherwise.
        """
        file, user = Path(path), self._door.user(user_id)
        total = reading.count(file)
        touched = added = here = 0
        unread: list[Unread] = []
        for number, found in enumerate(reading.talks(file), start=1):
            if isinstance(found, Unread):
                unread.append(found)
            else:
                new, old, missing = self._take_in(found, user, pinned=pinned)
                touched, added, here = touched + (new > 0), added + new, here + old
                unread += missing
            if progress is not None:
                progress(min(number, total), total)
        return ImportReport(touched, added, here, tuple(unread))

    def _take_in(self, talk: Talk, user: str, *, pinned: bool) -> tuple[int, int, list[Unread]]:
        """Write what is not here yet of one conversation, all of it or nothing; count what is new and what was here."""
        unread: list[Unread] = []
        with self._door.db.transaction() as together:
            names = _Names(talk, self._door.scope.tenant_id or "", user)
            conversation, begun = self._begin(together, names, user)
            known = set() if begun else importing.known_ids(together, conversation)
            fresh = {names.message(said, conversation): said for said in talk.said}
            for message in known:
                fresh.pop(message, None)
            for message, said in fresh.items():
                try:
                    self._append(together, conversation, message, said)
                except ValidationError as problem:
                    unread.append(Unread(f"{talk.title or talk.source_id}, message {said.source_id}", str(problem)))
            if begun:
                newest = max((said.created_at for said in talk.said), default=talk.created_at)
                importing.mark(together, conversation, newest, pinned=pinned, archived=talk.archived)
        return len(fresh) - len(unread), len(talk.said) - len(fresh), unread

    def _begin(self, together: Statements, names: _Names, user: str) -> tuple[UUID, bool]:
        """Find the conversation from an earlier import, or begin it; tell whether it was begun."""
        talk = names.talk
        title = None if talk.title is None else storable(talk.title)[: self._door.settings.max_title_characters]
        metadata = {"imported_from": talk.source, "imported_id": storable(talk.source_id)}
        for wanted in names.conversation():
            begun = conversations.ensure(together, wanted, user, talk.created_at, title=title, metadata=metadata)
            if begun or importing.is_of(together, wanted, user):
                return wanted, begun
        raise ConflictError(f"{talk.title or talk.source_id} cannot be taken in: its id is another conversation's")

    def _append(self, together: Statements, conversation: UUID, message: UUID, said: Said) -> None:
        """Check a message as any other is checked, before the database sees it."""
        door = self._door
        content = door.content("content", storable(said.content))
        payload = Payload(
            tool_calls=door.json_list("tool_calls", said.tool_calls or None),
            custom_payload=door.json_object("payload", dict(said.payload)) or None,
        )
        importing.append(
            together,
            conversation,
            message,
            said.role,
            content,
            tokens=count_tokens(content),
            payload=payload,
            at=said.created_at,
        )


class _Names:
    """The ids that a conversation and its messages get at every import, ordered by time like all others."""

    def __init__(self, talk: Talk, tenant: str, user: str) -> None:
        self.talk = talk
        self._name = (tenant, user, talk.source, talk.source_id)
        self._own = own_id(talk.source_id) if talk.source == own.SOURCE else None

    def conversation(self) -> Iterator[UUID]:
        """Give the id it had in Gunita, if it comes from there, and the one that is surely free or ours."""
        if self._own:
            yield self._own
        yield steady_id(self.talk.created_at, *self._name)

    def message(self, said: Said, conversation: UUID) -> UUID:
        kept = own_id(said.source_id) if conversation == self._own else None
        return kept or steady_id(said.created_at, *self._name, said.source_id)


def own_id(value: str) -> UUID | None:
    try:
        return identifier("id", value)
    except ValidationError:
        return None


def steady_id(at: datetime, *name: str) -> UUID:
    """Make the id that the same thing gets at every import, ordered by time like all others."""
    digest = hashlib.sha256("\0".join(name).encode("utf-8", "surrogatepass")).digest()
    return ids.steady_id(at, int.from_bytes(digest[:8]))


def storable(text: str) -> str:
    """Put the sign for a broken character where a text holds what no database keeps."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
