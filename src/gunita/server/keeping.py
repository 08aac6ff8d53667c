"""What clients send and receive about keeping and forgetting, as the OpenAPI document tells it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from gunita.erasure import DeletionKind
from gunita.models import CountedFrom
from gunita.server.schemas import SESSION, PageReply, UserId, example

LONGEST = 24 * 366 * 200


class RetentionBody(BaseModel):
    model_config = example({"hours": 720, "counted_from": "activity"})

    hours: float = Field(gt=0, le=LONGEST, description="How long turns are kept")
    counted_from: CountedFrom = Field(CountedFrom.TURN, description="Each turn, or the last activity")


class RetentionReply(BaseModel):
    model_config = example({"hours": 24.0, "counted_from": "turn", "forgotten_at": None})

    hours: float
    counted_from: CountedFrom
    forgotten_at: datetime | None = Field(
        description="When something of this conversation is forgotten next; null where it is pinned, or for a tenant"
    )


class CleanupReply(BaseModel):
    sessions_deleted: int
    turns_deleted: int
    execution_time: float = Field(description="Seconds")
    errors: list[str]
    timestamp: datetime
    skipped: bool = Field(description="Another server was cleaning")


class CleanupStatsReply(BaseModel):
    runs: int
    failed_runs: int
    sessions_deleted: int
    turns_deleted: int
    mean_execution_time: float
    last_run: CleanupReply | None
    next_run_at: datetime | None


class DeletionBody(BaseModel):
    model_config = example({"kind": "user", "subject": "juan"})

    kind: DeletionKind
    subject: UserId = Field(description="The user's, conversation's or memory's id, or the tenant's own")
    with_memories: bool = Field(False, description="With a conversation, also what was learnt from it")


class DeletionReply(BaseModel):
    model_config = example(
        {
            "id": SESSION,
            "kind": "user",
            "tenant_id": None,
            "subject": "juan",
            "counts": {"messages": 12, "memories": 3},
            "deleted_at": "2026-03-01T08:00:00+00:00",
            "digest": "9f2c…",
        }
    )

    id: UUID
    kind: DeletionKind
    tenant_id: str | None
    subject: str = Field(description="A user's is told only when the receipt is given; afterwards a hash")
    counts: dict[str, int] = Field(description="Rows that went, by table")
    deleted_at: datetime
    digest: str = Field(description="Seals all the rest")


class DeletionPage(PageReply):
    items: list[DeletionReply]


class VerificationBody(BaseModel):
    model_config = example({"subject": "juan"})

    subject: UserId | None = Field(None, description="The user whose deletion it was; for others not needed")


class VerificationReply(BaseModel):
    model_config = example({"receipt_id": SESSION, "verified": True, "intact": True, "left": {}})

    receipt_id: UUID
    verified: bool
    intact: bool = Field(description="The receipt says what it said when it was made")
    left: dict[str, int] = Field(description="Rows that should be gone, by table")


class DeletedWithReceipt(BaseModel):
    model_config = example({"deleted": 1, "receipt_id": SESSION})

    deleted: int
    receipt_id: UUID = Field(description="Of the deletion, to be checked under /api/deletions")


class UserExport(BaseModel):
    """Everything about one user."""

    model_config = {"extra": "allow"}

    format: str
    exported_at: datetime
    tenant_id: str | None
    user_id: str
    conversations: list[dict[str, Any]]
    memories: list[dict[str, Any]]
