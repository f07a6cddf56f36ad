"""Tables that explain the codes of others: sys_dict_data with a type, a value and a label, read once and bounded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from inquery.catalog.collect import TIMEOUT_S, spelt, table_named
from inquery.catalog.key_names import entity_of, refers_to
from inquery.databases.engine import Limits
from inquery.databases.executor.execute import execute
from inquery.errors import QueryLimit, SqlDenied, SqlFixable, SqlRefused
from inquery.language.text import fold, has_cjk, name_words, singular
from inquery.sql import Catalog, Column, Policy, Table, check

MOST_TABLES = 6
MOST_ROWS = 5_000
MOST_CODES = 60
"""A kind with more codes is a list of things, which have a table of their own."""

_TABLE = re.compile(
    r"dict|dic(?=_|$)|lookup|lkp|enum|code(?:s|_?list|_?table|_?value)?$|constant|option|reference_data|ref_data|zidian|字典|码表|代码表|枚举"
)
_LABEL = (
    "dict_label",
    "item_text",
    "item_label",
    "label",
    "text",
    "display",
    "meaning",
    "item_name",
    "dict_name",
    "name",
    "description",
    "dname",
    "descr",
    "字典标签",
    "标签",
    "名称",
    "含义",
    "中文名",
)
_VALUE = (
    "dict_value",
    "item_value",
    "value",
    "item_code",
    "code_value",
    "code",
    "dict_key",
    "key",
    "dcode",
    "字典值",
    "字典键值",
    "键值",
    "编码",
    "代码",
    "值",
)
_KEY = ("dict_key", "item_key", "code_key", "key", "键", "字典键")
_KIND = (
    "dict_type",
    "type_code",
    "dict_code",
    "code_type",
    "type",
    "category",
    "group_code",
    "group",
    "domain",
    "kind",
    "dict_id",
    "type_id",
    "parent_id",
    "dtype",
    "code_set",
    "variable",
    "field_name",
    "field",
    "column_name",
    "attribute",
    "字典类型",
    "字典类别",
    "类型",
    "类别",
)
_OF_A_CODE = frozenset({"code", "cd", "id", "no", "key", "value"})
"""Last words of a column that the kind of its codes lacks: title_code has the codes of doctor_title."""
_SAID_OF = re.compile(r"(?:字典|码表|代码表)\s*[:：]?\s*([A-Za-z]\w*)")
"""The kind that a comment names: 原因，字典tsyy."""
_HEAD_KIND = ("dict_type", "dict_code", "type_code", "code", "type", "name", "字典类型", "编码", "代码")


@dataclass(frozen=True, slots=True)
class LookupTable:
    """A table of codes: which column says of what they are, which is the code, and which its label.

    Where the kind is a key, `head` is the table it refers to, with its own column of kinds.
    """

    table: Table
    kind: str
    value: str
    label: str
    head: Table | None = None
    head_key: str = ""
    head_kind: str = ""


def lookup_tables(catalog: Catalog) -> list[LookupTable]:
    """The tables that explain codes, by their names and columns."""
    named = [t for t in catalog.tables if _TABLE.search(fold(t.name)) or _TABLE.search(_heading(t.comment))]
    return [found for table in named if (found := _as_lookup(table, named))][:MOST_TABLES]


async def read_lookups(
    connection_id: str, catalog: Catalog, policy: Policy | None = None
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Codes and labels for (full table name, column), as far as a kind names the column and holds all of its values."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for found in lookup_tables(catalog):
        heads = {}
        if found.head is not None:
            wanted = (found.head_key, found.head_kind)
            heads = {key: kind async for key, kind in _rows(connection_id, catalog, found.head, wanted, policy)}
        async for kind, value, label in _rows(
            connection_id, catalog, found.table, (found.kind, found.value, found.label), policy
        ):
            named = heads.get(kind, "") if found.head is not None else kind
            if named and label != value:
                kinds.setdefault(named, []).append((value, label))
    return await asyncio.to_thread(match_kinds, catalog, kinds) if kinds else {}


def match_kinds(
    catalog: Catalog, kinds: Mapping[str, list[tuple[str, str]]]
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Which columns the kinds of a dictionary explain: sys_user_sex is the sex of sys_user."""
    by_words: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for kind, pairs in kinds.items():
        if 1 < len(pairs) <= MOST_CODES:
            by_words[_words(kind)] = pairs
    found = {}
    for table in catalog.tables:
        for column in table.columns:
            for words in _called(table, column):
                pairs = by_words.get(words, [])
                if pairs and column.samples and set(column.samples) <= {value for value, _ in pairs}:
                    found[table.full_name, column.name] = pairs
                    break
    return found


def _called(table: Table, column: Column) -> Iterator[tuple[str, ...]]:
    """What a dictionary may call a column, the surest first: order_status, sys_user_sex, order_status of orders.status."""
    own, whole, entity = _words(column.name), _words(table.name), entity_of(table.name)
    plain = own[:-1] if len(own) > 1 and own[-1] in _OF_A_CODE else own
    for said in dict.fromkeys((own, plain)):
        yield (*whole, *said)
        yield (*entity, *said)
        yield (entity[-1], *said)
        yield said
        # A system's letters stand before all of its names: his_pay_way is the pay_way of his_payment.
        yield (whole[0], *said)
    if told := _SAID_OF.search(column.comment):
        yield _words(told[1])
    if has_cjk(column.comment):
        yield _words(_heading(column.comment))


def _heading(comment: str) -> str:
    return re.split(r"[\s(:：,，（;；]", comment)[0]


def _words(name: str) -> tuple[str, ...]:
    return tuple(singular(word) for word in name_words(name))


def _as_lookup(table: Table, named: Iterable[Table]) -> LookupTable | None:
    label, value = _first(table, _LABEL), _first(table, _VALUE)
    if not label and value and (key := _first(table, _KEY)) and key != value:
        label, value = value, key  # of a key and a value the value is what people read
    kind = next(
        (
            c.name
            for name in map(fold, _KIND)
            for c in table.columns
            if name in _names(c) and c.name not in {label, value}
        ),
        "",
    )
    if not label or not value or not kind:
        return None
    column = table.column(kind)
    assert column is not None
    if not refers_to(column.name) or fold(column.name) in {"dict_code", "type_code", "group_code"}:
        return LookupTable(table, column.name, value, label)
    for head in named:
        key = next((c.name for c in head.columns if c.primary_key), "")
        head_kind = _first(head, _HEAD_KIND)
        if head.path != table.path and key and head_kind and head_kind != key:
            return LookupTable(table, column.name, value, label, head, key, head_kind)
    return None


def _first(table: Table, names: Iterable[str]) -> str:
    known = {name: column.name for column in reversed(table.columns) for name in reversed(_names(column))}
    return next((known[name] for name in names if name in known), "")


def _names(column: Column) -> tuple[str, str]:
    """What a column is called, by its name and then by its comment: zdmc, 名称."""
    return fold(column.name), fold(_heading(column.comment))


async def _rows(
    connection_id: str, catalog: Catalog, table: Table, columns: tuple[str, ...], policy: Policy | None
) -> AsyncIterator[tuple[str, ...]]:
    """The rows of a small table as text; nothing where it cannot be read."""
    shown = [exp.column(exp.to_identifier(name, quoted=True)) for name in columns]
    sql = exp.select(*shown).from_(table_named(table)).limit(MOST_ROWS).sql(catalog.dialect)
    try:
        checked = check(sql, dialect=catalog.dialect, catalog=catalog, policy=replace(policy or Policy(), row_cap=None))
        result = await execute(connection_id, checked, limits=Limits(TIMEOUT_S, MOST_ROWS), fresh=True)
    except (SqlRefused, SqlFixable, SqlDenied, QueryLimit):
        return
    for row in result.rows:
        if all(cell is not None for cell in row):
            yield tuple(spelt(cell) for cell in row)
