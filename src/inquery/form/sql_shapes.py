"""Queries over queries in FROM, rewritten as the one query that means the same, where the form has words for that.

People write a ranking, a running total or a figure beside one of another table as a query over a grouped query. The
form says each in one block: a condition on a ranking is `top n per`, a grouped query joined to others is one value for
each row. So WITH is put in its place, a query over one other is merged with it, and a grouped query that is joined
becomes a value in parentheses. What cannot be rewritten is left as it stands, for the reader to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from inquery.form.join_paths import FormSchema

_ENDS = ("limit", "distinct", "offset", "qualify")
"""What a query cannot be merged through: it chooses among rows that are all there."""


def merge_queries(tree: exp.Expr, schema: FormSchema) -> exp.Expr:
    """The statement with its queries in FROM merged; the very statement where it has none."""
    if not any(isinstance(node.parent, exp.From | exp.Join) for node in tree.find_all(exp.Subquery)) and not tree.find(
        exp.With
    ):
        return tree
    if any(node.args.get("recursive") for node in tree.find_all(exp.With)) or _counts_rows(tree):
        return tree
    tables = {
        table.name: {column.name: column.type or "TEXT" for column in table.columns} for table in schema.tables.values()
    }
    made = _put_in_place(tree.copy())
    try:
        # Every name gets its table first, so that parts of a query can be moved into another.
        made = qualify(
            made,
            dialect="sqlite",
            schema=cast("dict[str, object]", tables),
            validate_qualify_columns=False,
            quote_identifiers=False,
        )
    except SqlglotError:
        return tree
    for select in sorted(made.find_all(exp.Select), key=lambda node: -_depth(node)):
        _Merger(select).merge()
    return made


def _counts_rows(tree: exp.Expr) -> bool:
    """Whether it is SELECT COUNT(*) FROM (SELECT …) and no more, for which the form has had words all along."""
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or tree.find(exp.With, exp.Window):
        return False
    counted = tree.expressions[0].unalias()
    others = {key for key, value in tree.args.items() if value} - {"expressions", "from_", "kind"}
    if others or not isinstance(counted, exp.Count) or not isinstance(counted.this, exp.Star):
        return False
    inner = tree.args["from_"].this
    return isinstance(inner, exp.Subquery) and inner.this.find(exp.Subquery) is None


def _put_in_place(tree: exp.Expr) -> exp.Expr:
    """The statement without WITH: each name replaced by its query."""
    for clause in list(tree.find_all(exp.With)):
        known: dict[str, exp.Expr] = {}
        for part in clause.expressions:
            _name_columns(part)
            _replace_tables(part.this, known)
            known[part.alias.casefold()] = part.this
        query = clause.parent
        clause.pop()
        if query is not None:
            _replace_tables(query, known)
    return tree


def _name_columns(part: exp.CTE) -> None:
    """`WITH t (a, b) AS …`: the names as aliases of what is shown."""
    columns = part.args["alias"].columns
    if columns and isinstance(part.this, exp.Select):
        shown = zip(part.this.expressions, columns, strict=False)
        part.this.set("expressions", [exp.alias_(item.unalias(), name.name) for item, name in shown])


def _replace_tables(query: exp.Expr, known: dict[str, exp.Expr]) -> None:
    for table in list(query.find_all(exp.Table)):
        if not table.db and table.name.casefold() in known:
            table.replace(exp.Subquery(this=known[table.name.casefold()].copy(), alias=_alias(table.alias_or_name)))


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(name))


def _depth(node: exp.Expr) -> int:
    depth = 0
    parent = node.parent
    while parent is not None:
        depth, parent = depth + 1, parent.parent
    return depth


def _own(node: exp.Expr, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """Nodes of a kind in an expression, not counting nested queries."""
    stack = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, kind):
            yield found
        if not isinstance(found, exp.Query | exp.Subquery) or found is node:
            stack += [child for child in found.iter_expressions() if not isinstance(child, exp.Query)]


def is_aggregated(node: exp.Expr) -> bool:
    """Whether an aggregate stands in an expression, of which windows are none."""
    for found in _own(node, exp.AggFunc):
        window = found.parent
        if not (isinstance(window, exp.Window) and window.this is found):
            return True
    return False


def _has_window(node: exp.Expr) -> bool:
    return next(_own(node, exp.Window), None) is not None


def split_tests(node: exp.Expr | None) -> list[exp.Expr]:
    """The tests that hold together."""
    if node is None:
        return []
    if isinstance(node, exp.Where | exp.Having | exp.Qualify | exp.Paren):
        return split_tests(node.this)
    if isinstance(node, exp.And):
        return [*split_tests(node.this), *split_tests(node.expression)]
    return [node]


def _add_tests(select: exp.Select, clause: str, tests: list[exp.Expr]) -> None:
    if not tests:
        return
    kinds: dict[str, Callable[..., exp.Expr]] = {"where": exp.Where, "having": exp.Having, "qualify": exp.Qualify}
    before = select.args.get(clause)
    every = ([before.this] if before else []) + tests
    select.set(clause, kinds[clause](this=exp.and_(*every)))


class _Merger:
    """Merges the queries in FROM of one SELECT into it, in place."""

    def __init__(self, select: exp.Select) -> None:
        self.select = select

    def merge(self) -> None:
        """Merge the query that groups, or the only one; then make values of the others."""
        if self.select.args.get("from_") is None:
            return
        self.number = 0
        if self.is_plain(self.select):
            while (source := self.find_source()) is not None:
                self.merge_source(source)
        elif isinstance(inner := self.inner_of(self.select.args["from_"]), exp.Select):
            if not self.is_grouped(inner) and not self.select.args.get("joins") and self.can_merge(inner):
                self.merge_source(self.select.args["from_"])
            elif self.is_grouped(inner) and not self.select.args.get("joins") and not self.select.args.get("group"):
                self.aggregate_apart(inner)
        for join in list(self.select.args.get("joins") or []):
            inner = self.inner_of(join)
            if isinstance(inner, exp.Select):
                self.make_value(join, inner)

    def inner_of(self, source: exp.Expr) -> exp.Expr | None:
        """The query of a FROM or JOIN, if there is one."""
        found: exp.Expr | None = source.this.unnest() if isinstance(source.this, exp.Subquery) else None
        return found

    def is_grouped(self, select: exp.Select) -> bool:
        return bool(select.args.get("group")) or any(map(is_aggregated, select.expressions))

    def is_plain(self, select: exp.Select) -> bool:
        """Whether a query groups nothing itself."""
        return not self.is_grouped(select) and not select.args.get("having")

    def can_merge(self, inner: exp.Select) -> bool:
        """Whether a query gives all its rows, of tables, with a name for each item."""
        if any(inner.args.get(key) for key in _ENDS):
            return False
        if inner.args.get("from_") is None and (self.select.args.get("joins") or self.select.args.get("where")):
            return False
        return not any(isinstance(item, exp.Star) for item in inner.expressions)

    def find_source(self) -> exp.Expr | None:
        """The next query in FROM to be merged: one that groups, where no other has been merged that does."""
        if self.select.args.get("from_") is None:
            return None
        grouped = bool(self.select.args.get("group"))
        sources: list[exp.Expr] = [self.select.args["from_"], *(self.select.args.get("joins") or [])]
        for source in sources:
            inner = self.inner_of(source)
            if not isinstance(inner, exp.Select) or not self.can_merge(inner):
                continue
            if isinstance(source, exp.Join) and (source.side or source.method or inner.args.get("order")):
                continue
            if self.is_grouped(inner) and (grouped or (isinstance(source, exp.Join) and self.has_derived_from())):
                continue
            if isinstance(source, exp.Join) and any(map(_has_window, inner.expressions)) and len(sources) > 2:
                continue
            return source
        return None

    def has_derived_from(self) -> bool:
        return self.inner_of(self.select.args["from_"]) is not None

    def merge_source(self, source: exp.Expr) -> None:
        """Put the tables of a query in its place, its items for their names, its conditions beside those around."""
        alias = source.this.alias_or_name
        inner = cast(exp.Select, self.inner_of(source))
        self.rename_sources(inner, alias)
        items = {item.alias_or_name.casefold(): item.unalias() for item in inner.expressions}
        windows = any(map(_has_window, items.values()))
        grouped = self.is_grouped(inner)
        outside = split_tests(self.select.args.get("where"))
        self.select.set("where", None)
        joins = list(self.select.args.get("joins") or [])
        self.replace_names(alias, items)
        outside = [self.replaced(test, alias, items) for test in outside]
        if inner.args.get("from_") is None:  # it computes over queries of its own, and so does this one then
            self.select.set("from_", None)
            return
        own = inner.args["from_"].this
        added = list(inner.args.get("joins") or [])
        if isinstance(source, exp.Join):
            on = source.args.get("on")
            joins[joins.index(source)] = exp.Join(this=own, on=on)
            self.select.set("joins", joins + added)
        else:
            source.set("this", own)
            self.select.set("joins", added + joins)
        _add_tests(self.select, "where", split_tests(inner.args.get("where")))
        if inner.args.get("group"):
            self.select.set("group", inner.args["group"])
        _add_tests(self.select, "having", split_tests(inner.args.get("having")))
        for test in outside:
            if windows or _has_window(test):
                clause = "qualify"
            else:
                clause = "having" if is_aggregated(test) else "where"
            _add_tests(self.select, clause, [test])
        if not self.select.args.get("order") and inner.args.get("order") and grouped:
            self.select.set("order", inner.args["order"])

    def rename_sources(self, inner: exp.Select, alias: str) -> None:
        """Names of tables that stand around as well are told apart."""
        taken = {
            source.this.alias_or_name.casefold()
            for source in (self.select.args["from_"], *(self.select.args.get("joins") or []))
        } - {alias.casefold()}
        changed: dict[str, str] = {}
        for source in filter(None, (inner.args.get("from_"), *(inner.args.get("joins") or []))):
            name = source.this.alias_or_name
            if name.casefold() in taken:
                self.number += 1
                changed[name.casefold()] = f"{name}_in{self.number}"
                source.this.set("alias", _alias(changed[name.casefold()]))
        for column in list(inner.find_all(exp.Column)):
            if column.table.casefold() in changed:
                column.set("table", exp.to_identifier(changed[column.table.casefold()]))

    def replace_names(self, alias: str, items: dict[str, exp.Expr]) -> None:
        """The items of a query in the place of their names, in all clauses but FROM."""
        for key in ("expressions", "where", "group", "having", "qualify", "order"):
            value = self.select.args.get(key)
            if isinstance(value, list):
                self.select.set(key, [self.named(item, alias, items) for item in value])
            elif value is not None:
                self.select.set(key, self.replaced(value, alias, items))
        for join in self.select.args.get("joins") or []:
            if join.args.get("on") is not None:
                join.set("on", self.replaced(join.args["on"], alias, items))

    def named(self, item: exp.Expr, alias: str, items: dict[str, exp.Expr]) -> exp.Expr:
        """An item shown, which keeps its name."""
        made = self.replaced(item, alias, items)
        if isinstance(item, exp.Column) and not isinstance(made, exp.Column):
            return exp.alias_(made, item.name)
        return made

    def replaced(self, node: exp.Expr, alias: str, items: dict[str, exp.Expr]) -> exp.Expr:
        def change(part: exp.Expr) -> exp.Expr:
            if isinstance(part, exp.Column) and part.table.casefold() == alias.casefold():
                found = items.get(part.name.casefold())
                if found is not None:
                    return exp.paren(found.copy()) if isinstance(found, exp.Binary) else found.copy()
            return part

        return node.transform(change)

    def aggregate_apart(self, inner: exp.Select) -> None:
        """AVG(n), COUNT(*) over a grouped query: each aggregate as a value of its own, over that query."""
        if any(self.select.args.get(key) for key in ("order", "limit", "distinct", "having")):
            return
        if not self.can_merge(inner):
            return
        source = self.select.args["from_"].this
        alias = source.alias_or_name
        items = {item.alias_or_name.casefold(): item.unalias() for item in inner.expressions}
        if any(map(_has_window, items.values())):
            return
        tests = [self.replaced(test, alias, items) for test in split_tests(self.select.args.get("where"))]
        for node in [n for item in self.select.expressions for n in _own(item, exp.AggFunc)]:
            value = self.value_over(cast(exp.AggFunc, node), inner, alias, items, tests)
            if value is None:
                return
            if node.parent is not None:
                node.replace(value)
        self.select.set("from_", None)
        self.select.set("where", None)

    def value_over(
        self,
        node: exp.AggFunc,
        inner: exp.Select,
        alias: str,
        items: dict[str, exp.Expr],
        tests: list[exp.Expr],
    ) -> exp.Expr | None:
        """One aggregate over the groups of a query, those that its CASE or comparison chooses."""
        query = inner.copy()
        query.set("order", None)
        argument: exp.Expr = node.this
        chosen = list(tests)
        counts = isinstance(node, exp.Count)
        if isinstance(argument, exp.Case) and len(argument.args["ifs"]) == 1 and argument.this is None:
            branch, other = argument.args["ifs"][0], argument.args.get("default")
            zero = other is None or isinstance(other, exp.Null) or _is_number(other, 0)
            if not zero or (other is not None and isinstance(node, exp.Avg)):
                return None
            chosen.append(self.replaced(branch.this, alias, items))
            argument = branch.args["true"]
        elif isinstance(argument, exp.Predicate) and isinstance(node, exp.Sum):
            chosen.append(self.replaced(argument, alias, items))
            argument = exp.Literal.number(1)
        if isinstance(argument, exp.Literal) and isinstance(node, exp.Sum) and _is_number(argument, 1):
            counts = True
        for test in chosen:
            _add_tests(query, "having" if is_aggregated(test) else "where", [test])
        if counts:
            if isinstance(argument, exp.Distinct):
                return None
            query.set("expressions", query.expressions[:1])
            made = exp.Select(expressions=[exp.Count(this=exp.Star())]).from_(query.subquery("part"))
            return made.subquery()
        query.set("expressions", [exp.alias_(self.replaced(argument, alias, items), "value_")])
        outside = type(node)(this=exp.column("value_", table="part"))
        return exp.Select(expressions=[outside]).from_(query.subquery("part")).subquery()

    def make_value(self, join: exp.Join, inner: exp.Select) -> None:
        """A grouped query that is joined by its keys, as a value for each row: (SELECT … WHERE key = the row's)."""
        if not self.can_merge(inner) or not self.is_grouped(inner) or join.side not in ("", "LEFT"):
            return
        items = {item.alias_or_name.casefold(): item.unalias() for item in inner.expressions}
        if any(map(_has_window, items.values())):
            return
        alias = join.this.alias_or_name
        ties: dict[str, exp.Expr] = {}
        for test in split_tests(join.args.get("on")):
            sides = [test.this, test.expression] if isinstance(test, exp.EQ) else []
            sides.sort(
                key=lambda side: not (isinstance(side, exp.Column) and side.table.casefold() == alias.casefold())
            )
            if not sides or not isinstance(sides[0], exp.Column) or sides[0].table.casefold() != alias.casefold():
                return
            ties[sides[0].name.casefold()] = sides[1]
        keys = [item for item, value in items.items() if not is_aggregated(value)]
        if set(keys) != set(ties) or any(key not in items for key in ties):
            return
        if join.side == "LEFT" and inner.args.get("having"):
            return
        self.rename_sources(inner, alias)
        items = {item.alias_or_name.casefold(): item.unalias() for item in inner.expressions}
        tied: list[exp.Expr] = [
            exp.EQ(this=items[key].copy(), expression=around.copy()) for key, around in ties.items()
        ]
        values: dict[str, exp.Expr] = {}
        for name, item in items.items():
            values[name] = ties[name].copy() if name in ties else self.tied(inner, item, tied).subquery()
        self.select.set("joins", [other for other in self.select.args["joins"] if other is not join])
        self.replace_names(alias, values)
        if join.side == "":
            having: list[exp.Expr] = [
                test.transform(
                    lambda node: self.tied(inner, node, tied).subquery() if isinstance(node, exp.AggFunc) else node
                )
                for test in split_tests(inner.args.get("having"))
            ]
            there = exp.Exists(this=self.tied(inner, exp.Literal.number(1), tied))
            _add_tests(self.select, "where", having or [there])

    def tied(self, inner: exp.Select, item: exp.Expr, ties: list[exp.Expr]) -> exp.Select:
        made = inner.copy()
        for key in ("group", "having", "order"):
            made.set(key, None)
        made.set("expressions", [item.copy()])
        _add_tests(made, "where", [tie.copy() for tie in ties])
        return made


def _is_number(node: exp.Expr, value: int) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) == value
