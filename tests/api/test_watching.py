"""Rules and dashboard speak of metrics that there are; logs and spans tell what was done, never what was said."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from gunita.errors import ValidationError
from gunita.server import logs
from gunita.spans import traced
from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service
from tests.raw_sql import run

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
CANARY = "kanaryong-dilaw-7391"
PROMISED = {
    "GunitaStorageNearlyFull",
    "GunitaEgressNearlyUsedUp",
    "GunitaSlow",
    "GunitaErrors",
    "GunitaCleanupFailing",
}


def expressions() -> Iterator[str]:
    rules = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text())["groups"][0]["rules"]
    assert {rule["alert"] for rule in rules} >= PROMISED
    assert all(rule["annotations"]["action"] for rule in rules)
    yield from (rule["expr"] for rule in rules)
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])


def test_rules_and_dashboard_speak_of_metrics_that_there_are(service: Service) -> None:
    service.chat("Hello")
    service.client.post("/api/cleanup")
    service.client.post("/chat", json={})
    text = service.client.get("/metrics").text
    told = set(re.findall(r"^(gunita_\w+)", text, re.MULTILINE))
    wanted = {name for told_by in expressions() for name in re.findall(r"gunita_\w+", told_by)}
    assert wanted - told == set()


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile, as `gunita serve` would write it."""
    root, stream = logging.getLogger(), io.StringIO()
    former, level, hooks = list(root.handlers), root.level, (sys.excepthook, __import__("threading").excepthook)
    logs.configure("DEBUG", stream)
    yield stream
    for handler in list(root.handlers):
        root.removeHandler(handler)
    for handler in former:
        root.addHandler(handler)
    root.setLevel(level)
    sys.excepthook, __import__("threading").excepthook = hooks


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_logs_tell_request_tenant_session_and_operation_and_no_text(service: Service, written: io.StringIO) -> None:
    with service.opened() as g:
        acme = service.as_(g.scoped("acme").keys.create_key("service").secret)
    told = acme.post("/chat", json={"query": f"My secret is {CANARY}"}, headers={"X-Request-Id": "req-1"}).json()
    acme.get("/api/search", params={"query": CANARY})
    acme.get(f"/api/conversations/{told['session_id']}/messages")
    acme.post("/api/memories", json={"content": CANARY})
    acme.post("/chat", json={"query": CANARY, "role": CANARY})
    service.settle()
    found = lines(written)
    asked = next(line for line in found if line.get("request") == "req-1" and line["event"] == "request")
    assert asked["operation"] == "POST /chat"
    assert (asked["tenant"], asked["status"]) == ("acme", 200)
    assert asked["session"] == f"{told['session_id'][:8]}…{told['session_id'][-4:]}"
    assert {"time", "level", "logger", "ms"} <= asked.keys()
    listed = next(line for line in found if line.get("operation", "").endswith("/{conversation_id}/messages"))
    assert listed["session"] == asked["session"]
    assert CANARY not in written.getvalue()
    assert told["session_id"] not in written.getvalue()


def refuse_canaries(service: Service) -> None:
    """Have the database refuse what begins with the canary's name, and quote it."""
    if service.database.startswith("postgresql"):
        run(
            service.database,
            "ALTER TABLE messages ADD CONSTRAINT refused CHECK (content NOT LIKE 'kanaryo%') NOT VALID",
        )
    else:
        told = "WHEN new.content LIKE 'kanaryo%' BEGIN SELECT raise(FAIL, 'kanaryong-dilaw-7391'); END"
        run(service.database, f"CREATE TRIGGER refused BEFORE INSERT ON messages {told}")


def test_a_failure_is_logged_with_its_place_and_without_the_row(service: Service, written: io.StringIO) -> None:
    refuse_canaries(service)
    answered = service.client.post("/chat", json={"query": CANARY})
    assert answered.status_code >= 400 or answered.json()["metadata"]["warnings"]
    logging.getLogger("gunita.test").error("refused: %s", ValueError(CANARY), exc_info=ValueError(CANARY))
    assert CANARY not in written.getvalue()
    assert any(line.get("trouble", [{}])[0].get("error") == "ValueError" for line in lines(written))


def test_spans_follow_the_conventions_and_hold_no_text(service: Service) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace._TRACER_PROVIDER_SET_ONCE._done = False
    trace.set_tracer_provider(provider)
    session = service.chat(CANARY)["session_id"]
    service.get(f"/api/conversations/{session}/messages")
    memory = service.client.post("/api/memories", json={"content": CANARY}).json()["id"]
    service.client.delete(f"/api/memories/{memory}")
    refuse_canaries(service)
    service.client.post("/chat", json={"query": CANARY})
    with service.opened() as g, pytest.raises(ValidationError):
        traced(g.sessions.get_session_history)(CANARY)
    told = kept.get_finished_spans()
    assert CANARY not in "".join(span.to_json() for span in told)
    # A web framework may tell of its routes beside.
    spans = [span for span in told if span.instrumentation_scope and span.instrumentation_scope.name == "gunita"]
    names = {span.name for span in spans}
    assert {"search_memory", "create_memory", "delete_memory"} <= names
    for span in spans:
        assert span.attributes is not None
        assert span.attributes["gen_ai.operation.name"] == span.name
        assert span.kind is trace.SpanKind.CLIENT
        assert CANARY not in span.to_json()
    listed = next(s for s in spans if (s.attributes or {}).get("gen_ai.memory.record.count") == 2)
    assert (listed.attributes or {})["gen_ai.conversation.id"] == session
    failed = [s for s in spans if s.status.status_code is trace.StatusCode.ERROR]
    assert [(s.attributes or {})["error.type"] for s in failed] == ["ConflictError", "ValidationError"]
    deleted = next(s for s in spans if s.name == "delete_memory")
    assert (deleted.attributes or {})["gen_ai.memory.record.id"] == memory


def test_a_service_that_is_told_to_stop_keeps_what_was_said_so_far(url: str, model: ScriptedModel) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    environment = os.environ | {
        "GUNITA_DATABASE_URL": url,
        "GUNITA_LLM_BASE_URL": model.url,
        "GUNITA_LLM_MODEL": "scripted",
        "GUNITA_PORT": str(port),
    }
    model.answer = lambda _: " ".join(f"word{number}" for number in range(400))
    model.delay = 0.1
    with subprocess.Popen(
        [sys.executable, "-c", "from gunita.cli import main; main()", "serve"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as service:
        try:
            client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
            wait_until_ready(client)
            with client.stream("POST", "/chat/stream", json={"query": CANARY}) as answered:
                for line in answered.iter_lines():
                    if "word3" in line:
                        break
                service.send_signal(signal.SIGTERM)
                assert service.wait(30) is not None
        finally:
            service.kill()
        assert service.stderr is not None
        logged = service.stderr.read()
    assert CANARY not in logged
    assert all(json.loads(line)["event"] for line in logged.splitlines())
    [(content, metadata)] = run(url, "SELECT content, metadata FROM messages WHERE role = 'assistant'")
    assert "word3" in content
    assert (metadata if isinstance(metadata, dict) else json.loads(metadata))["interrupted"] is True


def wait_until_ready(client: httpx.Client) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if client.get("/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the service did not start")
