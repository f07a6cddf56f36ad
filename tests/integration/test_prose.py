"""What is said of the demo's answers is fit to be read: the figure, its unit, no names of the database, two sentences."""

import datetime
import json
from collections import Counter
from pathlib import Path

from benchmarks.demo_answers import right_sql
from langgraph.checkpoint.memory import InMemorySaver

from inquery.agents.context import Services
from inquery.agents.run import Request, Runner
from inquery.answers.prose_check import check_prose
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings

DATA = Path(__file__).parents[2] / "benchmarks" / "data"
TODAY = datetime.date(2026, 11, 16)


def questions() -> dict[str, list[str]]:
    """The demo's questions with their statements; those of relative days are written for today."""
    lines = [
        line for name in ("demo_questions", "demo_held") for line in (DATA / f"{name}.jsonl").read_text().splitlines()
    ]
    items = [json.loads(line) for line in lines]
    return {item["question"]: [right_sql(item["sql"], TODAY)] for item in items}


async def test_the_prose_of_the_demos_answers_is_fit_to_be_read(own_home: Path, monkeypatch) -> None:
    monkeypatch.setenv("INQUERY_TODAY", TODAY.isoformat())
    script = questions()
    runner = Runner(Services.of(Settings(home=own_home)), InMemorySaver(), writer=ScriptedWriter(script))
    faults: dict[str, tuple[list[str], str]] = {}
    statuses: Counter[str] = Counter()
    for question in script:
        answer = await runner.ask(Request(question, connection_id="demo", clarify=False))
        statuses[answer.status] += 1
        if answer.status == "answered" and (found := check_prose(answer.text, answer.columns, answer.rows)):
            faults[question] = (list(found), answer.text)
    assert faults == {}
    assert statuses["answered"] >= 0.95 * len(script)
