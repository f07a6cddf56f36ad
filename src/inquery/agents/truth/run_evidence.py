"""What a run shows of whether its statement is right: the features of the judge, all of them numbers.

A feature needs no right answer and no model. Each says of one candidate what a careful reader would look at: how much
the writer doubted, what of the question nothing in the statement speaks of, what the statement has that nobody asked
for, how its tables are joined, what came out when it ran, and how far the database is from those the writer knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State
from inquery.agents.state_types import Candidate
from inquery.agents.truth.coverage import coverage_of
from inquery.agents.truth.read_claims import claims_of
from inquery.catalog.deleted_rows import is_deletion
from inquery.databases.engine import Result
from inquery.language.concepts import concepts_in
from inquery.language.text import fold, has_cjk, name_stems, tokens_of
from inquery.language.wording import name_terms
from inquery.sql import Column, Join
from inquery.sql.statement import Place, Statement

Evidence = dict[str, float]

SAID = 0.5
"""A word's translation or synonym of at least this weight stands for it."""
NAMED = 0.9
"""A stored value of at least this score is named by the question, not only like one of its words."""
BRIEF = 60
PLAIN = 12.0
"""Nats of doubt beyond which a text is simply bad."""


@dataclass(frozen=True, slots=True)
class Beside:
    """How a candidate stands among those written with it: its share of the probability, the share of those with the same
    rows, the nats to the first with other rows, and what differing rows there are."""

    share: float = 1.0
    agreement: float = 1.0
    gap: float = PLAIN
    others: int = 0


def evidence_of(
    candidate: Candidate, result: Result | None, beside: Beside, state: State, context: Context
) -> Evidence:
    """Everything the judge looks at, of one candidate that ran."""
    statement = context.statement_of(candidate["sql"])
    found = _doubts(candidate) | _broken(candidate) | _among(beside) | _run(state, context) | _shift(context, state)
    if result is not None:
        found |= _rows(result)
    if statement is not None:
        found |= _statement(statement, state, context) | _coverage(statement, state, context)
    return {name: round(float(value), 4) for name, value in found.items()}


def _doubts(candidate: Candidate) -> Evidence:
    """The writer's own doubt; one without probabilities has none to show."""
    signs = candidate.get("signs")
    if not signs:
        return {}
    logprob = max(signs["logprob"], -PLAIN)
    told = {name: max(min(signs[name], PLAIN), -PLAIN) for name in ("nothing", "verdict") if name in signs}
    return told | {
        "logprob": logprob,
        "least": max(signs["least"], -PLAIN / 2),
        "forced": max(signs["forced"], -PLAIN),
        "a_word": max(signs["logprob"] / max(signs["words"], 1), -1.0),
        "again": max(min(signs["again"] - signs["logprob"], 0.0), -PLAIN / 2),
        "words": signs["words"] / 10,
    }


def _broken(candidate: Candidate) -> Evidence:
    """What it breaks of what the question claims; a rule that is not sure enough to pass a statement over is heard here."""
    broken = candidate.get("breaches", [])
    return {"broken": min(len(broken), 3)} | {f"broken_{code}": 1.0 for code in broken}


def _among(beside: Beside) -> Evidence:
    return {
        "share": beside.share,
        "agreement": beside.agreement,
        "gap": min(max(beside.gap, -PLAIN / 2), PLAIN / 2),
        "others": beside.others,
    }


def _run(state: State, context: Context) -> Evidence:
    return {
        "repairs": min(len(state["repairs"]), 3),
        "assumptions": min(len(state["assumptions"]), 3),
        "left_open": bool(state["clarification"].get("left_open")),
        "warnings": min(len(state["warnings"]), 3),
        "samples": bool(state["provenance"].get("samples")),
        "metrics": min(len(state["query_analysis"].get("metrics", {})), 3),
        "chat": context.model.provider != "embedded",
    }


def _shift(context: Context, state: State) -> Evidence:
    """How far the database lies from those that writers are trained on."""
    catalog = context.here.seen(context.rules)
    columns = [column for table in catalog.tables for column in table.columns]
    latin = sum(not has_cjk(column.name) and not has_cjk(column.comment) for column in columns)
    return {
        "tables": math.log1p(len(catalog.tables)),
        "undeclared": not any(table.foreign_keys for table in catalog.tables) and len(catalog.tables) > 1,
        "guessed": sum(not join.declared for join in catalog.joins) / max(len(catalog.joins), 1),
        "cryptic": _cryptic(columns),
        "crossed": state["language"] == "zh" and latin > len(columns) / 2,
        "length": min(len(tokens_of(question_of(state))), 60) / 10,
        "chinese": state["language"] == "zh",
    }


def _cryptic(columns: Sequence[Column]) -> float:
    """The share of names without one whole word of four letters, nor Chinese, nor a comment."""
    if not columns:
        return 0.0
    plain = sum(
        bool(column.comment) or has_cjk(column.name) or any(len(word) >= 4 for word in name_stems(column.name))
        for column in columns
    )
    return 1 - plain / len(columns)


def _rows(result: Result) -> Evidence:
    rows = result.rows
    first = [row[0] for row in rows[:200]] if rows and rows[0] else []
    figures = [row[-1] for row in rows[:200]] if rows and len(rows[0]) > 1 else []
    return {
        "empty": not rows,
        "blank": bool(rows) and all(cell is None for row in rows[:50] for cell in row),
        "zero": len(rows) == 1 and all(cell in (0, None) for cell in rows[0]),
        "one_row": len(rows) == 1,
        "rows": math.log1p(len(rows)),
        "wide": max(len(result.columns) - 4, 0) / 4,
        "repeats": len(rows) > 1 and len({tuple(map(str, row)) for row in rows[:200]}) < len(rows[:200]),
        "same_name": len(first) > 1 and len({str(cell) for cell in first}) < len(first) and len(rows[0]) > 1,
        "all_equal": len(figures) > 2 and len({str(cell) for cell in figures}) == 1,
        "cut": result.truncated is not None,
        "holes": sum(cell is None for row in rows[:200] for cell in row) / max(sum(map(len, rows[:200])), 1),
    }


def _statement(statement: Statement, state: State, context: Context) -> Evidence:
    """Its shape, and how surely its tables belong together."""
    catalog = context.here.seen(context.rules)
    paths = {source.table.path for scope in statement.scopes for source in scope.sources.values() if source.table}
    joins = [join for join in catalog.joins_of(paths) if join.left in paths and join.right in paths]
    sure = {frozenset((join.left, join.right)): 0.0 for join in joins}
    for join in joins:
        ends = frozenset((join.left, join.right))
        sure[ends] = max(sure[ends], 1.0 if join.declared else join.confidence)
    tree = statement.tree
    linked = state["schema_info"].get("tables", [])
    ranks = [linked.index(name) if (name := ".".join(path)) in linked else len(linked) for path in paths]
    return {
        "read": len(paths),
        "weak_join": 1 - min(sure.values(), default=1.0),
        "unjoined": max(len(paths) - 1 - len(sure), 0),
        "choices": sum(_ways(joins, ends) > 1 for ends in sure),
        "conditions": min(sum(not _marks_deleted(each.place) for each in statement.filters()), 6),
        "nested": min(len(statement.scopes) - 1, 3),
        "star": any(item.is_star for item in tree.selects),
        "grouped": bool(statement.top and statement.top.is_grouped),
        "ranked": tree.args.get("order") is not None,
        "limited": tree.args.get("limit") is not None,
        "aggregates": min(len(statement.aggregates()), 3),
        "fan_out": any(True for _ in statement.repeated()),
        "ranks": min(sum(ranks) / max(len(ranks), 1), 10) / 5,
        "keys_shown": min(sum(place.is_key for place in _shown(statement)), 3),
        "shown": min(len(tree.selects), 6),
    }


def _ways(joins: Sequence[Join], ends: frozenset[tuple[str, ...]]) -> int:
    """How many edges there are between the same two tables: one of two keys may be the wrong one."""
    return sum(frozenset((join.left, join.right)) == ends for join in joins)


def _shown(statement: Statement) -> set[Place]:
    """The stored columns that are shown as they are."""
    top = statement.top
    return {place for column in top.plain_columns(grouped=False) if (place := top.place(column))} if top else set()


def _coverage(statement: Statement, state: State, context: Context) -> Evidence:
    """What of the question the statement does not speak of, and what of the statement nobody said."""
    things = concepts_in(question_of(state))
    spoken = {term for thing in things for term, weight in thing.items() if weight >= SAID}
    places = _places(statement)
    tables = {place.table.path: place.table for place in places}
    covered = coverage_of(statement, claims_of(state, context))
    used = {fold(literal) for literal in statement.literals()}
    phrases: dict[str, bool] = {}
    for value in state["values"]:
        if value["score"] >= NAMED:
            phrases[value["phrase"]] = phrases.get(value["phrase"], False) or fold(value["value"]) in used
    return {
        "lost": covered.ignored_share,
        "lost_words": min(len(covered.unowned), 5),
        "ignored": min(len(covered.ignored), 3),
        "invented": min(len(covered.invented), 3),
        "values_lost": min(sum(not kept for kept in phrases.values()), 3),
        "values_kept": min(sum(phrases.values()), 3),
        "period_lost": bool(state["query_analysis"].get("periods")) and not speaks_of_time(statement),
        "unsaid_tables": _share([not _is_said(table.name, table.comment, spoken) for table in tables.values()]),
        "unsaid_columns": _share([not _is_said(p.column, _comment(p), spoken) for p in places if not p.is_key]),
    } | {
        f"unsaid_{role}": min(sum(not _is_named(p, spoken) for p in own), 3) for role, own in _roles(statement).items()
    }


def _roles(statement: Statement) -> dict[str, set[Place]]:
    """The columns that are shown as they are, worked out, and set conditions on; a thing's name may be shown unsaid."""
    measured = {
        place
        for scope in statement.scopes
        for measure in scope.measures()
        for column in measure.columns
        if (place := scope.place(column))
    }
    filtered = {each.place for each in statement.filters() if each.place and not _marks_deleted(each.place)}
    return {
        "shown": {
            place
            for place in _shown(statement) - measured
            if not place.is_key and place.column not in place.table.display
        },
        "measured": {place for place in measured if not place.is_key},
        "filtered": {place for place in filtered if not place.is_key},
    }


def _marks_deleted(place: Place | None) -> bool:
    """Whether a condition leaves out deleted rows, as every statement here does."""
    column = place.table.column(place.column) if place else None
    return column is not None and is_deletion(column)


def _is_named(place: Place, spoken: set[str]) -> bool:
    """Whether the question says a column, also by a short form of it: FLT_CD is a fault."""
    return bool(_name_terms(place.column) & spoken) or bool(_terms(_comment(place)) & spoken)


@lru_cache(maxsize=4096)
def _name_terms(name: str) -> frozenset[str]:
    return frozenset(term for term, weight in name_terms(name) if weight >= SAID)


def _places(statement: Statement) -> list[Place]:
    """The columns that a statement reads, each once."""
    found = (scope.place(column) for scope in statement.scopes for column in scope.columns())
    return list({place.name: place for place in found if place is not None}.values())


def _terms(text: str) -> set[str]:
    """What the words of a comment mean."""
    things = concepts_in(text[:BRIEF]) if text else []
    return {term for thing in things for term, weight in thing.items() if weight >= SAID}


def _comment(place: Place) -> str:
    column = place.table.column(place.column)
    return column.comment if column else ""


def _is_said(name: str, comment: str, spoken: set[str]) -> bool:
    stems = set(name_stems(name))
    return bool(stems & spoken) or bool(_terms(comment) & spoken)


def speaks_of_time(statement: Statement) -> bool:
    """Whether any condition speaks of time: a literal like a year or a day, or a function of dates."""
    dated = (
        exp.Date,
        exp.CurrentDate,
        exp.CurrentTimestamp,
        exp.TsOrDsToDate,
        exp.TimeToStr,
        exp.Extract,
        exp.DateTrunc,
    )
    if any(statement.tree.find(kind) for kind in dated):
        return True
    return any(each.literal[:4].isdigit() and each.literal[:2] in {"19", "20"} for each in statement.filters())


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0
