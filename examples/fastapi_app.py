"""A web service with memory in thirty lines: each caller's questions are kept, and what they point at is found.

DATABASE_URL=chat.db uvicorn examples.fastapi_app:app
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from pydantic import BaseModel

from gunita import AsyncGunita


class Question(BaseModel):
    text: str
    session_id: str | None = None


@asynccontextmanager
async def memory(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncGunita.open() as app.state.gunita:
        yield


app = FastAPI(lifespan=memory)


@app.post("/users/{user_id}/ask")
async def ask(user_id: str, question: Question, request: Request) -> dict[str, Any]:
    gunita = request.app.state.gunita.scoped(user_id=user_id)
    reply = await gunita.chat.reply(question.text, session_id=question.session_id)
    return {"answer": reply.message, "intent": reply.intent, "session_id": str(reply.session_id)}
