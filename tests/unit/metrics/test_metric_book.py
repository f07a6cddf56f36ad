"""Metrics bound to their tables: what can be used, what cannot and why, and what a database proposes."""

import pytest
from tests.unit.metrics.demo_book import demo_catalog, demo_vocabulary

from inquery.agents.questions.question_plan import planned_statement
from inquery.catalog.joins import with_joins
from inquery.errors import BadRequest
from inquery.knowledge.glossary import Glossary, parse_glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.plan_types import Grouping, Plan
from inquery.metrics.propose import propose_metrics
from inquery.sql.catalog import Catalog, Column, Table


def book_of(**metrics: dict[str, object]) -> Book:
    return Book(demo_catalog(), parse_glossary({"metrics": metrics}), {})


def test_every_metric_of_the_demo_can_be_used() -> None:
    assert demo_vocabulary().book.problems == {}


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        ({"expression": "SUM(nowhere.amount)"}, "not there"),
        ({"expression": "SUM(orders.nothing)"}, "orders.nothing is not there"),
        ({"expression": "SUM(orders.total_amount * order_items.quantity)", "tables": ["orders"]}, "more than once"),
        ({"expression": "SUM((", "tables": ["orders"]}, "no expression"),
        ({"expression": "COUNT(*)", "tables": ["orders"], "time": "orders.when"}, "orders.when is not there"),
        ({"numerator": "m", "denominator": "m"}, "defined by itself"),
        ({"numerator": "absent", "denominator": "m"}, "no metric absent"),
    ],
)
def test_a_metric_that_cannot_be_used_says_why_in_both_languages(metric: dict[str, object], why: str) -> None:
    book = book_of(m=metric)
    assert why in book.problems["m"].en
    assert book.problems["m"].zh
    with pytest.raises(BadRequest, match="cannot be used"):
        book.metric("m")


def test_a_ratio_needs_both_sides() -> None:
    with pytest.raises(BadRequest):
        parse_glossary({"metrics": {"rate": {"numerator": "a"}}})
    with pytest.raises(BadRequest):
        parse_glossary({"metrics": {"nothing": {}}})


def test_how_parts_make_a_whole_is_read_from_the_expression() -> None:
    book = book_of(
        money={"expression": "SUM(orders.total_amount)"},
        orders={"expression": "COUNT(DISTINCT orders.order_id)"},
        buyers={"expression": "COUNT(DISTINCT orders.customer_id)"},
        mean={"expression": "AVG(orders.total_amount)"},
    )
    assert [book.metric(n).additivity for n in ("money", "orders", "buyers", "mean")] == [
        "additive",
        "additive",
        "distinct",
        "ratio",
    ]


def test_another_definition_is_another_version() -> None:
    first = book_of(m={"expression": "SUM(orders.total_amount)"}).metric("m")
    same = book_of(m={"expression": "SUM(orders.total_amount)", "synonyms": ["turnover"]}).metric("m")
    other = book_of(m={"expression": "SUM(orders.total_amount)", "filter": "orders.status = 'paid'"}).metric("m")
    assert first.version == same.version != other.version


def test_two_ways_to_a_table_are_no_way() -> None:
    book = demo_vocabulary().book
    with pytest.raises(BadRequest, match="no single many-to-one way"):
        compile_plan(Plan(measures=("revenue",), groups=(Grouping(dimension="addresses.city"),)), book, "sqlite")


def test_columns_propose_metrics_in_both_languages() -> None:
    customers = Table(("crm_customer",), (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT")))
    contracts = Table(
        ("crm_contract",),
        (
            Column("id", "INTEGER", primary_key=True),
            Column("customer_id", "INTEGER"),
            Column("total_amount", "DECIMAL(12,2)"),
            Column("status", "INTEGER"),
            Column("signed_on", "DATE"),
            Column("is_deleted", "INTEGER"),
        ),
    )
    found = {m.name: m for m in propose_metrics(with_joins(Catalog("sqlite", (customers, contracts))), Glossary())}
    amount = found["total_crm_contract_total_amount"]
    assert (amount.expression, amount.filter) == ("SUM(crm_contract.total_amount)", "crm_contract.is_deleted = 0")
    assert amount.time == ("crm_contract", "signed_on")
    assert {"contract amount", "合同金额"} <= set(amount.synonyms)
    assert found["crm_contract_count"].label.en == "number of contracts"
    assert all(metric.status == "proposed" for metric in found.values())
    summed = [name for name, metric in found.items() if metric.additivity != "distinct"]
    assert not any("status" in name or "customer_id" in name for name in summed)


MONTHS = Table(
    ("main", "门店月报"),
    (
        Column("门店", "TEXT", samples=("浦东店", "徐汇店")),
        Column("销售额", "DOUBLE"),
        Column("利润率", "DOUBLE", samples=("0.11", "0.2")),
        Column("退货率", "DOUBLE", comment="退货件数占销售件数"),
    ),
)


def months(**shown: object) -> Book:
    catalog = Catalog("duckdb", (MONTHS,))
    glossary = parse_glossary({"shown": {f"main.门店月报.{name}": how for name, how in shown.items()}})
    return Book(catalog, glossary, {}, propose_metrics(catalog, glossary))


def test_a_rate_is_never_added_up_and_what_it_means_makes_it_no_amount() -> None:
    assert [name for name in months().metrics if "率" in name] == ["average_门店月报_利润率"]


def test_the_mean_of_a_rate_is_called_one_and_asked_for_by_the_rate_alone_too() -> None:
    table = Table(("promotion",), (Column("kind", "TEXT"), Column("discount_rate", "REAL", comment="折扣率")))
    metric = next(m for m in propose_metrics(Catalog("sqlite", (table,)), parse_glossary({})) if "rate" in m.name)
    assert (metric.label.en, metric.label.zh) == ("average discount rate", "平均折扣率")
    assert {"discount rate", "折扣率"} < {*metric.synonyms}


def test_a_proposed_mean_is_called_by_its_column_in_both_languages() -> None:
    label = months(销售额={"label": ["Turnover", "营业额"]}).metrics["average_门店月报_销售额"].label
    assert (label.en, label.zh) == ("average turnover", "平均营业额")
    assert months().metrics["average_门店月报_销售额"].label.zh == "平均销售额"


@pytest.mark.parametrize(
    ("measure", "shown", "look"),
    [
        ("average_门店月报_利润率", {}, ("fraction", "")),
        ("average_门店月报_利润率", {"利润率": {"format": "percent"}}, ("percent", "")),
        ("total_门店月报_销售额", {"销售额": {"format": "money", "unit": "EUR"}}, ("money", "EUR")),
        ("total_门店月报_销售额", {"销售额": {"format": "fraction"}}, ("money", "")),
        ("average_门店月报_销售额", {"销售额": {"format": "fraction"}}, ("fraction", "")),
    ],
)
def test_a_planned_figure_looks_as_its_column_does(
    measure: str, shown: dict[str, object], look: tuple[str, str]
) -> None:
    book = months(**shown)
    plan = Plan(measures=(measure,), groups=())
    told = planned_statement(plan, compile_plan(plan, book, "duckdb"), book, "zh")["columns"][-1]
    assert (told["format"], told["unit"]) == look
