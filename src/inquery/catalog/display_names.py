"""By what people call the rows of a table: a name, a title, first and last name, a code where there is nothing better."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from inquery.catalog.collect import AT_ONCE, TIMEOUT_S, table_named
from inquery.catalog.column_prefixes import own_prefix
from inquery.catalog.key_names import entity_of, is_doer, refers_to, same_word, type_family
from inquery.catalog.suitable import LONGEST_VALUE, private
from inquery.databases.engine import Limits
from inquery.databases.executor.execute import execute
from inquery.errors import QueryLimit, SqlDenied, SqlFixable, SqlRefused
from inquery.language.abbreviations import SHORT
from inquery.language.person_names import name_part
from inquery.language.text import fold, has_cjk, name_words, singular, word_set
from inquery.sql import Catalog, Column, Join, Policy, Table, check

LEAST = 0.3
PLAIN, OWN = 0.9, 0.94
"""From this score on a name says enough: `name`, `customer_name` of customers, first and last name."""
TELLING, UNIQUE = 0.3, 0.6
"""Of a table's rows, the distinct values that a plain name needs, and any other: order lines repeat the names of goods."""
MEANT = 0.02
"""The same of a table that others refer to: half of the staff may be called Wang."""
FEW = 5
"""Fewer rows do not tell whether a name that is not plain repeats."""
PART = 5_000
"""Rows that are looked at."""
MOST_CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows were looked at, and how many different values they had."""

    rows: int
    distinct: int


Counts = Mapping[tuple[str, str], Counted]


_WHOLE = word_set(
    "name title label caption fullname displayname 名称 名字 姓名 标题 全称 mc xm nm nom libelle intitule titre nome naam bezeichnung"
)
_PERSONAL = word_set("username nickname login account loginname realname alias email handle 用户名 昵称 账号 帐号 邮箱")
_TEXTS = word_set("sujet subject topic headline heading summary description model brand 主题 摘要 型号")
_CODES = word_set(
    "ref code no number num sku barcode symbol abbreviation abbr iso serial isbn plate 编号 编码 代码 单号 条码 车牌号"
)
_OTHERS = word_set(
    "file path image img photo pic picture logo icon avatar bank host domain class method table column field job role user "
    "first last middle maiden mother father parent spouse contact company nick short english en old new"
)
"""Words before `name` that say it is the name of something else, or a part of one."""


def with_display(catalog: Catalog, counts: Counts | None = None) -> Catalog:
    """The catalogue with the display name of each table; a column is known to repeat by its counts."""
    tables = []
    for table in catalog.tables:
        found = display_columns(table, catalog.joins_of([table.path]), counts or {})
        tables.append(table if found == table.display else replace(table, display=found))
    return replace(catalog, tables=tuple(tables))


def display_columns(table: Table, joins: Sequence[Join], counts: Counts) -> tuple[str, ...]:
    """The columns by which a row is called; none where only its key tells it apart."""
    meant = any(join.right == table.path and join.left != table.path for join in joins)
    telling = [
        (score, name)
        for score, name in candidates(table, joins)
        if _tells_apart(score, counts.get((table.full_name, name)), meant)
    ]
    parts = _parted(table)
    if parts and (not telling or telling[0][0] < OWN):  # the title of a person is Mr
        return parts
    return (telling[0][1],) if telling else ()


def candidates(table: Table, joins: Iterable[Join]) -> list[tuple[float, str]]:
    """Columns that may be what rows are called by, the best first."""
    references = {c for key in table.foreign_keys for c in key.columns}
    references |= {c for join in joins if join.left == table.path for c in join.left_columns}
    prefix = own_prefix(table)
    scored = [
        (_score(table, column.name.removeprefix(prefix)), -at, column.name)
        for at, column in enumerate(table.columns)
        if column.name not in references and _can_name(column)
    ]
    best = sorted((each for each in scored if each[0] >= LEAST), reverse=True)
    return [(score, name) for score, _, name in best[:MOST_CANDIDATES]]


async def count_candidates(
    connection_id: str,
    catalog: Catalog,
    tables: Sequence[Table],
    policy: Policy | None = None,
    at_once: int = AT_ONCE,
) -> dict[tuple[str, str], Counted]:
    """What the candidates of some tables hold, a bounded statement a table; what cannot be read is left out."""
    found: dict[tuple[str, str], Counted] = {}
    turn = asyncio.Semaphore(at_once)

    async def one(table: Table) -> None:
        try:
            rules = replace(policy or Policy(), row_cap=None)
            # Checked when its turn has come: the statements of 1,500 tables at once would hold the loop for seconds.
            async with turn:
                names = [name for _, name in candidates(table, catalog.joins_of([table.path]))]
                if not names:
                    return
                sql = _counting(table, names, catalog.dialect)
                checked = check(sql, dialect=catalog.dialect, catalog=catalog, policy=rules)
                result = await execute(connection_id, checked, limits=Limits(TIMEOUT_S, 1), fresh=True)
        except (SqlRefused, SqlFixable, SqlDenied, QueryLimit):
            return
        if result.rows:
            rows, *distinct = (int(cell or 0) for cell in result.rows[0])
            found.update(((table.full_name, n), Counted(rows, each)) for n, each in zip(names, distinct, strict=True))

    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(one(table))
    return found


def _counting(table: Table, names: Sequence[str], dialect: str) -> str:
    columns = [exp.column(exp.to_identifier(name, quoted=True)) for name in names]
    part = exp.select(*columns).from_(table_named(table)).limit(PART).subquery("part")
    counts = [
        exp.Count(this=exp.Distinct(expressions=[column.copy()])).as_(f"n{at}") for at, column in enumerate(columns)
    ]
    return exp.select(exp.Count(this=exp.Star()).as_("n"), *counts).from_(part).sql(dialect)


def _can_name(column: Column) -> bool:
    if type_family(column.type) not in {"text", ""} or private(column.name):
        return False
    long = sum(len(sample) > LONGEST_VALUE for sample in column.samples)
    numbers = sum(sample.replace(".", "").isdigit() for sample in column.samples)
    return not column.samples or (long + numbers) * 2 < len(column.samples)


def _score(table: Table, given: str) -> float:
    """How well a column's name says that it is what rows are called by; a code is the last resort."""
    name = fold(given)
    own = entity_of(table.name)
    if has_cjk(given):
        return _chinese_score(name, own)
    words = [SHORT.get(word, word).split()[-1] if word in {"nm", "desc", "cd"} else word for word in name_words(given)]
    if not words:
        return 0.0
    last, before = words[-1], words[:-1]
    if not before and (last in _WHOLE or name in _WHOLE):
        return 1.0 if last not in {"title", "label", "caption"} else 0.93
    if last in {"name", "title", "label"} and before:
        if before[-1] in {"full", "display"}:
            return 0.98
        if any(same_word(singular(before[-1]), each) or same_word(each, singular(before[-1])) for each in own):
            return 0.94
        if before[-1] in _OTHERS or is_doer("_".join(before)) or refers_to("_".join((*before, "id"))) is None:
            return 0.35 if before[-1] == "user" else 0.2
        return 0.4
    if name in _PERSONAL or last in _PERSONAL:
        return {"realname": 0.7, "nickname": 0.55, "email": 0.42}.get(last, 0.5)
    if last.endswith("name") and len(last) > 4 and not before:  # employeename
        return 0.94 if same_word(last.removesuffix("name"), own[-1]) else 0.4
    if last in _TEXTS:
        return 0.45 if not before else 0.4
    if last in _CODES:
        return 0.38 if not before or same_word(singular(before[-1]), own[-1]) else 0.0
    return 0.0


def _chinese_score(name: str, own: tuple[str, ...]) -> float:
    if name in _WHOLE:
        return 1.0
    for end in ("名称", "姓名", "名字", "标题", "名"):
        if name.endswith(end):
            return 0.94 if name.removesuffix(end) in own[0] or own[0] in name else 0.45
    if name in _PERSONAL or name in _TEXTS:
        return 0.5
    return 0.35 if any(name.endswith(code) for code in _CODES if has_cjk(code)) else 0.0


def _tells_apart(score: float, counted: Counted | None, meant: bool) -> bool:
    """Whether the column has enough values of its own; where nothing was counted, its name has to be plain.

    What others refer to is a thing, and two of its rows may well be called the same.
    """
    if counted is None or counted.rows == 0:
        return score >= PLAIN
    if score >= PLAIN:
        return counted.distinct >= (MEANT if meant else TELLING) * counted.rows and counted.distinct > 0
    return counted.rows >= FEW and counted.distinct >= UNIQUE * counted.rows


def _parted(table: Table) -> tuple[str, ...]:
    """First and last name of a table of people."""
    prefix = own_prefix(table)
    parts = [(name_part(column.name.removeprefix(prefix)), column.name) for column in table.columns]
    first, last = (next((name for said, name in parts if said == part), "") for part in ("first", "last"))
    return (first, last) if first and last else ()
