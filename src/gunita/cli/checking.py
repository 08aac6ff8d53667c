"""`gunita doctor`: what is configured, what can be reached, and what cannot."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rich.table import Table
from rich.text import Text

from gunita.app import Gunita
from gunita.cli.telling import harmless
from gunita.errors import GunitaError, SchemaError
from gunita.settings import Settings
from gunita.store import migrate
from gunita.store.address import without_secrets

LITTLE_ROOM = 1_000_000_000
A_QUERY = "balik tayo sa una kong tinanong"


class State(StrEnum):
    FINE = "fine"
    NOTE = "note"
    BROKEN = "broken"


MARKS = {State.FINE: "[green]✓[/]", State.NOTE: "[yellow]•[/]", State.BROKEN: "[red]✗[/]"}


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    state: State
    message: str


def examine(settings: Settings) -> list[Check]:
    """Look at everything a running service needs; nothing is made or changed."""
    looks: tuple[Callable[[Settings], Iterator[Check]], ...] = (database, understanding, model, identity, room)
    return [check for look in looks for check in look(settings)]


def shown(checks: list[Check]) -> Table:
    table = Table("", "", "", box=None, show_header=False)
    for check in checks:
        table.add_row(MARKS[check.state], check.name, Text(harmless(check.message)))
    return table


def database(settings: Settings) -> Iterator[Check]:
    path = settings.sqlite_path
    shown = without_secrets(settings.database_url) if settings.is_postgres else settings.database_url
    if not settings.is_postgres and path is not None and not path.exists():
        yield Check("database", State.NOTE, f"{path} is not there yet; it is made on the first start")
        return
    newest = migrate.known("postgres" if settings.is_postgres else "sqlite")[-1].version
    before = time.perf_counter()
    try:
        with Gunita.with_settings(settings.model_copy(update={"migrate": False, "llm_base_url": None})) as g:
            opened = time.perf_counter() - before
            reached = g.statistics.ping()
            kept = g.statistics.count()
    except SchemaError as problem:
        yield Check("schema", State.BROKEN, str(problem))
        return
    except GunitaError as problem:
        yield Check("database", State.BROKEN, str(problem))
        return
    yield Check("database", State.FINE, f"{shown} opens in {opened * 1e3:.0f} ms, answers in {reached.milliseconds} ms")
    yield Check("schema", State.FINE, f"version {newest}, the newest")
    yield Check(
        "kept", State.FINE, f"{kept.conversations:,} conversations, {kept.turns:,} turns, {kept.memories:,} memories"
    )


def understanding(_: Settings) -> Iterator[Check]:
    from gunita.language.references import DynamicReferenceParser

    parser = DynamicReferenceParser()
    before = time.perf_counter()
    try:
        found = parser.detect_reference(A_QUERY)
    except (GunitaError, ImportError, OSError, KeyError, ValueError) as problem:
        yield Check("understanding", State.BROKEN, f"the shipped model does not load: {problem}; install gunita again")
        return
    loaded = time.perf_counter() - before
    state = State.FINE if found is not None else State.BROKEN
    yield Check("understanding", state, f"the shipped model loads and reads a query in {loaded * 1e3:.0f} ms")


def model(settings: Settings) -> Iterator[Check]:
    if settings.llm_base_url is None:
        yield Check("model", State.NOTE, "none; answers come from memory alone. Set GUNITA_LLM_BASE_URL to connect one")
        return
    if importlib.util.find_spec("openai") is None:
        yield Check("model", State.BROKEN, "needs the openai package: pip install 'gunita[llm]'")
        return
    import openai

    key = settings.llm_api_key.get_secret_value()
    try:
        with openai.OpenAI(base_url=settings.llm_base_url, api_key=key, timeout=5, max_retries=0) as client:
            names = [found.id for found in client.models.list()]
    except openai.AuthenticationError:
        yield Check("model", State.BROKEN, "it refuses the key; check GUNITA_LLM_API_KEY")
        return
    except openai.NotFoundError:
        yield Check("model", State.NOTE, "it answers, and does not list its models")
        return
    except openai.OpenAIError as problem:
        yield Check("model", State.BROKEN, f"cannot be reached ({type(problem).__name__}); check GUNITA_LLM_BASE_URL")
        return
    known = settings.llm_model in names
    listed = f"{settings.llm_model} is {'there' if known else 'not among: ' + ', '.join(names[:5])}"
    yield Check(
        "model", State.FINE if known else State.NOTE, f"{without_secrets(settings.llm_base_url)} answers; {listed}"
    )


def identity(settings: Settings) -> Iterator[Check]:
    means = [
        name
        for name, given in (
            ("JWT by secret", settings.jwt_secret),
            ("JWT by published keys", settings.jwt_jwks_url),
            ("Supabase", settings.supabase_url),
        )
        if given
    ]
    told = f"API keys{', ' if means else ''}{', '.join(means)}"
    if settings.is_loopback and not settings.require_auth:
        yield Check("identity", State.NOTE, f"nobody is asked on {settings.host}; those who prove themselves: {told}")
    else:
        yield Check("identity", State.FINE, f"everybody is asked; accepted: {told}")
    if settings.development:
        yield Check("development", State.NOTE, "errors show their details; never where strangers can see them")


def room(settings: Settings) -> Iterator[Check]:
    path = settings.sqlite_path
    if settings.is_postgres or path is None:
        return
    folder = path.resolve().parent
    if not folder.is_dir():
        yield Check("disk", State.BROKEN, f"the folder {folder} does not exist")
        return
    free = shutil.disk_usage(folder).free
    state = State.FINE if free > LITTLE_ROOM else State.NOTE
    yield Check("disk", state, f"{free / 1e9:.1f} GB free for {Path(path).name}")
