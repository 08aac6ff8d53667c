"""The memory panel: what is known, entered, learnt, put right and forgotten."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import Locator, Page, expect

from gunita import ids
from tests.api.service import Service
from tests.page.reader import Reader


def opened(reader: Reader) -> Locator:
    reader.page.keyboard.press("Alt+m")
    panel = reader.page.get_by_role("complementary", name="What is known about you")
    expect(panel).to_be_visible()
    return panel


def add(panel: Locator, content: str, memory_type: str = "Fact", category: str = "") -> None:
    panel.get_by_role("button", name="Add a memory").click()
    expect(panel.get_by_label("What should be remembered")).to_be_focused()
    panel.get_by_label("What should be remembered").fill(content)
    panel.locator("select[name=type]").select_option(memory_type)
    panel.locator("input[name=category]").fill(category)
    panel.get_by_role("button", name="Add", exact=True).click()
    expect(panel.locator(".memory-card", has_text=content)).to_be_visible()


def test_a_memory_is_added_edited_pinned_and_deleted(reader: Reader) -> None:
    panel = opened(reader)
    expect(panel).to_contain_text("Nothing is known about you yet.")
    add(panel, "Lives in Davao")
    card = panel.locator(".memory-card")
    card.get_by_role("button", name="Edit").click()
    panel.get_by_label("What should be remembered").fill("Lives in Cebu")
    panel.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("Lives in Cebu")
    card.get_by_role("button", name="Pin").click()
    expect(card.get_by_role("button", name="Unpin")).to_be_visible()
    kept = reader.service.get("/api/memories")["items"]
    assert [(memory["content"], memory["pinned"], memory["user_id"]) for memory in kept] == [
        ("Lives in Cebu", True, "anonymous")
    ]
    card.get_by_role("button", name="History").click()
    expect(card.locator(".history")).to_contain_text("Lives in Davao")
    expect(card.locator(".history")).to_contain_text("edited")
    card.get_by_role("button", name="Forget").click()
    expect(card).to_have_count(0)
    assert reader.service.get("/api/memories")["items"] == []


def test_memories_are_filtered_by_type_category_and_words(reader: Reader) -> None:
    panel = opened(reader)
    add(panel, "Lives in Davao", "Fact", "home")
    add(panel, "Likes green mango", "Preference", "food")
    add(panel, "Writing a thesis", "Project")
    cards = panel.locator(".memory-card")
    expect(cards).to_have_count(3)
    panel.get_by_role("button", name="Preference 1").click()
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Likes green mango")
    panel.get_by_role("button", name="All 3").click()
    panel.get_by_label("Search memories").fill("thesis")
    expect(cards).to_have_count(1)
    panel.get_by_label("Search memories").fill("")
    panel.locator(".filters select").select_option("home")
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Lives in Davao")


def test_memories_are_learnt_on_demand_and_show_where_they_came_from(reader: Reader) -> None:
    reader.ask("I live in Davao and I work as a nurse.")
    reader.ask("What is the weather like?")
    panel = opened(reader)
    panel.get_by_role("button", name="Learn now").click()
    expect(panel.locator(".memory-card").first).to_be_visible(timeout=20_000)
    expect(panel).to_contain_text("Davao")
    panel.locator(".memory-card", has_text="Davao").get_by_role("button", name="Where it came from").click()
    expect(reader.turn(1)).to_be_focused()


def test_learning_shows_how_far_it_is(page: Page, quoting: Service) -> None:
    session = quoting.chat("I live in Davao and I work as a nurse.")["session_id"]
    page.clock.install()
    reader = Reader(page, quoting).visit(f"#/c/{session}")
    expect(reader.turns).to_have_count(1)
    # The page looks every half second how far the learning is; here, when the test lets time pass.
    page.clock.pause_at(ids.now() + timedelta(minutes=1))
    panel = opened(reader)
    panel.get_by_role("button", name="Learn now").click()
    told = panel.locator(".progress")
    expect(told).to_contain_text("Reading 0 of 1 messages")
    expect(told.get_by_role("progressbar")).to_be_visible()
    expect(panel.get_by_role("button", name="Learn now")).to_be_disabled()
    page.clock.resume()
    expect(panel.locator(".memory-card", has_text="Davao")).to_be_visible()
    expect(told).to_have_count(0)
    reader.told("Learnt 2 new.")


def test_a_memory_that_was_corrected_tells_what_it_said_before(page: Page, quoting: Service) -> None:
    with quoting.opened() as gunita:
        session = gunita.sessions.create_session("anonymous")
        for said in ("I live in Davao.", "Lumipat na ako sa Cebu."):
            gunita.sessions.store_turn(session, "anonymous", said, "Sige.")
            gunita.memories.extract_memories(session)
    card = opened(Reader(page, quoting).visit()).locator(".memory-card")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Cebu")
    card.get_by_role("button", name="History").click()
    expect(card.locator(".history li")).to_have_count(1)
    expect(card.locator(".history")).to_contain_text("I live in Davao")
    expect(card.locator(".history")).to_contain_text("corrected")
    card.get_by_role("button", name="Where it came from").click()
    expect(page.locator('article.turn[data-turn="2"]')).to_be_focused()
