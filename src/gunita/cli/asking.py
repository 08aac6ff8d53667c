"""`gunita ask`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gunita.cli.options import AsJson, Config, Database, Session, Speaker, Tenant, opened
from gunita.cli.talking import place_of, record_of, speak
from gunita.cli.telling import note, told_plainly, write

Question = Annotated[str, typer.Argument(help="What to ask; - reads it from standard input", show_default=False)]
Latest = Annotated[bool, typer.Option("--latest", "-l", help="Go on with the user's latest conversation")]
Choice = Annotated[int | None, typer.Option(help="Settle a question back: the number of the turn that is meant")]


def ask(
    question: Question,
    session: Session = None,
    latest: Latest = False,
    choice: Choice = None,
    user: Speaker = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Ask once, in a new conversation or in one that goes on; the answer alone goes to standard output."""
    with told_plainly(), opened(config, database, tenant) as g:
        place = place_of(g, user, session, latest=latest)
        query = sys.stdin.read() if question == "-" else question
        if as_json:
            write(record_of(place.gunita.chat.reply(query, session_id=place.session_id, choice=choice)))
            return
        reply = speak(place.gunita.chat.stream(query, session_id=place.session_id, choice=choice))
        note(f"session {reply.session_id}")
