"""The graph under measurement: time outside model and database against LangGraph's SQL tutorial, caches, load, memory.

    python -m benchmarks.agents [--runs 100] [--measures overhead caches load memory prompts]

Each measure runs in a process of its own; ratios compare runs that alternate within one process. Figures are added to
benchmarks/results/agents.json, from which `python -m benchmarks.table` writes docs/benchmarks-agents.md.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.clock import Clock, TimedModel, database_timed
from benchmarks.machine import RESULTS, facts, keep
from benchmarks.tutorial_graph import build_tutorial_graph, database_tools
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from inquery.agents.opening import open_services
from inquery.agents.run import Request, Runner
from inquery.answers.answer import Answer
from inquery.cache.answer_key import CacheKey
from inquery.cache.semantic import _slots
from inquery.demo import ensure_demo
from inquery.knowledge.vectors import Item
from inquery.llm.chat import ChatModel, text_of
from inquery.llm.chat_writer import ChatWriter
from inquery.memory.checkpoints import open_checkpointer
from inquery.settings import Settings

CONCURRENT, DELAY_S = 200, 0.1
TEMPLATES = 10_000
SEGMENTS = "SELECT segment, COUNT(*) AS customers FROM customers WHERE customer_id > {n} GROUP BY segment"


def question(number: int) -> str:
    """A question of its own, so that no cache has it; it asks for a chart, so that no step is skipped."""
    return f"Show a bar chart of the number of customers in each segment with a customer id above {number}"


def sql_of(asked: str) -> str:
    """The statement of a question, or of a prompt that holds one."""
    return SEGMENTS.format(n=asked.rpartition("id above ")[2].split()[0])


def sql_for(messages: list[BaseMessage]) -> str:
    """The statement of the question the messages hold."""
    said = (text_of(message) for message in reversed(messages) if isinstance(message, HumanMessage))
    return sql_of(next(text for text in said if "id above " in text))


def reply(messages: list[BaseMessage], tools: list[str]) -> AIMessage:
    """What a perfect model would say, to either graph."""
    if tools == ["sql_db_schema"]:
        return _call("sql_db_schema", {"table_names": "customers"})
    if tools == ["sql_db_query"]:
        if "strong attention" in text_of(messages[0]):
            return _call("sql_db_query", {"query": text_of(messages[-1])})
        done = messages[-1].type == "tool" and messages[-1].name == "sql_db_query"
        return AIMessage("Here are the customers.") if done else _call("sql_db_query", {"query": sql_for(messages)})
    return _call("SqlAnswer", {"candidates": [{"sql": sql_for(messages), "why": "customers by segment"}]})


def _call(name: str, arguments: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": "call", "type": "tool_call"}])


def settings_in(folder: Path, **given: Any) -> Settings:
    """Settings whose files are all in one folder; the rate limit is out of the way."""
    os.environ["INQUERY_HOME"] = str(folder)
    llm = {"provider": "openai", "model": "scripted", "requests_per_minute": 1_000_000}
    return Settings(home=folder, llm=llm, **given)


@asynccontextmanager
async def opened(settings: Settings, model: TimedModel, saver: str) -> AsyncIterator[Runner]:
    """Inquery as its doors open it, all stores on disk, with one saver or the other."""
    chat = ChatModel(model, settings.llm, name="scripted")
    writer = ChatWriter(chat, settings.llm)
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(open_services(settings))
        kept = InMemorySaver() if saver == "memory" else await stack.enter_async_context(open_checkpointer(settings))
        yield Runner(services, kept, writer=writer, chat=chat)


async def ask(runner: Runner, text: str, **options: Any) -> Answer:
    """An answer, which must be one."""
    answer = await runner.ask(Request(text, connection_id="demo", can_ask=False, **options))
    assert answer.status == "answered", answer.error
    return answer


async def timed(clock: Clock, work: Callable[[], Awaitable[Any]]) -> tuple[float, float, int]:
    """Milliseconds outside model and database by the wall and by the processor, and model calls."""
    clock.read()
    wall, processor = time.perf_counter(), time.process_time()
    await work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    away_wall, away_processor, calls = clock.read()
    return (wall - away_wall) * 1000, (processor - away_processor) * 1000, calls


async def overhead(folder: Path, runs: int) -> dict[str, Any]:
    """Both graphs with both savers, taking turns."""
    clock = Clock()
    model = TimedModel.of(reply, clock)
    settings = settings_in(folder, memory={"durability": "sync"})
    path = str(ensure_demo(folder))
    tools = database_tools(path, clock)
    found: dict[str, list[float]] = {}
    with database_timed(clock):
        async with (
            opened(settings, model, "memory") as in_memory,
            opened(settings, model, "sqlite") as in_sqlite,
            open_checkpointer(settings_in(folder / "tutorial")) as saver,
        ):
            graphs = {
                "tutorial_memory": _tutorial(build_tutorial_graph(model, tools, InMemorySaver())),
                "tutorial_sqlite": _tutorial(build_tutorial_graph(model, tools, saver)),
                "inquery_memory": lambda text: ask(in_memory, text),
                "inquery_sqlite": lambda text: ask(in_sqlite, text),
            }
            os.environ["INQUERY_HOME"] = str(folder)
            for number in range(runs + 5):
                for place, (name, run) in enumerate(graphs.items()):
                    text = question(number * len(graphs) + place)
                    ms, cpu, calls = await timed(clock, partial(run, text))
                    assert calls == (4 if name.startswith("tutorial") else 1), (name, calls)
                    if number >= 5:
                        found.setdefault(name, []).append(ms)
                        found.setdefault(name + "_cpu", []).append(cpu)
    p50 = {name: statistics.median(values) for name, values in found.items()}
    return {name + "_ms": round(value, 1) for name, value in p50.items()} | _ratios(p50)


def _ratios(p50: dict[str, float]) -> dict[str, float]:
    """Inquery over the tutorial with the in-memory saver, by the wall and by the processor."""
    found = {}
    for clock in ("", "_cpu"):
        for saver in ("memory", "sqlite"):
            found[f"ratio_{saver}{clock}"] = round(p50[f"inquery_{saver}{clock}"] / p50[f"tutorial_memory{clock}"], 2)
    return found | {"ratio_sqlite_both": round(p50["inquery_sqlite"] / p50["tutorial_sqlite"], 2)}


def _tutorial(graph: Any) -> Callable[[str], Awaitable[Any]]:
    async def run(text: str) -> None:
        config = {"configurable": {"thread_id": text}}
        async for _ in graph.astream(
            {"messages": [HumanMessage(text)]}, config, stream_mode="values", durability="sync"
        ):
            pass

    return run


async def caches(folder: Path, runs: int) -> dict[str, Any]:
    """Whole runs that L1 answers, and the step that finds a template among ten thousand."""
    clock = Clock()
    async with opened(settings_in(folder), TimedModel.of(reply, clock), "memory") as runner:
        await ask(runner, question(1))
        whole, processor, steps = [], [], []
        for _ in range(runs):
            clock.read()
            started, begun = time.perf_counter(), time.process_time()
            answer = await ask(runner, question(1))
            whole.append((time.perf_counter() - started) * 1000)
            processor.append((time.process_time() - begun) * 1000)
            assert clock.read()[2] == 0
            assert answer.cache, answer
            assert answer.cache["level"] == "exact"
            steps.append(_step(answer, "check_cache"))
        measured = {"l1_run_ms": whole, "l1_run_cpu_ms": processor, "l1_step_ms": steps}
        found = {name: round(statistics.median(values), 1) for name, values in measured.items()}
        return found | await _templates(runner, runs) | await _samples(runner, runs)


async def _templates(runner: Runner, runs: int) -> dict[str, Any]:
    """Fill L2 beside the key of a real answer, then ask its questions in other words."""
    cache = runner.services.semantic
    assert cache is not None
    key = await _key_in_l2(runner, question(2))
    texts = [question(1000 + number) for number in range(TEMPLATES)]
    items = [_template(key, text, vector) for text, vector in zip(texts, cache.embedder.embed(texts), strict=True)]
    await cache.vectors.upsert(cache._space(key), items)
    steps, whole = [], []
    for number in range(min(runs, 50)):
        text = question(1000 + number * 100).replace("Show a bar", "show  a bar") + " ?"
        started = time.perf_counter()
        answer = await ask(runner, text)
        whole.append((time.perf_counter() - started) * 1000)
        assert answer.cache == {"level": "semantic"}, answer.cache
        steps.append(_step(answer, "check_cache"))
    return {"l2_step_ms": round(statistics.median(steps), 1), "l2_run_ms": round(statistics.median(whole), 1)}


async def _samples(runner: Runner, runs: int) -> dict[str, Any]:
    """Encode questions nobody asked, and find samples for them among ten thousand."""
    samples = runner.services.samples
    assert samples is not None
    pairs = [{"question": question(number), "sql": sql_of(question(number))} for number in range(TEMPLATES)]
    await samples.add_all("other", pairs, approved=True, source="import")
    await samples.find("other", question(1))
    encoding, finding = [], []
    for number in range(runs):
        text = question(50_000 + number)
        started = time.perf_counter()
        samples.embedder.embed([text])
        encoding.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        assert await samples.find("other", f"{text} or below")
        finding.append((time.perf_counter() - started) * 1000)
    encoder = samples.embedder.name.rpartition("-")[0]
    return {
        "encoder": encoder,
        "encode_ms": round(statistics.median(encoding), 2),
        "samples_ms": round(statistics.median(finding), 1),
    }


async def _key_in_l2(runner: Runner, text: str) -> CacheKey:
    """The key under which an answer is kept."""
    cache = runner.services.semantic
    assert cache is not None
    kept: list[CacheKey] = []
    put = cache.put

    async def noted(key: CacheKey, entry: Any, **options: Any) -> None:
        kept.append(key)
        await put(key, entry, **options)

    cache.put = noted  # type: ignore[method-assign]
    await ask(runner, text)
    cache.put = put  # type: ignore[method-assign]
    return kept[0]


def _template(like: CacheKey, text: str, vector: Any) -> Item:
    key = replace(like, question=text)
    meta = {"scope": key.scope, "slots": _slots(text, ()), "owner": "local", "sql": sql_of(text), "as_of": ""}
    return Item(key.digest, vector, text, meta)


def _step(answer: Answer, name: str) -> float:
    return next(step.ms for step in answer.steps if step.name == name)


async def load(folder: Path, runs: int) -> dict[str, Any]:
    """Two hundred different questions at once, each in a thread of its own, on the SQLite saver."""
    model = TimedModel.of(reply, Clock(), DELAY_S)
    async with opened(settings_in(folder), model, "sqlite") as runner:
        await ask(runner, question(0))
        started = time.perf_counter()
        asked = (runner.ask(Request(question(n + 1), connection_id="demo", can_ask=False)) for n in range(CONCURRENT))
        answers = await asyncio.gather(*asked)
        seconds = time.perf_counter() - started
    errors = [answer.error for answer in answers if answer.status != "answered"]
    wrong = sum(answer.sql != SEGMENTS.format(n=n + 1) for n, answer in enumerate(answers))
    return {"load_errors": len(errors), "load_wrong": wrong, "load_s": round(seconds, 1), "load_first": errors[:1]}


async def memory(folder: Path, runs: int) -> dict[str, Any]:
    """Resident memory after 200 and after 1,000 runs, each a new question in a new thread."""
    model = TimedModel.of(reply, Clock())
    found: dict[str, Any] = {}
    async with opened(settings_in(folder), model, "sqlite") as runner:
        for number in range(1, 1001):
            await ask(runner, question(number))
            if number in (200, 1000):
                gc.collect()
                found[f"rss_{number}_mb"] = round(_rss_mb(), 1)
    return found | {"memory_growth": round(found["rss_1000_mb"] / found["rss_200_mb"] - 1, 4)}


def _rss_mb() -> float:
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


FAULTY = (
    "SELECT segment, COUNT(*) FROM customers GROUP BY sgment_of_client",
    "SELECT segment, COUNT(*) FROM no_such_place GROUP BY segment",
    "SELECT segment, COUNT(* FROM customers GROUP BY segment",
    "SELECT customer_id FROM customers JOIN orders ON customers.customer_id = orders.customer_id",
    "SELECT segment, COUNT(*) FROM customers GROUP BY zzz_other_wrong",
    "SELECT segment, COUNT(*) FROM other_missing_thing GROUP BY segment",
)
"""Faults of four kinds, none three times, so that the loop detector lets six rounds pass."""
ROUNDS = (1, 3, 6)
"""Those of a repair whose prompts are compared."""


async def prompts(folder: Path, runs: int) -> dict[str, Any]:
    """Characters of the prompt in each round of a repair that only the seventh statement ends."""
    sizes: list[int] = []

    def faulty(messages: list[BaseMessage], tools: list[str]) -> AIMessage:
        if tools != ["SqlAnswer"]:
            return _call(tools[0], {"next": "write_sql", "why": "again"})
        sizes.append(sum(len(text_of(message)) for message in messages))
        sql = FAULTY[len(sizes) - 1] if len(sizes) <= len(FAULTY) else SEGMENTS.format(n=1)
        return _call("SqlAnswer", {"candidates": [{"sql": sql}]})

    settings = settings_in(folder, agent={"max_retries": 10})
    async with opened(settings, TimedModel.of(faulty, Clock()), "memory") as runner:
        await ask(runner, question(1))
    return {"prompt_characters": {str(number): sizes[number - 1] for number in ROUNDS}}


MEASURES: dict[str, Callable[[Path, int], Coroutine[Any, Any, dict[str, Any]]]] = {
    "overhead": overhead, "caches": caches, "load": load, "memory": memory, "prompts": prompts,
}  # fmt: skip


def measured(name: str, runs: int) -> dict[str, Any]:
    """One measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.agents", "--child", name, "--runs", str(runs)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--measures", nargs="+", default=list(MEASURES), choices=list(MEASURES))
    parser.add_argument(
        "--results", type=Path, default=RESULTS / "agents.json", help="a file that figures are added to"
    )
    parser.add_argument("--child", choices=list(MEASURES), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        with tempfile.TemporaryDirectory(prefix="iq-bench-") as folder:
            print(json.dumps(asyncio.run(MEASURES[options.child](Path(folder), options.runs))))
        return
    machine = facts()
    before: dict[str, Any] = json.loads(options.results.read_text("utf-8")) if options.results.exists() else {}
    figures, loads = before.get("figures", {}), before.get("loads", {})
    for name in options.measures:
        found = measured(name, options.runs)
        print(json.dumps(found), flush=True)
        figures |= found
        loads[name] = round(os.getloadavg()[0], 1)
        keep(options.results, "agents", machine, {"runs": options.runs}, figures=figures, loads=loads)


if __name__ == "__main__":
    main()
