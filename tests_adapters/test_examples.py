"""Every example is run as its reader would run it, and what is under deploy/ says what the programs understand."""

from __future__ import annotations

import asyncio
import configparser
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import httpx
import pytest
import yaml
from fastapi.testclient import TestClient
from llama_index.core.llms import MockLLM
from streamlit.testing.v1 import AppTest

from gunita import Gunita
from gunita.settings import Settings
from tests.api.scripted_model import speaking

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
DEPLOY = ROOT / "deploy"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_run_here() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert [path.stem for path in EXAMPLES.glob("*.py") if f'"{path.stem}' not in here] == []


def test_the_plain_script_answers_from_memory(tmp_path: Path) -> None:
    said = "My sister lives in Davao.\nKumusta?\ntell me more about the first one\n"
    command = [sys.executable, str(EXAMPLES / "plain_script.py"), str(tmp_path / "chat.db")]
    ran = subprocess.run(command, input=said, capture_output=True, text=True, check=True)
    assert "Davao" in ran.stdout.partition("[reference]")[2]
    with Gunita.open(tmp_path / "chat.db") as gunita:
        [session] = gunita.sessions.get_recent_sessions()
        assert len(gunita.sessions.get_session_history(session.id)) == 3


def test_the_fastapi_app_keeps_users_apart(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with TestClient(example("fastapi_app").app) as client:
        first = client.post("/users/juan/ask", json={"text": "What is the capital of France?"}).json()
        again = {"text": "tell me more about the first one", "session_id": first["session_id"]}
        assert client.post("/users/juan/ask", json=again).json()["intent"] == "reference"
        assert client.post("/users/maria/ask", json=again).json()["session_id"] != first["session_id"]
    assert len((EXAMPLES / "fastapi_app.py").read_text().splitlines()) <= 40


def test_the_agents_bot_goes_on_where_it_left_off(gunita: Gunita, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = example("agents_bot")
    with speaking() as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        asyncio.run(bot.answer(gunita, "juan", "Ako si Juan."))
        assert asyncio.run(bot.answer(gunita, "juan", "Sino ako?")) == "You asked: Sino ako?"
    assert "Ako si Juan." in [message["content"] for message in model.prompts[-1]]


def test_the_chat_engine_goes_on_where_it_left_off(gunita: Gunita) -> None:
    engine = example("llamaindex_engine")
    engine.answer(gunita, "juan", "What is the capital of France?", MockLLM())
    assert "capital of France" in engine.answer(gunita, "juan", "And of Japan?", MockLLM())


def test_the_streamlit_page_chats_changes_session_and_gives_markdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", str(tmp_path / "chat.db"))
    page = AppTest.from_file(str(EXAMPLES / "streamlit_chat.py"), default_timeout=60).run()
    assert not page.exception
    page.chat_input[0].set_value("What is the capital of France?").run()
    assert not page.exception
    assert page.chat_message[0].markdown[0].value == "What is the capital of France?"
    first = page.session_state["session"]
    page.button("new").click().run()
    assert len(page.chat_message) == 0
    page.chat_input[0].set_value("Kumusta?").run()
    assert [message.name for message in page.chat_message] == ["user", "assistant"]
    assert "France" in page.sidebar.selectbox[0].options[1]
    page.sidebar.selectbox[0].set_value(first).run()
    assert page.chat_message[0].markdown[0].value == "What is the capital of France?"
    assert "France" in markdown_of(tmp_path / "chat.db")
    assert page.get("download_button")


def markdown_of(path: Path) -> str:
    with Gunita.open(path) as gunita:
        oldest = gunita.sessions.get_recent_sessions()[-1]
        return gunita.sessions.export_conversation(oldest.id, format="markdown")


def known_setting(name: str) -> bool:
    own = name.removeprefix("GUNITA_").lower() in Settings.model_fields
    return (name.startswith("GUNITA_") and own) or name in {"DATABASE_URL", "SUPABASE_URL"}


def test_docker_compose_names_settings_volumes_and_files_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
    service, database = compose["services"]["gunita"], compose["services"]["database"]
    assert all(map(known_setting, service["environment"]))
    assert service["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in database
    assert (ROOT / service["build"]["dockerfile"]).is_file()
    assert (DEPLOY / service["build"]["context"]).resolve() == ROOT
    mounted = {volume.split(":")[0] for each in (service, database) for volume in each["volumes"]}
    assert mounted == set(compose["volumes"])
    assert service["ports"] == ["127.0.0.1:8321:8321"]
    copied = re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert all((ROOT / name).exists() for line in copied for name in line.split())


def test_the_service_starts_and_is_healthy_under_what_compose_and_the_image_say(
    new_postgres_url: str, tmp_path: Path
) -> None:
    """No container engine is here, so the command of the image runs as it would inside one."""
    service = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))["services"]["gunita"]
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    program, *words = json.loads(re.findall(r"^CMD (.+)$", image, re.MULTILINE)[0])
    assert program == "gunita"
    told = {name: re.sub(r"\$\{\w+:\?[^}]+\}", "secret of compose, long enough", value)
            for name, value in service["environment"].items()}  # fmt: skip
    here = {"DATABASE_URL": new_postgres_url, "GUNITA_JOURNAL_FOLDER": str(tmp_path), "GUNITA_PORT": "0"}
    assert here.keys() <= told.keys()
    command = [sys.executable, "-c", "from gunita.cli import main; main()", *words, "--json"]
    with subprocess.Popen(command, cwd=tmp_path, env=told | here, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = json.loads(process.stdout.readline())["address"].rsplit(":", 1)[1]
            _, _, *looks = service["healthcheck"]["test"]
            assert (
                subprocess.run(
                    [sys.executable, *(part.replace("8321", port) for part in looks)], check=False
                ).returncode
                == 0
            )
            asked = httpx.post(f"http://127.0.0.1:{port}/chat", json={"query": "Sino ka?"})
            assert asked.status_code == 401
        finally:
            process.terminate()


def test_the_systemd_unit_is_read_and_starts_the_service() -> None:
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "gunita.service", encoding="utf-8")
    assert unit["Service"]["ExecStart"].endswith("gunita serve")
    assert unit["Service"]["User"] == "gunita"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_the_supabase_page_names_settings_that_exist() -> None:
    page = (ROOT / "docs" / "how-to" / "supabase.md").read_text(encoding="utf-8")
    [named] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    assert all(known_setting(line.strip().split("=")[0]) for line in named.strip().splitlines())
