"""A service that asks everybody who they are, over each engine, and people of two tenants in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.api.conftest import _no_settings_of_this_machine, model  # noqa: F401
from tests.conftest import new_database
from tests.security.people import Town, populated


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def town(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> Iterator[Town]:
    with ExitStack() as opened:
        if request.param == "sqlite":
            address = str(tmp_path_factory.mktemp("town") / "gunita.db")
        else:
            address = opened.enter_context(new_database(postgres_url))
        yield opened.enter_context(populated(address))
