"""How long things are kept, cleanups, deletions with a receipt, and everything about a user to take along."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Path, Query, Response

from gunita.aio import AsyncGunita
from gunita.erasure import DeletionKind, DeletionReceipt
from gunita.errors import ValidationError
from gunita.models import Retention
from gunita.server.entry import Limit, Offset, ServiceVisitor, Visit, Visitor
from gunita.server.keeping import (
    CleanupReply,
    CleanupStatsReply,
    DeletionBody,
    DeletionPage,
    DeletionReply,
    RetentionBody,
    RetentionReply,
    UserExport,
    VerificationBody,
    VerificationReply,
)
from gunita.server.replies import page, reply
from gunita.server.schemas import problems

router = APIRouter(prefix="/api", tags=["forgetting"])

DryRun = Annotated[bool, Query(description="Only say what would go")]
UserInPath = Annotated[str, Path(min_length=1, max_length=255, examples=["juan"])]


@router.get("/retention", summary="How long the tenant's turns are kept", response_model=RetentionReply,
            responses=problems())  # fmt: skip
async def retention(visit: Visitor) -> Response:
    return reply(_rule(await visit.gunita.cleanup.get_retention()))


@router.put("/retention", summary="Keep the tenant's turns for so long", response_model=RetentionReply,
            responses=problems())  # fmt: skip
async def set_retention(body: RetentionBody, visit: ServiceVisitor) -> Response:
    return reply(_rule(await visit.gunita.cleanup.set_retention(body.hours, counted_from=body.counted_from)))


@router.delete("/retention", summary="Keep them as the settings say", response_model=RetentionReply,
               responses=problems())  # fmt: skip
async def clear_retention(visit: ServiceVisitor) -> Response:
    await visit.gunita.cleanup.clear_retention()
    return reply(_rule(await visit.gunita.cleanup.get_retention()))


@router.get("/conversations/{conversation_id}/retention", summary="How long its turns are kept",
            response_model=RetentionReply, responses=problems(404))  # fmt: skip
async def retention_of_conversation(conversation_id: UUID, visit: Visitor) -> Response:
    return reply(await _of_conversation(visit.gunita, conversation_id))


@router.put("/conversations/{conversation_id}/retention", summary="Keep its turns for so long",
            response_model=RetentionReply, responses=problems(404))  # fmt: skip
async def set_retention_of_conversation(conversation_id: UUID, body: RetentionBody, visit: Visitor) -> Response:
    cleanup = visit.gunita.cleanup
    await cleanup.set_retention(body.hours, counted_from=body.counted_from, conversation_id=conversation_id)
    return reply(await _of_conversation(visit.gunita, conversation_id))


@router.delete("/conversations/{conversation_id}/retention", summary="Keep them as the tenant does",
               response_model=RetentionReply, responses=problems(404))  # fmt: skip
async def clear_retention_of_conversation(conversation_id: UUID, visit: Visitor) -> Response:
    await visit.gunita.cleanup.clear_retention(conversation_id)
    return reply(await _of_conversation(visit.gunita, conversation_id))


@router.get("/cleanup", summary="What cleanups did", response_model=CleanupStatsReply, responses=problems())
async def cleanup_stats(visit: ServiceVisitor) -> Response:
    return reply(await visit.gunita.cleanup.get_cleanup_stats())


@router.post("/cleanup", summary="Forget now what is due", response_model=CleanupReply, responses=problems())
async def cleanup(visit: ServiceVisitor, dry_run: DryRun = False) -> Response:
    service = visit.gunita.cleanup
    return reply(await (service.preview_cleanup() if dry_run else service.run_cleanup()))


@router.post("/deletions", summary="Delete somebody or something everywhere", status_code=201,
             response_model=DeletionReply, responses=problems(404))  # fmt: skip
async def delete(body: DeletionBody, visit: Visitor) -> Response:
    """Delete a user, conversation, memory or the tenant; the receipt is the only place that names a deleted user."""
    return reply(await _deleted(body, visit), 201)


@router.get("/deletions", summary="Receipts, newest first", response_model=DeletionPage, responses=problems())
async def receipts(visit: ServiceVisitor, limit: Limit = 50, offset: Offset = 0) -> Response:
    return await page(visit.gunita.deletion.list_receipts, limit, offset)


@router.get("/deletions/{receipt_id}", summary="A receipt as it is kept", response_model=DeletionReply,
            responses=problems(404))  # fmt: skip
async def receipt(receipt_id: UUID, visit: Visitor) -> Response:
    return reply(await visit.gunita.deletion.get_receipt(receipt_id))


@router.post("/deletions/{receipt_id}/verify", summary="Check that it is gone", response_model=VerificationReply,
             responses=problems(404))  # fmt: skip
async def verify(receipt_id: UUID, visit: Visitor, body: Annotated[VerificationBody | None, Body()] = None) -> Response:
    return reply(await visit.gunita.deletion.verify(receipt_id, subject=body.subject if body else None))


@router.get("/users/{user_id}/export", summary="Everything about a user", response_model=UserExport,
            responses=problems())  # fmt: skip
async def export(user_id: UserInPath, visit: Visitor) -> Response:
    written = reply(await visit.acting_for(user_id).deletion.export_user(user_id))
    written.headers["Content-Disposition"] = 'attachment; filename="user.json"'
    return written


async def _deleted(body: DeletionBody, visit: Visit) -> DeletionReceipt:
    g = visit.gunita
    match body.kind:
        case DeletionKind.USER:
            return await g.deletion.delete_user(body.subject)
        case DeletionKind.CONVERSATION:
            return await g.deletion.delete_conversation(body.subject, with_memories=body.with_memories)
        case DeletionKind.MEMORY:
            return await g.deletion.delete_memory(body.subject)
        case DeletionKind.TENANT:
            if body.subject != g.scope.tenant_id:
                raise ValidationError("subject", "must be the id of the tenant whose key this is")
            return await g.deletion.delete_tenant()


def _rule(rule: Retention, forgotten_at: Any = None) -> dict[str, Any]:
    hours = rule.kept_for.total_seconds() / 3600
    return {"hours": hours, "counted_from": rule.counted_from, "forgotten_at": forgotten_at}


async def _of_conversation(g: AsyncGunita, conversation_id: UUID) -> dict[str, Any]:
    rule = await g.cleanup.get_retention(conversation_id)
    return _rule(rule, await g.cleanup.forgotten_at(conversation_id))
