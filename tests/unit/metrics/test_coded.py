"""Questions to plans where names are abbreviations: comments, codes and flags say what is meant, and doubts what is not."""

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.metrics.test_read_plan import brief

from inquery.catalog.joins import with_joins
from inquery.catalog.meanings import with_meanings
from inquery.knowledge.glossary import Glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.plan_told import describe_plan
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql import check
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2025, 6, 30)
CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("coded.yaml").read_text("utf-8"))


def key(name: str) -> Column:
    return Column(name, "INTEGER", primary_key=True)


TABLES = (
    Table(("qd",), (key("qdid"), Column("qdmc", "TEXT", comment="渠道名称")), comment="渠道"),
    Table(
        ("kh",),
        (
            key("khid"),
            Column("khxm", "TEXT", comment="姓名"),
            Column("xb", "TEXT", comment="1男 2女", samples=("1", "2")),
            Column("ly", "TEXT", comment="来源", samples=("门店", "介绍")),
        ),
        comment="客户档案",
    ),
    Table(
        ("dd",),
        (
            key("ddid"),
            Column("qdid", "INTEGER", comment="渠道"),
            Column("khid", "INTEGER", comment="客户"),
            Column("xdrq", "DATE", comment="下单日期", samples=("2024-05-01",)),
            Column("qd_rq", "DATE", comment="签单日期", samples=("2024-05-02",)),
            Column("st", "INTEGER", comment="状态 1有效 2已取消", samples=("1", "2")),
            Column("thbz", "INTEGER", comment="退号标志 1已退", samples=("0", "1")),
            Column("zffs", "TEXT", comment="支付方式 WX微信 XJ现金", samples=("WX", "XJ")),
            Column("ss", "REAL", comment="实收"),
            Column("qd_je", "INTEGER", comment="签单金额（分）"),
        ),
        foreign_keys=(ForeignKey(("qdid",), ("qd",), ("qdid",)), ForeignKey(("khid",), ("kh",), ("khid",))),
        comment="订单主表",
    ),
)
VALUES = {
    ("qd", "qdmc"): ["官网", "门店直营"], ("kh", "ly"): ["门店", "介绍"], ("kh", "xb"): ["1", "2"],
    ("dd", "zffs"): ["WX", "XJ"],
}  # fmt: skip


def vocabulary() -> Vocabulary:
    catalog = with_meanings(with_joins(Catalog("sqlite", TABLES)))
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_comments_and_codes_are_read(case: dict[str, Any]) -> None:
    read = read_plan(case["question"], vocabulary(), today=TODAY)
    expected = {name: value for name, value in case.items() if name != "question"}
    assert (brief(read.plan) if read.plan else {"none": read.why}) == expected, read.ignored
    if read.plan is not None:
        made = compile_plan(read.plan, vocabulary().book, "sqlite", language="zh", today=TODAY)
        assert check(made.sql, dialect="sqlite", catalog=vocabulary().book.catalog)


def test_codes_are_shown_as_the_words_they_stand_for() -> None:
    book = vocabulary().book
    split = read_plan("各支付方式的实收金额", vocabulary(), today=TODAY).plan
    assert split is not None
    sql = compile_plan(split, book, "sqlite", language="zh", today=TODAY).sql
    assert "WHEN dd.zffs = 'WX' THEN '微信'" in sql
    assert sql.endswith('GROUP BY dd.zffs ORDER BY "实收" DESC')
    narrowed = read_plan("取消的订单有几张？", vocabulary(), today=TODAY).plan
    assert narrowed is not None
    assert "已取消" in describe_plan(narrowed, book, "zh")


def test_money_kept_in_hundredths_is_told_in_whole_units_and_dated_by_its_own_day() -> None:
    plan = read_plan("2024年签单金额是多少", vocabulary(), today=TODAY).plan
    assert plan is not None
    sql = compile_plan(plan, vocabulary().book, "sqlite", language="zh", today=TODAY).sql
    assert "SUM(dd.qd_je) / 100.0" in sql
    assert "dd.qd_rq >= '2024-01-01'" in sql
