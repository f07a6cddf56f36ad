"""Recursive queries that plainly never end, or end after far too many rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.sizes import MAX_ROWS, constant


def refuse_endless(cte: exp.CTE, tree: exp.Expr) -> None:
    """Raise SqlRefused for a recursive CTE that plainly has no end, or one beyond reason."""
    body = _plain(cte.this)
    if not isinstance(body, exp.Union) or body.args.get("limit") or _stops_early(tree, cte):
        return
    columns = _columns_of(cte, body)
    _, *others = _branches(body)  # the first reads a table of that name, if any
    for branch in others:
        steps = list(_steps(branch, cte.alias, columns))
        # UNION drops rows that were there before: it ends by itself unless each step makes new values.
        if steps and not (body.args.get("distinct") and not any(_makes_values(step.query) for step in steps)):
            _refuse_steps(steps)


def refuse_endless_walk(walk: exp.Connect) -> None:
    """Raise SqlRefused for CONNECT BY that neither follows a key (PRIOR) nor counts LEVEL up to a reasonable bound."""
    condition = walk.args["connect"]
    if condition.find(exp.Prior) is not None:
        return
    bounds = [
        constant(each.expression)
        for each in condition.find_all(exp.LT, exp.LTE)
        if each.this.name.upper() in {"LEVEL", "ROWNUM"}
    ]
    if not bounds or any(bound is not None and bound > MAX_ROWS for bound in bounds):
        raise SqlRefused("too_complex", "a walk without an end")


@dataclass(frozen=True)
class _Step:
    """A query that reads the recursion, in its FROM or through a derived table there."""

    query: exp.Select
    names: frozenset[str]
    """What the recursion is called in it."""
    columns: frozenset[str] | None
    """The recursion's columns; None where a star hides them."""

    @property
    def alone(self) -> bool:
        return len(_sources_of(self.query)) == 1

    def reads(self, condition: exp.Expr) -> bool:
        """Whether a condition names a column of the recursion; one on other tables is the same at each step."""
        return any(
            column.table.casefold() in self.names
            if column.table
            else self.alone or self.columns is None or column.name.casefold() in self.columns
            for column in condition.find_all(exp.Column)
        )


def _plain(query: exp.Expr) -> exp.Expr:
    return query.unnest() if isinstance(query, exp.Subquery) else query


def _branches(body: exp.Expr) -> Iterator[exp.Expr]:
    """The queries of a union, however many, in order."""
    found = [body]
    while found:
        each = _plain(found.pop())
        if isinstance(each, exp.SetOperation):
            found += [each.expression, each.this]
        else:
            yield each


def _columns_of(cte: exp.CTE, body: exp.Expr) -> frozenset[str] | None:
    named = cte.args["alias"].args.get("columns") if cte.args.get("alias") else None
    if named:
        return frozenset(each.name.casefold() for each in named)
    first = body
    while isinstance(first, exp.SetOperation):
        first = _plain(first.this)
    if not isinstance(first, exp.Select) or first.is_star:
        return None
    return frozenset(item.alias_or_name.casefold() for item in first.expressions)


def _steps(query: exp.Expr, name: str, columns: frozenset[str] | None) -> Iterator[_Step]:
    """The query and the derived tables of its FROM through which it reads the recursion; none where it does not."""
    if not isinstance(query, exp.Select):
        return
    names = set()
    for source in _sources_of(query):
        if _is_table(source, name):
            names.add((source.alias or source.name).casefold())
        elif isinstance(source, exp.Subquery):
            inner = [step for branch in _branches(source) for step in _steps(branch, name, columns)]
            yield from inner
            if inner:
                names.add(source.alias.casefold())
                columns = None
    if names:
        yield _Step(query, frozenset(names), columns)


def _stops_early(tree: exp.Expr, cte: exp.CTE) -> bool:
    """Whether the statement takes the first rows as they come: a count, an order or a group asks for all of them."""
    if not isinstance(tree, exp.Select) or not tree.args.get("limit"):
        return False
    if any(tree.args.get(clause) for clause in ("order", "group", "distinct", "having", "qualify", "where")):
        return False
    calls = (item for item in tree.expressions if item.find(exp.Func, exp.Window, exp.Subquery) is not None)
    sources = _sources_of(tree)
    return len(sources) == 1 and _is_table(sources[0], cte.alias) and next(calls, None) is None


def _sources_of(branch: exp.Select) -> list[exp.Expr]:
    """What stands in the branch's FROM."""
    from_ = branch.args.get("from_")
    if from_ is None:
        return []
    return [from_.this, *(join.this for join in branch.args.get("joins") or [])]


def _is_table(source: exp.Expr, name: str) -> bool:
    return isinstance(source, exp.Table) and source.name.casefold() == name.casefold()


def _makes_values(branch: exp.Select) -> bool:
    """Whether a row can differ from all before it: something is computed, not only passed on."""
    given = (item.this if isinstance(item, exp.Alias) else item for item in branch.expressions)
    return any(not isinstance(item, exp.Column | exp.Literal | exp.Star | exp.Null | exp.Boolean) for item in given)


def _refuse_steps(steps: list[_Step]) -> None:
    """One of them has to lose rows: by a bound on what the recursion counts, or by a join that may run dry."""
    if not any(_loses_rows(step) for step in steps):
        raise SqlRefused("too_complex", "a recursion without an end")
    bounds = [(step.query, step.query.args["where"]) for step in steps if step.query.args.get("where")]
    for branch, where in bounds:
        if _only_starts(branch, where) and len(steps) == 1:
            raise SqlRefused("too_complex", "a recursion that never comes to its bound")
        for comparison in where.find_all(exp.LT, exp.LTE):
            limit = constant(comparison.expression)
            if limit is not None and limit > MAX_ROWS and _counts_by_one(branch, comparison.this):
                raise SqlRefused("too_complex", "a recursion with too many steps")


def _loses_rows(step: _Step) -> bool:
    where = step.query.args.get("where")
    joins = step.query.args.get("joins") or []
    return (where is not None and step.reads(where)) or any(_may_run_dry(join, step) for join in joins)


def _may_run_dry(join: exp.Expr, step: _Step) -> bool:
    """Whether a join keeps fewer rows than it is given: `FROM c, c AS d` and `CROSS JOIN orders` never do."""
    if join.args.get("using"):
        return True
    if (join.args.get("method") or "").upper() == "NATURAL":
        return step.columns is None or not step.columns.isdisjoint(_given_by(join.this) or step.columns)
    # What follows a comma may depend on the row before it: UNNEST(c.children), a lateral subquery.
    if isinstance(join.this, exp.Lateral | exp.Unnest):
        return step.reads(join.this)
    on = join.args.get("on")
    return on is not None and step.reads(on)


def _given_by(source: exp.Expr) -> frozenset[str]:
    """The columns of a derived table; none where they are not written down."""
    query = _plain(source)
    if not isinstance(query, exp.Select) or query.is_star:
        return frozenset()
    return frozenset(item.alias_or_name.casefold() for item in query.expressions)


def _only_starts(branch: exp.Select, where: exp.Expr) -> bool:
    """Whether the only condition is that a number that grows be larger than a constant."""
    condition = where.this.unnest()
    if isinstance(condition, exp.LT | exp.LTE):
        small, large = condition.this, condition.expression
    elif isinstance(condition, exp.GT | exp.GTE):
        small, large = condition.expression, condition.this
    else:
        return False
    grows = any(
        isinstance(large, exp.Column)
        and add.this.name.casefold() == large.name.casefold()
        and _positive(add.expression)
        for add in branch.find_all(exp.Add)
    )
    return grows and constant(small) is not None


def _positive(node: exp.Expr) -> bool:
    value = constant(node)
    return value is not None and value > 0


def _counts_by_one(branch: exp.Select, counter: exp.Expr) -> bool:
    return any(
        add.this.name.casefold() == counter.name.casefold() and constant(add.expression) == 1
        for add in branch.find_all(exp.Add)
    )
