"""A running service over each engine, with and without a language model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.scripted_model import ScriptedModel, speaking
from tests.api.service import Service, serving
from tests.conftest import new_database


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    import os

    for name in list(os.environ):
        if name.startswith(("GUNITA_", "SUPABASE_")) and name != "GUNITA_TEST_POSTGRES":
            monkeypatch.delenv(name)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with speaking() as model:
        yield model


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def standing(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_url: str
) -> Iterator[Service]:
    """Answers from memory alone, one for all the tests of a file that leave nothing behind."""
    if request.param == "sqlite":
        with serving(str(tmp_path_factory.mktemp("standing") / "gunita.db")) as service:
            yield service
        return
    with new_database(postgres_url) as address, serving(address) as service:
        yield service


@pytest.fixture
def service(url: str) -> Iterator[Service]:
    """Answers from memory alone."""
    with serving(url) as service:
        yield service


@pytest.fixture
def talking(url: str, model: ScriptedModel) -> Iterator[Service]:
    """Answers by a scripted model."""
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0) as service:
        yield service
