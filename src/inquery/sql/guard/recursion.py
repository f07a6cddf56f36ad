"""Recursive queries that plainly never end, or end after far too many rows."""

from __future__ import annotations

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.sizes import MAX_ROWS, constant


def refuse_endless(cte: exp.CTE, tree: exp.Expr) -> None:
    """Raise SqlRefused for a recursive CTE that plainly has no end, or one beyond reason."""
    body = cte.this.unnest() if isinstance(cte.this, exp.Subquery) else cte.this
    if not isinstance(body, exp.Union) or body.args.get("limit"):
        return
    branch = body.expression.unnest() if isinstance(body.expression, exp.Subquery) else body.expression
    if not isinstance(branch, exp.Select):
        return
    sources = _sources_of(branch)
    if not any(_is_table(source, cte.alias) for source in sources):
        return
    # UNION drops rows that were there before: it ends by itself unless each step makes new values.
    if body.args.get("distinct") and not _makes_values(branch):
        return
    _refuse_branch(branch, tree, alone=len(sources) == 1)


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


def _refuse_branch(branch: exp.Select, tree: exp.Expr, *, alone: bool) -> None:
    """`alone`: the CTE is the one source, so that nothing but a bound in WHERE ends the count. A join may run dry."""
    where = branch.args.get("where")
    bounded = where is not None and where.find(exp.Column) is not None
    if not alone:
        bounded = bounded or any(_may_run_dry(join) for join in branch.args.get("joins") or [])
    if not bounded and not branch.args.get("limit") and not tree.args.get("limit"):
        raise SqlRefused("too_complex", "a recursion without an end")
    if where is not None and _only_starts(branch, where):
        raise SqlRefused("too_complex", "a recursion that never comes to its bound")
    for comparison in where.find_all(exp.LT, exp.LTE) if where is not None else []:
        limit = constant(comparison.expression)
        if limit is not None and limit > MAX_ROWS and _counts_by_one(branch, comparison.this):
            raise SqlRefused("too_complex", "a recursion with too many steps")


def _may_run_dry(join: exp.Expr) -> bool:
    """Whether a join keeps fewer rows than it is given: `FROM c, c AS d` and `CROSS JOIN orders` never do."""
    if join.args.get("using") or (join.args.get("method") or "").upper() == "NATURAL":
        return True
    on = join.args.get("on")
    # What follows a comma may depend on the row before it: UNNEST(c.children), a lateral subquery.
    return isinstance(join.this, exp.Lateral | exp.Unnest) or (on is not None and on.find(exp.Column) is not None)


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
