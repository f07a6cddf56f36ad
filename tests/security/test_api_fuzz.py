"""Requests made up from the OpenAPI document, well formed and not: no answer is a failure of ours.

`INQUERY_FUZZ_EXAMPLES=100 pytest tests/security/test_api_fuzz.py` tries longer.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from tests.integration.api_server import API, Served, served

from inquery.api.error_answers import ErrorBody

EXAMPLES = int(os.environ.get("INQUERY_FUZZ_EXAMPLES", "2"))
HONEST = frozenset({502, 503})
"""A database, a model or a provider that cannot be reached is no failure of ours."""
TELLS_ITSELF = ("/health/ready", "/charts/render")
"""Routes whose answers have a shape of their own also when they fail."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    offline = {"private_networks": False, "connect_timeout_s": 1}
    with served(tmp_path_factory.mktemp("fuzz"), database=offline, llm={"timeout_s": 2, "retries": 0}) as found:
        yield found


def operations(server: Served) -> Iterator[Any]:
    with server.client() as client:
        document = client.get(API + "/openapi.json", timeout=120).json()
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        yield found.ok()


def test_no_request_of_the_documents_shape_makes_the_server_fail(server: Served) -> None:
    seen: Counter[int] = Counter()
    for operation in operations(server):
        tried(server, operation, GenerationMode.POSITIVE, seen)
    assert sum(seen.values()) > 60
    assert {200, 404, 422} <= set(seen)


def test_no_request_of_another_shape_makes_the_server_fail(server: Served) -> None:
    seen: Counter[int] = Counter()
    for operation in operations(server):
        # A name in a path can be any text, so that there is no bad one: those routes have the test below.
        if "{" not in operation.path and (operation.body or operation.query):
            tried(server, operation, GenerationMode.NEGATIVE, seen)
    assert sum(seen.values()) > 20
    assert 422 in seen


def tried(server: Served, operation: Any, mode: GenerationMode, seen: Counter[int]) -> None:
    """A few requests for one operation, the same ones every time."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def sent(case: Any) -> None:
        answer = case.call(base_url=server.url, timeout=120)
        seen[answer.status_code] += 1
        check(f"{case.method} {case.path} {case.query} {case.body}", case.path, answer.status_code, answer.text)

    sent()


def check(where: str, path: str, status: int, text: str) -> None:
    assert status < 500 or status in HONEST, f"{where}: {text[:500]}"
    if status >= 400 and not path.endswith(TELLS_ITSELF):
        ErrorBody.model_validate_json(text)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[]", b"null", b"3", b'{"\\ud800": 1}', b'{"no such field": 1}', b"[" * 10_000]
)
def test_a_body_that_is_none_is_refused_on_every_route(server: Served, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    with server.client() as client:
        document = client.get(API + "/openapi.json").json()
        for path, found in document["paths"].items():
            for method, operation in found.items():
                if "application/json" not in operation.get("requestBody", {}).get("content", {}):
                    continue
                where = re.sub(r"\{\w+\}", "nothing", path)
                answer: httpx.Response = client.request(method, where, content=body, headers=headers)
                assert 400 <= answer.status_code < 500, (method, path, answer.text)
                check(f"{method} {path}", path, answer.status_code, answer.text)
