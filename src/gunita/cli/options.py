"""Options that commands share, and the database that they open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gunita.app import Gunita, read_settings
from gunita.settings import Settings

Database = Annotated[str | None, typer.Option("--database", "-d", help="A file, or postgresql://…")]
Config = Annotated[Path | None, typer.Option("--config", "-c", help="A file of NAME=value lines, as .env")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON")]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose data; without it the system's own")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most")]
Speaker = Annotated[
    str | None, typer.Option("--user", "-u", envvar="GUNITA_USER", help="Who speaks; without it anonymous")
]
Owner = Annotated[str | None, typer.Option("--user", "-u", envvar="GUNITA_USER", help="Whose; without it everybody's")]
Session = Annotated[str | None, typer.Option("--session", "-s", help="The conversation's id")]


@contextmanager
def opened(
    config: Path | None, database: str | None, tenant: str | None = None, user: str | None = None, **more: Any
) -> Iterator[Gunita]:
    """Open the database as a tenant's service, or one of its users, sees it."""
    with Gunita.with_settings(settings_of(config, database_url=database, **more)) as g:
        yield g.scoped(tenant_id=tenant, user_id=user)


def settings_of(config: Path | None, **given: Any) -> Settings:
    return read_settings(config, **{name: value for name, value in given.items() if value is not None})
