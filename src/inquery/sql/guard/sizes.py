"""Calls that make a huge value or a huge number of rows out of a few characters."""

from __future__ import annotations

import re
from math import prod

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.functions import call_name

MAX_TEXT = 1_000_000
MAX_ROWS = 10_000_000
MAX_WIDTH = 10_000

# Position of the argument that says how long the value becomes.
LENGTH_ARGUMENT = {
    "repeat": 1, "replicate": 1, "lpad": 1, "rpad": 1, "leftpad": 1, "rightpad": 1, "leftpadutf8": 1,
    "rightpadutf8": 1, "space": 0, "randomstring": 0, "randomfixedstring": 0, "randomprintableascii": 0,
    "randomstringutf8": 0, "tofixedstring": 1, "arraywithconstant": 0, "arrayresize": 1, "list_resize": 1,
    "array_resize": 1, "randstr": 0, "str": 1, "replicatestring": 1, "bar": 3,
}  # fmt: skip
# Series between two numbers, or up to one.
SERIES = {
    "generate_series", "range", "sequence", "generate_array", "array_generate_range", "numbers", "numbers_mt",
    "generateseries", "zeros", "zeros_mt", "generate_range_array",
}  # fmt: skip
_CONVERSION = re.compile(r"to_?u?(int|float|number|decimal)\d*|bigint|int\d*|float\d*|floor|ceil(ing)?|round|trunc|abs")
_WIDTH = re.compile(r"%[-+ #0,!]*(\*|\d+)?(?:\.(\*|\d+))?")


def constant(node: exp.Expr | None) -> float | None:
    """The number a constant expression comes to; None when it is not constant."""
    if node is None:
        return None
    if isinstance(node, exp.Paren | exp.Cast | exp.TryCast):
        return constant(node.this)
    if isinstance(node, exp.Literal):
        try:
            return float(node.name.replace("_", ""))
        except ValueError:
            return None
    if isinstance(node, exp.Neg):
        value = constant(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Anonymous) and call_name(node) in {"pow", "power"} and len(node.expressions) == 2:
        return _apply(exp.Pow, constant(node.expressions[0]), constant(node.expressions[1]))
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1 and _CONVERSION.fullmatch(call_name(node) or ""):
        return constant(node.expressions[0])
    if isinstance(node, exp.Binary):
        return _apply(type(node), constant(node.this), constant(node.expression))
    return None


def _apply(kind: type[exp.Expr], left: float | None, right: float | None) -> float | None:
    if left is None or right is None:
        return None
    if kind is exp.Mul:
        return left * right
    if kind is exp.Add:
        return left + right
    if kind is exp.Sub:
        return left - right
    if kind in (exp.Div, exp.IntDiv):
        return left / right if right else None
    if kind is exp.Pow or kind is exp.BitwiseXor:
        return left**right if abs(right) < 400 and abs(left) < 1e6 else float("inf")
    if kind is exp.BitwiseLeftShift:
        return left * 2**right if right < 400 else float("inf")
    return None


def _reads_nothing(node: exp.Expr) -> bool:
    """A size that comes from no column and counts no rows of its own query is a constant in disguise."""
    if node.find(exp.Column) is not None:
        return False
    within = {id(query) for query in node.find_all(exp.Query)}
    counts = [call for call in node.find_all(exp.Func) if call_name(call) == "count"]
    return all(id(call.find_ancestor(exp.Query)) in within for call in counts)


def _factor(node: exp.Expr) -> float:
    """How many times a column's value or a count is taken at least: 1000 of `1000 * (count(*) + 1)`."""
    value = constant(node)
    if value is not None:
        return abs(value)
    if isinstance(node, exp.Mul):
        return _factor(node.this) * _factor(node.expression)
    if isinstance(node, exp.Column | exp.Query):
        return 1.0
    if isinstance(node, exp.Div | exp.IntDiv):
        return _factor(node.this)
    return max((_factor(part) for part in node.iter_expressions()), default=1.0)


def refuse_size(node: exp.Expr) -> None:
    """Raise SqlRefused for a call that is plainly meant to exhaust memory or time."""
    name = call_name(node)
    if name is None:
        return
    arguments = node.expressions
    if name in LENGTH_ARGUMENT:
        _refuse_length(name, node, arguments)
    elif name in SERIES:
        _refuse_series(name, arguments)
    elif name == "array_fill" and len(arguments) > 1:
        _refuse_array(name, arguments[1])
    elif name == "generator":
        _refuse_generator(node)
    elif name in {"printf", "format"} and arguments:
        _refuse_format(name, arguments)


def _refuse_length(name: str, node: exp.Expr, arguments: list[exp.Expr]) -> None:
    index = LENGTH_ARGUMENT[name]
    size = constant(arguments[index]) if len(arguments) > index else None
    if size is None:
        if len(arguments) > index and (_reads_nothing(arguments[index]) or _factor(arguments[index]) > MAX_TEXT):
            raise _too_big(name)
        size = 1
    # repeat(repeat('x', 100000), 100000): each is within bounds, their product is not.
    inner = node.parent.find_ancestor(exp.Func) if node.parent else None
    while inner is not None:
        outer = call_name(inner)
        at = LENGTH_ARGUMENT.get(outer or "", -1)
        if at > 0 and len(inner.expressions) > at:
            size *= max(constant(inner.expressions[at]) or 1, 1)
        inner = inner.find_ancestor(exp.Func)
    if node.parent is not None and isinstance(node.parent, exp.Func):
        at = LENGTH_ARGUMENT.get(call_name(node.parent) or "", -1)
        if at > 0 and len(node.parent.expressions) > at:
            size *= max(constant(node.parent.expressions[at]) or 1, 1)
    if size > MAX_TEXT:
        raise _too_big(name)


def _refuse_array(name: str, lengths: exp.Expr) -> None:
    """PostgreSQL's array_fill(1, ARRAY[1000, 1000]) has as many cells as its lengths multiplied."""
    sizes = [constant(length) for length in lengths.expressions]
    if _reads_nothing(lengths) and (not sizes or None in sizes or prod(size or 1 for size in sizes) > MAX_TEXT):
        raise _too_big(name)


def _refuse_series(name: str, arguments: list[exp.Expr]) -> None:
    # Trino also names them: start => 1, stop => 10.
    numbers = [constant(a.expression if isinstance(a, exp.Kwarg | exp.PropertyEQ) else a) for a in arguments]
    if any(query.find(exp.Table) is None for each in arguments for query in each.find_all(exp.Query)):
        raise _too_big(name)  # (SELECT 10^12) is a number that does not want to be seen
    if not numbers or any(number is None for number in numbers):
        return
    values = [number for number in numbers if number is not None]
    low, high = (0.0, values[0]) if len(values) == 1 else (values[0], values[1])
    if name in {"numbers", "numbers_mt", "zeros", "zeros_mt"} and len(values) == 2:
        low = 0.0
    step = abs(values[2]) if len(values) > 2 and values[2] else 1.0
    if abs(high - low) / step > MAX_ROWS:
        raise _too_big(name)


def _refuse_generator(node: exp.Expr) -> None:
    """Snowflake's GENERATOR needs a row count that is small and no time limit instead."""
    counts = [
        constant(argument.expression)
        for argument in node.expressions
        if isinstance(argument, exp.Kwarg | exp.PropertyEQ) and argument.this.name.lower() == "rowcount"
    ]
    if len(counts) != 1 or len(node.expressions) != 1 or counts[0] is None or counts[0] > MAX_ROWS:
        raise _too_big("generator")


def _refuse_format(name: str, arguments: list[exp.Expr]) -> None:
    """printf('%1000000000d') is one opcode in SQLite and cannot be interrupted."""
    first = arguments[0]
    if not isinstance(first, exp.Literal):
        if name == "printf":
            raise _too_big(name)
        return
    for match in _WIDTH.finditer(first.name):
        for width in match.groups():
            if width == "*" or (width is not None and int(width) > MAX_WIDTH):
                raise _too_big(name)


def refuse_levels(node: exp.Expr, dialect: str) -> None:
    """Oracle's CONNECT BY LEVEL <= n makes n rows out of one."""
    for comparison in node.find_all(exp.LT, exp.LTE):
        limit = constant(comparison.expression)
        if limit is not None and limit > MAX_ROWS:
            raise _too_big("connect by level")


def _too_big(name: str) -> SqlRefused:
    return SqlRefused("forbidden_function", f"{name} would make too much", name=name)
