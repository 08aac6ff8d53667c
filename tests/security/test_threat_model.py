"""The page about security names tests; each of them is there, and every file of attacks is on the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "explanation" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def functions_of(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_every_test_on_the_page_is_there() -> None:
    assert len(NAMED) > 50
    missing = [f"{file}::{name}" for file, name in NAMED if name not in functions_of(ROOT / file)]
    assert missing == []


def test_every_file_of_attacks_is_on_the_page() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.glob("test_*.py")}
    assert files - {file for file, _ in NAMED} == {Path(__file__).relative_to(ROOT).as_posix()}


def test_every_wall_says_who_attacks_it_and_every_attacker_meets_one() -> None:
    walls = dict(re.findall(r"^## (\d+)\. [^\n]+\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
    assert sorted(walls, key=int) == [str(number) for number in range(1, len(walls) + 1)]
    assert [number for number, text in walls.items() if "\nAttacked by\n\n- `tests/" not in text] == []
    met = re.findall(r"\[(\d+)\]\(#(\d+)-", PAGE)
    assert {number for number, _ in met} == walls.keys()
    assert all(number == anchor for number, anchor in met)
