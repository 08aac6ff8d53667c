"""Whether the process lives, and whether it can work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from gunita import __version__
from gunita.errors import StorageUnavailableError
from gunita.resilience.standing import State
from gunita.server.entry import Running
from gunita.server.replies import reply
from gunita.server.schemas import HealthReply, ProblemReply, ReadyReply

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="The process is alive", response_model=HealthReply)
async def alive() -> Response:
    return reply({"status": "alive"})


@router.get(
    "/readyz",
    summary="Whether turns are kept, and where; which model is configured",
    description="`degraded` while the database is away and turns are kept in the journal; 503 where they are not kept.",
    response_model=ReadyReply,
    responses={503: {"model": ProblemReply, "description": "The database is away and nothing can be kept"}},
)
async def ready(request: Request) -> Response:
    running: Running = request.app.state.running
    took = await _database_ms(running)
    standing, model = running.gunita.standing, running.gunita.model
    return reply(
        {
            "status": State.READY if standing is None else standing.state,
            "database_ms": took,
            "waiting_turns": standing.waiting_turns if standing else 0,
            "seconds_away": round(standing.seconds_away, 1) if standing else 0.0,
            "model": model.name if model else None,
            "version": __version__,
        }
    )


async def _database_ms(running: Running) -> float | None:
    """Say how long the database takes; None while it is away and the journal stands in for it."""
    try:
        return (await running.gunita.statistics.ping()).milliseconds
    except StorageUnavailableError:
        standing = running.gunita.standing
        if standing is None or not standing.keeps_turns:
            raise
        return None
