"""The guard: decides whether a statement may run, and rewrites it so that it is safe to run."""

from __future__ import annotations

from functools import cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.errors import SqlRefused
from inquery.sql.catalog import Catalog
from inquery.sql.guard.fences import may_tell, needs_fence
from inquery.sql.guard.functions import NAMED_CALLS, named_lambdas, node_names, refuse_call
from inquery.sql.guard.recursion import refuse_endless, refuse_endless_walk
from inquery.sql.guard.resolver import Resolver
from inquery.sql.guard.rewriting import rewrite
from inquery.sql.guard.row_cap import cap, is_ordered
from inquery.sql.guard.sizes import refuse_size
from inquery.sql.guard.sqlite_texts import read_texts
from inquery.sql.guard.structure import (
    NODE_RULES,
    Rule,
    one_statement,
    refuse_class,
    refuse_many_joins,
    refuse_root,
    refuse_text,
    walk,
)
from inquery.sql.guard.type_names import refuse_type
from inquery.sql.guard.wrapping import is_fenced
from inquery.sql.names import PolicyView, view_of
from inquery.sql.policy import CheckedSql, Policy, _mint

# What walking and writing an odd tree may raise besides sqlglot's own errors: faults of ours, which refuse a statement
# too, but never say that it could not be parsed.
_FAULTS = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    AssertionError,
    ArithmeticError,
    RuntimeError,
)


def check(sql: str, *, dialect: str, catalog: Catalog, policy: Policy | None = None) -> CheckedSql:
    """Prove that `sql` only reads what `policy` allows, or raise SqlRefused.

    The text that comes back is written anew from the tree, with full table names, row filters as derived
    tables and the row cap, and has itself passed the same rules.
    """
    rules = policy if policy is not None else Policy()
    try:
        return _check(sql, dialect, catalog, rules)
    except SqlRefused:
        raise
    except RecursionError as error:
        raise SqlRefused("too_complex", "nested too deeply") from error
    except SqlglotError as error:
        raise SqlRefused("syntax", str(error)) from error
    except _FAULTS as error:
        raise SqlRefused("unchecked", f"{type(error).__name__}: {error}") from error


def _check(sql: str, dialect: str, catalog: Catalog, policy: Policy) -> CheckedSql:
    view = view_of(catalog, policy, dialect)
    refuse_text(sql)
    tree = one_statement(view.grammar, sql)
    if view.grammar.facts.quoted_texts:
        read_texts(tree, sql, catalog)
    first = _inspect(tree, view)
    fence, conditions = view.grammar.facts.fence, first.conditions
    fenced = needs_fence(first.written, conditions, fence)
    tree = rewrite(tree, first, view, fenced=fenced)
    ordered = is_ordered(tree, dialect)
    if policy.row_cap is not None:
        tree = cap(tree, policy.row_cap, dialect)
    text = view.grammar.write(tree)
    _check_again(text, first, view, fenced=fenced)
    return _mint(
        text,
        original=sql,
        dialect=dialect,
        tables=tuple(dict.fromkeys(use.seen.table.path for use in first.uses)),
        columns=tuple(first.columns),
        row_cap=policy.row_cap,
        ordered=ordered,
        catalog_version=catalog.version,
        policy_hash=policy.hash,
        silent=may_tell(conditions, fence),
    )


def _inspect(tree: exp.Expr, view: PolicyView) -> Resolver:
    """Run every rule over a tree; afterwards the resolver knows what each name means."""
    refuse_root(tree)
    resolver = Resolver(view)
    nodes = list(walk(tree, resolver.trusted_conditions(tree)))
    refuse_many_joins(nodes)
    dialect = view.grammar.name
    extra = view.policy.functions | named_lambdas(tree)
    for node in nodes:
        rules = _rules_for(type(node).__name__)
        if rules is None:
            refuse_class(node)
            continue
        for rule in rules:
            rule(node, dialect)
        if isinstance(node, NAMED_CALLS):
            refuse_call(node, dialect, extra)
            refuse_size(node)
        elif isinstance(node, exp.DataType):
            refuse_type(node, view)
        elif isinstance(node, exp.CTE):
            refuse_endless(node, tree)
        elif isinstance(node, exp.Connect):
            refuse_endless_walk(node)
    resolver.query(tree, {}, None)
    resolver.refuse_unvisited(nodes)
    resolver.written = nodes
    return resolver


@cache
def _rules_for(name: str) -> tuple[Rule, ...] | None:
    """The rules that look at a class of nodes; None for a class that is not on the list."""
    if name not in node_names():
        return None
    return tuple(rule for classes, rule in NODE_RULES if issubclass(getattr(exp, name), classes))


def _check_again(text: str, first: Resolver, view: PolicyView, *, fenced: bool) -> None:
    """The regenerated text passes the same rules, reads the same tables, and every filter is in place."""
    refuse_text(text)
    second = _inspect(one_statement(view.grammar, text), view)
    before = sorted(use.seen.table.path for use in first.uses)
    after = sorted(use.seen.table.path for use in second.uses)
    if before != after:
        raise SqlRefused("syntax", "the rewritten statement reads other tables")
    if any(use.seen.wrapped and use.wrapper is None for use in second.uses):
        raise SqlRefused("bad_filter", "a filtered table is read without its filter")
    filters = [use.wrapper.this for use in second.uses if use.wrapper is not None and use.seen.condition is not None]
    if fenced and not all(is_fenced(select, view.grammar.facts.fence) for select in filters):
        raise SqlRefused("bad_filter", "a filter is read without its fence")
