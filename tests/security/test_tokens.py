"""Tokens that are not what they claim: every confusion of algorithm, key, claim and form is refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from hypothesis import given
from hypothesis import strategies as st
from jwt.jwk_set_cache import JWKSetCache

from gunita.app import read_settings
from gunita.models import Scope
from gunita.server.auth import SignedTokens, scope_of
from tests.api.service import Service, serving
from tests.security.identity import IdentityService, as_jwk, identifying, public_forms
from tests.security.people import SECRET, bearer, token

AUDIENCE = "gunita"


@dataclass
class Stand:
    service: Service
    identity: IdentityService
    stranger: IdentityService
    client: httpx.Client

    @property
    def issuer(self) -> str:
        return f"{self.identity.url}/auth/v1"

    def claims(self, **changed: Any) -> dict[str, Any]:
        said = {"sub": "ana", "exp": int(time.time()) + 600, "aud": AUDIENCE, "iss": self.issuer, **changed}
        return {name: value for name, value in said.items() if value is not None}

    def signed(self, kid: str = "rs", headers: dict[str, Any] | None = None, **changed: Any) -> str:
        key = self.identity.keys[kid]
        algorithm = "RS256" if isinstance(key, rsa.RSAPrivateKey) else "ES256"
        return jwt.encode(self.claims(**changed), key, algorithm, headers={"kid": kid, **(headers or {})})

    def by_secret(self, secret: str = SECRET, algorithm: str = "HS256", **changed: Any) -> str:
        return jwt.encode(self.claims(**changed), secret, algorithm)

    def status(self, token: str) -> int:
        return self.client.get("/api/stats", headers=bearer(token)).status_code


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A Supabase project's service, which takes its tokens by published keys and by shared secret."""
    with identifying() as identity, identifying() as stranger:
        identity.keys = {"rs": rsa.generate_private_key(65537, 2048), "es": ec.generate_private_key(ec.SECP256R1())}
        stranger.keys = {"rs": rsa.generate_private_key(65537, 2048)}
        settings = {"jwt_secret": SECRET, "jwt_audience": AUDIENCE, "supabase_url": identity.url}
        database = str(tmp_path_factory.mktemp("tokens") / "gunita.db")
        with (
            serving(database, require_auth=True, background=False, **settings) as service,
            httpx.Client(base_url=service.url, timeout=30) as client,
        ):
            yield Stand(service, identity, stranger, client)


def test_tokens_as_they_should_be_open(stand: Stand) -> None:
    for good in (stand.signed("rs"), stand.signed("es"), stand.by_secret(), stand.signed(aud=["other", AUDIENCE])):
        assert stand.status(good) == 200


def part(value: object) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def by_hand(header: Any, claims: Any, key: bytes | None) -> str:
    text = f"{part(header)}.{part(claims)}"
    return text + "." + ("" if key is None else part(hmac.new(key, text.encode(), hashlib.sha256).digest()))


def confusions(stand: Stand) -> Iterator[tuple[str, str]]:
    """Tokens that borrow another algorithm or another key."""
    claims, foreign = stand.claims(), stand.stranger.keys["rs"]
    for name in ("none", "None", "NONE", "nOnE", "", None):
        yield f"alg {name}", by_hand({"alg": name, "kid": "rs"}, claims, None)
        yield f"alg {name} without a dot", by_hand({"alg": name, "kid": "rs"}, claims, None).rstrip(".")
    for kid in ("rs", "es"):
        for form in public_forms(stand.identity.keys[kid]):
            yield "public key as a secret", by_hand({"alg": "HS256", "kid": kid}, claims, form)
        written = json.dumps(as_jwk(kid, stand.identity.keys[kid])).encode()
        yield "its JWK as a secret", by_hand({"alg": "HS256", "kid": kid}, claims, written)
    yield "everything published as a secret", by_hand({"alg": "HS256"}, claims, stand.identity.published())
    yield "no secret", by_hand({"alg": "HS256"}, claims, b"")
    yield "another secret", stand.by_secret(SECRET[::-1])
    for name in ("hs256", "HS256 ", ["HS256"], {"HS256": 1}, 256, True):
        yield f"alg {name}", by_hand({"alg": name}, claims, SECRET.encode())
    yield "HS512", stand.by_secret(SECRET * 2, "HS512")
    yield "another's key", jwt.encode(claims, foreign, "RS256", headers={"kid": "rs"})
    yield "RS512", jwt.encode(claims, stand.identity.keys["rs"], "RS512", headers={"kid": "rs"})
    yield "PS256", jwt.encode(claims, stand.identity.keys["rs"], "PS256", headers={"kid": "rs"})
    yield "a key of another kind", jwt.encode(claims, stand.identity.keys["rs"], "RS256", headers={"kid": "es"})
    yield from signatures_of_nothing(stand)


def signatures_of_nothing(stand: Stand) -> Iterator[tuple[str, str]]:
    """Signatures that a careless proof takes for anybody's: of zeros, of the curve's own order, or none."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    for kid, algorithm in (("es", "ES256"), ("rs", "RS256")):
        text = f"{part({'alg': algorithm, 'kid': kid})}.{part(stand.claims())}"
        for mark in (b"", b"\0" * 64, b"\0" * 256, b"\xff" * 64, order.to_bytes(32) * 2, (1).to_bytes(32) * 2):
            yield f"{algorithm} {mark.hex()[:20]}", f"{text}.{part(mark)}"
    head, claims, mark = stand.signed("es").split(".")
    raw = base64.urlsafe_b64decode(mark + "==")
    as_der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    yield "ES256 in another form", f"{head}.{claims}.{part(as_der)}"


def pointers(stand: Stand) -> Iterator[tuple[str, str]]:
    """Tokens that say themselves where their key is."""
    foreign = stand.stranger.keys["rs"]
    for header in (
        {"jku": f"{stand.stranger.url}/keys"},
        {"x5u": f"{stand.stranger.url}/keys"},
        {"x5u": f"{stand.stranger.url}/keys", "kid": "unknown"},
        {"x5c": [base64.b64encode(public_forms(foreign)[2]).decode()]},
        {"jwk": as_jwk("rs", foreign)},
        {"jwk": as_jwk("rs", foreign), "kid": "unknown"},
        {"kid": f"{stand.stranger.url}/keys"},
        {"kid": "../../../../dev/null"},
        {"kid": "' UNION SELECT 1 --"},
        {"kid": ""},
        {"kid": "x" * 10_000},
    ):
        yield str(header)[:40], jwt.encode(stand.claims(), foreign, "RS256", headers={"kid": "rs", **header})
    yield "no key named", jwt.encode(stand.claims(), stand.identity.keys["rs"], "RS256")
    for kid in (["rs"], {"rs": 1}, 7):
        header = part({"alg": "RS256", "kid": kid})
        yield f"kid {kid}", f"{header}.{part(stand.claims())}.{stand.signed().rsplit('.', 1)[1]}"


def wrong_claims(stand: Stand) -> Iterator[tuple[str, str]]:
    """Tokens that are signed well and say what is not so."""
    now = int(time.time())
    for changed in (
        {"exp": now - 5},
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": [now + 600]},
        {"nbf": now + 600},
        {"iat": now + 600},
        {"nbf": "tomorrow"},
        {"exp": float("inf")},
        {"exp": float("nan")},
        {"nbf": float("inf")},
        {"aud": "other"},
        {"aud": AUDIENCE.upper()},
        {"aud": [7, None]},
        {"aud": None},
        {"aud": ["other"]},
        {"aud": {AUDIENCE: 1}},
        {"iss": "https://evil.example/auth/v1"},
        {"iss": None},
        {"iss": stand.issuer + "/"},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 256},
        {"sub": "  "},
        {"sub": "a\0b"},
        {"sub": "\ud800"},
        {"role": "anon"},
        {"app_metadata": {"tenant_id": 7}},
        {"app_metadata": {"tenant_id": ["acme"]}},
        {"app_metadata": {"tenant_id": {"acme": 1}}},
        {"app_metadata": {"tenant_id": True}},
        {"app_metadata": {"tenant_id": ""}},
        {"app_metadata": {"tenant_id": "x" * 256}},
        {"app_metadata": {"tenant_id": " "}},
        {"app_metadata": {"tenant_id": "\ud800"}},
        {"app_metadata": {"tenant_id": "\ud800"}, "role": "service_role"},
        {"app_metadata": "acme"},
        {"app_metadata": ["acme"]},
        {"app_metadata": 7},
        {"app_metadata": "service", "role": "service_role"},
    ):
        yield str(changed)[:60], stand.signed(**changed)
        yield f"by secret: {changed}"[:60], stand.by_secret(**changed)
    for sub in (7, ["ana"], {"ana": 1}):
        yield f"sub {sub}", by_hand({"alg": "HS256"}, stand.claims(sub=sub), SECRET.encode())


def forms(stand: Stand) -> Iterator[tuple[str, str]]:
    """Texts that are no token, or a token and something more."""
    good, other = stand.signed(), stand.signed(sub="ben")
    header, claims, mark = good.split(".")
    yield "another's signature", f"{header}.{claims}.{other.rsplit('.', 1)[1]}"
    yield "another's claims", f"{header}.{other.split('.')[1]}.{mark}"
    yield "cut off", good[:-8]
    yield "four parts", f"{good}.{mark}"
    yield "five parts", f"{header}.{claims}.{mark}.{claims}.{mark}"
    yield "no claims", f"{header}..{mark}"
    yield "claims that are a list", by_hand({"alg": "HS256"}, ["ana"], SECRET.encode())
    yield (
        "unknown critical header",
        by_hand({"alg": "HS256", "crit": ["pay"], "pay": 1}, stand.claims(), SECRET.encode()),
    )
    yield "bytes as they are", by_hand({"alg": "HS256", "b64": False, "crit": ["b64"]}, stand.claims(), SECRET.encode())
    yield "deep", f"{part(b'[' * 30_000)}.{claims}.{mark}"
    deep = part(b'{"alg":' + b"[" * 30_000)
    yield "deep header", f"{deep}.{claims}.{mark}"
    yield "letters that no signature has", f"{header}.{claims}.abc-_~"
    yield "long", "a" * 20_000 + "." + "b" * 20_000 + "." + "c" * 20_000


def alone(**settings: str) -> SignedTokens:
    """The reading of tokens by itself, by one kind of key only."""
    return SignedTokens(read_settings(database_url=":memory:", jwt_audience=AUDIENCE, **settings))


def test_who_knows_published_keys_alone_takes_no_secret_and_the_other_way_round(stand: Stand) -> None:
    published = alone(jwt_jwks_url=f"{stand.identity.url}/keys", jwt_issuer=stand.issuer)
    assert published.claims(stand.signed("es")) is not None
    for form in (b"", *public_forms(stand.identity.keys["rs"]), stand.identity.published(), SECRET.encode()):
        assert published.claims(by_hand({"alg": "HS256", "kid": "rs"}, stand.claims(), form)) is None
    shared = alone(jwt_secret=SECRET, jwt_issuer=stand.issuer)
    assert shared.claims(stand.by_secret()) is not None
    assert shared.claims(stand.signed("rs")) is None
    assert shared.claims(stand.signed("es")) is None


def test_a_secret_that_was_published_by_mistake_signs_nothing(stand: Stand) -> None:
    """A set of keys may hold a symmetric one, which everybody can read."""
    with identifying() as careless:
        leaked = {"kty": "oct", "k": part(SECRET.encode()), "kid": "oct", "alg": "HS256", "use": "sig"}
        careless.published = lambda: json.dumps({"keys": [leaked]}).encode()  # type: ignore[method-assign]
        tokens = alone(jwt_jwks_url=f"{careless.url}/keys")
        for algorithm in ("HS256", "RS256", "ES256"):
            assert tokens.claims(by_hand({"alg": algorithm, "kid": "oct"}, stand.claims(), SECRET.encode())) is None


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
HEADERS = st.fixed_dictionaries(
    {"alg": st.sampled_from(["HS256", "RS256", "ES256", "EdDSA", "none"]) | JSONS},
    optional=dict.fromkeys(("kid", "typ", "crit", "b64", "cty", "zip", "jwk", "jku"), JSONS),
)
CLAIMS = st.dictionaries(
    st.sampled_from(["sub", "exp", "nbf", "iat", "aud", "iss", "jti", "role", "app_metadata"]), JSONS
)


@given(header=HEADERS | JSONS, said=CLAIMS | JSONS)
def test_no_token_makes_the_reading_of_tokens_fail(header: Any, said: Any) -> None:
    """Also one that is signed well, with anything in it."""
    claims = alone(jwt_secret=SECRET).claims(by_hand(header, said, SECRET.encode()))
    assert claims is None or isinstance(scope_of(claims), Scope | None)


@given(st.text(st.characters(max_codepoint=255), max_size=60) | st.text("eyJ.=-_Aa0", max_size=60))
def test_no_text_is_taken_for_a_token(text: str) -> None:
    assert alone(jwt_secret=SECRET).claims(text) is None


@given(JSONS, JSONS, JSONS, JSONS)
def test_no_claims_make_the_reading_of_a_scope_fail(role: Any, sub: Any, private: Any, tenant: Any) -> None:
    for metadata in (private, {"tenant_id": tenant, "role": role}):
        scope = scope_of({"role": role, "sub": sub, "app_metadata": metadata})
        assert scope is None or scope.user_id == sub or role in ("service", "service_role")


@pytest.mark.parametrize("attack", [confusions, pointers, wrong_claims, forms], ids=lambda kind: kind.__name__)
def test_no_bent_token_opens(stand: Stand, attack: Any) -> None:
    opened = {name: status for name, token in attack(stand) if (status := stand.status(token)) != 401}
    assert opened == {}
    assert stand.stranger.asked == [], "a key was looked for where a token said"


def test_a_token_longer_than_any_head_is_not_even_read(stand: Stand) -> None:
    assert stand.status("a" * 70_000) == 431
    assert stand.status(stand.signed()) == 200


def test_tokens_of_unknown_keys_do_not_make_the_service_ask_again_and_again(stand: Stand) -> None:
    before = len(stand.identity.asked)
    for number in range(50):
        unknown = jwt.encode(stand.claims(), stand.stranger.keys["rs"], "RS256", headers={"kid": f"k{number}"})
        assert stand.status(unknown) == 401
    assert len(stand.identity.asked) - before <= 2


def test_a_key_that_was_withdrawn_opens_nothing_once_the_set_is_read_anew(stand: Stand) -> None:
    stand.identity.keys["stolen"] = rsa.generate_private_key(65537, 2048)
    published = stand.service.app.state.running.doorkeeper._tokens._published
    # Five minutes have passed.
    published.jwk_set_cache = JWKSetCache(0.001)
    stolen = stand.signed("stolen")
    assert stand.status(stolen) == 200
    del stand.identity.keys["stolen"]
    time.sleep(0.01)
    assert stand.status(stolen) == 401
    published.jwk_set_cache = JWKSetCache(300)


def test_a_supabase_projects_public_key_is_nobodys_and_its_secret_one_the_services(stand: Stand) -> None:
    anon = stand.by_secret(role="anon", iss="supabase", sub=None)
    service = stand.by_secret(role="service_role", iss="supabase", sub=None)
    assert stand.status(anon) == 401
    assert stand.client.get("/api/keys", headers=bearer(service)).status_code == 200
    user = stand.by_secret(role="authenticated", user_metadata={"role": "service", "tenant_id": "acme"})
    assert stand.client.get("/api/keys", headers=bearer(user)).status_code == 403
    about = stand.client.get("/api/about", headers=bearer(user)).json()
    assert (about["user_id"], about["tenant_id"]) == ("ana", None)


@pytest.mark.parametrize("role", [["service_role"], {"service_role": 1}, "SERVICE_ROLE", "service_role ", True])
def test_only_the_very_word_makes_a_service_of_a_token(role: object) -> None:
    assert scope_of({"sub": "ana", "role": role}) == Scope(None, "ana")
    assert scope_of({"sub": "ana", "app_metadata": {"role": role}}) == Scope(None, "ana")


def test_no_name_uses_up_the_requests_of_another(tmp_path: Path) -> None:
    """A tenant's name may end as another's user begins."""
    callers = [("a/b", "c"), ("a", "b/c"), ("None", "ana"), (None, "ana"), ("a'/'b", "c"), ("a", "b'/'c")]
    with serving(str(tmp_path / "gunita.db"), jwt_secret=SECRET, rate_limit_per_minute=1, background=False) as service:
        for tenant, user in callers:
            mine = bearer(token(sub=user, app_metadata={"tenant_id": tenant}))
            assert service.client.get("/api/user-state", headers=mine).status_code != 429
            assert service.client.get("/api/user-state", headers=mine).status_code == 429
