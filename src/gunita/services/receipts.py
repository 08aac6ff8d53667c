"""Receipts: what stood before the model in a turn, and why."""

from __future__ import annotations

from uuid import UUID

from gunita.errors import NotFoundError
from gunita.services import access
from gunita.services.access import Access
from gunita.store import receipts
from gunita.store.receipts import StoredReceipt


class ReceiptService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def get_receipt(self, receipt_id: UUID | str) -> StoredReceipt:
        wanted = access.identifier("receipt_id", receipt_id)
        found = receipts.get(self._door.db, wanted)
        if found is None:
            raise NotFoundError("receipt", wanted)
        return found

    def receipt_of_turn(self, conversation_id: UUID | str, turn_number: int) -> StoredReceipt:
        """Give the newest receipt of a turn."""
        wanted = access.identifier("conversation_id", conversation_id)
        found = receipts.of_turn(self._door.db, wanted, access.turn_number("turn_number", turn_number))
        if not found:
            raise NotFoundError("receipt of turn", f"{turn_number} of conversation {wanted}")
        return found[0]
