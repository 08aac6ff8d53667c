"""Two tenants and their people: what they own, and how each proves, or fails to prove, who they are."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import jwt

from gunita import Gunita
from tests.api.service import Service, serving

SECRET = "a secret of at least thirty-two bytes, for HS256"
MARK = "manggang-hinog"
"""Stands in everything that ana of acme owns, and must stand in nothing that others are told."""
_CHANGING = re.compile(rb'"(?:request_id|timestamp)":"[^"]*",?')


def token(secret: str = SECRET, algorithm: str = "HS256", headers: dict[str, Any] | None = None, **claims: Any) -> str:
    """Sign a token; a claim that is given as None is left out."""
    said = {"sub": "ana", "exp": int(time.time()) + 600, **claims}
    kept = {name: value for name, value in said.items() if value is not None}
    return jwt.encode(kept, secret, algorithm, headers=headers)


@dataclass(frozen=True)
class Belongings:
    """One of everything, by the name it has in addresses."""

    conversation_id: str
    memory_id: str
    context_receipt_id: str
    deletion_receipt_id: str
    key_id: str
    key: str
    turn_number: int = 1

    def all_ids(self) -> list[str]:
        found = (self.conversation_id, self.memory_id, self.context_receipt_id, self.deletion_receipt_id, self.key_id)
        return [*found, self.key]


def of_nobody() -> Belongings:
    """Ids under which there is nothing."""
    return Belongings(*(str(uuid4()) for _ in range(5)), key="nothing-here")


@dataclass
class Town:
    service: Service
    gunita: Gunita
    client: httpx.Client
    """Sends what it is told and nothing of its own; each request brings its credentials."""
    keys: dict[str, str]
    """Secrets, by whose they are."""
    belongings: Belongings

    def ask(self, credentials: dict[str, str], method: str, path: str, **more: Any) -> httpx.Response:
        return self.client.request(method, path, headers=credentials, **more)

    def as_(self, who: str) -> dict[str, str]:
        return bearer(self.keys[who])


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def unchanging(answered: httpx.Response, *names: str) -> bytes:
    """An answer without what is new in each: its id, its time, and the ids that were asked for."""
    said = _CHANGING.sub(b"", answered.content)
    for name in names:
        said = said.replace(name.encode(), b"(asked)")
    return said


@contextmanager
def populated(address: str, **settings: Any) -> Iterator[Town]:
    asking = {"require_auth": True, "jwt_secret": SECRET, "background": False, **settings}
    with (
        serving(address, **asking) as service,
        service.opened() as g,
        httpx.Client(base_url=service.url, timeout=30) as client,
    ):
        keys = {
            "ana": g.scoped("acme").keys.create_key("ana", "user", "ana").secret,
            "ben": g.scoped("acme").keys.create_key("ben", "user", "ben").secret,
            "acme": g.scoped("acme").keys.create_key("service").secret,
            "other": g.scoped("other").keys.create_key("service").secret,
            "ana of other": g.scoped("other").keys.create_key("ana", "user", "ana").secret,
            "system": g.keys.create_key("service").secret,
        }
        yield Town(service, g, client, keys, owned(service, client, g, keys["ana"]))


def owned(service: Service, client: httpx.Client, g: Gunita, ana: str) -> Belongings:
    """Have ana of acme own one of everything."""
    credentials = bearer(ana)

    def made(method: str, path: str, body: Any = None) -> Any:
        answered = client.request(method, path, json=body, headers=credentials)
        assert answered.status_code < 300, answered.text
        return answered.json()

    gone = made("POST", "/chat", {"query": f"Forget the {MARK}"})["session_id"]
    receipt = made("DELETE", f"/api/conversations/{gone}")["receipt_id"]
    said = made("POST", "/chat", {"query": f"My secret is {MARK}"})
    memory = made("POST", "/api/memories", {"content": f"Loves {MARK}", "category": MARK})
    made("PUT", f"/api/user-memory/{MARK}", {"value": MARK})
    made("PUT", "/api/user-state", {"mode": MARK})
    made("PATCH", f"/api/conversations/{said['session_id']}", {"title": MARK, "metadata": {"note": MARK}})
    correction = {"conversation_id": said["session_id"], "turn_number": 1, "meant": []}
    made("POST", "/api/corrections", correction)
    context = made("GET", f"/api/conversations/{said['session_id']}/turns/1/receipt")["id"]
    key_id = str(g.scoped("acme").keys.create_key(MARK, "user", "ana").key.id)
    return Belongings(said["session_id"], memory["id"], context, receipt, key_id, MARK)


def everything(town: Town) -> object:
    """All that ana of acme owns, as she is given it herself."""
    exported = town.ask(town.as_("ana"), "GET", "/api/users/ana/export").json()
    exported.pop("exported_at")
    for key in exported["api_keys"]:
        key.pop("last_used_at")
    return exported


def wrong_credentials(town: Town) -> dict[str, dict[str, str]]:
    """Credentials that must open nothing, each for another reason."""
    keys = town.gunita.scoped("acme").keys
    revoked = keys.create_key("revoked")
    keys.revoke_key(revoked.key.id)
    known = town.keys["ana"]
    return {
        "none": {},
        "empty": {"Authorization": ""},
        "bare scheme": {"Authorization": "Bearer"},
        "another scheme": {"Authorization": "Basic " + base64.b64encode(b"ana:ana").decode()},
        "garbage": bearer("a.b.c"),
        "quotes and a comment": bearer("gunita_' OR ''='\" --/*"),
        "well-formed and unknown": bearer("gunita_" + base64.urlsafe_b64encode(b"x" * 32).decode().rstrip("=")),
        "unknown by its own header": {"X-Api-Key": "gunita_" + "x" * 43},
        "a letter short": bearer(known[:-1]),
        "in other letters": bearer(known.swapcase()),
        "its hash": bearer("gunita_" + __import__("hashlib").sha256(known.encode()).hexdigest()),
        "revoked": bearer(revoked.secret),
        "expired token": bearer(token(exp=int(time.time()) - 5, app_metadata={"tenant_id": "acme"})),
        "token of another secret": bearer(token(SECRET[::-1], app_metadata={"tenant_id": "acme"})),
        "as a cookie": {"Cookie": f"authorization=Bearer {known}; key={known}"},
    }
