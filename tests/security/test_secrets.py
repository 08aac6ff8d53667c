"""Two tenants, each with marks of its own, and every secret of the service: looked for everywhere they must not be."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import jwt
import psycopg
import pytest

from gunita import Gunita
from gunita.app import read_settings
from gunita.cli.checking import examine
from gunita.errors import ConflictError, StorageError
from gunita.server.problems import body_of, problem_of
from tests.conftest import new_database
from tests.faults.service_process import ServiceProcess
from tests.raw_sql import run

PASSWORD = "sikretong-password-91"
JWT_SECRET = "sikretong-pangpirma-na-mahaba-sa-32-bytes"
MODEL_KEY = "sk-sikretong-susi-ng-modelo"
SUPABASE_KEY = "sikretong-susi-ng-supabase"
OF_THE_SERVICE = (PASSWORD, JWT_SECRET, MODEL_KEY, SUPABASE_KEY)
MARKS = {"acme": "pulang-laso-4471", "other": "asul-na-payong-8829"}
REFUSED = "bawal-isulat-3306"
"""What the database itself refuses, quoting it."""


@dataclass
class Told:
    """What each kind of listener was told."""

    by_tenant: dict[str, list[str]] = field(default_factory=lambda: {"acme": [], "other": []})
    to_strangers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    metrics: str = ""
    log: str = ""
    doctor: str = ""
    files: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """Keys and tokens that were in use."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> Iterator[Told]:
    folder = tmp_path_factory.mktemp("secrets")
    with ExitStack() as opened:
        if request.param == "sqlite":
            database = str(folder / "gunita.db")
        else:
            database = opened.enter_context(new_database(postgres_url)).replace("postgres@", f"postgres:{PASSWORD}@")
        yield a_day(database, folder)


def a_day(database: str, folder: Path) -> Told:
    told = Told()
    settings = {
        "require_auth": "true",
        "jwt_secret": JWT_SECRET,
        "llm_api_key": MODEL_KEY,
        "supabase_key": SUPABASE_KEY,
        "log_level": "DEBUG",
    }
    with Gunita.open(database, background=False) as g:
        keys = {tenant: g.scoped(tenant).keys.create_key(f"service of {tenant}").secret for tenant in MARKS}
        system = g.keys.create_key("system").secret
    refuse_a_word(database)
    service = ServiceProcess(database, folder, **settings)
    service.start()
    try:
        with httpx.Client(base_url=service.url, timeout=60) as client:
            for tenant, key in keys.items():
                live(client, key, MARKS[tenant], told.by_tenant[tenant], told.problems)
            knock(client, keys["acme"], told)
            told.metrics = client.get("/metrics", headers={"Authorization": f"Bearer {system}"}).text
    finally:
        service.stop()
    told.secrets += [*keys.values(), system]
    told.log = (folder / "service.log").read_text()
    told.doctor = str(examine(read_settings(database_url=database, **settings)))
    told.files = [str(file) for file in folder.rglob("*")]
    return told


def refuse_a_word(database: str) -> None:
    """Have the database fail on a word, and quote the whole row or text in its error."""
    if database.startswith("postgresql"):
        run(
            database,
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF strpos(new.content, '{REFUSED}') > 0 THEN RAISE EXCEPTION USING MESSAGE = 'refused: ' || new::text; "
            "END IF; RETURN new; END $$",
        )
        run(database, "CREATE TRIGGER refused BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse()")
        return
    quoting = f"WHEN new.content LIKE '%{REFUSED}%' BEGIN SELECT json_extract('{{}}', new.content); END"
    run(database, f"CREATE TRIGGER refused BEFORE INSERT ON messages {quoting}")


def live(client: httpx.Client, key: str, mark: str, heard: list[str], problems: list[str]) -> None:
    """Use everything as a tenant does, right and wrong."""
    headers = {"Authorization": f"Bearer {key}"}

    def ask(method: str, path: str, body: Any = None, **params: Any) -> Any:
        answered = client.request(method, path, json=body, params=params, headers=headers)
        (heard if answered.status_code < 400 else problems).append(answered.text)
        return answered.json() if answered.headers.get("content-type") == "application/json" else None

    user = f"ana-{mark}"
    session = ask("POST", "/chat", {"query": f"My secret is {mark}", "user_id": user})["session_id"]
    ask("POST", "/chat", {"query": f"What about {mark}?", "user_id": user, "session_id": session})
    ask("POST", "/chat/stream", {"query": f"Tell me of {mark}", "user_id": user})
    ask("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": mark}], "user": user})
    memory = ask("POST", "/api/memories", {"content": f"Loves {mark}", "user_id": user})["id"]
    ask("PUT", f"/api/user-memory/{mark}", {"value": mark}, user_id=user)
    for path in ("/api/search", "/api/conversations/search"):
        ask("GET", path, q="secret laso payong", user_id=user)
    for path in ("/api/conversations", "/api/memories", "/api/user-memory", "/api/insights", "/api/stats"):
        ask("GET", path, user_id=user)
    for path in ("/api/about", "/api/keys", "/api/corrections/export", "/api/deletions", "/api/cleanup"):
        ask("GET", path)
    ask("GET", f"/api/conversations/{session}/turns/1/receipt")
    for form in ("json", "markdown"):
        ask("GET", f"/api/conversations/{session}/export", format=form)
    ask("GET", f"/api/users/{user}/export")
    for method, path, body in (
        ("POST", "/chat", {"query": f"{mark} {REFUSED}", "user_id": user}),
        ("POST", "/chat", {"query": mark, "role": mark}),
        ("POST", "/chat", {"query": ["x"], "user_id": [mark]}),
        ("POST", "/api/memories", {"content": mark, "memory_type": mark}),
        ("GET", f"/api/conversations/{mark}", None),
        ("GET", f"/api/memories/{mark}", None),
        ("PUT", "/api/retention", {"hours": mark}),
        ("POST", "/api/keys", {"name": mark, "role": mark}),
        ("GET", f"/{mark}", None),
        ("PATCH", f"/api/{mark}", None),
    ):
        ask(method, path, body)
    ask("DELETE", f"/api/memories/{memory}")
    ask("POST", "/api/deletions", {"kind": "conversation", "subject": session, "with_memories": True})


def knock(client: httpx.Client, key: str, told: Told) -> None:
    """Come without, and with wrong, credentials."""
    good = {"sub": "ana", "exp": int(time.time()) + 60, "app_metadata": {"tenant_id": "acme"}}
    tokens = [jwt.encode(good, JWT_SECRET, "HS256"), jwt.encode(good | {"exp": 1}, JWT_SECRET, "HS256"), key[:-1]]
    told.secrets += tokens
    for secret in tokens:
        for path in ("/api/stats", "/api/conversations", f"/api/user-memory/{secret}"):
            answered = client.get(path, headers={"Authorization": f"Bearer {secret}"})
            (told.problems if answered.status_code >= 400 else told.by_tenant["acme"]).append(answered.text)
    for path in ("/", "/healthz", "/readyz", "/openapi.json", "/nowhere", "/api/stats"):
        told.to_strangers.append(client.get(path, params={"key": key, "token": key}).text)


def found(text: str, *wanted: str) -> list[str]:
    return [one for one in wanted if one in text]


def test_the_log_tells_no_secret_and_nothing_that_was_said(told: Told) -> None:
    # Where it listens is said to who starts it, and is no line of the log.
    lines = [line for line in told.log.splitlines() if not line.startswith("Gunita listens on ")]
    assert len(lines) > 60
    assert all(json.loads(line)["event"] for line in lines)
    assert any("trouble" in json.loads(line) for line in lines), "no failure was told of"
    assert found(told.log, *OF_THE_SERVICE, *told.secrets, *MARKS.values(), REFUSED) == []


def test_no_tenant_is_told_anything_of_another_or_of_the_service(told: Told) -> None:
    for tenant, heard in told.by_tenant.items():
        [foreign] = [mark for name, mark in MARKS.items() if name != tenant]
        everything = "\n".join(heard)
        assert MARKS[tenant] in everything
        assert found(everything, foreign, *OF_THE_SERVICE, *told.secrets, "key_hash") == []


def test_problems_are_told_without_secrets_places_or_statements(told: Told) -> None:
    everything = "\n".join(told.problems)
    assert len(told.problems) > 20
    inside = (
        "Traceback",
        ".py",
        "/site-packages/",
        "sqlite3",
        "psycopg",
        "SELECT ",
        "INSERT ",
        "gunita.db",
        "127.0.0.1",
    )
    assert found(everything, *OF_THE_SERVICE, *told.secrets[3:], *inside, "constraint", "TRIGGER") == []


@pytest.mark.parametrize(
    "kind", [RuntimeError, KeyError, OSError, sqlite3.DatabaseError, psycopg.DataError, StorageError, ConflictError]
)
def test_of_an_error_that_nobody_foresaw_a_client_learns_nothing(kind: type[Exception]) -> None:
    problem = problem_of(kind(f"INSERT failed: {REFUSED}"))
    assert problem.status in {409, 500}
    assert found(str(body_of(problem, "id", for_openai=True)), REFUSED, "INSERT", kind.__name__) == []


def test_strangers_and_machines_are_told_of_nobody(told: Told) -> None:
    everyone = (*OF_THE_SERVICE, *told.secrets, *MARKS.values(), *MARKS, "key_hash")
    assert "gunita_http_responses_total" in told.metrics
    assert found(told.metrics.replace("others", ""), *everyone) == []
    assert found("\n".join(told.to_strangers), *OF_THE_SERVICE, *told.secrets, *MARKS.values()) == []


def test_the_doctor_and_the_names_of_files_tell_no_secret(told: Told) -> None:
    assert "database" in told.doctor
    assert found(told.doctor + "\n".join(told.files), *OF_THE_SERVICE, *told.secrets, *MARKS.values()) == []
