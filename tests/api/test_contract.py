"""The OpenAPI document against the running service: whatever fits it, and much that does not, is answered properly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from tests.api.any_input import FEW, MANY, answers_to_anything, without_credentials
from tests.api.service import Service


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_no_input_makes_the_service_fail(standing: Service, kind: str, cases: int, session: requests.Session) -> None:
    statuses = answers_to_anything(standing, open_document(standing), kind, cases, session)
    assert 401 not in statuses
    assert 200 in statuses


def open_document(service: Service) -> dict[str, Any]:
    return without_credentials(service.get("/openapi.json"))
