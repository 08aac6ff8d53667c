"""Keeping, cleaning and deleting over HTTP, and what watches the service reads."""

from __future__ import annotations

import re
from uuid import uuid4

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.api.service import Service

SERVICE_NAMES = {
    "gunita_turn_storage_seconds",
    "gunita_history_retrieval_seconds",
    "gunita_reference_resolutions",
    "gunita_clarifications",
    "gunita_cleanup_last_seconds",
    "gunita_cleanup_turns_deleted",
    "gunita_cleanup_sessions_deleted",
    "gunita_storage_bytes",
    "gunita_fallback_activations",
    "gunita_errors",
}


def samples(service: Service) -> dict[str, float]:
    told = service.client.get("/metrics")
    assert told.status_code == 200
    return {
        sample.name + "".join(f"/{value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(told.text)
        for sample in family.samples
    }


def test_metrics_tell_what_happened(service: Service) -> None:
    before = samples(service)
    first = service.chat("What is the capital of France?")
    service.chat("Tell me more about the first one", session_id=first["session_id"])
    service.client.post("/chat", json={})
    assert service.client.post("/api/cleanup").json()["turns_deleted"] == 0
    after = samples(service)
    assert after["gunita_turns_total"] - before["gunita_turns_total"] == 2
    told = sum(value for name, value in after.items() if name.startswith("gunita_reference_resolutions_total"))
    assert told == after["gunita_turns_total"]
    assert after["gunita_turn_storage_seconds_count"] - before["gunita_turn_storage_seconds_count"] >= 4
    assert after["gunita_turn_storage_seconds_bucket/+Inf"] == after["gunita_turn_storage_seconds_count"]
    assert after["gunita_history_retrieval_seconds_count"] > before["gunita_history_retrieval_seconds_count"]
    assert after["gunita_errors_total/validation_error"] == 1
    assert after["gunita_http_responses_total/POST//chat/200"] == 2
    assert after["gunita_storage_bytes"] > 0
    assert after["gunita_storage_budget_bytes"] == 500e6
    assert after["gunita_cleanup_runs/succeeded"] >= 1
    assert after["gunita_database_up"] == 1
    assert after["gunita_database_read_bytes_total"] > before["gunita_database_read_bytes_total"]


def test_every_family_that_is_promised_is_told(service: Service) -> None:
    text = service.client.get("/metrics").text
    assert {name for name in SERVICE_NAMES if not re.search(rf"^# TYPE {name}(_total)? ", text, re.MULTILINE)} == set()


def test_metrics_are_the_systems_own(service: Service) -> None:
    with service.opened() as g:
        tenants = g.scoped("acme").keys.create_key("service").secret
        users = g.keys.create_key("juan", "user", "juan").secret
        systems = g.keys.create_key("operator").secret
    assert service.as_(tenants).get("/metrics").status_code == 403
    assert service.as_(users).get("/metrics").status_code == 403
    assert service.as_(systems).get("/metrics").status_code == 200


def test_a_correction_is_counted(service: Service) -> None:
    first = service.chat("Magkano ang pamasahe papuntang Cebu?")
    service.chat("At sa Davao?", session_id=first["session_id"])
    body = {"conversation_id": first["session_id"], "turn_number": 2, "meant": [1]}
    assert service.client.post("/api/corrections", json=body).status_code == 201
    assert samples(service)["gunita_corrections_total"] == 1


def test_retention_is_set_for_the_tenant_and_for_a_conversation(service: Service) -> None:
    assert service.get("/api/retention") == {"hours": 24.0, "counted_from": "turn", "forgotten_at": None}
    body = {"hours": 720, "counted_from": "activity"}
    assert service.client.put("/api/retention", json=body).json()["hours"] == 720
    session = service.chat("Hello")["session_id"]
    path = f"/api/conversations/{session}/retention"
    assert service.get(path)["counted_from"] == "activity"
    told = service.client.put(path, json={"hours": 1}).json()
    assert (told["hours"], told["counted_from"]) == (1.0, "turn")
    assert told["forgotten_at"] is not None
    service.client.patch(f"/api/conversations/{session}", json={"pinned": True})
    assert service.get(path)["forgotten_at"] is None
    assert service.client.delete(path).json()["hours"] == 720
    assert service.client.delete("/api/retention").json()["hours"] == 24
    for wrong in ({"hours": 0}, {"hours": -1}, {"hours": 1, "counted_from": "birth"}, {}):
        assert service.client.put("/api/retention", json=wrong).status_code == 400
    assert service.client.get(f"/api/conversations/{uuid4()}/retention").status_code == 404


def test_a_user_sets_no_rule_for_the_tenant(service: Service) -> None:
    with service.opened() as g:
        secret = g.keys.create_key("juan", "user", "juan").secret
    juan = service.as_(secret)
    assert juan.put("/api/retention", json={"hours": 1}).status_code == 403
    assert juan.post("/api/cleanup").status_code == 403
    assert juan.get("/api/deletions").status_code == 403


def test_deletions_give_receipts_that_verify(service: Service) -> None:
    session = service.chat("I live in Cebu", user_id="juan")["session_id"]
    memory = service.client.post("/api/memories", json={"user_id": "juan", "content": "Lives in Cebu"}).json()["id"]
    gone = service.client.delete(f"/api/memories/{memory}").json()
    assert verified(service, gone["receipt_id"])["verified"]
    gone = service.client.delete(f"/api/conversations/{session}").json()
    assert gone["deleted"] == 1
    assert verified(service, gone["receipt_id"])["verified"]
    assert service.client.delete(f"/api/conversations/{session}").status_code == 404

    service.chat("Still here", user_id="juan")
    everything = service.get("/api/users/juan/export")
    assert everything["conversations"][0]["messages"][0]["content"] == "Still here"
    receipt = service.client.post("/api/deletions", json={"kind": "user", "subject": "juan"}).json()
    assert receipt["counts"]["messages"] == 2
    assert verified(service, receipt["id"], subject="juan") == {
        "receipt_id": receipt["id"],
        "verified": True,
        "intact": True,
        "left": {},
    }
    kept = service.get(f"/api/deletions/{receipt['id']}")
    assert kept["subject"] != "juan"
    assert kept["digest"] == receipt["digest"]
    assert "juan" not in service.client.get("/api/deletions").text
    assert service.get("/api/users/juan/export")["conversations"] == []
    assert service.client.post(f"/api/deletions/{receipt['id']}/verify").status_code == 400
    wrong = service.client.post(f"/api/deletions/{receipt['id']}/verify", json={"subject": "ana"})
    assert wrong.status_code == 400


def test_nobody_deletes_somebody_else(service: Service) -> None:
    session = service.chat("Akin ito", user_id="ana")["session_id"]
    with service.opened() as g:
        juan = service.as_(g.keys.create_key("juan", "user", "juan").secret)
        acme = service.as_(g.scoped("acme").keys.create_key("service").secret)
    for client in (juan, acme):
        assert asked(client, "conversation", session) == 404
    assert asked(juan, "user", "ana") == 403
    assert asked(juan, "tenant", "acme") == 400
    assert asked(acme, "tenant", "other") == 400
    assert asked(acme, "user", "ana") == 201
    assert juan.get("/api/users/ana/export").status_code == 403
    assert len(service.turns(session)) == 1
    assert asked(acme, "tenant", "acme") == 201
    assert acme.get("/api/retention").status_code == 401, "its keys are gone with the tenant"


def asked(client: httpx.Client, kind: str, subject: str) -> int:
    return client.post("/api/deletions", json={"kind": kind, "subject": subject}).status_code


def verified(service: Service, receipt: str, **body: str) -> dict[str, object]:
    answered = service.client.post(f"/api/deletions/{receipt}/verify", json=body)
    assert answered.status_code == 200, answered.text
    told: dict[str, object] = answered.json()
    return told
