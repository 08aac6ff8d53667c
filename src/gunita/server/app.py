"""The service: opens Gunita, stands the edge and the routes around it, closes it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import lru_cache

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from threadpoolctl import threadpool_limits

from gunita import __version__
from gunita.aio import AsyncGunita
from gunita.app import read_settings
from gunita.chat.llm import OpenAIModel
from gunita.server import openai_api, problems
from gunita.server.answers import Answers
from gunita.server.auth import Doorkeeper, SignedTokens
from gunita.server.edge import BodyLimit, RequestIds
from gunita.server.entry import Running
from gunita.server.limits import RateLimit
from gunita.server.metrics import Metrics
from gunita.server.routes import (
    account,
    chat,
    conversations,
    forgetting,
    health,
    keys,
    memories,
    operating,
    page,
    search,
    transcripts,
    users,
)
from gunita.server.upkeep import kept_up
from gunita.server.watching import Watched
from gunita.server.worker import working
from gunita.settings import Settings

ROUTES = (
    chat,
    search,
    transcripts,
    conversations,
    memories,
    users,
    account,
    forgetting,
    keys,
    openai_api,
    health,
    operating,
    page,
)
SCOPES_HELD = 1_024
ABOUT = "Conversation memory that understands what people point at, in English, Tagalog and Taglish."


def create_app(source: Settings | AsyncGunita | None = None) -> FastAPI:
    """Make the service over a Gunita that is open, or over one that it opens and closes itself."""
    settings = source.settings if isinstance(source, AsyncGunita) else source or read_settings()
    app = FastAPI(
        title="Gunita",
        version=__version__,
        description=ABOUT,
        lifespan=lambda app: _lifespan(app, source if isinstance(source, AsyncGunita) else settings),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=True,
    )
    app.state.gunita_settings = settings
    problems.install(app)
    for room in ROUTES:
        app.include_router(room.router)
    app.add_middleware(BodyLimit, limit=settings.max_body_bytes)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["X-Request-Id", "X-Session-Id", "Retry-After"],
        )
    app.add_middleware(Watched)
    app.add_middleware(RequestIds)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI, source: Settings | AsyncGunita) -> AsyncIterator[None]:
    async with AsyncExitStack() as opened:
        # Many small products are made at once here; each shared out among processors would take three times as long.
        opened.enter_context(threadpool_limits(1, user_api="blas"))
        gunita = (
            source
            if isinstance(source, AsyncGunita)
            else await opened.enter_async_context(AsyncGunita.with_settings(measured(source)))
        )
        if isinstance(gunita.model, OpenAIModel):
            await opened.enter_async_context(gunita.model.kept_open())
        await opened.enter_async_context(working(gunita))
        settings = gunita.settings
        await opened.enter_async_context(kept_up(gunita))
        metrics = app.state.metrics = Metrics(gunita.meter)
        turns = turns_at_once(settings, os.cpu_count() or 1)
        answers = Answers(settings.stream_grace_seconds, turns, metrics.answered)
        opened.push_async_callback(answers.stop_all)
        limit = RateLimit(settings.rate_limit_per_minute) if settings.rate_limit_per_minute else None
        within = lru_cache(maxsize=SCOPES_HELD)(gunita.scoped)
        app.state.running = Running(gunita, Doorkeeper(gunita, settings), answers, limit, within)
        yield


def measured(settings: Settings) -> Settings:
    """Have a service measure its database, unless it is told not to."""
    return settings.model_copy(update={"metered": True}) if settings.metered is None else settings


def turns_at_once(settings: Settings, processors: int) -> int:
    """Decide how many turns are begun at the same time: one a processor, more where they wait for a server."""
    return settings.async_threads if settings.is_postgres else min(max(processors, 2), settings.async_threads)


def unsafe_to_listen(settings: Settings, *, has_keys: bool) -> str | None:
    """Say why the service must not listen where it is told to; None where it may."""
    if settings.is_loopback or has_keys or SignedTokens(settings).configured:
        return None
    return (
        f"Gunita does not listen on {settings.host} before anybody can prove who they are. Make an API key "
        "(gunita keys create NAME), or set GUNITA_JWT_SECRET, GUNITA_JWT_JWKS_URL or SUPABASE_URL; "
        "or listen on 127.0.0.1."
    )
