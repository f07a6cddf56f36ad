"""Suggests what to ask next; each suggestion is proven to link to its tables before it is shown."""

from __future__ import annotations

from itertools import islice
from threading import Lock

from cachetools import LRUCache, cached
from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import FollowupsEvent
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.connection_glossary import short_names
from inquery.agents.questions.offers import deeper_questions
from inquery.agents.state import State, Update, used_plan
from inquery.answers.followups import Suggestion, suggest_questions
from inquery.catalog.search import link_tables

MOST = 3


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
    plan = used_plan(state)
    fields = plan["fields"] if plan else None
    deeper = await deeper_questions(context, question_of(state), fields, state["language"])
    before = {question_of(state), state["question"], *history}
    fresh = (item.question for item in made if _linked(item, context))
    # What was asked beside the first question comes first, then what leads on from this answer.
    found = [*state["recommended_questions"], *(each for each in deeper if each not in before)]
    questions = list(dict.fromkeys([*found, *islice(fresh, MOST)]))[:MOST]
    if questions:
        emit(runtime, FollowupsEvent(questions=questions))
    return {"recommended_questions": questions}


def _link_key(item: Suggestion, context: Context) -> tuple[object, ...]:
    seen = context.here.seen(context.rules)
    return seen.version, context.rules.hash, item.question, tuple(item.tables)


@cached(LRUCache[tuple[object, ...], bool](1024), key=_link_key, lock=Lock())
def _linked(item: Suggestion, context: Context) -> bool:
    """Whether asking it would find the tables it needs; known for a while, since suggestions come again."""
    found = link_tables(item.question, context.here.seen(context.rules), limit=10)
    return {table.path for table in found}.issuperset(item.tables)
