"""What Prometheus reads: how long things take, how often which happen, how full the database is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from gunita.chat.records import ChatReply, Intent
from gunita.models import CleanupStats
from gunita.resilience.standing import Standing, State
from gunita.services.statistics import StorageSize
from gunita.store.metered import BUCKETS, READING, STORING, Meter, Timing

REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OUTCOMES = {
    Intent.NEW: "none",
    Intent.FOLLOWUP: "followup",
    Intent.REFERENCE: "resolved",
    Intent.CLARIFICATION: "asked_back",
}


class FromMeter(Collector):
    """Tells what the meter at the database counted."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def collect(self) -> Iterator[Metric]:
        timings = self._meter.timings
        yield _histogram("gunita_turn_storage_seconds", "Storing what was said, each statement", timings[STORING])
        yield _histogram("gunita_history_retrieval_seconds", "Reading turns and messages", timings[READING])
        read = CounterMetricFamily("gunita_database_read_bytes", "What came out of the database: its egress, nearly")
        read.add_metric([], self._meter.bytes_read)
        yield read


class FromStanding(Collector):
    """Tells how it stands between the service and its database."""

    def __init__(self) -> None:
        self.standing: Standing | None = None

    def collect(self) -> Iterator[Metric]:
        if self.standing is None:
            return
        counted = self.standing.counters
        for name, about, value in (
            ("gunita_fallback_activations", "Answers given while the database was away", counted.answered_while_away),
            ("gunita_fallback_turns_journalled", "Turns kept in the journal", counted.turns_journalled),
            ("gunita_fallback_turns_replayed", "Turns written back from the journal", counted.turns_replayed),
            ("gunita_fallback_turns_renumbered", "Of these, those whose number changed", counted.turns_renumbered),
            ("gunita_fallback_turns_lost", "Turns that could not be kept anywhere", counted.turns_lost),
            ("gunita_turns_left_open", "Turns of a process that died, closed in its place", counted.turns_left_open),
            ("gunita_storage_retries", "Calls tried again", counted.retries),
            ("gunita_storage_failures", "Calls that failed for a reason that passes", counted.failures),
            ("gunita_storage_refusals", "Calls refused at once while the database is away", counted.refusals),
            ("gunita_storage_slow_statements", "Statements over the limit for slow ones", counted.slow_statements),
            (
                "gunita_references_failed",
                "Queries answered without reading them for references",
                counted.references_failed,
            ),
            (
                "gunita_journal_records_damaged",
                "Records of the journal that could not be read",
                counted.records_damaged,
            ),
        ):
            found = CounterMetricFamily(name, about)
            found.add_metric([], value)
            yield found


class Metrics:
    """Everything one process counts."""

    def __init__(self, meter: Meter | None) -> None:
        self.registry = CollectorRegistry()
        if meter is not None:
            self.registry.register(FromMeter(meter))
        self._standing = FromStanding()
        self.registry.register(self._standing)
        self._count_requests()
        self._count_turns()
        self._watch_storage()
        self._watch_cleanup()

    def _count_requests(self) -> None:
        self.seconds = Histogram(
            "gunita_http_request_seconds",
            "Answering requests",
            ["route", "method"],
            buckets=REQUEST_BUCKETS,
            registry=self.registry,
        )
        self.responses = self._counter("gunita_http_responses", "Requests answered", ["route", "method", "status"])
        self.bytes_sent = self._counter("gunita_http_response_bytes", "What was sent to clients")
        self.errors = self._counter("gunita_errors", "Requests that ended in an error", ["category"])

    def _count_turns(self) -> None:
        self.turns = self._counter("gunita_turns", "Turns answered")
        self.resolutions = self._counter(
            "gunita_reference_resolutions", "What came of looking for references in queries", ["outcome"]
        )
        for outcome in OUTCOMES.values():
            self.resolutions.labels(outcome)
        self.clarifications = self._counter("gunita_clarifications", "Turns answered with a question back")
        self.interrupted = self._counter("gunita_turns_interrupted", "Answers that ended before they were whole")
        self.warned = self._counter("gunita_turns_with_warnings", "Answers given with a warning")
        self.corrections = self._counter("gunita_corrections", "References that users put right")

    def _watch_storage(self) -> None:
        self.reachable = self._gauge("gunita_database_up", "Whether the database answers")
        self.degraded = self._gauge("gunita_degraded", "Whether turns wait, or the database is away")
        self.waiting = self._gauge("gunita_journal_waiting_turns", "Turns that wait for the database")
        self.storage = self._gauge("gunita_storage_bytes", "What the database takes")
        self.budget = self._gauge("gunita_storage_budget_bytes", "What it may take")

    def _watch_cleanup(self) -> None:
        self.cleanup_runs = self._gauge("gunita_cleanup_runs", "Cleanups of the last 90 days", ["outcome"])
        self.cleanup_turns = self._gauge("gunita_cleanup_turns_deleted", "Turns they forgot")
        self.cleanup_sessions = self._gauge("gunita_cleanup_sessions_deleted", "Conversations they forgot")
        self.cleanup_seconds = self._gauge("gunita_cleanup_last_seconds", "How long the last one took")
        self.cleanup_at = self._gauge("gunita_cleanup_last_run_timestamp_seconds", "When the last one began")
        self.cleanup_failed = self._gauge("gunita_cleanup_last_run_failed", "Whether the last one met errors")

    def _gauge(self, name: str, about: str, labels: Sequence[str] = ()) -> Gauge:
        return Gauge(name, about, labels, registry=self.registry)

    def _counter(self, name: str, about: str, labels: Sequence[str] = ()) -> Counter:
        return Counter(name, about, labels, registry=self.registry)

    def answered(self, reply: ChatReply) -> None:
        """Count a turn that was answered, once."""
        if reply.metadata.get("repeated"):
            return
        self.turns.inc()
        self.resolutions.labels(OUTCOMES[reply.intent]).inc()
        if reply.intent is Intent.CLARIFICATION:
            self.clarifications.inc()
        if reply.metadata.get("interrupted"):
            self.interrupted.inc()
        if reply.metadata.get("warnings"):
            self.warned.inc()

    def requested(self, route: str, method: str, status: int, seconds: float, sent: int, problem: str | None) -> None:
        """Count a request that was answered."""
        self.seconds.labels(route, method).observe(seconds)
        self.responses.labels(route, method, str(status)).inc()
        self.bytes_sent.inc(sent)
        if problem is not None:
            self.errors.labels(problem).inc()
        if route == "/api/corrections" and method == "POST" and status == 201:
            self.corrections.inc()

    def saw(self, storage: StorageSize | None, cleanup: CleanupStats | None, standing: Standing | None) -> None:
        """Take note of how things stand at the moment; None where the database did not say."""
        self.reachable.set(storage is not None)
        self._standing.standing = standing
        if standing is not None:
            self.degraded.set(standing.state is State.DEGRADED)
            self.waiting.set(standing.waiting_turns)
        if storage is not None:
            self.storage.set(storage.bytes)
            self.budget.set(storage.budget_bytes)
        if cleanup is not None:
            self._saw_cleanup(cleanup)

    def _saw_cleanup(self, stats: CleanupStats) -> None:
        self.cleanup_runs.labels("failed").set(stats.failed_runs)
        self.cleanup_runs.labels("succeeded").set(stats.runs - stats.failed_runs)
        self.cleanup_turns.set(stats.turns_deleted)
        self.cleanup_sessions.set(stats.sessions_deleted)
        if stats.last_run is not None:
            self.cleanup_seconds.set(stats.last_run.execution_time)
            self.cleanup_at.set(stats.last_run.timestamp.timestamp())
            self.cleanup_failed.set(bool(stats.last_run.errors))

    def written(self) -> bytes:
        return generate_latest(self.registry)


def _histogram(name: str, about: str, timing: Timing) -> HistogramMetricFamily:
    edges = [*map(str, BUCKETS), "+Inf"]
    return HistogramMetricFamily(
        name, about, buckets=list(zip(edges, accumulate(timing.counts), strict=True)), sum_value=timing.seconds
    )
