"""What is known about the turns themselves: counts, receipts, corrections."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Response

from gunita.server.entry import Limit, Offset, OfUser, Visitor
from gunita.server.replies import page, reply
from gunita.server.schemas import (
    LARGEST_TURN,
    CorrectionPage,
    CorrectionReply,
    CountsReply,
    NewCorrection,
    ReceiptReply,
    answers,
    problems,
)

router = APIRouter(prefix="/api", tags=["account"])


@router.get("/stats", summary="How much is kept", response_model=CountsReply, responses=problems())
async def stats(visit: Visitor, user_id: OfUser = None) -> Response:
    return reply(await visit.acting_for(user_id).statistics.count(user_id))


@router.get("/receipts/{receipt_id}", summary="What stood before the model", response_model=ReceiptReply,
            responses=problems(404))  # fmt: skip
async def receipt(receipt_id: UUID, visit: Visitor) -> Response:
    return reply(await visit.gunita.receipts.get_receipt(receipt_id))


@router.get(
    "/conversations/{conversation_id}/turns/{turn_number}/receipt",
    summary="What stood before the model in a turn",
    response_model=ReceiptReply,
    responses=problems(404),
)
async def receipt_of_turn(
    conversation_id: UUID, turn_number: Annotated[int, Path(ge=1, le=LARGEST_TURN)], visit: Visitor
) -> Response:
    return reply(await visit.gunita.receipts.receipt_of_turn(conversation_id, turn_number))


@router.post("/corrections", summary="Say what a reference meant", status_code=201, response_model=CorrectionReply,
             responses=problems(404))  # fmt: skip
async def correct(body: NewCorrection, visit: Visitor) -> Response:
    made = await visit.gunita.corrections.correct(body.conversation_id, body.turn_number, body.meant)
    return reply(made, 201)


@router.get("/corrections", summary="List, newest first", response_model=CorrectionPage, responses=problems())
async def corrections(visit: Visitor, limit: Limit = 50, offset: Offset = 0) -> Response:
    return await page(visit.gunita.corrections.list_corrections, limit, offset)


@router.get(
    "/corrections/export",
    summary="As cases for measuring, one JSON object a line",
    response_class=Response,
    responses=answers("JSON lines", "application/x-ndjson") | problems(),
)
async def export(visit: Visitor, limit: Limit = 500, offset: Offset = 0) -> Response:
    cases = await visit.gunita.corrections.export_cases(limit, offset)
    return Response(cases.encode(errors="replace"), media_type="application/x-ndjson")
