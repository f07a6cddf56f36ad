"""IN with a nested query as `any ( … )` or `no ( … )`, where the join graph says the same keys."""

from __future__ import annotations

from inquery.form.ast import Block, ColumnRef, Predicate, Related, Source, walk_tree
from inquery.form.join_paths import FormSchema, JoinPlan
from inquery.form.name_words import FormError
from inquery.form.scope import Scope
from inquery.form.sql_names import Place, SelectNames, closure
from inquery.form.to_sql import Builder


def related(test: Predicate, names: SelectNames) -> Related | None:
    """The related form of `key in (query)`, if compiling it would compare the same two columns."""
    if test.op not in ("in", "not in") or not isinstance(test.right, Block) or not isinstance(test.left, ColumnRef):
        return None
    inner = test.right
    if len(inner.show) != 1 or not isinstance(inner.show[0], ColumnRef) or not _is_plain(inner):
        return None
    outer = tuple(Source(read.table, read.role, None, read.optional) for read in names.reads)
    wanted = (inner.show[0].source, inner.show[0].column, test.left.source, test.left.column)
    for sources in _shorter(inner):
        block = Block(sources, where=inner.where)
        if _keys(block, outer, names.schema) == wanted and _same_joins(block, inner, outer, names.schema):
            return Related(block, test.op == "not in")
    return None


def _is_plain(block: Block) -> bool:
    return bool(block.sources) and not (block.by or block.having or block.top or block.same)


def _shorter(block: Block) -> list[tuple[Source, ...]]:
    """Fewer sources first: those that tests need, those that do not give the key, then all of them."""
    used = {node.source for node in walk_tree(block.where) if isinstance(node, ColumnRef)}
    shown = {node.source for node in walk_tree(block.show) if isinstance(node, ColumnRef)} - used
    needed = tuple(source for source in block.sources if source.name in used)
    others = tuple(source for source in block.sources if source.name not in shown)
    return [kept for kept in dict.fromkeys((needed, others, block.sources)) if kept]


def _keys(block: Block, outer: tuple[Source, ...], schema: FormSchema) -> tuple[str, str, str, str] | None:
    builder, around = _around(outer, schema)
    pairs = builder.related_keys(block, around)[1]
    if len(pairs) != 1:
        return None
    inner, own, around_name, far = pairs[0]
    return (
        None
        if _is_one_of_several(schema, around.sources[around_name].table, pairs[0], block)
        else (inner, own, around_name, far)
    )


def _is_one_of_several(schema: FormSchema, table: str, keys: tuple[str, str, str, str], block: Block) -> bool:
    """Whether another key joins the same two tables, so that the key must be written."""
    inner = next((source.table for source in block.sources if source.name == keys[0]), keys[0])
    return inner != table and sum({e.child, e.parent} == {inner, table} for e in schema.edges[table]) > 1


def _around(outer: tuple[Source, ...], schema: FormSchema) -> tuple[Builder, Scope]:
    plan = JoinPlan(schema, outer, connect=False)
    return Builder(schema, "sqlite", {}), Scope(Block(outer), plan, None, False)


def _same_joins(block: Block, inner: Block, outer: tuple[Source, ...], schema: FormSchema) -> bool:
    builder, around = _around(outer, schema)
    try:
        grown = builder.related_keys(block, around)[0]
        return _classes(schema, grown.sources) == _classes(schema, inner.sources)
    except FormError:
        return False


def _classes(schema: FormSchema, sources: tuple[Source, ...]) -> tuple[set[str], set[frozenset[Place]]]:
    plan = JoinPlan(schema, sources)
    made = [
        ((link.child, own), (link.parent, far))
        for link in plan.links
        for own, far in zip(link.edge.child_columns, link.edge.parent_columns, strict=True)
    ]
    return set(plan.sources), closure(made)
