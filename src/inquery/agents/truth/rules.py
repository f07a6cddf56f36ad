"""What a question says of its answer, and whether a statement keeps to it: nobody reads each figure of a report twice.

Each rule needs no right answer to compare with. It speaks only where the question is plain, so that what it says is
nearly always so: a rule that is often wrong would leave right figures out of reports.
"""

from __future__ import annotations

from inquery.agents.truth.claims import Breach, Claims, Rule
from inquery.agents.truth.group_rules import asked_grouping, asked_ranking, same_language
from inquery.agents.truth.measure_rules import added_once, counted_once, defined_measure, no_identifiers, right_function
from inquery.agents.truth.time_rules import kept_period
from inquery.agents.truth.value_rules import named_values, nothing_unasked, values_in_place
from inquery.sql.statement import Statement

__all__ = ["RULES", "Breach", "Claims", "first_breach"]


def first_breach(statement: Statement, claims: Claims) -> Breach | None:
    """The first claim of the question that a statement does not keep."""
    return next((found for rule in RULES if (found := rule(statement, claims))), None)


RULES: tuple[Rule, ...] = (
    defined_measure, kept_period, added_once, counted_once, no_identifiers, asked_ranking, named_values,
    values_in_place, nothing_unasked, asked_grouping, right_function, same_language,
)  # fmt: skip
"""In the order of how surely they are right."""
