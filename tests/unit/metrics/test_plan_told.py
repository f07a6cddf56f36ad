"""A plan in words means what its statement does: no filter is told the other way round, and none is left untold."""

import datetime
import re
import sqlite3
from itertools import product

import pytest
import sqlglot
from sqlglot import exp
from tests.unit.metrics.demo_book import demo_vocabulary

from inquery.agents.questions.followup import bare
from inquery.agents.questions.question_plan import planned_statement, told_of
from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import plan_facts, plan_labels, plan_prose
from inquery.language.dates import Clock
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.plan_told import describe_plan, narrowing, period_before, told_filters, told_limits
from inquery.metrics.plan_types import Grouping, Membership, Plan, PlanFilter, PlanPeriod, PlanRanking, Threshold
from inquery.metrics.read_plan import read_plan
from inquery.metrics.turn_plan import turn_plan

DENYING = {"en": re.compile(r"\b(?:without|not|no)\b"), "zh": re.compile(r"不|无|没")}
CLOCK = Clock(datetime.date(2026, 11, 20))
YEAR = PlanPeriod(start=datetime.date(2025, 1, 1), end=datetime.date(2026, 1, 1), grain="year")
MEMBERS = {
    "orders.channel": ("store", "web"),
    "orders.status": ("paid", "shipped"),
    "stores.region": ("east", "south"),
    "categories.code": ("toys", "books"),
    "products.brand": ("Zentari", "山岚"),
}
WIDTHS = (0, 1, 2)


def book():
    return demo_vocabulary().book


def plan_of(*filters: PlanFilter, **parts) -> Plan:
    return Plan(measures=("revenue",), period=YEAR, filters=filters, **parts)


def every_filter() -> list[PlanFilter]:
    found = []
    for (dimension, members), width, negated in product(MEMBERS.items(), WIDTHS, (False, True)):
        found.append(PlanFilter(dimension=dimension, values=members[:width], negated=negated))
    return found


def leaves_out(sql: str, column: str, values: tuple[str, ...]) -> bool:
    """Whether the statement keeps the rows that do not have the members; of a null test those that have none at all."""
    for test in sqlglot.parse_one(sql, dialect="sqlite").find_all(exp.EQ, exp.NEQ, exp.In, exp.Is):
        literals = {literal.name for literal in test.find_all(exp.Literal)}
        if test.this.name != column or literals != set(values):
            continue
        under_not = isinstance(test.parent, exp.Not)
        return (isinstance(test, exp.NEQ) != under_not) if values else not under_not
    raise AssertionError(sql)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("wanted", every_filter(), ids=lambda w: f"{w.dimension} {w.values} {w.negated}")
def test_a_filter_is_told_in_the_sense_of_its_statement(wanted: PlanFilter, language: str) -> None:
    plan = plan_of(wanted)
    sql = compile_plan(plan, book(), "sqlite", language=language).sql
    denied = leaves_out(sql, wanted.dimension.rpartition(".")[2], wanted.values)
    (told,) = told_filters(plan, book(), language)
    line, sentence = describe_plan(plan, book(), language), narrowing(plan, book(), language)
    assert told.denied == denied
    assert bool(DENYING[language].search(line)) == denied
    assert bool(DENYING[language].search(sentence)) == denied


@pytest.mark.parametrize("negated", [False, True])
def test_what_an_order_holds_is_told_in_its_sense(negated: bool) -> None:
    toys = PlanFilter(dimension="categories.code", values=("toys",), holding=True, negated=negated)
    plan = Plan(measures=("order_count",), filters=(toys,))
    sql = compile_plan(plan, book(), "sqlite").sql
    assert ("NOT orders.order_id IN" in sql) == negated
    assert describe_plan(plan, book(), "en").endswith("without toys" if negated else "with toys")
    assert describe_plan(plan, book(), "zh").endswith("不含玩具" if negated else "含玩具")


def sentence(plan: Plan, rows: list[list[object]], language: str) -> str:
    made = compile_plan(plan, book(), "sqlite", language=language)
    told = told_of(planned_statement(plan, made, book(), language))
    columns = plan_labels(told, [AnswerColumn(name=column.name, kind="number") for column in made.columns])
    return plan_prose(told, columns, rows, language)


WITHOUT_STORE = PlanFilter(dimension="orders.channel", values=("store",), negated=True, text="store")
EAST = PlanFilter(dimension="stores.region", values=("east",), text="east")
BY_CATEGORY = (Grouping(dimension="categories"),)
FEW = [["Computers", 3.0], ["Cameras", 2.0], ["Toys", 1.0]]


def test_a_figure_without_a_channel_is_told_as_one_without_it() -> None:
    assert sentence(plan_of(WITHOUT_STORE), [[1200.0]], "en") == "Revenue in 2025 without channel store was ¥1,200."
    assert sentence(plan_of(WITHOUT_STORE), [[1200.0]], "zh") == "2025年渠道不含门店的销售额为1,200元。"


def test_a_list_that_was_cut_is_no_list_of_all() -> None:
    plan = plan_of(EAST, groups=BY_CATEGORY, ranking=PlanRanking(n=3))
    assert sentence(plan, FEW, "en").startswith("Revenue in 2025 in the east, the top 3 categories: Computers (¥3)")
    assert sentence(plan, FEW, "zh").startswith("2025年华东的销售额，前3名品类：Computers（3元）")
    lowest = plan_of(groups=BY_CATEGORY, ranking=PlanRanking(n=3, descending=False))
    assert sentence(lowest, FEW, "en").startswith("Revenue in 2025, the lowest 3 categories: ")
    assert sentence(lowest, FEW, "zh").startswith("2025年销售额，最低的3个品类：")
    fewer = plan_of(groups=BY_CATEGORY, ranking=PlanRanking(n=5))
    assert sentence(fewer, FEW, "en").startswith("Revenue in 2025, 3 in all: ")


@pytest.mark.parametrize(
    ("turns", "expected", "filters", "limits"),
    [
        (
            ("revenue by category in 2025", "only in the east", "only the top 3", "and for 2024?"),
            "Revenue in 2024 in the east, the top 3 categories: ",
            [("region east", False)],
            ["highest 3 by revenue"],
        ),
        (
            ("2025年各品类的销售额", "只看华东", "只看前3名", "2024年的呢"),
            "2024年华东的销售额，前3名品类：",
            [("大区为华东", False)],
            ["按销售额取最高的3项"],
        ),
        (
            ("revenue in 2025 without the store channel", "and for 2024?"),
            "Revenue in 2024 without channel store was ",
            [("channel store", True)],
            [],
        ),
        (
            ("2025年不含门店渠道的销售额", "2024年的呢"),
            "2024年渠道不含门店的销售额为",
            [("渠道为门店", True)],
            [],
        ),
    ],
)
def test_what_earlier_questions_narrowed_is_told_of_the_last(
    turns: tuple[str, ...], expected: str, filters: list[tuple[str, bool]], limits: list[str]
) -> None:
    language = "zh" if "年" in turns[0] else "en"
    plan = read_plan(turns[0], demo_vocabulary(), today=CLOCK.today).plan
    for message in turns[1:]:
        assert plan is not None
        plan = turn_plan(bare(message), plan, demo_vocabulary(), CLOCK)
    assert plan is not None
    rows = FEW if plan.groups else [[1200.0]]
    assert sentence(plan, rows, language).startswith(expected)
    assert [(told.text, told.denied) for told in told_filters(plan, book(), language)] == filters
    assert told_limits(plan, book(), language) == limits


def test_every_limit_is_told() -> None:
    plan = plan_of(
        EAST, WITHOUT_STORE, groups=BY_CATEGORY, ranking=PlanRanking(n=3), threshold=Threshold(operator=">", number=5)
    )
    assert told_limits(plan, book(), "en") == ["revenue more than 5", "highest 3 by revenue"]
    assert told_limits(plan, book(), "zh") == ["销售额高于5", "按销售额取最高的3项"]
    lost = Plan(measures=("active_customers",), period=YEAR, membership=Membership(also=YEAR))
    assert told_limits(lost, book(), "en") == ["not in 2025"]
    assert told_limits(lost, book(), "zh") == ["2025年没有的"]


def test_members_of_one_period_and_not_of_another_are_told_so() -> None:
    later = PlanPeriod(start=datetime.date(2026, 1, 1), end=datetime.date(2027, 1, 1), grain="year")
    lost = Plan(
        measures=("active_customers",), period=YEAR, membership=Membership(also=later), filters=(WITHOUT_STORE,)
    )
    kept = lost.model_copy(update={"membership": Membership(also=later, active=True), "filters": ()})
    assert sentence(lost, [[3]], "en").endswith(" in 2025 without channel store but not in 2026.")
    assert sentence(lost, [[3]], "zh").startswith("2025年有而2026年没有、渠道不含门店的")
    assert sentence(kept, [[3]], "en").endswith(" in 2025 and also in 2026.")
    assert sentence(kept, [[3]], "zh").startswith("2025年和2026年都有的")


def test_what_rows_name_themselves_is_not_said_again() -> None:
    both = PlanFilter(dimension="orders.channel", values=("web", "app"))
    assert narrowing(plan_of(both), book(), "en") == "for channel web or app"
    assert narrowing(plan_of(both, groups=(Grouping(dimension="orders.channel"),)), book(), "en") == ""
    share = plan_of(both, EAST, share_of="orders.channel")
    assert narrowing(share, book(), "en") == "in the east"


TODAY = datetime.date(2026, 11, 20)
COMPARE = {"en": "Compare revenue this year with last year by month", "zh": "今年和去年每个月的销售额对比"}
MONTHS = [
    ["2026-09", 120.0, 100.0, 20.0, 20.0],
    ["2026-10", 90.0, 100.0, -10.0, -10.0],
    ["2026-11", 50.0, 110.0, None, None],
    ["2026-12", None, 130.0, None, None],
]


def compared(language: str, rows: list[list[object]]) -> tuple[str, list[str], list[tuple[str, object]]]:
    """The sentence, what the columns are called, and the facts of the whole series."""
    plan = read_plan(COMPARE[language], demo_vocabulary(), today=TODAY).plan
    assert plan is not None
    made = compile_plan(plan, book(), "sqlite", language=language, today=TODAY)
    told = told_of(planned_statement(plan, made, book(), language))
    columns = plan_labels(told, [AnswerColumn(name=column.name, kind="number") for column in made.columns])
    span = [(f.kind, f.value) for f in plan_facts(told, columns, rows) if f.label == "2026-09 to 2026-10"]
    return plan_prose(told, columns, rows, language), [column.label for column in columns], span


def test_two_years_by_month_are_told_like_for_like() -> None:
    text, labels, facts = compared("en", MONTHS)
    assert text == (
        "From 2026-09 to 2026-10 revenue came to ¥210, against ¥200 in the same part of 2025: up 5.0% (¥10). "
        "The change was highest in 2026-09 (up 20.0%) and lowest in 2026-10 (down 10.0%); "
        "2026-11 is not over (¥50 so far) and is not compared."
    )
    assert labels[1:3] == ["revenue", "revenue 2025"]
    assert facts == [("previous", 200), ("difference", 10), ("change_percent", 5)]
    text, labels, _ = compared("zh", MONTHS)
    assert text == (
        "从2026-09到2026-10，销售额合计210元，2025年同期为200元，增长5.0%（10元）。"
        "同比最高的是2026-09（增长20.0%），最低的是2026-10（下降10.0%）；2026-11尚未结束（目前50元），未参与比较。"
    )
    assert labels[1:3] == ["销售额", "2025年销售额"]


def test_months_held_against_the_one_before_are_called_so() -> None:
    plan = read_plan("Revenue by month in 2025 compared with the previous month", demo_vocabulary(), today=TODAY).plan
    assert plan is not None
    assert (period_before(plan, "en"), period_before(plan, "zh")) == ("the month before", "上月")


def test_the_whole_year_before_is_there_and_half_a_month_is_held_against_nothing() -> None:
    plan = read_plan(COMPARE["en"], demo_vocabulary(), today=TODAY).plan
    assert plan is not None
    made = compile_plan(plan, book(), "sqlite", today=TODAY)
    with sqlite3.connect(":memory:") as shop:
        shop.executescript(
            "CREATE TABLE orders (order_id INTEGER, ordered_at TEXT, status TEXT);"
            "CREATE TABLE order_items (order_id INTEGER, quantity REAL, unit_price REAL, discount REAL);"
        )
        days = [f"{year}-{month:02d}-15" for year in (2025, 2026) for month in range(1, 13)][:23]
        for number, day in enumerate(days):
            shop.execute("INSERT INTO orders VALUES (?, ?, 'paid')", (number, day))
            shop.execute("INSERT INTO order_items VALUES (?, 1, ?, 0)", (number, 100 + number))
        rows = shop.execute(made.sql).fetchall()
    assert [row[0] for row in rows] == [f"2026-{month:02d}" for month in range(1, 13)]
    assert [row[2] for row in rows] == [100.0 + number for number in range(12)]
    assert rows[9][3:] == (12.0, pytest.approx(12 * 100 / 109))
    assert rows[10][1:] == (122.0, 110.0, None, None)
    assert rows[11][1:] == (None, 111.0, None, None)
