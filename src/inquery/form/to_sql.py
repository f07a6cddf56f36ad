"""From the form to SQL of a dialect, by way of sqlglot's tree: joins from the join graph, names from the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from inquery.form import date_units as dates
from inquery.form.ast import (
    Agg,
    Aggregate,
    AllColumns,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Compound,
    Condition,
    Days,
    Expr,
    Fallback,
    Holds,
    Literal,
    Not,
    Or,
    Over,
    Predicate,
    Query,
    Related,
    Slot,
    Sort,
    TableRef,
    has_aggregate,
    has_window,
    is_tied,
    time_keys,
    walk_tree,
)
from inquery.form.idents import identifier
from inquery.form.join_paths import FormSchema, JoinPlan, KeyPair, Link, related_keys
from inquery.form.name_words import FormError
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.sql.catalog import Column
from inquery.sql.stored_dates import stored_date
from inquery.sql.stored_numbers import as_number, stored_number

DIALECTS = tuple(dates.TEMPLATES)

_SET_NODES = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
_COMPARISON_NODES: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    ">": exp.GT,
    ">=": exp.GTE,
    "<": exp.LT,
    "<=": exp.LTE,
}
_COMPARED = frozenset([*_COMPARISON_NODES, "between"])
_ARITHMETIC_NODES: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}
_AGGREGATE_NODES: dict[str, type[exp.AggFunc]] = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}
_TEXT_TYPE = re.compile(r"char|text|clob|string|enum|uuid", re.I)
_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float|money|fixed|serial", re.I)
_FOLDS_CASE = {"sqlite", "mysql", "tsql"}
"""Engines whose LIKE ignores case by itself."""
_PER_DAY = {"days": 1, "hours": 24, "minutes": 1440}
_MADE_NAME = re.compile(r"value_\d*$")
_OPEN_START, _OPEN_END = OPEN_START.isoformat(), OPEN_END.isoformat()


def to_sql(
    query: Query,
    schema: FormSchema,
    dialect: str = "sqlite",
    slots: Mapping[str, Literal] | None = None,
    *,
    strict: bool = False,
) -> str:
    """The SQL of a query; raises FormError where names, slots or joins are missing.

    SQLite shows any row's value of a column that a group does not determine; `strict` has it group by that column too,
    as the other engines demand.
    """
    return to_tree(query, schema, dialect, slots, strict=strict).sql(dialect=dialect)


def to_tree(
    query: Query,
    schema: FormSchema,
    dialect: str = "sqlite",
    slots: Mapping[str, Literal] | None = None,
    *,
    strict: bool = False,
) -> exp.Query:
    """The sqlglot tree of a query."""
    if dialect not in dates.TEMPLATES:
        raise FormError(f"no dialect {dialect}")
    return SqlBuilder(schema, dialect, slots or {}, strict=strict).query(query)


def is_made_name(name: str) -> bool:
    """Whether a column of the SQL was named here, so that it says nothing to a reader."""
    return _MADE_NAME.match(name) is not None


class SelectScope:
    """The sources of one SELECT while it is built, the alias each has, and the SELECT around it."""

    def __init__(self, block: Block, plan: JoinPlan, outer: SelectScope | None, correlated: bool) -> None:
        self.block = block
        self.plan = plan
        self.outer = outer
        self.sources = plan.sources
        self.qualified = len(plan.sources) > 1 or correlated
        self.aliases: dict[str, str] = {}
        self.tied: dict[Block, tuple[str, exp.Join]] = {}
        """Nested queries with a value for each row, joined: their alias and their join."""

    def find(self, name: str) -> SelectScope:
        """The innermost scope that has the source."""
        scope: SelectScope | None = self
        while scope is not None:
            if name in scope.sources:
                return scope
            scope = scope.outer
        raise FormError(f"{name} is not in scope")


class SqlBuilder:
    """Builds one statement: blocks, expressions, conditions, and what ties a nested block to the one around."""

    def __init__(self, schema: FormSchema, dialect: str, slots: Mapping[str, Literal], *, strict: bool = False) -> None:
        self.schema = schema
        self.dialect = dialect
        self.strict = strict
        self.slots = slots
        self.joined = 0
        self.nulls_small = Dialect.get_or_raise(dialect).NULL_ORDERING == "nulls_are_small"

    def query(self, query: Query, outer: SelectScope | None = None) -> exp.Query:
        if isinstance(query, Compound):
            left, right = self.query(query.left, outer), self.query(query.right, outer)
            return _SET_NODES[query.op](this=_set_operand(left), expression=_set_operand(right), distinct=True)
        return self.select(query, outer)

    def select(self, block: Block, outer: SelectScope | None) -> exp.Select:
        block = self.with_display(block)
        # What holds of a figure beside those of other groups can be asked only when all of them are there.
        if block.per or (block.having and (has_window(block.having) or any(map(has_window, block.show)))):
            return self.choose_later(block, outer)
        return self.fill(block, self.scope(block, outer))

    def fill(self, block: Block, scope: SelectScope) -> exp.Select:
        """The SELECT of a block whose sources are known."""
        select = exp.Select(expressions=[self.item(e, scope) for e in block.show])
        self.add_sources(select, scope)
        if block.distinct:
            select.set("distinct", exp.Distinct())
        conditions = [self.condition(block.where, scope)] if block.where else []
        conditions += [test for key in block.same for test in self.same(key, scope)]
        if conditions:
            select.set("where", exp.Where(this=exp.and_(*conditions, copy=False)))
        self.add_groups(select, block, scope)
        if block.having:
            select.set("having", exp.Having(this=self.condition(block.having, scope)))
        if block.sort:
            few = block.top is not None
            select.set("order", exp.Order(expressions=[self.sort(s, scope, few=few) for s in block.sort]))
        for _, join in scope.tied.values():
            select.append("joins", join)
        if block.top:
            select = select.limit(self.whole_number(block.top), copy=False)
        return select

    def with_display(self, block: Block) -> Block:
        """The block with the display names of the tables it shows."""
        if not any(isinstance(item, TableRef) for item in block.show):
            return block
        tables = {source.name: source.table for source in block.sources}
        show: list[Expr | TableRef] = []
        for item in block.show:
            table = tables.get(item.source) if isinstance(item, TableRef) else None
            if isinstance(item, TableRef) and table is None:
                raise FormError(f"{item.source} is not in from")
            if isinstance(item, TableRef) and table:
                show += [ColumnRef(item.source, column) for column in self.schema.display(table)]
            else:
                show.append(item)
        return replace(block, show=tuple(show))

    def choose_later(self, block: Block, outer: SelectScope | None) -> exp.Select:
        """A query over all groups or rows with what chooses among them: their rank, or a test that looks at others."""
        shown = [item for expr in block.show for item in self.spread(expr, block)]
        inner = replace(block, show=tuple(shown), distinct=False, having=None, sort=(), top=None, per=())
        scope = self.scope(replace(inner, per=block.per, sort=block.sort), outer)
        items = [self.item(expr, scope) for expr in shown]
        names = _name_items(items)
        hidden: dict[str, exp.Expr] = {}
        tests: list[exp.Expr] = []
        order: list[exp.Expr] = []
        if block.having:
            hidden["kept_"] = self.case(block.having, _number(1), _number(0), scope)
            tests.append(exp.EQ(this=exp.column("kept_"), expression=_number(1)))
        if block.per and block.top:
            hidden["rank_"] = self.window(Over("rank"), scope)
            tests.append(exp.LTE(this=exp.column("rank_"), expression=_number(self.whole_number(block.top))))
            for number, key in enumerate(block.per, 1):
                first = (
                    next((e for e in shown if isinstance(e, ColumnRef) and e.source == key.source), key)
                    if isinstance(key, TableRef)
                    else key
                )
                hidden[f"key_{number}"] = self.key(first, scope)[0]
                order.append(exp.Ordered(this=exp.column(f"key_{number}"), nulls_first=self.nulls_small))
            order.append(exp.Ordered(this=exp.column("rank_"), nulls_first=self.nulls_small))
        else:
            for number, sort in enumerate(block.sort, 1):
                ordered = self.sort(sort, scope, few=block.top is not None)
                hidden[f"key_{number}"] = ordered.this
                ordered.set("this", exp.column(f"key_{number}"))
                order.append(ordered)
        select = self.fill(replace(inner, show=()), scope)
        named = [exp.alias_(item, identifier(name, self.dialect)) for item, name in zip(items, names, strict=True)]
        # A group is ranked by more than it shows, and strict engines want that among its keys.
        self.add_groups(select, replace(inner, sort=block.sort, having=block.having), scope, more=block.per)
        select.set("expressions", [*named, *(exp.alias_(node, name, quoted=False) for name, node in hidden.items())])
        for _, join in scope.tied.values():
            if join not in (select.args.get("joins") or []):
                select.append("joins", join)
        outside = exp.Select(expressions=[exp.column(identifier(name, self.dialect)) for name in names])
        outside = outside.from_(select.subquery("part", copy=False), copy=False)
        outside.set("where", exp.Where(this=exp.and_(*tests, copy=False)))
        if block.distinct:
            outside.set("distinct", exp.Distinct())
        elif order:
            outside.set("order", exp.Order(expressions=order))
        return outside.limit(self.whole_number(block.top), copy=False) if block.top and not block.per else outside

    def spread(self, expr: Expr | TableRef, block: Block) -> list[Expr]:
        """An item, with a column each for all of them: a query around it has to name them."""
        if isinstance(expr, TableRef):
            raise FormError(f"{expr.source} cannot stand here")
        if not isinstance(expr, AllColumns):
            return [expr]
        sources = [source for source in block.sources if expr.source in (None, source.name)]
        return [ColumnRef(s.name, column.name) for s in sources for column in self.schema.tables[s.table].columns]

    def scope(self, block: Block, outer: SelectScope | None) -> SelectScope:
        """The scope of a block, its sources joined and named apart from those around where it refers to them."""
        for source in block.sources:
            if source.table not in self.schema.tables:
                raise FormError(f"unknown table {source.table}")
        plan = JoinPlan(self.schema, block.sources)
        reaches_out = outer is not None and (bool(block.same) or _refers_out(block, set(plan.sources)))
        scope = SelectScope(block, plan, outer, reaches_out)
        taken = _aliases_around(outer) if reaches_out else set()
        for name, source in plan.sources.items():
            alias = source.name.replace(".", "_") if source.role else self.schema.tables[source.table].name
            while alias.casefold() in taken:
                alias += "_2"
            taken.add(alias.casefold())
            scope.aliases[name] = alias
        # What is said of the outer row inside must not be read as the inner one's, so both are qualified.
        if reaches_out and outer is not None:
            outer.qualified = True
        return scope

    def add_sources(self, select: exp.Select, scope: SelectScope) -> None:
        if not scope.sources:
            return
        names = list(scope.sources)
        done = {names[0]}
        select.set("from_", exp.From(this=self.table(names[0], scope)))
        # Links come in the order they were found; SQL wants each join next to something that stands before it.
        links = list(scope.plan.links)
        also = list(scope.plan.also)
        while links:
            link = next((k for k in links if k.child in done or k.parent in done), None)
            if link is None:
                raise FormError("the sources do not connect")
            links.remove(link)
            name = link.parent if link.child in done else link.child
            if name in done:
                continue
            done.add(name)
            tests = [self.join_condition(link, scope)]
            for pair in [pair for pair in also if {ref.source for ref in pair} <= done]:
                also.remove(pair)
                left, right = (self.column(ref.source, ref.column, scope) for ref in pair)
                tests.append(exp.EQ(this=left, expression=right))
            join = exp.Join(this=self.table(name, scope), on=exp.and_(*tests, copy=False))
            if scope.sources[name].optional:
                join.set("side", "LEFT")
            select.append("joins", join)

    def table(self, name: str, scope: SelectScope) -> exp.Table:
        path = self.schema.tables[scope.sources[name].table].path
        parts = [identifier(part, self.dialect) for part in path]
        node = exp.Table(this=parts[-1])
        if len(parts) > 1:
            node.set("db", parts[-2])
        if len(parts) > 2:
            node.set("catalog", parts[-3])
        if scope.aliases[name] != path[-1]:
            node.set("alias", exp.TableAlias(this=identifier(scope.aliases[name], self.dialect)))
        return node

    def join_condition(self, link: Link, scope: SelectScope) -> exp.Expr:
        tests = [
            exp.EQ(this=self.column(link.child, own, scope), expression=self.column(link.parent, far, scope))
            for own, far in zip(link.edge.child_columns, link.edge.parent_columns, strict=True)
        ]
        return exp.and_(*tests, copy=False)

    def add_groups(
        self, select: exp.Select, block: Block, scope: SelectScope, more: tuple[Expr | TableRef, ...] = ()
    ) -> None:
        if not block.by:
            return
        keys = [node for key in (*block.by, *more) for node in self.key(key, scope)]
        # Beside MIN or MAX SQLite shows the very row that has it, which was asked for; a further key would undo that.
        if self.dialect != "sqlite" or (self.strict and not _shows_extreme(block)):
            keys += [self.expr(e, scope) for e in _ungrouped(block)]
        unique: list[exp.Expr] = []
        for key in keys:
            if key not in unique:
                unique.append(key)
        select.set("group", exp.Group(expressions=unique))

    def key(self, key: Expr | TableRef, scope: SelectScope) -> list[exp.Expr]:
        if not isinstance(key, TableRef):
            return [self.expr(key, scope)]
        table = scope.find(key.source).sources[key.source].table
        columns = self.schema.primary_key(table) or (self.schema.tables[table].columns[0].name,)
        return [self.column(key.source, column, scope) for column in columns]

    def sort(self, sort: Sort, scope: SelectScope, *, few: bool) -> exp.Ordered:
        """An order; among the few cheapest there is none whose price is not known."""
        # Descending, nulls go last everywhere: Postgres and Oracle would put them on top of a ranking. Ascending, the
        # engine's own order stays, unless only the first few are asked for.
        unknown = isinstance(sort.expr, ColumnRef) and self.find_column(sort.expr, scope).nullable
        first = False if sort.descending or (few and unknown) else self.nulls_small
        return exp.Ordered(this=self.figure(sort.expr, scope), desc=sort.descending or None, nulls_first=first)

    def item(self, expr: Expr | TableRef, scope: SelectScope) -> exp.Expr:
        if isinstance(expr, TableRef):
            raise FormError(f"{expr.source} cannot stand here")
        if isinstance(expr, AllColumns):
            if expr.source is None:
                return exp.Star()
            alias = identifier(scope.find(expr.source).aliases[expr.source], self.dialect)
            return exp.Column(this=exp.Star(), table=alias)
        return self.expr(expr, scope)

    def find_column(self, ref: ColumnRef, scope: SelectScope) -> Column:
        source = scope.find(ref.source).sources[ref.source]
        column = self.schema.tables[source.table].column(ref.column)
        if column is None:
            raise FormError(f"unknown column {ref.source}.{ref.column}")
        return column

    def column(self, source: str, column: str, scope: SelectScope) -> exp.Column:
        home = scope.find(source)
        name = self.find_column(ColumnRef(source, column), scope).name
        node = exp.Column(this=identifier(name, self.dialect))
        if home.qualified or home is not scope:
            node.set("table", identifier(home.aliases[source], self.dialect))
        return node

    def whole_number(self, value: Literal | Slot) -> int:
        literal = self.slot(value) if isinstance(value, Slot) else value
        if literal.kind != "number" or not isinstance(literal.value, int | float):
            raise FormError("top needs a number")
        return int(literal.value)

    def expr(self, expr: Expr, scope: SelectScope, near: Column | None = None) -> exp.Expr:
        """The node of an expression; `near` is the column a constant is compared with."""
        match expr:
            case ColumnRef(source, column):
                return self.column(source, column, scope)
            case Literal():
                return self.literal(expr, near)
            case Slot():
                return self.literal(self.slot(expr), near)
            case Agg():
                return self.aggregate(expr, scope)
            case Arith(op, left, right):
                return _arithmetic(op, self.figure(left, scope), self.figure(right, scope))
            case Bucket(unit, of):
                kept = self.find_column(of, scope)
                text = bool(_TEXT_TYPE.search(kept.type)) or stored_date(kept) is not None
                return dates.bucket(unit, self.day(of, scope), self.dialect, text=text)
            case Days(start, end, unit):
                span = dates.days(self.day(start, scope), self.day(end, scope), self.dialect)
                return span if unit == "days" else _arithmetic("*", span, _number(_PER_DAY[unit]))
            case Over():
                return self.window(expr, scope)
            case Holds(test):
                return self.case(test, _number(1), _number(0), scope)
            case Fallback(of, other):
                near = self.find_column(of, scope) if isinstance(of, ColumnRef) else None
                return exp.Coalesce(this=self.expr(of, scope), expressions=[self.expr(other, scope, near)])
            case Block() | Compound():
                return self.query(expr, scope).subquery(copy=False)
        raise FormError(f"{type(expr).__name__} cannot stand here")

    def window(self, over: Over, scope: SelectScope) -> exp.Expr:
        """A figure of a group beside those before it, or its rank."""
        block = scope.block
        if over.func == "rank":
            sorts = block.sort or _largest_first(block)
            if not sorts or any(has_window(sort.expr) for sort in sorts):
                raise FormError("rank needs an order of its own")
            order = [self.sort(sort, scope, few=True) for sort in sorts]
            parts = [node for key in block.per for node in self.key(key, scope)]
            return _over(exp.Rank(), parts, order)
        if over.of is None or not block.by:
            raise FormError(f"{over.func} needs groups")
        first = time_keys(block.by)
        parts = [node for key in block.by if key not in first for node in self.key(key, scope)]
        nodes = [node for key in first for node in self.key(key, scope)]
        order = [exp.Ordered(this=node, nulls_first=self.nulls_small) for node in nodes]
        value = self.expr(over.of, scope)
        if over.func == "running":
            return _over(exp.Sum(this=value), parts, order)
        before = _over(exp.Lag(this=value.copy()), parts, order)
        if over.func == "previous":
            return before
        change = _arithmetic("-", value, before)
        return (
            change if over.func == "change" else _arithmetic("*", _number(100), _arithmetic("/", change, before.copy()))
        )

    def slot(self, slot: Slot) -> Literal:
        if slot.name not in self.slots:
            raise FormError(f"unknown slot {slot.name}")
        return self.slots[slot.name]

    def day(self, expr: Expr, scope: SelectScope) -> exp.Expr:
        """An expression of a day, made one where its column keeps days as numbers or plain text."""
        node = self.expr(expr, scope)
        stored = stored_date(self.find_column(expr, scope)) if isinstance(expr, ColumnRef) else None
        return dates.as_day(node, stored, self.dialect) if stored else node

    def literal(self, literal: Literal, near: Column | None = None) -> exp.Expr:
        """A constant as the type of the column wants it: '7' and 7 are the same word in a question."""
        value, kind = literal.value, near.type if near else ""
        if isinstance(value, tuple):
            value = value[0]
        if literal.kind in ("date", "period"):
            stored = stored_date(near) if near else None
            if stored:
                kept = stored.border(str(value))
                return exp.Literal.string(kept) if isinstance(kept, str) else _number(kept)
            return dates.date_literal(str(value), self.dialect, text=bool(_TEXT_TYPE.search(kind)))
        # SQLite compares a column of texts with a number by itself; others, Postgres among them, refuse to.
        if literal.kind == "number" and not (self.dialect != "sqlite" and _TEXT_TYPE.search(kind)):
            return _number(value)
        if literal.kind == "text" and _NUMBER_TYPE.search(kind) and re.fullmatch(r"-?\d+(\.\d+)?", str(value)):
            return _number(float(value) if "." in str(value) else int(value))
        return exp.Literal.string(str(value))

    def aggregate(self, agg: Agg, scope: SelectScope) -> exp.Expr:
        if isinstance(agg.of, Block) and is_tied(agg.of):
            return self.over_tied(agg, agg.of, scope)
        if isinstance(agg.of, Block | Compound):
            return self.over_query(agg, agg.of, scope)
        if agg.func in ("share", "percent"):
            share = self.share(agg, scope)
            return share if agg.func == "share" else _arithmetic("*", _number(100), share)
        if agg.func == "count":
            return exp.Count(this=self.counted(agg, scope), big_int=True)
        if agg.of is None or isinstance(agg.of, TableRef):
            raise FormError(f"{agg.func} needs a column")
        value = self.amount(agg.of, scope)
        if agg.where:
            # Rows that do not count add nothing to a sum; from an average, minimum or maximum they stay away as nulls.
            other = _number(0) if agg.func == "sum" else None
            value = self.case(agg.where, value, other, scope)
        node = _AGGREGATE_NODES[agg.func](this=_distinct(value) if agg.distinct else value)
        # A customer without orders has spent nothing, which is zero and not unknown.
        if agg.func == "sum" and isinstance(agg.of, ColumnRef) and self.is_optional(agg.of.source, scope):
            return exp.Coalesce(this=node, expressions=[_number(0)])
        return node

    def is_optional(self, source: str, scope: SelectScope) -> bool:
        return scope.find(source).sources[source].optional

    def counted(self, agg: Agg, scope: SelectScope) -> exp.Expr:
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

    def present(self, source: str, scope: SelectScope, distinct: bool) -> exp.Expr | None:
        """A column that is null exactly where an optional source has no row; None for a source that always has one."""
        home = scope.find(source)
        found = home.sources[source]
        if not found.optional and not distinct:
            return None
        key = self.schema.primary_key(found.table)
        if key:
            return self.column(source, key[0], scope)
        # Without a primary key, the column it is joined by: where there is a row, that was equal to something.
        for link in home.plan.links:
            if link.child == source:
                return self.column(source, link.edge.child_columns[0], scope)
            if link.parent == source:
                return self.column(source, link.edge.parent_columns[0], scope)
        return self.column(source, self.schema.tables[found.table].columns[0].name, scope)

    def case(self, test: Condition, value: exp.Expr, other: exp.Expr | None, scope: SelectScope) -> exp.Case:
        return exp.Case(ifs=[exp.If(this=self.condition(test, scope), true=value)], default=other)

    def share(self, agg: Agg, scope: SelectScope) -> exp.Expr:
        """A part of a whole: rows or amounts the condition holds for, else the group's part of the total."""
        if agg.per:
            inner = Agg("count" if agg.of is None or agg.distinct else "sum", agg.of, agg.distinct, agg.where)
            part = self.aggregate(inner, scope)
            keys = [node for key in agg.per for node in self.key(key, scope)]
            return _arithmetic("/", part, _over(exp.Sum(this=part.copy()), keys, []))
        if not agg.where:
            return self.share_of_total(agg, scope)
        if agg.of is None or (isinstance(agg.of, TableRef) and not agg.distinct):
            return exp.Avg(this=self.case(agg.where, _number(1.0), _number(0.0), scope))
        func: Aggregate = "count" if agg.distinct else "sum"
        part = self.aggregate(Agg(func, agg.of, agg.distinct, agg.where), scope)
        whole = self.aggregate(Agg(func, agg.of, agg.distinct), scope)
        return _arithmetic("/", part, whole)

    def share_of_total(self, agg: Agg, scope: SelectScope) -> exp.Expr:
        """The group's part of what a subquery finds over the same sources and filter, ungrouped."""
        inner = Agg("count" if agg.of is None or agg.distinct else "sum", agg.of, agg.distinct)
        total = Block(scope.block.sources, (inner,), where=scope.block.where, same=scope.block.same)
        whole = self.query(total, scope.outer).subquery(copy=False)
        return _arithmetic("/", self.aggregate(inner, scope), whole)

    def amount(self, expr: Expr, scope: SelectScope) -> exp.Expr:
        """What an aggregate adds up; a nested query in it is joined."""
        match expr:
            case Arith(op, left, right):
                return _arithmetic(op, self.amount(left, scope), self.amount(right, scope))
            case Fallback(of, other) if is_tied(of):
                return exp.Coalesce(this=self.amount(of, scope), expressions=[self.expr(other, scope)])
            case Block() if is_tied(expr):
                value = self.tied_value(expr, scope)
                return exp.Coalesce(this=value, expressions=[_number(0)]) if _counts(expr) else value
        return self.figure(expr, scope)

    def figure(self, expr: Expr, scope: SelectScope) -> exp.Expr:
        """An expression that is reckoned with, made a number where its column keeps figures as text."""
        node = self.expr(expr, scope)
        signs = stored_number(self.find_column(expr, scope)) if isinstance(expr, ColumnRef) else ""
        return as_number(node, signs) if signs else node

    def over_tied(self, agg: Agg, block: Block, scope: SelectScope) -> exp.Expr:
        """An aggregate over what a nested query finds for each row."""
        if agg.func not in _AGGREGATE_NODES or agg.distinct:
            raise FormError(f"{agg.func} of a nested query cannot be tied")
        inner = block.show[0] if len(block.show) == 1 else None
        value = self.amount(block, scope)
        # Nothing adds nothing.
        if agg.func == "sum" and isinstance(inner, Agg) and inner.func == "sum":
            value = exp.Coalesce(this=value, expressions=[_number(0)])
        if agg.where:
            value = self.case(agg.where, value, _number(0) if agg.func == "sum" else None, scope)
        return _AGGREGATE_NODES[agg.func](this=value)

    def tied_value(self, block: Block, scope: SelectScope) -> exp.Expr:
        """The value of a nested query for the row around it, joined once by its keys where that can be.

        Not every engine aggregates over a subquery in the place of a value, and few are quick at it.
        """
        own = set(JoinPlan(self.schema, block.sources).sources)
        inside = replace(block, same=())
        plain = len(block.show) == 1 and has_aggregate(block.show[0])
        if not plain or block.by or block.having or block.sort or block.top or _refers_out(inside, own):
            return self.query(block, scope).subquery(copy=False)
        if block not in scope.tied:
            inner = self.scope(inside, None)
            ties = [tie for key in block.same for tie in self.ties(key, inner, scope)]
            self.joined += 1
            alias = f"part_{self.joined}"
            select = self.fill(inside, inner)
            keys = [self.column(source, own_column, inner) for source, own_column, _ in ties]
            named = [exp.alias_(node.copy(), f"key_{i}", quoted=False) for i, node in enumerate(keys, 1)]
            select.set("expressions", [exp.alias_(select.selects[0].copy(), "value_", quoted=False), *named])
            select.set("group", exp.Group(expressions=keys))
            tests = [
                exp.EQ(this=exp.column(f"key_{i}", table=alias), expression=self.qualified(far, scope))
                for i, (_, _, far) in enumerate(ties, 1)
            ]
            on = exp.and_(*tests, copy=False)
            scope.tied[block] = alias, exp.Join(this=select.subquery(alias, copy=False), on=on, side="LEFT")
        return exp.column("value_", table=scope.tied[block][0])

    def ties(
        self, key: ColumnRef | TableRef, scope: SelectScope, outer: SelectScope
    ) -> list[tuple[str, str, ColumnRef]]:
        """(Source, column, column around) of what ties a nested block to the row around it.

        A column of a source that both have is equal in the two; one of a single source is a key to one of the other's.
        """
        if isinstance(key, ColumnRef):
            own = key.source in scope.sources
            if own and self.has_source(key.source, outer):
                return [(key.source, key.column, key)]
            home, far = (scope, outer) if own else (outer.find(key.source), scope)
            for edge in self.schema.edges[home.sources[key.source].table]:
                if (edge.child, edge.child_columns) != (home.sources[key.source].table, (key.column,)):
                    continue
                name = next((name for name, source in far.sources.items() if source.table == edge.parent), None)
                if name is not None and own:
                    return [(key.source, key.column, ColumnRef(name, edge.parent_columns[0]))]
                if name is not None:
                    return [(name, edge.parent_columns[0], key)]
            raise FormError(f"{key.source}.{key.column} does not tie the nested block to the one around")
        rows = self.same_row(key.source, scope, outer)
        return [(inner, own, ColumnRef(key.source, far)) for inner, own, far in rows]

    def has_source(self, name: str, scope: SelectScope | None) -> bool:
        """Whether a scope or one around it has a source of a name."""
        while scope is not None:
            if name in scope.sources:
                return True
            scope = scope.outer
        return False

    def qualified(self, ref: ColumnRef, scope: SelectScope) -> exp.Column:
        node = self.column(ref.source, ref.column, scope)
        node.set("table", identifier(scope.find(ref.source).aliases[ref.source], self.dialect))
        return node

    def over_query(self, agg: Agg, query: Query, scope: SelectScope) -> exp.Expr:
        """An aggregate over the rows of a nested query, as a scalar subquery."""
        inner = self.query(query, scope)
        first = inner.selects[0] if isinstance(inner, exp.Select) else None
        value: exp.Expr = exp.Star()
        if agg.func != "count" or agg.distinct:
            if first is None:
                raise FormError("an aggregate over a set operation can only count")
            # Its own name could be an expression, which the query around has no way to call.
            inner.set("expressions", [exp.alias_(first.copy(), "value_", quoted=False), *inner.selects[1:]])
            value = exp.column("value_")
        if agg.distinct:
            value = _distinct(value)
        node = exp.Count(this=value, big_int=True) if agg.func == "count" else _AGGREGATE_NODES[agg.func](this=value)
        return exp.Select(expressions=[node]).from_(inner.subquery("part", copy=False), copy=False).subquery(copy=False)

    def condition(self, condition: Condition, scope: SelectScope) -> exp.Expr:
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

    def predicate(self, test: Predicate, scope: SelectScope) -> exp.Expr:
        left, op = self.expr(test.left, scope), test.op
        if isinstance(test.left, Bucket):
            test = Predicate(op, test.left, _bucket_values(test.left, test.right))
        near = self.find_column(test.left, scope) if isinstance(test.left, ColumnRef) else None
        if op in _COMPARED and near is not None and stored_number(near) and not _is_text(test.right):
            left, near = self.figure(test.left, scope), replace(near, type="double")
        if op in ("is null", "not null"):
            node = exp.Is(this=left, expression=exp.Null())
            return exp.not_(node, copy=False) if op == "not null" else node
        if op in ("is blank", "not blank"):
            blank = self.blank(left, near)
            return exp.not_(exp.paren(blank, copy=False), copy=False) if op == "not blank" else blank
        period = self.as_period(test.right)
        if period is not None:
            # The last day of a group is kept as the days of its rows are.
            of = test.left.of if isinstance(test.left, Agg) and test.left.func in ("min", "max") else None
            near = self.find_column(of, scope) if isinstance(of, ColumnRef) else near
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
        reckoned = isinstance(test.right, ColumnRef) and not isinstance(left, exp.Column)
        right = self.figure(test.right, scope) if reckoned else self.expr(test.right, scope, near)
        return _COMPARISON_NODES[op](this=left, expression=right)

    def blank(self, left: exp.Expr, near: Column | None) -> exp.Expr:
        """Not known, or a text of nothing but spaces; a number or a date cannot be one."""
        unknown = exp.Is(this=left, expression=exp.Null())
        if near is None or (near.type and not _TEXT_TYPE.search(near.type)):
            return unknown
        empty = exp.EQ(this=exp.Trim(this=left.copy()), expression=exp.Literal.string(""))
        return exp.or_(unknown, empty, copy=False)

    def membership(self, left: exp.Expr, test: Predicate, scope: SelectScope, near: Column | None) -> exp.Expr:
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
        escaped = re.sub(r"([%_\\])", r"\\\1", value)
        pattern = {"starts": f"{escaped}%", "ends": f"%{escaped}"}.get(op, f"%{escaped}%")
        text: exp.Expr = exp.Literal.string(pattern)
        # BigQuery escapes by a backslash without being told, and has no ESCAPE.
        if escaped != value and self.dialect != "bigquery":
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
        """A test against a period, end excluded: a column of moments has rows after midnight of the last day."""
        start, end = self.borders(period, near)
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

    def borders(self, period: tuple[str, str], near: Column | None) -> tuple[exp.Expr, exp.Expr]:
        """The start and the end of a period as the column keeps days."""
        stored = stored_date(near) if near else None
        if stored:
            found = (stored.border(period[0]), stored.after(period[1]))
            start, end = (exp.Literal.string(v) if isinstance(v, str) else _number(v) for v in found)
            return start, end
        text = bool(near and _TEXT_TYPE.search(near.type))
        start, end = (dates.date_literal(day, self.dialect, text=text) for day in period)
        return start, end

    def related(self, test: Related, scope: SelectScope) -> exp.Expr:
        """Rows related to those of the block around: key IN (SELECT key …) for one key column, EXISTS for several."""
        sources, pairs = related_keys(self.schema, test.block.sources, scope.sources)
        if not pairs:
            raise FormError(f"{test.block.sources[0].name} is not related to the tables around it")
        if len(pairs) > 1:
            return self.exists(test, Block(sources, where=test.block.where), pairs, scope)
        shown, outer = pairs[0].inner, pairs[0].outer
        where = test.block.where
        # One null among the keys makes NOT IN unknown for every row, and nothing would be found.
        if test.negated and not self.never_null(Block(sources), shown):
            present = Predicate("not null", shown)
            where = And((*_conjuncts(where), present)) if where else present
        inner = self.query(Block(sources, (shown,), where=where), scope)
        node = exp.In(this=self.column(outer.source, outer.column, scope), query=inner.subquery(copy=False))
        return exp.not_(node, copy=False) if test.negated else node

    def never_null(self, block: Block, ref: ColumnRef) -> bool:
        table = next(source.table for source in block.sources if source.name == ref.source)
        column = self.schema.tables[table].column(ref.column)
        return column is not None and (column.primary_key or not column.nullable)

    def exists(self, test: Related, block: Block, pairs: list[KeyPair], scope: SelectScope) -> exp.Expr:
        # `same` says no more here than that the block reaches out, so its aliases are told apart from those around.
        inner = self.scope(Block(block.sources, same=(TableRef(pairs[0].outer.source),)), scope)
        select = exp.Select(expressions=[_number(1)])
        self.add_sources(select, inner)
        tests: list[exp.Expr] = [
            exp.EQ(
                this=self.column(pair.inner.source, pair.inner.column, inner),
                expression=self.outer_column(pair.outer.source, pair.outer.column, inner),
            )
            for pair in pairs
        ]
        if block.where:
            tests.append(self.condition(block.where, inner))
        select.set("where", exp.Where(this=exp.and_(*tests, copy=False)))
        node = exp.Exists(this=select)
        return exp.not_(node, copy=False) if test.negated else node

    def outer_column(self, source: str, column: str, scope: SelectScope) -> exp.Expr:
        """A column of the block around, also where the nested block has a source of the same name."""
        if scope.outer is None:
            raise FormError("there is no block around")
        scope.outer.find(source).qualified = True
        return self.column(source, column, scope.outer)

    def same(self, key: ColumnRef | TableRef, scope: SelectScope) -> list[exp.Expr]:
        """The tests that tie a nested block to the row of the block around it."""
        if scope.outer is None:
            raise FormError("same stands only in a nested block")
        return [
            exp.EQ(this=self.column(inner, own, scope), expression=self.outer_column(far.source, far.column, scope))
            for inner, own, far in self.ties(key, scope, scope.outer)
        ]

    def same_row(self, name: str, scope: SelectScope, outer: SelectScope) -> list[tuple[str, str, str]]:
        """(Source, column, column of the source around) for each column of the key that ties the two."""
        table = outer.find(name).sources[name].table
        if name in scope.sources:
            return [(name, column, column) for column in self.schema.primary_key(table)]
        hops = self.schema.path([table], {source.table for source in scope.sources.values()})
        if not hops or len(hops) != 1:
            raise FormError(f"{name} is not next to the tables of the nested block")
        edge = hops[0].edge
        inner = next(n for n, s in scope.sources.items() if s.table == hops[0].far)
        own, far = edge.child_columns, edge.parent_columns
        if edge.child == table:
            own, far = far, own
        return [(inner, a, b) for a, b in zip(own, far, strict=True)]


def _is_text(right: Expr | tuple[Expr, ...] | None) -> bool:
    """Whether something is compared with a text as it is stored."""
    return any(
        isinstance(each, Literal) and each.kind == "text" for each in (right if isinstance(right, tuple) else (right,))
    )


def _set_operand(query: exp.Query) -> exp.Expr:
    """A side of a set operation; one with its own order or limit is wrapped, since SQLite takes neither there."""
    if query.args.get("limit") or query.args.get("order"):
        return exp.Select(expressions=[exp.Star()]).from_(query.subquery("part", copy=False), copy=False)
    return query


def _refers_out(block: Block, own: set[str]) -> bool:
    """Whether a nested block names a source of the block around it."""
    inner = {source.name for node in walk_tree(block) if isinstance(node, Block) for source in node.sources}
    return any(isinstance(node, ColumnRef) and node.source not in own | inner for node in walk_tree(block))


def _aliases_around(scope: SelectScope | None) -> set[str]:
    found: set[str] = set()
    while scope is not None:
        found |= {alias.casefold() for alias in scope.aliases.values()}
        scope = scope.outer
    return found


def _ungrouped(block: Block) -> list[Expr]:
    """Columns outside aggregates, which strict engines want among the group's keys."""
    found: list[Expr] = []
    for expr in (*block.show, *(sort.expr for sort in block.sort)):
        if has_aggregate(expr):
            found += _outside_aggregates(expr)
        elif not isinstance(expr, Block | Compound | Literal | AllColumns | TableRef):
            found.append(expr)
    shares = (node for node in walk_tree(block.show) if isinstance(node, Agg))
    found += [key for share in shares for key in share.per if not isinstance(key, TableRef)]
    return found + _outside_aggregates(block.having)


def _outside_aggregates(node: object) -> list[Expr]:
    """The columns and buckets of an expression or condition that stand in no aggregate and no nested query."""
    match node:
        case ColumnRef() | Bucket() | Days() | Holds():
            return [node]
        case Arith(_, left, right) | Predicate(_, left, right) | Fallback(left, right):
            return _outside_aggregates(left) + _outside_aggregates(right)
        case And(items) | Or(items):
            return [column for item in items for column in _outside_aggregates(item)]
        case Not(item):
            return _outside_aggregates(item)
    return []


def _shows_extreme(block: Block) -> bool:
    """Whether a minimum or maximum is asked for."""
    asked = walk_tree((block.show, tuple(sort.expr for sort in block.sort), block.having))
    return any(isinstance(node, Agg) and node.func in ("min", "max") for node in asked)


def _arithmetic(op: str, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    left = exp.paren(left, copy=False) if isinstance(left, exp.Binary) and op in "*/" else left
    right = exp.paren(right, copy=False) if isinstance(right, exp.Binary) and op != "+" else right
    if op == "/":
        # Neither integer division nor an error over zero, whatever the engine: sqlglot writes the cast and the NULLIF.
        return exp.Div(this=left, expression=right, typed=False, safe=True)
    return _ARITHMETIC_NODES[op](this=left, expression=right)


def _counts(block: Block) -> bool:
    """Whether a nested query counts: where it finds nothing, that is none."""
    return len(block.show) == 1 and isinstance(block.show[0], Agg) and block.show[0].func == "count"


def _over(function: exp.Expr, keys: list[exp.Expr], order: list[exp.Ordered]) -> exp.Window:
    return exp.Window(
        this=function, partition_by=keys or None, order=exp.Order(expressions=order) if order else None, over="OVER"
    )


def _largest_first(block: Block) -> tuple[Sort, ...]:
    """The order of a ranking that says none: by the first figure shown."""
    shown = (e for e in block.show if not isinstance(e, TableRef) and has_aggregate(e) and not has_window(e))
    return tuple(Sort(expr, descending=True) for expr in shown)[:1]


def _name_items(items: list[exp.Expr]) -> list[str]:
    """A name for each item of a query that another one reads from: the column's own where it is the first of it."""
    found: list[str] = []
    for number, item in enumerate(items, 1):
        name = item.name if isinstance(item, exp.Column) else ""
        found.append(name if name and name.casefold() not in map(str.casefold, found) else f"value_{number}")
    return found


def _number(value: str | int | float) -> exp.Expr:
    if isinstance(value, int | float) and value < 0:
        return exp.Neg(this=exp.Literal.number(-value))
    return exp.Literal.number(value)


def _bucket_values(bucket: Bucket, right: Expr | tuple[Expr, ...] | None) -> Expr | tuple[Expr, ...] | None:
    """Numbers compared with a part of a date, written as that part is: month 3 is '03'."""
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
