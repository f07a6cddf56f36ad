"""Finds what every table and column name of a statement means, query by query, scope by scope."""

from __future__ import annotations

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.from_items import Sources
from inquery.sql.guard.methods import chain
from inquery.sql.guard.scope import Cte, Env, Frame, FromItem, Output, by_folded_name
from inquery.sql.guard.wrapping import is_wrapper

# Clauses in which an alias of the select list comes before a column of the sources.
ALIAS_FIRST = ("group", "having", "qualify", "order", "distinct", "limit_by", "windows")
SOURCE_CLAUSES = ("from_", "joins", "laterals", "with_")


class Resolver(Sources):
    """Walks one statement; afterwards `uses`, `columns` and `ctes` say what it reads."""

    def trusted_conditions(self, tree: exp.Expr) -> frozenset[int]:
        """Conditions of derived tables that are exactly the policy's filters: not the person's text."""
        if not self.view.policy.row_filters:
            return frozenset()
        found = set()
        for node in tree.find_all(exp.Subquery):
            seen = is_wrapper(node, self.view)
            if seen is not None and seen.condition is not None:
                found.add(id(node.this.args["where"].this))
        return frozenset(found)

    def query(self, node: exp.Expr, env: Env, outer: Frame | None) -> Output:
        """Resolve a query of any kind and say which columns it gives."""
        env = self.with_clause(node.args.get("with_"), env, outer)
        if isinstance(node, exp.Select):
            return self.select(node, env, outer)
        if isinstance(node, exp.SetOperation):
            return self.set_operation(node, env, outer)
        if isinstance(node, exp.Subquery):
            return self.subquery(node, env, outer)
        if isinstance(node, exp.Values):
            return self.values(node, env, outer)
        if isinstance(node, exp.Pivot):
            return self.pivot_statement(node, env, outer)
        if isinstance(node, exp.Table):
            frame = Frame(outer)
            self.add_source(node, frame, env)
            return self.all_columns(frame)
        raise SqlRefused("not_a_query", f"{type(node).__name__} is not a query")

    def with_clause(self, with_: exp.Expr | None, env: Env, outer: Frame | None) -> Env:
        if with_ is None:
            return env
        env = dict(env)
        first = len(self.ctes)
        for cte in with_.expressions:
            self.cte(cte, bool(with_.args.get("recursive")), env, outer)
        if with_.args.get("search"):
            # SEARCH and CYCLE add columns that no select list names.
            for made in self.ctes[first:]:
                made.output.open = True
        return env

    def cte(self, node: exp.Expr, recursive: bool, env: Env, outer: Frame | None) -> None:
        alias = node.args["alias"]
        name: exp.Identifier = alias.this
        given = [self.column_name(column) for column in alias.args.get("columns") or []]
        body = node.this
        if node.args.get("scalar") or not isinstance(body, exp.Query | exp.Values | exp.Table | exp.Pivot):
            # ClickHouse: WITH 1 AS x names a value, not a table.
            frame = Frame(outer)
            self.expression(body, frame, env)
            # The mark keeps it apart from a table of that name; `select` makes it a local.
            env[f"={name.name.casefold()}"] = Cte(name, Output([name.name]))
            return
        made = Cte(name, Output(given, open=not given))
        self.ctes.append(made)
        inner = dict(env)
        body_core = body.unnest() if isinstance(body, exp.Subquery) else body
        loops = recursive or self.grammar.facts.implied_recursion
        if loops and isinstance(body_core, exp.SetOperation):
            made.output = self.recursive_body(body_core, name, given, inner, made, outer)
        else:
            output = self.query(body, inner, outer)
            made.output = Output(given + output.names[len(given) :], output.open) if given else output
        # Only now: in WITH orders AS (SELECT * FROM orders) the body reads the table, whose filter must not be lost.
        env[name.name.casefold()] = made

    def recursive_body(
        self, node: exp.SetOperation, name: exp.Identifier, given: list[str], env: Env, made: Cte, outer: Frame | None
    ) -> Output:
        """The first branch starts, the others may read the name itself; in the first it is a table if there is one."""
        env = self.with_clause(node.args.get("with_"), env, outer)
        key = name.name.casefold()
        first = dict(env)
        # Whether an engine reads itself or a table of that name here, it shall read the table: `_settle_cte` renames
        # the recursion, so that a filtered table cannot be mistaken for it.
        if key not in self.view.by_last_name:
            first[key] = made
        output = self.query(node.this, first, outer)
        if given:
            output = Output(given + output.names[len(given) :], output.open)
        made.output = output
        self.query(node.expression, {**env, key: made}, outer)
        self.modifiers_of_set(node, output, env, outer)
        return output

    def set_operation(self, node: exp.SetOperation, env: Env, outer: Frame | None) -> Output:
        output = self.query(node.this, env, outer)
        right = self.query(node.expression, env, outer)
        for other in node.args.get("on") or []:
            self.expression(other, self.frame_of(output, outer), env)
        if node.args.get("by_name"):
            output = Output(list(dict.fromkeys(output.names + right.names)), output.open or right.open)
        self.modifiers_of_set(node, output, env, outer)
        return output

    def frame_of(self, output: Output, outer: Frame | None) -> Frame:
        return Frame(outer, [FromItem("", by_folded_name(output.names), output.open)])

    def modifiers_of_set(self, node: exp.Expr, output: Output, env: Env, outer: Frame | None) -> None:
        frame = self.frame_of(output, outer)
        for key in ("order", "limit", "offset"):
            part = node.args.get(key)
            if part is not None:
                self.expression(part, frame, env)

    def subquery(self, node: exp.Subquery, env: Env, outer: Frame | None) -> Output:
        inner = node.this
        if isinstance(inner, exp.Table) or node.args.get("joins") or node.args.get("pivots"):
            frame = Frame(outer)
            self.add_source(node, frame, env)
            return self.all_columns(frame)
        output = self.query(inner, env, outer)
        self.modifiers_of_set(node, output, env, outer)
        return output

    def values(self, node: exp.Values, env: Env, outer: Frame | None) -> Output:
        for row in node.expressions:
            self.expression(row, Frame(outer), env)
        return Output(open=True)

    def pivot_statement(self, node: exp.Pivot, env: Env, outer: Frame | None) -> Output:
        """DuckDB's PIVOT t ON x USING sum(y) GROUP BY z."""
        frame = Frame(outer)
        self.add_source(node.this, frame, env)
        for key in ("expressions", "fields", "using", "group"):
            self.arguments(node.args.get(key), frame, env)
        return Output(open=True)

    def select(self, node: exp.Select, env: Env, outer: Frame | None) -> Output:
        frame = Frame(outer)
        self.name_outputs(node, frame)
        frame.locals = {key[1:] for key in env if key.startswith("=")}
        self.from_clause(node, frame, env)
        for key, value in node.args.items():
            # A hint names tables, indexes and ways to join; it is dropped when the statement is written anew.
            if key in SOURCE_CLAUSES or value is None or key in {"kind", "hint"}:
                continue
            self.arguments(value, frame, env, alias_first=key in ALIAS_FIRST)
        return self.output_of(node, frame)

    def from_clause(self, node: exp.Expr, frame: Frame, env: Env) -> None:
        from_ = node.args.get("from_")
        if from_ is not None:
            self.add_source(from_.this, frame, env)
        for join in node.args.get("joins") or []:
            self.add_join(join, frame, env)
        for lateral in node.args.get("laterals") or []:
            self.add_source(lateral, frame, env)
        if node.args.get("match") is not None:
            # MEASURES of MATCH_RECOGNIZE name columns of their own.
            frame.open = True

    def name_outputs(self, node: exp.Select, frame: Frame) -> None:
        """Aliases of the select list may be named in some clauses, its plain columns in ORDER BY and the like."""
        for item in node.expressions:
            if isinstance(item, exp.Alias):
                frame.aliases.add(item.alias.casefold())
            elif isinstance(item, exp.Aliases):
                frame.aliases |= {name.name.casefold() for name in item.expressions}
            elif isinstance(item, exp.Column) and not isinstance(item.this, exp.Star):
                frame.outputs.add(item.name.casefold())
        if self.grammar.facts.aliases_everywhere:
            frame.aliases |= {item.alias.casefold() for item in node.find_all(exp.Alias)}
        frame.outputs |= frame.aliases

    def arguments(self, value: object, frame: Frame, env: Env, alias_first: bool = False) -> None:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expr):
                self.expression(item, frame, env, alias_first)

    def expression(self, node: exp.Expr, frame: Frame, env: Env, alias_first: bool = False) -> None:
        """Resolve every name below a node."""
        if isinstance(node, exp.Column):
            self.column(node, frame, env, alias_first)
        elif isinstance(node, exp.Select | exp.SetOperation | exp.Subquery):
            self.query(node, env, frame)
        elif isinstance(node, exp.Table):
            self.add_source(node, Frame(frame), env)
        elif isinstance(node, exp.Star):
            self.star(node, frame, env)
        elif isinstance(node, exp.Lambda):
            inner = Frame(frame, locals={item.name.casefold() for item in node.expressions})
            self.expression(node.this, inner, env)
        elif isinstance(node, exp.Comprehension):
            self.comprehension(node, frame, env)
        elif isinstance(node, exp.MatchRecognize):
            # Its pattern variables qualify columns; whatever else it names is resolved as usual.
            self.arguments(list(node.iter_expressions()), Frame(frame, open=True), env)
        elif isinstance(node, exp.In) and node.args.get("field") is not None:
            self.in_name(node, frame, env, alias_first)
        elif isinstance(node, exp.Dot):
            self.dot(node, frame, env, alias_first)
        else:
            for child in node.iter_expressions():
                self.expression(child, frame, env, alias_first)

    def dot(self, node: exp.Dot, frame: Frame, env: Env, alias_first: bool) -> None:
        """A field, a method or a function of a schema: only its arguments hold names of this scope."""
        if isinstance(node.this, exp.Paren) and isinstance(node.this.this, exp.Column):
            self.row_field(node, node.this.this, frame)
        left = chain(node.this)
        if left is None:
            self.expression(node.this, frame, env, alias_first)
        elif self.grammar.facts.methods == "of columns":
            names = dict(zip(("this", "table", "db", "catalog"), reversed(left), strict=False))
            self.expression(exp.Column(**{key: name.copy() for key, name in names.items()}), frame, env, alias_first)
        right = node.expression
        if not isinstance(right, exp.Identifier | exp.Star):
            self.expression(right, frame, env, alias_first)

    def row_field(self, node: exp.Dot, row: exp.Column, frame: Frame) -> None:
        """(t).x: PostgreSQL also calls a function x of the row, so x has to be a column."""
        for source in frame.sources:
            named = source.alias and source.alias.casefold() == row.name.casefold() and len(row.parts) == 1
            if named and not source.open and node.expression.name.casefold() not in source.lookup:
                raise self.unknown_column(node.expression.name, frame, source)

    def comprehension(self, node: exp.Comprehension, frame: Frame, env: Env) -> None:
        inner = Frame(frame, locals={node.expression.name.casefold()})
        if node.args.get("position"):
            inner.locals.add(node.args["position"].name.casefold())
        self.expression(node.args["iterator"], frame, env)
        self.expression(node.this, inner, env)
        if node.args.get("condition"):
            self.expression(node.args["condition"], inner, env)

    def in_name(self, node: exp.In, frame: Frame, env: Env, alias_first: bool) -> None:
        """x IN name: SQLite and ClickHouse read a table of that name, unless ClickHouse finds a column."""
        name = node.args["field"]
        if isinstance(name, exp.Column):
            reads = self.grammar.facts.in_reads_table
            known = reads == "unless a column" and any(
                name.parts[0].name.casefold() in {*source.lookup, source.alias.casefold()} for source in frame.sources
            )
            if reads != "never" and not known:
                raise SqlRefused("unknown_table", f"IN {name.sql()} reads a table", name=name.sql())
        self.expression(node.this, frame, env, alias_first)
        self.expression(name, frame, env, alias_first)

    def refuse_unvisited(self, nodes: list[exp.Expr]) -> None:
        """A table that the walk did not come by has not been checked."""
        # The net under the walk: an update of sqlglot may hang a table where nobody looks yet. What follows INDEXED
        # BY is an index, which sqlglot reads as a table.
        for node in nodes:
            if isinstance(node, exp.Table) and node.arg_key != "indexed" and id(node) not in self.visited:
                raise SqlRefused("too_complex", f"cannot tell what {node.sql()[:60]} is")
