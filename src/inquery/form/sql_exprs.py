"""Expressions and conditions of SQL read back into the form."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import cast

from sqlglot import exp

from inquery.form.ast import (
    Agg,
    Aggregate,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Comparison,
    Condition,
    Days,
    Expr,
    Literal,
    Not,
    Operator,
    Or,
    Predicate,
    Query,
    Related,
    TableRef,
    Unit,
)
from inquery.form.date_units import unit_of
from inquery.form.join_paths import FormSchema
from inquery.form.sql_names import SelectNames, Unsupported
from inquery.form.sql_related import related

_COMPARE: dict[type[exp.Expr], Comparison] = {
    exp.EQ: "=", exp.NEQ: "!=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
}  # fmt: skip
_FLIP: dict[Comparison, Comparison] = {"=": "=", "!=": "!=", ">": "<", ">=": "<=", "<": ">", "<=": ">="}
_ARITH: dict[type[exp.Expr], Operator] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_AGGREGATES: dict[type[exp.Expr], Aggregate] = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max"}
_UNITS: dict[str, Unit] = {
    "%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day", "%m": "monthno", "%w": "weekday", "%H": "hour",
}  # fmt: skip
_ISO = re.compile(r"\d{4}-\d\d-\d\d$")
_DATE_TYPE = re.compile(r"date|time", re.I)
_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float", re.I)


class ExprReader:
    """Expression half of the SQL reader."""

    def __init__(self, schema: FormSchema, has_nulls: Callable[[str, str], bool] | None = None) -> None:
        self.schema = schema
        self.has_nulls = has_nulls or (lambda table, column: True)
        self.left_filters: dict[int, list[exp.Expr]] = {}

    def query(self, node: exp.Expr, outer: SelectNames | None) -> Query:
        raise NotImplementedError

    # --- expressions ---

    def expr(self, node: exp.Expr, names: SelectNames) -> Expr:
        if isinstance(node, exp.Paren):
            return self.expr(node.this, names)
        if isinstance(node, exp.Column):
            return self.column(node, names)
        if isinstance(node, exp.Literal | exp.Neg):
            return self.literal(node)
        if isinstance(node, exp.Subquery):
            return _scalar(self.query(node, names))
        if isinstance(node, exp.Cast | exp.Coalesce | exp.Round):
            return self.expr(node.this, names)
        if isinstance(node, exp.Count | exp.AggFunc):
            return self.aggregate(node, names)
        if type(node) in _ARITH:
            return self.arithmetic(cast(exp.Binary, node), names)
        return self.date_part(node, names)

    def column(self, node: exp.Column, names: SelectNames) -> Expr:
        scope: SelectNames | None = names
        while scope is not None and not node.table:
            if node.name.casefold() in scope.aliases and not (node.this.quoted and names.place(node)):
                shown = scope.aliases[node.name.casefold()]
                if not (isinstance(shown, exp.Column) and shown.name.casefold() == node.name.casefold()):
                    return self.expr(shown, scope)
            scope = scope.outer
        found = names.column(node)
        if found:
            return found
        if node.this.quoted and not node.table:
            return Literal(node.name, "text")
        raise Unsupported("unknown column")

    def literal(self, node: exp.Expr) -> Literal:
        if isinstance(node, exp.Neg):
            inner = self.literal(node.this)
            if isinstance(inner.value, int | float):
                return Literal(-inner.value, "number")
            raise Unsupported("negated expression")
        assert isinstance(node, exp.Literal)
        if node.is_string:
            return Literal(node.this, "text")
        value = float(node.this)
        return Literal(int(value) if value == int(value) else value, "number")

    def aggregate(self, node: exp.Expr, names: SelectNames) -> Agg:
        inner, distinct = node.this, False
        if isinstance(inner, exp.Distinct):
            if len(inner.expressions) != 1:
                raise Unsupported("DISTINCT over several columns in an aggregate")
            inner, distinct = inner.expressions[0], True
        if isinstance(node, exp.Count):
            return self.count(inner, distinct, names)
        func = _AGGREGATES.get(type(node))
        if func is None:
            raise Unsupported(f"function {type(node).__name__}")
        if isinstance(inner, exp.Case):
            return self.conditional(func, inner, distinct, names)
        return self.filtered(Agg(func, self.expr(inner, names), distinct), names)

    def filtered(self, agg: Agg, names: SelectNames) -> Agg:
        """An aggregate over a left-joined table takes over the filter of that join."""
        source = agg.of.source if isinstance(agg.of, ColumnRef | TableRef) else None
        read = next((read for read in names.reads if read.name == source), None)
        tests = self.left_filters.get(id(read), [])
        if not tests or agg.where:
            return agg
        found = [self.condition(test, names) for test in tests]
        return Agg(agg.func, agg.of, agg.distinct, found[0] if len(found) == 1 else And(tuple(found)))

    def count(self, inner: exp.Expr, distinct: bool, names: SelectNames) -> Agg:
        if isinstance(inner, exp.Star):
            return Agg("count")
        if isinstance(inner, exp.Literal):
            return Agg("count")
        if isinstance(inner, exp.Case):
            return self.conditional("count", inner, distinct, names)
        of = self.expr(inner, names)
        if not isinstance(of, ColumnRef) or distinct:
            return self.filtered(Agg("count", of, distinct), names)
        read = next((read for read in names.reads if read.name == of.source), None)
        column = self.schema.tables[read.table].column(of.column) if read else None
        if read and read.optional:
            return self.filtered(Agg("count", TableRef(of.source)), names)
        if read and column and (column.primary_key or not self.has_nulls(read.table, column.name)):
            return Agg("count")
        return Agg("count", of)

    def conditional(self, func: Aggregate, case: exp.Case, distinct: bool, names: SelectNames) -> Agg:
        """AGG(CASE WHEN test THEN value [ELSE 0] END)."""
        if len(case.args["ifs"]) != 1 or case.this is not None:
            raise Unsupported("CASE with several branches")
        branch, other = case.args["ifs"][0], case.args.get("default")
        test, value = self.condition(branch.this, names), branch.args["true"]
        zero = other is None or _is_number(other, 0) or isinstance(other, exp.Null)
        if _is_number(value, 1) and zero and not distinct:
            if func == "avg" and other is not None:
                return Agg("share", None, False, test)
            if func in ("sum", "count"):
                return Agg("count", None, False, test)
        if not zero or (other is not None and func in ("avg", "min", "max") and not isinstance(other, exp.Null)):
            raise Unsupported("CASE other than a filter in an aggregate")
        return Agg(func, self.expr(value, names), distinct, test)

    def arithmetic(self, node: exp.Binary, names: SelectNames) -> Expr:
        special = self.quarter(node, names) or self.days(node, names)
        if special:
            return special
        op = _ARITH[type(node)]
        left, right = self.expr(node.this, names), self.expr(node.expression, names)
        one = Literal(1, "number")
        if op == "*" and left == one:
            return right
        if op in ("*", "/") and right == one:
            return left
        return simplify(Arith(op, left, right))

    def quarter(self, node: exp.Binary, names: SelectNames) -> Bucket | None:
        """(month + 2) / 3, or (month - 1) / 3 + 1."""
        text = re.sub(r"[()\s]", "", node.sql("sqlite")).lower()
        for form in (r"caststrftime'%m',.*asinteger\+2/3", r"caststrftime'%m',.*asinteger-1/3\+1"):
            if re.fullmatch(form, text.replace("(", "").replace(")", "")):
                found = node.find(exp.TimeToStr)
                part = self.date_part(found, names) if found else None
                if isinstance(part, Bucket):
                    return Bucket("quarterno", part.of)
        return None

    def days(self, node: exp.Binary, names: SelectNames) -> Days | None:
        sides = [node.this, node.expression]
        if not isinstance(node, exp.Sub) or not all(_is_julian(side) for side in sides):
            return None
        end, start = (self.expr(side.expressions[0], names) for side in sides)
        if isinstance(end, ColumnRef) and isinstance(start, ColumnRef):
            return Days(start, end)
        raise Unsupported("days between other than columns")

    def date_part(self, node: exp.Expr, names: SelectNames) -> Expr:
        if isinstance(node, exp.TimeToStr):
            unit = _UNITS.get(node.args["format"].name)
            inner = node.this.this if isinstance(node.this, exp.TsOrDsToTimestamp) else node.this
            of = self.expr(inner, names)
            if unit and isinstance(of, ColumnRef):
                return Bucket(unit, of)
        if isinstance(node, exp.Date) and not node.expressions:
            of = self.expr(node.this, names)
            if isinstance(of, ColumnRef):
                return Bucket("day", of)
        running = unit_of(node)
        if running:
            return Bucket(running[0], cast(ColumnRef, self.column(running[1], names)))
        name = node.name if isinstance(node, exp.Anonymous) else type(node).__name__
        raise Unsupported(f"expression {name}")

    # --- conditions ---

    def condition(self, node: exp.Expr, names: SelectNames) -> Condition:
        if isinstance(node, exp.Paren):
            return self.condition(node.this, names)
        if isinstance(node, exp.And):
            return And(
                (*_flat(self.condition(node.this, names), And), *_flat(self.condition(node.expression, names), And))
            )
        if isinstance(node, exp.Or):
            return Or(
                (*_flat(self.condition(node.this, names), Or), *_flat(self.condition(node.expression, names), Or))
            )
        if isinstance(node, exp.Not):
            return self.negated(node.this, names)
        if node.args.get("negate"):
            plain = node.copy()
            plain.set("negate", None)
            return self.negated(plain, names)
        if isinstance(node, exp.Exists):
            return self.exists(node, names)
        return self.predicate(node, names)

    def negated(self, node: exp.Expr, names: SelectNames) -> Condition:
        inner = self.condition(node, names)
        if isinstance(inner, Related):
            return Related(inner.block, not inner.negated)
        opposite: dict[str, Comparison] = {
            "in": "not in",
            "is null": "not null",
            "has": "not has",
            "=": "!=",
            "!=": "=",
        }
        if isinstance(inner, Predicate) and inner.op in opposite:
            flipped = Predicate(opposite[inner.op], inner.left, inner.right)
            return related(flipped, names) or flipped
        return Not(inner)

    def exists(self, node: exp.Exists, names: SelectNames) -> Condition:
        block = self.query(node.this, names)
        if not isinstance(block, Block) or block.by or block.top or len(block.same) != 1:
            raise Unsupported("EXISTS other than a plain tie to the query around")
        key = block.same[0]
        bare = Block(block.sources, where=block.where)
        if isinstance(key, TableRef):
            return Related(bare)
        raise Unsupported("EXISTS other than a plain tie to the query around")

    def predicate(self, node: exp.Expr, names: SelectNames) -> Condition:
        if type(node) in _COMPARE:
            return self.comparison(cast(exp.Binary, node), names)
        if isinstance(node, exp.Between):
            left = self.expr(node.this, names)
            low, high = self.value(node.args["low"], left, names), self.value(node.args["high"], left, names)
            return _between(left, low, high)
        if isinstance(node, exp.In):
            return self.membership(node, names)
        if isinstance(node, exp.Like):
            return self.like(node, names)
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            return Predicate("is null", self.expr(node.this, names))
        raise Unsupported(f"condition {type(node).__name__}")

    def comparison(self, node: exp.Binary, names: SelectNames) -> Predicate:
        left, right, op = node.this, node.expression, _COMPARE[type(node)]
        if isinstance(left, exp.Literal) or (isinstance(left, exp.Subquery) and not isinstance(right, exp.Subquery)):
            left, right, op = right, left, _FLIP[op]
        first = self.expr(left, names)
        second = self.value(right, first, names)
        period = _bucket_period(first, second)
        if period and isinstance(first, Bucket):
            return Predicate("in" if op == "=" else op, first.of, period)
        if isinstance(second, Literal) and second.kind == "period" and op == "=":
            op = "in"
        return Predicate(op, first, second)

    def value(self, node: exp.Expr, near: Expr, names: SelectNames) -> Expr:
        """The right side of a test; an ISO date compared with a date column becomes that day's period."""
        value = self.expr(node, names)
        if isinstance(value, Literal) and isinstance(near, Bucket) and re.fullmatch(r"\d+", str(value.value)):
            return Literal(int(str(value.value)), "number")
        if isinstance(value, Literal) and isinstance(near, ColumnRef) and value.kind == "text":
            value = _as_number(value) if _NUMBER_TYPE.search(self.type_of(near, names)) else value
        if not isinstance(value, Literal) or not isinstance(near, ColumnRef) or not _ISO.match(str(value.value)):
            return value
        return _day(str(value.value)) if _DATE_TYPE.search(self.type_of(near, names)) else value

    def type_of(self, ref: ColumnRef, names: SelectNames | None) -> str:
        while names is not None:
            for read in names.reads:
                if read.name == ref.source:
                    column = self.schema.tables[read.table].column(ref.column)
                    return column.type if column else ""
            names = names.outer
        return ""

    def membership(self, node: exp.In, names: SelectNames) -> Condition:
        left = self.expr(node.this, names)
        query = node.args.get("query")
        if query is None:
            return Predicate("in", left, tuple(self.value(item, left, names) for item in node.expressions))
        inner = self.query(query, names)
        test = Predicate("in", left, inner)
        negated = isinstance(node.parent, exp.Not)
        return test if negated else related(test, names) or test

    def like(self, node: exp.Like, names: SelectNames) -> Predicate:
        left, right = self.expr(node.this, names), self.expr(node.expression, names)
        if not isinstance(right, Literal) or right.kind != "text":
            raise Unsupported("LIKE without a text")
        pattern = str(right.value)
        inner = pattern.strip("%")
        if not inner or "%" in inner or "_" in inner:
            raise Unsupported("LIKE pattern with inner wildcards")
        ends = (pattern.startswith("%"), pattern.endswith("%"))
        op = cast(Comparison, {(True, True): "has", (False, True): "starts", (True, False): "ends"}.get(ends, "="))
        return Predicate(op, left, Literal(inner, "text"))


def simplify(node: Arith) -> Expr:
    """A count or sum under a condition over the same without it is a share; times 100 a percentage."""
    hundred = Literal(100, "number")
    if node.op == "*" and hundred in (node.left, node.right):
        other = node.right if node.left == hundred else node.left
        if isinstance(other, Agg) and other.func == "share":
            return Agg("percent", other.of, other.distinct, other.where)
    if node.op != "/":
        return node
    part, times = node.left, False
    if isinstance(part, Arith) and part.op == "*" and hundred in (part.left, part.right):
        part, times = (part.right if part.left == hundred else part.left), True
    whole = node.right
    if isinstance(part, Agg) and isinstance(whole, Agg) and part.where and not whole.where:
        same = (part.func, part.of, part.distinct) == (whole.func, whole.of, whole.distinct)
        if same and part.func in ("count", "sum") and (part.func == "sum" or part.distinct or part.of is None):
            return Agg("percent" if times else "share", part.of, part.distinct, part.where)
    return node


def _as_number(value: Literal) -> Literal:
    """Digits in quotes, compared with a column of numbers."""
    text = str(value.value)
    return (
        Literal(float(text) if "." in text else int(text), "number") if re.fullmatch(r"-?\d+(\.\d+)?", text) else value
    )


def _scalar(query: Query) -> Expr:
    """An aggregate over a nested query stands without a block of its own."""
    if isinstance(query, Block) and query == Block((), query.show) and len(query.show) == 1:
        return query.show[0]
    return query


def _between(left: Expr, low: Expr, high: Expr) -> Predicate:
    if isinstance(low, Literal) and isinstance(high, Literal) and low.kind == high.kind == "period":
        assert isinstance(low.value, tuple)
        assert isinstance(high.value, tuple)
        return Predicate("in", left, Literal((low.value[0], high.value[1]), "period"))
    return Predicate("between", left, (low, high))


def merge_periods(items: Sequence[Condition]) -> list[Condition]:
    """A start and an end of one date column, side by side, become one period."""
    found: list[Condition] = []
    for item in items:
        last = found[-1] if found else None
        whole = _whole_period(last, item) if isinstance(last, Predicate) and isinstance(item, Predicate) else None
        if whole:
            found[-1] = whole
        else:
            found.append(item)
    return found


def _whole_period(first: Predicate, second: Predicate) -> Predicate | None:
    if first.left != second.left or first.op not in (">=", ">") or second.op not in ("<", "<="):
        return None
    if not isinstance(first.right, Literal) or not isinstance(second.right, Literal):
        return None
    low, high = first.right.value, second.right.value
    if not isinstance(low, tuple) or not isinstance(high, tuple):
        return None
    span = (low[0] if first.op == ">=" else low[1], high[0] if second.op == "<" else high[1])
    return Predicate("in", first.left, Literal(span, "period"))


def _day(value: str) -> Literal:
    start = datetime.date.fromisoformat(value)
    return Literal((value, (start + datetime.timedelta(days=1)).isoformat()), "period")


def _bucket_period(left: Expr, right: Expr) -> Literal | None:
    """The period of a year or month compared as text: strftime('%Y', c) = '2024'."""
    if not isinstance(left, Bucket) or not isinstance(right, Literal):
        return None
    text = str(right.value)
    if left.unit == "year" and re.fullmatch(r"\d{4}", text):
        return Literal((f"{text}-01-01", f"{int(text) + 1:04d}-01-01"), "period")
    if left.unit == "month" and re.fullmatch(r"\d{4}-\d\d", text):
        year, month = int(text[:4]), int(text[5:])
        end = f"{year + month // 12:04d}-{month % 12 + 1:02d}-01"
        return Literal((f"{text}-01", end), "period")
    if left.unit == "day" and _ISO.match(text):
        return _day(text)
    return None


def _flat(condition: Condition, kind: type[And] | type[Or]) -> tuple[Condition, ...]:
    return condition.items if isinstance(condition, kind) else (condition,)


def _is_number(node: exp.Expr, value: int) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) == value


def _is_julian(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "julianday" and len(node.expressions) == 1
