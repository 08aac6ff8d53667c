"""From rows to records, past rows that cannot be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar

from gunita.store.database import Decoder, Row

_log = logging.getLogger("gunita.store")

Record = TypeVar("Record")

_DAMAGE = (ValueError, TypeError, AttributeError, OverflowError, RecursionError)


def draft_of(record: type[Any]) -> Any:
    """Give the unfrozen twin of a frozen record, for records that are read by the dozen.

    A frozen dataclass sets each of its fields through object.__setattr__, which costs more than all else about it.
    Its twin has the same slots: it is filled plainly, and becomes the record when its __class__ is set.
    """
    return make_dataclass(record.__name__, [(field.name, Any) for field in fields(record)], slots=True)


def readable(rows: Iterable[Row], make: Callable[[Row], Record]) -> list[Record]:
    """Make a record of every row that can be read and warn of the others, so that one broken row hides no good one."""
    records = []
    for row in rows:
        try:
            records.append(make(row))
        except _DAMAGE as damage:
            _log.warning("skipped an unreadable row %s: %s", row[0], damage)
    return records


def readable_one(row: Row | None, make: Callable[[Row], Record]) -> Record | None:
    """Make the record of a row that may not be there; one that cannot be read counts as not there."""
    return None if row is None else next(iter(readable([row], make)), None)


def first_readable(limit: int, rows_at: Callable[[int, int], list[Row]], make: Callable[[Row], Record]) -> list[Record]:
    """Collect as many records as asked for, reading on behind those that cannot be read."""
    found: list[Record] = []
    offset = 0
    while len(found) < limit:
        wanted = limit - len(found)
        rows = rows_at(wanted, offset)
        found += readable(rows, make)
        if len(rows) < wanted:
            break
        offset += wanted
    return found


def text(value: Any) -> str:
    if isinstance(value, str) and value and not value.isspace():
        return value
    raise ValueError("its text is missing or is no text")


def text_or_none(value: Any) -> str | None:
    return None if value is None else text(value)


def json_object(decode: Decoder, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    found = decode.json(value)
    if not isinstance(found, dict):
        raise ValueError("its JSON is not an object")
    return found


def json_object_or_none(decode: Decoder, value: Any) -> dict[str, Any] | None:
    return None if value is None else json_object(decode, value)


def json_list_or_none(decode: Decoder, value: Any) -> list[Any] | None:
    if value is None:
        return None
    found = decode.json(value)
    if not isinstance(found, list):
        raise ValueError("its JSON is not a list")
    return found


def as_json(value: Any) -> str | None:
    """Write JSON in ASCII, so that NUL and lone surrogates inside strings survive in either engine."""
    return None if value is None else json.dumps(value, separators=(",", ":"), allow_nan=False)
