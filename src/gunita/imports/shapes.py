"""Takes apart what came as JSON from elsewhere, where any field may be missing or of another type."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from gunita.imports.records import OddRecordError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def identity(value: Any, what: str) -> str:
    found = text_or_none(value)
    if found is None:
        raise OddRecordError(f"{what} has no id")
    return found


def moment_or_none(value: Any) -> datetime | None:
    """Read a time as the programs write it: seconds since 1970, or ISO 8601; without a zone it is UTC."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _EPOCH + timedelta(seconds=value)
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return None
