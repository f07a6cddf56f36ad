"""Questions on a database that nobody described which say more than a plan can: none of them is read as the nearest plan."""

import datetime

import pytest

from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2025, 6, 30)
POOL = ForeignKey(("pool_id",), ("pool",), ("pool_id",))
TABLES = (
    Table(
        ("pool",),
        (
            Column("pool_id", "INTEGER", primary_key=True),
            *(Column(name, "TEXT") for name in ("pool_name", "town", "heated")),
        ),
    ),
    Table(
        ("booking",),
        (
            Column("booking_id", "INTEGER", primary_key=True),
            *(
                Column("pool_id", "INTEGER"),
                Column("lane_type", "TEXT"),
                Column("fee", "REAL"),
                Column("score", "REAL"),
            ),
            Column("booked_on", "DATE"),
        ),
        foreign_keys=(POOL,),
    ),
    Table(
        ("lesson",),
        (
            Column("lesson_id", "INTEGER", primary_key=True),
            *(
                Column("pool_id", "INTEGER"),
                Column("level", "TEXT"),
                Column("open_air", "TEXT"),
                Column("held_on", "DATE"),
            ),
        ),
        foreign_keys=(POOL,),
    ),
    Table(
        ("visit",),
        (
            Column("visit_id", "INTEGER", primary_key=True),
            *(Column("pool_id", "INTEGER"), Column("visit_count", "INTEGER")),
        ),
        foreign_keys=(POOL,),
    ),
)
VALUES = {
    ("pool", "town"): ["Hove", "Lewes"],
    ("pool", "heated"): ["yes", "no"],
    ("lesson", "level"): ["beginner", "master"],
    ("lesson", "open_air"): ["yes", "no"],
    ("booking", "lane_type"): ["fast", "slow", "family"],
}


def vocabulary() -> Vocabulary:
    catalog = with_joins(Catalog("sqlite", TABLES))
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


@pytest.mark.parametrize(
    "question",
    [
        "Highest fee per lane type",  # a maximum of each, and no ranking
        "Lowest fee by town",
        "每个泳池的最高费用",
        "Average score and worst score by pool",
        "Pools whose average score tops 240,000",
        "The largest booking was at which pool?",  # one row, and not the most rows
        "Which pool had the biggest fee?",
        "Pool with the highest single fee",
        "Which pool brought in the most on bookings?",
        "Pools with 3 or more bookings and their total fee",  # a threshold of what is not shown
        "Pools with bookings beyond 450 in totals",
        "Number and average fee by lane type",  # two figures
        "Total fee and number by lane type",
        "各泳池的平均费用和合计",
        "按月:课程总数、beginner数",
        "Names of pools whose town is Hove",  # a list
        "How many fast and slow bookings were there in 2024?",  # together or each
        "Percentage of beginner lessons for each pool",  # of its own bookings
        "running lessons, count",
        "Pool with the largest number of open air lessons",
        "各泳池人均费用",
        "Number of visits by pool",  # a row is several
        "Total score by pool",  # an average, and no total
        "各泳池的评分总计",
        "per town the booking with the top result",
        "average fee of pools with 10 or more bookings",
        "费用最高的一单来自哪个泳池",
        "每类预订各泳道类型有多少",  # by their kind too
        "每月预订后的次数",  # after it, and not the last of them
        "预订fast最多的泳池",  # how often, or for how much
        "费用里fast和非fast分别是多少",
        "Town with its lowest score",  # as many rows as there are towns
        "Visits with more than 8 fee by pool",  # visits are listed, and no pools
    ],
)
def test_what_a_plan_cannot_say_is_left_to_others(question: str) -> None:
    assert read_plan(question, vocabulary(), today=TODAY).plan is None


@pytest.mark.parametrize(
    "question",
    [
        "Which pool had the highest total fee in 2024?",
        "Name the biggest pool by number of bookings.",
        "Average fee by lane type",
        "Number of bookings per month in 2024",
        "Pools with more than 3 bookings",
        "预订次数最多的泳池",
        "预订次数前2的泳池",
        "预订最多的泳池",
        "Number of bookings and number of lessons by month in 2024",  # each by its own day
        "各泳池的平均费用",
        "Running total of fee by month in 2024",
    ],
)
def test_what_a_plan_can_say_is_read(question: str) -> None:
    read = read_plan(question, vocabulary(), today=TODAY)
    assert read.plan is not None, f"{read.why} {read.ignored}"
