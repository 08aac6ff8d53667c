"""Archives that reach out or unpack to more than fits, files that others could read, texts that steer a terminal."""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
from pathlib import Path

import psycopg
import pytest

from gunita import Gunita
from gunita.cli.checking import Check, State, shown
from gunita.errors import GunitaError, StorageError
from gunita.imports.records import UnreadableExportError
from gunita.settings import Settings
from gunita.store.address import readable, without_secrets
from gunita.store.backup import back_up
from gunita.store.postgres import explain
from tests.cli.process import gunita as command
from tests.cli.process import terminal

STEERING = "\x1b]0;owned\x07\x1b[2J\x9b31m\x1bP+q\x1b\\\x08\x08"
PASSWORD = "hunter2-mabaho"


def a_chat(text: str = "Magkano ang upa?") -> dict[str, object]:
    at = {"created_at": "2026-01-01T00:00:00Z"}
    said = [{"uuid": f"m{n}", "sender": who, "text": text, **at} for n, who in enumerate(("human", "assistant"))]
    return {"uuid": "c1", "name": text, "chat_messages": said, **at}


def archived(path: Path, name: str, content: bytes, mode: int = 0o644) -> Path:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, content)
    return path


def everything_under(folder: Path) -> dict[str, bytes]:
    return {
        str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file() and "gunita.db" not in file.name
    }


@pytest.mark.parametrize("name", ["../../conversations.json", "/tmp/conversations.json", "C:/x/conversations.json",
                                  "a/../../../conversations.json", "conversations.json"])  # fmt: skip
def test_an_archive_is_read_and_never_unpacked(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "inside" / "deep"
    folder.mkdir(parents=True)
    file = archived(folder / "export.zip", name, json.dumps([a_chat()]).encode())
    before = everything_under(tmp_path)
    with Gunita.open(tmp_path / "gunita.db", background=False) as g:
        assert g.imports.bring_in(file, "ana").messages_added == 2
    assert everything_under(tmp_path) == before


def test_a_link_in_an_archive_leads_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps([a_chat("Lihim")]))
    link = archived(tmp_path / "export.zip", "conversations.json", str(secret).encode(), stat.S_IFLNK | 0o777)
    with Gunita.open(tmp_path / "gunita.db", background=False) as g, pytest.raises(UnreadableExportError):
        g.imports.bring_in(link, "ana")


@pytest.mark.parametrize(
    "content",
    [b'[{"chat_messages": "' + b"a" * 70_000_000, b"[" * 1_000_000, b'{"a":' * 1_000_000, b"[{}" + b",{}" * 20_000],
    ids=["one endless record", "deep lists", "deep records", "many records"],
)
def test_an_archive_that_unpacks_to_more_than_fits_is_refused(tmp_path: Path, content: bytes) -> None:
    bomb = archived(tmp_path / "bomb.zip", "conversations.json", content)
    assert bomb.stat().st_size < len(content) / 50
    with Gunita.open(tmp_path / "gunita.db", background=False) as g:
        with pytest.raises(UnreadableExportError):
            g.imports.bring_in(bomb, "ana")
        assert g.statistics.count().messages == 0


def test_files_with_what_people_said_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        with Gunita.open(tmp_path / "gunita.db", background=False) as g:
            session = g.sessions.create_session("ana")
            g.sessions.store_turn(session, "ana", "Lihim?", "Oo.")
            made = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir() if file.is_file()}
            assert "gunita.db-wal" in made
        back_up(Settings(database_url=str(tmp_path / "gunita.db")), tmp_path / "copy.db", lambda *_: None)
        written = command(tmp_path, "export", "--all", "-o", "all.jsonl", "-d", "gunita.db")
        assert written.returncode == 0, written.stderr
        for name in ("copy.db", "all.jsonl"):
            made[name] = stat.S_IMODE((tmp_path / name).stat().st_mode)
    finally:
        os.umask(before)
    assert {name: oct(mode) for name, mode in made.items() if mode & 0o077} == {}


@pytest.mark.parametrize(
    "arguments",
    [("history",), ("history", "latest"), ("export", "latest", "-f", "markdown")],
    ids=" ".join,
)
def test_stored_texts_do_not_steer_a_terminal(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with Gunita.open(tmp_path / "gunita.db", background=False) as g:
        session = g.conversations.create_conversation("ana", title=f"owned {STEERING}").id
        g.sessions.store_turn(session, "ana", f"owned {STEERING}", f"owned {STEERING}")
        g.memories.create_memory("ana", f"owned {STEERING}", category=STEERING)
    with terminal(tmp_path, *arguments, "-d", "gunita.db") as screen:
        assert screen.wait_for_end() == 0
    assert "owned" in screen.raw
    assert_harmless(screen.raw)


def test_neither_do_names_in_an_archive_nor_errors_that_quote_them(tmp_path: Path) -> None:
    archived(tmp_path / "bad.zip", f"{STEERING}/conversations.json", b"{")
    with terminal(tmp_path, "import", "bad.zip", "-d", "gunita.db") as screen:
        assert screen.wait_for_end() == 1
    assert "not whole JSON" in screen.shown
    assert_harmless(screen.raw)


def assert_harmless(raw: str) -> None:
    colours = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[hl]|\x1b\[1A|\x1b\[2K|\r")
    left = re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", colours.sub("", raw))
    assert left == []


def test_what_a_model_calls_itself_does_not_steer_the_doctor() -> None:
    from rich.console import Console

    console = Console(force_terminal=True, color_system=None)
    with console.capture() as told:
        console.print(shown([Check("model", State.NOTE, f"answers; {STEERING}")]))
    assert_harmless(told.get())


ADDRESSES = [
    f"postgresql://gunita:{PASSWORD}%zz@127.0.0.1:9/db",
    f"postgresql://gunita:{PASSWORD}/x@127.0.0.1:9/db",
    f"postgresql://gunita:x@{PASSWORD}@127.0.0.1:9/db",
    f"postgresql://gunita:{PASSWORD}@127.0.0.1:9/db",
    f"postgresql://gunita@127.0.0.1:9/db?password={PASSWORD}",
    f"postgresql://gunita:{PASSWORD}@127.0.0.1:9/db?{PASSWORD}=1",
    f"postgresql://gunita:{PASSWORD}@[::1/db",
    f"postgresql://gunita:{PASSWORD}@127.0.0.1:port/db",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_cannot_be_read_or_reached_keeps_its_password(address: str) -> None:
    with pytest.raises(GunitaError) as refused:
        Gunita.open(address, postgres_wait_seconds=0.5, storage_attempts=1, fallback=False)
    step: BaseException | None = refused.value
    while step is not None:
        assert PASSWORD not in str(step)
        step = None if step.__suppress_context__ and step.__cause__ is None else step.__cause__ or step.__context__
    assert PASSWORD not in without_secrets(address).replace(f"{PASSWORD}=1", "")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u:p%40%2F%3A@host:5432/db?sslmode=require",
        "postgresql://host1:5432,host2:5433/db?target_session_attrs=read-write",
        "postgres://u@[::1]:5432/db",
        "postgresql:///db?host=/run/postgresql",
    ],
)
def test_addresses_as_people_write_them_pass(address: str) -> None:
    assert readable(address) == address


def test_the_drivers_own_words_about_an_address_are_not_passed_on() -> None:
    with pytest.raises(StorageError) as told:
        explain(psycopg.ProgrammingError(f'invalid percent-encoded token: "{PASSWORD}"'))
    assert PASSWORD not in str(told.value)
