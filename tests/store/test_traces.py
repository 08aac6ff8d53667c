"""What is deleted stands in no file any more, while the process goes on."""

from __future__ import annotations

from pathlib import Path

from gunita import Gunita

SECRET = "sampaguitangpalihim"


def files_with(word: str, folder: Path) -> list[str]:
    return [file.name for file in sorted(folder.rglob("*")) if file.is_file() and word.encode() in file.read_bytes()]


def test_the_words_of_a_deleted_user_are_in_no_file(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "chat.db") as g:
        session = g.sessions.create_session("juan")
        for number in range(30):
            g.sessions.store_turn(session, "juan", f"{SECRET} {number}", "Sige.")
        g.memories.create_memory("juan", f"Likes {SECRET}")
        g.users.set_memory("juan", "word", SECRET)
        other = g.sessions.create_session("ana")
        g.sessions.store_turn(other, "ana", "Kumusta?", "Mabuti.")
        assert files_with(SECRET, tmp_path) != []
        g.deletion.delete_user("juan")
        assert files_with(SECRET, tmp_path) == []
        assert [turn.query_text for turn in g.sessions.get_session_history(other)] == ["Kumusta?"]


def test_the_words_of_a_deleted_conversation_and_memory_are_in_no_file(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "chat.db") as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", f"{SECRET}?", "Sige.")
        memory = g.memories.create_memory("juan", "Likes rosalnalihim")
        g.deletion.delete_conversation(session)
        assert files_with(SECRET, tmp_path) == []
        g.deletion.delete_memory(memory.id)
        assert files_with("rosalnalihim", tmp_path) == []
