"""Every route of the service, read from its own table, and how each is asked for something of ana's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from gunita.app import read_settings
from gunita.server.app import create_app
from tests.security.people import Belongings

OPEN_TO_ALL = {
    ("GET", "/"),
    ("GET", "/page/{name:path}"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/openapi.json"),
}
"""What holds nothing of anybody: the page's files, whether the service lives, and its description."""

Content = Callable[[Belongings], Any]


@dataclass(frozen=True)
class Asking:
    """How a route is asked: with which body and parameters, and who may."""

    body: Content | None = None
    params: Content | None = None
    service_only: bool = False
    names_user: bool = False
    """Says whose it is, by name: refused to whoever is somebody else."""
    takes_unknown_ids: bool = False
    """A conversation's id that nobody has begins a conversation, as SPEC says; one that somebody has does not."""
    opens_to_holders: bool = False
    """The id itself is the proof: whoever of the tenant was given a receipt may check it; it holds no text."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    more: dict[str, Any] = field(default_factory=dict)


def table(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Walk the table that the service itself routes by; a kind of entry that is not known here is an error."""
    for entry in app.routes:
        if isinstance(entry, Route):
            inside: list[Any] = [entry]
        else:
            inside = list(entry.original_router.routes)  # type: ignore[attr-defined]
        for route in inside:
            for method in route.methods - {"HEAD"}:
                yield method, route.path


EVERY = sorted(table(create_app(read_settings(database_url=":memory:"))))
GUARDED = [route for route in EVERY if route not in OPEN_TO_ALL]


def plain(value: Any) -> Content:
    return lambda _: value


def a_completion(_: Belongings) -> Any:
    return {"messages": [{"role": "user", "content": "What is my secret?"}]}


def a_question(theirs: Belongings) -> Any:
    return {"query": "What is my secret?", "session_id": theirs.conversation_id}


def a_correction(theirs: Belongings) -> Any:
    return {"conversation_id": theirs.conversation_id, "turn_number": 1, "meant": []}


def a_deletion(theirs: Belongings) -> Any:
    return {"kind": "conversation", "subject": theirs.conversation_id}


def in_conversation(theirs: Belongings) -> Any:
    return {"q": "secret", "conversation_id": theirs.conversation_id}


BY_SERVICE = Asking(service_only=True)
ASKED: dict[tuple[str, str], Asking] = {
    ("POST", "/chat"): Asking(a_question, takes_unknown_ids=True),
    ("POST", "/chat/session"): Asking(plain({})),
    ("POST", "/chat/stream"): Asking(a_question, takes_unknown_ids=True),
    ("GET", "/chat/stream/{session_id}/{turn_number}"): Asking(),
    ("POST", "/chat/stream/{session_id}/{turn_number}/stop"): Asking(),
    ("GET", "/api/search"): Asking(params=in_conversation),
    ("GET", "/api/conversations/search"): Asking(params=plain({"q": "secret"})),
    ("GET", "/api/about"): Asking(),
    ("GET", "/api/conversations/{conversation_id}/turns"): Asking(),
    ("GET", "/api/insights"): Asking(),
    ("GET", "/api/conversations"): Asking(),
    ("POST", "/api/conversations"): Asking(plain({})),
    ("GET", "/api/conversations/current"): Asking(),
    ("GET", "/api/conversations/{conversation_id}"): Asking(),
    ("PATCH", "/api/conversations/{conversation_id}"): Asking(plain({"title": "Mine now"})),
    ("DELETE", "/api/conversations/{conversation_id}"): Asking(),
    ("GET", "/api/conversations/{conversation_id}/messages"): Asking(),
    ("POST", "/api/conversations/{conversation_id}/messages"): Asking(plain({"role": "user", "content": "Mine"})),
    ("GET", "/api/conversations/{conversation_id}/export"): Asking(params=plain({"format": "markdown"})),
    ("GET", "/api/memories"): Asking(),
    ("POST", "/api/memories"): Asking(plain({"content": "Mine"})),
    ("POST", "/api/memories/extract"): Asking(lambda theirs: {"conversation_id": theirs.conversation_id}),
    ("GET", "/api/memories/extract"): Asking(params=lambda theirs: {"conversation_id": theirs.conversation_id}),
    ("GET", "/api/memories/{memory_id}"): Asking(),
    ("PATCH", "/api/memories/{memory_id}"): Asking(plain({"content": "Mine now"})),
    ("DELETE", "/api/memories/{memory_id}"): Asking(),
    ("GET", "/api/memories/{memory_id}/history"): Asking(),
    ("GET", "/api/memories/{memory_id}/source"): Asking(),
    ("GET", "/api/user-memory"): Asking(),
    ("DELETE", "/api/user-memory"): Asking(),
    ("GET", "/api/user-memory/{key:path}"): Asking(),
    ("PUT", "/api/user-memory/{key:path}"): Asking(plain({"value": 1})),
    ("DELETE", "/api/user-memory/{key:path}"): Asking(),
    ("GET", "/api/user-state"): Asking(),
    ("PUT", "/api/user-state"): Asking(plain({"mode": "halted"})),
    ("DELETE", "/api/user-state"): Asking(),
    ("GET", "/api/stats"): Asking(),
    ("GET", "/api/receipts/{receipt_id}"): Asking(),
    ("GET", "/api/conversations/{conversation_id}/turns/{turn_number}/receipt"): Asking(),
    ("POST", "/api/corrections"): Asking(a_correction),
    ("GET", "/api/corrections"): Asking(),
    ("GET", "/api/corrections/export"): Asking(),
    ("GET", "/api/retention"): Asking(),
    ("PUT", "/api/retention"): Asking(plain({"hours": 1}), service_only=True),
    ("DELETE", "/api/retention"): BY_SERVICE,
    ("GET", "/api/conversations/{conversation_id}/retention"): Asking(),
    ("PUT", "/api/conversations/{conversation_id}/retention"): Asking(plain({"hours": 1})),
    ("DELETE", "/api/conversations/{conversation_id}/retention"): Asking(),
    ("GET", "/api/cleanup"): BY_SERVICE,
    ("POST", "/api/cleanup"): BY_SERVICE,
    ("POST", "/api/deletions"): Asking(a_deletion),
    ("GET", "/api/deletions"): BY_SERVICE,
    ("GET", "/api/deletions/{receipt_id}"): Asking(opens_to_holders=True),
    ("POST", "/api/deletions/{receipt_id}/verify"): Asking(opens_to_holders=True),
    ("GET", "/api/users/{user_id}/export"): Asking(names_user=True),
    ("GET", "/api/keys"): BY_SERVICE,
    ("POST", "/api/keys"): Asking(plain({"name": "mine"}), service_only=True),
    ("DELETE", "/api/keys/{key_id}"): BY_SERVICE,
    ("GET", "/v1/models"): Asking(),
    ("POST", "/v1/chat/completions"): Asking(a_completion),
    ("GET", "/metrics"): BY_SERVICE,
}


def request_for(route: tuple[str, str], theirs: Belongings, user: str = "ana") -> Request:
    """Write the request that asks a route for something of theirs."""
    method, path = route
    receipt = theirs.deletion_receipt_id if "/deletions/" in path else theirs.context_receipt_id
    named = asdict(theirs) | {"session_id": theirs.conversation_id, "receipt_id": receipt, "user_id": user}
    asked = ASKED[route]
    contents = {"json": asked.body, "params": asked.params}
    more = {name: content(theirs) for name, content in contents.items() if content is not None}
    return Request(method, path.replace(":path", "").format(**named), more)
