"""`gunita keys`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gunita.cli.options import AsJson, Config, Database, Tenant, Yes, opened
from gunita.cli.telling import confirm, note, say, say_table, told_plainly, write
from gunita.store.keys import StoredKey

app = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys.")


@app.command("create")
def create_key(
    name: Annotated[str, typer.Argument(help="What the key is called in lists")],
    user: Annotated[str | None, typer.Option("--user", help="For this user alone; without it for the service")] = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, once."""
    with told_plainly(), opened(config, database, tenant) as g:
        made = g.keys.create_key(name, "service" if user is None else "user", user)
    if as_json:
        write({"secret": made.secret, **_row(made.key)})
    else:
        say(made.secret)
        note("This key is shown once; keep it safe.")


@app.command("list")
def list_keys(tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """List a tenant's keys."""
    with told_plainly(), opened(config, database, tenant) as g:
        found = [_row(key) for key in g.keys.list_keys()]
    if as_json:
        write(found)
    else:
        say_table(("id", "name", "role", "user", "created", "revoked"), [tuple(row.values()) for row in found])


@app.command("revoke")
def revoke_key(
    key_id: Annotated[str, typer.Argument(help="The key's id, as `gunita keys list` shows it")],
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Revoke a key, at once and for good."""
    with told_plainly():
        confirm(f"Revoke {key_id} for good?", yes=yes)
        with opened(config, database, tenant) as g:
            g.keys.revoke_key(key_id)
    if as_json:
        write({"revoked": key_id})
    else:
        say("Revoked.")


def _row(key: StoredKey) -> dict[str, Any]:
    return {
        "id": str(key.id),
        "name": key.name,
        "role": key.role.value,
        "user_id": key.user_id,
        "created": key.created_at.isoformat(timespec="seconds"),
        "revoked": key.revoked_at and key.revoked_at.isoformat(timespec="seconds"),
    }
