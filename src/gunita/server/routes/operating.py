"""What machines read to watch over the service."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from gunita.errors import StorageError
from gunita.models import Scope
from gunita.server.entry import ServiceVisitor, Visit
from gunita.server.metrics import Metrics
from gunita.server.problems import Problem
from gunita.server.schemas import answers, problems

router = APIRouter(tags=["operating"])


def system_only(visit: ServiceVisitor) -> Visit:
    """Admit the system's own service: what is told here is about every tenant together."""
    if visit.caller.scope != Scope():
        raise Problem(403, "forbidden", "Only a service key of the system itself may see this")
    return visit


@router.get(
    "/metrics",
    summary="For Prometheus",
    response_class=Response,
    responses=answers("Metrics in Prometheus' text format", "text/plain") | problems(403),
)
async def metrics(request: Request, visit: Annotated[Visit, Depends(system_only)]) -> Response:
    counted: Metrics = request.app.state.metrics
    g = visit.running.gunita
    try:
        counted.saw(await g.statistics.storage(), await g.cleanup.get_cleanup_stats(), g.standing)
    except StorageError:
        # Whoever watches wants to know most when the database is away.
        counted.saw(None, None, g.standing)
    return Response(counted.written(), media_type=CONTENT_TYPE_LATEST)
