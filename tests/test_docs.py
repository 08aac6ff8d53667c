"""Every Python block in README and docs runs, in order, page by page, in an empty folder."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[int, str]]:
    """Find a page's Python blocks, each with the line it starts on."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(1)), found[1]) for found in _BLOCK.finditer(text)]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "GUNITA_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, code in blocks(page):
        if code.lstrip().startswith(">>>"):
            run_session(page, line, code, namespace)
        else:
            # Blank lines in front make a failure point at the line of the page.
            exec(compile("\n" * line + code, str(page), "exec"), namespace)


def run_session(page: Path, line: int, code: str, namespace: dict[str, object]) -> None:
    """Run an interactive session and compare what it prints."""
    test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append, clear_globs=False).failed
    namespace |= test.globs
    assert failed == 0, "".join(said)
