"""Moving in and out by command, on both engines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gunita import Gunita
from gunita.cli.commands import app
from tests.cli.process import done, gunita, terminal, told
from tests.unit.exports import chatgpt_chain, chatgpt_message, claude_message, claude_talk, zipped


def test_an_export_of_another_program_comes_in_once_and_goes_out_as_markdown(url: str, tmp_path: Path) -> None:
    talk = claude_talk(
        claude_message("a", "human", "Paano mag-sinigang?", 1), claude_message("b", "assistant", "Oo.", 2)
    )
    odd = chatgpt_chain(chatgpt_message("m1", "user", "Hi"), create_time=None, mapping={})
    path = zipped(tmp_path / "export.zip", conversations_json=[talk, odd])
    came = gunita(tmp_path, "import", str(path), "--user", "ana", "-d", url)
    assert came.returncode == 0
    assert "Taking in" not in came.stderr
    assert came.stdout == "2 messages in 1 conversation came in; 0 were here before.\n"
    assert "conversations.json, record 2: " in came.stderr
    again = told(tmp_path, "import", str(path), "--user", "ana", "-d", url)
    assert (again["messages_added"], again["messages_here"], len(again["unread"])) == (0, 2, 1)
    shown = done(tmp_path, "export", "latest", "--format", "markdown", "-d", url)
    assert shown.startswith("# Sinigang\n")
    assert "Paano mag-sinigang?" in shown


def test_everything_goes_out_and_comes_back_elsewhere(url: str, tmp_path: Path) -> None:
    with Gunita.open(url) as g:
        shop = g.scoped("shop")
        for user in ("ana", "ben"):
            session = shop.sessions.create_session(user)
            shop.sessions.store_turn(session, user, f"Ako si {user}", "Kumusta!", {"intent": "new"})
            shop.memories.create_memory(user, f"Is called {user}", pinned=True)
            shop.users.set_memory(user, "preferences", {"language": "tl"})
            shop.users.set_user_state(user, "active")
    file = tmp_path / "shop.jsonl"
    done(tmp_path, "export", "--all", "--tenant", "shop", "-o", str(file), "-d", url)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [next(iter(line)) for line in lines] == (
        ["conversation"] * 2 + ["memory"] * 2 + ["user_memory"] * 2 + ["user_state"] * 2
    )
    new = str(tmp_path / "new.db")
    came = told(tmp_path, "import", str(file), "--no-pin", "--tenant", "shop", "-d", new)
    assert {name: came[name] for name in ("conversations", "messages_added", "memories_added", "values_added")} == {
        "conversations": 2,
        "messages_added": 4,
        "memories_added": 2,
        "values_added": 4,
    }
    assert done(tmp_path, "export", "--all", "--tenant", "shop", "-d", new) == file.read_text(encoding="utf-8")
    only_ana = done(tmp_path, "export", "--user", "ana", "--tenant", "shop", "-d", url)
    assert [line for line in file.read_text(encoding="utf-8").splitlines() if '"ana"' in line] == only_ana.splitlines()
    whole = json.loads(done(tmp_path, "export", "--user", "ana", "--format", "json", "--tenant", "shop", "-d", url))
    assert whole["user_state"] == "active"


@pytest.mark.parametrize(
    ("name", "content"),
    [("empty.json", "[]"), ("wrong.json", '{"a": 1}'), ("cut.json", '[{"mapping": {'), ("no.zip", "")],
)
def test_a_refused_file_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content, encoding="utf-8")
    ended = CliRunner().invoke(app, ["import", name])
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert name in ended.stderr
    assert CliRunner().invoke(app, ["history", "--json"]).stdout == "[]\n"


def test_a_bar_shows_how_far_an_import_has_come_where_somebody_looks(tmp_path: Path) -> None:
    talk = claude_talk(claude_message("a", "human", "Paano mag-sinigang?", 1))
    zipped(tmp_path / "export.zip", conversations_json=[talk | {"uuid": str(number)} for number in range(20)])
    with terminal(tmp_path, "import", "export.zip") as screen:
        screen.wait_for("Taking in")
        screen.wait_for("20 messages in 20 conversations came in")
        assert screen.wait_for_end() == 0
