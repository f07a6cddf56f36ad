"""What a server tells OpenTelemetry: a span of each thing that takes time, and nothing that is anybody's data."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from tests.integration.api_server import API, HOW_MANY, NAMES, SCRIPT, Served, served, wait_until

from inquery import tracing
from inquery.settings import TracingSettings

CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture(scope="module")
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.start(TracingSettings(enabled=True), exporter)
    yield exporter
    tracing.stop()


@pytest.fixture(scope="module")
def server(spans: InMemorySpanExporter, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("traced"), tracing={"enabled": True}) as found:
        yield found


def asked(server: Served, spans: InMemorySpanExporter, question: str) -> list[ReadableSpan]:
    spans.clear()
    headers = {"traceparent": f"00-{CALLER}-00f067aa0ba902b7-01"}
    with server.client() as client:
        assert client.post(API + "/query", json={"question": question, "refresh": True}, headers=headers).is_success
    # The answer is here before the request's own span has ended.
    assert wait_until(lambda: any(span.name.startswith("POST") for span in spans.get_finished_spans()), 20)
    return list(spans.get_finished_spans())


def test_a_question_is_one_trace_from_the_caller_to_the_database(server: Served, spans: InMemorySpanExporter) -> None:
    found = asked(server, spans, HOW_MANY)
    by_name = {span.name: span for span in found}
    assert {"POST /api/v1/query", "inquery.run", "inquery.node", "inquery.model", "inquery.query"} <= set(by_name)
    assert {f"{span.context.trace_id:032x}" for span in found} == {CALLER}
    ids = {span.context.span_id: span for span in found}
    above, chain = by_name["inquery.query"], []
    while above.parent is not None and above.parent.span_id in ids:
        above = ids[above.parent.span_id]
        chain.append(above.name)
    assert chain == ["inquery.node", "inquery.run", "POST /api/v1/query"]
    queries = [dict(span.attributes or {}) for span in found if span.name == "inquery.query"]
    # What a join leaves out is counted beside it.
    assert (2, {"customers", "orders"}) in [(each["inquery.rows"], set(each["inquery.tables"])) for each in queries]
    nodes = {(span.attributes or {})["inquery.node"] for span in found if span.name == "inquery.node"}
    assert {"write_sql", "check_sql", "run_sql", "analyse"} <= nodes


def test_no_span_holds_a_question_a_statement_or_a_cell(server: Served, spans: InMemorySpanExporter) -> None:
    told = "\n".join(span.to_json() for span in asked(server, spans, NAMES))
    assert "inquery.query" in told
    for secret in (NAMES, SCRIPT[NAMES][0], "SELECT", "Ann", "=cmd()", "shop.sqlite", str(server.settings.home)):
        assert secret not in told, secret


def test_what_fails_is_told_by_its_code_alone(server: Served, spans: InMemorySpanExporter) -> None:
    server.writer._script = {"Count all numbers": ["SELECT boom FROM numbers"]}
    failed = [span for span in asked(server, spans, "Count all numbers") if span.status.status_code is StatusCode.ERROR]
    server.writer._script = SCRIPT
    assert not any(span.events for span in failed), "an exception's text may hold anything"
    assert "boom" not in "".join(span.to_json() for span in spans.get_finished_spans())


def test_lines_of_the_log_carry_the_trace(server: Served, spans: InMemorySpanExporter, tmp_path: Path) -> None:
    record = logging.LogRecord("inquery", logging.WARNING, "here", 1, "said", None, None)
    with tracing.span("run") as span:
        assert span is not None
        assert tracing.TraceIds().filter(record)
        assert record.trace == f" trace={span.get_span_context().trace_id:032x}"
    assert tracing.TraceIds().filter(record)
    assert record.trace == ""


def test_off_by_default_nothing_is_made(spans: InMemorySpanExporter) -> None:
    tracing.stop()
    assert tracing.start(TracingSettings()) is False
    with tracing.span("run") as span:
        assert span is None
    assert tracing.trace_id() == ""
