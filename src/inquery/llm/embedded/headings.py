"""Names for what a statement computes, so that a table says `revenue` and not how revenue is added up."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from inquery.form.ast import (
    Agg,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Days,
    Expr,
    Literal,
    Over,
    Query,
    Slot,
    TableRef,
    walk_tree,
)
from inquery.form.idents import identifier
from inquery.form.to_sql import is_made_name
from inquery.language.text import has_cjk
from inquery.llm.embedded.durations import named_seconds

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
    match shown:
        case Arith("/", Agg(_, ColumnRef(_, column)) as figure, Literal(int() | float() as factor)):
            return _in_unit(heading(figure, measures), column, factor)
    if not isinstance(shown, Agg) or _of_a_period(shown):
        return ""
    if shown.func not in _WHOLE:
        return shown.func
    column = shown.of.column if isinstance(shown.of, ColumnRef) else ""
    if column in measures and shown.func == "sum":
        return column
    if not column:
        return _WHOLE[shown.func]
    return _OF[shown.func].format(column) if has_cjk(column) else f"{_WHOLE[shown.func]}_{column.lower()}"


def _of_a_period(figure: Agg) -> bool:
    """Whether a figure is of one period beside others: what it is called says which, and a name could not."""
    return any(isinstance(node, Slot) for node in walk_tree(figure.where))


_SPOKEN = {1.0: "seconds", 60.0: "minutes", 3_600.0: "hours", 86_400.0: "days", 604_800.0: "weeks"}
_SPOKEN_ZH = {1.0: "秒", 60.0: "分钟", 3_600.0: "小时", 86_400.0: "天", 604_800.0: "周"}


def _in_unit(name: str, column: str, factor: float) -> str:
    """The name of a figure that is told in another unit of time than its column's."""
    told = (named_seconds(column) or 0.0) * factor
    if not name or told not in _SPOKEN:
        return name
    if has_cjk(name):
        return f"{name}_{_SPOKEN_ZH[told]}"
    bare = "_".join(word for word in name.split("_") if named_seconds(word) is None)
    return f"{bare}_{_SPOKEN[told]}"
