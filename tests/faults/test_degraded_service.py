"""What a client sees while things fail: an answer, a warning in it, and no internal detail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from gunita import Gunita
from gunita.chat.away import KEPT_ASIDE
from gunita.chat.misreading import NOT_UNDERSTOOD
from gunita.chat.records import Intent
from gunita.language.clarification import ClarificationEngine
from gunita.language.encoder import Encoder
from gunita.language.references import DynamicReferenceParser
from gunita.resilience.standing import State
from gunita.services.understanding import Mind
from tests.api.service import serving
from tests.faults.faults import assert_whole, wait_until
from tests.faults.tcp_proxy import TcpProxy


def encoder_with_words_its_model_never_saw() -> Encoder:
    """A tokenizer that does not belong to its model, as a half-done update of its files leaves behind."""
    from importlib import resources

    model = (resources.files("gunita.language") / "model" / "encoder.onnx").read_bytes()
    stranger = Tokenizer(WordLevel({"[UNK]": 9_999_999}, unk_token="[UNK]"))
    return Encoder(model, stranger.to_str().encode())


def test_a_turn_goes_on_without_references_where_understanding_fails(tmp_path: Path) -> None:
    with Gunita.open(tmp_path / "gunita.db") as g:
        session = g.sessions.create_session("juan")
        g.sessions.store_turn(session, "juan", "How do I cook adobo?", "With vinegar.")
        broken = encoder_with_words_its_model_never_saw()
        mind = Mind(DynamicReferenceParser(broken), ClarificationEngine(broken))
        muddled = Gunita(g._database, g.settings, g.scope, mind=mind, keeper=g._keeper)
        reply = muddled.chat.reply("What was my first question?", "juan", session)
        assert (reply.intent, reply.error, reply.turn_number) == (Intent.NEW, None, 2)
        assert reply.metadata["warnings"] == [NOT_UNDERSTOOD]
        assert g.standing is not None
        assert (g.standing.state, g.standing.counters.references_failed) == (State.READY, 1)
        assert [turn.turn_number for turn in g.sessions.get_session_history(session)] == [1, 2]


def test_a_service_goes_on_behind_a_cut_wire_with_keys_and_streams_and_says_so(
    wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any]
) -> None:
    with Gunita.open(new_postgres_url) as g:
        secret = g.keys.create_key("app").secret
        stranger = g.keys.create_key("never seen before the cut").secret
    with serving(wire.url(new_postgres_url), require_auth=True, **quick) as service:
        client = service.as_(secret)
        asked = {"query": "How do I cook adobo?", "user_id": "ana"}
        session = client.post("/chat", json=asked).json()["session_id"]
        wire.cut()
        said = client.post("/chat", json=asked | {"query": "What was my first question?", "session_id": session})
        assert said.status_code == 200
        assert said.json()["metadata"]["references"] == [1]
        assert KEPT_ASIDE in said.json()["metadata"]["warnings"]
        begun = client.post("/chat/session", json={"user_id": "ana"}).json()["session_id"]
        with client.stream("POST", "/chat/stream", json=asked | {"session_id": begun}) as streamed:
            assert KEPT_ASIDE in streamed.read().decode()
        completed = completion(client)
        assert completed.status_code == 200
        assert KEPT_ASIDE in completed.json()["gunita"]["metadata"]["warnings"]
        assert service.client.get("/readyz").json()["status"] == "degraded"
        measured = client.get("/metrics")
        assert measured.status_code == 200
        assert {"gunita_database_up 0.0", "gunita_degraded 1.0"} <= set(measured.text.splitlines())
        refused = client.get(f"/api/conversations/{session}")
        assert (refused.status_code, refused.json()["message"]) == (503, "Service temporarily unavailable")
        assert int(refused.headers["retry-after"]) >= 1
        assert service.as_(stranger).post("/chat", json=asked).status_code == 503
        wire.mend()
        wait_until(lambda: service.client.get("/readyz").json()["status"] != "degraded")
        assert service.client.get("/readyz").json()["waiting_turns"] == 0
        assert_whole(new_postgres_url, session, ["How do I cook adobo?", "What was my first question?"])
        assert_whole(new_postgres_url, begun, ["How do I cook adobo?"])
        assert_whole(new_postgres_url, completed.json()["gunita"]["session_id"], ["Magkano?"])


def completion(client: httpx.Client) -> httpx.Response:
    """Ask as a client of OpenAI's does, which sends what it remembers along."""
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Magkano?"},
    ]
    return client.post("/v1/chat/completions", json={"model": "gunita", "user": "ana", "messages": messages})


@pytest.mark.parametrize("fallback", [True, False])
def test_a_session_begins_without_the_database_only_where_turns_are_kept(
    wire: TcpProxy, new_postgres_url: str, quick: dict[str, Any], fallback: bool
) -> None:
    with serving(wire.url(new_postgres_url), fallback=fallback, **quick) as service:
        wire.cut()
        answered = service.client.post("/chat/session", json={"user_id": "ana"})
        assert answered.status_code == (200 if fallback else 503)
        assert service.client.get("/readyz").status_code == (200 if fallback else 503)
        wire.mend()
        wait_until(lambda: service.client.get("/readyz").status_code == 200)
