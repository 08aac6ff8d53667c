"""What every command promises, walked through all of them: help, JSON, exit codes, no colours in pipes, asking."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.main import get_command
from typer.testing import CliRunner

from gunita import Gunita
from gunita.cli.commands import app
from tests.cli.process import COMMAND, environment, gunita, terminal
from tools.cli_reference import walked

COMMANDS = {name.removeprefix("gunita "): command for name, command in walked(get_command(app), "gunita")}
DESTROY = {"memories forget", "keys revoke", "delete"}
UNTIL_STOPPED = {"serve", "local-model"}
NOWHERE = "0197a3b2-0000-7000-8000-000000000000"

SUCCEED: dict[str, tuple[str, ...]] = {
    "chat": (),
    "ask": ("Kumusta?",),
    "history": (),
    "search": ("adobo",),
    "memories list": (),
    "memories add": ("Lives in Davao",),
    "memories pin": ("MEMORY",),
    "memories forget": ("MEMORY", "--yes"),
    "memories extract": (),
    "export": ("latest",),
    "import": ("export.jsonl",),
    "migrate-data": ("gunita.db", "POSTGRES"),
    "doctor": (),
    "migrate": (),
    "reembed": (),
    "cleanup": ("--dry-run",),
    "stats": (),
    "backup": ("copy.db",),
    "delete": ("--user", "juan", "--yes"),
    "verify-deletion": ("RECEIPT",),
    "keys create": ("app",),
    "keys list": (),
    "keys revoke": ("KEY", "--yes"),
}
"""Words after a command that must succeed in a store that holds something of everything."""

FAIL: dict[str, tuple[str, ...]] = {
    "chat": ("--session", NOWHERE),
    "ask": ("hi", "--session", NOWHERE),
    "history": (NOWHERE,),
    "search": ("adobo", "--session", "no-uuid"),
    "memories list": ("--limit", "-1"),
    "memories add": ("  ",),
    "memories pin": (NOWHERE,),
    "memories forget": (NOWHERE, "--yes"),
    "memories extract": (NOWHERE,),
    "export": (NOWHERE,),
    "import": ("nothing.zip",),
    "migrate-data": ("gunita.db", "moved.db"),
    "doctor": ("--config", "nothing.env"),
    "migrate": ("--config", "nothing.env"),
    "reembed": ("--config", "nothing.env"),
    "cleanup": ("--config", "nothing.env"),
    "stats": ("--config", "nothing.env"),
    "backup": ("gunita.db",),
    "delete": ("--conversation", NOWHERE, "--yes"),
    "verify-deletion": (NOWHERE,),
    "keys create": ("  ",),
    "keys list": ("--config", "nothing.env"),
    "keys revoke": (NOWHERE, "--yes"),
    "serve": ("--config", "nothing.env"),
    "local-model": ("--file", "nothing.gguf"),
}
"""Words after a command that must be refused with a sentence."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> dict[str, str]:
    """A folder with a store that holds something of everything; gives what stands for its ids."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GUNITA_", "DATABASE_URL"))]:
        if name != "GUNITA_TEST_POSTGRES":
            monkeypatch.delenv(name)
    with Gunita.open("gunita.db") as g:
        g.sessions.store_turn(g.sessions.create_session("juan"), "juan", "How do I cook adobo?", "With vinegar.")
        memory = g.memories.create_memory("juan", "Likes fish")
        gone = g.deletion.delete_memory(g.memories.create_memory("juan", "Likes rain").id)
        key = g.keys.create_key("phone").key
        Path("export.jsonl").write_text("".join(g.exports.json_lines()), encoding="utf-8")
    found = {"MEMORY": str(memory.id), "RECEIPT": str(gone.id), "KEY": str(key.id)}
    if "migrate-data" in request.node.name:
        found["POSTGRES"] = request.getfixturevalue("new_postgres_url")
    return found


def run(command: str, words: tuple[str, ...], kept: dict[str, str], *more: str, said: str = "Kumusta?\n") -> Result:
    arguments = [*command.split(), *(kept.get(word, word) for word in words), *more]
    return CliRunner().invoke(app, arguments, input=said)


def read(written: str) -> Any:
    return json.loads(written)


def test_no_command_is_left_out_here() -> None:
    assert COMMANDS.keys() == FAIL.keys() == SUCCEED.keys() | UNTIL_STOPPED


@pytest.mark.parametrize("command", COMMANDS)
def test_it_says_what_it_does_and_takes_json(command: str) -> None:
    shown = CliRunner().invoke(app, [*command.split(), "--help"])
    assert shown.exit_code == 0
    assert COMMANDS[command].help.split(";")[0].split()[0] in shown.output
    options = {option for parameter in COMMANDS[command].params for option in parameter.opts}
    assert {"--json"} <= options
    assert {"--database", "--config"} <= options or command in {"local-model", "migrate-data"}
    assert ("--yes" in options) == (command in DESTROY)


@pytest.mark.parametrize("command", COMMANDS)
def test_called_wrongly_it_says_so_with_2(command: str) -> None:
    ended = CliRunner().invoke(app, [*command.split(), "--no-such-option"])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "--no-such-option" in ended.stderr


@pytest.mark.parametrize("command", SUCCEED)
def test_it_succeeds_with_0_and_writes_json_and_nothing_else(command: str, kept: dict[str, str]) -> None:
    ended = run(command, SUCCEED[command], kept, "--json")
    assert ended.exit_code == 0, ended.stderr
    assert isinstance(read(ended.stdout), dict | list)


@pytest.mark.parametrize("command", SUCCEED)
def test_for_people_it_says_something_and_in_a_pipe_without_colours(command: str, kept: dict[str, str]) -> None:
    ended = run(command, SUCCEED[command], kept)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout + ended.stderr
    assert "\x1b" not in ended.stdout + ended.stderr


@pytest.mark.parametrize("json_or_not", [(), ("--json",)], ids=["plain", "json"])
@pytest.mark.parametrize("command", FAIL)
def test_refused_it_says_why_with_1(command: str, json_or_not: tuple[str, ...], kept: dict[str, str]) -> None:
    before = Path("gunita.db").read_bytes()
    ended = run(command, FAIL[command], kept, *json_or_not)
    assert ended.exit_code == 1, ended.output
    assert ended.stderr.startswith("gunita: ")
    assert (ended.stdout, "Traceback" in ended.stderr) == ("", False)
    assert Path("gunita.db").read_bytes() == before


@pytest.mark.parametrize("command", ["cleanup", "stats", "verify-deletion", "memories pin"])
def test_it_is_a_program_that_runs_by_itself(command: str, kept: dict[str, str], tmp_path: Path) -> None:
    """The other commands are started as programs elsewhere in these tests."""
    words = [kept.get(word, word) for word in SUCCEED[command]]
    ended = gunita(tmp_path, *command.split(), *words, "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert isinstance(read(ended.stdout), dict)


@pytest.mark.parametrize("command", sorted(DESTROY))
def test_what_destroys_is_refused_where_nobody_can_be_asked(command: str, kept: dict[str, str]) -> None:
    words = tuple(word for word in SUCCEED[command] if word != "--yes")
    ended = run(command, words, kept, "--json")
    assert (ended.exit_code, "--yes" in ended.stderr, ended.stdout) == (1, True, "")
    with Gunita.open("gunita.db") as g:
        assert len(g.memories.get_memories("juan")) == 1
        assert [key.revoked_at for key in g.keys.list_keys()] == [None]


@pytest.mark.parametrize("command", sorted(DESTROY))
def test_what_destroys_asks_somebody_and_heeds_a_no(command: str, kept: dict[str, str], tmp_path: Path) -> None:
    words = [kept.get(word, word) for word in SUCCEED[command] if word != "--yes"]
    with terminal(tmp_path, *command.split(), *words) as screen:
        screen.wait_for("[y/N]")
        screen.type("n\n")
        assert screen.wait_for_end() == 1
    with Gunita.open("gunita.db") as g:
        assert len(g.memories.get_memories("juan")) == 1
        assert [key.revoked_at for key in g.keys.list_keys()] == [None]


@pytest.mark.parametrize(
    ("command", "doing"),
    [
        ("export", "Writing"),
        ("import", "Taking in"),
        ("memories extract", "Reading"),
        ("backup", "Copying"),
        ("reembed", "Reading"),
        ("migrate-data", "Moving"),
    ],
)
def test_long_work_shows_how_far_it_has_come(command: str, doing: str, kept: dict[str, str], tmp_path: Path) -> None:
    words = [kept.get(word, word) for word in SUCCEED[command]]
    more = ("-o", "out.json") if command == "export" else ()
    with terminal(tmp_path, *command.split(), *words, *more) as screen:
        assert screen.wait_for_end() == 0
    totals = re.findall(rf"{doing} .*?\d+/(\d+|\?)", screen.shown)
    assert totals[-1].isdecimal()


def test_the_service_tells_programs_where_it_listens(kept: dict[str, str], tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--json"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            told = json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == -signal.SIGTERM
        logged = [json.loads(line) for line in process.stderr]
    assert "color_message" not in {name for line in logged for name in line}
    assert told["pid"] == process.pid
    assert told["address"].startswith("http://127.0.0.1:")
    assert not told["address"].endswith(":0")
