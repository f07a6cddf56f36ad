"""Limits that a question sets: `at least 4 times` and 650分以上 stand somewhere in the statement."""

from __future__ import annotations

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.errors import Text
from inquery.language.parts import parts_in
from inquery.sql.statement import Statement

_SETS_A_LIMIT = frozenset({">", ">=", "<", "<=", "between"})
_FACTORS = (1, 60, 24, 3600, 1440, 86400, 7, 12, 30, 365, 10, 100, 1000, 10_000, 1_000_000, 100_000_000)
"""How a column may keep what a person says: seconds, cents, per cent, thousands, 万."""


def kept_limit(statement: Statement, claims: Claims) -> Breach | None:
    """A number that the question sets as a limit is in the statement, in whatever unit."""
    limits = [
        part
        for part in parts_in(claims.question)
        if part.kind in _SETS_A_LIMIT and part.number and not _is_elsewhere(part.start, part.end, claims)
    ]
    if not limits:
        return None
    numbers = list(_numbers(statement.tree))
    for part in limits:
        value = float(part.number)
        # More than none is said without a number; a single one is the fewest there can be.
        if value > 1 and not any(_is_same(value, number) for number in numbers):
            reason = Text(
                f"the question sets a limit of {part.number}, and the statement has none",
                f"问题以{part.number}为界限，语句中却没有",
            )
            return Breach("lost_limit", reason, f"compare with {part.number}", sure=False)
    return None


def _is_elsewhere(start: int, end: int, claims: Claims) -> bool:
    """Whether a number belongs to a period or to a stored value."""
    question = claims.question.casefold()
    for period in claims.periods:
        at = question.find(period["text"].casefold())
        if at >= 0 and start < at + len(period["text"]) and at < end:
            return True
    return any(match.start < end and start < match.end for match in claims.matches if match.start >= 0)


def _numbers(tree: exp.Expr) -> list[float]:
    found = []
    for node in tree.find_all(exp.Literal):
        try:
            found.append(float(node.this))
        except ValueError:
            found += [float(word) for word in str(node.this).replace("-", " ").split() if word.isdigit()]
    return found


def _is_same(said: float, written: float) -> bool:
    """Whether two numbers are one but for a unit, or one next to it: at least 4 is more than 3."""
    for factor in _FACTORS:
        for number in (written * factor, written / factor):
            if abs(said - number) <= 1e-6 * max(abs(said), 1.0):
                return True
    return abs(said - written) == 1
