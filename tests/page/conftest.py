"""A real service, a real browser, and a model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.api.conftest import _no_settings_of_this_machine  # noqa: F401
from tests.api.scripted_model import ScriptedModel, speaking
from tests.api.service import Service, serving
from tests.page.browser import Watch, launched
from tests.page.reader import Reader

# A busy machine may take long to do what a person would see at once.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with speaking() as model:
        yield model


@pytest.fixture
def service(tmp_path: Path, model: ScriptedModel) -> Iterator[Service]:
    database = str(tmp_path / "gunita.db")
    with serving(database, llm_base_url=model.url, llm_model="scripted", llm_retries=0) as service:
        yield service


@pytest.fixture
def quoting(tmp_path: Path) -> Iterator[Service]:
    """A service that answers from memory alone."""
    with serving(str(tmp_path / "gunita.db")) as service:
        yield service


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Service]:
    """A service that keeps what was said for a month, and does nothing by itself."""
    with serving(str(tmp_path / "gunita.db"), retention_hours=720, background=False) as service:
        yield service


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def reader(page: Page, service: Service) -> Iterator[Reader]:
    """Somebody with the page open."""
    watch = Watch(page, service.url)
    yield Reader(page, service).visit()
    watch.check()
