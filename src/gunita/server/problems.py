"""From what went wrong to what a client is told: a status, a code, plain words, and never an internal detail."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from gunita.errors import (
    ConflictError,
    GunitaError,
    InvalidRoleError,
    ModelError,
    NotFoundError,
    OutOfScopeError,
    RepeatedRequestError,
    StorageUnavailableError,
    ValidationError,
)
from gunita.server.replies import reply

_log = logging.getLogger("gunita.server")

UNAVAILABLE = "Service temporarily unavailable"
INTERNAL = "Something went wrong on our side; the request id helps us find it"
CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}
OPENAI_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class Problem(Exception):
    """What a client is told instead of what it asked for."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields or {}
        self.headers = headers or {}


def problem_of(error: Exception) -> Problem:
    """Decide what a client may know of an error."""
    match error:
        case Problem():
            return error
        case InvalidRoleError():
            return Problem(400, "invalid_role", _said(error), {error.field: _said(error.problem)})
        case ValidationError():
            return Problem(400, "validation_error", _said(error), {error.field: _said(error.problem)})
        case RequestValidationError():
            return Problem(400, "validation_error", "The request is not valid; see fields", _fields(error))
        case OutOfScopeError():
            return Problem(403, "forbidden", "These credentials do not reach what was asked for")
        case NotFoundError():
            return Problem(404, "not_found", _said(error))
        case RepeatedRequestError():
            return Problem(409, "repeated_request", _said(error), headers={"Retry-After": "1"})
        case ConflictError():
            return Problem(409, "conflict", "The request contradicts what is stored")
        case StorageUnavailableError():
            wait = str(max(1, math.ceil(error.retry_after)))
            return Problem(503, "storage_unavailable", UNAVAILABLE, headers={"Retry-After": wait})
        case ModelError():
            return Problem(502, "model_error", _said(error))
        case ClientDisconnect():
            return Problem(400, "client_left", "The request ended before it was whole")
        case HTTPException():
            code = CODES.get(error.status_code, "http_error")
            return Problem(error.status_code, code, str(error.detail), headers=error.headers or {})
        case _:
            return Problem(500, "internal_error", INTERNAL)


def body_of(problem: Problem, request_id: str, details: str | None = None, *, for_openai: bool = False) -> Any:
    """Write a problem as SPEC has it; a client of OpenAI's finds its own form beside it."""
    body: dict[str, Any] = {
        "error_code": problem.code,
        "message": problem.message,
        "timestamp": datetime.now(UTC).isoformat(),
        "request_id": request_id,
    }
    if problem.fields:
        body["fields"] = dict(problem.fields)
    if details is not None:
        body["details"] = details
    if for_openai:
        kind = OPENAI_TYPES.get(problem.status, "invalid_request_error" if problem.status < 500 else "server_error")
        param = next(iter(problem.fields), None)
        body["error"] = {"message": problem.message, "type": kind, "code": problem.code, "param": param}
    return body


def respond(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status >= 500:
        _log.error("%s %s failed: %s", request.method, request.url.path, type(error).__name__, exc_info=error)
    details = f"{type(error).__name__}: {error}" if request.app.state.gunita_settings.development else None
    request.state.problem = problem.code
    request_id = request.state.request_id
    body = body_of(problem, request_id, details, for_openai=request.url.path.startswith("/v1/"))
    return reply(body, problem.status, dict(problem.headers))


def install(app: FastAPI) -> None:
    async def handle(request: Request, error: Exception) -> Response:
        return respond(request, error)

    for kind in (Problem, GunitaError, RequestValidationError, ClientDisconnect, HTTPException, Exception):
        app.add_exception_handler(kind, handle)


def _fields(error: RequestValidationError) -> dict[str, str]:
    """Name each field that is wrong, by its path in the request."""
    return {
        _said(".".join(str(part) for part in found["loc"] if part != "body") or "body"): str(found["msg"])
        for found in error.errors()
    }


def _said(words: object) -> str:
    """Give words that can be written in UTF-8, also when they quote what cannot."""
    return str(words).encode(errors="replace").decode()
