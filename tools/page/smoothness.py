"""Measures the page at 10,000 messages: the longest tasks while somebody scrolls, and the weight of the first paint.

Beside it stands a page of plain paragraphs without any script, scrolled in the same way: what is long there too is the
machine's doing.

python -m tools.page.smoothness [--wheel 200]            print the figures
python -m tools.page.smoothness --docs docs/benchmarks   write them to page.md as well
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.timing import circumstances
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
    new PerformanceObserver(note).observe({ type: 'longtask' });
}"""


@dataclass(frozen=True)
class Smoothness:
    """What one ride took; a task is long from 50 ms on."""

    long_tasks: list[float]

    def row(self, name: str) -> str:
        over = sum(ms > 100 for ms in self.long_tasks)
        longest = f"{max(self.long_tasks):.0f}" if self.long_tasks else "under 50"
        return f"| {name} | {len(self.long_tasks)} | {over} | {longest} |"


def ride(page: Page, wheel_turns: int) -> Smoothness:
    """Scroll up, turn by turn of the wheel, and note what the page's thread did."""
    page.wait_for_timeout(1_000)
    page.evaluate(NOTE_LONG_TASKS)
    for _ in range(wheel_turns):
        page.mouse.wheel(0, -WHEEL)
        page.wait_for_timeout(BETWEEN)
    return Smoothness(page.evaluate("window.longTasks"))


def weight(page: Page, service: Service) -> int:
    """Open the page for the first time; the bytes that took."""
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(service.url)
    page.locator("#composer").wait_for()
    page.wait_for_load_state("networkidle")
    return sum(sizes)


def measured(wheel_turns: int) -> tuple[str, str]:
    """Open the page for the first time, ride through the long conversation, and beside it through plain paragraphs.

    Gives the browser's version and the report.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"{folder}/long.db", background=False) as service,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        first_paint = weight(page, service)
        page.goto(f"{service.url}/#/c/{seeded(service, STORED_TURNS)}")
        page.locator(f'[data-turn="{STORED_TURNS}"]').wait_for()
        page.locator(".thread").hover()
        through_turns = ride(page, wheel_turns)
        shown = page.locator("article.turn").first.get_attribute("data-turn")
        page.close()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_content("<p>A plain paragraph.</p>" * STORED_TURNS)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.mouse.move(600, 400)
        plain = ride(page, wheel_turns)
        version = browser.version
    report = REPORT.format(
        wheel_turns=wheel_turns,
        passed=STORED_TURNS - int(shown or 0),
        turns=through_turns.row(f"the page, {2 * STORED_TURNS:,} messages"),
        plain=plain.row("plain paragraphs, no script"),
        first_paint=first_paint,
    )
    return version, report


REPORT = """## Scrolling through 10,000 messages

{wheel_turns} turns of the wheel upwards, {passed:,} turns of the conversation passed; the page fetches them as they
come near. A task is long from 50 ms on; the promise is none over 100 ms. The second line is a page without any script,
scrolled in the same way: what is long there too is the machine's doing. The browser tells of its tasks by the clock;
where other work runs beside, they wait for their turn and are longer: read the load above with the figures.

| what | long tasks | over 100 ms | longest, ms |
| --- | ---: | ---: | ---: |
{turns}
{plain}

## The first paint

{first_paint:,} bytes came over the line, compressed, with everything the page is made of; the promise is under 150,000.
`tests/page/test_everywhere.py` holds it at every change, and that nothing is asked for elsewhere.
"""


def write(folder: Path, about: Mapping[str, str], report: str) -> None:
    """Write what was measured, and where, to page.md."""
    lines = "\n".join(f"- {name}: {value}" for name, value in about.items())
    beginning = (
        "# The page\n\nHow smoothly it scrolls and how much it weighs. Written by "
        "`python -m tools.page.smoothness --docs docs/benchmarks`."
    )
    (folder / "page.md").write_text(f"{beginning}\n\n{lines}\n\n{report}", encoding="utf-8")


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--wheel", type=int, default=200, help="turns of the wheel")
    wanted.add_argument("--docs", type=Path, help="folder to write page.md to")
    given = wanted.parse_args()
    about = circumstances([])
    version, report = measured(given.wheel)
    print(report)
    if given.docs:
        write(given.docs, about | {"Chromium": version}, report)


if __name__ == "__main__":
    main()
