"""Hooks of the documentation site: pages that the repository keeps elsewhere, and nothing loaded from elsewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
KEPT_ELSEWHERE = {
    "changelog.md": "CHANGELOG.md",
    "reference/model/card.md": "src/gunita/language/model/CARD.md",
    "reference/model/languages.md": "src/gunita/language/model/LANGUAGES.md",
    "reference/model/extraction.md": "src/gunita/language/model/EXTRACTION.md",
}
"""Pages of the site, and the files of the repository that they are."""

_LINK = re.compile(r"(\]\()([^)\s:#]+)((?:#[^)\s]*)?\))")
_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preload|preconnect|icon|modulepreload))"""
    r"""[^>]*?\bhref=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|(?:@import\s+|url\()["']?((?:https?:)?//[^"')\s]+)""",
    re.IGNORECASE,
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name in the navigation every page of a folder that stands there by its name alone."""
    config.nav = opened(config.nav)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are kept elsewhere."""
    from mkdocs.structure.files import File

    for page in KEPT_ELSEWHERE:
        files.append(File.generated(config, page, content=as_page(page)))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a site that would have a reader's browser ask anybody else."""
    from mkdocs.exceptions import PluginError

    if foreign := sorted(set(loaded_from_elsewhere(Path(config.site_dir)))):
        raise PluginError("the site loads from elsewhere: " + ", ".join(foreign[:5]))


def opened(nav: Any) -> Any:
    """Put a folder's pages, in the order of their names, where the navigation says `folder/`."""
    if isinstance(nav, list):
        return [opened(entry) for entry in nav]
    if isinstance(nav, dict):
        return {title: opened(entry) for title, entry in nav.items()}
    if not nav.endswith("/"):
        return nav
    return [page.relative_to(DOCS).as_posix() for page in sorted((DOCS / nav).glob("*.md"))]


def as_page(page: str) -> str:
    """Read a file that is kept elsewhere, with its links as they are on the site."""
    source = KEPT_ELSEWHERE[page]
    text = (ROOT / source).read_text(encoding="utf-8")
    return _LINK.sub(lambda found: found[1] + moved(found[2], source, page) + found[3], text)


def moved(link: str, source: str, page: str) -> str:
    """Say where a link of a file leads when that file stands as a page of the site."""
    meant = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    there = {kept: on_site for on_site, kept in KEPT_ELSEWHERE.items()}.get(meant, meant.removeprefix("docs/"))
    return posixpath.relpath(there, posixpath.dirname(page) or ".")


def loaded_from_elsewhere(site: Path) -> Iterator[str]:
    """Find what pages and style sheets make a browser fetch from another host."""
    for file in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        for found in _LOADED.finditer(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site)}: {found[1] or found[2] or found[3]}"
