"""User memory and user state: what an application keeps about a user."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from gunita.aio import AsyncUserDataService
from gunita.errors import NotFoundError
from gunita.models import ANONYMOUS
from gunita.server.entry import OfUser, Visit, Visitor
from gunita.server.replies import reply
from gunita.server.schemas import (
    Deleted,
    UserMemoryBody,
    UserMemoryList,
    UserMemoryReply,
    UserStateBody,
    UserStateReply,
    problems,
)

router = APIRouter(prefix="/api", tags=["users"])

Key = Annotated[str, Path(min_length=1, max_length=255, examples=["preferences"])]
_NOTHING: Any = object()


@router.get("/user-memory", summary="Everything kept about a user", response_model=UserMemoryList,
            responses=problems())  # fmt: skip
async def everything(visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    return reply({"items": await users.get_all_memory(whose)})


@router.delete("/user-memory", summary="Delete everything kept about a user", response_model=Deleted,
               responses=problems())  # fmt: skip
async def clear(visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    return reply({"deleted": await users.clear_all_memory(whose)})


@router.get("/user-memory/{key:path}", summary="What is kept under a key", response_model=UserMemoryReply,
            responses=problems(404))  # fmt: skip
async def get(key: Key, visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    value = await users.get_memory(whose, key, _NOTHING)
    if value is _NOTHING:
        raise NotFoundError("user memory under the key", repr(key))
    return reply({"key": key, "value": value})


@router.put("/user-memory/{key:path}", summary="Keep a JSON value under a key", response_model=UserMemoryReply,
            responses=problems())  # fmt: skip
async def put(key: Key, body: UserMemoryBody, visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    await users.set_memory(whose, key, body.value)
    return reply({"key": key, "value": body.value})


@router.delete("/user-memory/{key:path}", summary="Delete what is kept under a key", response_model=Deleted,
               responses=problems(404))  # fmt: skip
async def delete(key: Key, visit: Visitor, user_id: OfUser = None) -> Response:
    """Delete a key; one that is not there is a 404."""
    users, whose = _of(visit, user_id)
    if not await users.delete_memory(whose, key):
        raise NotFoundError("user memory under the key", repr(key))
    return reply({"deleted": 1})


@router.get("/user-state", summary="A user's mode", response_model=UserStateReply, responses=problems())
async def get_state(visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    return reply({"mode": await users.get_user_state(whose)})


@router.put("/user-state", summary="Set a user's mode", response_model=UserStateReply, responses=problems())
async def set_state(body: UserStateBody, visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    await users.set_user_state(whose, body.mode)
    return reply({"mode": body.mode})


@router.delete("/user-state", summary="Forget a user's mode", response_model=Deleted, responses=problems())
async def delete_state(visit: Visitor, user_id: OfUser = None) -> Response:
    users, whose = _of(visit, user_id)
    return reply({"deleted": int(await users.delete_user_state(whose))})


def _of(visit: Visit, user_id: str | None) -> tuple[AsyncUserDataService, str]:
    """Say whom it is about: the one named, or the caller, or with a service that names nobody, anonymous."""
    return visit.acting_for(user_id).users, user_id or visit.caller.scope.user_id or ANONYMOUS
