"""Texts that are code elsewhere, in SQL, headers, paths or logs, are texts here: kept and told as they are."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from gunita.server import logs
from tests.raw_sql import run
from tests.security.people import Town, of_nobody
from tests.security.wire import connected, head, heard

SQL = [
    "' OR '1'='1",
    "'; DROP TABLE messages; --",
    '") OR 1=1 --',
    "\\' OR 1=1 #",
    "x' UNION SELECT key_hash FROM api_keys --",
    "1; SELECT pg_sleep(30)",
    "$$; DELETE FROM conversations; $$",
    ":tenant_id",
    "?1",
    "$1",
    "%s %(tenant_id)s %%",
    '"a" NEAR/2 "b" OR *',
    "AND NOT (",
    "content:secret ^2 -x",
    "''''",
    "{{7*7}} ${7*7} #{7*7} %{7*7}",
]
STEERING = "line\r\nSet-Cookie: stolen=1\r\n\r\n<script>\u2028\x1b]0;owned\x07\x9b2J"


def test_sql_is_looked_for_and_not_run(town: Town) -> None:
    ana, before = town.as_("ana"), counts(town)
    for text in SQL:
        for path in ("/api/search", "/api/conversations/search"):
            found = town.ask(ana, "GET", path, params={"q": text})
            assert found.status_code == 200, f"{path} {text}: {found.text}"
        for kind in ("turns", "memories"):
            assert town.ask(ana, "GET", "/api/search", params={"q": text, "kind": kind}).status_code == 200
        for name in ("text", "category"):
            listed = town.ask(ana, "GET", "/api/memories", params={name: text})
            assert (listed.status_code, listed.json()["items"]) == (200, []), f"{name} {text}"
        found = town.ask(ana, "GET", f"/api/user-memory/{quote(text, safe='')}")
        assert found.status_code == 404
    assert counts(town) == before


def counts(town: Town) -> list[int]:
    return [
        int(run(town.service.database, f"SELECT count(*) FROM {table}")[0][0])
        for table in ("messages", "conversations", "memories", "user_memory", "api_keys")
    ]


def test_signs_that_stand_for_any_letter_stand_for_themselves(town: Town) -> None:
    ben = town.as_("ben")
    for content in ("Is 100% sure", "Writes snake_case", "Uses back\\slash", "Is plain"):
        assert town.ask(ben, "POST", "/api/memories", json={"content": content}).status_code == 201
    for sign, expected in (("%", "Is 100% sure"), ("_", "Writes snake_case"), ("\\", "Uses back\\slash")):
        found = town.ask(ben, "GET", "/api/memories", params={"text": sign}).json()["items"]
        assert [memory["content"] for memory in found] == [expected]


def test_people_whose_names_are_code_are_people_of_their_own(town: Town) -> None:
    names = ["ana", "ANA", "ana ", "ana' --", "an_", "%", "*", "=ana", "=*", *SQL, "../ana", "ana\r\n", "<b>ana</b>"]
    acme = town.as_("acme")
    for name in names[1:]:
        kept = town.ask(acme, "PUT", "/api/user-memory/whose", params={"user_id": name}, json={"value": name})
        assert kept.status_code == 200, f"{name!r}: {kept.text}"
    for name in names[1:]:
        found = town.ask(acme, "GET", "/api/user-memory", params={"user_id": name}).json()
        assert found["items"] == {"whose": name}
    assert "whose" not in town.ask(town.as_("ana"), "GET", "/api/user-memory").json()["items"]


def test_what_would_order_or_page_by_code_is_ignored_or_refused(town: Town) -> None:
    ana = town.as_("ana")
    plain = town.ask(ana, "GET", "/api/conversations").json()
    for name in ("sort", "order", "order_by", "fields", "where", "tenant_id", "scope_user"):
        for text in ("id; DROP TABLE messages", "(SELECT 1)", "other", "*"):
            assert town.ask(ana, "GET", "/api/conversations", params={name: text}).json() == plain
    for name in ("limit", "offset", "archived"):
        for text in ("1; DROP TABLE messages", "-1", "1e3", "0x10", "1 OR 1=1", "9" * 40):
            assert town.ask(ana, "GET", "/api/conversations", params={name: text}).status_code == 400
    for path in ("conversations", "memories", "receipts", "deletions"):
        for text in ("1' OR '1'='1", "..", "%00", "*", "null"):
            refused = town.ask(ana, "GET", f"/api/{path}/{quote(text, safe='')}")
            assert refused.status_code in {400, 404}, f"{path}/{text}"


def test_nothing_of_a_null_byte_is_kept(town: Town) -> None:
    ana, before = town.as_("ana"), counts(town)
    for method, path, body in (
        ("POST", "/chat", {"query": "a\0b"}),
        ("POST", "/api/memories", {"content": "a\0b"}),
        ("POST", "/api/conversations", {"title": "a\0b"}),
        ("PUT", "/api/user-memory/a%00b", {"value": 1}),
        ("PUT", "/api/user-state", {"mode": "a\0b"}),
    ):
        assert town.ask(ana, method, path, json=body).status_code == 400, path
    assert counts(town) == before


def test_what_steers_headers_stays_in_the_body(town: Town) -> None:
    ana = town.as_("ana")
    made = town.ask(ana, "POST", "/api/conversations", json={"title": STEERING, "document_context": [STEERING]})
    session = made.json()["id"]
    town.ask(ana, "POST", f"/api/conversations/{session}/messages", json={"role": "user", "content": STEERING})
    kept = town.ask(ana, "PUT", f"/api/user-memory/{quote(STEERING, safe='')}", json={"value": STEERING})
    assert kept.status_code in {200, 404}
    answers = [
        town.ask(ana, "GET", f"/api/conversations/{session}/export", params={"format": form})
        for form in ("json", "markdown")
    ]
    answers += [
        town.ask(ana, "GET", f"/api/conversations/{session}"),
        town.ask(ana, "GET", "/api/users/ana/export"),
        town.ask(ana, "GET", "/api/search", params={"q": STEERING}),
        town.ask(ana, "GET", f"/api/conversations/{quote(STEERING, safe='')}"),
        town.ask(ana | {"X-Request-Id": "a\tb", "Last-Event-ID": "1\t2"}, "GET", "/api/stats"),
        town.ask(ana, "POST", "/chat", json={"query": STEERING, "session_id": STEERING, "request_id": STEERING}),
    ]
    for answered in answers:
        assert "set-cookie" not in answered.headers
        assert all(re.fullmatch(r"[\x20-\x7e]*", value) for value in answered.headers.values())
    named = [answered.headers["content-disposition"] for answered in answers[:2]]
    assert named == [f'attachment; filename="conversation-{session}.{ending}"' for ending in ("json", "md")]
    # A title on one line cannot pose as a speaker.
    assert answers[1].text.splitlines()[0].startswith("# line Set-Cookie")


def test_a_raw_line_break_in_a_header_is_refused(town: Town) -> None:
    for line in (b"X-Request-Id: a\rSet-Cookie: b", b"X-Request-Id: a\nSet-Cookie: b", b"X-Request-Id: a\0b"):
        with connected(town.service) as wire:
            wire.sendall(head("GET", "/healthz")[:-2] + line + b"\r\n\r\n")
            said = heard(wire).split(b"\r\n\r\n")[0].lower()
        assert b"set-cookie" not in said or b" 400 " in said.split(b"\r\n")[0]


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                                  "..\\..\\app.py", "%5c..%5capp.py", "index.html%00.css", "./index.html",
                                  "....//....//app.py", "%252e%252e%252fapp.py", "__init__.py", "", "."])  # fmt: skip
def test_no_path_leads_out_of_the_pages_files(town: Town, name: str) -> None:
    with connected(town.service) as wire:
        wire.sendall(head("GET", f"/page/{name}", Connection="close"))
        said = heard(wire)
    assert said.split(b"\r\n")[0].split()[1] in {b"404", b"400"}
    assert b"root:" not in said
    assert b"import" not in said


def test_nobody_is_sent_to_a_host_that_a_stranger_names(town: Town) -> None:
    for path in ("/api/conversations/", "/chat/", "/healthz/", "/page"):
        answered = town.client.get(path, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"})
        assert "location" not in answered.headers
        assert answered.status_code in {401, 404, 405}
        assert "evil.example" not in answered.text


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile, as `gunita serve` writes it."""
    root, stream = logging.getLogger(), io.StringIO()
    former, level, hooks = list(root.handlers), root.level, (sys.excepthook, threading.excepthook)
    logs.configure("DEBUG", stream)
    yield stream
    for handler in list(root.handlers):
        root.removeHandler(handler)
    for handler in former:
        root.addHandler(handler)
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks


def test_no_text_begins_a_line_of_the_log_or_steers_who_reads_it(town: Town, log: io.StringIO) -> None:
    ana, forged = town.as_("ana"), 'x\n{"event":"request","level":"critical"}\x1b[2J\x9b2J\x7f\u2028'
    town.ask(ana, "POST", "/chat", json={"query": forged, "session_id": forged, "request_id": forged})
    town.ask(ana, "GET", f"/api/conversations/{quote(forged, safe='')}")
    town.ask(ana, "GET", f"/{quote(forged, safe='')}")
    town.ask(ana, "GET", "/api/search", params={"q": forged, forged: forged})
    town.ask({"User-Agent": "x\ty", **ana}, "GET", "/api/stats")
    town.ask(town.as_("acme"), "PUT", "/api/user-state", params={"user_id": forged}, json={"mode": forged})
    steering = town.gunita.scoped(tenant_id=forged.replace("\n", " ")).keys.create_key("k").secret
    town.ask({"Authorization": f"Bearer {steering}"}, "GET", f"/api/memories/{of_nobody().memory_id}")
    logging.getLogger("gunita.test").warning("said: %s", forged)
    written = log.getvalue()
    assert len(written.split("\n")) > 7
    for line in written.split("\n")[:-1]:
        assert json.loads(line)["level"] != "critical"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", written)
