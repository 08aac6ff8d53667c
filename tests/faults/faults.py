"""What the tests of faults share: short waits, waiting for things to settle, and checking turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from gunita import Gunita
from gunita.resilience.standing import State
from tests.raw_sql import run

QUICK: dict[str, Any] = {
    "storage_retry_seconds": 0.05,
    "storage_deadline_seconds": 0.6,
    "postgres_wait_seconds": 0.5,
    "postgres_pool_size": 2,
}
"""The waits of settings, made short enough for a test; their proportions are those of the defaults."""


def wait_until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "what was waited for did not come"
        time.sleep(0.01)


def wait_until_ready(g: Gunita) -> None:
    wait_until(lambda: g.standing is not None and g.standing.state is not State.DEGRADED)


def rows_of(url: str, session: UUID | str) -> list[tuple[int, str, str]]:
    """A conversation's messages as the database has them: number, role, content."""
    return [
        (number, role, content)
        for number, role, content in run(
            url,
            "SELECT turn_number, role, content FROM messages WHERE conversation_id = ? ORDER BY turn_number, role DESC",
            str(session),
        )
    ]


def assert_whole(url: str, session: UUID | str, queries: Sequence[str]) -> None:
    """Check that a conversation holds just these queries, in order, each answered once, without a gap."""
    rows = rows_of(url, session)
    assert [(number, role) for number, role, _ in rows] == [
        (number, role) for number in range(1, len(queries) + 1) for role in ("user", "assistant")
    ]
    assert [content for _, role, content in rows if role == "user"] == list(queries)
    counted = run(url, "SELECT turn_count, message_count FROM conversations WHERE id = ?", str(session))
    assert counted == [(len(queries), 2 * len(queries))]
