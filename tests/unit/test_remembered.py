"""What is kept at hand of texts read lately: bounded, and let go of with any deletion."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gunita import Gunita
from gunita.language.remembered import Remembered, let_go_of_texts, remembering
from gunita.services.cleaning import ERRAND
from gunita.services.deletion import Listening
from gunita.services.understanding import LET_GO_EVERY, ReadTexts
from gunita.store.alone import alone

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def is_held(memory: Remembered[str, str], text: str) -> bool:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key

    memory.get(text, make)
    return not made


@settings(max_examples=100)
@given(st.lists(st.text(max_size=20), max_size=40), st.integers(1, 60))
def test_what_is_held_never_weighs_more_than_it_may_and_the_latest_stay(texts: list[str], most: int) -> None:
    memory: Remembered[str, str] = Remembered(most, len)
    for text in texts:
        memory.get(text, lambda key: key)
    latest = list(dict.fromkeys(reversed(texts)))
    held = [text for number, text in enumerate(latest) if sum(map(len, latest[: number + 1])) <= most]
    assert sum(map(len, memory._known.values())) <= most
    assert [text for text in held if not is_held(memory, text)] == []


def test_a_text_is_made_once_while_it_is_held() -> None:
    memory: Remembered[str, str] = Remembered(2)
    assert [is_held(memory, text) for text in ("a", "b", "a", "c", "b")] == [False, False, True, False, False]


def test_everything_is_let_go_of_at_once() -> None:
    asked = []

    @remembering(8)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    memory: Remembered[str, str] = Remembered(8)
    memory.get("adobo", str)
    assert [length("adobo"), length("adobo"), len(asked)] == [5, 5, 1]
    let_go_of_texts()
    assert not is_held(memory, "adobo")
    assert [length("adobo"), len(asked)] == [5, 2]


def test_a_deletion_has_what_was_read_let_go(tmp_path: Path) -> None:
    memory: Remembered[str, str] = Remembered(8)
    with Gunita.open(tmp_path / "chat.db") as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", "Magkano ang upa?", "Mga 25,000 piso.")
        memory.get("Magkano ang upa?", str)
        g.deletion.delete_user("juan")
        assert not is_held(memory, "Magkano ang upa?")


def test_a_cleanup_has_what_was_read_let_go_also_where_another_server_is_at_it(tmp_path: Path) -> None:
    memory: Remembered[str, str] = Remembered(8)
    with Gunita.open(tmp_path / "chat.db") as g:
        g.sessions.store_turn(g.sessions.create_session("juan"), "juan", "Magkano ang upa?", "Mga 25,000 piso.")
        memory.get("Magkano ang upa?", str)
        assert not g.cleanup.run_cleanup().skipped
        assert not is_held(memory, "Magkano ang upa?")
    with Gunita.open(tmp_path / "chat.db") as other, alone(other.settings, ERRAND):
        memory.get("Magkano ang upa?", str)
        assert other.cleanup.run_cleanup().skipped
        assert not is_held(memory, "Magkano ang upa?")


def test_what_another_process_deleted_is_let_go_here(tmp_path: Path) -> None:
    memory: Remembered[str, str] = Remembered(8)
    with Gunita.open(tmp_path / "chat.db") as here, Gunita.open(tmp_path / "chat.db") as there:
        there.sessions.store_turn(there.sessions.create_session("juan"), "juan", "Magkano ang upa?", "Mga 25,000.")
        there.deletion.delete_user("juan")
        memory.get("Magkano ang upa?", str)
        Listening(here._database, (), ReadTexts()).listen(datetime.now(UTC))
        assert not is_held(memory, "Magkano ang upa?")


def test_many_deletions_let_go_once_a_minute_and_the_last_is_not_forgotten() -> None:
    memory: Remembered[str, str] = Remembered(8)
    texts = ReadTexts()
    texts.let_go(NOW)
    memory.get("sikreto", str)
    texts.let_go(NOW + timedelta(seconds=1))
    assert is_held(memory, "sikreto")
    texts.catch_up(NOW + LET_GO_EVERY)
    assert not is_held(memory, "sikreto")
    texts.catch_up(NOW + 3 * LET_GO_EVERY)
    assert is_held(memory, "sikreto")
