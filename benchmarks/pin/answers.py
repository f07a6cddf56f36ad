"""Pins of whole runs: answers and their events, conversations, reports, and what chat models are sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import yaml
from benchmarks.items import spaced
from benchmarks.pin.tape import Tape, TapedWriter
from benchmarks.report_answers import measure
from tests.stubs.openai_server import Reply, openai_server
from training.business import build, specs

from inquery.agents.events import DoneEvent, Event
from inquery.agents.opening import open_runner
from inquery.agents.run import Request, Runner
from inquery.answers.answer import Answer
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import LLMSettings, Settings

ROOT = Path(__file__).parents[2]
HELD = ROOT / "benchmarks" / "data" / "demo_held.jsonl"
UNSEEN = ROOT / "benchmarks" / "data" / "unseen.jsonl"
TALKS = ROOT / "tests" / "integration" / "conversations.yaml"
UNSEEN_ASKED, TUNE_ASKED = 120, 180
Values = dict[str, str]
Pin = tuple[str, Values]
"""An id and its values by name."""
_VOLATILE = {"seq", "at", "run_id", "ms", "result_id", "thread_id", "id", "as_of", "permission"}
"""Fields of answers and events that are new in every run."""


def build_unseen(folder: Path) -> None:
    """The databases of `benchmarks/data/unseen.jsonl` as files."""
    for spec in specs(UNSEEN):
        build(spec, str(folder / f"{spec['db_id']}.sqlite")).close()


async def demo_pins(settings: Settings, tape: Tape) -> AsyncIterator[Pin]:
    """Free questions about the demo, asked where a person can reply."""
    async with open_runner(settings, writer=TapedWriter(tape)) as runner:
        for number, line in enumerate(HELD.read_text("utf-8").splitlines()):
            question = json.loads(line)["question"]
            yield f"demo/{number:02}", await trace(runner, Request(question, connection_id="demo", user=f"u{number}"))


async def unseen_pins(settings: Settings, tape: Tape, folder: Path) -> AsyncIterator[Pin]:
    """Questions in both languages about databases that no model has seen, asked where nobody can reply."""
    found = list(specs(UNSEEN))
    asked = [(spec, at, q[lang]) for spec in found for at, q in enumerate(spec["questions"]) for lang in ("en", "zh")]
    async with open_runner(settings, writer=TapedWriter(tape)) as runner:
        for spec, at, question in spaced(asked, UNSEEN_ASKED):
            name = f"{spec['db_id']}/{at:02}{'' if question.isascii() else '-zh'}"
            yield name, await _file_trace(runner, folder / f"{spec['db_id']}.sqlite", question)


async def tune_pins(settings: Settings, tape: Tape, spider: Path) -> AsyncIterator[Pin]:
    """Questions of Spider's split `tune`; only digests are kept of them, since the data is not ours."""
    lines = (spider / "questions.jsonl").read_text("utf-8").splitlines()
    asked = [(at, row) for at, row in enumerate(map(json.loads, lines)) if row["split"] == "tune"]
    async with open_runner(settings, writer=TapedWriter(tape)) as runner:
        for at, row in spaced(asked, TUNE_ASKED):
            values = await _file_trace(runner, spider / "databases" / f"{row['db_id']}.sqlite", row["question"])
            yield f"tune/{at:04}", {name: digest(value) for name, value in values.items()}


async def _file_trace(runner: Runner, file: Path, question: str) -> Values:
    connection = runner.services.sources.add(str(file))
    values = await trace(runner, Request(question, connection_id=connection, can_ask=False))
    # The id of a connection is made of its path, which is a temporary one here.
    return {name: value.replace(connection, file.stem) for name, value in values.items()}


async def talk_pins(settings: Settings) -> AsyncIterator[Pin]:
    """The conversations of the tests, with the statements they script."""
    for number, talk in enumerate(yaml.safe_load(TALKS.read_text("utf-8"))):
        turns = talk["turns"]
        writer = ScriptedWriter({turn.get("means", turn["say"]): [turn["sql"]] for turn in turns if "sql" in turn})
        async with open_runner(settings, writer=writer) as runner:
            for at, turn in enumerate(turns):
                asked = Request(turn["say"], thread_id=f"talk-{number}", connection_id="demo", user=talk["name"])
                yield f"talk/{number:02}.{at}", await trace(runner, asked)


async def report_pins(settings: Settings, tape: Tape) -> AsyncIterator[Pin]:
    """The figures of the reports that come with Inquery."""
    found = await measure(settings, writer=TapedWriter(tape))
    for place in found["placeholders"]:
        values = {name: str(place[name]) for name in ("verdict", "sql", "problem")}
        yield f"report/{place['report']}/{place['question']}", values


async def request_pins(settings: Settings) -> AsyncIterator[Pin]:
    """The bytes that a chat model is sent: for a question, after an unknown column, and for prose."""
    questions = [json.loads(line)["question"] for line in HELD.read_text("utf-8").splitlines()]
    replies = {
        "right": Reply(arguments={"candidates": [{"sql": "SELECT COUNT(*) AS n FROM orders", "why": ""}]}),
        "wrong": Reply(arguments={"candidates": [{"sql": "SELECT no_such FROM orders", "why": ""}]}),
    }
    for kind, first in replies.items():
        for number, question in enumerate(questions[::4]):
            with openai_server(first, replies["right"]) as stub:
                llm = LLMSettings(provider="openai", model="m", base_url=f"{stub.url}/v1", api_key="k", retries=0)
                mine = settings.model_copy(update={"llm": llm})
                async with open_runner(mine) as runner:
                    await trace(runner, Request(question, connection_id="demo", user=f"{kind}{number}", can_ask=False))
                for call, body in enumerate(stub.asked):
                    yield f"request/{kind}/{number:02}.{call}", {"body": json.dumps(body, ensure_ascii=False)}


async def trace(runner: Runner, request: Request) -> Values:
    """All that a run shows, without what is new in every run."""
    events = [event async for event in runner.stream(request)]
    done = [event.answer for event in events if isinstance(event, DoneEvent)]
    return dict(_answer_values(done[-1])) | {"events": _events_text(events)}


def _answer_values(answer: Answer) -> Iterator[tuple[str, str]]:
    shown = answer.model_dump(mode="json", exclude={"steps", "usage", "question", "thread_id"} | _VOLATILE)
    for name, value in shown.items():
        yield name, value if isinstance(value, str) else json.dumps(_steady(value), ensure_ascii=False)
    # Three nodes run side by side, so that their order is the scheduler's.
    yield "steps", " ".join(sorted(step.name for step in answer.steps))
    yield "usage", f"{answer.usage.model_calls} calls, {answer.usage.prompt_tokens} + {answer.usage.completion_tokens}"


def _events_text(events: list[Event]) -> str:
    lines = []
    for event in events:
        if not isinstance(event, DoneEvent):
            lines.append(json.dumps(_steady(event.model_dump(mode="json")), ensure_ascii=False, sort_keys=True))
    first = next((at for at, line in enumerate(lines) if '"type": "rows"' in line), len(lines))
    return "\n".join([*lines[: first + 1], *sorted(lines[first + 1 :])])


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _steady(inner) for name, inner in value.items() if name not in _VOLATILE}
    return [_steady(inner) for inner in value] if isinstance(value, list) else value


def digest(text: str) -> str:
    """A short name of a text."""
    return "#" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
