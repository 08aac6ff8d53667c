"""Deletion with a receipt: somebody or something goes everywhere, and it can be checked that it did."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from gunita.erasure import (
    DeletionKind,
    DeletionReceipt,
    Erasure,
    Verification,
    digest_of,
    stored_subject,
)
from gunita.errors import NotFoundError, OutOfScopeError, StorageError, ValidationError
from gunita.ids import new_id
from gunita.models import Scope
from gunita.services import access
from gunita.services.access import Access
from gunita.services.expiring import shortened
from gunita.services.portability import written_out
from gunita.services.understanding import ReadTexts
from gunita.store import conversations, erasing, memories
from gunita.store.database import Database, ScopedDatabase

_log = logging.getLogger("gunita.deletion")

HEARD_LATE = timedelta(minutes=10)
"""How far back another process looks, since clocks differ and a long deletion is known only when it is done."""


class KeptElsewhere(Protocol):
    """What a running process holds beside the database: turns that wait for it, copies of conversations, indexes."""

    def whose(self) -> Iterable[tuple[str | None, str]]:
        """Name the tenants and users of whom something is held."""
        ...

    def forget(self, tenant_id: str | None, *, user_id: str | None = None, conversation_id: UUID | None = None) -> int:
        """Let go of a conversation, of a user or of a tenant; tell how much that was."""
        ...


class Listening:
    """Lets go, in this process, of what was deleted in any other."""

    def __init__(self, database: Database, elsewhere: Sequence[KeptElsewhere], texts: ReadTexts) -> None:
        self._database = database
        self._elsewhere = elsewhere
        self._texts = texts
        self._heard_to: datetime | None = None
        self._heard: set[Erasure] = set()

    def listen(self, now: datetime) -> int:
        """Forget what was deleted since last time; tell how many deletions that were."""
        since = (self._heard_to or now) - HEARD_LATE
        told = erasing.erasures_since(self._database, since)
        fresh = [erasure for erasure in told if erasure not in self._heard]
        for erasure in fresh:
            let_go(self._elsewhere, erasure)
            self._texts.let_go(now)
        self._texts.catch_up(now)
        self._heard_to, self._heard = now, set(told)
        return len(fresh)


def let_go(elsewhere: Sequence[KeptElsewhere], erasure: Erasure) -> int:
    """Have everything that is held of what was deleted let go."""
    gone = 0
    for kept in elsewhere:
        match erasure.kind:
            case DeletionKind.TENANT:
                gone += kept.forget(erasure.tenant_id)
            case DeletionKind.CONVERSATION:
                gone += kept.forget(erasure.tenant_id, conversation_id=UUID(erasure.subject))
            case DeletionKind.USER:
                known = [user for tenant, user in kept.whose() if erasure.means_user(tenant, user)]
                gone += sum(kept.forget(erasure.tenant_id, user_id=user) for user in known)
            case DeletionKind.MEMORY:
                pass
    return gone


class DeletionService:
    """Deletes users, conversations, memories and tenants everywhere, and says so in writing."""

    def __init__(self, door: Access, database: Database, elsewhere: Sequence[KeptElsewhere], texts: ReadTexts) -> None:
        self._door = door
        self._database = database
        self._elsewhere = elsewhere
        self._texts = texts

    def delete_user(self, user_id: str) -> DeletionReceipt:
        """Delete everything about a user: what they said, what was learnt, what was set, their keys."""
        whose = self._door.user(user_id)
        return self._deleted(DeletionKind.USER, whose, lambda: erasing.erase_user(self._tenants, whose))

    def delete_conversation(self, conversation_id: UUID | str, *, with_memories: bool = False) -> DeletionReceipt:
        """Delete a conversation, and if asked what was learnt from it."""
        wanted = access.identifier("conversation_id", conversation_id)
        found = conversations.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("conversation", wanted)

        def erase() -> Mapping[str, int]:
            return erasing.erase_conversation(self._tenants, wanted, found.user_id, with_memories=with_memories)

        return self._deleted(DeletionKind.CONVERSATION, str(wanted), erase)

    def delete_memory(self, memory_id: UUID | str) -> DeletionReceipt:
        """Delete a memory with its history; what it was learnt from is not learnt from again."""
        wanted = access.identifier("memory_id", memory_id)
        found = memories.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("memory", wanted)
        user, now = found.user_id, self._door.clock()
        return self._deleted(
            DeletionKind.MEMORY, str(wanted), lambda: erasing.erase_memory(self._tenants, wanted, user, now)
        )

    def delete_tenant(self) -> DeletionReceipt:
        """Delete everything of the scope's tenant, its keys too; the receipts of its deletions stay."""
        self._service_only()
        tenant = self._door.scope.tenant_id or ""
        return self._deleted(DeletionKind.TENANT, tenant, lambda: erasing.erase_tenant(self._tenants))

    def verify(self, receipt_id: UUID | str, *, subject: str | None = None) -> Verification:
        """Check that what a receipt is for is gone; a user is named again, since the receipt only knows a hash."""
        wanted = access.identifier("receipt_id", receipt_id)
        stored = self._stored(wanted)
        tenant = self._door.scope.tenant_id
        if stored.kind is DeletionKind.USER and subject is None:
            raise ValidationError("subject", "name the user whose deletion this was; the receipt holds only a hash")
        named = stored.subject if subject is None else stored_subject(stored.kind, tenant, subject)
        if named != stored.subject:
            raise ValidationError("subject", "is not what this receipt is for")
        whole = stored if subject is None else _with_subject(stored, subject)
        left = erasing.left(self._tenants, whole)
        intact = stored.digest == _digest(stored)
        return Verification(wanted, verified=intact and not left, intact=intact, left=left)

    def get_receipt(self, receipt_id: UUID | str) -> DeletionReceipt:
        return self._stored(access.identifier("receipt_id", receipt_id))

    def list_receipts(self, limit: int = 50, offset: int = 0) -> list[DeletionReceipt]:
        """List the tenant's deletion receipts, newest first."""
        self._service_only()
        wanted, start = access.page(limit, offset)
        return erasing.receipts(self._tenants, limit=wanted, offset=start)

    def export_user(self, user_id: str) -> dict[str, Any]:
        """Write out everything about a user as JSON values."""
        return written_out(self._tenants, self._door.user(user_id), self._door.clock())

    @property
    def _tenants(self) -> ScopedDatabase:
        """The tenant's service: whoever deletes themselves also deletes what only the service sees of them."""
        return self._database.within(Scope(self._door.scope.tenant_id))

    def _deleted(self, kind: DeletionKind, subject: str, erase: Callable[[], Mapping[str, int]]) -> DeletionReceipt:
        """Delete, give a receipt, and look again for what came back from a journal before others could see that."""
        now = self._door.clock()
        receipt = self._given(kind, subject, erase(), now)
        if erasing.left(self._tenants, receipt):
            erase()
            _log.warning("what came back from a journal meanwhile was deleted too: receipt %s", shortened(receipt.id))
        try:
            erasing.empty_the_log(self._tenants)
        except StorageError as problem:
            _log.warning("the log keeps what was deleted until it is written over: %s", problem)
        return receipt

    def _given(self, kind: DeletionKind, subject: str, counts: Mapping[str, int], now: datetime) -> DeletionReceipt:
        """Have copies let go, and keep the receipt."""
        tenant, receipt_id = self._door.scope.tenant_id, new_id(now)
        kept = stored_subject(kind, tenant, subject)
        gone = let_go(self._elsewhere, Erasure(kind, tenant, kept, now))
        self._texts.let_go(now)
        told = {**counts, "held_in_memory_or_journal": gone}
        digest = digest_of(receipt_id, kind, tenant, kept, told, now)
        receipt = DeletionReceipt(receipt_id, kind, tenant, subject, told, now, digest)
        erasing.put_receipt(self._tenants, receipt)
        _log.info(
            "deleted a %s: %d rows, receipt %s",
            kind.value,
            sum(counts.values()),
            shortened(receipt_id),
            extra={"operation": "delete", "tenant": tenant},
        )
        return receipt

    def _stored(self, receipt_id: UUID) -> DeletionReceipt:
        found = erasing.get_receipt(self._tenants, receipt_id)
        if found is None:
            raise NotFoundError("deletion receipt", receipt_id)
        return found

    def _service_only(self) -> None:
        if self._door.scope.user_id is not None:
            raise OutOfScopeError("the tenant's service", f"user {self._door.scope.user_id!r}")


def _with_subject(receipt: DeletionReceipt, subject: str) -> DeletionReceipt:
    return DeletionReceipt(
        receipt.id, receipt.kind, receipt.tenant_id, subject, receipt.counts, receipt.deleted_at, receipt.digest
    )


def _digest(receipt: DeletionReceipt) -> str:
    return digest_of(receipt.id, receipt.kind, receipt.tenant_id, receipt.subject, receipt.counts, receipt.deleted_at)
