"""A closed Gunita says so, on both engines, for reading and for writing."""

from __future__ import annotations

import pytest

from gunita import Gunita, StorageError


def test_a_closed_gunita_neither_reads_nor_writes(url: str) -> None:
    with Gunita.open(url) as g:
        session = g.sessions.create_session("juan")
        g.sessions.get_session_history(session)
    for attempt in (
        lambda: g.sessions.get_session_history(session),
        lambda: g.sessions.create_session("juan"),
        lambda: g.sessions.delete_session(session),
    ):
        with pytest.raises(StorageError, match="closed"):
            attempt()
    g.close()
