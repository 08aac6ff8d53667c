"""The terminal chat: typed into, piped into, stopped, resumed."""

from __future__ import annotations

import json
from pathlib import Path

from gunita import Gunita
from tests.api.scripted_model import Manner, Prompt, ScriptedModel
from tests.cli.process import done, gunita, terminal

PROMPT = "› "
UNCLEAR = "ano nga ulit yung sinabi mo tungkol sa visa fee?"


def answer(prompt: Prompt) -> str:
    return f"About: {prompt[-1]['content']}"


def test_a_talk_in_the_terminal_streams_points_back_asks_and_is_resumed(tmp_path: Path, model: ScriptedModel) -> None:
    model.answer = answer
    connected = {
        "GUNITA_LLM_BASE_URL": model.url,
        "GUNITA_LLM_MODEL": "scripted",
        "GUNITA_MAX_TEXT_CHARACTERS": "250",
    }
    with terminal(tmp_path, "chat", **connected) as screen:
        screen.wait_for("a new conversation")
        screen.wait_for(PROMPT)
        for query in ("How much is the fee for a student visa?", "How do I cook adobo?"):
            screen.type(f"{query}\n")
            screen.wait_for(f"About: {query}")
            screen.wait_for(PROMPT)
        screen.type("balik tayo sa una kong tinanong\n")
        screen.wait_for("↩ turn 1 (")
        screen.wait_for("About: balik tayo")
        screen.wait_for(PROMPT)
        screen.type("How much is the fee for a tourist visa?\n")
        screen.wait_for("About: How much")
        screen.wait_for(PROMPT)
        screen.type(f"{UNCLEAR}\n")
        screen.wait_for("  1. ")
        screen.wait_for(PROMPT)
        screen.type("1\n")
        screen.wait_for("↩ turn ")
        screen.wait_for("About: ")
        screen.wait_for(PROMPT)
        screen.type("/help\n")
        screen.wait_for("/memories")
        screen.wait_for(PROMPT)
        screen.type(f"{'much too long ' * 20}\n")
        screen.wait_for("! query: is 280 characters long")
        screen.wait_for(PROMPT)
        screen.type("/meant 99\n")
        screen.wait_for("! ")
        screen.wait_for(PROMPT)
        screen.type("/dance\n")
        screen.wait_for("There is no /dance")
        screen.wait_for(PROMPT)
        screen.type("\x04")
        assert screen.wait_for_end() == 0
    assert "\x1b[" in screen.raw

    with terminal(tmp_path, "chat", **connected) as screen:
        screen.wait_for("going on with “")
        screen.wait_for("6 turns")
        screen.wait_for(PROMPT)
        screen.type("\x1b[A")
        screen.wait_for("/dance")
        screen.type("\x15/history\n")
        screen.wait_for("How do I cook adobo?")
        screen.wait_for(PROMPT)
        screen.type("/new\n")
        screen.wait_for("A new conversation begins")
        screen.wait_for(PROMPT)
        screen.type("Kumusta?\n")
        screen.wait_for("About: Kumusta?")
        screen.wait_for(PROMPT)
        screen.type("/quit\n")
        assert screen.wait_for_end() == 0
    lines = tmp_path / ".local" / "state" / "gunita" / "typed-lines"
    assert (lines.stat().st_mode | lines.parent.stat().st_mode) & 0o077 == 0
    with Gunita.open(tmp_path / "gunita.db") as g:
        assert sorted(one.turn_count for one in g.conversations.list_conversations()) == [1, 6]


def test_ctrl_c_stops_an_answer_and_the_talk_goes_on(tmp_path: Path, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    connected = {"GUNITA_LLM_BASE_URL": model.url, "GUNITA_LLM_MODEL": "scripted"}
    with terminal(tmp_path, "chat", "--no-line-history", **connected) as screen:
        screen.wait_for(PROMPT)
        screen.type("Tell me a long story\n")
        model.wait_until_asked()
        model.allow(2)
        screen.wait_for("You asked:")
        screen.type("\x03")
        screen.wait_for("(stopped; what was said is kept)")
        screen.wait_for(PROMPT)
        model.manner = Manner.NORMAL
        screen.type("Kumusta?\n")
        screen.wait_for("You asked: Kumusta?")
        screen.wait_for(PROMPT)
        screen.type("half a li")
        screen.wait_for("half a li")
        screen.press_ctrl_c_until(PROMPT)
        screen.type("/quit\n")
        assert screen.wait_for_end() == 0
    with Gunita.open(tmp_path / "gunita.db") as g:
        [talk] = g.conversations.list_conversations()
        stopped, answered = g.sessions.get_session_history(talk.id)
    assert stopped.metadata["interrupted"]
    assert stopped.response_text.startswith("You asked:")
    assert answered.response_text == "You asked: Kumusta?"
    assert not (tmp_path / ".local").exists()


def test_piped_lines_are_answered_from_memory_one_after_another(url: str, tmp_path: Path) -> None:
    said = "What is the capital of France?\n\nulitin mo yung unang tanong ko\n/meant 1\n/history\n/quit\nnever said\n"
    ended = gunita(tmp_path, "chat", "-d", url, "-u", "ana", said=said)
    assert ended.returncode == 0
    assert "\x1b" not in ended.stdout
    assert PROMPT + "What is the capital of France?" in ended.stdout
    assert "↩ turn 1 (" in ended.stderr
    assert "Noted: turn 2 meant 1." in ended.stderr
    again = done(tmp_path, "chat", "-d", url, "-u", "ana", "--json", said="Kumusta?\n/memories\n/new\nHi\n")
    first, memories, second = (json.loads(line) for line in again.splitlines())
    assert (first["turn_number"], second["turn_number"], memories) == (3, 1, [])
    assert first["session_id"] != second["session_id"]
