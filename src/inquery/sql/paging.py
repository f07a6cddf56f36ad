"""One page of a statement, set in the tree; the text that comes back has yet to be checked.

`page_of(sql, dialect=..., page=2)` takes the person's statement, not a CheckedSql: paging first, checking after,
so that what runs is what was checked. A limit and an offset of the statement itself stay in force: pages are cut
out of what it would give.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.errors import SqlRefused
from inquery.sql.dialects import DIALECTS, grammar
from inquery.sql.guard.row_cap import around, belongs_to_last, is_ordered
from inquery.sql.guard.sizes import constant
from inquery.sql.guard.structure import one_statement, refuse_root, refuse_text

PAGE_SIZE = 100
MAX_PAGE_SIZE = 1000

UNORDERED = {
    "en": "The statement has no ORDER BY, so rows may move between pages.",
    "zh": "该语句没有 ORDER BY，翻页时行的顺序可能变化。",
}


@dataclass(frozen=True, slots=True)
class Page:
    """A statement cut to one page; `stable` says whether an ORDER BY keeps rows on their pages."""

    text: str
    page: int
    page_size: int
    stable: bool

    def note(self, language: str = "en") -> str | None:
        """What to tell the person when the order is not fixed."""
        return None if self.stable else UNORDERED["zh" if language == "zh" else "en"]


def page_of(sql: str, *, dialect: str, page: int = 1, page_size: int = PAGE_SIZE) -> Page:
    """The statement for one page, from 1 on; raises SqlRefused where check() would for its syntax."""
    page, page_size = max(page, 1), min(max(page_size, 1), MAX_PAGE_SIZE)
    refuse_text(sql)
    try:
        rules = grammar(dialect)
        tree = one_statement(rules, sql)
        refuse_root(tree)
        tree = _pageable(tree, dialect)
        stable = is_ordered(tree, dialect)
        text = rules.write(_cut(tree, (page - 1) * page_size, page_size, dialect))
    except (SqlglotError, RecursionError, ValueError, KeyError) as error:
        raise SqlRefused("syntax", str(error)) from error
    return Page(text, page, page_size, stable)


def _pageable(tree: exp.Expr, dialect: str) -> exp.Expr:
    """The statement itself where its limit can be moved, else a query around it."""
    while isinstance(tree, exp.Subquery) and not tree.args.get("limit") and isinstance(tree.this, exp.Query):
        with_ = tree.args.get("with_")
        tree = tree.this
        if with_ is not None:
            tree.set("with_", with_)
    return tree if _own(tree, dialect) is not None else around(tree)


def _own(tree: exp.Expr, dialect: str) -> tuple[int, int] | None:
    """The statement's own limit (-1 for none) and offset; None for what cannot be moved."""
    limit, offset = tree.args.get("limit"), tree.args.get("offset")
    options = limit.args.get("limit_options") if limit is not None else None
    if not isinstance(tree, exp.Select | exp.SetOperation) or belongs_to_last(tree, dialect):
        return None
    if options is not None and (options.args.get("percent") or options.args.get("with_ties")):
        return None
    value = None if limit is None else limit.args.get("count") or limit.expression
    rows = -1.0 if limit is None else constant(value)
    skipped = 0.0 if offset is None else constant(offset.expression)
    return None if rows is None or skipped is None else (int(rows), int(skipped))


def _cut(tree: exp.Expr, skip: int, take: int, dialect: str) -> exp.Expr:
    rows, skipped = _own(tree, dialect) or (-1, 0)
    if rows >= 0:
        take = max(min(take, rows - skip), 0)
    return _limited(tree, skip + skipped, take, dialect)


def _limited(tree: exp.Expr, skip: int, take: int, dialect: str) -> exp.Expr:
    number = exp.Literal.number
    if DIALECTS[dialect].offset_needs_order:
        if isinstance(tree, exp.SetOperation) and not tree.args.get("order"):
            tree = around(tree)
        if not tree.args.get("order"):
            nothing = exp.Subquery(this=exp.Select(expressions=[exp.Null()]))
            tree.set("order", exp.Order(expressions=[exp.Ordered(this=nothing, nulls_first=True)]))
        tree.set("offset", exp.Offset(expression=number(skip)))
        tree.set("limit", exp.Fetch(direction="NEXT", count=number(take)))
        return tree
    tree.set("limit", exp.Limit(expression=number(take)))
    tree.set("offset", exp.Offset(expression=number(skip)) if skip else None)
    return tree
