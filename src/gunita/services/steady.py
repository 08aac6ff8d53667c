"""Names that stay the same at every import, and texts that any database keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from gunita import ids
from gunita.errors import ValidationError
from gunita.imports import own
from gunita.imports.records import Said, Talk
from gunita.services.access import identifier


class Names:
    """The ids that a conversation and its messages get at every import, ordered by time like all others."""

    def __init__(self, talk: Talk, tenant: str, user: str) -> None:
        self.talk = talk
        self._name = (tenant, user, talk.source, talk.source_id)
        self.own = own_id(talk.source_id) if talk.source == own.SOURCE else None

    def conversation(self) -> Iterator[UUID]:
        """Give the id it had in Gunita, if it comes from there, and the one that is surely free or ours."""
        if self.own:
            yield self.own
        yield steady_id(self.talk.created_at, *self._name)

    def message(self, said: Said, conversation: UUID) -> UUID:
        kept = own_id(said.source_id) if conversation == self.own else None
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
