"""Every command, and what they share: settings from options, errors in plain words, output as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from gunita.app import Gunita, read_settings
from gunita.cli import checking, local_model, reembedding, serving
from gunita.errors import GunitaError
from gunita.settings import Settings
from gunita.store.keys import StoredKey
from gunita.store.opening import upgrade_database

app = typer.Typer(no_args_is_help=True, help="Conversation memory that understands what people point at.")
keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys.")
app.add_typer(keys, name="keys")

out, err = Console(), Console(stderr=True)

Database = Annotated[str | None, typer.Option("--database", "-d", help="A file, or postgresql://…")]
Config = Annotated[Path | None, typer.Option("--config", "-c", help="A file of NAME=value lines, as .env")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON")]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose keys; without it the system's own")]


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; elsewhere than here only with auth")] = None,
    port: Annotated[int | None, typer.Option(help="8321 unless told otherwise")] = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Serve the chat over HTTP."""
    with _told_plainly():
        serving.serve(_settings(config, host=host, port=port, database_url=database))


@app.command()
def doctor(database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Say what is configured, what can be reached, and what cannot."""
    with _told_plainly():
        checks = checking.examine(_settings(config, database_url=database))
    if as_json:
        _write([{"name": check.name, "state": check.state, "message": check.message} for check in checks])
    else:
        table = Table("", "", "", box=None, show_header=False)
        for check in checks:
            table.add_row(checking.MARKS[check.state], check.name, check.message)
        out.print(table)
    raise typer.Exit(1 if any(check.state is checking.State.BROKEN for check in checks) else 0)


@app.command()
def migrate(database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Bring the database to the newest schema."""
    with _told_plainly():
        applied = upgrade_database(_settings(config, database_url=database))
    if as_json:
        _write({"applied": applied})
    else:
        out.print(f"Applied {', '.join(map(str, applied))}." if applied else "Nothing to do.")


@app.command()
def reembed(tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Read anew for search what another model has read; search goes on meanwhile, and so does a run cut short."""
    with _told_plainly(), _opened(config, database, tenant) as g:
        counted = reembedding.reembed(g, err)
    if as_json:
        _write(counted)
    else:
        left = f"; {counted['left']:,} are being read by another process" if counted["left"] else ""
        out.print(f"Read {counted['read']:,} texts anew{left}.")


@app.command("local-model")
def local(
    file: Annotated[Path | None, typer.Option(help="A GGUF file; without it the small bundled model")] = None,
    port: Annotated[int, typer.Option(help="Where it listens, on this machine alone")] = 8322,
    threads: Annotated[int, typer.Option(help="Processor threads")] = 2,
) -> None:
    """Serve a small language model on this machine, to try Gunita with one."""
    with _told_plainly():
        local_model.serve(file, port, threads, lambda line: out.print(line, highlight=False))


@keys.command("create")
def create_key(
    name: str,
    user: Annotated[str | None, typer.Option("--user", help="For this user alone; without it for the service")] = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, once."""
    with _told_plainly(), _opened(config, database, tenant) as g:
        made = g.keys.create_key(name, "service" if user is None else "user", user)
    if as_json:
        _write({"secret": made.secret, **_row(made.key)})
    else:
        out.print(made.secret, highlight=False, soft_wrap=True)
        err.print("This key is shown once; keep it safe.")


@keys.command("list")
def list_keys(tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """List a tenant's keys."""
    with _told_plainly(), _opened(config, database, tenant) as g:
        found = g.keys.list_keys()
    if as_json:
        _write([_row(key) for key in found])
        return
    table = Table("id", "name", "role", "user", "created", "revoked", box=None)
    table.columns[0].no_wrap = True
    for key in found:
        row = _row(key)
        table.add_row(*(str(row[column] or "") for column in ("id", "name", "role", "user_id", "created", "revoked")))
    out.print(table)


@keys.command("revoke")
def revoke_key(
    key_id: str, tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False
) -> None:
    """Revoke a key, at once and for good."""
    with _told_plainly(), _opened(config, database, tenant) as g:
        g.keys.revoke_key(key_id)
    if as_json:
        _write({"revoked": key_id})
    else:
        out.print("Revoked.")


@contextmanager
def _told_plainly() -> Iterator[None]:
    """End with what went wrong in a sentence, not in a trace."""
    try:
        yield
    except GunitaError as problem:
        err.print(f"gunita: {problem}", style="red", highlight=False, soft_wrap=True, markup=False)
        raise typer.Exit(1) from problem


@contextmanager
def _opened(config: Path | None, database: str | None, tenant: str | None) -> Iterator[Gunita]:
    with Gunita.with_settings(_settings(config, database_url=database)) as g:
        yield g.scoped(tenant_id=tenant)


def _settings(config: Path | None, **given: Any) -> Settings:
    return read_settings(config, **{name: value for name, value in given.items() if value is not None})


def _row(key: StoredKey) -> dict[str, Any]:
    return {
        "id": str(key.id),
        "name": key.name,
        "role": key.role.value,
        "user_id": key.user_id,
        "created": key.created_at.isoformat(timespec="seconds"),
        "revoked": key.revoked_at and key.revoked_at.isoformat(timespec="seconds"),
    }


def _write(value: Any) -> None:
    out.print_json(json.dumps(value))
