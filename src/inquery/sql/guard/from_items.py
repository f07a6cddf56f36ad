"""Finds what each item of FROM is and which columns it gives."""

from __future__ import annotations

from abc import abstractmethod

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.columns import Columns
from inquery.sql.guard.functions import call_name, table_function_columns
from inquery.sql.guard.scope import Env, Frame, FromItem, Output, Use, by_folded_name
from inquery.sql.guard.wrapping import is_wrapper
from inquery.sql.names import Visible


class Sources(Columns):
    """Adds the items of FROM to a frame."""

    @abstractmethod
    def query(self, node: exp.Expr, env: Env, outer: Frame | None) -> Output:
        """Resolve a query of any kind and say which columns it gives."""

    @abstractmethod
    def with_clause(self, with_: exp.Expr | None, env: Env, outer: Frame | None) -> Env:
        """The environment with the common table expressions of a WITH."""

    @abstractmethod
    def modifiers_of_set(self, node: exp.Expr, output: Output, env: Env, outer: Frame | None) -> None:
        """Resolve ORDER BY and limits that see only the output."""

    @abstractmethod
    def values(self, node: exp.Values, env: Env, outer: Frame | None) -> Output:
        """Resolve the rows of VALUES."""

    @abstractmethod
    def pivot_statement(self, node: exp.Pivot, env: Env, outer: Frame | None) -> Output:
        """Resolve DuckDB's PIVOT statement."""

    @abstractmethod
    def arguments(self, value: object, frame: Frame, env: Env, alias_first: bool = False) -> None:
        """Resolve the nodes of an argument, be it one or a list."""

    def add_join(self, join: exp.Expr, frame: Frame, env: Env) -> None:
        kind = (join.args.get("kind") or "").upper()
        if kind == "ARRAY":
            self.array_join(join, frame, env)
            return
        before = [name for source in frame.sources for name in source.lookup]
        first_new = len(frame.sources)
        self.add_source(join.this, frame, env)
        new = frame.sources[first_new:]
        using = join.args.get("using") or []
        for item in using:
            self.using_column(item, frame, new)
        if (join.args.get("method") or "").upper() == "NATURAL":
            frame.merged |= set(before) & {name for source in new for name in source.lookup}
        for key in ("on", "match_condition", "nearest"):
            self.arguments(join.args.get(key), frame, env)
        # The right side of such a join gives no columns, so its names make none ambiguous.
        if kind in {"SEMI", "ANTI"}:
            frame.merged |= {name for source in new for name in source.lookup}

    def using_column(self, item: exp.Expr, frame: Frame, new: list[FromItem]) -> None:
        name = item.name
        key = name.casefold()
        sides = (frame.sources[: len(frame.sources) - len(new)], new)
        for side in sides:
            if not any(key in source.lookup or source.open for source in side):
                raise self.unknown_column(name, frame)
            for source in side:
                self.note(source, key)
        frame.merged.add(key)

    def array_join(self, join: exp.Expr, frame: Frame, env: Env) -> None:
        for item in [join.this, *join.expressions]:
            value = item.this if isinstance(item, exp.Alias) else item
            if isinstance(value, exp.Table):
                self.visited.add(id(value))
                value = exp.column(value.this.copy(), table=value.args.get("db"))
            self.expression(value, frame, env)
            if item.alias:
                frame.locals.add(item.alias.casefold())

    def add_source(self, node: exp.Expr, frame: Frame, env: Env) -> None:
        """Add one item of FROM with whatever hangs on it."""
        first = len(frame.sources)
        if isinstance(node, exp.Final | exp.TableSample):
            self.add_source(node.this, frame, env)
        elif isinstance(node, exp.Table):
            self.add_table(node, frame, env)
        elif isinstance(node, exp.Subquery):
            self.add_subquery(node, frame, env)
        elif isinstance(node, exp.Lateral):
            self.add_lateral(node, frame, env)
        elif isinstance(node, exp.Unnest):
            self.arguments(node.expressions, frame, env)
            self.add_unnest(node, frame)
        elif isinstance(node, exp.Values):
            self.values(node, env, frame)
            self.add_aliased(node, Output(open=True), frame)
        elif isinstance(node, exp.Paren):
            self.add_source(node.this, frame, env)
        elif isinstance(node, exp.Func | exp.Dot):
            self.add_function(node, node, frame, env)
        elif isinstance(node, exp.Pivot):
            self.add_aliased(node, self.pivot_statement(node, env, frame.outer), frame)
        elif isinstance(node, exp.Alias):
            self.add_function(node.this, node, frame, env)
        else:
            # An allow-list like all of the guard: a kind of source that is new to it is refused.
            raise SqlRefused("forbidden_source", f"cannot read from {type(node).__name__}", name=node.sql()[:60])
        for join in node.args.get("joins") or []:
            self.add_join(join, frame, env)
        for lateral in node.args.get("laterals") or []:
            self.add_source(lateral, frame, env)
        for pivot in node.args.get("pivots") or []:
            self.add_pivot(pivot, frame, first, env)

    def add_table(self, node: exp.Table, frame: Frame, env: Env) -> None:
        this = node.this
        self.visited.add(id(node))
        if isinstance(this, exp.Func) or (isinstance(this, exp.Dot) and call_name(this)):
            self.add_function(this, node, frame, env)
            return
        if isinstance(this, exp.Values | exp.Subquery):
            self.add_source(this, frame, env)
            return
        if node.args.get("rows_from"):
            for item in node.args["rows_from"]:
                self.add_source(item, frame, env)
            self.add_aliased(node, Output(open=True), frame)
            return
        parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
        if len(parts) != len(node.parts) or not parts:
            raise SqlRefused("forbidden_source", "not a table of this database", name=node.sql()[:60])
        if len(parts) == 1 and self.add_named(node, parts[0], frame, env):
            return
        self.add_catalog_table(node, parts, frame)

    def add_named(self, node: exp.Table, name: exp.Identifier, frame: Frame, env: Env) -> bool:
        """A common table expression or DUAL; False when the name must be a table."""
        key = name.name.casefold()
        # A CTE comes before a table, as in every engine; one that hides a table is renamed when it is written back.
        cte = env.get(key)
        if cte is not None:
            cte.uses.append(node)
            if not node.args.get("alias"):
                source = FromItem(self.grammar.spelled(name), by_folded_name(cte.output.names), cte.output.open)
                source.order = tuple(cte.output.names)
                frame.sources.append(source)
            else:
                self.add_aliased(node, cte.output, frame)
            return True
        if key == "dual" and "dual" not in self.view.by_last_name:
            frame.sources.append(FromItem(node.alias_or_name, {"dummy": ("DUMMY",)}))
            if self.grammar.facts.dual_keyword:
                # It is a keyword there; quoted it would be a table.
                node.set("this", exp.Var(this="DUAL"))
            return True
        return False

    def add_catalog_table(self, node: exp.Table, parts: list[exp.Identifier], frame: Frame) -> None:
        seen = self.view.find(parts, only=bool(node.args.get("only")))
        self.moment(node, seen, frame)
        self.uses.append(Use(node, seen))
        alias = node.args.get("alias")
        columns = alias.args.get("columns") if alias else None
        if columns:
            names = [column.name for column in columns]
            self.add_aliased(node, Output(list(seen.columns), not seen.table.columns), frame)
            # t AS x(a, b) renames by place: the first columns are read, under names that no catalogue has.
            for name in seen.columns[: len(names)]:
                self.columns[(seen.table.path, name)] = None
            return
        spelled = self.grammar.spelled(alias.this if alias and alias.this else parts[-1])
        source = FromItem(spelled, seen.lookup, not seen.table.columns, seen, path_names=alias is None)
        source.order = seen.columns
        frame.sources.append(source)

    def moment(self, node: exp.Table, seen: Visible, frame: Frame) -> None:
        """AS OF and AT: the table as it was. Not with a filter or hidden columns, which speak of the table as it is."""
        for key in ("version", "when"):
            if node.args.get(key):
                if seen.wrapped:
                    raise SqlRefused("forbidden_clause", "the past of a table with a filter", name="AS OF")
                self.arguments(node.args[key], Frame(frame.outer), {})

    def add_subquery(self, node: exp.Subquery, frame: Frame, env: Env, lateral: bool = False) -> None:
        seen = is_wrapper(node, self.view)
        if seen is not None:
            # What `wrap` makes, met again in the second check. It is the table, not a query to be resolved: its
            # filter may name tables that the user cannot see.
            table = node.this.args["from_"].find(exp.Table)
            # `find` asks this for a plain table; nobody asks `find` for this one.
            self.view.refuse_uncovered(seen, only=bool(table.args.get("only")))
            self.visited.add(id(table))
            self.uses.append(Use(table, seen, wrapper=node))
            if node.args["alias"].args.get("columns"):
                self.add_aliased(node, Output(list(seen.columns), not seen.columns), frame)
                return
            source = FromItem(self.grammar.spelled(node.args["alias"].this), seen.lookup, not seen.columns, seen)
            source.order = seen.columns
            frame.sources.append(source)
            return
        inner = node.this
        if _is_item(inner):
            self.add_parenthesised(node, frame, env)
            return
        inner_env = self.with_clause(node.args.get("with_"), env, frame.outer)
        output = self.query(inner, inner_env, frame if lateral else frame.outer)
        self.modifiers_of_set(node, output, inner_env, frame.outer)
        self.add_aliased(node, output, frame)

    def add_parenthesised(self, node: exp.Subquery, frame: Frame, env: Env) -> None:
        """A join in parentheses: its sources are seen outside, unless it has an alias."""
        if not node.alias:
            self.add_source(node.this, frame, env)
            return
        inside = Frame(frame.outer)
        self.add_source(node.this, inside, env)
        self.add_aliased(node, self.all_columns(inside), frame)

    def add_lateral(self, node: exp.Lateral, frame: Frame, env: Env) -> None:
        inner = node.this
        if isinstance(inner, exp.Subquery):
            inner_env = self.with_clause(inner.args.get("with_"), env, frame)
            output = self.query(inner.this, inner_env, frame)
            self.modifiers_of_set(inner, output, inner_env, frame)
            self.add_aliased(node if node.args.get("alias") else inner, output, frame)
        elif isinstance(inner, exp.Unnest):
            self.arguments(inner.expressions, frame, env)
            self.add_aliased(node, Output(open=True), frame)
        elif isinstance(inner, exp.Table | exp.Values):
            self.add_source(inner, frame, env)
            self.add_aliased(node, Output(open=True), frame)
        else:
            self.add_function(inner, node, frame, env)

    def add_function(self, call: exp.Expr, node: exp.Expr, frame: Frame, env: Env) -> None:
        """A table function; which ones are allowed is decided by the rules on functions."""
        self.expression(call, frame, env)
        names = table_function_columns(call_name(call) or "")
        self.add_aliased(node, Output(list(names), open=not names), frame)

    def add_unnest(self, node: exp.Unnest, frame: Frame) -> None:
        alias = node.args.get("alias")
        output = Output([column.name for column in alias.columns] if alias else [], open=True)
        offset = node.args.get("offset")
        if isinstance(offset, exp.Expr):
            output.names.append(offset.name)
        self.add_aliased(node, output, frame)

    def add_aliased(self, node: exp.Expr, output: Output, frame: Frame) -> None:
        """Add a source with the columns of `output`, renamed by the node's alias."""
        alias = node.args.get("alias")
        if isinstance(alias, exp.Identifier):
            alias = exp.TableAlias(this=alias)
        given = [self.column_name(column) for column in alias.args.get("columns") or []] if alias else []
        names = given + output.names[len(given) :]
        name = self.grammar.spelled(alias.this) if alias and isinstance(alias.this, exp.Identifier) else ""
        lookup = by_folded_name(names)
        if name and output.open:
            # SELECT n FROM generate_series(1, 3) AS n: the alias of a function is also its column.
            lookup.setdefault(name.casefold(), (name,))
        opened = output.open and not (given and isinstance(node, exp.Values | exp.Subquery))
        frame.sources.append(FromItem(name, lookup, opened, order=tuple(names)))

    def column_name(self, node: exp.Expr) -> str:
        inner = node.this if isinstance(node, exp.ColumnDef) else node
        return self.grammar.spelled(inner) if isinstance(inner, exp.Identifier) else node.name

    def add_pivot(self, pivot: exp.Expr, frame: Frame, first: int, env: Env) -> None:
        """PIVOT and UNPIVOT give columns that are not known here."""
        inside = Frame(frame.outer, frame.sources[first:])
        if not pivot.args.get("unpivot"):
            self.arguments(pivot.expressions, inside, env)
        for item in pivot.args.get("fields") or []:
            self.pivot_field(item, bool(pivot.args.get("unpivot")), inside, env)
        # A pivot groups by every column that it does not name, so all of them are read.
        for source in inside.sources:
            for key in source.lookup:
                self.note(source, key)
        names = [name for source in inside.sources for name in source.order]
        del frame.sources[first:]
        holder = pivot if pivot.args.get("alias") else exp.Pivot()
        self.add_aliased(holder, Output(names, open=True), frame)
        if not pivot.args.get("alias") and inside.sources:
            frame.sources[-1].alias = inside.sources[0].alias

    def pivot_field(self, item: exp.Expr, unpivot: bool, frame: Frame, env: Env) -> None:
        if not isinstance(item, exp.In):
            self.expression(item, frame, env)
            return
        if not unpivot:
            self.expression(item.this, frame, env)
        for value in item.expressions:
            inner = value.this if isinstance(value, exp.PivotAlias | exp.Alias) else value
            # IN ([paid], [void]) names values of the column, not columns.
            if unpivot or not isinstance(inner, exp.Column):
                self.expression(inner, frame, env)
        if item.args.get("query"):
            self.expression(item.args["query"], frame, env)


def _is_item(node: exp.Expr) -> bool:
    """Whether parentheses hold an item of FROM, or a join of some, rather than a query."""
    if not isinstance(node, exp.Subquery):
        return isinstance(node, exp.Table)
    # A query in parentheses has no alias; what has one is such an item, as the derived table of a filter is.
    return not node.args.get("with_") and bool(node.alias or node.args.get("joins") or _is_item(node.this))
