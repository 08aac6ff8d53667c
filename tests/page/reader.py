"""Somebody who uses the page: what they do, in their words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from playwright.sync_api import Locator, Page, expect

from tests.api.service import Service


@dataclass
class Reader:
    page: Page
    service: Service

    def visit(self, hash: str = "") -> Self:
        self.page.goto(f"{self.service.url}/{hash}")
        expect(self.composer).to_be_visible()
        return self

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("textbox", name="Message", exact=True)

    @property
    def turns(self) -> Locator:
        return self.page.locator("article.turn")

    @property
    def entries(self) -> Locator:
        return self.page.locator(".sidebar .entry")

    @property
    def conversation_id(self) -> str:
        found = re.search(r"#/c/([0-9a-f-]{36})", self.page.url)
        assert found is not None, self.page.url
        return found.group(1)

    def write(self, text: str) -> Self:
        self.composer.fill(text)
        self.composer.press("Enter")
        return self

    def ask(self, text: str) -> Self:
        """Ask, and wait until the answer is whole."""
        numbered = self.page.locator("article.turn[data-turn]")
        before = numbered.count()
        self.write(text)
        # A turn has a number once the service has taken it in.
        expect(numbered).to_have_count(before + 1)
        return self.settled()

    def begin_anew(self) -> Self:
        """Begin a conversation, and wait until the one before has left the page."""
        self.page.keyboard.press("Alt+n")
        expect(self.turns).to_have_count(0)
        return self

    def settled(self) -> Self:
        expect(self.page.get_by_role("button", name="Send")).to_be_visible()
        return self

    def turn(self, number: int) -> Locator:
        return self.page.locator(f'article.turn[data-turn="{number}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choose(self, name: str) -> Self:
        """Open the head's menu and choose."""
        self.page.locator(".header-actions .menu > summary").click()
        self.page.locator(".header-actions .menu-body").get_by_role("button", name=name).click()
        return self

    def told(self, text: str) -> Self:
        expect(self.page.locator(".toast", has_text=text).first).to_be_visible()
        return self
