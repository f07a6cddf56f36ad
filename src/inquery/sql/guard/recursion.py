"""Recursive queries that plainly never end, or end after far too many rows."""

from __future__ import annotations

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.guard.sizes import MAX_ROWS, constant


def refuse_endless(cte: exp.CTE, tree: exp.Expr) -> None:
    """Raise SqlRefused for a recursive CTE that only counts, without a bound or with one beyond reason."""
    body = cte.this.unnest() if isinstance(cte.this, exp.Subquery) else cte.this
    if isinstance(body, exp.Union) and not body.args.get("distinct"):
        branch = body.expression.unnest() if isinstance(body.expression, exp.Subquery) else body.expression
        if isinstance(branch, exp.Select) and _reads_only(branch, cte.alias) and not body.args.get("limit"):
            _refuse_branch(branch, tree)


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


def _reads_only(branch: exp.Select, name: str) -> bool:
    """Whether the CTE itself is the branch's one source: a join may run dry, a count does not."""
    from_ = branch.args.get("from_")
    source = from_.this if from_ is not None else None
    return isinstance(source, exp.Table) and source.name.casefold() == name.casefold() and not branch.args.get("joins")


def _refuse_branch(branch: exp.Select, tree: exp.Expr) -> None:
    where = branch.args.get("where")
    bounded = where is not None and where.find(exp.Column) is not None
    if not bounded and not branch.args.get("limit") and not tree.args.get("limit"):
        raise SqlRefused("too_complex", "a recursion without an end")
    if where is not None and _only_starts(branch, where):
        raise SqlRefused("too_complex", "a recursion that never comes to its bound")
    for comparison in where.find_all(exp.LT, exp.LTE) if where is not None else []:
        limit = constant(comparison.expression)
        if limit is not None and limit > MAX_ROWS and _counts_by_one(branch, comparison.this):
            raise SqlRefused("too_complex", "a recursion with too many steps")


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
