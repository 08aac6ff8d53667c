"""The commands, as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from gunita import Gunita
from tests.api.scripted_model import ScriptedModel
from tests.raw_sql import run as raw

COMMAND = [sys.executable, "-c", "from gunita.cli import main; main()"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GUNITA_", "DATABASE_"))}
    return kept | {"HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "200"} | more


def gunita(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, **env),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def told(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_key_is_made_listed_and_revoked(url: str, tmp_path: Path) -> None:
    made = told(gunita(tmp_path, "keys", "create", "app", "--user", "ana", "--tenant", "shop", "-d", url, "--json"))
    with Gunita.open(url) as g:
        owner = g.keys.owner_of(made["secret"])
    assert owner is not None
    assert (owner.scope.tenant_id, owner.scope.user_id) == ("shop", "ana")
    [listed] = told(gunita(tmp_path, "keys", "list", "--tenant", "shop", "-d", url, "--json"))
    assert (listed["id"], listed["revoked"]) == (made["id"], None)
    assert told(gunita(tmp_path, "keys", "list", "-d", url, "--json")) == []
    assert gunita(tmp_path, "keys", "revoke", made["id"], "-d", url, "--yes").returncode == 1
    assert gunita(tmp_path, "keys", "revoke", made["id"], "--tenant", "shop", "-d", url).returncode == 1
    assert gunita(tmp_path, "keys", "revoke", made["id"], "--tenant", "shop", "-d", url, "--yes").returncode == 0
    [listed] = told(gunita(tmp_path, "keys", "list", "--tenant", "shop", "-d", url, "--json"))
    assert listed["revoked"]


def test_migrations_are_applied_once(url: str, tmp_path: Path) -> None:
    first = told(gunita(tmp_path, "migrate", "-d", url, "--json"))["applied"]
    assert first[0] == 1
    assert told(gunita(tmp_path, "migrate", "-d", url, "--json"))["applied"] == []


def test_the_doctor_finds_what_is_there(url: str, tmp_path: Path, model: ScriptedModel) -> None:
    gunita(tmp_path, "migrate", "-d", url)
    done = gunita(tmp_path, "doctor", "-d", url, "--json", GUNITA_LLM_BASE_URL=model.url, GUNITA_LLM_MODEL="scripted")
    states = {check["name"]: check["state"] for check in told(done)}
    assert states.items() >= {"database": "fine", "schema": "fine", "understanding": "fine", "model": "fine"}.items()


def test_the_doctor_finds_what_is_not_there(tmp_path: Path) -> None:
    done = gunita(
        tmp_path, "doctor", "--json",
        DATABASE_URL="postgresql://nobody:hunter2@127.0.0.1:9/none",
        GUNITA_POSTGRES_WAIT_SECONDS="1",
        GUNITA_LLM_BASE_URL="http://127.0.0.1:9/v1",
    )  # fmt: skip
    assert done.returncode == 1
    states = {check["name"]: check["state"] for check in json.loads(done.stdout)}
    assert (states["database"], states["model"]) == ("broken", "broken")
    assert "hunter2" not in done.stdout


def test_the_doctor_makes_nothing(tmp_path: Path) -> None:
    gunita(tmp_path, "doctor", "--json")
    assert list(tmp_path.iterdir()) == []


def test_the_service_refuses_to_listen_elsewhere_without_auth(tmp_path: Path) -> None:
    done = gunita(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 1
    assert "does not listen on 0.0.0.0" in done.stderr
    assert "gunita keys create" in done.stderr


def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    done = gunita(tmp_path, "serve", GUNITA_MODEL_CONTEXT_TOKENS="-1")
    assert done.returncode == 1
    assert "model_context_tokens" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_service_starts_serves_keeps_and_stops(tmp_path: Path, number: signal.Signals) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = tmp_path / "my.env"
    config.write_text(f"GUNITA_PORT={port}\nGUNITA_DATABASE_URL=talk.db\n")
    command = [*COMMAND, "serve", "--config", str(config)]
    with (
        subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
    ):
        try:
            wait_for(client, process)
            answered = client.post("/chat", json={"query": "Kumusta?", "user_id": "ana"})
        finally:
            process.send_signal(number)
            _, said = process.communicate(timeout=30)
    assert b"Traceback" not in said
    session = answered.json()["session_id"]
    with Gunita.open(tmp_path / "talk.db") as g:
        assert [turn.query_text for turn in g.sessions.get_session_history(session)] == ["Kumusta?"]


def wait_for(client: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the service did not come up")


def test_importing_gunita_imports_no_framework() -> None:
    """The core stays small: a web framework or a model's client is loaded by whoever asks for it."""
    code = (
        "import sys, gunita; print([n for n in ('fastapi','starlette','openai','uvicorn','typer') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_what_another_model_has_read_is_read_anew_and_a_run_cut_short_goes_on(url: str, tmp_path: Path) -> None:
    with Gunita.open(url) as g:
        for number in range(20):
            g.scoped("shop").messages.add_message("ana", "user", f"The guitar number {number} is cheap")
        g.messages.add_message("ben", "user", "The guitar broke")
        g.search.index_everywhere()
        raw(url, "UPDATE message_index SET model = 'an older one'")
        assert told(gunita(tmp_path, "reembed", "--tenant", "acme", "-d", url, "--json")) == {"read": 0, "left": 0}

        class CutShort(Exception):
            pass

        def cut(done: int, total: int) -> None:
            assert total == 21
            raise CutShort

        with pytest.raises(CutShort):
            g.search.reembed(cut)
        assert len(g.scoped("shop", "ana").search.search("guitar", limit=50)) == 20
    assert told(gunita(tmp_path, "reembed", "-d", url, "--json"))["left"] == 0
    assert raw(url, "SELECT count(*) FROM message_index WHERE model = 'an older one'") == [(0,)]
    assert "Read 0 texts anew" in gunita(tmp_path, "reembed", "-d", url).stdout
