"""The web page: plain files, read once and sent as they are or compressed."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

FRONT = "index.html"
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)
_PRELOADS = "<!-- modules -->"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page, ready to be sent."""

    body: bytes
    compressed: bytes
    media_type: str
    etag: str


@dataclass(frozen=True, slots=True)
class Page:
    assets: Mapping[str, Asset]
    policy: str
    """The content security policy: nothing from elsewhere, and no script but the page's own."""


@cache
def load() -> Page:
    """Read every file of the page."""
    found = dict(_files(files("gunita.server").joinpath("page")))
    front = found[FRONT].decode()
    found[FRONT] = front.replace(_PRELOADS, preloads(found)).encode()
    return Page({name: asset(name, body) for name, body in found.items()}, policy(front))


def asset(name: str, body: bytes) -> Asset:
    digest = hashlib.sha256(body).hexdigest()[:32]
    return Asset(body, gzip.compress(body, 9, mtime=0), TYPES[name.rpartition(".")[2]], f'"{digest}"')


def preloads(found: Mapping[str, bytes]) -> str:
    """Name every module in the front page, so that a browser asks for all of them at once."""
    modules = sorted(name for name in found if name.endswith((".js", ".mjs")))
    return "\n    ".join(f'<link rel="modulepreload" href="/page/{name}">' for name in modules)


def policy(front: str) -> str:
    """Allow the page's own files, and the one script that stands in the page: its import map."""
    inline = _IMPORT_MAP.search(front)
    assert inline is not None
    digest = base64.b64encode(hashlib.sha256(inline.group(1).encode()).digest()).decode()
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' 'sha256-{digest}'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types dompurify",
        ]
    )


def _files(folder: Traversable, above: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = above + entry.name
        if entry.is_dir():
            found += _files(entry, f"{name}/")
        elif name.rpartition(".")[2] in TYPES:
            found.append((name, entry.read_bytes()))
    return found
