"""Writes what the resolver found back into the tree: full names, derived tables, unambiguous CTE names."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from inquery.sql.guard.resolver import Resolver
from inquery.sql.guard.scope import Cte, Use
from inquery.sql.guard.structure import DROPPED_MODIFIERS, walk
from inquery.sql.guard.wrapping import put_fence, table_arguments, wrap
from inquery.sql.names import PolicyView


def rewrite(tree: exp.Expr, found: Resolver, view: PolicyView, *, fenced: bool) -> exp.Expr:
    """The tree with every name spelled so that the engine cannot read it another way, and its filters in place."""
    for hint in list(tree.find_all(exp.Hint)):
        hint.pop()
    for select in tree.find_all(exp.Select):
        select.set("format", None)
        modifiers = select.args.get("operation_modifiers") or []
        select.set("operation_modifiers", [m for m in modifiers if m.name.upper() not in DROPPED_MODIFIERS])
    for cte in found.ctes:
        _settle_cte(cte, found, view)
    for use in found.uses:
        if use.wrapper is None:
            _settle_table(use, view)
        fence = view.grammar.facts.fence
        if fenced and fence is not None and use.wrapper is not None and use.seen.condition is not None:
            put_fence(cast(exp.Select, use.wrapper.this), fence)
    _quote_reserved(tree, found, view)
    return tree


def _quote_reserved(tree: exp.Expr, found: Resolver, view: PolicyView) -> None:
    """FROM order: the parser took the word for a name, which the engine does only in quotes."""
    words = view.reserved_names
    if not words:
        return
    for node in walk(tree, found.trusted_conditions(tree)):
        if not isinstance(node, exp.Table | exp.Column | exp.TableAlias):
            continue
        for part in [node.this] if isinstance(node, exp.TableAlias) else node.parts:
            if isinstance(part, exp.Identifier) and not part.args.get("quoted") and part.name.casefold() in words:
                part.set("this", view.grammar.spelled(part))
                part.set("quoted", True)


def _taken_names(found: Resolver, view: PolicyView) -> set[str]:
    """Case-folded names that a CTE must not have, lest a filtered table or a filter read the CTE."""
    names = set(view.by_last_name)
    for use in found.uses:
        if use.seen.condition is not None:
            names |= {table.name.casefold() for table in use.seen.condition.find_all(exp.Table)}
    return names


def _settle_cte(cte: Cte, found: Resolver, view: PolicyView) -> None:
    """Rename a CTE that hides a table, and spell its uses as its definition is spelled."""
    if cte.name.name.casefold() in _taken_names(found, view):
        taken = _taken_names(found, view) | {other.name.name.casefold() for other in found.ctes}
        name = f"{cte.name.name}_cte"
        while name.casefold() in taken:
            name += "_"
        cte.name.set("this", name)
    for node in cte.uses:
        here = node.this
        if view.grammar.spelled(here) == view.grammar.spelled(cte.name) and here.name == cte.name.name:
            continue
        # Columns are qualified by the old name all over the query: the alias keeps it.
        if not node.args.get("alias"):
            node.set("alias", exp.TableAlias(this=here.copy()))
        node.set("this", cte.name.copy())


def _settle_table(use: Use, view: PolicyView) -> None:
    node, path = use.node, use.seen.table.path
    parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
    last = parts[-1].copy()
    respelled = any(
        view.grammar.spelled(part) != name for part, name in zip(reversed(parts), reversed(path), strict=False)
    )
    if respelled or len(parts) < len(path):
        names = table_arguments(path)
        if not respelled:
            for key in ("this", "db", "catalog"):
                if node.args.get(key):
                    names[key] = node.args[key]
        if view.grammar.spelled(last) != path[-1] and not node.args.get("alias"):
            node.set("alias", exp.TableAlias(this=last.copy()))
        for key, value in names.items():
            node.set(key, value)
    if use.seen.wrapped:
        alias = node.args.get("alias")
        name = alias.this if alias is not None and alias.this else last
        use.wrapper = wrap(node, use.seen, cast(exp.Identifier, name.copy()))
        _replace(node, use.wrapper)
        _settle_prewhere(use.wrapper)


def _replace(node: exp.Table, made: exp.Subquery) -> None:
    """Put the derived table in the table's place; FINAL and samples that stand around it move inside."""
    outer: exp.Expr = node
    while isinstance(outer.parent, exp.Final | exp.TableSample) and outer.parent.this is outer:
        outer = outer.parent
    if outer is node:
        # FROM (orders): some engines take a join in parentheses, but no derived table.
        alone = not any(made.args.get(key) for key in ("joins", "laterals", "pivots"))
        while alone and isinstance(outer.parent, exp.Subquery) and _only_holds(outer.parent):
            outer = outer.parent
        outer.replace(made)
        return
    around = outer.copy()
    innermost = around
    while isinstance(innermost.this, exp.Final | exp.TableSample):
        innermost = innermost.this
    innermost.set("this", made.this.args["from_"].this)
    outer.replace(made)
    made.this.args["from_"].set("this", around)


def _settle_prewhere(made: exp.Subquery) -> None:
    """ClickHouse has PREWHERE for stored tables alone: over a derived one the condition is one of WHERE."""
    select = made.find_ancestor(exp.Select)
    before = select.args.get("prewhere") if select is not None else None
    if select is not None and before is not None:
        select.set("prewhere", None)
        select.where(before.this, copy=False)


def _only_holds(node: exp.Subquery) -> bool:
    """Whether parentheses have no alias, no join and no clause of their own."""
    return not any(value for key, value in node.args.items() if key != "this")
