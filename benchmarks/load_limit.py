"""The database's own limit: the very statements of one turn, with nothing of Gunita's around them."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import sql

from benchmarks.texts import Exchanges
from gunita import Gunita
from gunita.app import read_settings
from gunita.chat.records import ChatRequest
from gunita.ids import new_id, now
from gunita.models import Scope
from gunita.settings import Settings
from gunita.store import queries
from gunita.store.database import Database, Row, ScopedDatabase, Statements
from gunita.store.opening import open_database
from tests.postgres_server import PostgresServer

CONVERSATIONS = 1_000
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")
_NEW_IDS = {"message_id", "query_id", "response_id", "receipt_id"}
_TURN = {"turn_number": 0, "before": 0}


class Asked(NamedTuple):
    """A statement as a turn asked for it."""

    scope: Scope
    name: str
    parameters: dict[str, Any]


class Recording:
    """A database that writes down what is asked of it."""

    def __init__(self, behind: Database) -> None:
        self._behind = behind
        self.asked: list[Asked] = []

    def within(self, scope: Scope) -> RecordingScope:
        return RecordingScope(self._behind.within(scope), self.asked)

    def close(self) -> None:
        self._behind.close()


class RecordingScope(ScopedDatabase):
    def __init__(self, behind: ScopedDatabase, asked: list[Asked]) -> None:
        super().__init__(behind.scope)
        self.decode = behind.decode
        self._behind = behind
        self._asked = asked

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        raise AssertionError("a turn takes no transaction of several statements")
        yield

    def _execute(self, name: str, parameters: dict[str, Any]) -> tuple[list[Row], int]:
        self._asked.append(Asked(self.scope, name, dict(parameters)))
        return self._behind._execute(name, parameters)


def statements_of_a_turn(settings: Settings) -> list[Asked]:
    """Answer two queries of one conversation, and say what the second asked of the database."""
    database = Recording(open_database(settings))
    exchanges = Exchanges()
    with Gunita(database, settings, Scope()) as g:
        first = g.chat.from_memory(ChatRequest(exchanges.draw()[0], user_id="ana")).reply
        database.asked.clear()
        g.chat.from_memory(ChatRequest(exchanges.draw()[0], user_id="ana", session_id=first.session_id))
        return list(database.asked)


def of_sqlite(folder: Path, seconds: float) -> float:
    """Count turns a second, one after another from one thread, which is all that SQLite does at once."""
    settings = read_settings(database_url=str(folder / "limit.db"), background=False)
    asked = statements_of_a_turn(settings)
    database = open_database(settings)
    scopes = {one.scope: database.within(one.scope) for one in asked}
    conversations = [new_id(now()) for _ in range(CONVERSATIONS)]
    done, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        conversation, number = conversations[done % CONVERSATIONS], 0
        for one in asked:
            rows, _ = scopes[one.scope]._execute(one.name, _anew(one.parameters, conversation, number))
            number = rows[0][0] if one.name == "open_turn" else number
        done += 1
    database.close()
    return done / seconds


def _anew(parameters: dict[str, Any], conversation: UUID, number: int) -> dict[str, Any]:
    made = dict(parameters)
    for name in parameters:
        if name == "conversation_id":
            made[name] = conversation
        elif name in _NEW_IDS:
            made[name] = new_id(now())
        elif name in _TURN and isinstance(parameters[name], int):
            made[name] = number
    return made


def of_postgres(server: PostgresServer, url: str, seconds: float, clients: int = 16) -> float:
    """Count turns a second by pgbench, with the same statements, role and scope, prepared."""
    asked = statements_of_a_turn(read_settings(database_url=url, background=False))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "turn.sql"
        script.write_text(pgbench_script(asked), encoding="utf-8")
        scope = "-c role=gunita_app -c gunita.tenant== -c gunita.user=* -c plan_cache_mode=force_generic_plan"
        ran = subprocess.run(
            [
                server.programs / "pgbench",
                *("-n", "-M", "prepared", "-T", str(round(seconds)), "-c", str(clients), "-j", "1"),
                *("-f", script, url),
            ],
            env={**os.environ, "PGOPTIONS": scope},
            check=False,
            capture_output=True,
            text=True,
        )
    found = re.search(r"tps = ([\d.]+)", ran.stdout)
    if ran.returncode or found is None:
        raise RuntimeError(f"pgbench failed: {ran.stderr[-2_000:]}")
    return float(found[1])


def pgbench_script(asked: list[Asked]) -> str:
    """Say the statements of a turn as pgbench reads them: ids anew, the number as the first of them gave it."""
    statements = queries.load("postgres")
    lines = [f"\\set person random(1, {CONVERSATIONS})"]
    for one in asked:
        values = {"tenant_id": "", "scope_user": one.scope.user_id, **one.parameters}
        said = _filled(statements[one.name].steps[0], values)
        lines.append(" ".join(said.split()) + (" \\gset" if one.name == "open_turn" else ";"))
    return "\n".join(lines) + "\n"


def _filled(statement: str, values: dict[str, Any]) -> str:
    return _PARAMETER.sub(lambda found: _said(found[1], values), statement)


def _said(name: str, values: dict[str, Any]) -> str:
    if name == "conversation_id":
        return "('00000000-0000-7000-8000-' || lpad((:person)::text, 12, '0'))::uuid"
    if name in _NEW_IDS:
        return "gen_random_uuid()"
    value = values[name]
    if name in _TURN and isinstance(value, int):
        return "(:turn_count)::integer"
    if isinstance(value, datetime):
        return "now()"
    # A word behind a colon would be a variable to pgbench.
    return sql.Literal(value.replace(":", ": ") if isinstance(value, str) else value).as_string(None)
