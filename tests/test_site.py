"""The documentation hangs together: pages have their place, links lead somewhere, references follow the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import docs_site, http_reference

ROOT = docs_site.ROOT
NAV = docs_site.opened(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
PAGES = sorted(docs_site.DOCS.rglob("*.md"))
LINKING = [ROOT / "README.md", ROOT / "CHANGELOG.md", *PAGES]
_CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def listed(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for entry in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from listed(entry)


def anchors(page: Path) -> set[str]:
    """Name a page's headings as links do."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {re.sub(r"[\s-]+", "-", words).strip("-") for words in plain}


def leads_nowhere(page: Path, link: str) -> bool:
    target, _, anchor = link.partition("#")
    found = (page.parent / target).resolve() if target else page
    return not found.exists() or bool(anchor and anchor not in anchors(found))


def test_every_page_is_in_the_navigation_once() -> None:
    expected = [page.relative_to(docs_site.DOCS).as_posix() for page in PAGES] + list(docs_site.KEPT_ELSEWHERE)
    assert sorted(listed(NAV)) == sorted(expected)


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8")))
    own = [link for link in links if not link.startswith(("http://", "https://", "mailto:"))]
    assert [link for link in own if leads_nowhere(page, link)] == []


@pytest.mark.parametrize("page", docs_site.KEPT_ELSEWHERE)
def test_a_file_that_is_shown_as_a_page_links_to_pages_of_the_site(page: str) -> None:
    places = {*docs_site.KEPT_ELSEWHERE, *(found.relative_to(docs_site.DOCS).as_posix() for found in PAGES)}
    links = [link.partition("#")[0] for link in _LINK.findall(docs_site.as_page(page)) if "://" not in link]
    there = [Path(docs_site.posixpath.normpath((Path(page).parent / link).as_posix())).as_posix() for link in links]
    assert [link for link in there if link not in places] == []


def test_the_reference_of_routes_is_written_from_the_service() -> None:
    assert http_reference.TARGET.read_text(encoding="utf-8") == http_reference.written(), "make reference"


def test_a_page_that_would_load_from_elsewhere_is_noticed(tmp_path: Path) -> None:
    good = '<a href="https://example.org">out</a><img src="a.png"><script src="b.js"></script>'
    bad = '<link rel="stylesheet" href="https://fonts.example/css"><script src=//cdn.example/x>'
    (tmp_path / "good.html").write_text(good)
    (tmp_path / "bad.html").write_text(bad)
    (tmp_path / "bad.css").write_text("@import url(https://fonts.example/a.css);")
    found = list(docs_site.loaded_from_elsewhere(tmp_path))
    assert found == [
        "bad.css: https://fonts.example/a.css",
        "bad.html: https://fonts.example/css",
        "bad.html: //cdn.example/x",
    ]
