"""Debian's Chromium, found or said to be missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
MISSING = "no Chromium was found; as root: apt-get install -y chromium (or set CHROMIUM to one)"


def chromium() -> str:
    """Say where Chromium is; a missing one is a failure that says what to do."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found or not Path(found).exists():
        raise AssertionError(MISSING)
    return found


@contextmanager
def launched(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(
        executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    )
    try:
        yield browser
    finally:
        browser.close()


class Watch:
    """Notes what a page must never do: ask elsewhere, fail in a script, break its own policy."""

    def __init__(self, page: Page, url: str) -> None:
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self._asked(request.url, url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._said(message.type, message.text))

    def _asked(self, address: str, own: str) -> None:
        if not address.startswith((own, "blob:", "data:")):
            self.elsewhere.append(address)

    def _said(self, kind: str, text: str) -> None:
        # A status that a test provokes is told by the browser as an error of its own.
        if kind == "error" and "Failed to load resource" not in text:
            self.errors.append(text)

    def check(self) -> None:
        assert self.elsewhere == []
        assert self.errors == []
