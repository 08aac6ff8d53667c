"""API keys, for a tenant's service alone."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from gunita.server.entry import ServiceVisitor
from gunita.server.replies import reply
from gunita.server.schemas import Deleted, KeyList, NewKeyBody, NewKeyReply, problems

router = APIRouter(prefix="/api/keys", tags=["keys"])


@router.post("", summary="Make a key; its secret is shown once", status_code=201, response_model=NewKeyReply,
             responses=problems())  # fmt: skip
async def create(body: NewKeyBody, visit: ServiceVisitor) -> Response:
    return reply(await visit.gunita.keys.create_key(body.name, body.role, body.user_id), 201)


@router.get("", summary="List the tenant's keys", response_model=KeyList, responses=problems())
async def listed(visit: ServiceVisitor) -> Response:
    return reply({"items": await visit.gunita.keys.list_keys()})


@router.delete("/{key_id}", summary="Revoke a key", response_model=Deleted, responses=problems(404))
async def revoke(key_id: UUID, visit: ServiceVisitor) -> Response:
    """Revoke a key, at once and for good."""
    await visit.gunita.keys.revoke_key(key_id)
    return reply({"deleted": 1})
