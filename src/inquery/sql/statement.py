"""A statement as its parts: which stored column each name means, what is added up, grouped, filtered and ranked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp

from inquery.sql import Catalog, Table
from inquery.sql.guard.sqlite_texts import read_texts
from inquery.sql.repair import UNREADABLE

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like, exp.ILike)
ADDING = (exp.Sum, exp.Avg, exp.Count)


@dataclass(frozen=True, slots=True)
class Place:
    """A stored column."""

    table: Table
    column: str

    @property
    def name(self) -> str:
        """table.column."""
        return f"{self.table.full_name}.{self.column}"


@dataclass(frozen=True, slots=True)
class Compared:
    """A column beside a literal; `operator` is the class of the comparison, `last` says it is the upper end of BETWEEN."""

    place: Place | None
    operator: str
    literal: str
    is_text: bool
    last: bool = False


@dataclass(slots=True)
class Scope:
    """One SELECT with the stored tables it reads by their names there."""

    select: exp.Select
    tables: dict[str, Table] = field(default_factory=dict)

    def place(self, column: exp.Column) -> Place | None:
        """What a column name means here."""
        if column.table:
            table = self.tables.get(column.table.casefold())
            known = table.column(column.name) if table else None
            return Place(table, known.name) if table and known else None
        for table in self.tables.values():
            if known := table.column(column.name):
                return Place(table, known.name)
        return None


@dataclass(slots=True)
class Statement:
    """A statement that was read; `scopes` has the outermost SELECT first."""

    tree: exp.Expr
    scopes: list[Scope]

    @property
    def top(self) -> Scope | None:
        """The SELECT whose rows are shown."""
        return self.scopes[0] if self.scopes else None

    def aggregates(self) -> set[str]:
        """The aggregate functions used anywhere, by sqlglot's class names."""
        return {type(node).__name__ for node in self.tree.find_all(exp.AggFunc)}

    def places(self) -> set[str]:
        """Every stored column that is named, as table.column."""
        return {place.name for scope in self.scopes for column in _own(scope.select, exp.Column) if (place := scope.place(column))}  # type: ignore[arg-type]  # fmt: skip

    def tables(self) -> set[str]:
        """Every stored table that is read."""
        return {table.full_name for scope in self.scopes for table in scope.tables.values()}

    def literals(self) -> set[str]:
        """Every literal, folded."""
        return {str(node.this).casefold() for node in self.tree.find_all(exp.Literal)}

    def compared(self) -> Iterator[Compared]:
        """Every comparison of a column with a literal, also through a function."""
        for scope in self.scopes:
            for node in _own(scope.select, *COMPARISONS):
                column = next(iter(node.find_all(exp.Column)), None)
                place = scope.place(column) if column is not None else None
                for literal in _values(node):
                    last = isinstance(node, exp.Between) and literal is node.args.get("high")
                    yield Compared(place, type(node).__name__, str(literal.this), literal.is_string, last)


def _values(node: exp.Expr) -> Iterator[exp.Literal]:
    """The literals something is compared with; arguments of functions, such as formats, are none."""
    sides = [node.this, node.args.get("expression"), node.args.get("low"), node.args.get("high"), *node.expressions]
    for side in sides:
        while isinstance(side, exp.Paren | exp.Neg | exp.Cast | exp.Date | exp.Timestamp | exp.TsOrDsToDate):
            side = side.this
        if isinstance(side, exp.Literal):
            yield side


def _own(select: exp.Select, *kinds: type[exp.Expr]) -> Iterator[exp.Expr]:
    """Nodes of a SELECT that are not of one inside it."""
    for node in select.find_all(*kinds):
        if node.find_ancestor(exp.Select) is select or node is select:
            yield node


def read_statement(sql: str, catalog: Catalog) -> Statement | None:
    """The parts of a statement; None where it cannot be read."""
    try:
        tree = sqlglot.parse_one(sql, dialect=catalog.dialect)
    except UNREADABLE:
        return None
    if catalog.dialect == "sqlite":
        read_texts(tree, sql, catalog)
    known = {table.name.casefold(): table for table in catalog.tables}
    selects = [tree, *(s for s in tree.find_all(exp.Select) if s is not tree)] if isinstance(tree, exp.Select) else list(tree.find_all(exp.Select))  # fmt: skip
    return Statement(tree, [_scope(select, known) for select in selects if isinstance(select, exp.Select)])


def _scope(select: exp.Select, known: Mapping[str, Table]) -> Scope:
    found = {
        table.alias_or_name.casefold(): known[table.name.casefold()]
        for table in _own(select, exp.Table)
        if table.name.casefold() in known
    }
    return Scope(select, found)


def find_multiplied(scope: Scope) -> tuple[Place, Table] | None:
    """A column that is added up after its rows were multiplied: a join to several rows of another table for each."""
    edges = list(_edges(scope))
    for node in _own(scope.select, *ADDING):
        inside = [column for column in node.find_all(exp.Column) if column.find_ancestor(exp.Select) is scope.select]
        places = [place for column in inside if (place := scope.place(column))]
        if not places or node.find(exp.Distinct, exp.Case) or len(places) != len(inside):
            continue
        if isinstance(node, exp.Count) and not is_key(places[0]):
            continue
        owners = [name for name, table in scope.tables.items() if any(table is place.table for place in places)]
        many = [_many(owner, edges) for owner in owners]
        if all(many):
            return places[0], scope.tables[many[0] or ""]
    return None


def joined_many(scope: Scope, alias: str) -> Table | None:
    """A table joined to this one that has several rows for each of its own."""
    many = _many(alias, list(_edges(scope)))
    return scope.tables[many] if many else None


def is_key(place: Place) -> bool:
    """Whether a column alone tells the rows of its table apart."""
    column = place.table.column(place.column)
    return bool(column and column.primary_key) and sum(each.primary_key for each in place.table.columns) == 1


def _edges(scope: Scope) -> Iterator[tuple[str, str, bool]]:
    """Joins as (from, to, whether many rows of `to` may fit one of `from`), both ways."""
    used: dict[tuple[str, str], set[str]] = {}
    for node in _own(scope.select, exp.EQ):
        left, right = node.this, node.args["expression"]
        if not (isinstance(left, exp.Column) and isinstance(right, exp.Column) and left.table and right.table):
            continue
        a, b = left.table.casefold(), right.table.casefold()
        one, other = scope.place(left), scope.place(right)
        if a != b and one is not None and other is not None:
            used.setdefault((a, b), set()).add(other.column)
            used.setdefault((b, a), set()).add(one.column)
    for (origin, target), columns in used.items():
        key = {column.name for column in scope.tables[target].columns if column.primary_key}
        yield origin, target, not (key and key <= columns)


def _many(start: str, edges: list[tuple[str, str, bool]]) -> str | None:
    """The first table on a way from `start` that has several rows for one."""
    seen, queue = {start}, [start]
    while queue:
        here = queue.pop(0)
        for origin, target, many in edges:
            if origin == here and target not in seen:
                if many:
                    return target
                seen.add(target)
                queue.append(target)
    return None
