"""From credentials to a scope: the one place where it is decided whose data a request may touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import jwt
from fastapi import Request

from gunita.aio import AsyncGunita
from gunita.models import Scope
from gunita.server.problems import Problem
from gunita.settings import Settings

_SERVICE_ROLE = "service_role"
_PUBLIC_KEY_ALGORITHMS = ["RS256", "ES256", "EdDSA"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: a scope, and what identifies them for the rate limit."""

    scope: Scope
    name: str

    def acting_for(self, user_id: str | None) -> Scope:
        """Narrow a service's scope to the user it acts for; a user's scope stays what it is."""
        if user_id is None or not self.scope.is_service:
            return self.scope
        return Scope(self.scope.tenant_id, user_id)


class Tokens(Protocol):
    """Verifies signed tokens; None for one that is not ours or not valid."""

    def claims(self, token: str) -> dict[str, Any] | None: ...


class SignedTokens:
    """JWT by shared secret (HS256) or by published keys; the algorithm is ours to choose, never the token's."""

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret else None
        jwks = settings.jwt_jwks_url
        if jwks is None and settings.supabase_url:
            jwks = settings.supabase_url.rstrip("/") + "/auth/v1/.well-known/jwks.json"
        self._published = jwt.PyJWKClient(jwks, cache_keys=True, timeout=5) if jwks else None
        self._audience = settings.jwt_audience
        self._issuer = settings.jwt_issuer

    @property
    def configured(self) -> bool:
        return self._secret is not None or self._published is not None

    def claims(self, token: str) -> dict[str, Any] | None:
        try:
            algorithm = jwt.get_unverified_header(token).get("alg")
            if algorithm == "HS256" and self._secret is not None:
                return self._verified(token, self._secret, ["HS256"])
            if algorithm in _PUBLIC_KEY_ALGORITHMS and self._published is not None:
                key = self._published.get_signing_key_from_jwt(token)
                return self._verified(token, key.key, [algorithm])
        except jwt.PyJWTError:
            return None
        return None

    def _verified(self, token: str, key: Any, algorithms: list[str]) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=self._audience,
            issuer=self._issuer,
            options={"require": ["exp", "sub"], "verify_aud": self._audience is not None},
        )
        return claims


def scope_of(claims: dict[str, Any]) -> Scope | None:
    """Read whose token it is; app_metadata is the identity service's, user_metadata the user's own and not read."""
    private = claims.get("app_metadata")
    tenant = private.get("tenant_id") if isinstance(private, dict) else None
    if tenant is not None and not _is_name(tenant):
        return None
    if claims.get("role") == _SERVICE_ROLE:
        return Scope(tenant, None)
    user = claims.get("sub")
    return Scope(tenant, user) if _is_name(user) else None


class Doorkeeper:
    """Lets requests in: with a key, with a token, or on loopback without either unless it is told to ask."""

    def __init__(self, gunita: AsyncGunita, settings: Settings) -> None:
        self._gunita = gunita
        self._tokens = SignedTokens(settings)
        self._open = settings.is_loopback and not settings.require_auth

    async def admit(self, request: Request) -> Caller:
        secret = _secret_of(request)
        if secret is None:
            if self._open:
                return Caller(Scope(), "loopback")
            raise _refusal("Send an API key or a token: Authorization: Bearer …")
        owner = await self._gunita.keys.owner_of(secret)
        if owner is not None and not owner.revoked:
            return Caller(owner.scope, f"key {owner.key_id}")
        claims = self._tokens.claims(secret) if owner is None else None
        scope = scope_of(claims) if claims else None
        if scope is None:
            raise _refusal("The key or token is not valid, has expired, or was revoked")
        return Caller(scope, f"token {scope.tenant_id}/{scope.user_id}")


def _secret_of(request: Request) -> str | None:
    header = request.headers.get("authorization", "")
    kind, _, value = header.partition(" ")
    if kind.lower() == "bearer" and value.strip():
        return value.strip()
    return request.headers.get("x-api-key") or (header or None)


def _refusal(message: str) -> Problem:
    return Problem(401, "unauthorized", message, headers={"WWW-Authenticate": "Bearer"})


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 255
