"""Whatever is sent, by whomever: no failure of ours, no word of what is ana's, and nothing of hers is changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis

from tests.api.any_input import MANY, answers_to_anything, without_credentials
from tests.conftest import new_database
from tests.security.people import MARK, Belongings, Town, bearer, everything, populated, token

FEW = 3
"""Inputs for each route and kind, for each role; MANY where there is time."""
OPEN_TO_ALL = ("/healthz", "/readyz")
ROLES = ("system", "other", "ben", "token", "none")
"""The system's service, a tenant's, a user's key, a user's token, and nobody: none of them may see what is ana's."""


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.soak)])
def crowd(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_url: str
) -> Iterator[Town]:
    if request.param == "sqlite":
        with populated(str(tmp_path_factory.mktemp("crowd") / "gunita.db")) as town:
            yield town
        return
    with new_database(postgres_url) as address, populated(address) as town:
        yield town


def credentials_of(town: Town, role: str) -> dict[str, str]:
    if role == "none":
        return {}
    return bearer(token(sub="cleo", app_metadata={"tenant_id": "acme"})) if role == "token" else town.as_(role)


def aimed_at(theirs: Belongings) -> Any:
    """Put ana's ids wherever an id is asked for."""
    named = {
        "conversation_id": theirs.conversation_id,
        "session_id": theirs.conversation_id,
        "source_conversation_id": theirs.conversation_id,
        "memory_id": theirs.memory_id,
        "receipt_id": theirs.context_receipt_id,
        "key_id": theirs.key_id,
        "turn_number": 1,
        "subject": theirs.conversation_id,
        "user_id": "ana",
        "user": "ana",
    }

    def aim(case: schemathesis.Case) -> None:
        for part in (case.path_parameters, case.query, case.body):
            if isinstance(part, dict):
                part.update({name: value for name, value in named.items() if name in part})

    return aim


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("role", ROLES)
def test_no_input_tells_of_others_or_makes_the_service_fail(crowd: Town, role: str, cases: int) -> None:
    told: list[str] = []
    secrets = [MARK, *crowd.keys.values(), "key_hash"]

    def hear(case: schemathesis.Case, answered: Any) -> None:
        if any(secret in answered.text for secret in secrets):
            told.append(f"{case.method} {case.path}: {answered.text[:300]}")

    before = everything(crowd)
    document = without_credentials(crowd.client.get("/openapi.json").json())
    for path in OPEN_TO_ALL:
        document["paths"].pop(path)
    aim = aimed_at(crowd.belongings)
    with requests.Session() as session:
        session.headers.update(credentials_of(crowd, role))
        statuses = {
            kind: answers_to_anything(crowd.service, document, kind, cases, session, aim, hear)
            for kind in ("positive", "negative")
        }
    assert told == []
    assert everything(crowd) == before
    if role == "none":
        # A body that is no JSON at all is told of before anybody is asked who they are.
        assert statuses["positive"] | statuses["negative"] <= {400, 401, 404, 405}
    else:
        assert 401 not in statuses["positive"] | statuses["negative"]
        assert statuses["positive"] >= {200, 201, 404}
        assert 400 in statuses["negative"]
