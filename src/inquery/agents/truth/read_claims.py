"""What the question of a run claims, read once for all its statements."""

from __future__ import annotations

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State
from inquery.agents.truth.claims import Claims
from inquery.agents.truth.coverage import Coverage, coverage_of
from inquery.catalog.time_columns import recommended_time

_FROM_PEOPLE = frozenset({"sample", "edited"})
"""What a candidate's `why` says where a person verified or wrote it."""


def claims_of(state: State, context: Context) -> Claims:
    """The claims of the question in hand; read anew where the catalogue was, or the question became another."""
    question, wanted, seen = question_of(state), context.wanted, context.here.seen(context.rules)
    periods = state["query_analysis"].get("periods", [])
    known = context.question_claims.get((question, wanted))
    if known is None or known.catalog is not seen or known.periods != periods:
        # What the encoder found near is allowed in a statement, and too uncertain to be demanded of one.
        near = [value["value"] for value in state["values"]]
        known = context.question_claims[question, wanted] = Claims(
            question=question,
            shape=wanted.shape,
            catalog=seen,
            glossary=context.here.glossary,
            matches=context.matches(question),
            periods=periods,
            given=(*wanted.given, *near),
            today=context.day(),
            refused=wanted.refused,
            time_column=recommended_time(seen, _about(state)),
            stored=context.stored,
        )
    return known


def is_from_people(sql: str, state: State) -> bool:
    """Whether a person wrote, verified or approved a statement, or defined all that its plan uses."""
    if state["query_analysis"].get("what") == "sql" or state["approval"].get("approved") == sql:
        return True
    planned = state["plan"].get("sql") == sql
    return planned or any(c["sql"] == sql and c["why"] in _FROM_PEOPLE for c in state["candidates"])


def coverage_in(state: State, context: Context, sql: str) -> Coverage | None:
    """What a statement leaves of the question and adds to it; None where a person or a plan owns every word."""
    statement = None if is_from_people(sql, state) else context.statement_of(sql)
    return coverage_of(statement, claims_of(state, context)) if statement else None


def _about(state: State) -> list[str]:
    """The tables that the question is most likely about."""
    info = state["schema_info"]
    return info.get("best", []) or info.get("tables", [])
