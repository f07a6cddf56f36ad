"""Counts for Prometheus; each worker has its own."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from inquery.agents.events import DoneEvent, ErrorEvent, Event, RetryEvent
from inquery.api.gate import Gate

BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """What a server counts of its runs and requests."""

    def __init__(self, gate: Gate) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "inquery_http_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self._request_s = Histogram(
            "inquery_http_seconds", "Time until an answer began", ["route"], buckets=BUCKETS, registry=self.registry
        )
        self._runs = Counter("inquery_runs", "Runs by how they ended", ["status"], registry=self.registry)
        self._run_s = Histogram("inquery_run_seconds", "Time of a run", buckets=BUCKETS, registry=self.registry)
        self._calls = Counter("inquery_model_calls", "Calls of the language model", registry=self.registry)
        self._tokens = Counter("inquery_model_tokens", "Tokens by kind", ["kind"], registry=self.registry)
        self._hits = Counter("inquery_cache_hits", "Answers from a cache", ["level"], registry=self.registry)
        self._retries = Counter("inquery_repairs", "Repairs of statements", ["error"], registry=self.registry)
        running = Gauge("inquery_running", "Runs going on", registry=self.registry)
        running.set_function(lambda: gate.running)
        waiting = Gauge("inquery_waiting", "Runs in the queue", registry=self.registry)
        waiting.set_function(lambda: gate.waiting)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by its route's pattern, never by its path, which anybody can make up."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_s.labels(route).observe(seconds)

    def ran(self, events: Sequence[Event]) -> None:
        """Count a run that has ended."""
        for event in events:
            if isinstance(event, RetryEvent):
                self._retries.labels(event.error_class).inc()
        last = events[-1] if events else None
        if isinstance(last, ErrorEvent):
            self._runs.labels(last.code).inc()
        if not isinstance(last, DoneEvent):
            return
        answer = last.answer
        self._runs.labels(answer.status).inc()
        self._run_s.observe(answer.usage.ms / 1000)
        self._calls.inc(answer.usage.model_calls)
        self._tokens.labels("prompt").inc(answer.usage.prompt_tokens)
        self._tokens.labels("completion").inc(answer.usage.completion_tokens)
        if answer.cache:
            self._hits.labels(answer.cache["level"]).inc()

    def text(self) -> bytes:
        """The page that Prometheus reads."""
        return generate_latest(self.registry)
