"""The five-minute set-up: what only a person can say of a database, found by looking at it, and kept in the glossary.

Which amount is revenue, which date counts, which rows do not, what codes mean, which name is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import BaseModel
from sqlglot import exp

from inquery.catalog.column_prefixes import own_prefix
from inquery.catalog.main_things import Thing, main_things, told_name
from inquery.catalog.time_columns import time_columns
from inquery.errors import BadRequest, NotFound, Text
from inquery.knowledge.glossary import ANY_VALUE, About, Glossary, Metric
from inquery.sql import Catalog, Column, Table

MOST = 10
MOST_OPTIONS = 6
MOST_CODES = 8
OTHER = "-"
"""The option that none of the others is right."""
SKIPPED = "~"
"""What is kept of a question that was passed over: the glossary keeps nothing that is empty."""
Kind = Literal["revenue", "time", "leave_out", "codes", "display"]

_MONEY = re.compile(
    r"amount|total|paid|pay|net|gross|price|revenue|sales|subtotal|金额|总额|实付|应付|实收|净额|销售额|收入|价", re.I
)
_NO_MONEY = re.compile(
    r"cost|discount|tax|fee|refund|ship|freight|quantity|qty|count|unit|list|成本|折扣|税|运费|退款|数量|单价|优惠",
    re.I,
)
_FLAG = re.compile(
    r"^(?:is_?)?(?:deleted|delete|removed|archived|test|void|voided|disabled)(?:_?(?:flag|at|on|time|date|by_user))?$"
    r"|^del_?flag$|^(?:flag_?)deleted$|^(?:是否)?(?:已?删除|作废|测试)(?:标志|标记|时间)?$",
    re.I,
)
_WHEN = re.compile(r"(?:at|on|time|date|时间)$", re.I)
_SET = frozenset({"1", "true", "t", "y", "yes", "是", "已删除", "deleted", "test"})
_STATUS = re.compile(r"status|state|状态", re.I)
_GONE = re.compile(
    r"cancel|void|delet|refund|reject|fail|test|draft|abandon|expired|invalid|取消|作废|删除|退款|拒绝|失败|测试|草稿|失效|无效|关闭",
    re.I,
)
_CODED = re.compile(
    r"status|state|type|kind|level|tier|flag|class|category|mode|gender|sex|grade|stage|source|channel|状态|类型|级别|标志|性别|等级|来源|渠道",
    re.I,
)
_CODE = re.compile(r"-?\d{1,3}|[A-Za-z]{1,3}\d{0,2}")
_NAME = re.compile(
    r"(?:^|_)(?:name|title|nickname|username|label|fullname|shortname)|名称|姓名|昵称|简称|全称|标题|(?<!用户)名$", re.I
)
_NO_NAME = re.compile(r"file|host|path|schema|table|column|package|user_?agent", re.I)
_REVENUE = ("sales", "turnover", "sales amount", "income", "销售额", "营业额", "营收", "收入", "成交额")


class SetupOption(BaseModel):
    """A reply to choose."""

    key: str
    en: str
    zh: str


class SetupQuestion(BaseModel):
    """A question in both languages; `codes` are values to be given meanings, where the reply is not a choice."""

    id: str
    kind: Kind
    table: str
    column: str = ""
    en: str
    zh: str
    options: list[SetupOption]
    codes: list[str] = []
    state: Literal["open", "answered", "skipped"] = "open"
    reply: str = ""


def setup_questions(catalog: Catalog, glossary: Glossary) -> list[SetupQuestion]:
    """Up to ten questions, the most telling first; those that were seen say so."""
    things = main_things(catalog, most=8)
    found = [
        *_revenue(things, glossary),
        *(q for thing in things[:4] for q in _rows_that_do_not_count(thing.table)),
        *(q for thing in things[:4] for q in _dates(thing.table)),
        *(q for thing in things[:6] for q in _codes(thing.table, glossary)),
        *(q for table in _referred(catalog) for q in _names(table)),
    ]
    return [_with_state(question, glossary) for question in found[:MOST]]


def _with_state(question: SetupQuestion, glossary: Glossary) -> SetupQuestion:
    if question.id not in glossary.setup:
        return question
    reply = glossary.setup[question.id].replace(SKIPPED, "")
    return question.model_copy(update={"state": "answered" if reply else "skipped", "reply": reply})


def _revenue(things: list[Thing], glossary: Glossary) -> Iterator[SetupQuestion]:
    """Twin amounts of the first table that has them."""
    known = glossary.metrics.get("revenue")
    if known is not None and "revenue" not in {key.partition(":")[0] for key in glossary.setup}:
        return  # people defined it already
    for thing in things:
        money = [c for c in (*thing.sums, *thing.averages) if _MONEY.search(c.name) and not _NO_MONEY.search(c.name)]
        if len(money) < 2:
            continue
        yield SetupQuestion(
            id=f"revenue:{thing.table.full_name}",
            kind="revenue",
            table=thing.table.full_name,
            en=f"Which amount of {_called(thing.table, 'en')} is revenue?",
            zh=f"{_called(thing.table, 'zh')}中，哪个金额是销售额（收入）？",
            options=[*(_column_option(column) for column in money[:MOST_OPTIONS]), _none("None of them", "都不是")],
        )
        return


def _rows_that_do_not_count(table: Table) -> Iterator[SetupQuestion]:
    prefix = own_prefix(table)
    for column in table.columns:
        values = _left_out(column, prefix)
        if not values:
            continue
        shown = ", ".join(values)
        anything = values == (ANY_VALUE,)
        yield SetupQuestion(
            id=f"leave_out:{table.full_name}.{column.name}",
            kind="leave_out",
            table=table.full_name,
            column=column.name,
            en=f"{_called(table, 'en')} has rows with {_called(column, 'en')} "
            + ("set" if anything else f"= {shown}")
            + ". Should they be left out?",
            zh=f"{_called(table, 'zh')}中，{_called(column, 'zh')}"
            + ("有值" if anything else f"为 {shown} ")
            + "的行是否应略去？",
            options=[
                SetupOption(key="|".join(values), en="Leave them out", zh="略去这些行"),
                *(
                    SetupOption(key=value, en=f"Leave out {value} only", zh=f"只略去 {value}")
                    for value in (values if 1 < len(values) <= 3 else ())
                ),
                _none("Count all rows", "全部计入"),
            ],
        )


def _left_out(column: Column, prefix: str) -> tuple[str, ...]:
    """The values that say a row is deleted, a test or cancelled; none where the column has no such rows."""
    name = column.name.removeprefix(prefix)
    held = [sample for sample in column.samples if sample]
    if _FLAG.search(name):
        if _WHEN.search(name):
            return (ANY_VALUE,) if held else ()
        return tuple(value for value in dict.fromkeys(held) if value.casefold() in _SET)
    if _STATUS.search(column.name) and 2 <= len(set(held)) <= MOST_CODES:
        return tuple(value for value in dict.fromkeys(held) if _GONE.search(value))
    return ()


def is_decided(glossary: Glossary, table: Table, column: str) -> bool:
    """Whether people said which rows of a table a column leaves out, or that it leaves out none."""
    about = glossary.tables.get(table.full_name)
    said = glossary.setup.get(f"leave_out:{table.full_name}.{column}", "").replace(SKIPPED, "")
    return bool(said) or (about is not None and column in about.leave_out)


def _dates(table: Table) -> Iterator[SetupQuestion]:
    found = [each for each in time_columns(table) if each.score > 0 and each.kind != "year"]
    if len(found) < 2:
        return
    columns = [table.column(each.name) for each in found[:MOST_OPTIONS]]
    yield SetupQuestion(
        id=f"time:{table.full_name}",
        kind="time",
        table=table.full_name,
        en=f"Which date counts for {_called(table, 'en')}, when a question names a period?",
        zh=f"问题提到时间段时，{_called(table, 'zh')}按哪个日期统计？",
        options=[*(_column_option(column) for column in columns if column), _none("It depends", "视情况而定")],
    )


def _codes(table: Table, glossary: Glossary) -> Iterator[SetupQuestion]:
    keys, prefix = {name for key in table.foreign_keys for name in key.columns}, own_prefix(table)
    for column in table.columns:
        held = list(dict.fromkeys(sample for sample in column.samples if sample))
        place = f"{table.full_name}.{column.name}"
        coded = 2 <= len(held) <= MOST_CODES and all(_CODE.fullmatch(value) for value in held)
        told = column.comment and re.search(r"[:：=]", column.comment)
        if not coded or told or column.primary_key or column.name in keys or not _CODED.search(column.name):
            continue
        if _left_out(column, prefix) or (glossary.values.get(place) and f"codes:{place}" not in glossary.setup):
            continue
        yield SetupQuestion(
            id=f"codes:{place}",
            kind="codes",
            table=table.full_name,
            column=column.name,
            en=f"What do the values of {table.name}.{column.name} mean? Write value=meaning, several separated by commas.",
            zh=f"{_called(table, 'zh')}的{_called(column, 'zh')}，各取值是什么意思？请写成 值=含义，多个用逗号分隔。",
            options=[],
            codes=sorted(held),
        )


def _names(table: Table) -> Iterator[SetupQuestion]:
    found = [c for c in table.columns if _NAME.search(c.name) and not _NO_NAME.search(c.name) and _is_text(c)]
    if len(found) < 2:
        return
    yield SetupQuestion(
        id=f"display:{table.full_name}",
        kind="display",
        table=table.full_name,
        en=f"Which column names a row of {_called(table, 'en')}?",
        zh=f"显示{_called(table, 'zh')}时，用哪一列作为名称？",
        options=[*(_column_option(column) for column in found[:MOST_OPTIONS]), _none("None of them", "都不是")],
    )


def _referred(catalog: Catalog) -> list[Table]:
    """Tables that others refer to, those of most first."""
    counts: dict[tuple[str, ...], int] = {}
    for join in catalog.joins:
        counts[join.right] = counts.get(join.right, 0) + 1
    return [catalog.by_path[path] for path in sorted(counts, key=lambda p: (-counts[p], p)) if path in catalog.by_path]


def _is_text(column: Column) -> bool:
    return re.search(r"char|text|string|clob|^$", column.type, re.I) is not None


def _called(thing: Table | Column, language: str) -> str:
    """What a person calls a table or column, with its own name behind where that is another: 订单（orders）."""
    told = told_name(thing.name, thing.comment, language)
    if not told or _plain(told) == _plain(thing.name):
        return f" {thing.name} " if language == "zh" and thing.name.isascii() else thing.name
    return f"{told}（{thing.name}）" if language == "zh" else f"{told} ({thing.name})"


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _column_option(column: Column) -> SetupOption:
    shown = ", ".join(column.samples[:2])
    en, zh = _called(column, "en"), _called(column, "zh").strip()
    return SetupOption(key=column.name, en=f"{en}: {shown}" if shown else en, zh=f"{zh}：{shown}" if shown else zh)


def _none(en: str, zh: str) -> SetupOption:
    return SetupOption(key=OTHER, en=en, zh=zh)


def answer_question(question_id: str, reply: str, catalog: Catalog, glossary: Glossary, kept: Glossary) -> Glossary:
    """What is kept of the glossary, with a reply in it; an empty reply passes the question over.

    Raises NotFound for a question that is not asked, BadRequest for a reply that is none of its options.
    """
    question = next((each for each in setup_questions(catalog, glossary) if each.id == question_id), None)
    if question is None:
        raise NotFound(question_id, what=Text("question", "问题"), name=question_id)
    reply = reply.strip()
    made = kept.model_copy(update={"setup": {**kept.setup, question_id: reply or SKIPPED}})
    if question.kind == "codes":
        return _with_codes(question, parse_codes(question, reply), made) if reply else made
    keys = [option.key for option in question.options]
    if reply and reply not in keys:
        listed = ", ".join(keys)
        raise BadRequest.because(f"choose one of {listed}", f"请选择其中之一：{listed}", detail=question_id)
    chosen = "" if reply == OTHER else reply
    table = catalog.by_name[question.table]
    if question.kind == "revenue":
        return _with_revenue(table, chosen, catalog, made)
    about = made.tables.get(table.full_name, About())
    if question.kind == "leave_out":
        left = {name: values for name, values in about.leave_out.items() if name != question.column}
        update: Mapping[str, object] = {
            "leave_out": left | ({question.column: tuple(chosen.split("|"))} if chosen else {})
        }
    else:
        update = {"time" if question.kind == "time" else "display": chosen}
    return made.model_copy(update={"tables": {**made.tables, table.full_name: about.model_copy(update=dict(update))}})


def parse_codes(question: SetupQuestion, reply: str) -> dict[str, tuple[str, ...]]:
    """The meanings a person wrote, by value; raises BadRequest where none is of a value there is."""
    found: dict[str, tuple[str, ...]] = {}
    for part in re.split(r"[,，;；\n]+", reply):
        value, sign, meaning = re.sub(r"[＝：:]", "=", part, count=1).partition("=")
        words = tuple(word.strip() for word in re.split(r"[/、|]", meaning) if word.strip())
        if sign and words and value.strip() in question.codes:
            found[value.strip()] = words
    if not found:
        example = f"{question.codes[0]}=…"
        raise BadRequest.because(
            f"write value=meaning, such as {example}", f"请写成 值=含义，如 {example}", detail=question.id
        )
    return found


def _with_codes(question: SetupQuestion, meanings: Mapping[str, tuple[str, ...]], made: Glossary) -> Glossary:
    place = f"{question.table}.{question.column}"
    return made.model_copy(update={"values": {**made.values, place: {**made.values.get(place, {}), **meanings}}})


def _with_revenue(table: Table, column: str, catalog: Catalog, made: Glossary) -> Glossary:
    metrics = {name: metric for name, metric in made.metrics.items() if name != "revenue"}
    if column:
        alone = len(catalog.by_last_name[table.name.casefold()]) == 1
        name = table.name if alone else table.full_name
        place = exp.column(exp.to_identifier(column), table=exp.to_identifier(table.name))
        metrics["revenue"] = Metric(
            expression=f"SUM({place.sql(dialect=catalog.dialect)})",
            tables=(name,),
            description=[f"Sum of {column} of {table.name}", f"{table.name} 的 {column} 之和"],
            synonyms=_REVENUE,
        )
    return made.model_copy(update={"metrics": metrics})
