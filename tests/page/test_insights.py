"""Insights: plots that can be read by eye, by hovering and as tables."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.api.service import Service
from tests.page.reader import Reader


def test_an_empty_memory_says_that_there_is_nothing_to_show(reader: Reader) -> None:
    reader.page.goto(f"{reader.service.url}/#/insights")
    expect(reader.page.get_by_text("Nothing to show yet.")).to_be_visible()


def table(plot: Locator) -> list[tuple[str, int]]:
    """Open a plot's table and read it."""
    plot.get_by_text("As a table").click()
    rows = plot.locator("tbody tr")
    expect(rows.first).to_be_visible()
    read = [(row.locator("th").inner_text(), int(row.locator("td").inner_text())) for row in rows.all()]
    plot.get_by_text("As a table").click()
    return read


def test_every_plot_is_a_table_too_of_what_the_service_counts(page: Page, lasting: Service) -> None:
    with lasting.opened() as gunita:
        gunita.memories.create_memory("anonymous", "Lives in Davao", "fact")
        for size in (1, 2, 5):
            session = gunita.sessions.create_session("anonymous")
            for number in range(size):
                kind = ("ordinal", "topic")[number % 2]
                notes = {"intent": "reference", "kind": kind, "confidence": 0.9, "references": [1]} if number else {}
                gunita.sessions.store_turn(session, "anonymous", "visa requirements", "passport", notes)
    told = lasting.get("/api/insights", user_id="anonymous", days=30)
    Reader(page, lasting).visit().page.goto(f"{lasting.url}/#/insights")
    plots = {
        "Turns a day": [day["turns"] for day in told["days"]],
        "Turns in a conversation": [size["conversations"] for size in told["sizes"]],
        "How people point": [kind["count"] for kind in told["reference_kinds"]],
        "What it is about": [topic["count"] for topic in told["topics"]],
        "What queries were": [intent["count"] for intent in told["intents"]],
    }
    expect(page.locator(".plot h2")).to_have_text(list(plots))
    for title, counted in plots.items():
        assert sum(counted) > 0
        assert [count for _, count in table(page.locator(".plot", has_text=title))] == counted
    assert table(page.locator(".plot", has_text="Turns in a conversation"))[:3] == [("1", 1), ("2–3", 1), ("4–7", 1)]
    assert [name for name, _ in table(page.locator(".plot", has_text="What it is about"))] == [
        topic["name"] for topic in told["topics"]
    ]
    expect(page.locator(".row", has_text="by order")).to_have_attribute("title", "by order: 2 (40%)")
    kept = {"conversations": "3", "turns": "8", "memories": "1", "until forgotten": "30 days"}
    for name, value in kept.items():
        expect(page.locator(".number", has_text=name).locator("dd")).to_have_text(value)
    expect(page.locator(".number", has_text="characters").locator("dd")).to_have_text(f"{told['characters']:,}")


def test_plots_tell_what_the_service_counts(reader: Reader) -> None:
    with reader.service.opened() as gunita:
        for size in (1, 3, 9):
            session = gunita.sessions.create_session("anonymous")
            for number in range(size):
                notes = {"intent": "reference", "kind": "ordinal", "confidence": 0.9, "references": [1]}
                gunita.sessions.store_turn(
                    session, "anonymous", "visa requirements", "passport", notes if number else {}
                )
        gunita.sessions.store_turn(session, "anonymous", "the seventh", "which?", {"intent": "clarification"})
    page = reader.page
    page.get_by_role("link", name="Insights").click()
    expect(page.get_by_role("heading", name="Turns a day")).to_be_visible()
    expect(page.locator(".number", has_text="conversations").locator("dd")).to_have_text("3")
    expect(page.locator(".number", has_text="needed a question").locator("dd")).to_have_text("9%")
    kinds = page.locator(".plot", has_text="How people point")
    expect(kinds.locator(".row")).to_contain_text(["by order"])
    expect(kinds.locator(".row-value").first).to_have_text("10")
    activity = page.locator(".plot", has_text="Turns a day")
    activity.locator(".bar-group").last.hover()
    expect(activity.locator(".plot-value")).to_contain_text(": 14")
    drawn = activity.locator(".column-bar").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().height)")
    assert drawn[-1] > 50
    assert drawn[:-1] == [0] * 29
    # No bar covers a number of the scale.
    edges = "places => places.map(place => place.getBoundingClientRect())"
    numbers, bars = (activity.locator(what).evaluate_all(edges) for what in (".scale", ".column-bar"))
    assert max(number["right"] for number in numbers) < min(bar["left"] for bar in bars)
    [plot] = activity.locator("svg").evaluate_all(edges)
    assert plot["left"] <= min(number["left"] for number in numbers)
    widths = kinds.locator(".row-bar rect").evaluate_all("bars => bars.map(bar => Number(bar.getAttribute('width')))")
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 100
    activity.get_by_text("As a table").click()
    expect(activity.locator("tbody tr")).to_have_count(30)
    expect(activity.locator("tbody tr").last.locator("td")).to_have_text("14")
    page.get_by_label("Days").select_option("7 days")
    expect(activity.locator("tbody tr")).to_have_count(7)
    page.reload()
    expect(page.get_by_role("heading", name="Turns a day")).to_be_visible()
