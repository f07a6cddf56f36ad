"""Which messages are questions of their own, and which go on from the one before; on four databases, in both languages."""

import asyncio
import datetime
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from langgraph.runtime import Runtime
from training.business import build, specs

from inquery.agents.context import Context, Services
from inquery.agents.nodes.rewrite_followup import rewrite_followup
from inquery.agents.questions.intents import read_intent
from inquery.agents.questions.other_messages import without_manners
from inquery.agents.state import State
from inquery.language.text import has_cjk
from inquery.settings import Settings

HERE = Path(__file__).parent
UNSEEN = Path(__file__).parents[3] / "benchmarks" / "data" / "unseen.jsonl"
CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "standing.yaml").read_text("utf-8"))
MESSAGES = [(case, kind, say) for case in CASES for kind in ("alone", "leaning") for say in case[kind]]
Asking = Callable[[str], Context]


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Asking:
    """A run on a database, as a node is given it; each database is opened once."""
    folder = tmp_path_factory.mktemp("standing")
    services = Services.of(Settings(home=folder / "home"))
    known: dict[str, Context] = {}

    def connected(name: str) -> str:
        file = folder / f"{name}.sqlite"
        if name == "demo":
            return name
        if name == "brewery":
            build(next(spec for spec in specs(UNSEEN) if spec["db_id"] == "u_craft_brewery"), str(file)).close()
        else:
            with sqlite3.connect(file) as database:
                database.executescript((HERE / f"{name}.sql").read_text("utf-8"))
            database.close()
        return services.sources.add(str(file))

    def asked(name: str) -> Context:
        if name not in known:
            source = asyncio.run(services.sources.open(connected(name)))
            known[name] = Context(services, source=source, today=datetime.date(2026, 11, 20))
        return known[name]

    return asked


def _is_followup(message: str, before: str, context: Context) -> bool:
    """Whether the last answer is acted on, or the message is made another question than it is."""
    last = {"standalone": before, "sql": "SELECT 1", "connection_id": context.here.id}
    if read_intent(without_manners(message), cast(Any, last)).intent == "last_answer":
        return True
    state: dict[str, Any] = {
        "question": message,
        "language": "zh" if has_cjk(message) else "en",
        "query_analysis": {},
        "turns": [],
        "last_answer": last,
    }
    update = asyncio.run(rewrite_followup(cast(State, state), Runtime(context=context)))
    return "standalone_question" in update


@pytest.mark.parametrize(("case", "kind", "say"), MESSAGES, ids=[f"{c['database']}: {say}" for c, _, say in MESSAGES])
def test_a_question_that_names_its_own_subject_stands_alone(
    case: dict[str, Any], kind: str, say: str, asking: Asking
) -> None:
    assert _is_followup(say, case["before"], asking(case["database"])) is (kind == "leaning")
