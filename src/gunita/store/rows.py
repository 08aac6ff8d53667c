"""From rows to records, past rows that cannot be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gunita.store.database import Decoder, Row

_log = logging.getLogger("gunita.store")

Record = TypeVar("Record")


def readable(rows: Iterable[Row], make: Callable[[Row], Record]) -> list[Record]:
    """Make a record of every row that can be read and warn of the others, so that one broken row hides no good one."""
    records = []
    for row in rows:
        try:
            records.append(make(row))
        except (ValueError, TypeError) as damage:
            _log.warning("skipped an unreadable row %s: %s", row[0], damage)
    return records


def text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("its text is missing")
    return value


def json_object(decode: Decoder, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    found = decode.json(value)
    if not isinstance(found, dict):
        raise ValueError("its JSON is not an object")
    return found


def json_or_none(decode: Decoder, value: Any) -> Any:
    return None if value is None else decode.json(value)


def as_json(value: Any) -> str | None:
    """Write JSON in ASCII, so that NUL and lone surrogates inside strings survive in either engine."""
    return None if value is None else json.dumps(value, separators=(",", ":"), allow_nan=False)
