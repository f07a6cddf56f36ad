"""Arithmetic and conditions over named values: read with Python's parser, walked by hand, never run as code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

LONGEST = 500
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_SAID = (
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "!="),
    ("＞", ">"),
    ("＜", "<"),
    ("×", "*"),
    ("÷", "/"),
    ("（", "("),
    ("）", ")"),
)


class BadExpression(ValueError):
    """An expression that cannot be worked out; the text says why, in English and in Chinese."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.en, self.zh = en, zh


def work_out(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression; raises BadExpression."""
    for said, meant in _SAID:
        text = text.replace(said, meant)
    if len(text) > LONGEST:
        raise BadExpression("the expression is too long", "表达式过长")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return _value(tree, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, BadExpression):
            raise
        raise BadExpression(f"“{text}” is not an expression", f"“{text}”不是有效的表达式") from error
    except ZeroDivisionError as error:
        raise BadExpression("division by zero", "除数为零") from error
    except TypeError as error:
        raise BadExpression("values of different kinds cannot be combined", "不同类型的值无法运算") from error


def names_used(text: str) -> set[str]:
    """The names an expression uses."""
    try:
        return {node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() | str() as value):
            return value
        case ast.Name(id=name):
            return _named(name, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            one, other = (_number(_value(each, names)) for each in (left, right))
            return _BINARY[type(op)](one, other)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(_value(operand, names))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, names)
        case ast.BoolOp(op=op, values=values):
            found = [_value(each, names) for each in values]
            return all(found) if isinstance(op, ast.And) else any(found)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
            return _compare(op, _value(left, names), _value(right, names))
    raise BadExpression(
        "only names, numbers, + - * / and comparisons are understood", "只支持名称、数字、四则运算与比较"
    )


def _named(name: str, names: Mapping[str, Any]) -> Any:
    if name not in names:
        raise BadExpression(f"nothing here is named “{name}”", f"没有名为“{name}”的值")
    return names[name]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadExpression("only numbers can be calculated with", "只有数字可以参与运算")
    return float(value)


def _compare(op: ast.cmpop, left: Any, right: Any) -> bool:
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        left, right = _number(left), _number(right)
    return _COMPARED[type(op)](left, right)
