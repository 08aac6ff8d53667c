"""Whatever fits the OpenAPI document, and much that does not, sent to a running service; deterministic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.api.service import Service

FEW, MANY = 6, 100
"""Inputs for each route, engine and kind of input."""
Aim = Callable[[schemathesis.Case], None]
Heard = Callable[[schemathesis.Case, Any], None]


def answers_to_anything(
    service: Service,
    document: dict[str, Any],
    kind: str,
    cases: int,
    session: requests.Session,
    aim: Aim | None = None,
    hear: Heard | None = None,
) -> set[int]:
    """Ask every route what fits its document, or does not; no answer is a failure of ours. Gives the statuses met.

    Every other input is aimed first, where there is an aim; every answer is heard, where somebody listens.
    """
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
        @given(case=route.as_strategy(generation_mode=mode), aimed=st.booleans())
        def answered_properly(case: schemathesis.Case, aimed: bool) -> None:
            if aim is not None and aimed:
                aim(case)
            answered = case.call(base_url=service.url, session=session)
            statuses.add(answered.status_code)
            if answered.status_code >= 500:
                failed.append(f"{case.method} {case.path}: {answered.status_code} {answered.text[:200]}")
            if hear is not None:
                hear(case, answered)

        answered_properly()
    assert failed == []
    return statuses


def without_credentials(document: dict[str, Any]) -> dict[str, Any]:
    """The document without its credentials: an open service asks for none, and made-up ones are refused."""
    document["components"].pop("securitySchemes")
    for methods in document["paths"].values():
        for route in methods.values():
            route.pop("security", None)
    return document
