"""Variables that make langchain send traces to LangSmith send nothing of ours, unless a setting of ours says so."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig, RunnableLambda
from tests.integration.api_server import scripted
from tests.sink import Sink, sink

ROOT = Path(__file__).parents[2]
QUESTION = "How many customers are there in each segment?"
SQL = "SELECT segment, COUNT(*) AS customers FROM customers GROUP BY segment"
ASK = ["-m", "inquery", "ask", QUESTION, "-c", "demo"]
SERVE = [
    "-c",
    "import sys; from pathlib import Path; from tests.integration.api_server import *\n"
    "with served(Path(sys.argv[1])) as server, server.client() as client:\n"
    "    assert streamed(client, '/query/stream', {'question': HOW_MANY, 'connection_id': 'shop'})[-1]['type'] == 'done'\n"
    "    thread = client.get(API + '/threads').json()[0]['id']\n"
    "    assert client.post(API + '/feedback', json={'thread_id': thread, 'verdict': 'down'}).status_code == 200\n",
]
GRAPH = [
    "-c",
    "import asyncio\nfrom inquery.agents.langgraph_server import text2sql_agent as graph\n"
    f"given = {{'messages': [('user', {QUESTION!r})], 'connection_id': 'demo'}}\n"
    "assert asyncio.run(graph.ainvoke(given))['generated_sql']\n",
]
LIBRARY = [
    "-c",
    # The program's own runs are traced; ours, asked from inside one of them, is not.
    "import langsmith\nfrom langchain_core.runnables import RunnableLambda\nfrom inquery import Inquery\n"
    "with Inquery.connect('demo') as shop:\n"
    f"    ask = RunnableLambda(lambda _: shop.ask({QUESTION!r}).status, name='host-run')\n"
    "    assert ask.invoke('before') == 'answered'\n"
    "    RunnableLambda(len, name='host-after').invoke('after')\n"
    "from langchain_core.tracers.langchain import wait_for_all_tracers; wait_for_all_tracers()\n",
]
SWITCHES = (
    {"LANGSMITH_TRACING": "true"},
    {"LANGCHAIN_TRACING_V2": "true"},
    {"LANGCHAIN_TRACING": "true"},
    {"LANGCHAIN_TRACING": "true", "LANGCHAIN_TRACING_V2": "true", "LANGSMITH_OTEL_ENABLED": "true"},
)


@pytest.fixture
def langsmith() -> Iterator[Sink]:
    with sink() as found:
        yield found


def run(arguments: list[str], langsmith: Sink, folder: Path, **more: str) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LANGCHAIN_", "LANGSMITH_"))}
    where = {"LANGSMITH_ENDPOINT": langsmith.url, "LANGCHAIN_ENDPOINT": langsmith.url, "LANGSMITH_API_KEY": "x"}
    env = kept | scripted(folder, {QUESTION: [SQL]}) | where | more
    env |= {"INQUERY_HOME": str(folder / "own"), "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    told = subprocess.run(
        [sys.executable, *arguments, str(folder)] if arguments is SERVE else [sys.executable, *arguments],
        env=env, cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr[-2000:]


def sent(langsmith: Sink) -> bytes:
    return b"".join(each.body for each in langsmith.received)


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: "+".join(switch))
def test_a_command_sends_nothing(switch: dict[str, str], langsmith: Sink, tmp_path: Path) -> None:
    run(ASK, langsmith, tmp_path, **switch)
    assert langsmith.received == []


@pytest.mark.parametrize("door", [SERVE, GRAPH], ids=["server", "langgraph"])
def test_other_doors_send_nothing(door: list[str], langsmith: Sink, tmp_path: Path) -> None:
    run(door, langsmith, tmp_path, LANGSMITH_TRACING="true", LANGCHAIN_TRACING="true")
    assert langsmith.received == []


def test_a_program_that_traces_its_own_runs_goes_on_doing_so(langsmith: Sink, tmp_path: Path) -> None:
    run(LIBRARY, langsmith, tmp_path, LANGSMITH_TRACING="true", LANGSMITH_DISABLE_RUN_COMPRESSION="true")
    told = sent(langsmith)
    assert b"host-run" in told
    assert b"host-after" in told
    assert SQL.encode() not in told
    assert b"write_sql" not in told


@pytest.mark.parametrize("door", [ASK, SERVE], ids=["command", "server"])
def test_the_setting_lets_it_through(door: list[str], langsmith: Sink, tmp_path: Path) -> None:
    run(door, langsmith, tmp_path, LANGSMITH_TRACING="true", INQUERY_TRACING__LANGSMITH="true")
    assert len(sent(langsmith)) > 1000


def test_privacy_is_stronger_than_the_setting(langsmith: Sink, tmp_path: Path) -> None:
    wanted = {"LANGSMITH_TRACING": "true", "INQUERY_TRACING__LANGSMITH": "true"}
    run(ASK, langsmith, tmp_path, INQUERY_PRIVACY="schema_only", **wanted)
    assert langsmith.received == []


def test_the_variables_of_the_process_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from inquery.tracing import langsmith_allowed

    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    before = dict(os.environ)
    seen: list[bool] = []

    def look(_: str, config: RunnableConfig) -> None:
        from langchain_core.tracers.context import _tracing_v2_is_enabled

        seen.append(bool(_tracing_v2_is_enabled()))

    with langsmith_allowed(False):
        RunnableLambda(look).invoke("")
        with langsmith_allowed(True):
            RunnableLambda(look).invoke("")
    assert seen == [False, False]
    assert dict(os.environ) == before
