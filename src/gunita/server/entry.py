"""How a route receives its visitor: admitted, counted, and given Gunita as far as their scope reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.security import HTTPBearer

from gunita.aio import AsyncGunita
from gunita.models import Scope
from gunita.server.answers import Answers
from gunita.server.auth import Caller, Doorkeeper
from gunita.server.limits import RateLimit
from gunita.server.problems import Problem

_documented = HTTPBearer(auto_error=False, description="An API key (gunita_…) or a signed token (JWT)")


@dataclass(frozen=True, slots=True)
class Running:
    """What a running service holds, in one place: `app.state.running`."""

    gunita: AsyncGunita
    doorkeeper: Doorkeeper
    answers: Answers
    limit: RateLimit | None


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
        return self.running.gunita.scoped(scope.tenant_id, scope.user_id)


async def admitted(request: Request, _: Annotated[object, Depends(_documented)]) -> Visit:
    running: Running = request.app.state.running
    caller = await running.doorkeeper.admit(request)
    if running.limit is not None:
        running.limit.take(caller.name)
    return Visit(caller, running)


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
