"""Learning with a language model behind a real HTTP address that says what a test scripts."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest

from gunita import Gunita

GOOD = {
    "message": 1,
    "type": "fact",
    "category": "home",
    "content": "I live in Davao",
    "confidence": 0.9,
    "changes": False,
    "denies": False,
}
STATEMENT = "Hello there, I live in Davao with two cats."


class Endpoint(ThreadingHTTPServer):
    """Answers each request with the next of its scripted replies, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, replies: list[str | int]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = replies
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        reply = self.server.replies.pop(0) if self.server.replies else 500
        status, body = reply if isinstance(reply, int) else 200, dict[str, Any]()
        if isinstance(reply, int):
            body = {"error": {"message": "no"}}
        else:
            message = {"role": "assistant", "content": reply}
            body = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
            body["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
        written = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@contextmanager
def saying(*replies: str | int) -> Iterator[Endpoint]:
    endpoint = Endpoint(list(replies))
    thread = threading.Thread(target=endpoint.serve_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        endpoint.server_close()
        thread.join()


@contextmanager
def opened(url: str, endpoint: Endpoint, text: str = STATEMENT) -> Iterator[tuple[Gunita, UUID]]:
    with Gunita.open(url, llm_base_url=endpoint.url, llm_retries=0, llm_timeout_seconds=20) as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", text, "ok")
        yield g, session


def form(*statements: dict[str, Any]) -> str:
    return json.dumps({"memories": list(statements)})


def test_a_model_fills_in_the_form_and_its_statements_become_memories(url: str) -> None:
    with saying(form(GOOD)) as endpoint, opened(url, endpoint) as (g, session):
        (memory,) = g.memories.extract_memories(session)
        assert (memory.content, memory.category, memory.confidence) == ("I live in Davao", "home", 0.9)
        assert endpoint.asked[0]["response_format"]["type"] == "json_schema"
        assert g.memories.extract_memories(session) == []
        assert len(endpoint.asked) == 1


def test_what_the_message_does_not_say_is_not_believed(url: str) -> None:
    invented = GOOD | {"content": "My sister is an astronaut"}
    elsewhere = GOOD | {"message": 7}
    with saying(form(invented, elsewhere)) as endpoint, opened(url, endpoint) as (g, session):
        assert g.memories.extract_memories(session) == []


@pytest.mark.parametrize("broken", ["no JSON at all", form(GOOD | {"type": "secret"}), form(GOOD | {"confidence": 7})])
def test_an_answer_that_does_not_fit_is_asked_for_once_more(url: str, broken: str) -> None:
    with saying(broken, f"Sure!\n```json\n{form(GOOD)}\n```") as endpoint, opened(url, endpoint) as (g, session):
        (memory,) = g.memories.extract_memories(session)
        assert memory.content == "I live in Davao"
        assert len(endpoint.asked) == 2


@pytest.mark.parametrize("replies", [("nonsense", "nonsense"), (500,), (401,)])
def test_where_the_model_fails_the_package_learns_by_itself(url: str, replies: tuple[str | int, ...]) -> None:
    with saying(*replies) as endpoint, opened(url, endpoint, "I live in Davao.") as (g, session):
        (memory,) = g.memories.extract_memories(session)
        assert memory.content == "I live in Davao"
        assert len(endpoint.asked) == len(replies)


def test_an_endpoint_without_schemas_is_asked_for_plain_json(url: str) -> None:
    with saying(400, form(GOOD)) as endpoint, opened(url, endpoint) as (g, session):
        assert [memory.content for memory in g.memories.extract_memories(session)] == ["I live in Davao"]
        assert "response_format" not in endpoint.asked[1]
