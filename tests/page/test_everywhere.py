"""What holds everywhere: weight, smoothness, phone, keyboard, themes, languages, and that everybody can use it."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from gunita.server import page as served
from tests.api.service import Service, serving
from tests.page.browser import Watch
from tests.page.reader import Reader
from tests.page.test_pointing import with_history

LIGHT_ENOUGH = 150_000
LONGEST_TASK = 100


def seeded(service: Service, turns: int) -> str:
    """Write a long conversation past Gunita, row by row, which is much faster than talking."""
    with service.opened() as gunita:
        session = str(gunita.sessions.create_session("anonymous"))
    now = time.time_ns() // 1000
    said = [
        (session, number, role, str(uuid4()), content, now)
        for number in range(1, turns + 1)
        for role, content in (
            ("user", f"question {number}"),
            ("assistant", f"Answer **{number}**: " + "salita at salita, " * (number % 30)),
        )
    ]
    with closing(sqlite3.connect(service.database)) as database, database:
        database.executemany(
            "INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at)"
            " VALUES ('', ?, ?, ?, ?, 'anonymous', ?, ?)",
            said,
        )
        database.execute(
            "UPDATE conversations SET turn_count = ?, message_count = ? WHERE id = ?", (turns, 2 * turns, session)
        )
    return session


def test_the_first_paint_is_light_and_asks_nobody_else(page: Page, service: Service) -> None:
    watch = Watch(page, service.url)
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    Reader(page, service).visit()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 20
    assert sum(sizes) < LIGHT_ENOUGH
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
def still(tmp_path: Path) -> Iterator[Service]:
    """A service that reads nothing in the background, so that the browser has the machine."""
    with serving(str(tmp_path / "gunita.db"), background=False) as service:
        yield service


def longest_task(trace: bytes) -> float:
    """Find the longest task of the page's own thread, in milliseconds of the processor's time.

    What a task waits while other programs have the processor says nothing about the page.
    """
    events = json.loads(trace)["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in events if event.get("ph") == "X" and event["name"].endswith("RunTask")]
    return max(task["tdur"] for task in tasks if (task["pid"], task["tid"]) in threads and "tdur" in task) / 1000


def test_ten_thousand_messages_scroll_without_a_long_task(page: Page, browser: Browser, still: Service) -> None:
    session = seeded(still, 5_000)
    reader = Reader(page, still).visit(f"#/c/{session}")
    expect(reader.turn(5_000)).to_be_in_viewport()
    thread = page.locator(".thread")
    thread.hover()
    browser.start_tracing(page=page, categories=["toplevel"])
    for _ in range(60):
        page.mouse.wheel(0, -1_500)
        page.wait_for_timeout(30)
    assert longest_task(browser.stop_tracing()) < LONGEST_TASK
    shown = int(reader.turns.first.get_attribute("data-turn") or 0)
    assert shown < 4_900
    assert reader.turns.count() <= 60
    for _ in range(10):
        page.mouse.wheel(0, 1_500)
        page.wait_for_timeout(30)
    numbers = reader.turns.evaluate_all("turns => turns.map(turn => Number(turn.dataset.turn))")
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_what_is_looked_at_keeps_its_place_while_earlier_turns_come(page: Page, still: Service) -> None:
    session = seeded(still, 200)
    reader = Reader(page, still).visit(f"#/c/{session}")
    expect(reader.turn(200)).to_be_in_viewport()
    thread = page.locator(".thread")
    with page.expect_response(lambda answer: "before=181" in answer.url):
        thread.evaluate("box => { box.scrollTop = 300; }")
        before = thread.evaluate(TOP_TURN)
    expect(reader.turn(161)).to_be_attached()
    assert thread.evaluate(TOP_TURN) == before


TOP_TURN = """box => {
    const top = box.getBoundingClientRect().top;
    const turn = [...box.querySelectorAll('[data-turn]')].find(one => one.getBoundingClientRect().bottom > top);
    return [turn.dataset.turn, Math.round(turn.getBoundingClientRect().top)];
}"""


def test_on_a_phone_the_sidebar_opens_over_the_thread_and_nothing_sticks_out(
    browser: Browser, service: Service
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True, reduced_motion="reduce", locale="en-US"
    )
    page = context.new_page()
    reader = Reader(page, service).visit().ask("What is the capital of France?")
    sidebar = page.locator(".sidebar")
    expect(sidebar).not_to_be_visible()
    page.get_by_role("button", name="Show or hide conversations").click()
    expect(sidebar).to_be_visible()
    reader.entries.first.tap()
    expect(sidebar).not_to_be_visible()
    reader.button("What is known about you").click()
    expect(page.locator(".drawer")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


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
    page.keyboard.press("Control+k")
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


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in found
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(reader: Reader, theme: str) -> None:
    page = reader.page
    # axe is put in by the test, which the page's own policy rightly forbids; it reads, and changes nothing.
    context = page.context.browser.new_context(
        bypass_csp=True, color_scheme=theme, reduced_motion="reduce", locale="en-US"
    )
    looking = Reader(context.new_page(), reader.service).visit()
    found = {"empty": serious(looking.page)}
    with_history(looking).ask("Tell me more about yung una")
    found["thread"] = serious(looking.page)
    looking.button("Context of turn 5").click()
    expect(looking.page.locator(".receipt-line").first).to_be_visible()
    found["receipt"] = serious(looking.page)
    reader.service.client.post("/api/memories", json={"content": "Likes mango", "memory_type": "preference"})
    looking.page.keyboard.press("Alt+m")
    expect(looking.page.locator(".memory-card")).to_be_visible()
    found["memories"] = serious(looking.page)
    looking.page.keyboard.press("Escape")
    looking.write("the seventh one")
    expect(looking.page.locator(".choices")).to_be_visible()
    found["clarification"] = serious(looking.page)
    looking.page.goto(f"{reader.service.url}/#/insights")
    expect(looking.page.locator(".plot").first).to_be_visible()
    found["insights"] = serious(looking.page)
    looking.page.keyboard.press("?")
    found["help"] = serious(looking.page)
    context.close()
    assert found == {view: [] for view in found}
