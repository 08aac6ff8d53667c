"""`gunita export` and `gunita import`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, Any, assert_never

import typer

from gunita.app import Gunita
from gunita.cli.history import conversation_of
from gunita.cli.options import AsJson, Config, Database, Tenant, opened
from gunita.cli.telling import bar, counted, err, harmless, note, say, told_plainly, write
from gunita.errors import ValidationError
from gunita.models import ExportFormat
from gunita.services.importing import ImportReport
from gunita.store.privacy import made_private


class Form(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    JSON = "json"
    MARKDOWN = "markdown"


Which = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="A conversation's id, or `latest`; without it --user or --all")
]
User = Annotated[str | None, typer.Option("--user", "-u", help="Everything about this user")]
All = Annotated[bool, typer.Option("--all", help="Everything of the tenant")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="A file; without it standard output")]
Written = Annotated[
    Form | None, typer.Option("--format", "-f", help="json for one conversation unless said, else jsonl")
]
BETWEEN = "\n---\n\n"


def export(
    session: Which = None,
    user: User = None,
    everything: All = False,
    form: Written = None,
    output: Output = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json")] = False,
) -> None:
    """Write out a conversation, a user, or everything; `gunita import` brings JSON and JSON Lines back."""
    with told_plainly():
        if [session is not None, user is not None, everything].count(True) != 1:
            raise ValidationError("export", "what? Name a conversation, or --user, or --all")
        # A bar beside an export that itself goes to the terminal would stand in the midst of it.
        shown = bar("Writing", hidden=output is None)
        with opened(config, database, tenant, user) as g, written_to(output) as file, shown as progress:
            chosen = form or (Form.JSON if as_json or session else Form.JSONL)
            total = 1 if session or output is None else g.statistics.count().conversations
            for number, part in enumerate(one(g, session, chosen) if session else many(g, user, chosen), start=1):
                file.write(harmless(part) if file.isatty() else part)
                progress(min(number, total), total)
        if output is not None:
            note(f"Written to {output}.")


def one(gunita: Gunita, session: str, form: Form) -> Iterator[str]:
    """Write one conversation."""
    found = conversation_of(gunita, session)
    match form:
        case Form.JSONL:
            yield gunita.exports.conversation_line(found.id)
        case Form.JSON:
            yield indented(json.loads(gunita.exports.conversation_line(found.id)))
        case Form.MARKDOWN:
            yield gunita.sessions.export_conversation(found.id, ExportFormat.MARKDOWN)
        case _:
            assert_never(form)


def many(gunita: Gunita, user: str | None, form: Form) -> Iterator[str]:
    """Write everything of a user, or of the tenant."""
    match form:
        case Form.JSONL:
            yield from gunita.exports.json_lines()
        case Form.JSON if user is not None:
            yield indented(gunita.deletion.export_user(user))
        case Form.JSON:
            yield from listed(gunita.exports.json_lines())
        case Form.MARKDOWN:
            for number, page in enumerate(gunita.exports.markdown()):
                yield BETWEEN * (number > 0) + page
        case _:
            assert_never(form)


def listed(lines: Iterable[str]) -> Iterator[str]:
    """Make one JSON list of lines, without holding them."""
    yield "["
    for number, line in enumerate(lines):
        yield ("," if number else "") + "\n" + line.rstrip("\n")
    yield "\n]\n"


def indented(value: Any) -> str:
    # Spelt out in ASCII: half a character inside a JSON value cannot be written otherwise.
    return json.dumps(value, indent=2) + "\n"


@contextmanager
def written_to(output: Path | None) -> Iterator[IO[str]]:
    """Open where an export goes; a file appears under its name only when it is whole."""
    if output is None:
        yield sys.stdout
        return
    unfinished = output.with_name(f".{output.name}.unfinished")
    try:
        made_private(unfinished)
        with unfinished.open("w", encoding="utf-8") as file:
            yield file
        unfinished.replace(output)
    except OSError as problem:
        raise ValidationError("output", f"{output} cannot be written: {problem.strerror or problem}") from problem
    finally:
        unfinished.unlink(missing_ok=True)


def import_file(
    file: Annotated[Path, typer.Argument(help="What ChatGPT, Claude or Gunita exported: zip, JSON or JSON Lines")],
    user: Annotated[str | None, typer.Option("--user", "-u", help="Whose it becomes; without it whose it was")] = None,
    pin: Annotated[bool, typer.Option("--pin/--no-pin", help="Keep it from being forgotten with age")] = True,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Take in conversations of ChatGPT, Claude or Gunita; what was brought before is not brought twice."""
    with told_plainly(), opened(config, database, tenant) as g, bar("Taking in") as progress:
        report = g.imports.bring_in(file, user, pinned=pin, progress=progress)
    if as_json:
        write(record_of(report))
    else:
        tell(report)


def tell(report: ImportReport) -> None:
    say(
        f"{counted(report.messages_added, 'message')} in {counted(report.conversations, 'conversation')} came in; "
        f"{report.messages_here:,} {'was' if report.messages_here == 1 else 'were'} here before."
    )
    if report.memories_added or report.values_added:
        memories, values = counted(report.memories_added, "memory", "memories"), counted(report.values_added, "value")
        say(f"{memories} and {values} of users came in.")
    if report.unread:
        say(f"{len(report.unread):,} could not be read:", "yellow", to=err)
    for missing in report.unread:
        say(f"  {missing.where}: {missing.why}", to=err)


def record_of(report: ImportReport) -> dict[str, Any]:
    return {
        "conversations": report.conversations,
        "messages_added": report.messages_added,
        "messages_here": report.messages_here,
        "memories_added": report.memories_added,
        "values_added": report.values_added,
        "unread": [{"where": missing.where, "why": missing.why} for missing in report.unread],
    }
