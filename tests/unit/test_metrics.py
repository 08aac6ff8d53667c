"""Every counter of the guard is told under its own name, and a full database is told of in time."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from gunita.chat.records import ChatReply, Intent
from gunita.models import CleanupResult, CleanupStats
from gunita.resilience.guard import Counters
from gunita.resilience.standing import Standing, State
from gunita.server.metrics import Metrics
from gunita.server.upkeep import tell_if_full
from gunita.services.statistics import NEARLY_FULL, StorageSize
from gunita.store.metered import Meter

TOLD_AS = {
    "answered_while_away": "gunita_fallback_activations_total",
    "turns_journalled": "gunita_fallback_turns_journalled_total",
    "turns_replayed": "gunita_fallback_turns_replayed_total",
    "turns_renumbered": "gunita_fallback_turns_renumbered_total",
    "turns_lost": "gunita_fallback_turns_lost_total",
    "turns_left_open": "gunita_turns_left_open_total",
    "retries": "gunita_storage_retries_total",
    "failures": "gunita_storage_failures_total",
    "refusals": "gunita_storage_refusals_total",
    "slow_statements": "gunita_storage_slow_statements_total",
    "references_failed": "gunita_references_failed_total",
    "records_damaged": "gunita_journal_records_damaged_total",
}
MEGABYTE = 1_000_000


def told(standing: Standing, storage: StorageSize | None = None) -> dict[str, float]:
    metrics = Metrics(None)
    metrics.saw(storage, None, standing)
    families = text_string_to_metric_families(metrics.written().decode())
    return {sample.name: sample.value for family in families for sample in family.samples}


def standing(state: State, counters: Counters) -> Standing:
    return Standing(state, 7, 1_000, 3, 2_000, 1.5, True, counters)


def test_every_counter_is_told_under_its_own_name() -> None:
    counted = {field.name: 100 + number for number, field in enumerate(fields(Counters))}
    assert counted.keys() == TOLD_AS.keys()
    found = told(standing(State.DEGRADED, Counters(**counted)))
    assert {name: found[family] for name, family in TOLD_AS.items()} == counted
    assert (found["gunita_journal_waiting_turns"], found["gunita_degraded"], found["gunita_database_up"]) == (7, 1, 0)


@pytest.mark.parametrize(("state", "degraded"), [(State.READY, 0), (State.SLOW, 0), (State.DEGRADED, 1)])
def test_only_a_database_that_is_away_counts_as_degraded(state: State, degraded: int) -> None:
    found = told(standing(state, Counters()), StorageSize(300 * MEGABYTE, 0, 500 * MEGABYTE))
    assert (found["gunita_degraded"], found["gunita_database_up"]) == (degraded, 1)
    assert (found["gunita_storage_bytes"], found["gunita_storage_budget_bytes"]) == (300e6, 500e6)


@pytest.mark.parametrize(
    ("taken", "free", "budget", "warns"),
    [
        (400 * MEGABYTE - 1, 0, 500, False),
        (400 * MEGABYTE, 0, 500, True),
        (480 * MEGABYTE, 80 * MEGABYTE + 1, 500, False),
        (480 * MEGABYTE, 80 * MEGABYTE, 500, True),
        (400 * MEGABYTE, 0, 501, False),
    ],
)
def test_a_database_is_nearly_full_from_four_fifths_of_its_budget_on(
    caplog: pytest.LogCaptureFixture, taken: int, free: int, budget: int, warns: bool
) -> None:
    caplog.set_level(logging.WARNING, "gunita.upkeep")
    tell_if_full(StorageSize(taken, free, budget * MEGABYTE))
    assert bool(caplog.records) == warns


def samples(metrics: Metrics) -> dict[str, float]:
    return {
        sample.name + "".join(f"/{value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(metrics.written().decode())
        for sample in family.samples
    }


def answered(intent: Intent, **metadata: object) -> ChatReply:
    return ChatReply("q", "a", [], intent, 1.0, uuid4(), 1, metadata)


def test_a_turn_is_counted_once_and_under_all_that_became_of_it() -> None:
    metrics = Metrics(None)
    for reply in (
        answered(Intent.NEW, warnings=[]),
        answered(Intent.NEW, repeated=True, warnings=["the database is away"], interrupted=True),
        answered(Intent.FOLLOWUP, warnings=["the database is slow"]),
        answered(Intent.REFERENCE, interrupted=True),
        answered(Intent.CLARIFICATION),
    ):
        metrics.answered(reply)
    found = samples(metrics)
    assert found["gunita_turns_total"] == 4
    outcomes = ("none", "followup", "resolved", "asked_back")
    assert [found[f"gunita_reference_resolutions_total/{outcome}"] for outcome in outcomes] == [1, 1, 1, 1]
    assert found["gunita_clarifications_total"] == 1
    assert (found["gunita_turns_interrupted_total"], found["gunita_turns_with_warnings_total"]) == (1, 1)


@pytest.mark.parametrize("errors", [(), ("turn 1 stays",)])
def test_what_cleanups_did_is_told(errors: tuple[str, ...]) -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    metrics = Metrics(None)
    metrics.saw(None, CleanupStats(5, 2, 3, 7, 1.5, CleanupResult(1, 2, 0.25, errors, at), None), None)
    found = samples(metrics)
    assert (found["gunita_cleanup_runs/succeeded"], found["gunita_cleanup_runs/failed"]) == (3, 2)
    assert (found["gunita_cleanup_sessions_deleted"], found["gunita_cleanup_turns_deleted"]) == (3, 7)
    assert (found["gunita_cleanup_last_seconds"], found["gunita_cleanup_last_run_failed"]) == (0.25, len(errors))
    assert found["gunita_cleanup_last_run_timestamp_seconds"] == at.timestamp()


DEPLOY = Path(__file__).parent.parent.parent / "deploy"
LIMITS = {
    "GunitaStorageNearlyFull": f"gunita_storage_bytes > {NEARLY_FULL} * gunita_storage_budget_bytes",
    "GunitaEgressNearlyUsedUp": "> 0.8 * 2e9",
    "GunitaSlow": "> 1",
    "GunitaErrors": "> 0.05",
    "GunitaCleanupFailing": "gunita_cleanup_last_run_failed == 1",
    "GunitaCleanupLate": "> 3 * 3600",
    "GunitaDatabaseAway": "gunita_database_up == 0 or gunita_degraded == 1",
    "GunitaTurnsLost": "> 0",
}


def rules() -> dict[str, str]:
    told = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text())
    return {rule["alert"]: rule["expr"].strip() for group in told["groups"] for rule in group["rules"]}


def expressions() -> Iterator[tuple[str, str]]:
    """Give every expression of the rules and the dashboard, with the label that its line is named after."""
    yield from ((expression, "") for expression in rules().values())
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    yield from ((target["expr"], target["legendFormat"]) for panel in board["panels"] for target in panel["targets"])


def test_every_rule_fires_at_the_limit_that_was_promised() -> None:
    assert rules().keys() == LIMITS.keys()
    assert {name: told for name, told in rules().items() if not told.endswith(LIMITS[name])} == {}


@pytest.mark.parametrize(("expression", "legend"), list(expressions()))
def test_rules_and_dashboard_speak_of_labels_that_there_are(expression: str, legend: str) -> None:
    metrics = Metrics(Meter())
    metrics.requested("/chat", "POST", 500, 0.1, 10, "internal_error")
    metrics.saw(None, None, standing(State.READY, Counters()))
    families = text_string_to_metric_families(metrics.written().decode())
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    named = re.findall(r"gunita_\w+", expression)
    grouped = re.findall(r"by \((\w+)\)", expression)
    chosen = re.findall(r"{(\w+)[=!]", expression)
    shown = re.findall(r"{{(\w+)}}", legend)
    assert named
    assert set(grouped + chosen + shown) <= set.union(*(labels[name] for name in named))
    assert set(shown) <= set(grouped)
