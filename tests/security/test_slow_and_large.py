"""Clients that send too much, too slowly or nothing, or never read: they are let go, and nobody else waits for them."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gunita.server.listening import take_all_descriptors
from tests.api.service import Service, serving
from tests.security.people import of_nobody
from tests.security.routes import GUARDED, request_for
from tests.security.wire import (
    connected,
    head,
    heard,
    is_held_by_a_process,
    is_let_go,
    trickle,
    wait_until_let_go,
    wait_until_no_process_holds,
)

SOON = 0.5
"""Seconds of the service's patience here; ten, sixty and thirty where it serves people."""
BODY = b'{"query": "Hi"}'
JSON = "application/json"


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    database = str(tmp_path_factory.mktemp("hurried") / "gunita.db")
    with serving(database, background=False, head_seconds=SOON, body_seconds=SOON, unread_seconds=SOON) as service:
        yield service


@pytest.fixture(autouse=True)
def _serves_others_as_before(hurried: Service) -> Iterator[None]:
    """Whatever was done to it, it answers others and counts no failure of its own."""
    yield
    assert hurried.chat("Still here?")["error"] is None
    told = hurried.client.get("/metrics").text
    assert re.findall(r"^gunita_http_responses_total\{[^}]*\"5\d\d\"[^}]*\} .*", told, re.MULTILINE) == []
    assert "gunita_http_responses_total{" in told


def test_who_says_nothing_is_let_go(hurried: Service) -> None:
    with connected(hurried) as wire:
        wait_until_let_go(wire)
        assert heard(wire) == b""


@pytest.mark.parametrize(
    ("beginning", "piece"), [(b"", b"\r\n"), (b"GET /hea", b"X"), (b"GET /healthz HTTP/1.1\r\n", b"X")]
)
def test_a_head_that_comes_a_byte_at_a_time_is_not_waited_for(hurried: Service, beginning: bytes, piece: bytes) -> None:
    with connected(hurried) as wire:
        wire.sendall(beginning)
        assert trickle(wire, piece) > 1
        assert hurried.client.get("/healthz").status_code == 200


def test_blank_lines_between_requests_do_not_hold_a_connection(hurried: Service) -> None:
    with connected(hurried) as wire:
        wire.sendall(head("GET", "/healthz"))
        assert b"200 OK" in wire.recv(65_536)
        trickle(wire, b"\r\n")


@pytest.mark.parametrize(
    "announced", [{"Content_Length": 1_000_000}, {"Transfer_Encoding": "chunked"}], ids=["sized", "chunked"]
)
def test_a_body_that_comes_a_byte_at_a_time_is_not_waited_for(hurried: Service, announced: dict[str, object]) -> None:
    before = hurried.get("/api/stats")
    with connected(hurried) as wire:
        wire.sendall(head("POST", "/chat", Content_Type=JSON, **announced))
        piece = b"1\r\n \r\n" if "Transfer_Encoding" in announced else b" "
        assert trickle(wire, piece) > 1
    assert hurried.get("/api/stats") == before


def test_who_leaves_in_the_middle_of_a_body_is_no_failure_of_ours(hurried: Service) -> None:
    for path in ("/chat", "/chat/stream", "/api/memories"):
        with connected(hurried) as wire:
            wire.sendall(head("POST", path, Content_Type=JSON, Content_Length=1_000) + BODY)


def test_a_chunk_whose_size_never_ends_is_not_waited_for(hurried: Service) -> None:
    with connected(hurried) as wire:
        wire.sendall(head("POST", "/chat", Content_Type=JSON, Transfer_Encoding="chunked") + b"1;a=")
        trickle(wire, b"b" * 8_192, every=0)


@pytest.mark.parametrize(
    "request_head",
    [
        head("GET", "/healthz", X_Long="x" * 100_000),
        head("GET", "/healthz?" + "x" * 60_000, X_More="x" * 10_000),
        b"GET /healthz HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n",
        b"GET /healthz HTTP/1.1\r\nX-Endless: " + b"x" * 500_000,
        b"GET /" + b"x" * 500_000,
    ],
    ids=["a long header", "a long address", "many headers", "an endless header", "an endless address"],
)
def test_a_head_over_the_limit_is_refused_before_it_fills_the_memory(hurried: Service, request_head: bytes) -> None:
    with connected(hurried) as wire:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            wire.sendall(request_head)
        assert heard(wire).startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 400 ")) or is_let_go(wire)


def test_a_head_without_end_is_refused_for_its_length_and_not_only_when_patience_ends(tmp_path: Path) -> None:
    with serving(str(tmp_path / "gunita.db"), background=False, head_seconds=600) as patient:
        for beginning in (b"GET /healthz HTTP/1.1\r\nX-Endless: ", b"GET /healthz HTTP/1.1\r\nX", b"GET /"):
            with connected(patient) as wire:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    wire.sendall(beginning + b"x" * 100_000)
                assert heard(wire).startswith(b"HTTP/1.1 431 ") or is_let_go(wire)


def test_a_head_within_the_limit_passes(hurried: Service) -> None:
    assert hurried.client.get("/healthz", headers={"X-Long": "x" * 60_000}).status_code == 200
    large = {"query": "x" * 200_000}
    assert hurried.client.post("/chat", json=large, headers={"X-Long": "x" * 10_000}).status_code == 200


def test_a_body_over_the_limit_is_refused_by_what_it_announces(hurried: Service) -> None:
    with connected(hurried) as wire:
        wire.sendall(head("POST", "/chat", Content_Type=JSON, Content_Length=10**12) + BODY)
        assert b"413" in wire.recv(65_536).split(b"\r\n")[0]
        # Whoever goes on sending is not listened to for long.
        trickle(wire, b"x" * 65_536, every=0.01)


def test_a_body_that_grows_over_the_limit_is_refused(hurried: Service) -> None:
    with connected(hurried) as wire:
        wire.sendall(head("POST", "/chat", Content_Type=JSON, Transfer_Encoding="chunked"))
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(100):
                wire.sendall(piece)
        assert b"413" in wire.recv(65_536).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "bytes_sent",
    [
        head("POST", "/chat", Content_Type=JSON, Content_Length="-1") + BODY,
        head("POST", "/chat", Content_Type=JSON, Content_Length="1e3") + BODY,
        b"POST /chat HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 15\r\n\r\n" + BODY,
        b"POST /chat HTTP/1.1\r\nHost: a\r\nContent-Length: 15\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /",
        b"POST /chat HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n" + BODY,
        b"GET /healthz HTTP/1.1\nHost: a\r\nX: y\r\n z\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX-A: b\0c\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:60]),
)
def test_requests_that_two_servers_could_read_differently_are_refused(hurried: Service, bytes_sent: bytes) -> None:
    before = hurried.get("/api/stats")
    with connected(hurried) as wire:
        wire.sendall(bytes_sent)
        said = heard(wire)
    assert b" 200 " not in said.split(b"\r\n")[0]
    assert hurried.get("/api/stats") == before


def test_a_thousand_idle_connections_keep_nobody_out_and_are_let_go(hurried: Service) -> None:
    take_all_descriptors()
    with contextlib.ExitStack() as held:
        wires: list[socket.socket] = [held.enter_context(connected(hurried)) for _ in range(1_000)]
        assert hurried.chat("Is anybody there?")["turn_number"] == 1
        for wire in wires:
            wait_until_let_go(wire)


def test_who_never_reads_a_stream_is_let_go(hurried: Service) -> None:
    with hurried.opened() as g:
        session = g.sessions.create_session("ana")
        g.sessions.store_turn(session, "ana", "Tell me all", "word " * 390_000)
    with connected(hurried, receive_buffer=4_096) as wire:
        wire.sendall(head("GET", f"/chat/stream/{session}/1"))
        assert wire.recv(12) == b"HTTP/1.1 200"
        assert is_held_by_a_process(wire)
        wait_until_no_process_holds(wire)


DEEP = b"[" * 50_000
MANY = b'{"query": "Hi", ' + b", ".join(b'"key%d": {}' % number for number in range(50_000)) + b"}"
STRANGE = {
    "deep": DEEP,
    "deep inside": b'{"query": ' + DEEP,
    "deep and whole": b'{"query": "Hi", "metadata": ' + b'{"a":' * 2_000 + b"1" + b"}" * 2_000 + b"}",
    "many keys": MANY,
    "a number of many digits": b'{"query": ' + b"9" * 100_000 + b"}",
    "a far exponent": b'{"query": 1e999999999, "value": -1e999999999, "limit": 1e400}',
    "the same key twice": b'{"query": "Hi", "query": {"a": 1}}',
    "half a character": b'{"query": "\\ud800", "content": "\\udfff", "name": "\\ud800"}',
}


@pytest.mark.parametrize("kind", STRANGE)
def test_no_json_makes_any_route_fail(hurried: Service, kind: str) -> None:
    nothing = of_nobody()
    with httpx.Client(base_url=hurried.url, timeout=60) as client:
        for route in GUARDED:
            if route[0] in {"POST", "PUT", "PATCH"} and not route[1].endswith(("/stop", "/cleanup")):
                path = request_for(route, nothing).path
                answered = client.request(route[0], path, content=STRANGE[kind], headers={"Content-Type": JSON})
                assert answered.status_code < 500, f"{route}: {answered.text}"
