"""Measures the page at 10,000 messages: the longest tasks while somebody scrolls, and the weight of the first paint.

Beside it stands a page of plain paragraphs without any script, scrolled in the same way: what is long there too is the
machine's doing.

python -m tools.page.smoothness [TURNS of the wheel]
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.api.service import Service, serving
from tests.page.browser import launched
from tests.page.test_scrolling import seeded

STORED_TURNS = 5_000
WHEEL = 1_500
BETWEEN = 30
"""Milliseconds between two turns of the wheel."""
NOTE_LONG_TASKS = """() => {
    window.longTasks = [];
    const note = list => longTasks.push(...list.getEntries().map(task => task.duration));
    new PerformanceObserver(note).observe({ type: 'longtask', buffered: true });
}"""


@dataclass(frozen=True)
class Smoothness:
    """What one ride took; a task is long from 50 ms on."""

    long_tasks: list[float]
    longest_ms: float
    longest_cpu_ms: float

    def __str__(self) -> str:
        over = sum(ms > 100 for ms in self.long_tasks)
        return (
            f"long tasks (over 50 ms): {len(self.long_tasks)}, over 100 ms: {over}; "
            f"longest: {self.longest_ms:.1f} ms by the clock, {self.longest_cpu_ms:.1f} ms of the processor"
        )


def tasks_of(trace: bytes) -> list[dict[str, Any]]:
    """Give the tasks of the page's own thread."""
    events = json.loads(trace)["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event
        for event in events
        if event.get("ph") == "X" and event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in threads
    ]


def ride(browser: Browser, page: Page, wheel_turns: int) -> Smoothness:
    """Scroll up, turn by turn of the wheel, and note what the page's thread did."""
    page.wait_for_timeout(1_000)
    page.evaluate(NOTE_LONG_TASKS)
    browser.start_tracing(page=page, categories=["toplevel"])
    for _ in range(wheel_turns):
        page.mouse.wheel(0, -WHEEL)
        page.wait_for_timeout(BETWEEN)
    tasks = tasks_of(browser.stop_tracing())
    return Smoothness(
        long_tasks=page.evaluate("window.longTasks"),
        longest_ms=max(task["dur"] for task in tasks) / 1_000,
        longest_cpu_ms=max(task.get("tdur", 0) for task in tasks) / 1_000,
    )


def weight(page: Page, service: Service) -> int:
    """Open the page for the first time; the bytes that took."""
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(service.url)
    page.locator("#composer").wait_for()
    page.wait_for_load_state("networkidle")
    return sum(sizes)


def main(wheel_turns: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"{folder}/long.db", background=False) as service,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        print(f"first paint: {weight(page, service):,} bytes transferred")
        page.goto(f"{service.url}/#/c/{seeded(service, STORED_TURNS)}")
        page.locator(f'[data-turn="{STORED_TURNS}"]').wait_for()
        page.locator(".thread").hover()
        print(f"{2 * STORED_TURNS:,} messages, {wheel_turns} turns of the wheel: {ride(browser, page, wheel_turns)}")
        shown = page.locator("article.turn").first.get_attribute("data-turn")
        print(f"turns passed: {STORED_TURNS - int(shown or 0):,}")
        page.close()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_content("<p>A plain paragraph.</p>" * STORED_TURNS)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.mouse.move(600, 400)
        print(f"a page without a script: {ride(browser, page, wheel_turns)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
