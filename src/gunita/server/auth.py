"""From credentials to a scope: the one place where it is decided whose data a request may touch."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit

import jwt
from fastapi import Request

from gunita.aio import AsyncGunita
from gunita.errors import OutOfScopeError, StorageUnavailableError, ValidationError
from gunita.models import Scope
from gunita.server.problems import UNAVAILABLE, Problem
from gunita.services import access
from gunita.services.keys import hash_of
from gunita.settings import Settings
from gunita.store.keys import KeyOwner

KEY_KNOWN_FOR = 900.0
"""Seconds for which a key that was good stays good while the database is away; a revoked one is found out after."""
KEYS_KNOWN = 10_000

_SERVICE_ROLE = "service_role"
_NOBODYS_ROLE = "anon"
_SERVICE = "service"
_PUBLIC_KEY_ALGORITHMS = ["RS256", "ES256", "EdDSA"]
_PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_LOOPBACK_NAMES = {"localhost", "127.0.0.1", "::1", "[::1]"}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: a scope, and what identifies them for the rate limit."""

    scope: Scope
    name: str

    def acting_for(self, user_id: str | None) -> Scope:
        """Narrow a service's scope to the user it acts for; a user acts for nobody else."""
        if user_id is None or user_id == self.scope.user_id:
            return self.scope
        if not self.scope.is_service:
            raise OutOfScopeError(user_id, self.scope.user_id or "")
        return Scope(self.scope.tenant_id, user_id)


class Tokens(Protocol):
    """Verifies signed tokens; None for one that is not ours or not valid."""

    def claims(self, token: str) -> dict[str, Any] | None: ...


class SignedTokens:
    """JWT by shared secret (HS256) or by published keys; the algorithm is ours to choose, never the token's."""

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret else None
        supabase = settings.supabase_url.rstrip("/") if settings.supabase_url else None
        jwks = settings.jwt_jwks_url or (supabase and f"{supabase}/auth/v1/.well-known/jwks.json")
        # The whole set is read anew every five minutes, so a key that was withdrawn opens nothing for longer.
        self._published = jwt.PyJWKClient(jwks, timeout=5) if jwks else None
        self._audience = settings.jwt_audience
        # Supabase signs its users' tokens with its address, and the keys of a project with its bare name.
        self._issuer: str | list[str] | None = settings.jwt_issuer or (
            [f"{supabase}/auth/v1", "supabase"] if supabase else None
        )

    @property
    def configured(self) -> bool:
        return self._secret is not None or self._published is not None

    def claims(self, token: str) -> dict[str, Any] | None:
        """Verify a token; fetches published keys when they are not known, so it may block."""
        try:
            algorithm = jwt.get_unverified_header(token).get("alg")
            if algorithm == "HS256" and self._secret is not None:
                return self._verified(token, self._secret, ["HS256"])
            if algorithm in _PUBLIC_KEY_ALGORITHMS and self._published is not None:
                key = self._published.get_signing_key_from_jwt(token)
                # A key serves the algorithm it was published for; the token's word alone could bend it to another.
                return self._verified(token, key.key, [algorithm]) if key.algorithm_name == algorithm else None
        except jwt.PyJWKClientConnectionError as problem:
            raise Problem(503, "identity_unavailable", UNAVAILABLE, headers={"Retry-After": "5"}) from problem
        except (jwt.PyJWTError, RecursionError):
            return None
        return None

    def _verified(self, token: str, key: Any, algorithms: list[str]) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=self._audience,
            issuer=self._issuer,
            options={"require": ["exp"], "verify_aud": self._audience is not None},
        )
        return claims


def scope_of(claims: dict[str, Any]) -> Scope | None:
    """Read whose token it is; app_metadata is the identity service's, user_metadata the user's own and not read."""
    private = claims.get("app_metadata") or {}
    if not isinstance(private, dict):
        # Who cannot say which tenant is meant does not mean the system's own.
        return None
    if claims.get("role") == _NOBODYS_ROLE:
        return None
    is_service = claims.get("role") == _SERVICE_ROLE or private.get("role") == _SERVICE
    user = None if is_service else claims.get("sub")
    if user is None and not is_service:
        return None
    try:
        return access.scope(private.get("tenant_id"), user)
    except ValidationError:
        # A name that nothing can be kept under is nobody's.
        return None


class Doorkeeper:
    """Lets requests in: with a key, with a token, or on loopback without either unless it is told to ask."""

    def __init__(self, gunita: AsyncGunita, settings: Settings) -> None:
        self._gunita = gunita
        self._tokens = SignedTokens(settings)
        self._open = settings.is_loopback and not settings.require_auth
        self._known_origins = set(settings.cors_origins)
        self._seen: OrderedDict[str, tuple[KeyOwner, float]] = OrderedDict()

    async def admit(self, request: Request) -> Caller:
        secret = _secret_of(request)
        if secret is None:
            if self._open and self._is_from_here(request):
                return Caller(Scope(), "loopback")
            raise _refusal("Send an API key or a token: Authorization: Bearer …")
        owner = await self._owner_of(secret)
        if owner is not None:
            if owner.revoked:
                raise _refusal(_NOT_VALID)
            return Caller(owner.scope, f"key {owner.key_id}")
        claims = await asyncio.to_thread(self._tokens.claims, secret) if self._tokens.configured else None
        scope = scope_of(claims) if claims else None
        if scope is None:
            raise _refusal(_NOT_VALID)
        # Quoted, so that no name can end before the other begins and use up another's requests.
        return Caller(scope, f"token {scope.tenant_id!r}/{scope.user_id!r}")

    async def _owner_of(self, secret: str) -> KeyOwner | None:
        """Find whom a key speaks for; while the database is away, a key that was good a moment ago still is."""
        known_by = hash_of(secret)
        try:
            owner = await self._gunita.keys.owner_of(secret)
        except StorageUnavailableError:
            known, seen_at = self._seen.get(known_by, (None, 0.0))
            if known is None or time.monotonic() - seen_at > KEY_KNOWN_FOR:
                raise
            return known
        if owner is not None:
            self._seen[known_by] = owner, time.monotonic()
            self._seen.move_to_end(known_by)
            while len(self._seen) > KEYS_KNOWN:
                self._seen.popitem(last=False)
        return owner

    def _is_from_here(self, request: Request) -> bool:
        """Tell whether a request without credentials comes from this machine and from no foreign web page.

        A page elsewhere can make a browser ask a loopback address, also under a name of its own; and a proxy on this
        machine asks for everybody.
        """
        origin = request.headers.get("origin")
        return (
            request.client is not None
            and not any(name in request.headers for name in _PASSED_ON)
            and _is_loopback(request.client.host)
            and _host_name(f"//{request.headers.get('host', '')}") in _LOOPBACK_NAMES
            and (origin is None or origin in self._known_origins or _host_name(origin) in _LOOPBACK_NAMES)
        )


_NOT_VALID = "The key or token is not valid, has expired, or was revoked"


def _secret_of(request: Request) -> str | None:
    header = request.headers.get("authorization", "")
    kind, _, value = header.partition(" ")
    if kind.lower() == "bearer" and value.strip():
        return value.strip()
    return request.headers.get("x-api-key") or (header or None)


def _refusal(message: str) -> Problem:
    return Problem(401, "unauthorized", message, headers={"WWW-Authenticate": "Bearer"})


@lru_cache(maxsize=1_024)
def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=1_024)
def _host_name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
