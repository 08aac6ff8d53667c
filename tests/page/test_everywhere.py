"""What holds everywhere: weight, policy, phone, keyboard, focus, motion, themes and languages."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from gunita.server import page as served
from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service
from tests.page.browser import Watch
from tests.page.conftest import PATIENCE
from tests.page.reader import Reader
from tests.page.test_pointing import with_history

LIGHT_ENOUGH = 150_000


def test_the_first_paint_is_light_and_asks_nobody_else(page: Page, service: Service) -> None:
    watch = Watch(page, service.url)
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    Reader(page, service).visit()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 20
    assert sum(sizes) < LIGHT_ENOUGH
    # All modules are asked for at once, and not as one finds the next.
    modules = {name for name in served.load().assets if name.endswith((".js", ".mjs"))}
    preloads = page.locator("link[rel=modulepreload]")
    named = preloads.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert {address.removeprefix("/page/") for address in named} == modules
    watch.check()


def test_files_are_asked_for_again_only_when_they_change(service: Service) -> None:
    for path in ("/", "/page/main.js"):
        first = service.client.get(path)
        assert first.headers["content-encoding"] == "gzip"
        assert first.headers["content-security-policy"] == served.load().policy
        again = service.client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    plain = httpx.get(f"{service.url}/page/main.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for missing in (
        "/page/nothing.js",
        "/page/../app.py",
        "/page/%2e%2e/app.py",
        "/page/__init__.py",
        "/page/index.html",
    ):
        assert service.client.get(missing).status_code == 404


def test_a_stranger_s_page_may_not_frame_it_and_no_script_but_ours_may_run(service: Service) -> None:
    policy = service.client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy


@pytest.fixture
def on_a_phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True, reduced_motion="reduce", locale="en-US"
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


STICKING_OUT = """() => [...document.querySelectorAll('.shell *')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }))
    .filter(one => !one.closest('pre, .table-frame, .unseen, .skip'))
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
    .map(one => `${one.localName}.${one.className}`)"""


def test_on_a_phone_the_sidebar_opens_over_the_thread_and_nothing_sticks_out(
    on_a_phone: Page, service: Service, model: ScriptedModel
) -> None:
    page = on_a_phone
    address = "https://example.org/" + "without/a/space/" * 12
    model.answer = lambda _: f"{address}\n\n- {address}\n\n| a | b |\n| --- | --- |\n| {address} | `{address}` |"
    reader = with_history(Reader(page, service).visit()).ask("Tell me more about yung una, and a_very_long_word" * 4)
    assert page.evaluate(STICKING_OUT) == []
    sidebar = page.locator(".sidebar")
    expect(sidebar).not_to_be_visible()
    page.get_by_role("button", name="Show or hide conversations").click()
    expect(sidebar).to_be_visible()
    expect(sidebar).to_be_in_viewport(ratio=1)
    assert page.evaluate(STICKING_OUT) == []
    reader.entries.first.tap()
    expect(sidebar).not_to_be_visible()
    reader.button("Context of turn 5").tap()
    expect(page.locator(".receipt-line").first).to_be_visible()
    assert page.locator(".drawer").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 780}
    assert page.evaluate(STICKING_OUT) == []
    page.goto(f"{service.url}/#/insights")
    expect(page.locator(".plot").first).to_be_visible()
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_what_is_opened_while_the_page_still_loads_stays_open(on_a_phone: Page, service: Service) -> None:
    page = on_a_phone
    held: list[Route] = []
    page.route("**/api/about", lambda route: held.append(route))
    page.goto(service.url)
    expect(page.locator("#composer")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.locator("#search")).to_be_focused()
    held[0].continue_()
    expect(page.locator(".examples")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#search")).to_be_focused()


def test_on_a_phone_a_jump_from_a_panel_uncovers_the_thread(on_a_phone: Page, quoting: Service) -> None:
    page = on_a_phone
    with quoting.opened() as gunita:
        session = gunita.sessions.create_session("anonymous")
        gunita.sessions.store_turn(session, "anonymous", "I live in Davao.", "Sige.")
        gunita.memories.extract_memories(session)
    reader = Reader(page, quoting).visit(f"#/c/{session}").ask("What is the weather like?")
    reader.button("What is known about you").tap()
    page.get_by_role("button", name="Where it came from").tap()
    expect(reader.turn(1)).to_be_focused()
    expect(page.locator(".drawer")).to_have_count(0)
    reader.button("Context of turn 2").tap()
    page.locator(".receipt-turn").first.tap()
    expect(page.locator(".drawer")).to_have_count(0)
    expect(reader.turn(1)).to_be_focused()
    expect(reader.turn(1)).to_be_in_viewport()


def test_between_a_phone_and_a_desk_an_open_panel_takes_the_place_of_the_sidebar(reader: Reader) -> None:
    page = reader.page
    page.set_viewport_size({"width": 1024, "height": 768})
    reader.ask("What is the capital of France?")
    sidebar = page.locator(".sidebar")
    expect(sidebar).to_be_visible()
    reader.button("What is known about you").click()
    expect(sidebar).not_to_be_visible()
    thread, panel = page.locator(".thread").bounding_box(), page.locator(".drawer").bounding_box()
    assert thread is not None
    assert panel is not None
    assert thread["x"] + thread["width"] <= panel["x"]
    page.keyboard.press("Control+k")
    expect(page.locator("#search")).to_be_focused()
    expect(page.locator(".drawer")).to_have_count(0)


def test_a_menu_near_the_end_opens_where_it_can_be_seen_whole(reader: Reader) -> None:
    with_history(reader).ask("Tell me more about yung una")
    reader.turn(5).locator(".correction > summary").click()
    choices = reader.turn(5).locator(".correction .menu-body button")
    for choice in choices.all():
        expect(choice).to_be_in_viewport(ratio=1)
    last, composer = choices.last.bounding_box(), reader.page.locator(".composer-box").bounding_box()
    assert last is not None
    assert composer is not None
    assert last["y"] + last["height"] <= composer["y"]
    assert max(choice.evaluate("one => one.scrollWidth - one.clientWidth") for choice in choices.all()) <= 0


def test_everything_is_reached_with_the_keyboard_alone(reader: Reader) -> None:
    page = reader.page
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the message box")).to_be_focused()
    page.keyboard.press("Enter")
    expect(reader.composer).to_be_focused()
    page.keyboard.type("What is the capital of France?")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("with a second line")
    page.keyboard.press("Enter")
    expect(reader.turn(1).locator(".bubble")).to_have_text("What is the capital of France?\nwith a second line")
    reader.settled()
    first = reader.conversation_id
    page.keyboard.press("Alt+n")
    expect(reader.composer).to_be_focused()
    page.keyboard.type("How do I cook adobo?")
    page.keyboard.press("Enter")
    expect(reader.turn(1).locator(".bubble")).to_have_text("How do I cook adobo?")
    reader.settled()
    page.keyboard.press("Alt+ArrowDown")
    expect(reader.turn(1).locator(".bubble")).to_contain_text("capital of France")
    assert reader.conversation_id == first
    page.keyboard.press("Alt+ArrowUp")
    expect(reader.turn(1).locator(".bubble")).to_have_text("How do I cook adobo?")
    page.keyboard.press("Control+k")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Alt+m")
    expect(page.get_by_role("heading", name="What is known about you")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Alt+i")
    expect(page.get_by_role("heading", name="Insights")).to_be_visible()


def place(page: Page) -> str:
    """Say where the focus is: in the sidebar, the head, the thread, the panel or the box one writes in."""
    found: str = page.evaluate(
        """() => {
            const part = document.activeElement.closest('.skip, .sidebar, .header, .thread, .composer, .drawer');
            return part?.classList[0] ?? 'nowhere';
        }"""
    )
    return found


def tabbed(page: Page, until: Locator, key: str = "Tab") -> list[str]:
    """Press Tab until somebody is there; the parts of the page on the way, each once."""
    parts: list[str] = []
    for _ in range(60):
        page.keyboard.press(key)
        if place(page) not in parts[-1:]:
            parts.append(place(page))
        if until.evaluate("one => one === document.activeElement"):
            return parts
    raise AssertionError(parts)


def test_focus_goes_through_the_page_as_it_is_read_and_comes_back_from_a_panel(reader: Reader) -> None:
    page = reader.page
    reader.ask("What is the capital of France?")
    page.reload()
    expect(reader.turns).to_have_count(1)
    assert tabbed(page, reader.composer) == ["skip", "sidebar", "header", "thread", "composer"]
    opener = reader.button("Context of turn 1")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Context of turn 1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".drawer").get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Enter")
    expect(opener).to_be_focused()


def test_a_choice_is_tapped_and_a_menu_used_with_the_keyboard_alone(reader: Reader) -> None:
    page = reader.page
    with_history(reader).composer.focus()
    page.keyboard.type("Tell me more about the seventh one")
    page.keyboard.press("Enter")
    choice = reader.turn(5).locator(".choices button").last
    expect(choice).to_be_visible()
    tabbed(page, choice, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(reader.turn(6).locator(".reference")).to_be_visible()
    menu = page.locator(".header-actions .menu")
    reader.settled().composer.focus()
    tabbed(page, menu.locator("summary"), "Shift+Tab")
    page.keyboard.press("Enter")
    tabbed(page, menu.get_by_role("button", name="Archive"))
    page.keyboard.press("Enter")
    reader.told("Conversation archived.")
    expect(menu.locator(".menu-body")).not_to_be_visible()


SLOWEST = """() => Math.max(...[...document.querySelectorAll('*')].flatMap(one => {
    const style = getComputedStyle(one);
    return `${style.animationDuration},${style.transitionDuration}`.split(',').map(parseFloat);
}))"""
HOW_IT_SCROLLS = """() => {
    const scroll = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (how) {
        (window.scrolled ??= []).push(how.behavior ?? 'auto');
        return scroll.call(this, how);
    };
}"""


def test_somebody_who_wants_no_motion_gets_none(reader: Reader) -> None:
    page = reader.page
    with_history(reader).ask("Tell me more about yung una")
    page.evaluate(HOW_IT_SCROLLS)
    for motion, slowest in (("reduce", 0.001), ("no-preference", 0.2)):
        page.emulate_media(reduced_motion=motion)
        page.evaluate("window.scrolled = []")
        reader.turn(5).locator(".reference").click()
        expect(reader.turn(1)).to_be_focused()
        assert ("smooth" in page.evaluate("window.scrolled")) is (motion == "no-preference")
        assert (page.evaluate(SLOWEST) > slowest) is (motion == "no-preference")
        expect(reader.turn(1)).to_have_class("turn")


def test_the_theme_follows_the_system_until_one_is_chosen(reader: Reader) -> None:
    page, body = reader.page, reader.page.locator("body")
    light, dark = "rgb(244, 246, 243)", "rgb(14, 21, 20)"
    page.emulate_media(color_scheme="light")
    expect(body).to_have_css("background-color", light)
    page.emulate_media(color_scheme="dark")
    expect(body).to_have_css("background-color", dark)
    page.locator(".sidebar-foot .menu > summary").click()
    page.get_by_label("Theme").select_option("Light")
    expect(body).to_have_css("background-color", light)
    page.reload()
    expect(reader.composer).to_be_visible()
    expect(body).to_have_css("background-color", light)


def test_the_page_speaks_filipino(reader: Reader) -> None:
    page = reader.page
    page.locator(".sidebar-foot .menu > summary").click()
    page.get_by_label("Language").select_option("Filipino")
    expect(page.get_by_role("heading", name="Magtanong minsan. Balikan kahit kailan.")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fil")
    page.reload()
    expect(page.get_by_label("Mensahe")).to_be_visible()
    cut = page.locator(".foot-link span").evaluate_all(
        "texts => texts.map(text => text.scrollWidth - text.clientWidth)"
    )
    assert max(cut) <= 0
