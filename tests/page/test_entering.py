"""Who is asking: signing in, and the notices of a service that has no model."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service, serving
from tests.page.browser import Watch
from tests.page.reader import Reader


@pytest.fixture
def guarded(tmp_path: Path, model: ScriptedModel):
    with serving(
        str(tmp_path / "gunita.db"), require_auth=True, llm_base_url=model.url, llm_model="scripted", llm_retries=0
    ) as service:
        yield service


def key_for(service: Service, user_id: str) -> str:
    with service.opened() as gunita:
        return gunita.keys.create_key("page", role="user", user_id=user_id).secret


def sign_in(page: Page, secret: str) -> None:
    page.get_by_label("API key or token").fill(secret)
    page.get_by_role("button", name="Sign in").click()


def test_a_guarded_service_asks_who_is_there_and_keeps_the_key_in_this_tab(page: Page, guarded: Service) -> None:
    watch = Watch(page, guarded.url)
    secret = key_for(guarded, "juan")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(guarded.url)
    sign_in(page, "gunita_wrong")
    expect(page.get_by_role("alert")).to_have_text("That key or token was not accepted.")
    sign_in(page, secret)
    reader = Reader(page, guarded).ask("Who am I?")
    assert guarded.as_(secret).get("/api/conversations").json()["items"][0]["user_id"] == "juan"
    page.reload()
    expect(reader.turns).to_have_count(1)
    assert page.evaluate("JSON.stringify(localStorage)").find(secret) < 0
    assert not any(secret in address for address in [*addresses, page.url])
    page.locator(".sidebar-foot .menu > summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key or token")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('gunita.secret')") is None
    watch.check()


def test_one_user_sees_nothing_of_another(page: Page, guarded: Service) -> None:
    page.goto(guarded.url)
    sign_in(page, key_for(guarded, "juan"))
    juan = Reader(page, guarded).ask("A secret of Juan’s")
    his = juan.conversation_id
    page.evaluate("sessionStorage.clear()")
    page.goto(f"{guarded.url}/#/c/{his}")
    page.reload()
    sign_in(page, key_for(guarded, "maria"))
    expect(page.get_by_role("heading", name="This conversation is forgotten")).to_be_visible()
    expect(page.locator(".sidebar .entry")).to_have_count(0)


def test_a_service_without_a_model_says_so_and_answers_from_memory(page: Page, quoting: Service) -> None:
    reader = Reader(page, quoting).visit()
    notice = page.get_by_role("note")
    expect(notice).to_contain_text("No language model is connected")
    expect(notice).to_contain_text("GUNITA_LLM_BASE_URL")
    reader.ask("What is the capital of France?")
    expect(reader.turn(1).locator(".prose")).to_contain_text("answer from memory alone")
    notice.get_by_role("button", name="Dismiss").click()
    page.reload()
    expect(reader.turns).to_have_count(1)
    expect(notice).to_have_count(0)


def test_a_service_may_talk_as_another_user(reader: Reader) -> None:
    reader.ask("I am nobody in particular")
    page = reader.page
    page.locator(".sidebar-foot .menu > summary").click()
    page.get_by_label("Talking as").fill("maria")
    page.get_by_label("Talking as").press("Enter")
    expect(reader.entries).to_have_count(0)
    reader.ask("I am Maria")
    owners = {item["user_id"] for item in reader.service.get("/api/conversations")["items"]}
    assert owners == {"anonymous", "maria"}
