"""What codes of a state stand for, told by data: the orders with a time of cancelling are the cancelled ones.

Systems keep `status` as 5 and 6 and say nowhere what these are, but they fill `cancel_time` for some of the rows. Where such a
column is filled for nearly all rows of one code and for hardly any other, the code is that state. What is filled for several codes
(a paid order is later a shipped one) tells of none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from inquery.catalog.collect import TIMEOUT_S, spelt, table_named
from inquery.catalog.key_names import entity_of, type_family
from inquery.catalog.suitable import private
from inquery.databases.engine import Limits
from inquery.databases.executor.execute import execute
from inquery.errors import QueryLimit, SqlDenied, SqlFixable, SqlRefused
from inquery.language.flag_words import STATES
from inquery.language.text import fold, has_cjk, name_words
from inquery.sql import Catalog, Column, Policy, Table, check

MOST_TABLES = 60
ROWS = 100_000
MOST_CODES = 12
MOST_DEEDS = 12
FILLED = 0.7
"""Of the rows in a state, the share that has its column filled: people leave out a reason, programs no time."""
ELSEWHERE = 0.03
FEWEST = 3
"""Rows of a state that say something of it, and of the others together."""
MOST_STATES = 2
"""States that a code may be told by: a row with a time of everything says nothing."""

_CODE_NAMES = frozenset({"status", "state", "stage", "phase", "stat", "sts", "zt"})
_CODE_ZH = re.compile(r"状态|阶段$")
_OF_A_DEED = frozenset({
    "time", "date", "at", "on", "by", "reason", "day", "datetime", "timestamp", "dt", "note", "remark", "comment", "user", "operator",
    "person", "ts", "cause", "why",
})  # fmt: skip
_OF_A_DEED_ZH = re.compile(r"(?:时间|日期|时刻|原因|理由|人|日|备注|说明)$")
_NOT_YET = frozenset({
    "expected", "estimated", "estimate", "plan", "planned", "due", "target", "scheduled", "schedule", "promised", "est", "eta", "deadline",
    "expect", "latest", "limit", "requested", "request", "start", "begin", "last", "next", "min", "max", "days",
})  # fmt: skip
_NOT_YET_ZH = re.compile(r"预计|计划|应|截止|期望|要求|开始|最后|最近|最晚|承诺|申请")

# A state that people name, the words that columns of its deed have, and what may be said of it besides where no other column is about it.
_DEEDS = """
cancelled: cancel cancelled canceled cancellation cancelation 取消
voided: void voided 作废
refunded: refund refunded 退款
returned: returned giveback 归还 退回 退货
shipped: ship shipped shipping dispatch dispatched 发货
delivered: deliver delivered delivery 送达 completed
received: receive received 收货 签收 completed
completed: finish finished complete completed completion 完成 完工
closed: close closed closing closure 关闭 结案
resolved: resolve resolved resolution solve solved 解决
approved: approve approved approval 批准
rejected: reject rejected rejection refuse refused refusal decline declined deny denied 驳回 拒绝
resigned: leave leaving left resign resignation resigned quit terminate terminated termination dismissal departure 离职
archived: archive archived 归档
failed: fail failed failure 失败
converted: convert converted conversion 转化
lost: lost 输单 流失
deceased: death dead died deceased 死亡
published: publish published 发布
blocked: block blocked ban banned 封禁
locked: lock locked 锁定
frozen: freeze frozen 冻结
read: read 已读
expired: expired 失效
suspended: suspend suspended suspension 暂停 停机
"""


@dataclass(frozen=True, slots=True)
class Deed:
    """A column that is filled when something was done, by the state that a row has then."""

    column: Column
    state: str
    also: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of the rows with one code: how many there are, and how many have each deed's column filled."""

    rows: int
    filled: Mapping[str, int]


def _read_deeds() -> dict[str, tuple[str, str]]:
    """The state of each word of a column, and the state that may be said of it besides."""
    found: dict[str, tuple[str, str]] = {}
    for line in _DEEDS.strip().splitlines():
        state, _, rest = line.partition(": ")
        words = rest.split()
        also = words.pop() if words[-1] in STATES and words[-1] not in {state, *STATES.get(state, ())} else ""
        found |= dict.fromkeys([*words], (state, also))
    return found


DEEDS = _read_deeds()


async def read_state_codes(
    connection_id: str, catalog: Catalog, policy: Policy | None = None
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Codes and what they stand for, for (full table name, column), as far as filled columns tell it."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    asked = 0
    for table in catalog.tables:
        deeds = deeds_of(table)
        for column in code_columns(table) if deeds else ():
            if asked == MOST_TABLES:
                return found
            asked += 1
            about = [deed for deed in deeds if deed.column.name != column.name]
            counts = await _count(connection_id, catalog, table, column, about, policy)
            if pairs := states_of(counts, about):
                found[table.full_name, column.name] = pairs
    return found


def code_columns(table: Table) -> list[Column]:
    """The columns of a table that keep its state as a code nobody explains; `pay_status` is about a part of it."""
    entity = set(entity_of(table.name))
    found = []
    for column in table.columns:
        codes = column.samples
        if column.meanings or not 1 < len(codes) <= MOST_CODES or not all(map(_is_code, codes)):
            continue
        words = name_words(column.name)
        if _CODE_ZH.search(column.name) or (words and words[-1] in _CODE_NAMES and {*words[:-1]} <= entity):
            found.append(column)
    return found


def deeds_of(table: Table) -> list[Deed]:
    """The columns of a table that are filled when something has been done."""
    found = []
    for column in table.columns:
        if column.primary_key or private(column.name) or type_family(column.type) == "flag":
            continue
        if state := _deed_of(column):
            found.append(Deed(column, *state))
    return found[:MOST_DEEDS]


def _deed_of(column: Column) -> tuple[str, str] | None:
    name = fold(column.name)
    if has_cjk(name):
        if not _OF_A_DEED_ZH.search(name) or _NOT_YET_ZH.search(name):
            return None
        return next((DEEDS[word] for word in DEEDS if has_cjk(word) and word in name), None)
    words = name_words(column.name)
    told = _OF_A_DEED.intersection(words) or type_family(column.type) == "time"
    if not told or _NOT_YET.intersection(words):
        return None
    return next((DEEDS[word] for word in words if word in DEEDS), None)


def _is_code(value: str) -> bool:
    return re.fullmatch(r"-?\d{1,4}|[A-Za-z]\d?", value) is not None


def states_of(counts: Mapping[str, Counts], deeds: Sequence[Deed]) -> list[tuple[str, str]]:
    """Codes with the words for the states that they are: those whose rows alone have a deed's columns filled."""
    found: dict[str, list[Deed]] = {}
    for state in dict.fromkeys(deed.state for deed in deeds):
        own = [deed for deed in deeds if deed.state == state]
        codes = {code for deed in own if (code := _only_code(counts, deed.column.name)) is not None}
        if len(codes) == 1:
            found.setdefault(codes.pop(), []).extend(own)
    said = {deed.state for own in found.values() for deed in own}
    pairs = []
    for code, own in found.items():
        states = dict.fromkeys(deed.state for deed in own)
        if len(states) > MOST_STATES:
            continue
        # `finish_time` says better than `receive_time` what is completed.
        states |= dict.fromkeys(deed.also for deed in own if deed.also and deed.also not in said)
        pairs += [(code, word) for state in states for word in _words_of(state)]
    return pairs


def _words_of(state: str) -> Iterator[str]:
    yield from STATES.get(state, (state,))


def _only_code(counts: Mapping[str, Counts], column: str) -> str | None:
    """The one code whose rows have a column filled; None where there is none, or another has it too."""
    filled = {code: each.filled[column] / each.rows for code, each in counts.items() if each.rows}
    full = [code for code, share in filled.items() if share >= FILLED]
    if len(full) != 1 or counts[full[0]].rows < FEWEST:
        return None
    others = sum(each.rows for code, each in counts.items() if code != full[0])
    stray = sum(each.filled[column] for code, each in counts.items() if code != full[0])
    return full[0] if others >= FEWEST and stray <= ELSEWHERE * others else None


async def _count(
    connection_id: str, catalog: Catalog, table: Table, column: Column, deeds: Sequence[Deed], policy: Policy | None
) -> dict[str, Counts]:
    """Rows and filled columns by code; nothing where the table cannot be read."""
    sql = counting_statement(table, column, [deed.column for deed in deeds], catalog.dialect)
    try:
        checked = check(sql, dialect=catalog.dialect, catalog=catalog, policy=replace(policy or Policy(), row_cap=None))
        result = await execute(connection_id, checked, limits=Limits(TIMEOUT_S, MOST_CODES * 2), fresh=True)
    except (SqlRefused, SqlFixable, SqlDenied, QueryLimit):
        return {}
    return {
        spelt(code): Counts(int(rows), {deed.column.name: int(n) for deed, n in zip(deeds, filled, strict=True)})
        for code, rows, *filled in result.rows
        if code is not None
    }


def counting_statement(table: Table, column: Column, deeds: Sequence[Column], dialect: str) -> str:
    """Of the first rows of a table: how many have each code, and for how many of these each of some columns is filled."""
    own = [column, *deeds]
    inner = exp.select(*(exp.alias_(_named(each.name), f"v{at}", quoted=True) for at, each in enumerate(own)))
    part = inner.from_(table_named(table)).limit(ROWS).subquery("part")
    outer = [exp.column(exp.to_identifier(f"v{at}", quoted=True)) for at in range(len(own))]
    shown: list[exp.Expr] = [exp.alias_(exp.Count(this=exp.Star()), "n", quoted=True)]
    for at, each in enumerate(deeds, 1):
        filled = exp.Case(ifs=[exp.If(this=_filled(outer[at], each, dialect), true=exp.Literal.number(1))])
        shown.append(exp.alias_(exp.Count(this=filled), f"n{at}", quoted=True))
    query = exp.select(outer[0], *shown).from_(part).group_by(outer[0].copy()).order_by(outer[0].copy())
    return query.limit(MOST_CODES * 2).sql(dialect)


def _filled(value: exp.Expr, column: Column, dialect: str) -> exp.Expr:
    """Whether a cell holds something: no NULL, no empty text, no nought. SQLite keeps texts in columns of any type."""
    given = value.copy().is_(exp.null()).not_()
    kind = type_family(column.type)
    if kind == "number":
        return exp.and_(given, value.copy().neq(exp.Literal.number(0)))
    if kind == "text" or dialect == "sqlite":
        return exp.and_(given, value.copy().neq(exp.Literal.string("")))
    return given


def _named(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))
