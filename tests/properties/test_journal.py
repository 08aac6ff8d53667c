"""The journal gives back what was written to it, whatever happens to its bytes, and to the process that wrote them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.app import read_settings
from gunita.resilience.framing import OVERHEAD, framed, scan
from gunita.resilience.journal import Journal
from gunita.resilience.opening import fingerprint
from tests.faults.test_sqlite_away import no_file_may_grow

contents = st.binary(max_size=60).map(lambda raw: raw.hex().encode())
rows = st.lists(contents, min_size=1, max_size=12)


def read(buffer: bytes) -> list[bytes]:
    return [record.content for record in scan(buffer).records]


@given(rows)
def test_every_record_comes_back_in_order(row: list[bytes]) -> None:
    found = scan(b"".join(map(framed, row)))
    assert [record.content for record in found.records] == row
    assert found.damages == ()


@given(rows, st.data())
def test_a_cut_takes_the_record_it_falls_into_and_no_other(row: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(map(framed, row))
    cut = data.draw(st.integers(0, len(whole)))
    ends = [sum(OVERHEAD + len(content) for content in row[: n + 1]) for n in range(len(row))]
    found = scan(whole[:cut])
    assert [record.content for record in found.records] == row[: sum(end <= cut for end in ends)]
    assert found.sound_end == max([0, *(end for end in ends if end <= cut)])
    assert bool(found.damages) == (found.sound_end != cut)


@given(rows, st.data())
def test_a_flipped_bit_takes_the_record_it_falls_into_and_is_reported(row: list[bytes], data: st.DataObject) -> None:
    whole = bytearray(b"".join(map(framed, row)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    ends = [sum(OVERHEAD + len(content) for content in row[: n + 1]) for n in range(len(row))]
    hit = next(n for n, end in enumerate(ends) if place < end)
    found = scan(bytes(whole))
    assert [record.content for record in found.records] == row[:hit] + row[hit + 1 :]
    assert [(damage.start, damage.end) for damage in found.damages] == [(([0, *ends])[hit], ends[hit])]


@given(rows, st.binary(max_size=80), st.data())
def test_rubbish_between_records_invents_none_and_hides_none(
    row: list[bytes], rubbish: bytes, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(row)))
    whole = b"".join(map(framed, row[:place])) + rubbish + b"".join(map(framed, row[place:]))
    assert read(whole) == row


@given(st.binary(max_size=400))
def test_no_bytes_at_all_make_it_fail(rubbish: bytes) -> None:
    found = scan(rubbish)
    assert sum(damage.end - damage.start for damage in found.damages) + found.sound_end >= 0


texts = st.text(st.characters(), max_size=40)


@given(st.lists(st.tuples(texts, st.booleans()), max_size=10))
def test_entries_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, said: list) -> None:
    journal = Journal(tmp_path_factory.mktemp("journal") / "waiting", "db")
    entries = [{"kind": "note", "text": text, "durable": durable} for text, durable in said]
    for entry in entries:
        journal.append(entry, durable=entry["durable"])
    assert list(journal.read().entries) == entries
    journal.rewrite(lambda kept: kept[1:])
    assert list(journal.read().entries) == entries[1:]
    journal.close()


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_a_durable_entry_is_flushed_whole_before_anybody_is_told(
    tmp_path_factory: pytest.TempPathFactory, durables: list[bool]
) -> None:
    """The flushes of the operating system are watched; a killed machine cannot be had in a test."""
    flushed: dict[int, int] = {}
    flush = os.fsync

    def watched(file: int) -> None:
        flush(file)
        flushed[os.fstat(file).st_ino] = os.fstat(file).st_size

    folder = tmp_path_factory.mktemp("journal") / "waiting"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", watched)
        journal = Journal(folder, "db")
        for number, durable in enumerate(durables):
            journal.append({"number": number}, durable=durable)
            (file,) = folder.iterdir()
            assert not durable or flushed[file.stat().st_ino] == file.stat().st_size == journal.size
            assert folder.stat().st_ino in flushed
        journal.close()


def test_a_record_that_does_not_fit_on_the_disk_leaves_no_half_of_itself(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "waiting", "db")
    journal.append({"number": 0}, durable=True)
    whole = journal.size
    with no_file_may_grow(whole + 10), pytest.raises(OSError, match="File too large"):
        journal.append({"number": 1, "text": "x" * 100}, durable=True)
    (file,) = (tmp_path / "waiting").iterdir()
    assert file.stat().st_size == journal.size == whole
    journal.append({"number": 2}, durable=True)
    found = journal.read()
    assert [entry["number"] for entry in found.entries] == [0, 2]
    assert found.damages == ()
    journal.close()


LEAVES_A_JOURNAL = """
import os, sys
from pathlib import Path
from gunita.resilience.journal import Journal
from gunita.resilience.opening import fingerprint
journal = Journal(Path(sys.argv[1]), "db")
journal.append({"kind": "note", "text": "isa"}, durable=True)
journal.append({"kind": "note", "text": "dalawa"}, durable=False)
print("written", flush=True)
sys.stdin.readline()
"""


def test_what_a_killed_process_wrote_is_taken_over_once_and_not_while_it_lives(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LEAVES_A_JOURNAL, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "written\n"
    first, second = Journal(tmp_path, "db"), Journal(tmp_path, "db")
    assert list(first.left_by_others()) == []
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    (left,) = first.left_by_others()
    assert list(second.left_by_others()) == []
    assert [entry["text"] for entry in left.read().entries] == ["isa", "dalawa"]
    left.discard()
    assert list(second.left_by_others()) == []
    assert list(Journal(tmp_path, "another").left_by_others()) == []


def test_a_journal_with_nothing_in_it_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "waiting"
    journal = Journal(folder, "db")
    assert not folder.exists()
    journal.append({"kind": "note"}, durable=True)
    (file,) = folder.iterdir()
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    journal.rewrite(lambda _: [])
    assert not folder.exists()
    journal.append({"kind": "note"}, durable=False)
    assert len(journal.read().entries) == 1
    journal.close()
    assert len(list(folder.iterdir())) == 1


def test_a_damaged_tail_is_cut_reported_and_the_rest_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(tmp_path, "db")
    for number in range(5):
        journal.append({"number": number}, durable=True)
    journal.close()
    (path,) = tmp_path.iterdir()
    os.truncate(path, path.stat().st_size - 3)
    (left,) = Journal(tmp_path, "db").left_by_others()
    found = left.read()
    assert [entry["number"] for entry in found.entries] == [0, 1, 2, 3]
    assert len(found.damages) == 1
    assert "are damaged and were cut" in caplog.text
    left.let_go()


def name_of(url: str, schema: str = "public") -> str:
    return fingerprint(read_settings(database_url=url, postgres_schema=schema))


def test_what_waits_for_one_database_is_never_taken_for_anothers_and_a_new_password_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = "postgresql://gunita:lihim@db.internal:5432/chat"
    names = [
        name_of(one),
        name_of(one, "other"),
        name_of("postgresql://gunita:lihim@db.internal:5433/chat"),
        name_of("postgresql://gunita:lihim@elsewhere:5432/chat"),
        name_of("postgresql://gunita:lihim@db.internal:5432/other"),
        name_of(str(tmp_path / "gunita.db")),
        name_of(str(tmp_path / "other.db")),
    ]
    assert len(set(names)) == len(names)
    assert name_of("postgresql://somebody:else@db.internal:5432/chat") == names[0]
    monkeypatch.chdir(tmp_path)
    assert name_of("gunita.db") == name_of(str(tmp_path / "gunita.db"))
