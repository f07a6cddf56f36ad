"""Names for what a statement computes, so that a table says `revenue` and not how revenue is added up."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from inquery.form.ast import Agg, Block, Bucket, ColumnRef, Days, Expr, Over, Query, TableRef
from inquery.form.idents import identifier
from inquery.form.to_sql import is_made_name
from inquery.language.text import has_cjk

_UNITS = {"quarterno": "quarter", "monthno": "month"}
_WHOLE = {"sum": "total", "avg": "average", "min": "lowest", "max": "highest"}
_OF = {"sum": "{}合计", "avg": "平均{}", "min": "最小{}", "max": "最大{}"}


def headed(tree: exp.Query, dialect: str, query: Query, measures: Collection[str], columns: Collection[str]) -> str:
    """The statement with a name for each computed column; none that is a column's, which ORDER BY would then mean."""
    if not isinstance(query, Block) or not isinstance(tree, exp.Select) or len(tree.expressions) != len(query.show):
        return tree.sql(dialect=dialect)
    taken = {name.casefold() for name in columns} | {item.alias_or_name.casefold() for item in tree.expressions}
    items = []
    for item, shown in zip(tree.expressions, query.show, strict=True):
        # A column of a query in FROM that computes it has a name for that query alone.
        said = isinstance(item, exp.Alias | exp.Column | exp.Star) and not is_made_name(item.name)
        name = "" if said else heading(shown, measures)
        if name and name.casefold() not in taken:
            taken.add(name.casefold())
            item = exp.Alias(this=item, alias=identifier(name, dialect))
        items.append(item)
    tree.set("expressions", items)
    return tree.sql(dialect=dialect)


def heading(shown: Expr | TableRef, measures: Collection[str]) -> str:
    """What a person would call a computed column; nothing where the form does not tell."""
    if isinstance(shown, Bucket):
        return _UNITS.get(shown.unit, shown.unit)
    if isinstance(shown, Days):
        return shown.unit
    if isinstance(shown, Over):
        return shown.func
    if not isinstance(shown, Agg):
        return ""
    if shown.func not in _WHOLE:
        return shown.func
    column = shown.of.column if isinstance(shown.of, ColumnRef) else ""
    if column in measures and shown.func == "sum":
        return column
    if not column:
        return _WHOLE[shown.func]
    return _OF[shown.func].format(column) if has_cjk(column) else f"{_WHOLE[shown.func]}_{column.lower()}"
