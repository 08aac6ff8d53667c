"""Ready bytes: what is said to clients is written once, by the fastest writer that can."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

import orjson
from fastapi import Response

JSON = "application/json"

Item = TypeVar("Item")


def written(value: Any) -> bytes:
    """Write a record or a plain value as JSON."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        # A lone surrogate or a number of a hundred digits can be kept, and comes back as it was given.
        return json.dumps(value, default=_plain, separators=(",", ":")).encode()


def reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(written(value), status, headers, JSON)


async def page(
    fetch: Callable[[int, int], Awaitable[Sequence[Item]]], limit: int, offset: int, **beside: Any
) -> Response:
    """Answer with one page, and say where the next begins if there is more."""
    items = await fetch(limit, offset)
    more = await fetch(1, offset + limit)
    return reply(
        {**beside, "items": items, "limit": limit, "offset": offset, "next_offset": offset + limit if more else None}
    )


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
