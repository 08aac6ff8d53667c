"""Every command that looks and keeps, as a process, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gunita import Gunita, __version__
from gunita.cli.commands import app
from tests.cli.process import done, gunita, terminal, told


def test_what_is_asked_is_kept_shown_found_and_pointed_at(url: str, tmp_path: Path) -> None:
    here = ("-d", url, "--user", "ana")
    first = told(tmp_path, "ask", "What is the capital of France?", *here)
    assert (first["intent"], first["turn_number"]) == ("new", 1)
    session = first["session_id"]
    asked = gunita(tmp_path, "ask", "ulitin mo yung unang tanong ko", "--session", session, "-d", url)
    assert asked.returncode == 0
    assert "What is the capital of France?" in asked.stdout
    assert "↩ turn 1 (" in asked.stderr
    assert f"session {session}" in asked.stderr
    third = told(tmp_path, "ask", "-", "--latest", *here, said="How do I cook adobo?\n")
    assert (third["session_id"], third["turn_number"]) == (session, 3)

    [listed] = told(tmp_path, "history", *here)
    assert (listed["id"], listed["turn_count"], listed["user_id"]) == (session, 3, "ana")
    turns = told(tmp_path, "history", "latest", "-n", "2", *here)
    assert [turn["turn_number"] for turn in turns] == [2, 3]
    assert "› How do I cook adobo?" in done(tmp_path, "history", session, "-d", url)

    [found, *_] = told(tmp_path, "search", "adobo", "--role", "user", *here)
    assert (found["turn_number"], found["message"]["content"]) == (3, "How do I cook adobo?\n")


def test_memories_are_added_listed_pinned_learnt_and_forgotten(url: str, tmp_path: Path) -> None:
    here = ("-d", url)
    made = told(tmp_path, "memories", "add", "Kumakain ng isda", "--type", "preference", "-u", "ana", *here)
    assert told(tmp_path, "memories", "pin", made["id"], *here)["pinned"]
    [pinned] = told(tmp_path, "memories", "list", "--pinned", *here)
    assert (pinned["user_id"], pinned["memory_type"]) == ("ana", "preference")

    refused = gunita(tmp_path, "memories", "forget", made["id"], *here)
    assert (refused.returncode, "--yes" in refused.stderr) == (1, True)
    gone = told(tmp_path, "memories", "forget", made["id"], "--yes", *here)
    assert gone["forgotten"] == made["id"]
    with Gunita.open(url) as g:
        assert g.memories.get_memories("ana") == []
        assert g.deletion.verify(gone["receipt"]).verified
        talk = g.sessions.create_session("ana")
        g.sessions.store_turn(talk, "ana", "I live in Davao with my sister.", "Good to know.")
    learnt = told(tmp_path, "memories", "extract", "--user", "ana", *here)
    assert any("Davao" in memory["content"] for memory in learnt)


def test_what_destroys_asks_first_where_somebody_can_be_asked(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "gunita.db") as g:
        memory = g.memories.create_memory("ana", "Likes [bold]fish[/bold] \x1b[31m")
    for reply, code, left in (("n", 1, 1), ("y", 0, 0)):
        with terminal(tmp_path, "memories", "forget", str(memory.id)) as screen:
            screen.wait_for("Forget “Likes [bold]fish[/bold]")
            screen.type(f"{reply}\n")
            assert screen.wait_for_end() == code
        assert "\x1b[31m" not in screen.raw.split("for good?")[0]
        with Gunita.open(tmp_path / "gunita.db") as g:
            assert len(g.memories.get_memories("ana")) == left


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("history", "nonsense"), 1, "is not a UUID"),
        (("history", "latest"), 1, "no conversation"),
        (("ask", "hi", "--session", "0197a3b2-0000-7000-8000-000000000000"), 1, "no conversation"),
        (("ask", "  "), 1, "is empty"),
        (("search", "x", "--kind", "dreams"), 2, "dreams"),
        (("export",), 1, "Name a conversation"),
        (("export", "--all", "-o", "no/such/folder/out.jsonl"), 1, "cannot be written"),
        (("import", "nothing.zip"), 1, "there is no file"),
        (("memories", "forget", "0197a3b2-0000-7000-8000-000000000000"), 1, "no memory"),
        (("dance",), 2, "dance"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(app, arguments)
    assert ended.exit_code == code, ended.stderr
    assert reason in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize("arguments", [("history",), ("search", "adobo"), ("memories", "list")])
def test_an_empty_store_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, [*arguments, "--json"]).stdout == "[]\n"
    ended = CliRunner().invoke(app, arguments)
    assert (ended.exit_code, ended.stdout, ended.stderr[:2]) == (0, "", "No")


def test_help_names_every_command_and_the_version_is_told(tmp_path: Path) -> None:
    shown = done(tmp_path, "--help", COLUMNS="120")
    for command in ("chat", "ask", "history", "search", "memories", "export", "import", "serve", "doctor", "keys"):
        assert f" {command} " in shown
    assert CliRunner().invoke(app, ["--version"]).stdout == f"{__version__}\n"
