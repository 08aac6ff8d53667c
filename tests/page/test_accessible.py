"""Everybody can use it: axe finds nothing serious in any view, at any size, in either theme and either language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.api.service import Service, serving
from tests.page.reader import Reader
from tests.page.test_pointing import with_history

SIZES = {"desk": (1280, 800), "between": (1024, 768), "phone": (390, 780)}


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in found
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


@contextmanager
def looking(browser: Browser, theme: str, size: str, locale: str) -> Iterator[Page]:
    width, height = SIZES[size]
    # axe is put in by the test, which the page's own policy rightly forbids; it reads, and changes nothing.
    context = browser.new_context(
        bypass_csp=True,
        color_scheme=theme,
        locale=locale,
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        has_touch=size == "phone",
        is_mobile=size == "phone",
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def sidebar_shown(reader: Reader) -> None:
    reader.page.keyboard.press("Control+k")
    expect(reader.page.locator("#search")).to_be_focused()


def settings_open(reader: Reader) -> None:
    reader.page.locator(".sidebar-foot .menu > summary").click()
    expect(reader.page.locator(".sidebar-foot .menu-body")).to_be_visible()


def found_by_search(reader: Reader) -> None:
    sidebar_shown(reader)
    reader.page.locator("#search").fill("visa")
    expect(reader.page.locator(".entry mark").first).to_be_visible()


def head_menu_open(reader: Reader) -> None:
    reader.page.locator(".header-actions .menu > summary").click()
    expect(reader.page.locator(".header-actions .menu-body")).to_be_visible()


def title_edited(reader: Reader) -> None:
    reader.page.locator(".title button").click()
    expect(reader.page.locator(".title-input")).to_be_focused()


def correction_open(reader: Reader) -> None:
    reader.turn(5).locator(".correction > summary").click()
    expect(reader.turn(5).locator(".menu-body")).to_be_visible()


def receipt_open(reader: Reader) -> None:
    reader.turn(5).locator(".response-foot [aria-expanded]").click()
    expect(reader.page.locator(".receipt-line").first).to_be_visible()


def memories_open(reader: Reader) -> None:
    reader.page.keyboard.press("Alt+m")
    expect(reader.page.locator(".memory-card").first).to_be_visible()


def history_open(reader: Reader) -> None:
    reader.page.locator(".memory-actions [aria-expanded]").first.click()
    expect(reader.page.locator(".history").first).to_be_visible()


def memory_edited(reader: Reader) -> None:
    reader.page.locator(".panel-actions .primary-button").click()
    expect(reader.page.locator(".memory-form textarea")).to_be_focused()


def help_open(reader: Reader) -> None:
    reader.page.locator(".thread").focus()
    reader.page.keyboard.press("?")
    expect(reader.page.get_by_role("dialog")).to_be_visible()


def asked_back(reader: Reader) -> None:
    reader.page.locator("#composer").fill("the seventh one")
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator(".choices")).to_be_visible()


def deleted(reader: Reader) -> None:
    head_menu_open(reader)
    reader.page.locator(".header-actions .menu-body .danger").click()
    expect(reader.page.locator(".toast")).to_be_visible()


WALKS: tuple[tuple[Callable[[Reader], None], ...], ...] = (
    (sidebar_shown, settings_open),
    (found_by_search,),
    (head_menu_open,),
    (title_edited,),
    (correction_open,),
    (receipt_open, memories_open, history_open, memory_edited),
    (help_open,),
    (asked_back,),
)
"""Views that come one after the other; before each walk the page is loaded anew, which takes longer than looking."""


def furnished(reader: Reader) -> Reader:
    """Give somebody a conversation that points back and holds code, and a memory that was edited."""
    client = reader.service.client
    memory = client.post("/api/memories", json={"content": "Likes mango", "memory_type": "preference"}).json()
    client.patch(f"/api/memories/{memory['id']}", json={"content": "Likes green mango"})
    with_history(reader)
    reader.page.locator("#composer").fill("Tell me more about yung una")
    reader.page.keyboard.press("Enter")
    expect(reader.turn(5).locator(".reference")).to_be_visible()
    return reader


@pytest.mark.parametrize(
    ("theme", "size", "locale"),
    [
        ("light", "desk", "en-US"),
        ("dark", "desk", "fil-PH"),
        ("light", "phone", "fil-PH"),
        ("dark", "phone", "en-US"),
        ("dark", "between", "en-US"),
    ],
)
def test_axe_finds_nothing_serious_in_any_view(
    browser: Browser, service: Service, theme: str, size: str, locale: str
) -> None:
    with looking(browser, theme, size, locale) as page:
        page.goto(f"{service.url}/#/insights")
        expect(page.locator(".insights .quiet")).to_be_visible()
        found = {"no insights": serious(page)}
        page.goto(f"{service.url}/#/")
        reader = Reader(page, service)
        expect(page.locator(".examples")).to_be_visible()
        found["empty"] = serious(page)
        furnished(reader)
        found["thread"] = serious(page)
        for walk in WALKS:
            shut(reader)
            for view in walk:
                view(reader)
                found[view.__name__] = serious(page)
        shut(reader)
        page.goto(f"{service.url}/#/insights")
        expect(page.locator(".plot").first).to_be_visible()
        page.locator(".as-table summary").first.click()
        found["insights"] = serious(page)
        page.go_back()
        expect(reader.turn(5)).to_be_visible()
        deleted(reader)
        found["deleted"] = serious(page)
        page.goto(f"{service.url}/#/c/01900000-0000-7000-8000-000000000000")
        expect(page.locator(".empty .primary-button")).to_be_visible()
        found["gone"] = serious(page)
    assert found == {view: [] for view in found}


def shut(reader: Reader) -> None:
    """Come back to the conversation as it is after a reload."""
    reader.page.reload()
    expect(reader.page.locator("#composer")).to_be_visible()


@pytest.mark.parametrize(("theme", "size", "locale"), [("light", "desk", "en-US"), ("dark", "phone", "fil-PH")])
def test_axe_finds_nothing_serious_in_the_sign_in(
    browser: Browser, tmp_path: Path, theme: str, size: str, locale: str
) -> None:
    with (
        serving(str(tmp_path / "gunita.db"), require_auth=True, background=False) as service,
        looking(browser, theme, size, locale) as page,
    ):
        page.goto(service.url)
        expect(page.locator("[name=secret]")).to_be_focused()
        found: dict[str, Any] = {"sign-in": serious(page)}
        page.locator("[name=secret]").fill("gunita_wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        found["refused"] = serious(page)
    assert found == {view: [] for view in found}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_no_model_is_connected(browser: Browser, quoting: Service, theme: str) -> None:
    with looking(browser, theme, "desk", "en-US") as page:
        Reader(page, quoting).visit().ask("Hello there")
        expect(page.get_by_role("note")).to_be_visible()
        assert serious(page) == []
