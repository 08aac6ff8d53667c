"""The OpenAPI document against the running service: whatever fits it, and much that does not, is answered properly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.api.service import Service, serving

OPEN_TO_ALL = ("/healthz", "/readyz")
FEW, MANY = 6, 100
"""Inputs for each route, engine and kind of input; deterministic."""


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str, str]]:
    """A service that asks everybody who they are, with the key of a service and of a user."""
    with serving(str(tmp_path_factory.mktemp("guarded") / "gunita.db"), require_auth=True) as service:
        with service.opened() as g:
            tenant = g.scoped("acme").keys
            keys = tenant.create_key("all").secret, tenant.create_key("one", "user", "ana").secret
        yield service, *keys


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_no_input_makes_the_service_fail(standing: Service, kind: str, cases: int, session: requests.Session) -> None:
    statuses = answers_to_anything(standing, open_document(standing), kind, cases, session)
    assert 401 not in statuses
    assert 200 in statuses


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["positive", "negative"])
@pytest.mark.parametrize("whose", ["user", pytest.param("service", marks=pytest.mark.soak)])
def test_no_input_makes_a_service_fail_that_asks_for_keys(
    guarded: tuple[Service, str, str], whose: str, kind: str, cases: int, session: requests.Session
) -> None:
    service, of_service, of_user = guarded
    session.headers["Authorization"] = f"Bearer {of_user if whose == 'user' else of_service}"
    document = without_credentials(service.as_(of_service).get("/openapi.json").json())
    assert 401 not in answers_to_anything(service, document, kind, cases, session)


@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_whoever_has_no_key_learns_nothing_from_any_input(
    guarded: tuple[Service, str, str], kind: str, session: requests.Session
) -> None:
    service, of_service, _ = guarded
    session.headers["Authorization"] = "Bearer gunita_nobodys"
    document = without_credentials(service.as_(of_service).get("/openapi.json").json())
    for path in OPEN_TO_ALL:
        document["paths"].pop(path)
    # A body that is no JSON at all is told of before anybody is asked who they are.
    assert answers_to_anything(service, document, kind, 1, session) <= {400, 401, 404, 405}


def answers_to_anything(
    service: Service, document: dict[str, Any], kind: str, cases: int, session: requests.Session
) -> set[int]:
    """Ask every route what fits its document, or does not; no answer is a failure of ours. Gives the statuses met."""
    mode = schemathesis.GenerationMode(kind)
    routes = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    assert len(routes) > 30
    failed: list[str] = []
    statuses: set[int] = set()
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
            answered = case.call(base_url=service.url, session=session)
            statuses.add(answered.status_code)
            if answered.status_code >= 500:
                failed.append(f"{case.method} {case.path}: {answered.status_code} {answered.text[:200]}")

        answered_properly()
    assert failed == []
    return statuses


def open_document(service: Service) -> dict[str, Any]:
    return without_credentials(service.get("/openapi.json"))


def without_credentials(document: dict[str, Any]) -> dict[str, Any]:
    """The document without its credentials: an open service asks for none, and made-up ones are refused."""
    document["components"].pop("securitySchemes")
    for methods in document["paths"].values():
        for route in methods.values():
            route.pop("security", None)
    return document
