"""The derived table that stands for a table with a row filter or hidden columns."""

from __future__ import annotations

from sqlglot import exp

from inquery.sql.dialects import Fence, quoted_identifier
from inquery.sql.guard.fences import fence_arguments
from inquery.sql.names import PolicyView, Visible, folded_path

# What hangs on a table and has to stay outside the derived table; the rest (FINAL, samples, hints) moves in.
OUTSIDE = ("alias", "joins", "laterals", "pivots")
# What a table may have inside a derived table that is taken for the guard's own: its name, and what chooses among its
# rows or its indexes. Whatever else there is, such as AS OF, is looked at as in any other query.
INSIDE = frozenset({"this", "db", "catalog", "only", "hints", "partition", "indexed", "sample"})


def table_arguments(path: tuple[str, ...]) -> dict[str, exp.Identifier]:
    """The name arguments of a table node for a full path."""
    keys = ("this", "db", "catalog")
    return {key: quoted_identifier(part) for key, part in zip(keys, reversed(path[-3:]), strict=False)}


def selected(seen: Visible) -> list[exp.Expr]:
    """The projections of the derived table; all of them where the catalogue does not know the columns."""
    if not seen.columns:
        return [exp.Star()]
    return [exp.Column(this=quoted_identifier(name)) for name in seen.columns]


def wrap(node: exp.Table, seen: Visible, alias: exp.Identifier) -> exp.Subquery:
    """`(SELECT visible columns FROM t WHERE filter) AS alias`, with the node's joins and pivots outside."""
    inner = exp.Table(**{key: value for key, value in node.args.items() if key not in OUTSIDE and value is not None})
    select = exp.Select(expressions=selected(seen), from_=exp.From(this=inner))
    if seen.condition is not None:
        select.set("where", exp.Where(this=seen.condition.copy()))
    outside = {key: node.args.get(key) for key in OUTSIDE[1:]}
    given = node.args.get("alias")
    columns = given.args.get("columns") if given else None
    return exp.Subquery(this=select, alias=exp.TableAlias(this=alias, columns=columns), **outside)


def put_fence(select: exp.Select, fence: Fence) -> None:
    """Fence the filter of a derived table."""
    for key, value in fence_arguments(fence).items():
        select.set(key, value)


def is_fenced(select: exp.Select, fence: Fence | None) -> bool:
    """Whether a derived table has the fence of its dialect, exactly, and no other limit."""
    if fence is None:
        return False
    wanted, found = fence_arguments(fence), {key: select.args.get(key) for key in ("limit", "offset")}
    if isinstance(found["limit"], exp.Fetch):
        # Oracle's limit reads FETCH FIRST n ROWS ONLY.
        options = found["limit"].args.get("limit_options")
        plain = options is None or not (options.args.get("percent") or options.args.get("with_ties"))
        found["limit"] = exp.Limit(expression=found["limit"].args.get("count")) if plain else None
    return found == {key: wanted.get(key) for key in found}


def is_wrapper(node: exp.Subquery, view: PolicyView) -> Visible | None:
    """The table a derived table stands for, if it is exactly what `wrap` makes; None otherwise.

    A person may write one: it reads no more than the guard's own, so it is taken as it is and not wrapped twice.
    """
    select = node.this
    if not isinstance(select, exp.Select) or not node.alias:
        return None
    used = {key for key, value in select.args.items() if value}
    if not used <= {"expressions", "from_", "where", "limit", "offset"} or "from_" not in used:
        return None
    if used & {"limit", "offset"} and not is_fenced(select, view.grammar.facts.fence):
        return None
    table = select.args["from_"].this
    while isinstance(table, exp.Final | exp.TableSample):
        table = table.this
    if not isinstance(table, exp.Table) or {key for key, value in table.args.items() if value} - INSIDE:
        return None
    names = [part for part in table.parts if isinstance(part, exp.Identifier)]
    if not names or len(names) != len(table.parts):
        return None
    spelled = tuple(view.grammar.spelled(name) for name in names)
    parts = folded_path(name.name for name in names)
    for candidate in view.by_last_name.get(parts[-1], []):
        if spelled[-len(candidate.path) :] == candidate.path and view.ends(candidate, parts):
            seen = view.visible(candidate)
            if seen is not None and seen.wrapped and _same(select, seen):
                return seen
    return None


def _same(select: exp.Select, seen: Visible) -> bool:
    where = select.args.get("where")
    if (where is None) != (seen.condition is None) or (where is not None and where.this != seen.condition):
        return False
    return select.expressions == selected(seen)
