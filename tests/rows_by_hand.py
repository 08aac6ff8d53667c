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
        self._columns: dict[str, list[str]] = {}

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
        return sorted(self._described())

    def columns(self, table: str) -> list[str]:
        return self._described()[table]

    def _described(self) -> dict[str, list[str]]:
        """Name the columns of every table, read once: asking PostgreSQL for them takes longer than most tests."""
        if not self._columns:
            found = self.raw(
                "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
                "WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped "
                "ORDER BY relname, attnum"
                if self.postgres
                else "SELECT found.name, columns.name "
                "FROM sqlite_schema AS found, pragma_table_info(found.name) AS columns "
                "WHERE found.type = 'table' ORDER BY found.name, columns.cid"
            )
            for table, column in found:
                if table != "schema_migrations":
                    self._columns.setdefault(table, []).append(column)
        return self._columns

    def counts(self) -> dict[str, int]:
        counted = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in self.tables())
        return {str(name): int(count) for name, count in self.raw(counted)}

    def _of(self, conversation: UUID) -> dict[str, Any]:
        return {"tenant_id": "", "user_id": "juan", "conversation_id": str(conversation)}

    def insert(self, table: str, row: dict[str, Any]) -> None:
        places = ", ".join("?" for _ in row)
        self.raw(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
