"""A language model that says what a test tells it to, over real HTTP with real server-sent events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Prompt = list[dict[str, str]]


class Manner(StrEnum):
    """How the model behaves."""

    NORMAL = "normal"
    WAITING = "waiting"
    """Says a word each time it is allowed one."""
    REFUSING = "refusing"
    """Answers with an error status."""
    CUT_OFF = "cut_off"
    """Hangs up in mid-stream."""
    CUT_CLEANLY = "cut_cleanly"
    """Ends the stream without saying that it is finished."""
    SILENT = "silent"
    """Says nothing, properly."""
    GARBLED = "garbled"
    """Sends an event that is no JSON."""


def echo(prompt: Prompt) -> str:
    return f"You asked: {prompt[-1]['content']}"


@dataclass
class ScriptedModel:
    answer: Callable[[Prompt], str] = echo
    manner: Manner = Manner.NORMAL
    status: int = 500
    failures_first: int = 0
    """So many requests are refused before the manner begins."""
    words_before_cut: int = 2
    delay: float = 0.0
    calls: list[dict[str, Any]] = field(default_factory=list)
    """Tools it calls before it answers, where they are offered and no result is there yet."""
    calls_after_results: bool = False
    prompts: list[Prompt] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    words: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the caller hung up before the answer was told."""
    url: str = ""

    def allow(self, words: int) -> None:
        for _ in range(words):
            self.words.release()

    def wait_until_asked(self, times: int = 1) -> None:
        until = time.monotonic() + 20
        while len(self.prompts) < times and time.monotonic() < until:
            time.sleep(0.005)
        assert len(self.prompts) >= times


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.model.requests.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
        if self.model.failures_first > 0:
            self.model.failures_first -= 1
            self.refuse(self.model.status)
            return
        self.model.prompts.append(body["messages"])
        if self.model.manner is Manner.REFUSING:
            self.refuse(self.model.status)
            return
        try:
            results = body["messages"][-1]["role"] == "tool"
            if body.get("tools") and self.model.calls and (self.model.calls_after_results or not results):
                self.call(self.model.calls)
            elif body.get("stream"):
                self.tell(self.model.answer(body["messages"]))
            else:
                self.say(self.model.answer(body["messages"]))
        except (BrokenPipeError, ConnectionResetError):
            self.model.left.set()
            self.close_connection = True

    def refuse(self, status: int) -> None:
        said = json.dumps({"error": {"message": "secret detail of the model", "type": "x", "code": "y"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def say(self, text: str) -> None:
        """Answer in one piece, as one who does not ask for a stream expects."""
        message = {"role": "assistant", "content": text}
        answer = {"id": "scripted-1", "object": "chat.completion", "created": 1, "model": "scripted"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        said = json.dumps(answer | {"choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def call(self, calls: list[dict[str, Any]]) -> None:
        """Call tools the way a model streams it: the name first, then the arguments in pieces."""
        self.begin_events()
        for place, called in enumerate(calls):
            function = called["function"]
            named = {**called, "index": place, "function": {**function, "arguments": ""}}
            self.event(chunk({"tool_calls": [named]}))
            for letter in function["arguments"]:
                self.event(chunk({"tool_calls": [{"index": place, "function": {"arguments": letter}}]}))
        self.event(chunk({}, "tool_calls"))
        self.send("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def begin_events(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def tell(self, text: str) -> None:
        self.begin_events()
        manner = self.model.manner
        words = [] if manner is Manner.SILENT else pieces(text)
        for place, word in enumerate(words):
            if manner in {Manner.CUT_OFF, Manner.CUT_CLEANLY, Manner.GARBLED} and place == self.model.words_before_cut:
                break
            if manner is Manner.WAITING:
                self.wait_for_leave()
            if self.model.delay:
                time.sleep(self.model.delay)
            self.event(chunk({"content": word}))
        if manner is Manner.CUT_OFF:
            self.wfile.flush()
            self.connection.close()
            self.close_connection = True
            return
        if manner is Manner.GARBLED:
            self.send("data: {not json\n\n")
        elif manner is not Manner.CUT_CLEANLY:
            self.event(chunk({}, "stop"))
            self.send("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def wait_for_leave(self) -> None:
        """Wait for leave to say a word, looking whether the caller is still there."""
        while not self.model.words.acquire(timeout=0.05):
            self.send(": waiting\n\n")

    def event(self, value: dict[str, Any]) -> None:
        self.send(f"data: {json.dumps(value)}\n\n")

    def send(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def do_GET(self) -> None:
        said = json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args: object) -> None:
        """Say nothing; a test's output is its own."""


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller who hangs up is no error here."""


def pieces(text: str) -> list[str]:
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)]


def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "scripted-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


@contextmanager
def speaking() -> Iterator[ScriptedModel]:
    """Serve a scripted model on a free port of loopback."""
    model = ScriptedModel()
    server = QuietServer(("127.0.0.1", 0), type("ScriptedHandler", (Handler,), {"model": model}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        model.allow(10_000)
        server.shutdown()
        server.server_close()
        thread.join(5)
