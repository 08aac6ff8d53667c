"""`gunita history`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gunita.app import Gunita
from gunita.cli.options import AsJson, Config, Database, Limit, Owner, Tenant, opened
from gunita.cli.talking import mark
from gunita.cli.telling import note, say, say_table, told_plainly, write
from gunita.errors import NotFoundError
from gunita.models import Conversation, Turn
from gunita.services.exporting import conversation_record

LATEST = "latest"
Which = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="A conversation's id, or `latest`; without it all are listed")
]


def history(
    session: Which = None,
    limit: Limit = 20,
    user: Owner = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List conversations, newest first, or show the latest turns of one."""
    with told_plainly(), opened(config, database, tenant, user) as g:
        if session is None:
            tell_conversations(g.conversations.list_conversations(limit=limit), as_json=as_json)
        else:
            found = conversation_of(g, session)
            tell_turns(g.sessions.get_session_history(found.id, limit), as_json=as_json)


def conversation_of(gunita: Gunita, session: str) -> Conversation:
    """Find a conversation by its id, or the latest."""
    if session != LATEST:
        return gunita.conversations.get_conversation(session)
    newest = gunita.conversations.list_conversations(limit=1)
    if not newest:
        raise NotFoundError("conversation", LATEST)
    return newest[0]


def tell_conversations(found: Sequence[Conversation], *, as_json: bool) -> None:
    if as_json:
        write([conversation_record(conversation) for conversation in found])
    elif not found:
        note("No conversations yet; `gunita chat` begins one.")
    else:
        rows = [
            (one.id, f"{one.updated_at:%Y-%m-%d %H:%M}", one.turn_count, one.user_id, one.title or "") for one in found
        ]
        say_table(("session", "last active", "turns", "user", "title"), rows)


def tell_turns(turns: Sequence[Turn], *, as_json: bool) -> None:
    if as_json:
        write([turn_record(turn) for turn in turns])
    elif not turns:
        note("Nothing was said yet.")
    for turn in () if as_json else turns:
        say(f"{turn.turn_number:>3} · {turn.created_at:%Y-%m-%d %H:%M}", "dim")
        say(f"› {turn.query_text}", "bold")
        if references := turn.metadata.get("references"):
            say(mark(references, float(turn.metadata.get("confidence", 0))), "cyan")
        say(f"{turn.response_text}\n")


def turn_record(turn: Turn) -> dict[str, Any]:
    return {
        "id": str(turn.id),
        "session_id": str(turn.session_id),
        "user_id": turn.user_id,
        "turn_number": turn.turn_number,
        "query_text": turn.query_text,
        "response_text": turn.response_text,
        "created_at": turn.created_at.isoformat(),
        "metadata": dict(turn.metadata),
    }
