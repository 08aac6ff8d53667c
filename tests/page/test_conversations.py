"""Conversations in the sidebar and the head: named, found, put away, taken out, written out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from gunita import Gunita
from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service
from tests.page.reader import Reader


def test_a_title_is_automatic_until_it_is_edited_in_place(reader: Reader) -> None:
    reader.ask("What is the capital of France?")
    title = reader.page.locator(".title button")
    expect(title).to_contain_text("capital of France")
    title.click()
    box = reader.page.get_by_label("Title")
    expect(box).to_be_focused()
    box.fill("Biyahe sa Paris")
    box.press("Enter")
    expect(title).to_contain_text("Biyahe sa Paris")
    expect(reader.entries.first).to_contain_text("Biyahe sa Paris")
    reader.ask("And of Spain?")
    reader.page.reload()
    expect(title).to_contain_text("Biyahe sa Paris")


def test_escape_leaves_a_title_as_it_was(reader: Reader) -> None:
    reader.ask("What is the capital of France?")
    title = reader.page.locator(".title button")
    expect(title).to_contain_text("capital of France")
    title.click()
    reader.page.get_by_label("Title").fill("Something else")
    reader.page.keyboard.press("Escape")
    expect(title).to_contain_text("capital of France")


def test_conversations_stand_under_the_day_of_their_last_word(page: Page, lasting: Service) -> None:
    noon = datetime.now(UTC).replace(hour=12)
    for days in (0, 1, 2, 9):
        then = noon - timedelta(days=days)
        with Gunita.open(lasting.database, clock=lambda then=then: then) as gunita:
            gunita.conversations.create_conversation("anonymous", f"{days} days ago")
    page.clock.set_fixed_time(noon)
    reader = Reader(page, lasting).visit()
    expect(page.locator(".group h2")).to_have_text(["Today", "Yesterday", "Earlier"])
    expect(page.locator(".group").nth(1).locator(".entry-title")).to_have_text(["1 days ago"])
    expect(reader.entries.locator(".entry-title")).to_have_text([f"{days} days ago" for days in (0, 1, 2, 9)])


def test_conversations_are_found_as_one_types_by_title_and_by_what_was_said(
    reader: Reader, model: ScriptedModel
) -> None:
    model.answer = lambda prompt: "Add peppercorns." if "adobo" in prompt[-1]["content"] else "A passport."
    reader.ask("What papers does a Japan visa need?")
    reader.begin_anew()
    reader.ask("How do I cook adobo with vinegar?")
    expect(reader.entries).to_have_count(2)
    search = reader.page.get_by_label("Search conversations").first
    search.press_sequentially("adob")
    expect(reader.entries).to_have_count(1)
    expect(reader.entries.locator("mark").first).to_contain_text("adob", ignore_case=True)
    search.fill("visa")
    expect(reader.entries).to_contain_text(["visa"])
    reader.entries.first.click()
    expect(reader.turn(1).locator(".bubble")).to_contain_text("Japan visa")
    search.fill("peppercorn")
    expect(reader.entries.locator("mark")).to_have_text(["peppercorns"])
    reader.entries.first.click()
    expect(reader.turn(1).locator(".bubble")).to_contain_text("adobo")
    search.fill("nothing like this zzzqqq")
    expect(reader.page.get_by_text("Nothing found for")).to_be_visible()
    search.press("Escape")
    expect(reader.entries).to_have_count(2)


def test_pinned_conversations_stand_first_and_say_that_they_stay(reader: Reader) -> None:
    reader.ask("What is the capital of France?")
    reader.begin_anew()
    reader.ask("How do I cook chicken adobo?")
    reader.entries.last.click()
    reader.button("Pin").click()
    expect(reader.page.get_by_role("heading", name="Pinned")).to_be_visible()
    expect(reader.entries.first).to_contain_text("capital of France")
    expect(reader.page.locator(".remaining")).to_contain_text("Kept, because it is pinned")
    reader.page.reload()
    expect(reader.entries.first).to_contain_text("capital of France")
    reader.button("Unpin").click()
    expect(reader.page.locator(".remaining")).to_contain_text("left")


def test_the_time_left_before_forgetting_is_told(reader: Reader) -> None:
    reader.ask("How long will you remember?")
    expect(reader.page.locator(".remaining")).to_have_text("24 h left")
    expect(reader.entries.first.locator(".left")).to_have_text("24 h")


def test_archived_conversations_leave_the_list_and_come_back(reader: Reader) -> None:
    reader.ask("Put me away")
    reader.choose("Archive").told("Conversation archived.")
    expect(reader.entries).to_have_count(0)
    reader.page.locator(".list").get_by_role("button", name="Archived").click()
    expect(reader.entries).to_have_count(1)
    reader.entries.first.click()
    reader.choose("Take out of the archive")
    expect(reader.entries).to_have_count(0)
    reader.page.locator(".list").get_by_role("button", name="Recent").click()
    expect(reader.entries).to_have_count(1)


def test_a_deletion_can_be_taken_back(reader: Reader) -> None:
    page = reader.page
    deletions: list[str] = []
    page.on("request", lambda request: request.method == "DELETE" and deletions.append(request.url))
    page.clock.install()
    reader.visit()
    reader.ask("Do not lose me")
    kept = reader.conversation_id
    reader.choose("Delete").told("Conversation deleted.")
    expect(reader.entries).to_have_count(0)
    reader.page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(reader.entries).to_have_count(1)
    expect(reader.turn(1).locator(".bubble")).to_have_text("Do not lose me")
    page.clock.run_for(10_000)
    page.reload()
    expect(reader.turns).to_have_count(1)
    assert deletions == []
    assert len(reader.service.turns(kept)) == 1


def test_a_deletion_is_carried_out_after_a_while_and_also_when_the_page_is_left(reader: Reader) -> None:
    page = reader.page
    page.clock.install()
    reader.visit()
    reader.ask("Delete me")
    first = reader.conversation_id
    reader.choose("Delete").told("Conversation deleted.")
    assert reader.service.client.get(f"/api/conversations/{first}").status_code == 200
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.clock.run_for(8_000)
    assert reader.service.client.get(f"/api/conversations/{first}").status_code == 404
    reader.ask("Delete me too")
    second = reader.conversation_id
    reader.choose("Delete").told("Conversation deleted.")
    page.goto("about:blank")
    reader.visit()
    expect(reader.entries).to_have_count(0)
    assert reader.service.client.get(f"/api/conversations/{second}").status_code == 404


def test_an_export_is_what_the_service_writes(reader: Reader, tmp_path: Path) -> None:
    reader.ask("What is the capital of France?").ask("And of Spain?")
    expect(reader.page.locator(".title")).to_contain_text("capital of France")
    for name, written_as, ending in (("Export: Markdown", "markdown", "md"), ("Export: JSON", "json", "json")):
        with reader.page.expect_download() as coming:
            reader.choose(name)
        assert coming.value.suggested_filename.endswith(f".{ending}")
        path = tmp_path / f"export.{ending}"
        coming.value.save_as(path)
        expected = reader.service.client.get(
            f"/api/conversations/{reader.conversation_id}/export", params={"format": written_as}
        )
        assert path.read_bytes() == expected.content


def test_long_lists_are_shown_page_by_page(reader: Reader) -> None:
    with reader.service.opened() as gunita:
        for number in range(60):
            session = gunita.sessions.create_session("anonymous")
            gunita.sessions.store_turn(session, "anonymous", f"question {number}", "answer")
    reader.page.reload()
    expect(reader.entries).to_have_count(50)
    reader.button("Show more").click()
    expect(reader.entries).to_have_count(60)
    expect(reader.button("Show more")).to_have_count(0)
