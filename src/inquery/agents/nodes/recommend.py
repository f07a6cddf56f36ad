"""Suggests what to ask next; each suggestion is proven to link to its tables before it is shown."""

from __future__ import annotations

from itertools import islice

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import FollowupsEvent
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.connection_glossary import short_names
from inquery.agents.state import State, Update
from inquery.answers.followups import Suggestion, suggest_questions
from inquery.catalog.search import link_tables

MOST = 3
PROVEN = 1024
_proven: dict[tuple[object, ...], bool] = {}


async def recommend(state: State, runtime: Runtime[Context]) -> Update:
    """Up to three questions that this database can answer."""
    context = runtime.context
    catalog = context.here.seen(context.rules)
    kept = await rows_of(context, state)
    by_name = catalog.by_name
    used = [by_name[name].path for name in state["validation_result"].get("tables", []) if name in by_name]
    history = [turn["standalone"] for turn in state.get("turns", [])]
    names = short_names(context.here.glossary, state["language"])
    made = suggest_questions(
        question_of(state),
        catalog,
        used,
        kept.columns,
        kept.rows,
        language=state["language"],
        asked=history,
        names=names,
    )
    questions = list(islice((item.question for item in made if _linked(item, context)), MOST))
    if questions:
        emit(runtime, FollowupsEvent(questions=questions))
    return {"recommended_questions": questions}


def _linked(item: Suggestion, context: Context) -> bool:
    """Whether asking it would find the tables it needs; known for a while, since suggestions come again."""
    catalog = context.here.seen(context.rules)
    key = (catalog.version, context.rules.hash, item.question, tuple(item.tables))
    if key not in _proven:
        found = {table.path for table in link_tables(item.question, catalog, limit=10)}
        if len(_proven) >= PROVEN:
            _proven.pop(next(iter(_proven)), None)
        _proven[key] = found.issuperset(item.tables)
    return _proven[key]
