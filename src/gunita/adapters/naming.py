"""Which conversation a framework's session is: frameworks name sessions as they like, Gunita by UUID."""

from __future__ import annotations

from uuid import UUID, uuid5

from gunita.app import Gunita
from gunita.errors import ValidationError
from gunita.models import ANONYMOUS
from gunita.services import access

SESSION = "session"
"""The key in a conversation's metadata under which it keeps the name that a framework knows it by."""
_NAMES = UUID("6b1f6a0e-5c0f-5a55-9d3c-0f1a2b7c9e41")


def owner(gunita: Gunita, user_id: str | None) -> str:
    """Say whose the sessions are: the user named, else the scope's own, else anonymous."""
    return user_id or gunita.scope.user_id or ANONYMOUS


def conversation_of(user_id: str, session: str) -> UUID:
    """Give a session's conversation: the one with that UUID, or the one that is this user's under that name."""
    access.filled_text("session_id", session, 1_000)
    try:
        return access.identifier("session_id", session)
    except ValidationError:
        return uuid5(_NAMES, f"{user_id}\0{session}")
