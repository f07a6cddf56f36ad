"""From the form to SQL: joins from the join graph, dialect differences here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from inquery.form import date_units as dates
from inquery.form.ast import (
    Agg,
    AllColumns,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Compound,
    Days,
    Expr,
    Literal,
    Not,
    Or,
    Predicate,
    Query,
    Slot,
    Sort,
    TableRef,
    has_aggregate,
    walk_tree,
)
from inquery.form.idents import identifier
from inquery.form.join_paths import FormSchema, JoinPlan, Link
from inquery.form.lower import Lowering
from inquery.form.name_words import FormError
from inquery.form.scope import Scope
from inquery.sql.catalog import Column

_SET_NODES = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
DIALECTS = tuple(dates.TEMPLATES)


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
    return Builder(schema, dialect, slots or {}, strict=strict).query(query)


class Builder(Lowering):
    """Builds one statement."""

    def __init__(self, schema: FormSchema, dialect: str, slots: Mapping[str, Literal], *, strict: bool = False) -> None:
        self.schema = schema
        self.dialect = dialect
        self.strict = strict
        self.slots = slots
        self.nulls_small = Dialect.get_or_raise(dialect).NULL_ORDERING == "nulls_are_small"

    # --- blocks ---

    def query(self, query: Query, outer: Scope | None = None) -> exp.Query:
        if isinstance(query, Compound):
            left, right = self.query(query.left, outer), self.query(query.right, outer)
            return _SET_NODES[query.op](this=_operand(left), expression=_operand(right), distinct=True)
        return self.select(query, outer)

    def select(self, block: Block, outer: Scope | None) -> exp.Select:
        scope = self.scope(block, outer)
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
        if block.top:
            select = select.limit(self.number(block.top), copy=False)
        return select

    def scope(self, block: Block, outer: Scope | None) -> Scope:
        """The scope of a block, with the grand totals it may need computed over the same sources and filter."""
        for source in block.sources:
            if source.table not in self.schema.tables:
                raise FormError(f"unknown table {source.table}")
        plan = JoinPlan(self.schema, block.sources)
        reaches_out = outer is not None and (bool(block.same) or _refers_out(block, set(plan.sources)))
        scope = Scope(block, plan, outer, reaches_out)
        taken = _aliases(outer) if reaches_out else set()
        for name, source in plan.sources.items():
            alias = source.role or self.schema.tables[source.table].name
            while alias.casefold() in taken:
                alias += "_2"
            taken.add(alias.casefold())
            scope.alias[name] = alias
        if reaches_out and outer is not None:
            outer.qualified = True
        return scope

    def add_sources(self, select: exp.Select, scope: Scope) -> None:
        if not scope.sources:
            return
        names = list(scope.sources)
        done = {names[0]}
        select.set("from_", exp.From(this=self.table(names[0], scope)))
        links = list(scope.plan.links)
        while links:
            link = next((k for k in links if k.child in done or k.parent in done), None)
            if link is None:
                raise FormError("the sources do not connect")
            links.remove(link)
            name = link.parent if link.child in done else link.child
            if name in done:
                continue
            done.add(name)
            side = "LEFT" if scope.sources[name].optional else ""
            join = exp.Join(this=self.table(name, scope), on=self.on(link, scope))
            if side:
                join.set("side", side)
            select.append("joins", join)

    def table(self, name: str, scope: Scope) -> exp.Table:
        path = self.schema.tables[scope.sources[name].table].path
        parts = [identifier(part, self.dialect) for part in path]
        node = exp.Table(this=parts[-1])
        if len(parts) > 1:
            node.set("db", parts[-2])
        if len(parts) > 2:
            node.set("catalog", parts[-3])
        if scope.alias[name] != path[-1]:
            node.set("alias", exp.TableAlias(this=identifier(scope.alias[name], self.dialect)))
        return node

    def on(self, link: Link, scope: Scope) -> exp.Expr:
        pairs = zip(link.edge.child_columns, link.edge.parent_columns, strict=True)
        tests = [
            exp.EQ(this=self.named(link.child, own, scope), expression=self.named(link.parent, far, scope))
            for own, far in pairs
        ]
        return exp.and_(*tests, copy=False)

    def add_groups(self, select: exp.Select, block: Block, scope: Scope) -> None:
        if not block.by:
            return
        keys = [node for key in block.by for node in self.key(key, scope)]
        if self.dialect != "sqlite" or (self.strict and not _extreme(block)):
            shown = [*block.show, *(s.expr for s in block.sort)]
            keys += [self.expr(e, scope) for e in self.plain(shown, block.having)]
        unique: list[exp.Expr] = []
        for key in keys:
            if key not in unique:
                unique.append(key)
        select.set("group", exp.Group(expressions=unique))

    def plain(self, shown: list[Expr], having: object) -> list[Expr]:
        """Columns outside aggregates, which strict engines want among the group's keys."""
        found: list[Expr] = []
        for expr in shown:
            if not has_aggregate(expr) and not isinstance(expr, Block | Compound | Literal | AllColumns):
                found.append(expr)
            elif has_aggregate(expr):
                found += _outside_aggregates(expr)
        return found + _outside_aggregates(having)

    def key(self, key: Expr | TableRef, scope: Scope) -> list[exp.Expr]:
        if not isinstance(key, TableRef):
            return [self.expr(key, scope)]
        table = scope.find(key.source).sources[key.source].table
        columns = self.schema.primary_key(table) or (self.schema.tables[table].columns[0].name,)
        return [self.named(key.source, column, scope) for column in columns]

    def sort(self, sort: Sort, scope: Scope, *, few: bool) -> exp.Ordered:
        """An order; among the few cheapest there is none whose price is not known."""
        unknown = isinstance(sort.expr, ColumnRef) and self.column_of(sort.expr, scope).nullable
        first = False if sort.descending or (few and unknown) else self.nulls_small
        return exp.Ordered(this=self.expr(sort.expr, scope), desc=sort.descending or None, nulls_first=first)

    def item(self, expr: Expr, scope: Scope) -> exp.Expr:
        if isinstance(expr, AllColumns):
            if expr.source is None:
                return exp.Star()
            alias = identifier(scope.find(expr.source).alias[expr.source], self.dialect)
            return exp.Column(this=exp.Star(), table=alias)
        return self.expr(expr, scope)

    # --- names ---

    def column_of(self, ref: ColumnRef, scope: Scope) -> Column:
        source = scope.find(ref.source).sources[ref.source]
        column = self.schema.tables[source.table].column(ref.column)
        if column is None:
            raise FormError(f"unknown column {ref.source}.{ref.column}")
        return column

    def named(self, source: str, column: str, scope: Scope) -> exp.Column:
        home = scope.find(source)
        name = self.column_of(ColumnRef(source, column), scope).name
        node = exp.Column(this=identifier(name, self.dialect))
        if home.qualified or home is not scope:
            node.set("table", identifier(home.alias[source], self.dialect))
        return node

    def number(self, value: Literal | Slot) -> int:
        literal = self.slot(value) if isinstance(value, Slot) else value
        if literal.kind != "number" or not isinstance(literal.value, int | float):
            raise FormError("top needs a number")
        return int(literal.value)


def _operand(query: exp.Query) -> exp.Expr:
    """A side of a set operation; one with its own order or limit is wrapped, since SQLite takes neither there."""
    if query.args.get("limit") or query.args.get("order"):
        return exp.Select(expressions=[exp.Star()]).from_(query.subquery("part", copy=False), copy=False)
    return query


def _refers_out(block: Block, own: set[str]) -> bool:
    """Whether a nested block names a source of the block around it."""
    inner = {source.name for node in walk_tree(block) if isinstance(node, Block) for source in node.sources}
    return any(isinstance(node, ColumnRef) and node.source not in own | inner for node in walk_tree(block))


def _aliases(scope: Scope | None) -> set[str]:
    found: set[str] = set()
    while scope is not None:
        found |= {alias.casefold() for alias in scope.alias.values()}
        scope = scope.outer
    return found


def _outside_aggregates(node: object) -> list[Expr]:
    """The columns and buckets of an expression or condition that stand in no aggregate and no nested query."""
    match node:
        case ColumnRef() | Bucket() | Days():
            return [node]
        case Arith(_, left, right):
            return _outside_aggregates(left) + _outside_aggregates(right)
        case And(items) | Or(items):
            return [column for item in items for column in _outside_aggregates(item)]
        case Not(item):
            return _outside_aggregates(item)
        case Predicate(_, left, right):
            return _outside_aggregates(left) + _outside_aggregates(right)
        case Agg() | None:
            return []
    return []


def _extreme(block: Block) -> bool:
    """Whether a minimum or maximum is asked for: beside one of these SQLite shows the very row that has it."""
    asked = walk_tree((block.show, tuple(sort.expr for sort in block.sort), block.having))
    return any(isinstance(node, Agg) and node.func in ("min", "max") for node in asked)
