"""From what went wrong to what a client is told: a status, a code, plain words, and never an internal detail."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from gunita.errors import (
    ConflictError,
    GunitaError,
    ModelError,
    NotFoundError,
    OutOfScopeError,
    StorageUnavailableError,
    ValidationError,
)

_log = logging.getLogger("gunita.server")

UNAVAILABLE = "Service temporarily unavailable"
INTERNAL = "Something went wrong on our side; the request id helps us find it"


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
        case ValidationError():
            return Problem(400, "validation_error", str(error), {error.field: error.problem})
        case RequestValidationError():
            return Problem(400, "validation_error", "The request is not valid; see fields", _fields(error))
        case OutOfScopeError():
            return Problem(403, "forbidden", str(error))
        case NotFoundError():
            return Problem(404, "not_found", str(error))
        case ConflictError():
            return Problem(409, "conflict", "The request contradicts what is stored or is being answered already")
        case StorageUnavailableError():
            return Problem(503, "storage_unavailable", UNAVAILABLE, headers={"Retry-After": "5"})
        case ModelError():
            return Problem(502, "model_error", str(error))
        case HTTPException():
            return Problem(error.status_code, _code(error.status_code), str(error.detail), headers=error.headers or {})
        case _:
            return Problem(500, "internal_error", INTERNAL)


def respond(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status >= 500:
        _log.error("%s %s failed: %s", request.method, request.url.path, type(error).__name__, exc_info=error)
    body: dict[str, Any] = {
        "error_code": problem.code,
        "message": problem.message,
        "timestamp": datetime.now(UTC).isoformat(),
        "request_id": request.state.request_id,
    }
    if problem.fields:
        body["fields"] = dict(problem.fields)
    if request.app.state.gunita_settings.development:
        body["details"] = f"{type(error).__name__}: {error}"
    return Response(orjson.dumps(body), problem.status, dict(problem.headers), "application/json")


def install(app: FastAPI) -> None:
    async def handle(request: Request, error: Exception) -> Response:
        return respond(request, error)

    for kind in (Problem, GunitaError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, handle)


def _fields(error: RequestValidationError) -> dict[str, str]:
    """Name each field that is wrong, by its path in the request."""
    return {".".join(str(part) for part in found["loc"]) or "body": str(found["msg"]) for found in error.errors()}


def _code(status: int) -> str:
    return {401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}.get(
        status, "http_error"
    )
