"""Threads and long-term memory on SQLite files and PostgreSQL, over a real graph."""

import asyncio
import stat
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Annotated, Any, TypedDict
from urllib.parse import quote

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from pydantic import SecretStr
from sqlalchemy import select
from tests.servers import Server, free_port

from inquery.errors import BadRequest, ConnectFailed, NotFound, ThreadBusy
from inquery.memory import checkpoints
from inquery.memory.checkpoints import open_checkpointer
from inquery.memory.leases import hold_thread
from inquery.memory.longterm import PREFERENCE, open_memory
from inquery.memory.thread_history import branch_thread, delete_thread, history, messages_of, thread_config
from inquery.settings import MemorySettings, Settings
from inquery.store import Store, open_store
from inquery.store.results import ResultStore
from inquery.store.tables import threads as threads_table
from inquery.store.thread_rows import Threads


class Talk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    year: int


def greet(state: Talk) -> Talk:
    return {"year": 2023}


def ask(state: Talk) -> Talk:
    said = interrupt("which year?")
    return {"year": int(said), "messages": [AIMessage(f"{said}年")]}


def graph(saver: Any) -> Any:
    made = StateGraph(Talk)
    made.add_node(greet)
    made.add_node(ask)
    made.add_edge(START, "greet")
    made.add_edge("greet", "ask")
    made.add_edge("ask", END)
    return made.compile(checkpointer=saver)


def new_database(server: Server) -> str:
    import psycopg

    name = f"mem_{uuid.uuid4().hex}"
    who = f"{server.admin}:{quote(server.password, safe='')}@127.0.0.1:{server.port}"
    with psycopg.connect(f"postgresql://{who}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql://{who}/{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = "" if request.param == "sqlite" else new_database(request.getfixturevalue("postgres"))
    return Settings(home=tmp_path, memory=MemorySettings(url=SecretStr(url)))


async def test_a_question_asked_back_is_answered_after_a_restart(settings: Settings) -> None:
    place = thread_config("t1")
    async with open_checkpointer(settings) as saver:
        stopped = await graph(saver).ainvoke({"messages": [HumanMessage("销售额？")]}, place)
        assert stopped["__interrupt__"][0].value == "which year?"
    async with open_checkpointer(settings) as saver:
        done = await graph(saver).ainvoke(Command(resume="2024"), place)
        assert done["year"] == 2024
        assert [(m.role, m.text) for m in await messages_of(saver, "t1")] == [
            ("user", "销售额？"),
            ("assistant", "2024年"),
        ]
        assert await messages_of(saver, "unknown") == []


async def test_an_earlier_moment_can_be_gone_back_to(settings: Settings) -> None:
    async with open_checkpointer(settings) as saver:
        flow = graph(saver)
        await flow.ainvoke({"messages": [HumanMessage("hello")]}, thread_config("t1"))
        await flow.ainvoke(Command(resume="2024"), thread_config("t1"))
        moments = await history(flow, "t1")
        assert moments[0].next == ()
        waiting = next(moment for moment in moments if moment.next == ("ask",))
        assert waiting.values["year"] == 2023
        branch = await branch_thread(flow, "t1", waiting.checkpoint_id)
        asked = await flow.ainvoke(None, branch)
        assert asked["__interrupt__"]
        again = await flow.ainvoke(Command(resume="1999"), thread_config("t1"))
        assert again["year"] == 1999
        assert [m.text for m in await messages_of(saver, "t1")] == ["hello", "1999年"]
        branch = await branch_thread(flow, "t1", waiting.checkpoint_id, {"messages": [HumanMessage("and you?")]})
        assert len((await flow.aget_state(branch)).values["messages"]) == 2
        with pytest.raises(NotFound):
            await branch_thread(flow, "t1", str(uuid.uuid4()))


async def test_a_deleted_thread_leaves_nothing_and_another_stays(settings: Settings) -> None:
    store = open_store(settings)
    threads, results = Threads(store), ResultStore(store)
    async with open_checkpointer(settings) as saver:
        flow = graph(saver)
        for name in ("t1", "t2"):
            threads.open(name, "ann")
            await flow.ainvoke({"messages": [HumanMessage("hello")]}, thread_config(name))
        kept = results.save("ann", "t1", [], [(1,)], "SELECT 1", 60)
        with pytest.raises(NotFound):
            await delete_thread(saver, threads, "t1", "bob")
        assert await history(flow, "t1")
        await delete_thread(saver, threads, "t1", "ann")
        assert await history(flow, "t1") == []
        assert results.load(kept, "ann") is None
        assert await history(flow, "t2")
        assert [thread.id for thread in threads.list("ann")] == ["t2"]
    store.close()


async def test_checkpoints_never_bring_back_other_types(settings: Settings) -> None:
    """What a checkpoint names is not imported, or a written row could run code."""
    async with open_checkpointer(settings) as saver:
        packed = saver.serde.dumps_typed({"path": SecretStr("x"), "message": HumanMessage("hi")})
        back = saver.serde.loads_typed(packed)
        assert not isinstance(back["path"], SecretStr)
        assert isinstance(back["message"], HumanMessage)


async def test_processes_that_start_together_set_up_once(settings: Settings) -> None:
    async def opened() -> None:
        async with open_checkpointer(settings), open_memory(settings):
            pass

    await asyncio.gather(*(opened() for _ in range(4)))


async def test_memories_are_a_users_own(settings: Settings) -> None:
    async with open_memory(settings) as memory:
        await memory.learn("ann@acme.com", PREFERENCE, "currency", {"code": "CNY"})
        for other in ("ann@acme", "Ann@acme.com", "ann@acme.com.cn", "ann@acme_com", "", "%"):
            assert await memory.recall(other, PREFERENCE, "currency") is None
            assert await memory.all(other, PREFERENCE) == []
            assert await memory.search(other, PREFERENCE, "currency") == []
        assert await memory.recall("ann@acme.com", PREFERENCE, "currency", tenant="other") is None
    async with open_memory(settings) as memory:
        assert await memory.recall("ann@acme.com", PREFERENCE, "currency") == {"code": "CNY"}
        await memory.learn("ann@acme.com", PREFERENCE, "currency", {"code": "USD"})
        assert await memory.recall("ann@acme.com", PREFERENCE, "currency") == {"code": "USD"}
        await memory.forget("ann@acme.com", PREFERENCE, "currency")
        assert await memory.recall("ann@acme.com", PREFERENCE, "currency") is None


async def test_memories_are_found_by_meaning(settings: Settings) -> None:
    async with open_memory(settings) as memory:
        for text in ("revenue means net of tax", "地区指的是大区", "show amounts in thousands"):
            await memory.learn("ann", "clarification", text, {"said": text})
        found = await memory.search("ann", "clarification", "what revenue net of tax is", k=1)
        assert found[0].value == {"said": "revenue means net of tax"}
        assert (await memory.search("ann", "clarification", "各地区", k=1))[0].text == "地区指的是大区"
        assert await memory.search("ann", "clarification", "zebra", least=0.5) == []


async def test_a_user_can_be_forgotten(settings: Settings) -> None:
    async with open_memory(settings) as memory:
        await memory.learn("ann", "clarification", "y", {})
        await memory.learn("anna", PREFERENCE, "x", {})
        await memory.learn("ann", PREFERENCE, "x", {})
        assert await memory.forget_user("ann") == 2
        assert await memory.recall("anna", PREFERENCE, "x") == {}


def _lease(store: Store) -> int:
    with store.read() as connection:
        return int(connection.execute(select(threads_table.c.lease_until)).scalar_one())


async def test_a_thread_has_one_run_at_a_time(settings: Settings) -> None:
    store = open_store(settings)
    threads = Threads(store)
    threads.open("t1", "ann")
    async with hold_thread(threads, "t1", lease_s=3):
        first = _lease(store)
        async with asyncio.timeout(30):
            while _lease(store) == first:  # the lease is renewed after a third of its time  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        with pytest.raises(ThreadBusy):
            async with hold_thread(threads, "t1"):
                pass
    async with hold_thread(threads, "t1"):
        pass
    store.close()


KILLED = """
import asyncio, os, signal, sys
from inquery.memory.checkpoints import open_checkpointer
sys.path.insert(0, {folder!r})
from test_memory import graph, thread_config
from langchain_core.messages import HumanMessage

async def main():
    async with open_checkpointer() as saver:
        await graph(saver).ainvoke({{"messages": [HumanMessage("hi")]}}, thread_config("t1"), durability="sync")
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_a_thread_survives_a_killed_process(own_home: Path) -> None:
    code = KILLED.format(folder=str(Path(__file__).parent))
    ended = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE
    )
    _, problem = await ended.communicate()
    assert ended.returncode == -9, problem.decode()
    async with open_checkpointer() as saver:
        assert (await graph(saver).ainvoke(Command(resume="2024"), thread_config("t1")))["year"] == 2024
    assert stat.S_IMODE((own_home / "threads.sqlite").stat().st_mode) == 0o600


async def test_a_server_that_is_not_there_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "BUSY_S", 0.5)
    url = f"postgresql://nobody@127.0.0.1:{free_port()}/x"
    with pytest.raises(ConnectFailed):
        async with open_checkpointer(Settings(home=tmp_path, memory=MemorySettings(url=SecretStr(url)))):
            pass
    with pytest.raises(BadRequest):
        async with open_checkpointer(Settings(home=tmp_path, memory=MemorySettings(url=SecretStr("mysql://x")))):
            pass


async def test_a_closed_memory_leaves_no_task_behind(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with open_memory(Settings(home=tmp_path)):
        assert asyncio.all_tasks() - before
    assert not asyncio.all_tasks() - before
