"""Binds a solved question to its statement: what changes from run to run becomes a typed slot of the syntax tree.

A slot is a whole text literal such as '{period.start}'; it is found and replaced as a node of the tree, so that no
value of a run is ever read as SQL. What comes out passes the guard like any other statement.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.catalog.value_index import ValueMatch
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.language.periods import Period
from inquery.reports.parameters import Value
from inquery.sql import Catalog, CheckedSql

_SLOT = re.compile(r"^\{(\w+)\.(\w+)\}$")
_DAY = datetime.timedelta(1)
_MIDNIGHT, _LAST_SECOND = " 00:00:00", " 23:59:59"


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement with slots.

    `reuse` says when it holds: `any` with other periods and values, `phrase` while the question reads the same (the
    statement counts from the database's own today), `same` only for the very same days and values.
    """

    sql: str
    reuse: str
    places: Mapping[str, tuple[str, str]]


def spans_of(periods: Sequence[Period]) -> dict[str, Period]:
    """Periods by the names of their slots."""
    return {"period" if not place else f"period{place + 1}": period for place, period in enumerate(periods)}


def bind(
    sql: str, dialect: str, periods: Sequence[Period], given: Mapping[str, Value], matches: Sequence[ValueMatch]
) -> Bound:
    """The statement with slots in place of the run's periods and values."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except (SqlglotError, RecursionError):
        return Bound(sql, "same", {})
    spans, places = spans_of(periods), _stored(given, matches)
    found: set[tuple[str, str]] = set()
    literals = list(tree.find_all(exp.Literal))
    values = {name: value for name, value in given.items() if _told_apart(value, literals)}
    for literal in literals:
        slot = _slot(literal, spans, values, places)
        if slot is not None:
            found.add(slot)
            literal.replace(exp.Literal.string(f"{{{slot[0]}.{slot[1]}}}"))
    text = tree.sql(dialect=dialect, comments=False, normalize_functions=False)
    kept = {name: places[name][0] for name, part in found if part == "value" and name in places}
    return Bound(text if found else sql, _reuse(tree, spans, given, found), kept)


def _told_apart(value: Value, literals: Sequence[exp.Literal]) -> bool:
    """A number that stands twice in a statement may mean two things, of which one is the parameter."""
    return isinstance(value, str) or sum(not each.is_string and each.this == str(value) for each in literals) == 1


def _stored(values: Mapping[str, Value], matches: Sequence[ValueMatch]) -> dict[str, tuple[tuple[str, str], str]]:
    """How the database spells the value of a text parameter, and where: 华东 is 'east' of stores.region."""
    found: dict[str, tuple[tuple[str, str], str]] = {}
    for name, value in values.items():
        for match in matches:
            if isinstance(value, str) and match.phrase.casefold() == value.casefold():
                found.setdefault(name, ((match.table, match.column), match.value))
    return found


def _slot(
    literal: exp.Literal,
    spans: Mapping[str, Period],
    values: Mapping[str, Value],
    places: Mapping[str, tuple[tuple[str, str], str]],
) -> tuple[str, str] | None:
    text = str(literal.this)
    for name, period in spans.items():
        for part, written in _parts(period).items():
            if written == text and (literal.is_string or part == "year"):
                return name, part
    for name, value in values.items():
        stored = places[name][1] if name in places else value
        if literal.is_string and isinstance(value, str) and text == stored:
            return name, "value"
        if not literal.is_string and not isinstance(value, str) and text == str(value):
            return name, "value"
    return None


def _parts(period: Period) -> dict[str, str]:
    """Every way a statement may write the borders of a period."""
    found: dict[str, str] = {}
    if period.start != OPEN_START:
        found |= {"start": period.start.isoformat(), "start_time": period.start.isoformat() + _MIDNIGHT}
    if period.end != OPEN_END:
        last = (period.end - _DAY).isoformat()
        found |= {"end": period.end.isoformat(), "end_time": period.end.isoformat() + _MIDNIGHT}
        found |= {"last": last, "last_time": last + _LAST_SECOND}
    if period.grain == "month" and period.start != OPEN_START and period.start.day == 1:
        found["month"] = period.start.isoformat()[:7]
    if period.grain == "year" and period.start != OPEN_START and (period.start.month, period.start.day) == (1, 1):
        found["year"] = period.start.isoformat()[:4]
    return found


def _reuse(
    tree: exp.Expr, spans: Mapping[str, Period], values: Mapping[str, Value], found: set[tuple[str, str]]
) -> str:
    if any((name, "value") not in found for name in values if not _is_period(name, values, spans)):
        return "same"
    if all(_kept({part for each, part in found if each == name}, period) for name, period in spans.items()):
        return "any"
    # A date that became no slot stays that date for ever: such a statement is right for this day alone.
    dated = any(
        literal.is_string and re.match(r"\d{4}-\d{2}", str(literal.this)) for literal in tree.find_all(exp.Literal)
    )
    return "same" if dated else "phrase"


def _is_period(name: str, values: Mapping[str, Value], spans: Mapping[str, Period]) -> bool:
    return any(str(values[name]).casefold() in period.text.casefold() for period in spans.values())


def _kept(parts: set[str], period: Period) -> bool:
    """Whether both borders of a period are slots."""
    if parts & {"month", "year"}:
        return True
    start = period.start == OPEN_START or bool(parts & {"start", "start_time"})
    return start and (period.end == OPEN_END or bool(parts & {"end", "end_time", "last", "last_time"}))


def has_slots(sql: str) -> bool:
    """Whether a statement has anything to fill."""
    return bool(re.search(r"'\{\w+\.\w+\}'", sql))


def fill_binding(
    bound: Bound,
    dialect: str,
    periods: Sequence[Period],
    values: Mapping[str, Value],
    spell: Callable[[tuple[str, str], str], str | None],
) -> str | None:
    """The statement for other periods and values; None where a slot has no value here.

    `spell` gives the database's own word for a person's, in one column.
    """
    if not has_slots(bound.sql):
        return bound.sql
    spans = spans_of(periods)
    tree = sqlglot.parse_one(bound.sql, dialect=dialect)
    for literal in list(tree.find_all(exp.Literal)):
        slot = _SLOT.match(str(literal.this)) if literal.is_string else None
        if slot is None:
            continue
        made = _typed(slot[1], slot[2], spans, values, bound, spell)
        if made is None:
            return None
        literal.replace(made)
    return tree.sql(dialect=dialect, comments=False, normalize_functions=False)


def _typed(
    name: str,
    part: str,
    spans: Mapping[str, Period],
    values: Mapping[str, Value],
    bound: Bound,
    spell: Callable[[tuple[str, str], str], str | None],
) -> exp.Expr | None:
    if name in spans:
        written = _parts(spans[name]).get(part)
        return exp.Literal.string(written) if written is not None else None
    value = values.get(name) if part == "value" else None
    if value is None:
        return None
    if not isinstance(value, str):
        return exp.Literal.number(value)
    stored = spell(bound.places[name], value) if name in bound.places else value
    return exp.Literal.string(stored) if stored is not None else None


def fingerprint(statement: CheckedSql, catalog: Catalog) -> str:
    """What a statement needs of the schema: a change elsewhere leaves it the same."""
    shape: list[Any] = []
    for path in sorted(statement.tables):
        used = sorted(column for table, column in statement.columns if table == path)
        columns = {column.name: str(column.type) for column in catalog.by_path[path].columns}
        shape.append([list(path), [[name, columns.get(name, "")] for name in used]])
    return hashlib.sha256(json.dumps(shape, ensure_ascii=False).encode()).hexdigest()[:16]
