"""What a running service does by itself: it forgets on time, says when its database is nearly full, and stops both."""

from __future__ import annotations

import logging
import threading

import pytest

from gunita import Gunita
from tests.api.service import serving
from tests.controlled_clock import ControlledClock
from tests.faults.faults import wait_until


def test_a_service_forgets_and_watches_its_storage_until_it_stops(url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "gunita.upkeep")
    with Gunita.open(url, clock=ControlledClock()) as g:
        g.sessions.store_turn(g.sessions.create_session("juan"), "juan", "long ago", "a")
    with Gunita.open(url) as g:
        session = g.sessions.create_session("juan")
        for _ in range(10):
            g.sessions.store_turn(session, "juan", "q", "salita " * 12_000)
    with serving(url, background=True, storage_budget_megabytes=1) as service:
        wait_until(lambda: service.get("/api/cleanup")["runs"] == 1)
        told = service.get("/api/cleanup")
        assert (told["turns_deleted"], told["sessions_deleted"]) == (1, 1)
        assert told["next_run_at"] is not None
        wait_until(lambda: "of the 1 MB it may take" in caplog.text)
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("APScheduler")] == []
