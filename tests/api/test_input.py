"""What is wrong with a request is told in plain words, with the right status, and nothing of it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from tests.api.service import Service, serving

MEGABYTE = 1_000_000


def problem(answered: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answered.status_code == status, answered.text
    said: dict[str, Any] = answered.json()
    assert said["error_code"] == code
    assert said["message"]
    assert datetime.fromisoformat(said["timestamp"]).tzinfo is not None
    assert said["request_id"] == answered.headers["x-request-id"]
    assert "Traceback" not in answered.text
    assert "details" not in said
    return said


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": None}, "query"),
        ({"query": 7}, "query"),
        ({"query": ["Hi"]}, "query"),
        ({"query": ""}, "query"),
        ({"query": " \n\t"}, "query"),
        ({"query": "nul \0"}, "query"),
        ({"query": "Hi", "user_id": 7}, "user_id"),
        ({"query": "Hi", "user_id": ""}, "user_id"),
        ({"query": "Hi", "user_id": "x" * 256}, "user_id"),
        ({"query": "Hi", "user_id": "a\0b"}, "user_id"),
        ({"query": "Hi", "session_id": 7}, "session_id"),
        ({"query": "Hi", "session_id": {"a": 1}}, "session_id"),
        ({"query": "Hi", "request_id": ""}, "request_id"),
        ({"query": "Hi", "request_id": "x" * 256}, "request_id"),
        ({"query": "Hi", "request_id": 1}, "request_id"),
        ({"query": "Hi", "choice": "first"}, "choice"),
        ({"query": "Hi", "choice": 0}, "choice"),
        ({"query": "Hi", "choice": 10**30}, "choice"),
        ({"query": "x" * 2_000_001}, "query"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
def test_a_wrong_field_is_named_and_nothing_is_kept(
    standing: Service, path: str, body: dict[str, Any], field: str
) -> None:
    said = problem(standing.client.post(path, json=body), 400, "validation_error")
    assert field in said["fields"]
    assert standing.get("/api/stats")["messages"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"null",
        b"[]",
        b'"Hi"',
        b"query=Hi",
        b"\xff\xfe",
        b'{"query": "\\ud800"}',
        b"[" * 100_000,
        b"9" * 9_999,
    ],
    ids=lambda value: str(value[:12]),
)
def test_a_body_that_is_no_object_is_refused(standing: Service, body: bytes) -> None:
    answered = standing.client.post("/chat", content=body, headers={"Content-Type": "application/json"})
    assert answered.status_code == 400, answered.text
    assert answered.json()["error_code"] in {"validation_error", "bad_request"}
    assert standing.get("/api/stats")["messages"] == 0


def test_a_body_of_another_kind_is_refused(standing: Service) -> None:
    """A form or plain text is what a foreign web page can send without asking."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answered = standing.client.post("/chat", content=b'{"query": "Hi"}', headers={"Content-Type": kind})
        assert answered.status_code == 400
    assert standing.get("/api/stats")["messages"] == 0


def test_a_body_of_ten_megabytes_is_refused(standing: Service) -> None:
    large = json.dumps({"query": "x" * 10 * MEGABYTE}).encode()
    answered = standing.client.post("/chat", content=large, headers={"Content-Type": "application/json"})
    said = problem(answered, 413, "too_large")
    assert "5,000,000 bytes" in said["message"]


def test_a_body_that_does_not_announce_its_size_is_refused_when_it_grows_too_large(service: Service) -> None:
    def growing() -> Iterator[bytes]:
        yield b'{"query": "'
        for _ in range(60):
            yield b"x" * (MEGABYTE // 10)
        yield b'"}'

    answered = service.client.post("/chat", content=growing(), headers={"Content-Type": "application/json"})
    problem(answered, 413, "too_large")
    assert service.chat("still here")["turn_number"] == 1


def test_a_text_as_long_as_may_be_is_kept(service: Service) -> None:
    reply = service.chat("x" * 2_000_000)
    assert len(service.turns(reply["session_id"])[0][1]) == 2_000_000


def test_an_unknown_address_and_a_wrong_method_are_told_of(standing: Service) -> None:
    problem(standing.client.get("/nowhere"), 404, "not_found")
    problem(standing.client.get("/chat"), 405, "method_not_allowed")


def test_the_details_of_an_error_are_shown_in_development_alone(url: str) -> None:
    with serving(url, development=True) as service:
        answered = service.client.post("/chat", json={"query": ""})
        assert "ValidationError" in answered.json()["details"]


def test_a_request_keeps_the_id_it_brings_if_it_is_sane(standing: Service) -> None:
    assert standing.client.get("/healthz", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    for id_ in ("x" * 200, "a b", "<script>"):
        assert standing.client.get("/healthz", headers={"X-Request-Id": id_}).headers["x-request-id"] != id_


def test_replies_tell_browsers_to_be_careful(standing: Service) -> None:
    for path in ("/healthz", "/nowhere", "/api/stats"):
        headers = standing.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]


def test_other_origins_are_named_or_refused(url: str) -> None:
    asking = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    with serving(url) as service:
        answered = service.client.options("/chat", headers=asking)
        assert "access-control-allow-origin" not in answered.headers
    with serving(url, cors_origins=("https://app.example",)) as service:
        answered = service.client.options("/chat", headers=asking)
        assert answered.headers["access-control-allow-origin"] == "https://app.example"
        stranger = service.client.options("/chat", headers=asking | {"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in stranger.headers
        said = service.client.post("/chat", json={"query": "Hi"}, headers={"Origin": "https://app.example"})
        assert said.status_code == 200


def test_a_database_that_is_away_is_told_of_without_a_detail(new_postgres_url: str) -> None:
    import psycopg

    with serving(new_postgres_url, postgres_wait_seconds=1, storage_attempts=1, fallback=False) as service:
        assert service.client.get("/readyz").status_code == 200
        name = new_postgres_url.rsplit("/", 1)[1]
        with psycopg.connect(new_postgres_url.rsplit("/", 1)[0] + "/postgres", autocommit=True) as owner:
            owner.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
            for _ in range(2):
                answered = service.client.post("/chat", json={"query": "Hi"})
                said = problem(answered, 503, "storage_unavailable")
                assert said["message"] == "Service temporarily unavailable"
                assert answered.headers["retry-after"] == "5"
                assert name not in answered.text
            assert service.client.get("/healthz").status_code == 200
            assert service.client.get("/readyz").status_code == 503
            owner.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")


def test_readiness_names_the_model(service: Service) -> None:
    ready = service.get("/readyz")
    assert (ready["status"], ready["model"]) == ("ready", None)
