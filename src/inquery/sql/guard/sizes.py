"""Calls that make a huge value or a huge number of rows out of a few characters."""

from __future__ import annotations

import datetime
import re
from math import inf, prod

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
    "array_resize": 1, "randstr": 0, "str": 1, "replicatestring": 1, "bar": 3, "bitstring": 1,
}  # fmt: skip
# Series between two numbers, or up to one.
SERIES = {
    "generate_series", "range", "sequence", "generate_array", "array_generate_range", "numbers", "numbers_mt",
    "generateseries", "zeros", "zeros_mt", "generate_range_array", "generate_timestamp_array", "generate_date_array",
}  # fmt: skip
DAY_S = 86_400.0
# Units of a step by how their names begin, in seconds; the first that fits counts: "milli" before "m", "mon" before "m".
UNITS_S = {
    "nano": 1e-9, "ns": 1e-9, "micro": 1e-6, "us": 1e-6, "µ": 1e-6, "millen": 365_000 * DAY_S, "mil": 1e-3, "ms": 1e-3,
    "mon": 30 * DAY_S, "m": 60.0, "s": 1.0, "h": 3_600.0, "dec": 3_650 * DAY_S, "d": DAY_S, "w": 7 * DAY_S,
    "q": 90 * DAY_S, "y": 365 * DAY_S, "c": 36_500 * DAY_S,
}  # fmt: skip
SHORTEST_S = 1e-6
"""What a step is taken for whose words are not understood."""
TODAY = datetime.datetime(2030, 1, 1)
"""The guard has no clock; a series up to now ends about here."""
NAMED_MOMENTS = dict.fromkeys(("now", "today", "tomorrow", "yesterday"), 2030 * 365.25 * DAY_S) | {
    "infinity": inf,
    "epoch": 1970 * 365.25 * DAY_S,
}
_CONVERSION = re.compile(r"to_?u?(int|float|number|decimal)\d*|bigint|int\d*|float\d*|floor|ceil(ing)?|round|trunc|abs")
_WIDTH = re.compile(r"%[-+ #0,!]*(\*|\d+)?(?:\.(\*|\d+))?")
_BRACED_WIDTH = re.compile(r"\{[^{}:]*:[^{}]*?(\{|\d{5,})")
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-zµ]+)", re.IGNORECASE)
_CLOCK = re.compile(r"(\d+):(\d+)(?::(\d+(?:\.\d+)?))?")
_YEAR = re.compile(r"\s*(\d{4,6})-\d")


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
    elif name in {"printf", "format", "sformat"} and arguments:
        _refuse_format(name, arguments)
    elif name == "timeslots" and len(arguments) > 1:
        _refuse_slots(name, arguments)


def refuse_fill(node: exp.Expr, dialect: str) -> None:
    """ClickHouse's WITH FILL FROM a TO b makes as many rows as a series does."""
    _refuse_series("with fill", [node.args[each] for each in ("from_", "to", "step") if node.args.get(each)])


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
    if len(arguments) > 1 and _moments_between(arguments) > MAX_ROWS:
        raise _too_big(name)
    if not numbers or any(number is None for number in numbers):
        return
    values = [number for number in numbers if number is not None]
    low, high = (0.0, values[0]) if len(values) == 1 else (values[0], values[1])
    if name in {"numbers", "numbers_mt", "zeros", "zeros_mt"} and len(values) == 2:
        low = 0.0
    step = abs(values[2]) if len(values) > 2 and values[2] else 1.0
    if abs(high - low) / step > MAX_ROWS:
        raise _too_big(name)


def _moments_between(arguments: list[exp.Expr]) -> float:
    """How many steps lie between two moments that are written down; 0 where they are not, or are none."""
    low, high = _moment(arguments[0]), _moment(arguments[1])
    if low is None or high is None:
        return 0.0
    number = constant(arguments[2]) if len(arguments) > 2 else 1.0
    # A number counts days between dates, and seconds between moments.
    step = _step(arguments[2]) if number is None else abs(number or 1) * (1.0 if _has_clock(arguments[0]) else DAY_S)
    return 0.0 if step is None else abs(high - low) / step


def _has_clock(node: exp.Expr) -> bool:
    typed = any("TIME" in kind.sql().upper() for kind in node.find_all(exp.DataType))
    return typed or any("time" in (call_name(call) or "") for call in node.find_all(exp.Func))


def _moment(node: exp.Expr) -> float | None:
    """Seconds since the year 0, roughly, of a moment that no column says; None for anything else."""
    if isinstance(node, exp.Paren | exp.Cast | exp.TryCast):
        return _moment(node.this)
    if isinstance(node, exp.Literal):
        return _written_moment(node.name) if node.is_string else None
    if isinstance(node, exp.Add | exp.Sub):
        from_, far = _moment(node.this), _step(node.expression)
        sign = 1 if isinstance(node, exp.Add) else -1
        return None if from_ is None or far is None else from_ + sign * far
    name = call_name(node) or ""
    if type(node).__name__.startswith("Current") or re.match(r"current_|now|today|getdate|sysdate", name):
        return _seconds(TODAY)
    # toDateTime('2024-01-01'), date('2024-01-01'), to_timestamp('2024', 'YYYY')
    if name and node.expressions and re.search(r"date|time", name):
        return _moment(node.expressions[0])
    return None


def _written_moment(text: str) -> float | None:
    named = NAMED_MOMENTS.get(text.strip().lower().lstrip("-"))
    if named is not None:
        return named
    try:
        return _seconds(datetime.datetime.fromisoformat(text.strip()).replace(tzinfo=None))
    except ValueError:
        year = _YEAR.match(text)
        return int(year[1]) * 365.25 * DAY_S if year else None


def _seconds(moment: datetime.datetime) -> float:
    within = moment - datetime.datetime(moment.year, 1, 1)
    return moment.year * 365.25 * DAY_S + within.total_seconds()


def _step(node: exp.Expr) -> float | None:
    """Seconds of a step between moments; None where a column says how long it is."""
    if node.find(exp.Column) is not None:
        return None
    if isinstance(node, exp.Interval):
        unit = node.args.get("unit")
        return _written_step(f"{node.this.name if node.this else ''} {unit.name if unit else ''}")
    if isinstance(node, exp.Paren | exp.Cast | exp.TryCast | exp.Neg):
        return _step(node.this)
    if isinstance(node, exp.Literal):
        return _written_step(node.name if node.is_string else f"{node.name} d")
    name = call_name(node)
    if name is None:
        interval = node.find(exp.Interval)  # 2 * INTERVAL '1 day'
        return _step(interval) if interval is not None else SHORTEST_S
    # toIntervalSecond(1), to_seconds(1), make_interval(days => 1)
    parts = []
    for argument in node.expressions:
        named = isinstance(argument, exp.Kwarg | exp.PropertyEQ)
        value = constant(argument.expression if named else argument)
        parts.append(f"{value or 0:f} {argument.this.name if named else re.sub('^to_?(interval)?', '', name)}")
    return _written_step(" ".join(parts))


def _written_step(text: str) -> float:
    """'1 day 2 hours', '00:00:01', 'PT1S'; what is not understood is taken for the shortest."""
    found = 0.0
    for amount, unit in _AMOUNT.findall(text):
        found += float(amount) * next((size for name, size in UNITS_S.items() if unit.lower().startswith(name)), 0.0)
    for hours, minutes, seconds in _CLOCK.findall(text):
        found += int(hours) * 3_600 + int(minutes) * 60 + float(seconds or 0)
    return found or SHORTEST_S


def _refuse_slots(name: str, arguments: list[exp.Expr]) -> None:
    """ClickHouse's timeSlots(start, seconds, size) has a cell for each `size` of the seconds; 1800 where it is not said."""
    long, size = constant(arguments[1]), constant(arguments[2]) if len(arguments) > 2 else 1_800.0
    if long is not None and size is not None and long / (size or 1) > MAX_TEXT:
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
    """printf('%1000000000d') is one opcode in SQLite and cannot be interrupted; DuckDB writes format('{:1000000000d}')."""
    first = arguments[0]
    if not isinstance(first, exp.Literal):
        if name == "printf":
            raise _too_big(name)
        return
    for match in _WIDTH.finditer(first.name):
        for width in match.groups():
            if width == "*" or (width is not None and int(width) > MAX_WIDTH):
                raise _too_big(name)
    if _BRACED_WIDTH.search(first.name):
        raise _too_big(name)


def refuse_levels(node: exp.Expr, dialect: str) -> None:
    """Oracle's CONNECT BY LEVEL <= n makes n rows out of one."""
    for comparison in node.find_all(exp.LT, exp.LTE):
        limit = constant(comparison.expression)
        if limit is not None and limit > MAX_ROWS:
            raise _too_big("connect by level")


def _too_big(name: str) -> SqlRefused:
    return SqlRefused("forbidden_function", f"{name} would make too much", name=name)
