"""What a question says of its answer, and whether a statement keeps to it.

Each rule needs no right answer to compare with. It speaks only where the question is plain, so that what it says is
nearly always so: a rule that is often wrong would take right answers away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlglot
from sqlglot.errors import SqlglotError

from inquery.agents.truth.age_rules import age_by_birth
from inquery.agents.truth.claims import Breach, Claims, Rule
from inquery.agents.truth.code_rules import guessed_code
from inquery.agents.truth.denied_values import denied_value
from inquery.agents.truth.end_rules import both_ends
from inquery.agents.truth.flag_rules import marked_rows
from inquery.agents.truth.group_rules import asked_grouping, asked_ranking, same_language
from inquery.agents.truth.kind_rules import compared_in_kind
from inquery.agents.truth.limit_rules import kept_limit
from inquery.agents.truth.measure_rules import (
    added_once,
    counted_once,
    defined_measure,
    holders_counted,
    money_added,
    no_identifiers,
    other_measure,
    right_function,
    share_of_whole,
)
from inquery.agents.truth.member_rules import linked_members
from inquery.agents.truth.part_rules import (
    asked_parts,
    counted_rows,
    kept_negation,
    key_joins,
    listed_rows,
    names_for_keys,
    no_whole_rows,
    shown_once,
)
from inquery.agents.truth.reference_rules import meant_reference
from inquery.agents.truth.tax_rules import tax_as_asked
from inquery.agents.truth.time_rules import dates_as_dates, kept_period, named_period, right_time_column
from inquery.agents.truth.value_rules import (
    marked_as_said,
    members_named,
    named_values,
    no_other_value,
    nothing_unasked,
    value_left_out,
    values_in_place,
)
from inquery.errors import Text
from inquery.sql.statement import Statement

__all__ = ["RULES", "Breach", "Claims", "breaches", "first_breach", "not_refused"]


def breaches(statement: Statement, claims: Claims, *, rules: Sequence[Rule] | None = None) -> tuple[Breach, ...]:
    """Every claim of the question that a statement does not keep, the surest first."""
    asked = RULES if rules is None else rules
    found = [replace(broken, rule=rule.__name__) for rule in asked if (broken := rule(statement, claims))]
    return tuple(sorted(found, key=lambda each: not each.sure))


def first_breach(statement: Statement, claims: Claims) -> Breach | None:
    """The first claim of the question that a statement does not keep."""
    return next(iter(breaches(statement, claims)), None)


def not_refused(statement: Statement, claims: Claims) -> Breach | None:
    """A person said no to this statement before."""
    dialect = claims.catalog.dialect
    if not claims.refused or _plain(statement.text, dialect) not in {_plain(each, dialect) for each in claims.refused}:
        return None
    reason = Text("a person rejected this statement", "该语句已被人工否决")
    return Breach("rejected", reason, "write another statement; this one is not what was meant")


def _plain(sql: str, dialect: str) -> str:
    try:
        return sqlglot.parse_one(sql, dialect=dialect).sql(dialect=dialect, comments=False).casefold()
    except (SqlglotError, RecursionError):
        return " ".join(sql.split()).casefold()


RULES: tuple[Rule, ...] = (
    not_refused, share_of_whole, dates_as_dates, named_period, defined_measure, other_measure, money_added, tax_as_asked, kept_period,
    right_time_column, added_once, counted_once, holders_counted, no_identifiers, asked_ranking, counted_rows, listed_rows,
    members_named, value_left_out, named_values, marked_rows, marked_as_said, no_other_value, values_in_place, nothing_unasked,
    asked_grouping, right_function, same_language, age_by_birth, denied_value, kept_negation, asked_parts, no_whole_rows, shown_once,
    both_ends, names_for_keys, linked_members, meant_reference, key_joins,
    guessed_code, compared_in_kind, kept_limit,
)  # fmt: skip
"""In the order of how surely they are right."""
