"""Both ends of a span: who asks for start and end dates (起止日期) is shown both.

One word of Chinese asks for two columns, so that the second is easily lost, and an answer with the first alone looks whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.errors import Text
from inquery.sql import Table
from inquery.sql.statement import Statement

_BOTH = re.compile(
    r"\b(?:start|begin(?:ning)?|first)(?:ing)?(?: (?:dates?|times?|days?))? (?:and|to|/|&) (?:the )?(?:end|finish|stop|last)(?:ing)?"
    r"(?: (?:date|time|day)s?)?\b|\bstarted and (?:ended|finished|stopped)\b|起止|起讫|始末|开始[和与及、到至]结束|起始[和与及、到至](?:终止|截止|结束)",
    re.I,
)
_ENDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("start", ("end", "finish", "stop")), ("begin", ("end", "finish")), ("beg", ("end",)), ("from", ("to", "till", "until")),
    ("开始", ("结束", "截止", "终止")), ("起始", ("终止", "截止", "结束")), ("起", ("止", "讫")),
)  # fmt: skip
"""What columns of a beginning are called, and those of its end; the ending of a verb may stand behind it: started, ended."""


def both_ends(statement: Statement, claims: Claims) -> Breach | None:
    """Of a span whose two ends are asked for, both are shown."""
    for _, shown, other in missing_ends(statement, claims):
        reason = Text(
            f"start and end were asked for, and only “{shown}” is shown", f"需要起止两端，语句只显示了“{shown}”"
        )
        return Breach("lost_part", reason, f"show {other} beside {shown}")
    return None


def missing_ends(statement: Statement, claims: Claims) -> Iterator[tuple[exp.Column, str, str]]:
    """The columns that are shown of spans whose other end is not: the column as it is written, its name and the other's."""
    if len(statement.scopes) != 1 or not _BOTH.search(claims.question):
        return
    scope = statement.scopes[0]
    columns = [item.unalias() for item in scope.select.expressions]
    names = {place.name for column in columns if isinstance(column, exp.Column) and (place := scope.place(column))}
    for column in columns:
        place = scope.place(column) if isinstance(column, exp.Column) else None
        if place is None or not isinstance(column, exp.Column):
            continue
        others = _other_ends(place.table, place.column)
        if len(others) == 1 and f"{place.table.full_name}.{others[0]}" not in names:
            yield column, place.column, others[0]


def _other_ends(table: Table, column: str) -> list[str]:
    """The columns of a table that are called as one is, but for the other end."""
    known = {each.name.casefold(): each.name for each in table.columns}
    name, found = column.casefold(), set[str]()
    for start, ends in _ENDS:
        for end in ends:
            for here, there in ((start, end), (end, start)):
                # of `top` the `to` is no end of anything
                if here in name and (len(here) > 2 or re.search(rf"(?:^|_){here}(?:_|$)|[\u4e00-\u9fff]", name)):
                    found |= {name.replace(f"{here}ed", f"{there}ed", 1), name.replace(here, there, 1)} & known.keys()
    return sorted(known[each] for each in found - {name})


def show_both_ends(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Put the other end beside the one that is shown."""
    if not isinstance(tree, exp.Select):
        return False
    mended = False
    for column, _, other in missing_ends(statement, claims):
        added = exp.column(exp.to_identifier(other, quoted=True), table=column.args.get("table"))
        items = list(tree.expressions)
        at = next(i for i, item in enumerate(items) if item.unalias() == column)
        is_end = any(end in column.name.casefold() for _, ends in _ENDS for end in ends)
        items.insert(at if is_end else at + 1, added.copy())
        tree.set("expressions", items)
        if (group := tree.args.get("group")) is not None:
            group.append("expressions", added.copy())
        mended = True
    return mended
