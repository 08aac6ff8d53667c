"""Long histories: fetched as somebody scrolls, kept in their place, and no more work at 10,000 messages than at 400."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import CDPSession, Page, Request, expect

from tests.api.service import Service, serving
from tests.page.reader import Reader

MOST_HELD = 60
STEPS = 40
LAYOUTS_A_STEP = 12
"""Layouts of the page for one turn of the wheel, with what it fetches; reading a place turn by turn would take more."""


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


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Service]:
    """A service that reads nothing in the background, so that the browser has the machine."""
    with serving(str(tmp_path / "gunita.db"), background=False) as service:
        yield service


def layouts(browser: CDPSession) -> int:
    metrics = browser.send("Performance.getMetrics")["metrics"]
    return int(next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount"))


def noted(addresses: list[str], request: Request) -> None:
    addresses.append(request.url)


def scroll(page: Page, by: int) -> None:
    """Turn the wheel once, and wait until the page has drawn what came of it."""
    page.mouse.wheel(0, by)
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def test_ten_thousand_messages_cost_a_scroll_no_more_than_a_few_hundred(page: Page, still: Service) -> None:
    """`python -m tools.page.smoothness` measures long tasks; here the work is counted, which no clock changes."""
    for turns in (200, 5_000):
        reader = Reader(page, still).visit(f"#/c/{seeded(still, turns)}")
        expect(reader.turn(turns)).to_be_in_viewport()
        page.locator(".thread").hover()
        browser = page.context.new_cdp_session(page)
        browser.send("Performance.enable")
        asked: list[str] = []
        note = partial(noted, asked)
        page.on("request", note)
        before = layouts(browser)
        for _ in range(STEPS):
            scroll(page, -1_500)
            assert reader.turns.count() <= MOST_HELD
        assert layouts(browser) - before <= STEPS * LAYOUTS_A_STEP
        page.remove_listener("request", note)
        assert len(asked) <= STEPS
        assert all("limit=20" in address for address in asked if "/turns?" in address)
        assert int(reader.turns.first.get_attribute("data-turn") or 0) < turns - MOST_HELD
        for _ in range(10):
            scroll(page, 1_500)
        numbers = reader.turns.evaluate_all("turns => turns.map(turn => Number(turn.dataset.turn))")
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


TOP_TURN = """
    const top = box.getBoundingClientRect().top;
    const turn = [...box.querySelectorAll('[data-turn]')].find(one => one.getBoundingClientRect().bottom > top);
    return [turn.dataset.turn, Math.round(turn.getBoundingClientRect().top)];
"""


def test_what_is_looked_at_keeps_its_place_while_earlier_turns_come(page: Page, still: Service) -> None:
    session = seeded(still, 200)
    reader = Reader(page, still).visit(f"#/c/{session}")
    expect(reader.turn(200)).to_be_in_viewport()
    thread = page.locator(".thread")
    before = thread.evaluate(f"box => {{ box.scrollTop = 300; {TOP_TURN} }}")
    expect(reader.turn(161)).to_be_attached()
    assert thread.evaluate(f"box => {{ {TOP_TURN} }}") == before
