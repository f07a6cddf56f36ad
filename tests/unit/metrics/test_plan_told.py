"""A plan in words means what its statement does: no filter is told the other way round, and none is left untold."""

import datetime
import re
from itertools import product

import pytest
import sqlglot
from sqlglot import exp
from tests.unit.metrics.demo_book import demo_vocabulary

from inquery.agents.questions.followup import bare
from inquery.agents.questions.question_plan import planned_statement, told_of
from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import plan_labels, plan_prose
from inquery.language.dates import Clock
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.plan_told import describe_plan, narrowing, told_filters, told_limits
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


def test_what_rows_name_themselves_is_not_said_again() -> None:
    both = PlanFilter(dimension="orders.channel", values=("web", "app"))
    assert narrowing(plan_of(both), book(), "en") == "for channel web or app"
    assert narrowing(plan_of(both, groups=(Grouping(dimension="orders.channel"),)), book(), "en") == ""
    share = plan_of(both, EAST, share_of="orders.channel")
    assert narrowing(share, book(), "en") == "in the east"
