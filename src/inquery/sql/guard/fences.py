"""Which statements need a fence around a table's filter, and what it is in a dialect's words.

The derived table of a filter is no barrier to a planner: it may try a person's condition on a row first and the filter
afterwards, and an error of that condition then tells what the row holds. See `Fence` for what stops it.

A fence costs the indexes that a person's conditions could have used, and on MySQL a copy of the filtered rows. Where
nothing can fail it is left out: where the statement only compares and counts, and the filter compares columns with
constants. A filter that a planner may put off (a subquery, a function) is always fenced: without errors, the time that a
join with a hidden row takes would still tell of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from inquery.sql.dialects import Fence
from inquery.sql.guard.functions import call_name

# Classes that cannot fail on what a row holds, in a dialect that says so of its comparisons. Not here: whatever computes,
# converts, calls or matches a pattern that is itself a value.
_COMPARING = (
    exp.Identifier, exp.Column, exp.Literal, exp.Null, exp.Boolean, exp.Paren, exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ,
    exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.Between, exp.In,
)  # fmt: skip
_QUERYING = (
    exp.Select, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset,
    exp.Distinct, exp.With, exp.CTE, exp.Table, exp.TableAlias, exp.Alias, exp.Star, exp.Exists, exp.Case, exp.If,
    exp.Union, exp.Tuple,
)  # fmt: skip
_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max"})
_COMPUTED = (exp.Add, exp.Sub, exp.Mul, exp.Div)
LONGEST_PATTERN = 1_000
# Calls that take any text or number and give one.
_HARMLESS = frozenset(
    {"char_length", "coalesce", "concat", "length", "lower", "ltrim", "nullif", "rtrim", "trim", "upper"}
)


def needs_fence(nodes: Iterable[exp.Expr], conditions: Sequence[exp.Expr], fence: Fence | None) -> bool:
    """Whether these filters must be fenced in a statement; `nodes` are all of it that is not a filter."""
    if fence is None or not conditions:
        return False
    plain = fence.may_be_left_out and all(map(_is_plain, conditions))
    return not plain or not all(_cannot_fail(node) and not _may_not_match(node, fence) for node in nodes)


def may_tell(conditions: Sequence[exp.Expr], fence: Fence | None) -> bool:
    """Whether a database's words about an error may hold what a filtered row holds: then they are not passed on."""
    if fence is None or not fence.proven:
        return bool(conditions)
    # The fence keeps a person's conditions from hidden rows; the filter itself sees them all.
    return any(map(_can_fail, conditions))


def fence_arguments(fence: Fence) -> dict[str, exp.Expr]:
    """The clause, as an argument of the SELECT of a derived table."""
    number: exp.Expr = exp.Literal.number(abs(fence.rows))
    if fence.rows < 0:
        number = exp.Neg(this=number)
    made = exp.Offset(expression=number) if fence.clause == "offset" else exp.Limit(expression=number)
    return {fence.clause: made}


def _is_plain(condition: exp.Expr) -> bool:
    """A filter of columns and constants: decided where the row is read, before anything is joined."""
    return all(isinstance(node, _COMPARING) or _is_constant(node) or _is_like(node) for node in condition.walk())


def _can_fail(condition: exp.Expr) -> bool:
    return not all(
        isinstance(node, (*_COMPARING, *_QUERYING, exp.Subquery, exp.Concat, exp.Coalesce, exp.Trim, exp.Var))
        or _is_constant(node)
        or _is_like(node)
        or call_name(node) in _HARMLESS
        for node in condition.walk()
    )


def _cannot_fail(node: exp.Expr) -> bool:
    if isinstance(node, _COMPARING + _QUERYING) or _is_constant(node) or _is_like(node):
        return True
    if isinstance(node, exp.Subquery):
        # Not as a value, where two rows are an error.
        return (
            isinstance(node.parent, exp.From | exp.Join | exp.CTE | exp.Exists | exp.Union) or node.arg_key == "query"
        )
    if isinstance(node, exp.Anonymous):
        return call_name(node) in _AGGREGATES and len(node.expressions) == 1 and _counts_what_is_left(node)
    if isinstance(node, _COMPUTED):
        call = node.find_ancestor(exp.Anonymous, exp.Select)
        return isinstance(call, exp.Anonymous) and _cannot_fail(call)
    return False


def _is_constant(node: exp.Expr) -> bool:
    return isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)


def _is_like(node: exp.Expr) -> bool:
    """A pattern that every text can be held against.

    One that ends in the middle of an escape is an error in PostgreSQL, and one of 50,000 characters in SQLite; both are
    told when a row is matched as far, and so of a row whose text begins like the pattern. A value may be such a one.
    """
    pattern = node.expression if isinstance(node, exp.Like) else None
    return isinstance(pattern, exp.Literal) and "\\" not in pattern.name and len(pattern.name) <= LONGEST_PATTERN


def _may_not_match(node: exp.Expr, fence: Fence) -> bool:
    return fence.matching_fails and isinstance(node, exp.Like)


def _counts_what_is_left(call: exp.Expr) -> bool:
    """An aggregate sees rows after every condition on them; not in IN and EXISTS, where it may be about the row around."""
    return not isinstance(call.parent, exp.Window) and call.find_ancestor(exp.In, exp.Exists) is None
