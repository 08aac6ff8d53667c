"""`gunita migrate-data`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gunita.cli.options import AsJson, Config, settings_of
from gunita.cli.telling import bar, note, say, say_table, told_plainly, write
from gunita.errors import MissingExtraError

if TYPE_CHECKING:
    from gunita.services.transfer import Compared, Transfer, TransferReport

Source = Annotated[str, typer.Argument(help="The SQLite file that everything is in now")]
Target = Annotated[str, typer.Argument(help="Where it goes: postgresql://…, as the owner of the tables; empty, or new")]
OneTenant = Annotated[str | None, typer.Option("--tenant", help="Only this tenant's data; without it everybody's")]
Follow = Annotated[
    bool,
    typer.Option(
        "--follow", help="Go on while the source is in use; at the end it is closed, so that nothing is missed"
    ),
]
VerifyOnly = Annotated[bool, typer.Option("--verify-only", help="Only compare the two; nothing is written")]
Reopen = Annotated[bool, typer.Option("--reopen", help="Give a move up: the source can be written again")]
Batch = Annotated[int, typer.Option("--batch", min=1, help="Rows that are written at a time")]


def migrate_data(
    source: Source,
    target: Target,
    tenant: OneTenant = None,
    follow: Follow = False,
    verify_only: VerifyOnly = False,
    reopen: Reopen = False,
    batch: Batch = 2_000,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Move everything from SQLite to PostgreSQL; a run that was cut short goes on when it is run again."""
    with told_plainly(), opened(source, target, tenant, batch, config) as transfer:
        if reopen:
            transfer.give_up()
            if as_json:
                write({"reopened": source})
            else:
                note(f"{source} can be written again; the target keeps what had come.")
            return
        compared = transfer.compare() if verify_only else None
        report = None if verify_only else transfer.run(follow=follow)
    tables = report.tables if report else compared or []
    if as_json:
        write(record_of(tables, report))
    else:
        tell(tables, report)
    raise typer.Exit(0 if all(table.is_equal for table in tables) else 1)


@contextmanager
def opened(source: str, target: str, tenant: str | None, batch: int, config: Any) -> Iterator[Transfer]:
    try:
        from gunita.services.transfer import between
    except ImportError as missing:
        raise MissingExtraError("PostgreSQL", "postgres") from missing
    sides = [settings_of(config, database_url=address) for address in (source, target)]
    with bar("Moving") as progress, between(*sides, tenant=tenant, batch=batch, tell=progress) as transfer:
        yield transfer


def tell(tables: list[Compared], report: TransferReport | None) -> None:
    rows = [
        (table.table, f"{table.source.rows:,}", f"{table.target.rows:,}", "equal" if table.is_equal else "DIFFERS")
        for table in tables
    ]
    say_table(("table", "source", "target", ""), rows)
    if report is None:
        return
    say(
        "Everything is there, compared row by row."
        + f" {report.followed:,} later changes came too." * bool(report.followed)
    )
    if report.closed:
        say("The source is closed: it refuses writes. Start the service on the new database now.")
    elif report.followed:
        say(
            "The source was in use meanwhile and still is: what is written to it now does not come. Use --follow.",
            "yellow",
        )


def record_of(tables: list[Compared], report: TransferReport | None) -> dict[str, Any]:
    sides = [
        {
            "table": table.table,
            "rows": table.source.rows,
            "digest": table.source.digest,
            "target_rows": table.target.rows,
            "target_digest": table.target.digest,
            "equal": table.is_equal,
        }
        for table in tables
    ]
    moved = {} if report is None else {"followed": report.followed, "source_closed": report.closed}
    return {"equal": all(table.is_equal for table in tables), "tables": sides} | moved
