"""Every route against every wrong credential and every wrong person: nothing opens, and nobody learns what exists."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.security.people import (
    MARK,
    Belongings,
    Town,
    bearer,
    everything,
    of_nobody,
    token,
    unchanging,
    wrong_credentials,
)
from tests.security.routes import ASKED, EVERY, GUARDED, OPEN_TO_ALL, request_for

STRANGERS = ("ben", "other", "ana of other", "ana's token of other")
ALSO_FOR_NOTHING = {"none", "revoked", "well-formed and unknown", "expired token"}
USERS = {"ben", "ana of other", "ana's token of other"}


def credentials_of(town: Town, who: str) -> dict[str, str]:
    if who == "ana's token of other":
        return bearer(token(app_metadata={"tenant_id": "other"}))
    return town.as_(who)


def asked_for(town: Town, credentials: dict[str, str], route: tuple[str, str], theirs: Belongings) -> httpx.Response:
    request = request_for(route, theirs)
    return town.ask(credentials, request.method, request.path, **request.more)


def test_every_route_is_tried_or_open_to_all_on_purpose() -> None:
    assert set(EVERY) == set(ASKED) | OPEN_TO_ALL, "a new route needs a line in tests/security/routes.py"
    assert not set(ASKED) & OPEN_TO_ALL


def test_what_is_open_to_all_holds_nothing_of_anybody(town: Town) -> None:
    for method, path in OPEN_TO_ALL:
        answered = town.client.request(method, path.replace("{name:path}", "app.js"))
        assert answered.status_code in {200, 404}
        for secret in (MARK, "acme", *town.keys.values(), *town.belongings.all_ids(), town.service.database):
            assert secret not in answered.text, f"{path} tells {secret}"


def test_no_route_opens_to_a_wrong_credential_or_tells_whether_something_is_there(town: Town) -> None:
    nothing = of_nobody()
    for reason, credentials in wrong_credentials(town).items():
        said = set()
        for route in GUARDED:
            for theirs in (town.belongings, nothing) if reason in ALSO_FOR_NOTHING else (town.belongings,):
                answered = asked_for(town, credentials, route, theirs)
                assert answered.status_code == 401, f"{reason}: {route} answers {answered.status_code}"
                assert answered.headers["www-authenticate"] == "Bearer"
                # OpenAI's clients find the same in a form of their own beside it.
                said.add((route[1].startswith("/v1/"), unchanging(answered)))
        assert len(said) == 2, f"{reason}: {said}"


@pytest.mark.parametrize("who", STRANGERS)
def test_what_is_anas_and_what_is_nowhere_are_told_apart_by_nobody_else(town: Town, who: str) -> None:
    credentials, nothing = credentials_of(town, who), of_nobody()
    before = everything(town)
    for route in GUARDED:
        asked = ASKED[route]
        if asked.takes_unknown_ids:
            continue
        hers, nowhere = (asked_for(town, credentials, route, theirs) for theirs in (town.belongings, nothing))
        assert MARK not in hers.text or route[1].endswith("{key:path}"), route
        if asked.opens_to_holders and who == "ben":
            assert (hers.status_code, nowhere.status_code) == (200, 404)
            continue
        assert hers.status_code == nowhere.status_code, f"{route}: {hers.status_code} {nowhere.status_code}"
        if hers.status_code >= 400:
            same = [unchanging(hers, *town.belongings.all_ids()), unchanging(nowhere, *nothing.all_ids())]
            assert same[0] == same[1], route
        if asked.service_only and who in USERS:
            # By the route itself: what is behind it refuses too, in other words.
            assert "Only a service key" in hers.text, f"{route} answers a user with {hers.text}"
        if asked.names_user and who == "ben":
            assert hers.status_code == 403
        if "{" in route[1] and not asked.names_user and not route[1].endswith("{key:path}"):
            assert hers.status_code in {403, 404}, f"{route} answers {who} with {hers.status_code}"
    assert everything(town) == before
    assert MARK in json.dumps(before)


@pytest.mark.parametrize("who", STRANGERS)
def test_anas_conversation_is_not_gone_on_with_by_somebody_else(town: Town, who: str) -> None:
    before = everything(town)
    for route in [route for route in GUARDED if ASKED[route].takes_unknown_ids]:
        answered = asked_for(town, credentials_of(town, who), route, town.belongings)
        assert answered.status_code == 200
        assert MARK not in answered.text
        # Under another tenant the same id is another conversation.
        assert who != "ben" or town.belongings.conversation_id not in answered.text
    assert everything(town) == before


def test_the_same_requests_reach_their_aim_with_the_right_credential(town: Town) -> None:
    """Otherwise the refusals above could be those of a request that nobody may make."""
    # Conversations go last: most other things hang on them.
    turn = {"DELETE": 2, "POST": 1}
    in_order = sorted(GUARDED, key=lambda route: (turn.get(route[0], 0), route[1] == "/api/deletions", -len(route[1])))
    for route in in_order:
        who = "system" if route[1] == "/metrics" else "acme" if ASKED[route].service_only else "ana"
        answered = asked_for(town, town.as_(who), route, town.belongings)
        gone = route[1].startswith("/api/conversations/{") and route[0] == "DELETE"
        assert answered.status_code < 300 or (gone and answered.status_code == 404), f"{route}: {answered.text}"


def test_what_is_told_of_all_tenants_together_is_the_systems_alone(town: Town) -> None:
    told = {who: town.ask(town.as_(who), "GET", "/metrics").status_code for who in ("system", "acme", "other", "ana")}
    assert told == {"system": 200, "acme": 403, "other": 403, "ana": 403}


CAREFUL = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def test_every_kind_of_answer_tells_browsers_to_be_careful(town: Town) -> None:
    ana = town.as_("ana")
    answers = {
        "as asked": town.ask(ana, "GET", "/api/about"),
        "for all": town.ask({}, "GET", "/healthz"),
        "a file": town.ask(ana, "GET", "/api/users/ana/export"),
        "refused": town.ask({}, "GET", "/api/about"),
        "nowhere": town.ask(ana, "GET", "/nowhere"),
        "another method": town.ask(ana, "PATCH", "/chat"),
        "not valid": town.ask(ana, "POST", "/chat", json={"query": 7}),
        "too large": town.ask(ana | {"Content-Type": "application/json"}, "POST", "/chat", content=b" " * 5_000_001),
    }
    assert sorted({answered.status_code for answered in answers.values()}) == [200, 400, 401, 404, 405, 413]
    for kind, answered in answers.items():
        assert {name: answered.headers.get(name) for name in CAREFUL} == CAREFUL, kind
