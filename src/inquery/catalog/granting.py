"""Tries the rules of a grant on a catalogue before they are kept."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.catalog.collect import statement, table_named
from inquery.errors import BadRequest, SqlRefused, Text
from inquery.sql import Catalog, Policy, check
from inquery.store.grants import Rules


def check_rules(rules: Rules, catalog: Catalog) -> None:
    """Every name exists and every filter can be applied; a policy that says less than it seems to is worse than none."""
    tables = {table.full_name.casefold(): table for table in catalog.tables}
    columns = {f"{name}.{column.name}".casefold() for name, table in tables.items() for column in table.columns}
    named = (*(rules.tables or ()), *rules.row_filters, *rules.views)
    for name in [name for name in named if name.casefold() not in tables]:
        raise _bad(f"there is no table {name}; write its full name", f"没有表 {name}；请写完整名称")
    for name in [name for name in rules.hidden_columns if name.casefold() not in columns]:
        raise _bad(f"there is no column {name}; write table.column", f"没有列 {name}；请写 表.列")
    for name in rules.row_filters:
        if rules.tables is not None and name.casefold() not in {each.casefold() for each in rules.tables}:
            raise _bad(f"{name} has a filter but is not granted", f"{name} 有行过滤但未被授权")
        table = tables[name.casefold()]
        sql = statement(table, table.columns[0], catalog.dialect, limit=1)
        try:
            # The filter as a person's own condition: its names must exist, and it may only read.
            plain = exp.select("1").from_(table_named(table)).where(rules.row_filters[name], dialect=catalog.dialect)
            check(plain.sql(catalog.dialect), dialect=catalog.dialect, catalog=catalog)
            check(sql, dialect=catalog.dialect, catalog=catalog, policy=Policy(row_filters=rules.row_filters))
        except (SqlRefused, SqlglotError) as error:
            raise _bad(f"the filter of {name} cannot be applied", f"{name} 的行过滤无法应用") from error


def _bad(en: str, zh: str) -> BadRequest:
    return BadRequest(en, reason=Text(en[:300], zh[:300]))
