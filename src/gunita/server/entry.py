"""How a route receives its visitor: admitted, counted, and given Gunita as far as their scope reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import pydantic
from fastapi import Depends, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer

from gunita.aio import AsyncGunita
from gunita.models import Scope
from gunita.server import logs
from gunita.server.answers import Answers
from gunita.server.auth import Caller, Doorkeeper
from gunita.server.limits import RateLimit
from gunita.server.problems import Problem
from gunita.server.replies import JSON

_documented = HTTPBearer(auto_error=False, description="An API key (gunita_…) or a signed token (JWT)")


@dataclass(frozen=True, slots=True)
class Running:
    """What a running service holds, in one place: `app.state.running`."""

    gunita: AsyncGunita
    doorkeeper: Doorkeeper
    answers: Answers
    limit: RateLimit | None
    within: Callable[[str | None, str | None], AsyncGunita]
    """Gunita as a tenant or one of its users sees it; the scopes in use stay at hand."""


@dataclass(frozen=True, slots=True)
class Visit:
    caller: Caller
    running: Running

    @property
    def answers(self) -> Answers:
        return self.running.answers

    @property
    def gunita(self) -> AsyncGunita:
        """Gunita as the caller's own scope sees it."""
        return self._within(self.caller.scope)

    def acting_for(self, user_id: str | None) -> AsyncGunita:
        """Gunita as the user sees it that the caller acts for; somebody else's user is refused."""
        return self._within(self.caller.acting_for(user_id))

    def _within(self, scope: Scope) -> AsyncGunita:
        return self.running.within(scope.tenant_id, scope.user_id)


async def admitted(request: Request, _: Annotated[object, Depends(_documented)]) -> Visit:
    running: Running = request.app.state.running
    caller = await running.doorkeeper.admit(request)
    logs.bind(tenant=caller.scope.tenant_id)
    if running.limit is not None:
        running.limit.take(caller.name)
    return Visit(caller, running)


async def admitted_at_once(request: Request) -> Visit:
    """Admit a visitor of a route that reads its request by itself."""
    return await admitted(request, None)


Body = TypeVar("Body", bound=pydantic.BaseModel)


async def body_at_once(request: Request, form: type[Body]) -> Body:
    """Read a request's body in one step; FastAPI's own way costs a busy route as much as all else about HTTP."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON and not (kind.startswith("application/") and kind.endswith("+json")):
        raise RequestValidationError([{"loc": ("body",), "msg": f"Send it as {JSON}", "type": "content_type"}])
    try:
        return form.model_validate_json(await request.body())
    except pydantic.ValidationError as problem:
        found = problem.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in found]) from problem


def documented_body(form: str) -> dict[str, Any]:
    """Say in the OpenAPI document what a route reads by itself."""
    schema = {"$ref": f"#/components/schemas/{form}"}
    return {
        "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
        "security": [{_documented.scheme_name: []}],
    }


async def admitted_service(visit: Annotated[Visit, Depends(admitted)]) -> Visit:
    if not visit.caller.scope.is_service:
        raise Problem(403, "forbidden", "Only a service key may do this")
    return visit


Visitor = Annotated[Visit, Depends(admitted)]
ServiceVisitor = Annotated[Visit, Depends(admitted_service)]

Limit = Annotated[int, Query(ge=1, le=500, description="How many at most")]
Offset = Annotated[int, Query(ge=0, le=2**31 - 501, description="How many to leave out before the first")]
OfUser = Annotated[
    str | None,
    Query(min_length=1, max_length=255, description="Whose: a service may name any user, a user only themselves"),
]
