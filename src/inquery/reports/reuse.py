"""Uses a bound statement again without a model: filled, checked against the schema of now, run, and looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlglot.errors import SqlglotError

from inquery.agents.context import Context, Kept
from inquery.agents.outcomes.rows import check_again, kept_of, run_checked
from inquery.databases.engine import Result
from inquery.errors import InqueryError, SqlFixable, SqlRefused, Text
from inquery.language.periods import Period
from inquery.reports.bindings import Bound, bind, fill_binding, fingerprint
from inquery.reports.goals import Asked, Goal
from inquery.reports.parameters import Value
from inquery.reports.problems import Problem
from inquery.reports.solve import Solved
from inquery.reports.verdicts import unlikely
from inquery.store.reports import StoredBinding

Shared = Callable[[str, Callable[[], Any]], Any]
"""Runs a statement once for all placeholders of a run that need it."""


@dataclass(slots=True)
class Reuse:
    """What came of using a binding: a result, a failure that stays, or the reason to solve anew."""

    solved: Solved | None = None
    reopened: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """A bound statement as the store keeps it."""

    bound: Bound
    question: str
    spans: list[list[str]]
    values: dict[str, Value]
    needs: str
    connection_id: str
    rejected: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubtful: bool = False

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Binding:
        """A binding from plain data."""
        known = dict(content)
        bound = dict(known.pop("bound"))
        places = {name: (place[0], place[1]) for name, place in bound["places"].items()}
        return cls(Bound(bound["sql"], bound["reuse"], places), **known)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def plain_periods(periods: Sequence[Period]) -> list[list[str]]:
    """Periods as plain data."""
    return [[period.start.isoformat(), period.end.isoformat()] for period in periods]


def made(solved: Solved, asked: Asked, periods: Sequence[Period], context: Context, before: Binding | None) -> Binding:
    """The binding of what was solved."""
    source = context.here
    bound = bind(solved.sql, source.dialect, periods, asked.values, context.matches(asked.question))
    needs = fingerprint(check_again(context, solved.sql), source.catalog)
    rejected = before.rejected if before else []
    return Binding(
        bound,
        asked.question,
        plain_periods(periods),
        dict(asked.values),
        needs,
        source.id,
        rejected,
        solved.notes,
        solved.status == "doubtful",
    )


async def reuse(
    stored: StoredBinding, goal: Goal, asked: Asked, periods: Sequence[Period], context: Context, shared: Shared
) -> Reuse:
    """Fill and run a bound statement; a pinned one is never opened again, whatever comes of it."""
    binding, pinned = Binding.of(stored.content), stored.state == "pinned"
    sql, why = _filled(binding, asked, periods, context)
    if sql is None:
        return (
            _failed(goal, Text(f"the pinned statement does not fit: {why}", f"固定的语句不适用：{why}"))
            if pinned
            else Reuse(reopened=why)
        )
    try:
        statement = check_again(context, sql)
        if not pinned and fingerprint(statement, context.here.catalog) != binding.needs:
            return Reuse(reopened="schema")
        result: Result = await shared(statement.text, lambda: run_checked(context, sql, fresh=True))
    except (SqlRefused, SqlFixable) as error:
        if not pinned:
            return Reuse(reopened=error.code)
        return _failed(goal, Text(error.public_message("en"), error.public_message("zh")), sql)
    except InqueryError as error:
        return _failed(goal, Text(error.public_message("en"), error.public_message("zh")), sql, error.code)
    return _looked_at(goal, sql, kept_of(result, sql), binding, pinned)


def _filled(binding: Binding, asked: Asked, periods: Sequence[Period], context: Context) -> tuple[str | None, str]:
    if binding.connection_id != context.here.id:
        return None, "connection"
    same = binding.spans == plain_periods(periods) and binding.values == dict(asked.values)
    if binding.bound.reuse == "same" and not same:
        return None, "values"
    if binding.bound.reuse == "phrase" and binding.question != asked.question:
        return None, "question"
    try:
        sql = fill_binding(binding.bound, context.here.dialect, periods, asked.values, speller(context, asked))
    except (SqlglotError, RecursionError):
        return None, "syntax"
    return sql, "" if sql else "values"


def speller(context: Context, asked: Asked) -> Callable[[tuple[str, str], str], str | None]:
    """The database's own word for a person's in one column: 华南 is 'south' there."""

    def spell(place: tuple[str, str], said: str) -> str | None:
        for match in (*context.matches(asked.question), *context.matches(said)):
            if (match.table, match.column) == place and match.phrase.casefold() == said.casefold():
                return match.value
        return said if said in context.stored(*place) else None

    return spell


def _looked_at(goal: Goal, sql: str, kept: Kept, binding: Binding, pinned: bool) -> Reuse:
    fault = unlikely(goal, kept.columns, kept.rows, sql)
    if fault is None:
        doubtful = binding.doubtful and not pinned
        return Reuse(Solved("doubtful" if doubtful else "solved", sql, kept, notes=binding.notes))
    return _failed(goal, Text(**fault["public"]), sql) if pinned else Reuse(reopened=fault["class"])


def _failed(goal: Goal, reason: Text, sql: str = "", code: str = "failed") -> Reuse:
    return Reuse(Solved("unsolved", sql, problem=Problem(goal.line, code, reason)))
