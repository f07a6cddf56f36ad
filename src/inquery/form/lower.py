"""Expressions and conditions of the form as sqlglot nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlglot import exp

from inquery.form import date_units as dates
from inquery.form.ast import (
    Agg,
    Aggregate,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Compound,
    Condition,
    Days,
    Expr,
    Literal,
    Not,
    Or,
    Predicate,
    Query,
    Related,
    Slot,
    Source,
    TableRef,
)
from inquery.form.join_paths import Edge, FormSchema, Hop
from inquery.form.name_words import FormError
from inquery.form.scope import Scope
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.sql.catalog import Column

_TEXT_TYPE = re.compile(r"char|text|clob|string|enum|uuid", re.I)
_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float|money|fixed|serial", re.I)
_COMPARE: dict[str, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE,
}  # fmt: skip
_ARITH: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}
_AGGREGATES: dict[str, type[exp.AggFunc]] = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}
_FOLDS_CASE = {"sqlite", "mysql", "tsql"}
_OPEN_START, _OPEN_END = OPEN_START.isoformat(), OPEN_END.isoformat()
"""Engines whose LIKE ignores case by itself."""


class Lowering:
    """Expression half of the builder; names and blocks come from the other half."""

    schema: FormSchema
    dialect: str
    slots: Mapping[str, Literal]

    def query(self, query: Query, outer: Scope | None = None) -> exp.Query:
        raise NotImplementedError

    def scope(self, block: Block, outer: Scope | None) -> Scope:
        raise NotImplementedError

    def add_sources(self, select: exp.Select, scope: Scope) -> None:
        raise NotImplementedError

    def named(self, source: str, column: str, scope: Scope) -> exp.Column:
        raise NotImplementedError

    def column_of(self, ref: ColumnRef, scope: Scope) -> Column:
        raise NotImplementedError

    # --- expressions ---

    def expr(self, expr: Expr, scope: Scope, near: Column | None = None) -> exp.Expr:
        """The node of an expression; `near` is the column a constant is compared with."""
        match expr:
            case ColumnRef(source, column):
                return self.named(source, column, scope)
            case Literal():
                return self.literal(expr, near)
            case Slot():
                return self.literal(self.slot(expr), near)
            case Agg():
                return self.aggregate(expr, scope)
            case Arith(op, left, right):
                return self.arithmetic(op, self.expr(left, scope), self.expr(right, scope))
            case Bucket(unit, of):
                text = bool(_TEXT_TYPE.search(self.column_of(of, scope).type))
                return dates.bucket(unit, self.expr(of, scope), self.dialect, text=text)
            case Days(start, end):
                return dates.days(self.expr(start, scope), self.expr(end, scope), self.dialect)
            case Block() | Compound():
                return self.query(expr, scope).subquery(copy=False)
        raise FormError(f"{type(expr).__name__} cannot stand here")

    def slot(self, slot: Slot) -> Literal:
        if slot.name not in self.slots:
            raise FormError(f"unknown slot {slot.name}")
        return self.slots[slot.name]

    def literal(self, literal: Literal, near: Column | None = None) -> exp.Expr:
        value, kind = literal.value, near.type if near else ""
        if isinstance(value, tuple):
            value = value[0]
        if literal.kind in ("date", "period"):
            return dates.date_literal(str(value), self.dialect, text=bool(_TEXT_TYPE.search(kind)))
        if literal.kind == "number" and not (self.dialect != "sqlite" and _TEXT_TYPE.search(kind)):
            return _number(value)
        if literal.kind == "text" and _NUMBER_TYPE.search(kind) and re.fullmatch(r"-?\d+(\.\d+)?", str(value)):
            return _number(float(value) if "." in str(value) else int(value))
        return exp.Literal.string(str(value))

    def arithmetic(self, op: str, left: exp.Expr, right: exp.Expr) -> exp.Expr:
        left = exp.paren(left, copy=False) if isinstance(left, exp.Binary) and op in "*/" else left
        right = exp.paren(right, copy=False) if isinstance(right, exp.Binary) and op != "+" else right
        if op == "/":
            return exp.Div(this=left, expression=right, typed=False, safe=True)
        return _ARITH[op](this=left, expression=right)

    def aggregate(self, agg: Agg, scope: Scope) -> exp.Expr:
        if isinstance(agg.of, Block | Compound):
            return self.over_query(agg, agg.of, scope)
        if agg.func in ("share", "percent"):
            share = self.share(agg, scope)
            return share if agg.func == "share" else self.arithmetic("*", _number(100), share)
        if agg.func == "count":
            return exp.Count(this=self.counted(agg, scope), big_int=True)
        if agg.of is None or isinstance(agg.of, TableRef):
            raise FormError(f"{agg.func} needs a column")
        value = self.expr(agg.of, scope)
        if agg.where:
            other = _number(0) if agg.func == "sum" else None
            value = self.case(agg.where, value, other, scope)
        node = _AGGREGATES[agg.func](this=_distinct(value) if agg.distinct else value)
        if (
            agg.func == "sum"
            and isinstance(agg.of, ColumnRef)
            and scope.find(agg.of.source).sources[agg.of.source].optional
        ):
            return exp.Coalesce(this=node, expressions=[_number(0)])
        return node

    def counted(self, agg: Agg, scope: Scope) -> exp.Expr:
        """What COUNT counts: all rows, rows of an optional source, non-null or distinct values."""
        value: exp.Expr | None = None
        if isinstance(agg.of, TableRef):
            value = self.present(agg.of.source, scope, agg.distinct)
        elif agg.of is not None:
            value = self.expr(agg.of, scope)
        if agg.where:
            value = self.case(agg.where, value or _number(1), None, scope)
        if value is None:
            return exp.Star()
        return _distinct(value) if agg.distinct else value

    def present(self, source: str, scope: Scope, distinct: bool) -> exp.Expr | None:
        """A column that is null exactly where an optional source has no row; None for a source that always has one."""
        home = scope.find(source)
        found = home.sources[source]
        if not found.optional and not distinct:
            return None
        key = self.schema.primary_key(found.table)
        if key:
            return self.named(source, key[0], scope)
        for link in home.plan.links:
            if link.child == source:
                return self.named(source, link.edge.child_columns[0], scope)
            if link.parent == source:
                return self.named(source, link.edge.parent_columns[0], scope)
        return self.named(source, self.schema.tables[found.table].columns[0].name, scope)

    def case(self, test: Condition, value: exp.Expr, other: exp.Expr | None, scope: Scope) -> exp.Case:
        return exp.Case(ifs=[exp.If(this=self.condition(test, scope), true=value)], default=other)

    def share(self, agg: Agg, scope: Scope) -> exp.Expr:
        """A part of a whole: rows or amounts the condition holds for, else the group's part of the total."""
        if not agg.where:
            return self.share_of_total(agg, scope)
        if agg.of is None or (isinstance(agg.of, TableRef) and not agg.distinct):
            return exp.Avg(this=self.case(agg.where, _number(1.0), _number(0.0), scope))
        func: Aggregate = "count" if agg.distinct else "sum"
        part = self.aggregate(Agg(func, agg.of, agg.distinct, agg.where), scope)
        whole = self.aggregate(Agg(func, agg.of, agg.distinct), scope)
        return self.arithmetic("/", part, whole)

    def share_of_total(self, agg: Agg, scope: Scope) -> exp.Expr:
        inner = Agg("count" if agg.of is None or agg.distinct else "sum", agg.of, agg.distinct)
        total = Block(scope.block.sources, (inner,), where=scope.block.where, same=scope.block.same)
        whole = self.query(total, scope.outer).subquery(copy=False)
        return self.arithmetic("/", self.aggregate(inner, scope), whole)

    def over_query(self, agg: Agg, query: Query, scope: Scope) -> exp.Expr:
        """An aggregate over the rows of a nested query, as a scalar subquery."""
        inner = self.query(query, scope)
        first = inner.selects[0] if isinstance(inner, exp.Select) else None
        value: exp.Expr = exp.Star()
        if agg.func != "count" or agg.distinct:
            if first is None:
                raise FormError("an aggregate over a set operation can only count")
            inner.set("expressions", [exp.alias_(first.copy(), "value_", quoted=False), *inner.selects[1:]])
            value = exp.column("value_")
        if agg.distinct:
            value = _distinct(value)
        node = exp.Count(this=value, big_int=True) if agg.func == "count" else _AGGREGATES[agg.func](this=value)
        return exp.Select(expressions=[node]).from_(inner.subquery("part", copy=False), copy=False).subquery(copy=False)

    # --- conditions ---

    def condition(self, condition: Condition, scope: Scope) -> exp.Expr:
        match condition:
            case And(items):
                return exp.and_(*(self.condition(item, scope) for item in items), copy=False)
            case Or(items):
                return exp.or_(*(self.condition(item, scope) for item in items), copy=False)
            case Not(item):
                return exp.not_(self.condition(item, scope), copy=False)
            case Related():
                return self.related(condition, scope)
            case Predicate():
                return self.predicate(condition, scope)

    def predicate(self, test: Predicate, scope: Scope) -> exp.Expr:
        left, op = self.expr(test.left, scope), test.op
        if isinstance(test.left, Bucket):
            test = Predicate(op, test.left, _bucket_values(test.left, test.right))
        near = self.column_of(test.left, scope) if isinstance(test.left, ColumnRef) else None
        if op in ("is null", "not null"):
            node = exp.Is(this=left, expression=exp.Null())
            return exp.not_(node, copy=False) if op == "not null" else node
        period = self.as_period(test.right)
        if period is not None:
            return self.in_period(left, op, period, near)
        if op in ("in", "not in"):
            return self.membership(left, test, scope, near)
        if op == "between" and isinstance(test.right, tuple):
            low, high = (self.expr(end, scope, near) for end in test.right)
            return exp.Between(this=left, low=low, high=high)
        if test.right is None or isinstance(test.right, tuple):
            raise FormError(f"{op} needs one value")
        if op in ("has", "not has", "starts", "ends"):
            return self.like(left, op, test.right)
        return _COMPARE[op](this=left, expression=self.expr(test.right, scope, near))

    def membership(self, left: exp.Expr, test: Predicate, scope: Scope, near: Column | None) -> exp.Expr:
        if isinstance(test.right, tuple):
            node = exp.In(this=left, expressions=[self.expr(item, scope, near) for item in test.right])
        elif isinstance(test.right, Block | Compound):
            node = exp.In(this=left, query=self.query(test.right, scope).subquery(copy=False))
        elif test.right is not None:
            node = exp.In(this=left, expressions=[self.expr(test.right, scope, near)])
        else:
            raise FormError("in needs values")
        return exp.not_(node, copy=False) if test.op == "not in" else node

    def like(self, left: exp.Expr, op: str, right: Expr) -> exp.Expr:
        literal = self.slot(right) if isinstance(right, Slot) else right
        if not isinstance(literal, Literal) or isinstance(literal.value, tuple):
            raise FormError(f"{op} needs a text")
        value = str(literal.value)
        plain = re.sub(r"([%_\\])", r"\\\1", value)
        pattern = {"starts": f"{plain}%", "ends": f"%{plain}"}.get(op, f"%{plain}%")
        text: exp.Expr = exp.Literal.string(pattern)
        if plain != value and self.dialect != "bigquery":
            text = exp.Escape(this=text, expression=exp.Literal.string("\\"))
        node = (exp.Like if self.dialect in _FOLDS_CASE else exp.ILike)(this=left, expression=text)
        return exp.not_(node, copy=False) if op == "not has" else node

    def as_period(self, right: object) -> tuple[str, str] | None:
        """The start and the end of a period, or of two periods for `between`."""
        if isinstance(right, tuple) and len(right) == 2:
            low, high = self.as_period(right[0]), self.as_period(right[1])
            return (low[0], high[1]) if low and high else None
        literal = self.slot(right) if isinstance(right, Slot) else right
        if isinstance(literal, Literal) and isinstance(literal.value, tuple):
            return literal.value
        return None

    def in_period(self, left: exp.Expr, op: str, period: tuple[str, str], near: Column | None) -> exp.Expr:
        text = bool(near and _TEXT_TYPE.search(near.type))
        start, end = (dates.date_literal(day, self.dialect, text=text) for day in period)
        from_start, before_end = exp.GTE(this=left, expression=start), exp.LT(this=left.copy(), expression=end)
        if _OPEN_START in period or _OPEN_END in period:  # since March, before 2024: the period itself says the side
            within = before_end if period[0] == _OPEN_START else from_start
            return exp.not_(within, copy=False) if op in {"!=", "not in"} else within
        match op:
            case ">=":
                return from_start
            case "<=":
                return before_end
            case ">":
                return exp.GTE(this=left, expression=end)
            case "<":
                return exp.LT(this=left, expression=start)
            case "!=" | "not in":
                return exp.not_(exp.paren(exp.and_(from_start, before_end, copy=False), copy=False), copy=False)
            case "=" | "in" | "between":
                return exp.and_(from_start, before_end, copy=False)
        raise FormError(f"{op} does not go with a period")

    # --- blocks related to the one around them ---

    def related(self, test: Related, scope: Scope) -> exp.Expr:
        """Rows related to those of the block around: by the primary key of a shared table, else by the join graph."""
        block, pairs = self.related_keys(test.block, scope)
        if not pairs:
            raise FormError(f"{test.block.sources[0].name} is not related to the tables around it")
        return self.exists(test, block, pairs, scope)

    def related_keys(self, block: Block, scope: Scope) -> tuple[Block, list[tuple[str, str, str, str]]]:
        """The block with the tables that lead out of it, and (inner, column, outer, column) for each key column."""
        for source in block.sources:
            shared = [name for name, outer in scope.sources.items() if outer.table == source.table]
            if shared and (key := self.schema.primary_key(source.table)):
                name = source.name if source.name in shared else shared[0]
                return block, [(source.name, column, name, column) for column in key]
        reached = self.reach(block, scope)
        if reached is None:
            return block, []
        grown, edge, inner, outer = reached
        own, far = edge.child_columns, edge.parent_columns
        if edge.child != self.table_of(grown, inner) or edge.child == edge.parent:
            own, far = far, own
        return grown, [(inner, a, outer, b) for a, b in zip(own, far, strict=True)]

    def table_of(self, block: Block, name: str) -> str:
        return next(source.table for source in block.sources if source.name == name)

    def reach(self, block: Block, scope: Scope) -> tuple[Block, Edge, str, str] | None:
        """The block with the tables that lead out of it, the last edge, and the names at its inner and outer end."""
        starts = {source.table: source.name for source in reversed(block.sources)}
        goals = {source.table: name for name, source in reversed(scope.sources.items())}
        hops = self.schema.path(starts, set(goals), starts)
        shared = next((table for table in starts if table in goals), None)
        if shared is not None:
            loop = next((e for e in self.schema.edges[shared] if e.child == e.parent), None)
            hops = [Hop(shared, loop, shared)] if loop else hops
        if not hops:
            return None
        name, added = starts[hops[0].near], list(block.sources)
        for hop in hops[:-1]:
            name = starts.get(hop.far, hop.far)
            added += [] if hop.far in starts else [Source(hop.far)]
        grown = Block(tuple(added), where=block.where)
        return grown, hops[-1].edge, name, goals[hops[-1].far]

    def exists(self, test: Related, block: Block, pairs: list[tuple[str, str, str, str]], scope: Scope) -> exp.Expr:
        """key IN (SELECT key …) for one key column, EXISTS for several."""
        if len(pairs) > 1:
            return self.exists_correlated(test, block, pairs, scope)
        inner_name, own, outer_name, far = pairs[0]
        shown = ColumnRef(inner_name, own)
        where = block.where
        if test.negated and not self.never_null(block, shown):
            present = Predicate("not null", shown)
            where = And((*_conjuncts(where), present)) if where else present
        inner = self.query(Block(block.sources, (shown,), where=where), scope)
        node = exp.In(this=self.named(outer_name, far, scope), query=inner.subquery(copy=False))
        return exp.not_(node, copy=False) if test.negated else node

    def never_null(self, block: Block, ref: ColumnRef) -> bool:
        column = self.schema.tables[self.table_of(block, ref.source)].column(ref.column)
        return column is not None and (column.primary_key or not column.nullable)

    def exists_correlated(
        self, test: Related, block: Block, pairs: list[tuple[str, str, str, str]], scope: Scope
    ) -> exp.Expr:
        inner = self.scope(Block(block.sources, same=(TableRef(pairs[0][2]),)), scope)
        select = exp.Select(expressions=[_number(1)])
        self.add_sources(select, inner)
        tests = [
            exp.EQ(this=self.named(own, a, inner), expression=self.outer_column(out, b, inner))
            for own, a, out, b in pairs
        ]
        if block.where:
            tests.append(self.condition(block.where, inner))  # type: ignore[arg-type]
        select.set("where", exp.Where(this=exp.and_(*tests, copy=False)))
        node = exp.Exists(this=select)
        return exp.not_(node, copy=False) if test.negated else node

    def outer_column(self, source: str, column: str, scope: Scope) -> exp.Expr:
        """A column of the block around, also where the nested block has a source of the same name."""
        if scope.outer is None:
            raise FormError("there is no block around")
        scope.outer.find(source).qualified = True
        return self.named(source, column, scope.outer)

    def same(self, key: ColumnRef | TableRef, scope: Scope) -> list[exp.Expr]:
        """The tests that tie a nested block to the row of the block around it."""
        if scope.outer is None:
            raise FormError("same stands only in a nested block")
        if isinstance(key, ColumnRef):
            return [
                exp.EQ(
                    this=self.named(key.source, key.column, scope),
                    expression=self.outer_column(key.source, key.column, scope),
                )
            ]
        return self.same_row(key.source, scope)

    def same_row(self, name: str, scope: Scope) -> list[exp.Expr]:
        if scope.outer is None:
            raise FormError("same stands only in a nested block")
        table = scope.outer.find(name).sources[name].table
        if name in scope.sources:
            columns = self.schema.primary_key(table)
            pairs = [(name, column, column) for column in columns]
        else:
            hops = self.schema.path([table], {source.table for source in scope.sources.values()})
            if not hops or len(hops) != 1:
                raise FormError(f"{name} is not next to the tables of the nested block")
            edge = hops[0].edge
            inner = next(n for n, s in scope.sources.items() if s.table == hops[0].far)
            own, far = edge.child_columns, edge.parent_columns
            if edge.child == table:
                own, far = far, own
            pairs = [(inner, a, b) for a, b in zip(own, far, strict=True)]
        return [
            exp.EQ(this=self.named(inner, a, scope), expression=self.outer_column(name, b, scope))
            for inner, a, b in pairs
        ]


def _number(value: str | int | float) -> exp.Expr:
    if isinstance(value, int | float) and value < 0:
        return exp.Neg(this=exp.Literal.number(-value))
    return exp.Literal.number(value)


def _bucket_values(bucket: Bucket, right: Expr | tuple[Expr, ...] | None) -> Expr | tuple[Expr, ...] | None:
    """Numbers compared with a part of a date, written as that part is."""
    if isinstance(right, tuple):
        return tuple(item for value in right if (item := _bucket_value(bucket, value)) is not None)
    return _bucket_value(bucket, right)


def _bucket_value(bucket: Bucket, value: Expr | None) -> Expr | None:
    if not isinstance(value, Literal) or not isinstance(value.value, int) or bucket.unit == "quarterno":
        return value
    width = 2 if bucket.unit in ("monthno", "hour") else 1
    return Literal(f"{value.value:0{width}d}", "text")


def _distinct(value: exp.Expr) -> exp.Distinct:
    return exp.Distinct(expressions=[value])


def _conjuncts(condition: Condition) -> tuple[Condition, ...]:
    return condition.items if isinstance(condition, And) else (condition,)
