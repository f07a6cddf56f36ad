"""From SQL (SQLite) to the form, for training. What the form cannot say raises Unsupported with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import ErrorLevel, exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.form.ast import (
    Agg,
    AllColumns,
    And,
    Block,
    ColumnRef,
    Compound,
    Condition,
    Expr,
    Literal,
    Query,
    SetOperator,
    Sort,
    TableRef,
    walk_tree,
)
from inquery.form.join_paths import FormSchema
from inquery.form.sql_exprs import ExprReader, merge_periods
from inquery.form.sql_names import (
    Read,
    SelectNames,
    Unsupported,
    choose_sources,
    closure,
    find_table,
    name_sources,
)

__all__ = ["Unsupported", "from_sql"]

_SET_OPERATORS: dict[type[exp.Expr], SetOperator] = {
    exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except",
}  # fmt: skip
_CLAUSES = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct", "kind"}


def from_sql(sql: str, schema: FormSchema, has_nulls: Callable[[str, str], bool] | None = None) -> Query:
    """The form of a SQLite query, in canonical spelling.

    `has_nulls` tells whether a column of a table holds nulls; where it holds none, COUNT(column) is plain count.
    """
    try:
        tree = parse_one(sql, dialect="sqlite", error_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise Unsupported("SQL that does not parse") from error
    return SqlReader(schema, has_nulls).query(tree, None)


class SqlReader(ExprReader):
    """Reads one statement."""

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
        extra = {key for key, value in node.args.items() if value} - _CLAUSES
        if extra:
            raise Unsupported(f"clause {sorted(extra)[0]}")
        derived = self.derived(node, outer)
        if derived:
            return derived
        names = SelectNames(self.schema, outer=outer)
        filters = self.read_sources(node, names)
        names.aliases = {item.alias.casefold(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        tests = [*filters, *_conjuncts(node.args.get("where"))]
        tests = self.implied_joins(tests, names)
        name_sources(names)
        same, tests = self.correlations(tests, names)
        show = tuple(self.item(item, names) for item in node.expressions)
        where = _all_of([self.condition(test, names) for test in tests])
        having = node.args.get("having")
        block = Block(
            sources=(),
            show=show,
            distinct=node.args.get("distinct") is not None,
            where=where,
            same=same,
            by=tuple(self.keys(node, show, names)),
            having=self.condition(having.this, names) if having else None,
            sort=tuple(self.sort(item, names) for item in _items(node, "order")),
            top=self.top(node),
        )
        return self.with_sources(block, names)

    def with_sources(self, block: Block, names: SelectNames) -> Block:
        if not names.reads:
            return block
        used = [
            node.source
            for node in walk_tree(block)
            if isinstance(node, ColumnRef | TableRef | AllColumns) and node.source
        ]
        sources = choose_sources(names, used)
        parts = {name: getattr(block, name) for name in Block.__slots__ if name != "sources"}
        return Block(sources, **parts)

    def derived(self, node: exp.Select, outer: SelectNames | None) -> Block | None:
        """An aggregate over a nested query: SELECT COUNT(*) FROM (SELECT …)."""
        source = node.args.get("from_")
        if source is None or not isinstance(source.this, exp.Subquery):
            return None
        plain = not any(node.args.get(key) for key in ("joins", "where", "group", "having", "order", "limit"))
        if not plain or len(node.expressions) != 1:
            raise Unsupported("nested query in FROM")
        found = node.expressions[0].unalias()
        inner = self.query(source.this, outer)
        if isinstance(found, exp.Count) and isinstance(found.this, exp.Star):
            return Block((), (Agg("count", inner),))
        if isinstance(found, exp.Avg | exp.Sum | exp.Min | exp.Max) and isinstance(found.this, exp.Column):
            name = type(found).__name__.lower()
            first = source.this.this.selects[0]
            if len(source.this.this.selects) == 1 and first.alias_or_name.casefold() == found.this.name.casefold():
                return Block((), (Agg(name, inner),))  # type: ignore[arg-type]
        raise Unsupported("nested query in FROM")

    # --- sources ---

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
                if self.equality(test, names):
                    continue
                if join.side == "LEFT":
                    self.optional_filter(names, join, test)
                else:
                    filters.append(test)
        return filters

    def optional_filter(self, names: SelectNames, join: exp.Join, test: exp.Expr) -> None:
        """A filter in a left join's ON counts only for that table, so its aggregates carry it."""
        self.left_filters.setdefault(id(names.by_alias(join.this.alias_or_name)), []).append(test)

    def add_read(self, node: exp.Expr, names: SelectNames, *, optional: bool) -> None:
        if not isinstance(node, exp.Table):
            raise Unsupported("nested query in FROM")
        names.reads.append(Read(node.alias_or_name, find_table(self.schema, node.name), optional))

    def equality(self, test: exp.Expr, names: SelectNames) -> bool:
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

    def implied_joins(self, tests: list[exp.Expr], names: SelectNames) -> list[exp.Expr]:
        """Joins written in WHERE become joins where the sources do not connect otherwise."""
        left: list[exp.Expr] = []
        for test in tests:
            if not (_pieces(names) > 1 and self.equality(test, names)):
                left.append(test)
        if _pieces(names) > 1:
            raise Unsupported("join without a condition")
        return left

    # --- ties to the query around ---

    def correlations(
        self, tests: list[exp.Expr], names: SelectNames
    ) -> tuple[tuple[ColumnRef | TableRef, ...], list[exp.Expr]]:
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
        if self.is_edge(inner[0].table, inner[1], outer[0].table, outer[1]) and outer[0].name not in {
            read.name for read in names.reads
        }:
            return TableRef(outer[0].name)
        if outer[0].name in {read.name for read in names.reads}:
            raise Unsupported("correlation between different columns of one table")
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

    # --- clauses ---

    def item(self, node: exp.Expr, names: SelectNames) -> Expr:
        node = node.unalias()
        if isinstance(node, exp.Star):
            return AllColumns()
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
            read = names.by_alias(node.table)
            return AllColumns(read.name if read else None)
        return self.expr(node, names)

    def keys(self, node: exp.Select, show: Sequence[Expr], names: SelectNames) -> list[Expr | TableRef]:
        found: list[Expr | TableRef] = []
        for item in _items(node, "group"):
            key = self.expr(self.output(item, node, names), names)
            found.append(self.whole(key, show, names) if isinstance(key, ColumnRef) else key)
        return self.shorter_keys(list(dict.fromkeys(found)), names)

    def output(self, item: exp.Expr, node: exp.Select, names: SelectNames) -> exp.Expr:
        """A key given by position or by the alias of a shown item."""
        if isinstance(item, exp.Literal) and not item.is_string:
            shown: exp.Expr = node.expressions[int(item.this) - 1]
            return shown.unalias()
        return item

    def whole(self, key: ColumnRef, show: Sequence[Expr], names: SelectNames) -> ColumnRef | TableRef:
        """A table in place of its primary key, also where the key column is joined to it."""
        equal = next((c for c in self.classes(names) if (key.source, key.column) in c), {(key.source, key.column)})
        shown = {item.source for item in show if isinstance(item, ColumnRef)}
        whole = [
            read.name
            for read in names.reads
            for column in self.schema.primary_key(read.table)
            if (read.name, column) in equal and len(self.schema.primary_key(read.table)) == 1
        ]
        whole.sort(key=lambda name: name not in shown)
        return TableRef(whole[0]) if whole else key

    def classes(self, names: SelectNames) -> set[frozenset[tuple[str, str]]]:
        by_alias = {read.alias: read.name for read in names.reads}
        return closure(((by_alias[a], c), (by_alias[b], d)) for (a, c), (b, d) in names.equalities)

    def shorter_keys(self, keys: list[Expr | TableRef], names: SelectNames) -> list[Expr | TableRef]:
        """Drop columns that a table among the keys decides, and write whole composite keys as their table."""
        for read in names.reads:
            columns = self.schema.primary_key(read.table)
            refs = [ColumnRef(read.name, column) for column in columns]
            if len(columns) > 1 and all(ref in keys for ref in refs):
                keys[keys.index(refs[0])] = TableRef(read.name)
        tables = {key.source for key in keys if isinstance(key, TableRef)}
        return [key for key in keys if not (isinstance(key, ColumnRef) and key.source in tables)]

    def sort(self, node: exp.Expr, names: SelectNames) -> Sort:
        assert isinstance(node, exp.Ordered)
        select = node.find_ancestor(exp.Select)
        assert select is not None
        return Sort(self.expr(self.output(node.this, select, names), names), bool(node.args.get("desc")))

    def top(self, node: exp.Select) -> Literal | None:
        limit = node.args.get("limit")
        if limit is None:
            return None
        value = limit.expression
        if not isinstance(value, exp.Literal) or value.is_string:
            raise Unsupported("limit that is no number")
        return Literal(int(value.this), "number")


def _items(node: exp.Select, clause: str) -> list[exp.Expr]:
    found = node.args.get(clause)
    return list(found.expressions) if found else []


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
    merged = merge_periods(items)
    return merged[0] if len(merged) == 1 else And(tuple(merged))


def _pieces(names: SelectNames) -> int:
    """How many groups of sources the joins leave apart."""
    groups = [{read.alias} for read in names.reads]
    for (left, _), (right, _) in names.equalities:
        touching = [group for group in groups if left in group or right in group]
        groups = [group for group in groups if group not in touching] + [set().union(*touching)]
    return len(groups)
