"""The row cap, set in the tree in each dialect's own way."""

from __future__ import annotations

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.dialects import DIALECTS
from inquery.sql.guard.sizes import constant


def is_ordered(tree: exp.Expr, dialect: str) -> bool:
    """Whether the outermost query has an ORDER BY; ClickHouse gives the one after a UNION to its last SELECT."""
    node = tree
    while True:
        if node.args.get("order") and not belongs_to_last(node, dialect):
            return True
        if not isinstance(node, exp.Subquery) or not isinstance(node.this, exp.Query):
            return False
        node = node.this


def belongs_to_last(tree: exp.Expr, dialect: str) -> bool:
    """Whether ORDER BY and LIMIT written after the tree would go to the last SELECT of a set operation."""
    return isinstance(tree, exp.SetOperation) and DIALECTS[dialect].last_select_is_limited


def cap(tree: exp.Expr, rows: int, dialect: str) -> exp.Expr:
    """The statement with at most `rows` rows; a smaller limit of its own is kept."""
    if isinstance(tree, exp.Values):
        return tree if len(tree.expressions) <= rows else around(tree, rows)
    if isinstance(tree, exp.Pivot):
        return _limited(around(tree), rows, dialect)
    return _limited(tree, rows, dialect)


def _limited(tree: exp.Expr, rows: int, dialect: str) -> exp.Expr:
    if belongs_to_last(tree, dialect):
        return around(tree, rows)
    limit = tree.args.get("limit")
    if limit is None:
        if isinstance(tree, exp.Subquery) and not tree.args.get("offset") and isinstance(tree.this, exp.Query):
            tree.set("this", _limited(tree.this, rows, dialect))
            return tree
        return _add(tree, rows, dialect)
    options = limit.args.get("limit_options")
    if options is not None and options.args.get("percent"):
        return around(tree, rows)
    value = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression
    if value is None and isinstance(limit, exp.Fetch):
        return tree
    return _lower(tree, limit, value, rows, dialect)


def _lower(tree: exp.Expr, limit: exp.Expr, value: exp.Expr | None, rows: int, dialect: str) -> exp.Expr:
    known = constant(value)
    if known is not None and 0 <= known <= rows:
        return tree
    key = "count" if isinstance(limit, exp.Fetch) else "expression"
    if known is not None or value is None or isinstance(value, exp.Var | exp.Null) or value.name.upper() == "ALL":
        limit.set(key, exp.Literal.number(rows))
        limit.set("limit_options", None)
        return tree
    if isinstance(value, exp.Placeholder | exp.Parameter):
        raise SqlRefused("forbidden_clause", "a limit that is not a number", name="LIMIT")
    smaller_of = DIALECTS[dialect].smaller_of
    if smaller_of is None:
        return around(tree, rows)
    call = exp.Anonymous(this=smaller_of, expressions=[value.copy(), exp.Literal.number(rows)])
    limit.set(key, call)
    return tree


def _add(tree: exp.Expr, rows: int, dialect: str) -> exp.Expr:
    if DIALECTS[dialect].offset_needs_order:
        if isinstance(tree, exp.SetOperation) and not tree.args.get("order"):
            return around(tree, rows)
        if tree.args.get("order") and (isinstance(tree, exp.SetOperation) or tree.args.get("offset")):
            if not tree.args.get("offset"):
                tree.set("offset", exp.Offset(expression=exp.Literal.number(0)))
            tree.set("limit", exp.Fetch(direction="NEXT", count=exp.Literal.number(rows)))
            return tree
    tree.set("limit", exp.Limit(expression=exp.Literal.number(rows)))
    return tree


def around(tree: exp.Expr, rows: int | None = None) -> exp.Expr:
    """SELECT * FROM (tree): only where a limit cannot be set, since duplicate column names may fail in it."""
    with_ = tree.args.get("with_")
    if with_ is not None:
        tree.set("with_", None)
    inner = tree if isinstance(tree, exp.Subquery) and not tree.alias else exp.Subquery(this=tree)
    inner.set("alias", exp.TableAlias(this=exp.to_identifier("capped")))
    made = exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner), with_=with_)
    if rows is not None:
        made.set("limit", exp.Limit(expression=exp.Literal.number(rows)))
    return made
