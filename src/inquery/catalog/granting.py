"""Tries the rules of a grant on a catalogue before they are kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError

from inquery.catalog.collect import statement, table_named
from inquery.errors import BadRequest, SqlRefused, Text
from inquery.sql import Catalog, Policy, check
from inquery.sql.names import view_of
from inquery.store.grants import Rules, attributes_in, for_person

_NAMED = 5


def check_rules(rules: Rules, catalog: Catalog) -> None:
    """Every name exists and every filter can be applied; a policy that says less than it seems to is worse than none."""
    tables = {table.full_name.casefold(): table for table in catalog.tables}
    columns = {f"{name}.{column.name}".casefold() for name, table in tables.items() for column in table.columns}
    named = (*(rules.tables or ()), *rules.row_filters, *rules.views)
    for name in [name for name in named if name.casefold() not in tables]:
        raise _bad(f"there is no table {name}; write its full name", f"没有表 {name}；请写完整名称")
    for name in [name for name in rules.hidden_columns if name.casefold() not in columns]:
        raise _bad(f"there is no column {name}; write table.column", f"没有列 {name}；请写 表.列")
    for name, condition in _tried(rules).items():
        if rules.tables is not None and name.casefold() not in {each.casefold() for each in rules.tables}:
            raise _bad(f"{name} has a filter but is not granted", f"{name} 有行过滤但未被授权")
        table = tables[name.casefold()]
        sql = statement(table, table.columns[0], catalog.dialect, limit=1)
        try:
            # The filter as a person's own condition: its names must exist, and it may only read.
            plain = exp.select("1").from_(table_named(table)).where(condition, dialect=catalog.dialect)
            check(plain.sql(catalog.dialect), dialect=catalog.dialect, catalog=catalog)
            check(
                sql,
                dialect=catalog.dialect,
                catalog=catalog,
                policy=Policy(row_filters={name: condition}),
            )
        except (SqlRefused, SqlglotError) as error:
            why = _reason(error)
            raise _bad(
                f"the filter of {name} cannot be applied: {why.en}", f"{name} 的行过滤无法应用：{why.zh}"
            ) from error


def _reason(error: SqlRefused | SqlglotError) -> Text:
    """Why a condition cannot be applied, in words; of what cannot be read, where that is."""
    if isinstance(error, SqlRefused):
        return Text(error.reason("en"), error.reason("zh"))
    near = error.errors[0].get("highlight", "") if isinstance(error, ParseError) and error.errors else ""
    if not near:
        return Text("it is no condition in SQL.", "它不是 SQL 条件。")
    return Text(f"it is no condition in SQL, see at {near}.", f"它不是 SQL 条件，请看 {near} 处。")


def _tried(rules: Rules) -> dict[str, str]:
    """The filters as they are for somebody who has every attribute that they go by."""
    return {
        table: for_person(condition, dict.fromkeys(attributes_in(condition), "x"))
        for table, condition in rules.row_filters.items()
    }


def warn_of_rules(rules: Rules, catalog: Catalog) -> list[Text]:
    """What the rules leave open or close that their author may not think of: views, and tables that inherit."""
    view = view_of(catalog, replace(rules.policy(None), row_filters=_tried(rules)), catalog.dialect)
    narrow = rules.tables is not None or bool(rules.hidden_columns) or bool(rules.row_filters)
    closed: list[str] = []
    mixed: list[str] = []
    shown: list[str] = []
    for table in catalog.tables:
        seen = view.visible(table)
        if seen is None:
            continue
        if view.refusal(seen) is not None:
            (closed if view.refusal(seen, only=True) is not None else mixed).append(table.full_name)
        elif "view" in table.kind and narrow and seen.condition is None:
            shown.append(table.full_name)
    found = []
    if closed:
        named = _listed(closed)
        found.append(
            Text(
                f"closed, as they may read what is filtered or hidden, until they are listed as views: {named}",
                f"以下视图可能读取被过滤或隐藏的内容，列入 views 之前不可读取：{named}",
            )
        )
    if shown:
        named = _listed(shown)
        found.append(
            Text(
                f"these views show all they read, also of tables and columns that are not granted: {named}",
                f"以下视图会显示其读取的全部内容，包括未授权的表和列：{named}",
            )
        )
    if mixed:
        named = _listed(mixed)
        found.append(
            Text(
                f"closed, as they also read tables below them that have other rules; give them the same rules: {named}",
                f"以下表会一并读取规则不同的子表，因此不可读取；请为其设置相同的规则：{named}",
            )
        )
    return found


def warn_of_attributes(rules: Rules, known: Collection[str]) -> list[Text]:
    """The attributes that the rules go by and nobody has: whoever lacks one sees no row, which a slip of the pen is not meant for."""
    used = dict.fromkeys(name for condition in rules.row_filters.values() for name in attributes_in(condition))
    if not (absent := [name for name in used if name not in known]):
        return []
    named, there = ", ".join(absent), ", ".join(sorted(known))
    return [
        Text(
            f"nobody has the attribute {named}, so that these rules show nobody a row; attributes that are there: {there}",
            f"没有任何用户具有属性 {named}，因此这些规则对任何人都不显示任何行；现有的属性：{there}",
        )
    ]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")


def _bad(en: str, zh: str) -> BadRequest:
    return BadRequest.because(en[:300], zh[:300], detail=en)
