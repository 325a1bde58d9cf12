"""What Prometheus is told: requests, questions, how full the gate is, whether the service is ready."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from app.limits import Gate

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The counters of one service; a registry of its own, so that two services in a process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "biomolkg_http_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "biomolkg_http_request_seconds",
            "Time to the end of an answer.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.questions = Counter(
            "biomolkg_questions", "Questions answered.", ("retriever",), registry=self.registry
        )
        self.refused = Counter(
            "biomolkg_overload_refusals", "Requests refused because too many waited.", registry=self.registry
        )
        self.ready = Gauge("biomolkg_ready", "1 when /readyz answers 200.", registry=self.registry)
        self.restarts = Counter(
            "biomolkg_neo4j_restarts", "Restarts of the managed Neo4j.", registry=self.registry
        )
        self.swaps = Counter(
            "biomolkg_snapshot_swaps", "Snapshots that took the place of another.", registry=self.registry
        )
        self._working = Gauge(
            "biomolkg_requests_working", "Places of the gate in use.", registry=self.registry
        )
        self._waiting = Gauge(
            "biomolkg_requests_waiting", "Requests waiting for a place.", registry=self.registry
        )

    def watch(self, gate: Gate) -> None:
        """Report how full `gate` is, and what it refuses."""
        gate.on_refusal = self.refused.inc
        self._working.set_function(lambda: gate.working)
        self._waiting.set_function(lambda: gate.waiting)

    def text(self) -> bytes:
        """Everything in Prometheus's text format."""
        return generate_latest(self.registry)
