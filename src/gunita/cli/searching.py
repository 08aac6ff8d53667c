"""`gunita search`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from gunita.cli.history import turn_record
from gunita.cli.options import AsJson, Config, Database, Limit, Owner, Session, Tenant, opened
from gunita.cli.telling import harmless, note, out, say, told_plainly, write
from gunita.models import Hit, Memory, Message, Role, SearchKind, Turn
from gunita.recall.snippets import CLOSE, OPEN
from gunita.services.exporting import message_record
from gunita.services.moving_out import memory_record

Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="In UTC")]


def search(
    query: Annotated[str, typer.Argument(help="Words, or what it was about; also “last May”", show_default=False)],
    kind: Annotated[SearchKind, typer.Option(help="What to look for")] = SearchKind.MESSAGES,
    role: Annotated[Role | None, typer.Option(help="Said by whom")] = None,
    session: Session = None,
    since: Day = None,
    until: Day = None,
    limit: Limit = 10,
    user: Owner = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Find what was said or is known, by words and by meaning, best first."""
    with told_plainly(), opened(config, database, tenant, user) as g:
        found = g.search.search(
            query,
            conversation_id=session,
            role=role,
            since=since and since.replace(tzinfo=UTC),
            until=until and until.replace(tzinfo=UTC),
            kind=kind,
            limit=limit,
        )
    if as_json:
        write([record_of(hit) for hit in found])
    else:
        tell(found)


def tell(found: Sequence[Hit]) -> None:
    if not found:
        note("Nothing was found.")
    for hit in found:
        say(place_of(hit), "dim")
        # Which words match is shown in bold where there is bold, and otherwise not at all.
        out.print(marked(hit.snippet), soft_wrap=True)


def place_of(hit: Hit) -> str:
    """Say where something stands."""
    match hit.found:
        case Message() as said:
            where = f"{said.conversation_id} · turn {said.turn_number} · {said.role.value}"
        case Turn() as turn:
            where = f"{turn.session_id} · turn {turn.turn_number}"
        case Memory() as memory:
            where = f"{memory.id} · {memory.memory_type.value}"
    return f"{where} · {hit.found.created_at:%Y-%m-%d %H:%M} · {hit.why}"


def marked(snippet: str) -> Text:
    text = Text("  ")
    for place, part in enumerate(snippet.replace(CLOSE, OPEN).split(OPEN)):
        text.append(harmless(part), "bold yellow" if place % 2 else "")
    return text


def record_of(hit: Hit) -> dict[str, Any]:
    same = {"score": hit.score, "why": hit.why.split(", ") if hit.why else [], "snippet": hit.snippet}
    match hit.found:
        case Message() as said:
            where = {"conversation_id": str(said.conversation_id), "turn_number": said.turn_number}
            return {"kind": "message", **same, **where, "message": message_record(said)}
        case Turn() as turn:
            where = {"conversation_id": str(turn.session_id), "turn_number": turn.turn_number}
            return {"kind": "turn", **same, **where, "turn": turn_record(turn)}
        case Memory() as memory:
            return {"kind": "memory", **same, "memory": memory_record(memory)}
