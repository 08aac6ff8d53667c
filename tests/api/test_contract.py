"""The OpenAPI document against the running service: whatever fits it, and much that does not, is answered properly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.api.service import Service

FEW, MANY = 6, 100
"""Inputs for each route, engine and kind of input; deterministic."""


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_no_input_makes_the_service_fail(standing: Service, kind: str, cases: int, session: requests.Session) -> None:
    schema = schemathesis.openapi.from_dict(open_document(standing))
    mode = schemathesis.GenerationMode(kind)
    routes = [found.ok() for found in schema.get_all_operations()]
    assert len(routes) > 30
    failed: list[str] = []
    for route in routes:
        if kind == "negative" and not route.body and not route.query and not route.path_parameters:
            continue

        @settings(
            max_examples=cases,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=route.as_strategy(generation_mode=mode))
        def answered_properly(case: schemathesis.Case) -> None:
            answered = case.call(base_url=standing.url, session=session)
            if answered.status_code >= 500:
                failed.append(f"{case.method} {case.path}: {answered.status_code} {answered.text[:200]}")

        answered_properly()
    assert failed == []


def open_document(service: Service) -> dict[str, Any]:
    """The document without its credentials: an open service asks for none, and made-up ones are refused."""
    document = service.get("/openapi.json")
    document["components"].pop("securitySchemes")
    for methods in document["paths"].values():
        for route in methods.values():
            route.pop("security", None)
    return document
