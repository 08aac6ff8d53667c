"""The service with a real, small language model on this machine; a long run, for it takes its time."""

from __future__ import annotations

from pathlib import Path

import pytest

from gunita.cli import local_model
from tests.api.service import serving


@pytest.mark.soak
def test_a_small_local_model_answers_and_is_told_what_was_said_before(tmp_path: Path) -> None:
    server = local_model.started(local_model.bundled_file(), 0)
    with serving(
        str(tmp_path / "gunita.db"),
        llm_base_url=f"{server.listening_address}/v1",
        llm_timeout_seconds=300,
        model_context_tokens=4_096,
        answer_reserve_tokens=32,
    ) as service:
        service.client.timeout = 600
        first = service.chat("What is the capital of France? Answer in one short sentence.")
        assert first["error"] is None
        assert first["message"].strip()
        heard = service.stream("And of Germany?", session_id=first["session_id"])
        assert heard[-1].data["error"] is None
        assert len([event for event in heard if event.name == "delta"]) > 1
        receipt = service.get(f"/api/conversations/{first['session_id']}/turns/2/receipt")
        assert any(line["turn_number"] == 1 and line["tokens"] for line in receipt["body"]["lines"])
