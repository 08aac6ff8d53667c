"""What a deletion was, and how it is recognised later by those who hold copies and by those who doubt it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class DeletionKind(StrEnum):
    USER = "user"
    CONVERSATION = "conversation"
    MEMORY = "memory"
    TENANT = "tenant"


@dataclass(frozen=True, slots=True)
class DeletionReceipt:
    """That something was deleted everywhere, with how many rows of which table; its digest seals all the rest."""

    id: UUID
    kind: DeletionKind
    tenant_id: str | None
    subject: str
    """The id that was deleted; as it is stored, a user's is a hash, so that the proof itself names nobody."""
    counts: Mapping[str, int]
    deleted_at: datetime
    digest: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of a deletion receipt found."""

    receipt_id: UUID
    verified: bool
    intact: bool
    """The receipt says what it said when it was made."""
    left: Mapping[str, int]
    """Rows that should be gone and are there, by table; whatever came after the deletion is not counted."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """A deletion as other processes hear of it."""

    kind: DeletionKind
    tenant_id: str | None
    subject: str
    deleted_at: datetime

    def means_user(self, tenant_id: str | None, user_id: str) -> bool:
        is_theirs = self.kind is DeletionKind.USER and tenant_id == self.tenant_id
        return is_theirs and subject_of_user(tenant_id, user_id) == self.subject


def subject_of_user(tenant_id: str | None, user_id: str) -> str:
    """Hash a user's id with its tenant: enough to recognise who is named, not to name them."""
    told = json.dumps(["gunita user", tenant_id, user_id])
    return hashlib.sha256(told.encode()).hexdigest()


def stored_subject(kind: DeletionKind, tenant_id: str | None, subject: str) -> str:
    """Say a subject as it is kept: ids of ours as they are, a user's as a hash."""
    return subject_of_user(tenant_id, subject) if kind is DeletionKind.USER else subject


def digest_of(
    receipt_id: UUID,
    kind: DeletionKind,
    tenant_id: str | None,
    subject: str,
    counts: Mapping[str, int],
    deleted_at: datetime,
) -> str:
    """Seal what a receipt says, with the subject as it is stored."""
    told = [str(receipt_id), kind.value, tenant_id, subject, dict(sorted(counts.items())), deleted_at.isoformat()]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
