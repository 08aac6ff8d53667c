"""What others wrote stands in the page byte for byte as they published it, and under its licence."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

VENDOR = Path(__file__).parents[2] / "src" / "gunita" / "server" / "page" / "vendor"


def listed() -> list[list[str]]:
    rows = (line for line in (VENDOR / "VENDORED.md").read_text().splitlines() if line.startswith("| "))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows][2:]


@pytest.mark.parametrize("row", listed(), ids=lambda row: row[0])
def test_a_file_has_the_sum_and_the_licence_that_are_written_down(row: list[str]) -> None:
    name, _, _, _, licence, digest = row
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert (VENDOR / "licenses" / licence.partition("(")[2].rstrip(")")).is_file()


def test_nothing_stands_there_that_is_not_written_down() -> None:
    assert {row[0] for row in listed()} == {path.name for path in VENDOR.glob("*.mjs")}


@pytest.mark.parametrize(
    "path",
    [path for path in VENDOR.parent.rglob("*") if path.suffix in {".js", ".css"}],
    ids=lambda path: path.relative_to(VENDOR.parent).as_posix(),
)
def test_what_we_wrote_stands_in_small_rooms(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400
