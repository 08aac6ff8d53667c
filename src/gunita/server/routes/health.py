"""Whether the process lives, and whether it can work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from gunita import __version__
from gunita.server.entry import Running
from gunita.server.replies import reply
from gunita.server.schemas import HealthReply, ProblemReply, ReadyReply

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="The process is alive", response_model=HealthReply)
async def alive() -> Response:
    return reply({"status": "alive"})


@router.get(
    "/readyz",
    summary="The database answers; which model is configured",
    response_model=ReadyReply,
    responses={503: {"model": ProblemReply, "description": "The database is away"}},
)
async def ready(request: Request) -> Response:
    running: Running = request.app.state.running
    reached = await running.gunita.statistics.ping()
    model = running.gunita.model
    return reply(
        {
            "status": "ready",
            "database_ms": reached.milliseconds,
            "model": model.name if model else None,
            "version": __version__,
        }
    )
