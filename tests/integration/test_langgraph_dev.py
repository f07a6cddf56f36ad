"""LangGraph's own server loads the graphs of langgraph.json, and its SDK streams runs from them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
QUESTION = "How many customers are there in each segment?"
SQL = "SELECT segment, COUNT(*) AS customers FROM customers GROUP BY segment ORDER BY customers DESC"
UNCLEAR = "How many orders in Beijing?"
IN_STORES = (
    "SELECT COUNT(*) AS orders FROM orders JOIN stores ON stores.store_id = orders.store_id WHERE stores.city = '北京'"
)
START_S = 180


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/ok", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server on a free port, offline, with a home and a scripted model of its own."""
    pytest.importorskip("langgraph_api", reason="langgraph-api is not installed")
    pytest.importorskip("langgraph_cli", reason="langgraph-cli is not installed")
    folder = tmp_path_factory.mktemp("langgraph")
    shutil.copy(ROOT / "langgraph.json", folder)
    graphs = json.loads((folder / "langgraph.json").read_text())
    # The server keeps its own files where it starts, so it starts elsewhere, with the graphs' places written out.
    graphs |= {"dependencies": [str(ROOT)]}
    graphs["graphs"] = {name: str(ROOT / place) for name, place in graphs["graphs"].items()}
    (folder / "langgraph.json").write_text(json.dumps(graphs))
    script = folder / "script.json"
    script.write_text(
        json.dumps({"answers": {QUESTION: [SQL], "How many orders in Beijing (stores city)?": [IN_STORES]}})
    )
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LANGCHAIN_", "LANGSMITH_"))}
    environment = kept | {
        "INQUERY_HOME": str(folder / "home"), "INQUERY_LLM__PROVIDER": "scripted", "INQUERY_LLM__MODEL": str(script),
        "LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }  # fmt: skip
    port, log = free_port(), folder / "server.log"
    command = [
        str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        wait_for(f"http://127.0.0.1:{port}", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def asked(question: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": question}], "connection_id": "demo"}


@pytest.mark.slow
async def test_the_sdk_streams_a_run_without_a_thread(address: str) -> None:
    from langgraph_sdk import get_client

    modes = ["updates", "values", "custom"]
    async with get_client(url=address) as client:
        run = client.runs.stream(None, "text2sql_stream", input=asked(QUESTION), stream_mode=modes)
        parts = [part async for part in run]
    steps = [name for part in parts if part.event == "updates" for name in part.data]
    assert steps[:3] == ["begin_turn", "load_profile", "route_intent"]
    assert {"write_sql", "check_sql", "run_sql", "analyse", "remember"} <= set(steps)
    assert any(part.data.get("type") == "sql" for part in parts if part.event == "custom")
    final = [part.data for part in parts if part.event == "values"][-1]
    assert final["generated_sql"] == SQL
    assert final["outcome"] == "answered"
    assert final["execution_result"]["row_count"] == 3
    assert final["messages"][-1]["type"] == "ai"


@pytest.mark.slow
async def test_a_thread_of_the_server_is_remembered_and_both_graphs_are_listed(address: str) -> None:
    from langgraph_sdk import get_client

    async with get_client(url=address) as client:
        found = {assistant["graph_id"] for assistant in await client.assistants.search()}
        thread = await client.threads.create()
        first = await client.runs.wait(thread["thread_id"], "text2sql_agent", input=asked(QUESTION))
        second = await client.runs.wait(thread["thread_id"], "text2sql_agent", input=asked("top 1 only"))
    assert found == {"text2sql_agent", "text2sql_stream"}
    assert first["outcome"] == "answered"
    assert len(second["turns"]) == 2
    assert second["execution_result"]["row_count"] == 1


@pytest.mark.slow
async def test_a_question_is_asked_back_and_answered_through_the_sdk(address: str) -> None:
    from langgraph_sdk import get_client

    async with get_client(url=address) as client:
        thread = (await client.threads.create())["thread_id"]
        waiting = await client.runs.wait(thread, "text2sql_agent", input=asked(UNCLEAR))
        options = waiting["__interrupt__"][0]["value"]["options"]
        chosen = next(option["id"] for option in options if option["id"] == "stores.city")
        answer = await client.runs.wait(thread, "text2sql_agent", command={"resume": chosen})
    assert answer["outcome"] == "answered"
    assert "stores.city = '北京'" in answer["generated_sql"]
    assert answer["execution_result"]["row_count"] == 1
