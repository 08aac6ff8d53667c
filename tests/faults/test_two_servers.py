"""Two servers on one PostgreSQL: what one asked the other settles, and killing either loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gunita import Gunita
from tests.faults.service_process import Client, ServiceProcess
from tests.faults.test_killed_service import QUICK, check

ASKED = {
    "How much is the fee for a student visa?": "The fee for a student visa is 160 dollars.",
    "How do I cook adobo?": "With vinegar and soy sauce.",
    "How much is the fee for a tourist visa?": "The fee for a tourist visa is 90 dollars.",
}
UNCLEAR = "ano nga ulit yung sinabi mo tungkol sa visa fee?"


@pytest.fixture
def servers(new_postgres_url: str, tmp_path: Path) -> Iterator[list[ServiceProcess]]:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    standing = [ServiceProcess(new_postgres_url, folder, **QUICK) for folder in folders]
    for server in standing:
        server.launch()
    for server in standing:
        server.wait_until_ready()
    yield standing
    for server in standing:
        server.stop()


def test_a_question_of_a_server_that_was_killed_is_settled_by_the_other_and_no_turn_is_lost(
    servers: list[ServiceProcess], new_postgres_url: str
) -> None:
    one, other = servers
    with Gunita.open(new_postgres_url) as g:
        session = g.sessions.create_session("ana")
        for query, response in ASKED.items():
            g.sessions.store_turn(session, "ana", query, response)
    body = {"user_id": "ana", "session_id": str(session)}
    question = httpx.post(f"{one.url}/chat", json={"query": UNCLEAR, **body}, timeout=60).json()
    assert question["intent"] == "clarification"
    clients = [Client(server.url, user) for server, user in zip(servers, ("ben", "cora"), strict=True)]
    for client in clients:
        client.start()
    try:
        one.kill()
        settled = httpx.post(f"{other.url}/chat", json={"query": "yung student", **body}, timeout=60).json()
    finally:
        for client in clients:
            client.stop()
    assert (settled["intent"], settled["metadata"]["references"]) == ("reference", [1])
    assert "160 dollars" in settled["message"]
    with Gunita.open(new_postgres_url, journal_folder=one.journal_folder) as g:
        for client in clients:
            check(new_postgres_url, client)
        assert [turn.turn_number for turn in g.sessions.get_session_history(session)] == [1, 2, 3, 4, 5]
