"""SQLite's words for functions other databases have: it is the one dialect sqlglot translates least into."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.sql.dialects import grammar
from inquery.sql.guard.functions import call_name

_START_OF = {"year": "%Y-01-01", "month": "%Y-%m-01", "day": "%Y-%m-%d", "hour": "%Y-%m-%d %H:00:00"}
_PART = {"year": "%Y", "month": "%m", "day": "%d", "hour": "%H", "minute": "%M", "second": "%S", "dow": "%w"}
_TO_CHAR = {"YYYY-MM-DD": "%Y-%m-%d", "YYYY-MM": "%Y-%m", "YYYY": "%Y", "MM": "%m", "DD": "%d"}
_SAME = {
    "greatest": "max", "least": "min", "string_agg": "group_concat", "len": "length", "char_length": "length",
    "nvl": "ifnull", "isnull": "ifnull", "substring": "substr", "ucase": "upper", "lcase": "lower", "rand": "random",
}  # fmt: skip


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _text(value: str) -> exp.Expr:
    return exp.Literal.string(value)


def _part(unit: str, value: exp.Expr) -> exp.Expr | None:
    if unit not in _PART:
        return None
    return exp.cast(_call("strftime", _text(_PART[unit]), value.copy()), "INTEGER")


def _date_trunc(arguments: list[exp.Expr]) -> exp.Expr | None:
    form = _START_OF.get(arguments[0].name.lower()) if len(arguments) == 2 else None
    return _call("strftime", _text(form), arguments[1].copy()) if form else None


def _to_char(arguments: list[exp.Expr]) -> exp.Expr | None:
    form = _TO_CHAR.get(arguments[1].name) if len(arguments) == 2 else None
    return _call("strftime", _text(form), arguments[0].copy()) if form else None


def _datediff(arguments: list[exp.Expr]) -> exp.Expr | None:
    if len(arguments) != 2:
        return None
    days = [_call("julianday", argument.copy()) for argument in arguments]
    return exp.Paren(this=exp.Sub(this=days[0], expression=days[1]))


def _left(arguments: list[exp.Expr]) -> exp.Expr | None:
    return (
        _call("substr", arguments[0].copy(), exp.Literal.number(1), arguments[1].copy())
        if len(arguments) == 2
        else None
    )


def _right(arguments: list[exp.Expr]) -> exp.Expr | None:
    return _call("substr", arguments[0].copy(), exp.Neg(this=arguments[1].copy())) if len(arguments) == 2 else None


_REWORDED: dict[str, Callable[[list[exp.Expr]], exp.Expr | None]] = {
    "date_trunc": _date_trunc,
    "to_char": _to_char,
    "datediff": _datediff,
    "left": _left,
    "right": _right,
    "now": lambda _: _call("datetime", _text("now")),
    "curdate": lambda _: _call("date", _text("now")),
    **{unit: (lambda a, u=unit: _part(u, a[0]) if len(a) == 1 else None) for unit in ("year", "month", "day", "hour")},  # type: ignore[misc]
}


def reword_for_sqlite(sql: str) -> str | None:
    """The statement with SQLite's own functions, or None when nothing had to change."""
    try:
        tree = grammar("sqlite").parse(sql)[0]
        changed = False
        for node in list(tree.walk()) if tree is not None else []:
            made = _reworded(node)
            if made is not None:
                node.replace(made)
                changed = True
        return grammar("sqlite").write(tree) if changed and tree is not None else None
    except (SqlglotError, ValueError, RecursionError, AttributeError, TypeError, LookupError):
        return None


def _reworded(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Extract):
        return _part(node.name.lower(), node.expression)
    name = call_name(node)
    if not isinstance(node, exp.Anonymous) or name is None:
        return None
    if name in _SAME and (name not in {"greatest", "least"} or len(node.expressions) > 1):
        return _call(_SAME[name], *[argument.copy() for argument in node.expressions])
    return _REWORDED[name](node.expressions) if name in _REWORDED else None
