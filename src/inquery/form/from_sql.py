"""From SQL (SQLite) to the form, for training and for measures; what the form cannot say raises Unsupported with why.

One meaning gets one form however the SQL spells it, since a small model learns from 7,000 queries of many hands: dates
become periods, keys become their tables, IN and EXISTS become `any`, counts under a condition become shares.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from sqlglot import ErrorLevel, exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.form.ast import (
    Agg,
    Aggregate,
    AllColumns,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Comparison,
    Compound,
    Condition,
    Days,
    Edition,
    Expr,
    Fallback,
    Holds,
    Literal,
    Not,
    Operator,
    Or,
    Over,
    Predicate,
    Query,
    Related,
    SetOperator,
    Sort,
    TableRef,
    Unit,
    has_aggregate,
    has_window,
    rebuild_tree,
    time_keys,
    walk_tree,
)
from inquery.form.date_units import unit_of
from inquery.form.join_paths import FormSchema
from inquery.form.sql_shapes import merge_queries, split_tests
from inquery.form.sql_sources import (
    ReadTable,
    ReadWindow,
    SelectNames,
    Unsupported,
    as_related,
    choose_sources,
    find_table,
    name_sources,
)
from inquery.sql.catalog import Column
from inquery.sql.stored_dates import StoredDate, stored_date
from inquery.sql.stored_numbers import bare, stored_number

__all__ = ["Unsupported", "from_sql"]

_SET_OPERATORS: dict[type[exp.Expr], SetOperator] = {
    exp.Union: "union",
    exp.Intersect: "intersect",
    exp.Except: "except",
}
_CLAUSES = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct", "kind"}
_COMPARISONS: dict[type[exp.Expr], Comparison] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
}
_FLIPPED: dict[Comparison, Comparison] = {"=": "=", "!=": "!=", ">": "<", ">=": "<=", "<": ">", "<=": ">="}
_OPPOSITE: dict[str, Comparison] = {"in": "not in", "is null": "not null", "has": "not has", "=": "!=", "!=": "="}
_ARITHMETIC: dict[type[exp.Expr], Operator] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_AGGREGATES: dict[type[exp.Expr], Aggregate] = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max"}
_UNITS: dict[str, Unit] = {
    "%Y": "year",
    "%Y-%m": "month",
    "%Y-%m-%d": "day",
    "%m": "monthno",
    "%w": "weekday",
    "%H": "hour",
}
_TEXT_UNITS: dict[tuple[int, int], Unit] = {
    (1, 4): "year",
    (1, 7): "month",
    (1, 10): "day",
    (6, 2): "monthno",
    (12, 2): "hour",
}
"""Where the parts of 2024-03-31 17:05 stand in its text."""
_PLAIN_UNITS: dict[tuple[int, int], Unit] = {(1, 4): "year", (1, 6): "month", (1, 8): "day", (5, 2): "monthno"}
"""Where the parts of 20240331 stand."""
_ISO_DAY = re.compile(r"(?!9999)\d{4}-\d\d-\d\d$")  # 9999-12-31 is no day but "for ever"
_ISO_START = re.compile(r"\d{4}-\d\d-\d\d")
_DATE_TYPE = re.compile(r"date|time", re.I)
_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float", re.I)
_QUARTER = re.compile(r"caststrftime'%m',.*asinteger(\+2/3|-1/3\+1)")
"""(month + 2) / 3 or (month - 1) / 3 + 1, without parentheses and spaces."""
_ONE, _HUNDRED = Literal(1, "number"), Literal(100, "number")


def from_sql(
    sql: str,
    schema: FormSchema,
    has_nulls: Callable[[str, str], bool] | None = None,
    edition: Edition = "D",
) -> Query:
    """The form of a SQLite query, in canonical spelling, with the words of an edition.

    `has_nulls` tells whether a column of a table holds nulls; where it holds none, COUNT(column) is plain count.
    """
    try:
        tree = parse_one(sql, dialect="sqlite", error_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise Unsupported("SQL that does not parse") from error
    if edition == "E":
        tree = merge_queries(tree, schema)
    return SqlReader(schema, has_nulls, edition).query(tree, None)


class SqlReader:
    """Reads one statement: its sources, its ties to the query around, its clauses, expressions, conditions."""

    def __init__(
        self, schema: FormSchema, has_nulls: Callable[[str, str], bool] | None = None, edition: Edition = "D"
    ) -> None:
        self.schema = schema
        self.new = edition == "E"
        """Whether the words of round E may be used; without them everything reads as it did for round D."""
        self.has_nulls = has_nulls or (lambda table, column: True)

    def query(self, node: exp.Expr, outer: SelectNames | None) -> Query:
        node = node.unnest() if isinstance(node, exp.Subquery) else node
        if isinstance(node, exp.Select):
            return self.select(node, outer)
        op = _SET_OPERATORS.get(type(node))
        if op is None or not isinstance(node, exp.SetOperation):
            raise Unsupported(f"statement {type(node).__name__}")
        if node.args.get("order") or node.args.get("limit") or node.args.get("distinct") is False:
            raise Unsupported("set operation with ALL, ORDER BY or LIMIT of its own")
        left = self.query(node.this, outer)
        if isinstance(left, Compound):
            raise Unsupported("set operation of more than two queries")
        return Compound(op, left, self.query(node.expression, outer))

    def select(self, node: exp.Select, outer: SelectNames | None) -> Block:
        extra = {key for key, value in node.args.items() if value} - _CLAUSES - ({"qualify"} if self.new else set())
        if extra:
            raise Unsupported(f"clause {sorted(extra)[0]}")
        derived = self.derived(node, outer)
        if derived:
            return derived
        names = SelectNames(self.schema, outer=outer)
        filters = self.read_sources(node, names)
        tests = [*filters, *_conjuncts(node.args.get("where"))]
        tests = self.take_joins(tests, names)
        name_sources(names, chained=self.new)
        same, tests = self.take_ties(tests, names)
        show = tuple(self.item(item, names) for item in node.expressions)
        # Only now: an item cannot refer to an alias, so `SUM(total) AS total` sums the column.
        names.aliases = {i.alias.casefold(): e for i, e in zip(node.expressions, show, strict=True) if i.alias}
        where = _all_of([self.condition(test, names) for test in tests])
        where = _without_repeats(where) if self.new else where
        having = node.args.get("having")
        block = Block(
            sources=(),
            show=show,
            distinct=node.args.get("distinct") is not None,
            where=where,
            same=same,
            by=tuple(self.keys(node, show, names)),
            having=self.condition(having.this, names) if having else None,
            sort=tuple(self.sort(item, node, names) for item in _items(node, "order")),
            top=self.top(node),
        )
        if self.new:
            block = self.with_windows(block, split_tests(node.args.get("qualify")), names)
            if any(map(_is_whole, walk_tree(block))):
                raise Unsupported("window over all groups other than a share")
            block = self.with_display(block, names)
        if not names.reads:
            return block
        # Which sources may be left out depends on what the rest of the block names, so they are chosen last.
        refs = (n for n in walk_tree(block) if isinstance(n, ColumnRef | TableRef | AllColumns))
        used = [ref.source for ref in refs if ref.source]
        return replace(block, sources=choose_sources(names, used, several=self.new))

    def derived(self, node: exp.Select, outer: SelectNames | None) -> Block | None:
        """An aggregate over a nested query: SELECT COUNT(*) FROM (SELECT …)."""
        source = node.args.get("from_")
        if source is None or not isinstance(source.this, exp.Subquery):
            return None
        bare = not any(node.args.get(key) for key in ("joins", "where", "group", "having", "order", "limit"))
        if not bare or len(node.expressions) != 1:
            raise Unsupported("nested query in FROM")
        found = node.expressions[0].unalias()
        inner = self.query(source.this, outer)
        if isinstance(found, exp.Count) and isinstance(found.this, exp.Star):
            return Block((), (Agg("count", inner),))
        func = _AGGREGATES.get(type(found))
        if func and isinstance(found.this, exp.Column):
            shown = source.this.this.selects
            if len(shown) == 1 and shown[0].alias_or_name.casefold() == found.this.name.casefold():
                return Block((), (Agg(func, inner),))
        raise Unsupported("nested query in FROM")

    def read_sources(self, node: exp.Select, names: SelectNames) -> list[exp.Expr]:
        """Fill in the reads and equalities of FROM and JOIN; what else ON says comes back as filters."""
        source = node.args.get("from_")
        if source is None:
            return []
        self.add_read(source.this, names, optional=False)
        joins = node.args.get("joins") or []
        for join in joins:
            if join.side not in ("", "LEFT") or join.args.get("using") or join.method:
                raise Unsupported("join other than inner or left")
            self.add_read(join.this, names, optional=join.side == "LEFT")
        filters: list[exp.Expr] = []
        for join in joins:
            for test in _conjuncts(join.args.get("on")):
                if self.take_equality(test, names):
                    continue
                read = names.by_alias(join.this.alias_or_name)
                # In a left join's ON a filter drops no row of the other side: it counts only for that table, so the
                # aggregates over the table carry it.
                if join.side == "LEFT" and read:
                    read.filters.append(test)
                else:
                    filters.append(test)
        return filters

    def add_read(self, node: exp.Expr, names: SelectNames, *, optional: bool) -> None:
        if not isinstance(node, exp.Table):
            raise Unsupported("nested query in FROM")
        names.reads.append(ReadTable(node.alias_or_name, find_table(self.schema, node.name), optional))

    def take_equality(self, test: exp.Expr, names: SelectNames) -> bool:
        """Note a test that equates columns of two reads as a join."""
        if isinstance(test, exp.Boolean) and test.this:
            return True
        if not (
            isinstance(test, exp.EQ) and isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Column)
        ):
            return False
        left, right = names.place(test.this), names.place(test.expression)
        if not left or not right or left[0] is right[0]:
            return False
        if not (names.is_own(test.this) and names.is_own(test.expression)):
            return False
        names.equalities.append(((left[0].alias, left[1]), (right[0].alias, right[1])))
        return True

    def take_joins(self, tests: list[exp.Expr], names: SelectNames) -> list[exp.Expr]:
        """Joins written in WHERE become joins where the sources do not connect otherwise; the other tests come back."""
        left: list[exp.Expr] = []
        for test in tests:
            # Between tables that are joined already an equality is a filter: home.city = away.city.
            if not (names.count_pieces() > 1 and self.take_equality(test, names)):
                left.append(test)
        if names.count_pieces() > 1:
            raise Unsupported("join without a condition")
        return left

    def take_ties(
        self, tests: list[exp.Expr], names: SelectNames
    ) -> tuple[tuple[ColumnRef | TableRef, ...], list[exp.Expr]]:
        """The `same` keys of a query nested in another, and the tests that are none."""
        same: list[ColumnRef | TableRef] = []
        left: list[exp.Expr] = []
        for test in tests:
            tie = self.tie(test, names)
            if tie:
                same.append(tie)
            else:
                left.append(test)
        return tuple(same), left

    def tie(self, test: exp.Expr, names: SelectNames) -> ColumnRef | TableRef | None:
        """The `same` key for inner.column = outer.column."""
        if names.outer is None or not isinstance(test, exp.EQ):
            return None
        sides = [test.this, test.expression]
        if not all(isinstance(side, exp.Column) for side in sides):
            return None
        sides.sort(key=lambda side: not names.is_own(side))
        inner, outer = names.place(sides[0]), names.place(sides[1])
        if not inner or not outer or names.is_own(sides[1]) or not names.is_own(sides[0]):
            return None
        if inner[0].name == outer[0].name and inner[1] == outer[1]:
            return ColumnRef(inner[0].name, inner[1])
        hidden = names.by_name(outer[0].name) is not None
        if self.is_edge(inner[0].table, inner[1], outer[0].table, outer[1]) and not hidden:
            return TableRef(outer[0].name)
        key = self.key_of_tie(inner, outer, names) if self.new else None
        if key is not None:
            return key
        # A source of this query has the outer one's name, and the form has no other word for that.
        if hidden:
            raise Unsupported("correlation between different columns of one table")
        return None

    def key_of_tie(
        self, inner: tuple[ReadTable, str], outer: tuple[ReadTable, str], names: SelectNames
    ) -> ColumnRef | None:
        """The column that is a key to the other table, where the graph would choose another one."""
        around = names.outer
        for (child, own), (parent, far) in ((inner, outer), (outer, inner)):
            ends = (child.table, (own,), parent.table, (far,))
            found = any(
                (edge.child, edge.child_columns, edge.parent, edge.parent_columns) == ends
                for edge in self.schema.edges[child.table]
            )
            # Its name must mean one of the two queries, and the first source of the other's table is the one it leads to.
            others = around.reads if around is not None and child is inner[0] else names.reads
            first = next((read for read in others if read.table == parent.table), None)
            both = (
                names.by_name(child.name) is not None and around is not None and around.by_name(child.name) is not None
            )
            if found and first is parent and not both:
                return ColumnRef(child.name, own)
        return None

    def is_edge(self, table: str, own: str, other: str, far: str) -> bool:
        """Whether the pair is the way the graph joins the two tables."""
        path = self.schema.path([other], {table})
        if not path or len(path) != 1:
            return False
        edge = path[0].edge
        return (edge.child, edge.child_columns, edge.parent, edge.parent_columns) in (
            (table, (own,), other, (far,)),
            (other, (far,), table, (own,)),
        )

    def item(self, node: exp.Expr, names: SelectNames) -> Expr:
        node = node.unalias()
        if isinstance(node, exp.Star):
            return AllColumns()
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
            read = names.by_alias(node.table)
            return AllColumns(read.name if read else None)
        return self.expr(node, names)

    def keys(self, node: exp.Select, show: Sequence[Expr], names: SelectNames) -> list[Expr | TableRef]:
        """The keys of GROUP BY: a table for its primary key, without the columns that the table decides."""
        return self.keys_of([self.expr(_output(item, node), names) for item in _items(node, "group")], show, names)

    def keys_of(
        self, given: Sequence[Expr], show: Sequence[Expr | TableRef], names: SelectNames
    ) -> list[Expr | TableRef]:
        found: list[Expr | TableRef] = []
        for key in given:
            found.append(self.table_of_key(key, show, names) if isinstance(key, ColumnRef) else key)
        keys = list(dict.fromkeys(found))
        for read in names.reads:
            columns = self.schema.primary_key(read.table)
            refs = [ColumnRef(read.name, column) for column in columns]
            if len(columns) > 1 and all(ref in keys for ref in refs):
                keys[keys.index(refs[0])] = TableRef(read.name)
        tables = {key.source for key in keys if isinstance(key, TableRef)}
        return [key for key in keys if not (isinstance(key, ColumnRef) and key.source in tables)]

    def table_of_key(self, key: ColumnRef, show: Sequence[Expr | TableRef], names: SelectNames) -> ColumnRef | TableRef:
        """A table in place of its primary key, also where the key column is joined to it.

        `GROUP BY orders.customer_id` beside a customer's name means the customer, so a table that is shown goes first.
        """
        place = (key.source, key.column)
        equal = next((c for c in names.equal_columns() if place in c), frozenset([place]))
        shown = {item.source for item in show if isinstance(item, ColumnRef)}
        tables = [
            read.name
            for read in names.reads
            for column in self.schema.primary_key(read.table)
            if (read.name, column) in equal and len(self.schema.primary_key(read.table)) == 1
        ]
        tables.sort(key=lambda name: name not in shown)
        return TableRef(tables[0]) if tables else key

    def sort(self, node: exp.Expr, select: exp.Select, names: SelectNames) -> Sort:
        assert isinstance(node, exp.Ordered)
        key = _output(node.this, select)
        # Here, and nowhere else, SQLite takes a bare name for an item shown before it looks among the columns.
        shown = names.aliases.get(key.name.casefold()) if isinstance(key, exp.Column) and not key.table else None
        return Sort(self.expr(key, names) if shown is None else shown, bool(node.args.get("desc")))

    def with_display(self, block: Block, names: SelectNames) -> Block:
        """The block with a table in place of the column that names its rows to people."""

        def named(item: Expr | TableRef) -> Expr | TableRef:
            read = names.by_name(item.source) if isinstance(item, ColumnRef) else None
            if read is None or read.of or not isinstance(item, ColumnRef) or not self.schema.has_display(read.table):
                return item
            return TableRef(item.source) if self.schema.display(read.table) == (item.column,) else item

        return replace(block, show=tuple(map(named, block.show)))

    def with_windows(self, block: Block, tests: Sequence[exp.Expr], names: SelectNames) -> Block:
        """The block with the rank it keeps, and with the keys in the order in which its windows go through them."""
        ranked = [test for test in tests if self.most(test) is not None]
        for test in ranked:
            self.expr(cast(exp.Binary, test).this, names)
        others = [self.condition(test, names) for test in tests if test not in ranked]
        series = [found for found in names.windows if found.ranked is None]
        if series:
            block = self.in_series(block, series, names)
        if others and not (series or ranked):
            raise Unsupported("condition on a window")
        if others and ranked and not series:
            # What is left of a ranking is chosen from once more, which one block cannot say.
            raise Unsupported("condition beside a ranking")
        if others:
            block = replace(block, having=_all_of([*([block.having] if block.having else []), *others]))
        places = {found.ranked for found in names.windows if found.ranked is not None}
        if len(places) > 1:
            raise Unsupported("several rankings")
        if not places:
            return block
        keys, sorts = next(iter(places))
        per = tuple(self.keys_of(keys, block.show, names))
        if ranked:
            number = self.most(ranked[0])
            if len(ranked) > 1 or block.top or number is None:
                raise Unsupported("several rankings")
            return replace(block, sort=sorts, top=Literal(number, "number"), per=per)
        if per:
            raise Unsupported("rank within groups, all of them")
        by_rank = tuple(sort for sort in block.sort if not isinstance(sort.expr, Over))
        if by_rank and by_rank[: len(sorts)] != sorts:
            raise Unsupported("rank in another order")
        return replace(block, sort=sorts)

    def most(self, test: exp.Expr) -> int | None:
        """The n of RANK() … <= n."""
        windows = (exp.Rank, exp.RowNumber, exp.DenseRank)
        if not isinstance(test, exp.Binary) or not isinstance(test.this.unnest(), exp.Window):
            return None
        if not isinstance(test.this.unnest().this, windows) or not isinstance(test.expression, exp.Literal):
            return None
        number = int(float(test.expression.this))
        if isinstance(test, exp.LTE) or (isinstance(test, exp.EQ) and number == 1):
            return number
        return number - 1 if isinstance(test, exp.LT) else None

    def in_series(self, block: Block, series: Sequence[ReadWindow], names: SelectNames) -> Block:
        """The block whose keys end with those that its windows go by."""
        ways = {(found.keys, found.order) for found in series}
        if len(ways) != 1:
            raise Unsupported("windows of several kinds")
        keys, order = next(iter(ways))
        if not block.by:
            block = self.summed(block, keys, order)
        way = self.keys_of(order, block.show, names)
        apart = self.keys_of(keys, block.show, names)
        by = (*(key for key in block.by if key not in way), *way)
        if set(by) != {*block.by, *way} or set(time_keys(by)) != set(way) or set(by) - set(way) != set(apart):
            raise Unsupported("window over other keys than those of the groups")
        return replace(block, by=by)

    def summed(self, block: Block, keys: Sequence[Expr], order: Sequence[Expr]) -> Block:
        """Rows that are one for each key, as groups: a table of months has its figures added up already."""
        if block.having or any(has_aggregate(e) and not has_window(e) for e in block.show):
            raise Unsupported("window over rows")
        given = {*keys, *order}

        def group(node: object) -> object:
            if isinstance(node, Over) and isinstance(node.of, ColumnRef | Arith):
                return Over(node.func, Agg("sum", node.of))
            return node

        def item(expr: Expr | TableRef) -> Expr | TableRef:
            made = rebuild_tree(expr, group)
            return (
                Agg("sum", made)
                if isinstance(made, ColumnRef | Arith) and not has_window(made) and made not in given
                else made
            )

        show = tuple(map(item, block.show))
        sort = tuple(replace(sort, expr=cast(Expr, item(sort.expr))) for sort in block.sort)
        return replace(block, show=show, sort=sort, by=(*keys, *order))

    def window(self, node: exp.Window, names: SelectNames) -> Expr:
        """Rank, LAG and SUM over an order; SUM without one is a whole, of which something is a share."""
        if not self.new or node.args.get("spec"):
            raise Unsupported("expression Window")
        keys = tuple(self.expr(key, names) for key in node.args.get("partition_by") or ())
        order = node.args.get("order")
        sorts = (
            tuple(Sort(self.expr(o.this, names), bool(o.args.get("desc"))) for o in order.expressions) if order else ()
        )
        func = node.this
        if isinstance(func, exp.Rank | exp.RowNumber | exp.DenseRank):
            names.windows.append(ReadWindow(ranked=(keys, sorts)))
            return Over("rank")
        way = tuple(sort.expr for sort in sorts)
        if isinstance(func, exp.Sum) and not way:
            of = self.expr(func.this, names)
            if not isinstance(of, Agg):
                raise Unsupported("window over rows")
            return Agg("sum", of, per=tuple(self.keys_of(keys, (), names)))
        if any(sort.descending for sort in sorts) or not way:
            raise Unsupported("expression Window")
        names.windows.append(ReadWindow(keys, way))
        if isinstance(func, exp.Sum):
            return Over("running", self.expr(func.this, names))
        offset = func.args.get("offset") if isinstance(func, exp.Lag) else None
        if isinstance(func, exp.Lag) and (offset is None or _is_number(offset, 1)):
            return Over("previous", self.expr(func.this, names))
        raise Unsupported("expression Window")

    def top(self, node: exp.Select) -> Literal | None:
        limit = node.args.get("limit")
        if limit is None:
            return None
        value = limit.expression
        if not isinstance(value, exp.Literal) or value.is_string:
            raise Unsupported("limit that is no number")
        return Literal(int(value.this), "number")

    def expr(self, node: exp.Expr, names: SelectNames) -> Expr:
        if isinstance(node, exp.Paren):
            return self.expr(node.this, names)
        if isinstance(node, exp.Column):
            return self.column(node, names)
        if isinstance(node, exp.Literal):
            return _literal(node)
        if isinstance(node, exp.Neg):
            return self.negative(node, names)
        if isinstance(node, exp.Subquery):
            return _without_block(self.query(node, names))
        if isinstance(node, exp.Cast):
            return self.cast(node, names)
        if isinstance(node, exp.Coalesce):
            return self.zero_for_nothing(node, names)
        if self.new:
            found = self.new_expr(node, names)
            if found is not None:
                return found
        if isinstance(node, exp.Round):  # how a figure is shown, which is not the form's business
            return self.expr(node.this, names)
        if isinstance(node, exp.Count | exp.AggFunc):
            return self.aggregate(node, names)
        if type(node) in _ARITHMETIC:
            return self.arithmetic(cast(exp.Binary, node), names)
        return self.date_part(node, names)

    def new_expr(self, node: exp.Expr, names: SelectNames) -> Expr | None:
        """Expressions that round E has words for."""
        if isinstance(node, exp.Window):
            return self.window(node, names)
        if isinstance(node, exp.Substring):
            return self.part_of_text(node, names)
        if isinstance(node, exp.Nullif) and _is_number(node.expression, 0):
            return self.expr(node.this, names)  # the form divides by zero without an error anyway
        if isinstance(node, exp.Case):
            return self.choice(node, names)
        if isinstance(node, exp.Predicate | exp.And | exp.Or | exp.Not) and not isinstance(node, exp.SubqueryPredicate):
            return _held(self.condition(node, names))
        return None

    def choice(self, node: exp.Case, names: SelectNames) -> Holds:
        """CASE WHEN test THEN 1 ELSE 0 END, or with two labels in place of 1 and 0, which are how it is shown."""
        branches, other = node.args["ifs"], node.args.get("default")
        if len(branches) != 1 or node.this is not None or not isinstance(other, exp.Literal):
            raise Unsupported("CASE with several branches")
        value = branches[0].args["true"]
        if not isinstance(value, exp.Literal) or value.is_string != other.is_string:
            raise Unsupported("expression Case")
        test = self.condition(branches[0].this, names)
        if value.is_string or (_is_number(value, 1) and _is_number(other, 0)):
            return _held(test)
        raise Unsupported("expression Case")

    def part_of_text(self, node: exp.Substring, names: SelectNames) -> Expr:
        """SUBSTR(day, 1, 7) of a date written as 2024-03-31 is its month."""
        start, length = node.args.get("start"), node.args.get("length")
        of = self.expr(node.this, names)
        if not isinstance(of, ColumnRef) or not isinstance(start, exp.Literal) or not isinstance(length, exp.Literal):
            raise Unsupported("expression Substring")
        stored = self.stored(of, names)
        unit = (_PLAIN_UNITS if stored else _TEXT_UNITS).get((int(start.this), int(length.this)))
        if unit is None or not (stored or self.is_date(of, names)):
            raise Unsupported("expression Substring")
        return Bucket(unit, of)

    def is_date(self, ref: ColumnRef, names: SelectNames | None) -> bool:
        """Whether a column holds dates, by its type or by what it holds."""
        column = self.column_of(ref, names)
        if column is None or _NUMBER_TYPE.search(column.type):
            return False
        texts = bool(column.samples) and all(_ISO_START.match(sample) for sample in column.samples)
        return texts or (bool(_DATE_TYPE.search(column.type)) and not column.samples)

    def column(self, node: exp.Column, names: SelectNames) -> Expr:
        found = names.resolve(node)
        if found is not None:
            return found
        # SQLite reads a name in double quotes that no column has as a text.
        if node.this.quoted and not node.table:
            return Literal(node.name, "text")
        raise Unsupported("unknown column")

    def negative(self, node: exp.Neg, names: SelectNames) -> Expr:
        """A negative number, or zero minus an expression: the form has no sign of its own."""
        inner = self.expr(node.this, names)
        if isinstance(inner, Literal) and isinstance(inner.value, int | float):
            return Literal(-inner.value, "number")
        if not self.is_number(inner, names):
            raise Unsupported("negated expression")
        return Arith("-", Literal(0, "number"), inner)

    def cast(self, node: exp.Cast, names: SelectNames) -> Expr:
        """What is cast, where the cast changes nothing: CAST(count AS REAL) only keeps SQLite from whole division."""
        inner = self.expr(bare(node.this), names)
        number = node.to.is_type(*exp.DataType.NUMERIC_TYPES)
        if number and isinstance(inner, ColumnRef) and (kept := self.column_of(inner, names)) and stored_number(kept):
            return inner
        if bare(node.this) is not node.this:
            raise Unsupported("CAST that changes a value")
        # A part of a date is the same figure as text and as a number; `value` compares it with either.
        if number and isinstance(inner, Bucket):
            return inner
        whole = node.to.is_type(*exp.DataType.INTEGER_TYPES)
        if self.new and whole and isinstance(inner, Days):
            return inner  # between two days there are whole days
        if number and (self.is_whole(inner, names) if whole else self.is_number(inner, names)):
            return inner
        raise Unsupported("CAST that changes a value")

    def is_number(self, expr: Expr, names: SelectNames) -> bool:
        match expr:
            case ColumnRef():
                return bool(_NUMBER_TYPE.search(self.type_of(expr, names)))
            case Agg("min" | "max", of):
                return isinstance(of, ColumnRef | Arith | Days) and self.is_number(of, names)
            case Agg() | Arith() | Days():
                return True
            case Literal():
                return expr.kind == "number"
            case Block(show=(Agg(func),)):
                return func not in ("min", "max")
        return False

    def is_whole(self, expr: Expr, names: SelectNames) -> bool:
        if isinstance(expr, ColumnRef):
            return "int" in self.type_of(expr, names).lower()
        return isinstance(expr, Agg) and expr.func == "count"

    def zero_for_nothing(self, node: exp.Coalesce, names: SelectNames) -> Expr:
        """A sum in COALESCE(SUM(…), 0).

        The form says so itself where the source is optional. Elsewhere the two differ only where there is nothing to
        add, and a measure written so would be lost if it were refused.
        """
        inner = self.expr(node.this, names) if _has_zero(node) or self.new else None
        if isinstance(inner, Agg) and inner.func in ("sum", "count") and _has_zero(node):
            return inner
        if self.new and inner is not None and len(node.expressions) == 1:
            counts = isinstance(inner, Block) and isinstance(inner.show[0], Agg) and inner.show[0].func == "count"
            if counts and _has_zero(node):
                return inner  # where there are none, none are counted
            other = self.expr(node.expressions[0], names)
            if isinstance(other, Literal | ColumnRef):
                return Fallback(inner, other)
        raise Unsupported("COALESCE other than zero for an empty sum")

    def aggregate(self, node: exp.Expr, names: SelectNames) -> Expr:
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
        truth = exp.Predicate | exp.And | exp.Or | exp.Not
        if self.new and isinstance(inner.unnest(), truth) and func in ("sum", "avg") and not distinct:
            return Agg("count" if func == "sum" else "share", None, False, self.condition(inner, names))
        if func == "sum" and isinstance(inner, exp.Coalesce) and _has_zero(inner):
            inner = inner.this  # a sum leaves out what is not known anyway
        return self.filtered(Agg(func, self.expr(inner, names), distinct), names)

    def filtered(self, agg: Agg, names: SelectNames) -> Agg:
        """An aggregate over a left-joined table takes over the filter of that join."""
        read = names.by_name(agg.of.source) if isinstance(agg.of, ColumnRef | TableRef) else None
        if read is None or not read.filters or agg.where:
            return agg
        found = [self.condition(test, names) for test in read.filters]
        return Agg(agg.func, agg.of, agg.distinct, found[0] if len(found) == 1 else And(tuple(found)))

    def count(self, inner: exp.Expr, distinct: bool, names: SelectNames) -> Expr:
        if isinstance(inner, exp.Star | exp.Literal):  # COUNT(1) is COUNT(*)
            return Agg("count")
        if isinstance(inner, exp.Case):
            return self.conditional("count", inner, distinct, names)
        of = self.expr(inner, names)
        if not isinstance(of, ColumnRef) or distinct:
            return self.filtered(Agg("count", of, distinct), names)
        read = names.by_name(of.source)
        column = self.schema.tables[read.table].column(of.column) if read else None
        # Of a left-joined table any column counts the rows that are there, so the form names the table.
        if read and read.optional:
            return self.filtered(Agg("count", TableRef(of.source)), names)
        if read and column and (column.primary_key or not self.has_nulls(read.table, column.name)):
            return Agg("count")
        return Agg("count", of)

    def conditional(self, func: Aggregate, case: exp.Case, distinct: bool, names: SelectNames) -> Expr:
        """AGG(CASE WHEN test THEN value [ELSE 0] END)."""
        if self.new and func == "sum" and not distinct:
            signed = self.signed(case, names)
            if signed is not None:
                return signed
        if len(case.args["ifs"]) != 1 or case.this is not None:
            raise Unsupported("CASE with several branches")
        branch, other = case.args["ifs"][0], case.args.get("default")
        test, value = self.condition(branch.this, names), branch.args["true"]
        zero = other is None or _is_number(other, 0) or isinstance(other, exp.Null)
        if _is_number(value, 1) and zero and not distinct:
            # Without ELSE 0 the average is of ones alone, and no share.
            if func == "avg" and other is not None:
                return Agg("share", None, False, test)
            if func in ("sum", "count"):
                return Agg("count", None, False, test)
        if not zero or (other is not None and func in ("avg", "min", "max") and not isinstance(other, exp.Null)):
            raise Unsupported("CASE other than a filter in an aggregate")
        return Agg(func, self.expr(value, names), distinct, test)

    def signed(self, case: exp.Case, names: SelectNames) -> Expr | None:
        """SUM(CASE kind WHEN 'in' THEN amount ELSE -amount END): a sum for each branch, added up or taken away."""
        branches, other = case.args["ifs"], case.args.get("default")
        plain = other is None or isinstance(other, exp.Null) or _is_number(other, 0)
        if len(branches) == 1 and plain:
            return None
        tests: list[Condition] = []
        for branch in branches:
            test = exp.EQ(this=case.this.copy(), expression=branch.this.copy()) if case.this else branch.this
            tests.append(self.condition(test, names))
        # Branches must not overlap, which is sure where each asks for another value of one column.
        alike = {(t.left, t.op) for t in tests if isinstance(t, Predicate) and isinstance(t.right, Literal)}
        if len(tests) > 1 and (len(alike) != 1 or next(iter(alike))[1] != "="):
            return None
        parts = [self.signed_part(b.args["true"], t, names) for b, t in zip(branches, tests, strict=True)]
        if other is not None and not plain:
            left = [t for t in tests if isinstance(t, Predicate) and t.op == "=" and isinstance(t.right, Literal)]
            if len(left) != len(tests):
                return None
            opposite = (
                Predicate("!=", left[0].left, left[0].right)
                if len(left) == 1
                else Predicate("not in", left[0].left, tuple(cast(Literal, t.right) for t in left))
            )
            parts.append(self.signed_part(other, opposite, names))
        made: Expr = parts[0][1] if parts[0][0] == "+" else Arith("-", Literal(0, "number"), parts[0][1])
        for op, part in parts[1:]:
            made = Arith(op, made, part)
        return made

    def signed_part(self, value: exp.Expr, test: Condition, names: SelectNames) -> tuple[Operator, Expr]:
        """A branch's sum, and whether it is added or taken away."""
        op: Operator = "-" if isinstance(value, exp.Neg) else "+"
        inner = value.this if isinstance(value, exp.Neg) else value
        if isinstance(inner, exp.Literal) and not inner.is_string:
            number = _literal(inner)
            count = Agg("count", None, False, test)
            return op, count if number == _ONE else Arith("*", number, count)
        return op, Agg("sum", self.expr(inner, names), False, test)

    def arithmetic(self, node: exp.Binary, names: SelectNames) -> Expr:
        special = self.quarter(node, names) or self.days(node, names)
        if special:
            return special
        op = _ARITHMETIC[type(node)]
        left, right = self.expr(node.this, names), self.expr(node.expression, names)
        # 1.0 * x and x / 1 only keep SQLite from dividing whole numbers, which the form never does.
        if op == "*" and left == _ONE:
            return right
        if op in ("*", "/") and right == _ONE:
            return left
        made = Arith(op, left, right)
        return _as_span(_as_growth(_as_share_of(made))) if self.new else _as_share(made)

    def quarter(self, node: exp.Binary, names: SelectNames) -> Bucket | None:
        if not _QUARTER.fullmatch(re.sub(r"[()\s]", "", node.sql("sqlite")).lower()):
            return None
        found = node.find(exp.TimeToStr)
        part = self.date_part(found, names) if found else None
        return Bucket("quarterno", part.of) if isinstance(part, Bucket) else None

    def days(self, node: exp.Binary, names: SelectNames) -> Days | None:
        """julianday(end) - julianday(start)."""
        sides = [node.this, node.expression]
        if not isinstance(node, exp.Sub) or not all(_is_julian(side) for side in sides):
            return None
        end, start = (self.expr(side.expressions[0], names) for side in sides)
        if isinstance(end, ColumnRef) and isinstance(start, ColumnRef):
            return Days(start, end)
        if self.new:
            ends = [
                _day(str(e.value)) if isinstance(e, Literal) and _ISO_DAY.match(str(e.value)) else e
                for e in (start, end)
            ]
            if all(isinstance(e, ColumnRef | Literal) for e in ends):
                return Days(cast("ColumnRef | Literal", ends[0]), cast("ColumnRef | Literal", ends[1]))
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
        # Quarters and weeks have no pattern of strftime; they are known by the very text that `to_sql` writes.
        running = unit_of(node)
        if running:
            return Bucket(running[0], cast(ColumnRef, self.column(running[1], names)))
        name = node.name if isinstance(node, exp.Anonymous) else type(node).__name__
        raise Unsupported(f"expression {name}")

    def condition(self, node: exp.Expr, names: SelectNames) -> Condition:
        if isinstance(node, exp.Paren):
            return self.condition(node.this, names)
        if isinstance(node, exp.And):
            return And(
                (*_flat(self.condition(node.this, names), And), *_flat(self.condition(node.expression, names), And))
            )
        if isinstance(node, exp.Or):
            items = (*_flat(self.condition(node.this, names), Or), *_flat(self.condition(node.expression, names), Or))
            return _any_of(items) if self.new else Or(items)
        if isinstance(node, exp.Not):
            return self.negated(node.this, names)
        blank = self.blank(node, names) if self.new else None
        if blank is not None:
            return blank
        if node.args.get("negate"):
            positive = node.copy()
            positive.set("negate", None)
            return self.negated(positive, names)
        if isinstance(node, exp.Exists):
            return self.exists(node, names)
        return self.predicate(node, names)

    def blank(self, node: exp.Expr, names: SelectNames) -> Predicate | None:
        """COALESCE(TRIM(x), '') = '', or its opposite; x <> '' is one too, since it holds for nothing unknown."""
        if not isinstance(node, exp.EQ | exp.NEQ) or not _is_empty(node.expression):
            return None
        inner, known = node.this, False
        while isinstance(inner, exp.Coalesce | exp.Trim | exp.Paren):
            known |= isinstance(inner, exp.Coalesce) and len(inner.expressions) == 1 and _is_empty(inner.expressions[0])
            inner = inner.this
        if not isinstance(inner, exp.Column) or not (known or isinstance(node, exp.NEQ)):
            return None
        return Predicate("is blank" if isinstance(node, exp.EQ) else "not blank", self.expr(inner, names))

    def negated(self, node: exp.Expr, names: SelectNames) -> Condition:
        inner = self.condition(node, names)
        if isinstance(inner, Related):
            return Related(inner.block, not inner.negated)
        if isinstance(inner, Predicate) and inner.op in _OPPOSITE:
            opposite = Predicate(_OPPOSITE[inner.op], inner.left, inner.right)
            return as_related(opposite, names) or opposite
        return Not(inner)

    def exists(self, node: exp.Exists, names: SelectNames) -> Condition:
        member = self.as_member(node, names) if self.new else None
        if member is not None:
            return member
        block = self.query(node.this, names)
        if not isinstance(block, Block) or block.by or block.top or len(block.same) != 1:
            raise Unsupported("EXISTS other than a plain tie to the query around")
        # `any` finds its key in the graph, so the tie must be the one the graph has.
        if isinstance(block.same[0], TableRef):
            return Related(Block(block.sources, where=block.where))
        raise Unsupported("EXISTS other than a plain tie to the query around")

    def as_member(self, node: exp.Exists, names: SelectNames) -> Condition | None:
        """EXISTS tied by one column that the join graph does not tie, as `column in ( … )`."""
        query = node.this.unnest()
        if not isinstance(query, exp.Select) or any(query.args.get(key) for key in ("group", "limit", "having")):
            return None
        inside = SelectNames(self.schema, outer=names)
        try:
            self.read_sources(query, inside)
        except Unsupported:
            return None
        ties: list[tuple[exp.Expr, exp.Column, exp.Column]] = []
        for test in split_tests(query.args.get("where")):
            columns = list(test.find_all(exp.Column))
            around = [column for column in columns if not inside.is_own(column)]
            if not around:
                continue
            sides = [test.this, test.expression] if isinstance(test, exp.EQ) else []
            sides.sort(key=lambda side: not (isinstance(side, exp.Column) and inside.is_own(side)))
            if len(sides) != 2 or len(around) != 1 or not all(isinstance(side, exp.Column) for side in sides):
                return None
            ties.append((test, sides[0], sides[1]))
        if len(ties) != 1:
            return None
        tie, own, far = ties[0]
        inner, outer = inside.place(own), names.place(far)
        if not inner or not outer or self.is_edge(inner[0].table, inner[1], outer[0].table, outer[1]):
            return None
        made = query.copy()
        made.set("expressions", [own.copy()])
        rest = [test.copy() for test in split_tests(query.args.get("where")) if test is not tie]
        # Under NOT one unknown among the values would leave nothing.
        present = exp.Not(this=exp.Is(this=own.copy(), expression=exp.Null()))
        nullable = self.has_nulls(inner[0].table, inner[1])
        made.set(
            "where", exp.Where(this=exp.and_(*rest, *([present] if nullable else []))) if rest or nullable else None
        )
        return Predicate("in", self.expr(far, names), self.query(made, names))

    def predicate(self, node: exp.Expr, names: SelectNames) -> Condition:
        if type(node) in _COMPARISONS:
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
        left, right, op = node.this, node.expression, _COMPARISONS[type(node)]
        # The form has the constant or the nested query on the right, whose kind the grammar knows from the left.
        if isinstance(left, exp.Literal) or (isinstance(left, exp.Subquery) and not isinstance(right, exp.Subquery)):
            left, right, op = right, left, _FLIPPED[op]
        first = self.expr(left, names)
        second = self.value(right, first, names)
        # A year that is compared is a period: engines can use an index on the column, and the prompt has the period.
        period = _period_of_part(first, second)
        if period and isinstance(first, Bucket):
            return Predicate("in" if op == "=" else op, first.of, period)
        if isinstance(second, Literal) and second.kind == "period" and op == "=":
            op = "in"
        return Predicate(op, first, second)

    def value(self, node: exp.Expr, near: Expr, names: SelectNames) -> Expr:
        """The right side of a test, of the type that the left side has.

        An ISO date compared with a date column becomes that day's period: code finds periods in the question and the
        prompt shows them, so a period is what the model has to copy.
        """
        value = self.expr(node, names)
        stored = self.stored(near, names)
        if stored and isinstance(value, Literal) and value.kind in {"number", "text"}:
            days = stored.period(str(value.value))
            return Literal(days, "period") if days else value
        if isinstance(value, Literal) and isinstance(near, Bucket) and re.fullmatch(r"\d+", str(value.value)):
            return Literal(int(str(value.value)), "number")
        if isinstance(value, Literal) and isinstance(near, ColumnRef) and value.kind == "text":
            value = _as_number(value) if _NUMBER_TYPE.search(self.type_of(near, names)) else value
        if not isinstance(value, Literal) or not isinstance(near, ColumnRef) or not _ISO_DAY.match(str(value.value)):
            return value
        return (
            _day(str(value.value))
            if self.is_date(near, names) or _DATE_TYPE.search(self.type_of(near, names))
            else value
        )

    def stored(self, near: Expr, names: SelectNames | None) -> StoredDate | None:
        """How a column keeps days, where its engine does not know them for such."""
        column = self.column_of(near, names) if isinstance(near, ColumnRef) else None
        return stored_date(column) if column else None

    def type_of(self, ref: ColumnRef, names: SelectNames | None) -> str:
        column = self.column_of(ref, names)
        return column.type if column else ""

    def column_of(self, ref: ColumnRef, names: SelectNames | None) -> Column | None:
        while names is not None:
            read = names.by_name(ref.source)
            if read:
                return self.schema.tables[read.table].column(ref.column)
            names = names.outer
        return None

    def membership(self, node: exp.In, names: SelectNames) -> Condition:
        left = self.expr(node.this, names)
        query = node.args.get("query")
        if query is None:
            return Predicate("in", left, tuple(self.value(item, left, names) for item in node.expressions))
        inner = self.query(query, names)
        test = Predicate("in", left, inner)
        # Under NOT the operator is turned first; `negated` asks again.
        negated = isinstance(node.parent, exp.Not)
        return test if negated else as_related(test, names) or test

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


def _literal(node: exp.Literal) -> Literal:
    if node.is_string:
        return Literal(node.this, "text")
    value = float(node.this)
    return Literal(int(value) if value == int(value) else value, "number")


def _has_zero(node: exp.Coalesce) -> bool:
    """Whether it is COALESCE(x, 0)."""
    return len(node.expressions) == 1 and _is_number(node.expressions[0], 0)


def _items(node: exp.Select, clause: str) -> list[exp.Expr]:
    found = node.args.get(clause)
    return list(found.expressions) if found else []


def _output(item: exp.Expr, node: exp.Select) -> exp.Expr:
    """A key of GROUP BY or ORDER BY; one given by position is the item shown there."""
    if isinstance(item, exp.Literal) and not item.is_string:
        shown: exp.Expr = node.expressions[int(item.this) - 1]
        return shown.unalias()
    return item


def _conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    if node is None:
        return []
    if isinstance(node, exp.Where):
        return _conjuncts(node.this)
    if isinstance(node, exp.And):
        return [*_conjuncts(node.this), *_conjuncts(node.expression)]
    return [node]


def _all_of(items: list[Condition]) -> Condition | None:
    if not items:
        return None
    merged = _merge_periods(items)
    return merged[0] if len(merged) == 1 else And(tuple(merged))


def _flat(condition: Condition, kind: type[And] | type[Or]) -> tuple[Condition, ...]:
    return condition.items if isinstance(condition, kind) else (condition,)


def _as_share(node: Arith) -> Expr:
    """A count or sum under a condition over the same without it is a share; times 100 a percentage."""
    if node.op == "*" and _HUNDRED in (node.left, node.right):
        other = node.right if node.left == _HUNDRED else node.left
        if isinstance(other, Agg) and other.func == "share":
            return Agg("percent", other.of, other.distinct, other.where)
    if node.op != "/":
        return node
    part, times = node.left, False
    if isinstance(part, Arith) and part.op == "*" and _HUNDRED in (part.left, part.right):
        part, times = (part.right if part.left == _HUNDRED else part.left), True
    whole = node.right
    if isinstance(part, Agg) and isinstance(whole, Agg) and part.where and not whole.where:
        same = (part.func, part.of, part.distinct) == (whole.func, whole.of, whole.distinct)
        if same and part.func in ("count", "sum") and (part.func == "sum" or part.distinct or part.of is None):
            return Agg("percent" if times else "share", part.of, part.distinct, part.where)
    return node


def _as_share_of(node: Arith) -> Expr:
    """A figure over the same added up over all groups, or over those of some keys, is a share."""
    part, times = node.left, False
    if isinstance(part, Arith) and part.op == "*" and _HUNDRED in (part.left, part.right):
        part, times = (part.right if part.left == _HUNDRED else part.left), True
    if node.op == "/" and _is_whole(node.right):
        whole = cast(Agg, node.right)
        if part != whole.of or not isinstance(part, Agg) or part.func not in ("sum", "count") or part.where:
            raise Unsupported("window over all groups other than a share")
        if part.func == "count" and part.of is not None and not part.distinct:
            raise Unsupported("window over all groups other than a share")
        return Agg("percent" if times else "share", part.of, part.distinct, None, whole.per)
    made = _as_share(node)
    if isinstance(made, Arith) and made.op == "*" and _HUNDRED in (made.left, made.right):
        other = made.right if made.left == _HUNDRED else made.left
        if isinstance(other, Agg) and other.func == "share":
            return Agg("percent", other.of, other.distinct, other.where, other.per)
    return made


def _held(test: Condition) -> Holds:
    """A condition as a value, of a row: of a group it would be no key."""
    if any(isinstance(node, Agg | Over) for node in walk_tree(test)):
        raise Unsupported("condition on a group as a value")
    return Holds(test)


def _is_whole(node: object) -> bool:
    """Whether it is an aggregate added up over groups, which is only ever what something is a share of."""
    return isinstance(node, Agg) and isinstance(node.of, Agg)


def _as_growth(node: Expr) -> Expr:
    """x - previous(x) is the change, over previous(x) and times 100 the growth."""
    if not isinstance(node, Arith):
        return node
    left, right = node.left, node.right
    if node.op == "-" and right == Over("previous", left):
        return Over("change", left)
    if node.op == "/" and isinstance(right, Over) and right.func == "previous":
        change = Over("change", right.of)
        if left == change:
            return Arith("/", Over("growth", right.of), _HUNDRED)
        if left in (Arith("*", _HUNDRED, change), Arith("*", change, _HUNDRED)):
            return Over("growth", right.of)
    if node.op == "-" and right == _ONE and isinstance(left, Arith) and left.right == Over("previous", left.left):
        return Arith("/", Over("growth", left.left), _HUNDRED) if left.op == "/" else node
    if node.op == "*" and _HUNDRED in (left, right):
        other = right if left == _HUNDRED else left
        if isinstance(other, Arith) and other.op == "/" and other.right == _HUNDRED and isinstance(other.left, Over):
            return other.left
    return node


def _as_span(node: Expr) -> Expr:
    """Days times 24 are hours, times 60 more minutes."""
    if not isinstance(node, Arith) or node.op != "*":
        return node
    span, number = (node.left, node.right) if isinstance(node.left, Days) else (node.right, node.left)
    if not isinstance(span, Days) or not isinstance(number, Literal):
        return node
    if span.unit == "days" and number.value in (24, 1440):
        return replace(span, unit="hours" if number.value == 24 else "minutes")
    if span.unit == "hours" and number.value == 60:
        return replace(span, unit="minutes")
    return node


def _any_of(items: tuple[Condition, ...]) -> Condition:
    """Tests of which one must hold; x IS NULL OR x = '' is one test, that x is blank."""
    left = list(items)
    for item in items:
        if isinstance(item, Predicate) and item.op == "is null":
            empty = Predicate("=", item.left, Literal("", "text"))
            if empty in left:
                left[left.index(item)] = Predicate("is blank", item.left)
                left.remove(empty)
    return left[0] if len(left) == 1 else Or(tuple(left))


def _without_repeats(condition: Condition | None) -> Condition | None:
    """Without IS NOT NULL beside a test that x is not blank, and without a test said twice."""
    if not isinstance(condition, And):
        return condition
    filled = {item.left for item in condition.items if isinstance(item, Predicate) and item.op == "not blank"}
    kept = [
        item
        for item in dict.fromkeys(condition.items)
        if not (isinstance(item, Predicate) and item.op == "not null" and item.left in filled)
    ]
    return kept[0] if len(kept) == 1 else And(tuple(kept))


def _is_empty(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and not node.this


def _as_number(value: Literal) -> Literal:
    """Digits in quotes, compared with a column of numbers."""
    text = str(value.value)
    if not re.fullmatch(r"-?\d+(\.\d+)?", text):
        return value
    return Literal(float(text) if "." in text else int(text), "number")


def _without_block(query: Query) -> Expr:
    """An aggregate over a nested query stands without a block of its own."""
    if isinstance(query, Block) and query == Block((), query.show) and len(query.show) == 1:
        shown = query.show[0]
        return query if isinstance(shown, TableRef) else shown
    return query


def _between(left: Expr, low: Expr, high: Expr) -> Predicate:
    if isinstance(low, Literal) and isinstance(high, Literal) and low.kind == high.kind == "period":
        assert isinstance(low.value, tuple)
        assert isinstance(high.value, tuple)
        return Predicate("in", left, Literal((low.value[0], high.value[1]), "period"))
    return Predicate("between", left, (low, high))


def _merge_periods(items: Sequence[Condition]) -> list[Condition]:
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
    # Each end is a day's own period, start included and end excluded: `> day` begins where the day ends.
    span = (low[0] if first.op == ">=" else low[1], high[0] if second.op == "<" else high[1])
    return Predicate("in", first.left, Literal(span, "period"))


def _day(value: str) -> Literal:
    start = datetime.date.fromisoformat(value)
    return Literal((value, (start + datetime.timedelta(days=1)).isoformat()), "period")


def _period_of_part(left: Expr, right: Expr) -> Literal | None:
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
    if left.unit == "day" and _ISO_DAY.match(text):
        return _day(text)
    return None


def _is_number(node: exp.Expr, value: int) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) == value


def _is_julian(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "julianday" and len(node.expressions) == 1
