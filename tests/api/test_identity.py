"""Whose data a request may touch: every wrong credential at every route, and nothing of anybody else's, ever."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from gunita.app import read_settings
from gunita.server.app import create_app, unsafe_to_listen
from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service, serving

SECRET = "a secret of at least thirty-two bytes, for HS256"
SOME_ID = "0197d2c4-8f3e-7a41-9c55-2b8f6d1e0a37"

ROUTES = [
    (method.upper(), path.replace("{key}", "k").replace("{turn_number}", "1"))
    for path, methods in create_app(read_settings(database_url=":memory:")).openapi()["paths"].items()
    for method in methods
    if path not in {"/healthz", "/readyz"}
]
BODY = {
    "query": "Hi", "messages": [{"role": "user", "content": "Hi"}], "role": "user", "content": "c", "value": 1,
    "mode": "active", "conversation_id": SOME_ID, "turn_number": 1, "meant": [], "name": "n",
}  # fmt: skip


def token(**claims: Any) -> str:
    return jwt.encode({"sub": "ana", "exp": int(time.time()) + 600, **claims}, SECRET, "HS256")


def unsigned(header: dict[str, Any], **claims: Any) -> str:
    parts = (header, {"sub": "ana", "exp": int(time.time()) + 600, **claims})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)


def signed_by(key: bytes, header: dict[str, Any], **claims: Any) -> str:
    text = unsigned(header, **claims)
    mark = base64.urlsafe_b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    return f"{text}.{mark}"


@pytest.fixture
def locked(url: str, model: ScriptedModel) -> Iterator[Service]:
    """A service that asks everybody who they are."""
    with serving(url, require_auth=True, jwt_secret=SECRET) as service:
        yield service


def as_(service: Service, secret: str) -> httpx.Client:
    return service.as_(secret)


def key(service: Service, user_id: str | None = None, tenant: str | None = None) -> str:
    with service.opened() as g:
        role = "service" if user_id is None else "user"
        return g.scoped(tenant_id=tenant).keys.create_key("k", role, user_id).secret


def revoked_key(service: Service) -> str:
    with service.opened() as g:
        made = g.keys.create_key("k")
        g.keys.revoke_key(made.key.id)
        return made.secret


WRONG: dict[str, Callable[[Service], dict[str, str]]] = {
    "none": lambda _: {},
    "empty": lambda _: {"Authorization": "Bearer"},
    "unknown key": lambda _: {"Authorization": "Bearer gunita_" + "x" * 43},
    "unknown key by header": lambda _: {"X-Api-Key": "gunita_nobody"},
    "revoked key": lambda s: {"Authorization": f"Bearer {revoked_key(s)}"},
    "half a key": lambda s: {"Authorization": f"Bearer {key(s)[:-1]}"},
    "basic": lambda s: {"Authorization": "Basic " + base64.b64encode(b"a:b").decode()},
    "garbage": lambda _: {"Authorization": "Bearer a.b.c"},
    "wrong secret": lambda _: {
        "Authorization": "Bearer " + jwt.encode({"sub": "a", "exp": 2**33}, SECRET[::-1], "HS256")
    },
    "expired": lambda _: {"Authorization": f"Bearer {token(exp=1)}"},
    "not yet valid": lambda _: {"Authorization": f"Bearer {token(nbf=2**33)}"},
    "no expiry": lambda _: {"Authorization": "Bearer " + jwt.encode({"sub": "ana"}, SECRET, "HS256")},
    "no subject": lambda _: {"Authorization": "Bearer " + jwt.encode({"exp": 2**33}, SECRET, "HS256")},
    "empty subject": lambda _: {"Authorization": f"Bearer {token(sub='')}"},
    "empty tenant": lambda _: {"Authorization": f"Bearer {token(app_metadata={'tenant_id': ''})}"},
    "anon": lambda _: {"Authorization": f"Bearer {token(role='anon')}"},
    "alg none": lambda _: {"Authorization": "Bearer " + unsigned({"alg": "none", "typ": "JWT"}) + "."},
    "alg HS512": lambda _: {"Authorization": "Bearer " + jwt.encode({"sub": "a", "exp": 2**33}, SECRET * 2, "HS512")},
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_no_route_opens_to_a_wrong_credential(locked: Service, wrong: str) -> None:
    headers = WRONG[wrong](locked)
    with httpx.Client(base_url=locked.url, headers=headers, timeout=30) as stranger:
        for method, path in ROUTES:
            for name in ("conversation_id", "memory_id", "receipt_id", "key_id", "session_id"):
                path = path.replace(f"{{{name}}}", SOME_ID)
            body = BODY if method in {"POST", "PUT", "PATCH"} else None
            refused = stranger.request(method, path, json=body)
            assert refused.status_code == 401, f"{method} {path}: {refused.status_code}"
            assert refused.headers["www-authenticate"] == "Bearer"
            said = refused.json()
            assert said["error_code"] == "unauthorized"
            assert said["request_id"] == refused.headers["x-request-id"]
            assert "details" not in said
    with locked.opened() as g:
        assert g.statistics.count().conversations == 0


def test_a_key_in_the_address_opens_nothing(locked: Service) -> None:
    secret = key(locked)
    for name in ("key", "api_key", "token", "access_token", "authorization"):
        assert locked.client.get("/api/stats", params={name: secret}).status_code == 401


def test_a_users_key_reaches_that_user_alone(locked: Service) -> None:
    ana, ben, everybody = as_(locked, key(locked, "ana")), as_(locked, key(locked, "ben")), as_(locked, key(locked))
    session = ana.post("/chat", json={"query": "My secret is mangga"}).json()["session_id"]
    memory = ana.post("/api/memories", json={"content": "Loves mangga"}).json()["id"]
    ana.put("/api/user-memory/fruit", json={"value": "mangga"})
    receipt = ana.get(f"/api/conversations/{session}/turns/1/receipt").json()["id"]
    for method, path, body in [
        ("GET", f"/api/conversations/{session}", None),
        ("PATCH", f"/api/conversations/{session}", {"title": "Mine now"}),
        ("DELETE", f"/api/conversations/{session}", None),
        ("GET", f"/api/conversations/{session}/messages", None),
        ("POST", f"/api/conversations/{session}/messages", {"role": "user", "content": "c"}),
        ("GET", f"/api/conversations/{session}/export", None),
        ("GET", f"/api/conversations/{session}/turns/1/receipt", None),
        ("GET", f"/api/receipts/{receipt}", None),
        ("GET", f"/api/memories/{memory}", None),
        ("PATCH", f"/api/memories/{memory}", {"content": "Hates mangga"}),
        ("DELETE", f"/api/memories/{memory}", None),
        ("GET", "/api/user-memory/fruit", None),
        ("POST", "/api/corrections", {"conversation_id": session, "turn_number": 1, "meant": []}),
        ("GET", f"/chat/stream/{session}/1", None),
        ("POST", f"/chat/stream/{session}/1/stop", None),
    ]:
        found = ben.request(method, path, json=body)
        assert found.status_code == 404, f"{method} {path}: {found.status_code} {found.text}"
        assert "mangga" not in found.text
        # What is not there at all is told of in the same words.
        assert found.json()["error_code"] == "not_found"
    assert ben.get("/api/conversations").json()["items"] == []
    assert ben.get("/api/memories").json()["items"] == []
    assert ben.get("/api/stats").json()["conversations"] == 0
    assert ben.get("/api/user-memory").json() == {"items": {}}
    assert ana.get(f"/api/conversations/{session}").json()["message_count"] == 2
    assert everybody.get(f"/api/conversations/{session}").json()["user_id"] == "ana"


def test_somebody_elses_session_id_begins_a_conversation_of_ones_own(locked: Service) -> None:
    ana, ben = as_(locked, key(locked, "ana")), as_(locked, key(locked, "ben"))
    theirs = ana.post("/chat", json={"query": "My secret is mangga"}).json()["session_id"]
    for _ in range(2):
        reply = ben.post(
            "/chat", json={"query": "What is my secret?", "session_id": theirs, "request_id": str(uuid4())}
        )
        assert reply.status_code == 200, reply.text
        assert reply.json()["session_id"] != theirs
        assert reply.json()["turn_number"] == 1
        assert "mangga" not in reply.text
    assert [turn[1] for turn in locked.turns(theirs)] == ["My secret is mangga"]


def test_a_user_id_that_differs_from_the_credentials_is_refused_everywhere(locked: Service) -> None:
    ana = as_(locked, key(locked, "ana"))
    asked = [
        ("POST", "/chat", {"query": "Hi", "user_id": "ben"}, None),
        ("POST", "/chat/session", {"user_id": "ben"}, None),
        ("POST", "/chat/stream", {"query": "Hi", "user_id": "ben"}, None),
        ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}], "user": "ben"}, None),
        ("POST", "/api/conversations", {"user_id": "ben"}, None),
        ("POST", "/api/memories", {"user_id": "ben", "content": "c"}, None),
        *(
            (method, path, body, {"user_id": "ben"})
            for method, path, body in [
                ("GET", "/api/conversations", None),
                ("GET", "/api/conversations/current", None),
                ("GET", "/api/memories", None),
                ("GET", "/api/user-memory", None),
                ("GET", "/api/user-memory/k", None),
                ("PUT", "/api/user-memory/k", {"value": 1}),
                ("DELETE", "/api/user-memory/k", None),
                ("DELETE", "/api/user-memory", None),
                ("GET", "/api/user-state", None),
                ("PUT", "/api/user-state", {"mode": "halted"}),
                ("DELETE", "/api/user-state", None),
                ("GET", "/api/stats", None),
            ]
        ),
    ]
    for method, path, body, query in asked:
        refused = ana.request(method, path, json=body, params=query)
        assert refused.status_code == 403, f"{method} {path}: {refused.status_code}"
        assert "ben" not in refused.text
    assert ana.post("/chat", json={"query": "Hi", "user_id": "ana"}).status_code == 200


def test_a_services_key_acts_for_users_of_its_own_tenant_alone(locked: Service) -> None:
    shop, other = as_(locked, key(locked, tenant="shop")), as_(locked, key(locked, tenant="other"))
    session = shop.post("/chat", json={"query": "Hi", "user_id": "ana"}).json()["session_id"]
    assert shop.get("/api/conversations", params={"user_id": "ana"}).json()["items"][0]["id"] == session
    assert other.get("/api/conversations").json()["items"] == []
    assert other.get(f"/api/conversations/{session}").status_code == 404
    # The same id under another tenant is another conversation.
    assert other.post("/chat", json={"query": "Hi", "session_id": session}).json()["turn_number"] == 1
    assert shop.get(f"/api/conversations/{session}").json()["turn_count"] == 1


def test_only_a_services_key_manages_keys_and_a_secret_is_shown_once(locked: Service) -> None:
    everybody, ana = as_(locked, key(locked)), as_(locked, key(locked, "ana"))
    made = everybody.post("/api/keys", json={"name": "app", "role": "user", "user_id": "ben"}).json()
    assert made["secret"] not in everybody.get("/api/keys").text
    ben = as_(locked, made["secret"])
    assert ben.get("/api/stats").status_code == 200
    for method, path in (("POST", "/api/keys"), ("GET", "/api/keys"), ("DELETE", f"/api/keys/{made['key']['id']}")):
        assert ana.request(method, path, json={"name": "n"}).status_code == 403
    assert everybody.delete(f"/api/keys/{made['key']['id']}").status_code == 200
    assert ben.get("/api/stats").status_code == 401
    other = as_(locked, key(locked, tenant="other"))
    assert other.delete(f"/api/keys/{made['key']['id']}").status_code == 404


def test_a_token_speaks_for_its_subject_in_its_tenant(locked: Service) -> None:
    ana = as_(locked, token(app_metadata={"tenant_id": "shop"}))
    session = ana.post("/chat", json={"query": "Hi"}).json()["session_id"]
    assert as_(locked, token()).get(f"/api/conversations/{session}").status_code == 404
    assert as_(locked, key(locked, tenant="shop")).get(f"/api/conversations/{session}").json()["user_id"] == "ana"


def test_a_tenant_that_users_claim_for_themselves_is_not_believed(locked: Service) -> None:
    shop = as_(locked, key(locked, tenant="shop"))
    session = shop.post("/chat", json={"query": "Hi", "user_id": "ana"}).json()["session_id"]
    for claims in ({"user_metadata": {"tenant_id": "shop", "role": "service"}}, {"tenant_id": "shop"}):
        assert as_(locked, token(**claims)).get(f"/api/conversations/{session}").status_code == 404


@pytest.mark.parametrize("claims", [{"role": "service_role"}, {"app_metadata": {"role": "service"}}])
def test_a_services_token_sees_the_tenant(locked: Service, claims: dict[str, Any]) -> None:
    as_(locked, token(sub="ben")).post("/chat", json={"query": "Hi"})
    assert len(as_(locked, token(**claims)).get("/api/conversations").json()["items"]) == 1


def test_a_supabase_projects_service_key_has_no_subject(locked: Service) -> None:
    secret = jwt.encode({"role": "service_role", "iss": "supabase", "exp": 2**33}, SECRET, "HS256")
    assert as_(locked, secret).get("/api/keys").status_code == 200


@pytest.fixture
def published() -> Iterator[tuple[str, Any, Any]]:
    """An identity service: where its keys are published, and the private halves."""
    rs, es = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    keys = [
        json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(rs.public_key())) | {"kid": "rs", "alg": "RS256", "use": "sig"},
        json.loads(jwt.algorithms.ECAlgorithm.to_jwk(es.public_key())) | {"kid": "es", "alg": "ES256", "use": "sig"},
    ]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said = json.dumps({"keys": keys}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", rs, es
    server.shutdown()
    server.server_close()


def test_published_keys_verify_and_cannot_be_confused_with_secrets(url: str, published: Any) -> None:
    address, rs, es = published
    claims = {"sub": "ana", "exp": 2**33, "iss": f"{address}/auth/v1"}
    public = rs.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    with serving(url, require_auth=True, jwt_secret=SECRET, supabase_url=address) as service:
        for private, kid, algorithm in ((rs, "rs", "RS256"), (es, "es", "ES256")):
            good = jwt.encode(claims, private, algorithm, headers={"kid": kid})
            assert as_(service, good).get("/api/stats").status_code == 200
        bad = {
            "public key as a secret": signed_by(public, {"alg": "HS256", "kid": "rs"}, iss=f"{address}/auth/v1"),
            "none": unsigned({"alg": "none", "kid": "rs"}, iss=f"{address}/auth/v1") + ".",
            "another's key": jwt.encode(claims, rsa.generate_private_key(65537, 2048), "RS256", headers={"kid": "rs"}),
            "unknown key": jwt.encode(claims, rs, "RS256", headers={"kid": "who"}),
            "no key named": jwt.encode(claims, rs, "RS256"),
            "wrong kind": jwt.encode(claims, rs, "RS256", headers={"kid": "es"}),
            "another issuer": jwt.encode(claims | {"iss": "https://evil"}, rs, "RS256", headers={"kid": "rs"}),
            "RS512": jwt.encode(claims, rs, "RS512", headers={"kid": "rs"}),
        }
        for what, secret in bad.items():
            assert as_(service, secret).get("/api/stats").status_code == 401, what


def test_an_identity_service_that_is_away_is_no_ones_fault(url: str) -> None:
    private = rsa.generate_private_key(65537, 2048)
    secret = jwt.encode({"sub": "ana", "exp": 2**33}, private, "RS256", headers={"kid": "x"})
    with serving(url, require_auth=True, jwt_jwks_url="http://127.0.0.1:9/keys") as service:
        refused = as_(service, secret).get("/api/stats")
    assert (refused.status_code, refused.json()["message"]) == (503, "Service temporarily unavailable")


def test_audience_and_issuer_are_checked_where_set(url: str) -> None:
    with serving(url, require_auth=True, jwt_secret=SECRET, jwt_audience="gunita", jwt_issuer="me") as service:
        assert as_(service, token(aud="gunita", iss="me")).get("/api/stats").status_code == 200
        for claims in (
            {"aud": "other", "iss": "me"},
            {"aud": "gunita", "iss": "you"},
            {"iss": "me"},
            {"aud": "gunita"},
        ):
            assert as_(service, token(**claims)).get("/api/stats").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "["},
    ],
)
def test_a_web_page_elsewhere_does_not_reach_an_open_service(standing: Service, headers: dict[str, str]) -> None:
    assert standing.client.post("/chat", json={"query": "Hi"}, headers=headers).status_code == 401


def test_a_page_of_this_machine_reaches_an_open_service(standing: Service) -> None:
    for origin in ("http://localhost:3000", "http://127.0.0.1:8321"):
        assert standing.client.get("/api/stats", headers={"Origin": origin}).status_code == 200


def test_an_open_service_still_refuses_wrong_keys(standing: Service) -> None:
    assert as_(standing, "gunita_wrong").get("/api/stats").status_code == 401


def test_listening_elsewhere_needs_a_way_to_prove_oneself() -> None:
    elsewhere = read_settings(database_url=":memory:", host="0.0.0.0")
    assert "gunita keys create" in str(unsafe_to_listen(elsewhere, has_keys=False))
    assert unsafe_to_listen(elsewhere, has_keys=True) is None
    assert unsafe_to_listen(read_settings(host="0.0.0.0", jwt_secret=SECRET), has_keys=False) is None
    assert unsafe_to_listen(read_settings(host="127.0.0.1"), has_keys=False) is None


def test_a_service_for_elsewhere_always_asks(url: str) -> None:
    with serving(url, host="0.0.0.0", jwt_secret=SECRET) as service:
        assert service.client.get("/api/stats").status_code == 401
        assert service.client.get("/healthz").status_code == 200


def test_who_asks_too_often_is_told_when_to_come_again(url: str) -> None:
    with serving(url, require_auth=True, jwt_secret=SECRET, rate_limit_per_minute=5) as service:
        ana, ben = as_(service, token()), as_(service, token(sub="ben"))
        codes = [ana.get("/api/stats").status_code for _ in range(7)]
        assert codes == [200] * 5 + [429] * 2
        refused = ana.get("/api/stats")
        assert 1 <= int(refused.headers["retry-after"]) <= 12
        assert refused.json()["error_code"] == "rate_limited"
        assert ben.get("/api/stats").status_code == 200
