"""Counts of what is named, and totals of a column that is named, define nothing that anybody would have to confirm."""

import datetime

import pytest

from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.metric_book import Book
from inquery.metrics.plain_figures import is_plain
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2025, 6, 30)
DAYS = ("2025-01-05", "2024-12-31")


def key(name: str) -> Column:
    return Column(name, "INTEGER", primary_key=True)


def number(name: str) -> Column:
    return Column(name, "INTEGER")


TABLES = (
    Table(("genre",), (key("genre_id"), Column("name", "TEXT"))),
    Table(
        ("track",),
        (key("track_id"), number("genre_id"), Column("codec", "TEXT"), Column("price", "REAL"), Column("added", "DATE", samples=DAYS)),
        foreign_keys=(ForeignKey(("genre_id",), ("genre",), ("genre_id",)),),
    ),
    Table(
        ("voucher",),
        (
            key("voucher_id"), Column("codec", "TEXT"), Column("fee", "REAL"), number("is_deleted"),
            Column("sold_on", "DATE", samples=DAYS), Column("used_on", "DATE", samples=DAYS),
        ),
    ),
    Table(("费用",), (Column("部门", "TEXT", samples=("市场部", "研发部")), Column("金额", "REAL"), Column("日期", "DATE", samples=DAYS))),
)  # fmt: skip
VALUES = {
    ("track", "codec"): ["mp3", "aac"],
    ("voucher", "codec"): ["print", "mail"],
    ("费用", "部门"): ["市场部", "研发部"],
}


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("How many tracks are there?", True),
        ("Number of tracks by genre", True),
        ("Which genre has the most tracks?", True),
        ("各部门的金额", True),
        ("2024年各部门的金额", True),
        ("How many mp3 tracks are there?", False),  # the value is taken for one of a column
        ("Number of tracks by codec", False),  # two tables have one
        ("How many vouchers are there?", True),  # but for those that are deleted, which nobody means
        ("How many vouchers were there in 2024?", False),
        ("各部门的平均金额", False),
    ],
)
def test_what_a_question_names_needs_nobody_to_confirm_it(question: str, plain: bool) -> None:
    catalog = with_joins(Catalog("sqlite", TABLES))
    words = Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))
    read = read_plan(question, words, today=TODAY)
    assert read.plan is not None, read.why
    assert is_plain(question, read.plan, words) is plain
