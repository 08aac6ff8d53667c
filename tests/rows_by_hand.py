"""Rows written past Gunita, table by table, in either engine's own types."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from tests.raw_sql import Raw

_THEN = datetime(2026, 1, 1, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class RowsByHand:
    """Inserts valid rows unless a column is named otherwise."""

    def __init__(self, raw: Raw, *, postgres: bool) -> None:
        self.raw = raw
        self.postgres = postgres
        self.then: Any = self.moment(_THEN)

    def moment(self, at: datetime) -> Any:
        """Write a moment as the engine keeps it."""
        return at if self.postgres else (at - _EPOCH) // timedelta(microseconds=1)

    def conversation(self, **columns: Any) -> UUID:
        made = uuid4()
        row = {"tenant_id": "", "id": str(made), "user_id": "juan", "created_at": self.then, "updated_at": self.then}
        self.insert("conversations", row | columns)
        return made

    def message(self, conversation: UUID, **columns: Any) -> UUID:
        made = uuid4()
        row = self._of(conversation) | {
            "id": str(made),
            "turn_number": 1,
            "role": "user",
            "content": "Magkano?",
            "created_at": self.then,
        }
        self.insert("messages", row | columns)
        return made

    def turn(self, conversation: UUID, number: int, **columns: Any) -> None:
        for role in ("user", "assistant"):
            self.message(conversation, turn_number=number, role=role, **columns)

    def memory(self, **columns: Any) -> UUID:
        made = uuid4()
        row = {
            "tenant_id": "",
            "id": str(made),
            "user_id": "juan",
            "memory_type": "fact",
            "content": "Lives in Cebu",
            "created_at": self.then,
        }
        self.insert("memories", row | columns)
        return made

    def everything_that_hangs_on(self, conversation: UUID, **columns: Any) -> None:
        """Write a row of every table that hangs on a conversation itself; those of its messages come with them."""
        of, named, at = self._of(conversation), {"id": str(uuid4())}, {"created_at": self.then}
        turn = {"turn_number": 1}
        self.insert("summaries", of | at | {"through_turn": 1, "content": "s", "method": "m"} | columns)
        self.insert("receipts", of | at | named | turn | {"kind": "context", "body": "{}"} | columns)
        self.insert("corrections", of | at | named | turn | {"understood": "{}", "meant": "{}"} | columns)
        self.insert("requests", of | at | turn | {"request_id": str(uuid4())} | columns)
        self.insert("jobs", of | at | named | {"kind": "embed", "run_after": self.then} | columns)
        self.insert("pending_clarifications", of | {"payload": "{}", "expires_at": self.then} | columns)
        self.insert("extraction_cursors", of | {"through_turn": 1, "updated_at": self.then} | columns)

    def tables(self) -> list[str]:
        """Name every table, whoever added it."""
        found = self.raw(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            if self.postgres
            else "SELECT name FROM sqlite_schema WHERE type = 'table'"
        )
        return sorted(name for (name,) in found if name != "schema_migrations")

    def columns(self, table: str) -> list[str]:
        found = self.raw(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ? "
            "ORDER BY ordinal_position"
            if self.postgres
            else "SELECT name FROM pragma_table_info(?) ORDER BY cid",
            table,
        )
        return [name for (name,) in found]

    def counts(self) -> dict[str, int]:
        counted = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in self.tables())
        return {str(name): int(count) for name, count in self.raw(counted)}

    def _of(self, conversation: UUID) -> dict[str, Any]:
        return {"tenant_id": "", "user_id": "juan", "conversation_id": str(conversation)}

    def insert(self, table: str, row: dict[str, Any]) -> None:
        places = ", ".join("?" for _ in row)
        self.raw(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
