"""What the page says while things really fail: a service or a PostgreSQL stopped, a file nobody may write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.api.scripted_model import Manner, ScriptedModel
from tests.api.service import serving
from tests.faults.conftest import Fragile, fragile, fragile_url, quick  # noqa: F401
from tests.faults.faults import assert_whole, wait_until
from tests.faults.tcp_proxy import TcpProxy
from tests.faults.test_sqlite_away import locked_by_another_process
from tests.page.reader import Reader

STEP = 5_000
MOST_STEPS = 40


@pytest.fixture
def settings(model: ScriptedModel, quick: dict[str, Any]) -> dict[str, Any]:  # noqa: F811
    return quick | {"llm_base_url": model.url, "llm_model": "scripted", "llm_retries": 0, "background": False}


@contextmanager
def stopped(fragile: Fragile) -> Iterator[None]:  # noqa: F811
    fragile.stop()
    try:
        yield
    finally:
        fragile.start()


def not_sent(reader: Reader) -> Any:
    """Let the page's waits pass until it has given up; what it says then."""
    problem = reader.turns.last.get_by_role("alert")
    for _ in range(MOST_STEPS):
        if problem.count() > 0:
            break
        reader.page.clock.run_for(STEP)
    expect(problem).to_contain_text("Not sent.")
    return problem


def look_again(page: Page) -> None:
    """Do what the page does every twenty seconds, and when somebody comes back to it."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_what_could_not_be_sent_says_so_and_is_sent_when_the_service_is_back(
    page: Page, tmp_path: Path, settings: dict[str, Any]
) -> None:
    page.clock.install()
    database = str(tmp_path / "gunita.db")
    with serving(database, **settings) as service:
        reader = Reader(page, service).visit().ask("Hello there")
    reader.write("Is anybody there?")
    problem = not_sent(reader)
    expect(problem).to_contain_text("The service could not be reached.")
    expect(page.locator(".notice.strong")).to_contain_text("The service does not answer")
    reader.choose("Export: JSON").told("That could not be written out.")
    port = int(service.url.rpartition(":")[2])
    with serving(database, port=port, **settings):
        problem.get_by_role("button", name="Try again").click()
        expect(reader.turn(2).locator(".prose")).to_contain_text("Is anybody there?")
        expect(page.locator(".notice.strong")).to_have_count(0)
        assert_whole(database, reader.conversation_id, ["Hello there", "Is anybody there?"])


def test_a_line_that_breaks_in_mid_answer_is_taken_up_where_it_broke(
    page: Page, tmp_path: Path, model: ScriptedModel, settings: dict[str, Any]
) -> None:
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    with serving(str(tmp_path / "gunita.db"), **settings) as service:
        wire = TcpProxy(int(service.url.rpartition(":")[2]))
        reader = Reader(page, replace(service, url=f"http://127.0.0.1:{wire.port}")).visit().write("Count for me")
        model.allow(2)
        expect(reader.turn(1).locator(".speaking")).to_have_text("one two")
        wire.cut()
        expect(reader.turn(1)).to_contain_text("The line broke.")
        model.allow(1)
        with page.expect_request(lambda request: "/chat/stream/" in request.url) as taken_up:
            wire.mend()
        assert int(taken_up.value.headers["last-event-id"]) >= 2
        expect(reader.turn(1).locator(".response .prose")).to_have_text("one two three")
        reader.settled()
        expect(page.locator(".notice.strong")).to_have_count(0)
        assert_whole(service.database, reader.conversation_id, ["Count for me"])
        wire.close()


def test_what_the_service_refuses_says_why(page: Page, tmp_path: Path, settings: dict[str, Any]) -> None:
    with serving(str(tmp_path / "gunita.db"), max_text_characters=200, **settings) as service:
        reader = Reader(page, service).visit().ask("Hello there").write("word " * 100)
        problem = reader.turns.last.get_by_role("alert")
        expect(problem).to_contain_text("Not sent.")
        expect(problem).to_contain_text("200")
        assert_whole(service.database, reader.conversation_id, ["Hello there"])


def test_a_database_that_is_away_is_told_of_until_it_is_back_and_the_talk_goes_on(
    page: Page,
    fragile: Fragile,  # noqa: F811
    fragile_url: str,  # noqa: F811
    settings: dict[str, Any],
) -> None:
    with serving(fragile_url, **settings) as service:
        reader = Reader(page, service).visit().ask("What does a visa to Japan cost?")
        notice = page.locator(".notice.strong")
        with stopped(fragile):
            reader.ask("And for my sister?")
            expect(reader.turn(2).locator(".warning").last).to_contain_text("waits in the journal")
            look_again(page)
            expect(notice).to_contain_text("Memory is limited right now")
            # What is kept aside is safe: nobody is asked to save it.
            expect(reader.turn(2).get_by_role("alert")).to_have_count(0)
        wait_until(lambda: service.get("/readyz")["status"] != "degraded")
        notice.get_by_role("button", name="Try again").click()
        expect(notice).to_have_count(0)
        assert_whole(fragile_url, reader.conversation_id, ["What does a visa to Japan cost?", "And for my sister?"])
        page.reload()
        expect(reader.turns).to_have_count(2)


def test_where_nothing_can_be_kept_the_page_says_so_and_sends_again_later(
    page: Page,
    fragile: Fragile,  # noqa: F811
    fragile_url: str,  # noqa: F811
    settings: dict[str, Any],
) -> None:
    page.clock.install()
    with serving(fragile_url, fallback=False, **settings) as service:
        reader = Reader(page, service).visit().ask("Hello there")
        with stopped(fragile):
            reader.write("Will you remember this?")
            problem = not_sent(reader)
            look_again(page)
            expect(page.locator(".notice.strong")).to_contain_text("nothing new can be kept")
        wait_until(lambda: service.client.get("/readyz").status_code == 200)
        problem.get_by_role("button", name="Try again").click()
        expect(reader.turn(2).locator(".prose")).to_contain_text("Will you remember this?")
        reader.settled()
        assert_whole(fragile_url, reader.conversation_id, ["Hello there", "Will you remember this?"])


def test_an_answer_that_could_not_be_kept_says_so_and_can_be_saved_again(
    page: Page, tmp_path: Path, model: ScriptedModel, settings: dict[str, Any]
) -> None:
    database = tmp_path / "gunita.db"
    with serving(str(database), fallback=False, sqlite_busy_seconds=0.1, **settings) as service:
        reader = Reader(page, service).visit().ask("Hello there")
        kept = reader.conversation_id
        model.manner = Manner.WAITING
        reader.write("Remember this")
        model.wait_until_asked(2)
        with locked_by_another_process(database):
            model.allow(100)
            problem = reader.turn(2).get_by_role("alert")
            expect(problem).to_contain_text("This answer was not saved.")
            problem.get_by_role("button", name="Save it").click()
            reader.told("It could not be saved.")
            expect(problem).to_contain_text("This answer was not saved.")
            with page.expect_response(lambda answer: "/turns?limit=" in answer.url):
                look_again(page)
            expect(reader.turn(2).locator(".prose")).to_have_text("You asked: Remember this")
        named = {"title": "Can be written again"}
        wait_until(lambda: service.client.patch(f"/api/conversations/{kept}", json=named).status_code == 200)
        problem.get_by_role("button", name="Save it").click()
        expect(page.locator(".toast").get_by_text("Saved.", exact=True)).to_be_visible()
        expect(problem).to_have_count(0)
        assert_whole(str(database), kept, ["Hello there", "Remember this"])
        page.reload()
        expect(reader.turn(2).locator(".prose")).to_have_text("You asked: Remember this")
        expect(page.get_by_role("alert")).to_have_count(0)
