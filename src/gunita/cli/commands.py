"""Every command, in the order that `gunita --help` shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gunita import __version__
from gunita.cli import (
    asking,
    chatting,
    checking,
    history,
    keys,
    local_model,
    memories,
    moving,
    operating,
    searching,
    transfer,
)
from gunita.cli.options import AsJson, Config, Database, settings_of
from gunita.cli.telling import out, say, told_plainly, write, write_line
from gunita.store.opening import distribute_database, upgrade_database

Distribute = Annotated[
    bool, typer.Option("--distribute", help="Then spread the tables over the nodes of a Citus cluster, by tenant")
]
TALKING, KEEPING, MOVING, RUNNING = "Talk", "Look and keep", "Move in and out", "Run"

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    help="Conversation memory that understands what people point at.",
    epilog="Every command takes --help and --json; most --database, as DATABASE_URL, and --tenant.",
)


@app.callback(invoke_without_command=True)
def gunita(version: Annotated[bool, typer.Option("--version", help="Say which version this is")] = False) -> None:
    if version:
        say(__version__)
        raise typer.Exit


app.command(rich_help_panel=TALKING)(chatting.chat)
app.command(rich_help_panel=TALKING)(asking.ask)
app.command(rich_help_panel=KEEPING)(history.history)
app.command(rich_help_panel=KEEPING)(searching.search)
app.add_typer(memories.app, name="memories", rich_help_panel=KEEPING)
app.command(rich_help_panel=MOVING)(moving.export)
app.command("import", rich_help_panel=MOVING)(moving.import_file)
app.command("migrate-data", rich_help_panel=MOVING)(transfer.migrate_data)


@app.command(rich_help_panel=RUNNING)
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; elsewhere than here only with auth")] = None,
    port: Annotated[int | None, typer.Option(help="8321 unless told otherwise")] = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Serve the chat over HTTP until told to stop; say where once it listens."""
    # A web framework takes its time to load, and no other command needs it.
    from gunita.cli import serving

    with told_plainly():
        serving.serve(
            settings_of(config, host=host, port=port, database_url=database),
            write_line if as_json else lambda told: say(f"Gunita listens on {told['address']}"),
        )


@app.command(rich_help_panel=RUNNING)
def doctor(database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Say what is configured, what can be reached, and what cannot."""
    with told_plainly():
        checks = checking.examine(settings_of(config, database_url=database))
    if as_json:
        write([{"name": check.name, "state": check.state, "message": check.message} for check in checks])
    else:
        out.print(checking.shown(checks))
    raise typer.Exit(1 if any(check.state is checking.State.BROKEN for check in checks) else 0)


@app.command(rich_help_panel=RUNNING)
def migrate(
    distribute: Distribute = False, database: Database = None, config: Config = None, as_json: AsJson = False
) -> None:
    """Bring the database to the newest schema."""
    with told_plainly():
        settings = settings_of(config, database_url=database)
        applied = upgrade_database(settings)
        spread = distribute_database(settings) if distribute else []
    if as_json:
        write({"applied": applied} | ({"distributed": spread} if distribute else {}))
        return
    if applied:
        say(f"Applied {', '.join(map(str, applied))}.")
    if spread:
        say(f"Spread {', '.join(spread)}.")
    if not applied and not spread:
        say("Nothing to do.")


@app.command("local-model", rich_help_panel=RUNNING)
def local(
    file: Annotated[Path | None, typer.Option(help="A GGUF file; without it the small bundled model")] = None,
    port: Annotated[int, typer.Option(help="Where it listens, on this machine alone")] = 8322,
    threads: Annotated[int, typer.Option(help="Processor threads")] = 2,
    as_json: AsJson = False,
) -> None:
    """Serve a small language model on this machine until told to stop, to try Gunita with one."""

    def tell(address: str) -> None:
        if as_json:
            write_line({"address": address})
            return
        say(f"A small language model listens on {address}. In another terminal:")
        say(f"GUNITA_LLM_BASE_URL={address} gunita serve")

    with told_plainly():
        local_model.serve(file, port, threads, tell)


app.command(rich_help_panel=RUNNING)(operating.reembed)
app.command(rich_help_panel=RUNNING)(operating.cleanup)
app.command(rich_help_panel=RUNNING)(operating.stats)
app.command(rich_help_panel=RUNNING)(operating.backup)
app.command(rich_help_panel=RUNNING)(operating.delete)
app.command("verify-deletion", rich_help_panel=RUNNING)(operating.verify_deletion)
app.add_typer(keys.app, name="keys", rich_help_panel=RUNNING)
