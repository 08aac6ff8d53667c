"""What options narrow, change or leave alone; in this process, since they need no terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from gunita import Gunita
from gunita.cli.commands import app
from tests.controlled_clock import ControlledClock
from tests.raw_sql import run as raw
from tests.unit.exports import chatgpt_chain, chatgpt_message, claude_message, claude_talk, written

UNCLEAR = "tell me more about the second or the third one"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GUNITA_", "DATABASE_URL"))]:
        if name != "GUNITA_TEST_POSTGRES":
            monkeypatch.delenv(name)
    return tmp_path


def run(*arguments: str, said: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=said)


def told(*arguments: str, said: str = "") -> Any:
    ended = run(*arguments, "--json", said=said)
    assert ended.exit_code == 0, ended.stderr
    return json.loads(ended.stdout)


def lines(*arguments: str, said: Sequence[str]) -> list[Any]:
    ended = run(*arguments, "--json", said="\n".join(said))
    assert ended.exit_code == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_a_search_keeps_to_its_days_and_to_its_conversation(folder: Path) -> None:
    january = chatgpt_chain(chatgpt_message("m1", "user", "Paano mag-adobo?"))
    october = claude_talk(claude_message("a", "human", "Masarap ba ang adobo?", 1))
    with Gunita.open("gunita.db") as g:
        g.imports.bring_in(written(folder / "both.json", [january, october]), "ana")
        other = g.sessions.create_session("ben")
        g.sessions.store_turn(other, "ben", "Adobo ulit?", "Oo.")
        new = g.sessions.get_session_history(other)[0].created_at

    def found(*options: str) -> set[str]:
        hits = told("search", "adobo", "--role", "user", *options)
        return {hit["message"]["content"] for hit in hits}

    assert found() == {"Paano mag-adobo?", "Masarap ba ang adobo?", "Adobo ulit?"}
    assert found("--until", "2024-06-01") == {"Paano mag-adobo?"}
    assert found("--since", "2024-06-01", "--until", f"{new:%Y}-01-01") == {"Masarap ba ang adobo?"}
    assert found("--session", str(other)) == found("--user", "ben") == {"Adobo ulit?"}


def test_lists_are_narrowed_to_a_user_a_type_a_category_a_text(folder: Path) -> None:
    with Gunita.open("gunita.db") as g:
        for user in ("ana", "ben"):
            g.sessions.store_turn(g.sessions.create_session(user), user, "Kumusta?", "Mabuti.")
        g.memories.create_memory("ana", "Likes fish", "preference", category="food")
        g.memories.create_memory("ana", "Likes rain", "preference", category="weather")
        g.memories.create_memory("ana", "Lives in Davao", "fact", category="home", pinned=True)
        g.memories.create_memory("ben", "Likes fish too", "preference", category="food")

    def known(*options: str) -> set[str]:
        return {memory["content"] for memory in told("memories", "list", *options)}

    assert [each["user_id"] for each in told("history", "--user", "ben")] == ["ben"]
    assert known("--user", "ana", "--category", "food") == {"Likes fish"}
    assert known("--type", "fact") == known("--pinned") == {"Lives in Davao"}
    assert known("--text", "fish", "--not-pinned") == {"Likes fish", "Likes fish too"}
    assert len(known("--limit", "2")) == 2


def test_a_pin_is_taken_away_again() -> None:
    made = told("memories", "add", "Likes fish", "--pin")
    assert made["pinned"]
    assert not told("memories", "pin", made["id"], "--off")["pinned"]


@pytest.mark.parametrize("typed", ["1", "2"])
def test_a_number_settles_a_question_once_and_is_a_number_afterwards(typed: str) -> None:
    """Both choices read the same, so that only the number tells them apart."""
    fee, other = "How much is the visa fee?", "How do I cook adobo?"
    *_, asked, settled, after = lines("chat", said=[other, fee, fee, UNCLEAR, typed, typed])
    choices = [item for item in asked["data"] if item.get("type") == "choice"]
    assert [choice["label"] for choice in choices] == [fee, fee]
    assert settled["query"] == fee
    assert settled["metadata"]["references"] == [choices[int(typed) - 1]["turn_number"]]
    assert after["query"] == typed


def test_a_chat_goes_on_unless_it_is_to_be_new_and_a_program_is_told_of_trouble() -> None:
    [first] = lines("chat", said=["Kumusta?"])
    [same] = lines("chat", said=["Ano pa?"])
    [new] = lines("chat", "--new", said=["Iba naman"])
    assert (same["session_id"], same["turn_number"]) == (first["session_id"], 2)
    assert new["session_id"] != first["session_id"]
    ended = run("chat", said="/meant 99\nnever said\n")
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr.startswith("gunita: ")


def test_everything_goes_out_as_one_list_or_page_after_page() -> None:
    with Gunita.open("gunita.db") as g:
        for user in ("ana", "ben"):
            g.sessions.store_turn(g.sessions.create_session(user), user, f"Ako si {user}", "Kumusta!")
    listed = json.loads(run("export", "--all", "--json").stdout)
    assert [record["conversation"]["user_id"] for record in listed] == ["ana", "ben"]
    pages = run("export", "--all", "--format", "markdown").stdout.split("\n---\n")
    assert [page.count("# ") for page in pages] == [1, 1]
    assert "Ako si ana" in pages[0]
    [page] = run("export", "--user", "ben", "--format", "markdown").stdout.split("\n---\n")
    places = [page.index(part) for part in ("**User** · turn 1", "Ako si ben", "**Assistant** · turn 1", "Kumusta!")]
    assert places == sorted(places)
    [line] = run("export", "latest", "--format", "jsonl").stdout.splitlines()
    assert json.loads(line)["messages"][0]["content"] == "Ako si ben"


def test_an_export_that_fails_leaves_the_file_that_was_there(folder: Path) -> None:
    (folder / "kept.json").write_text("earlier", encoding="utf-8")
    ended = run("export", "latest", "-o", "kept.json")
    assert ended.exit_code == 1
    assert (folder / "kept.json").read_text(encoding="utf-8") == "earlier"
    assert [path.name for path in folder.glob("*.unfinished")] == []


def test_a_cleanup_that_could_not_forget_says_so_with_1() -> None:
    with Gunita.open("gunita.db", clock=ControlledClock()) as g:
        g.sessions.store_turn(g.sessions.create_session("ana"), "ana", "Luma", "Oo")
    raw("gunita.db", "CREATE TRIGGER keep BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'not this one'); END")
    ended = run("cleanup", "--json")
    assert ended.exit_code == 1
    assert json.loads(ended.stdout)["errors"]


def test_two_databases_that_differ_are_told_with_1_and_a_move_can_be_given_up(new_postgres_url: str) -> None:
    with Gunita.open("gunita.db") as g:
        g.sessions.store_turn(g.sessions.create_session("ana"), "ana", "Kumusta?", "Mabuti.")
    sides = ("migrate-data", "gunita.db", new_postgres_url)
    assert told(*sides)["equal"]
    assert told(*sides, "--verify-only")["equal"]
    raw(new_postgres_url, "UPDATE messages SET content = 'Hindi.' WHERE content = 'Mabuti.'")
    ended = run(*sides, "--verify-only", "--json")
    assert ended.exit_code == 1
    assert [table["table"] for table in json.loads(ended.stdout)["tables"] if not table["equal"]] == ["messages"]
    assert "DIFFERS" in run(*sides, "--verify-only").stdout
    assert told(*sides, "--reopen") == {"reopened": "gunita.db"}


def test_without_the_packages_of_the_command_line_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from gunita.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert line.endswith("pip install 'gunita[server]'")


def test_what_goes_into_a_pipe_is_not_broken_into_lines() -> None:
    told("memories", "add", "Likes " + "very " * 100 + "fresh fish")
    [_, row] = run("memories", "list").stdout.splitlines()
    assert "very " * 100 + "fresh fish" in row
