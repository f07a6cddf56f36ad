"""Numbers said with a magnitude on the scale of the columns they are compared with."""

import datetime

import pytest

from inquery.form.name_words import NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.llm.embedded.decode import Written
from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.llm.embedded.runtime import Model
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.units import in_units, magnitudes, unit_of, units
from inquery.llm.writer import Measure, SchemaView, WriteRequest
from inquery.sql import Column, Table

FIRMS = Table(
    ("firms",),
    (
        Column("firm_id", "INTEGER", primary_key=True),
        Column("revenue", "REAL", comment="营业收入（万元）"),
        Column("cost_wan", "REAL"),
        Column("assets", "REAL", comment="assets in millions"),
        Column("staff", "INTEGER"),
        Column("debt", "REAL", comment="负债，元"),
    ),
)
NAMES = NameMap((FIRMS,), lower=True)


@pytest.mark.parametrize(
    ("name", "comment", "unit"),
    [
        ("销售额_万元", "", 10**4),
        ("销售额（万元）", "", 10**4),
        ("金额万", "", 10**4),
        ("amount_wan", "", 10**4),
        ("amountWan", "", 10**4),
        ("amount_wan_yuan", "", 10**4),
        ("amount_wanyuan", "", 10**4),
        ("sales_10k", "", 10**4),
        ("revenue_in_thousands", "", 10**3),
        ("income_ten_thousand_yuan", "", 10**4),
        ("gdp_hundred_millions", "", 10**8),
        ("gdp_billions", "", 10**9),
        ("Revenue (in millions)", "", 10**6),
        ("amount", "合同金额(万元)", 10**4),
        ("amount", "合同金额，单位：万元，不含税", 10**4),
        ("amount", "合同金额（单位:千元）", 10**3),
        ("amount", "以亿元计的成交额", 10**8),
        ("amount", "成交额，百万", 10**6),
        ("amount", "成交额 百万美元", 10**6),
        ("people", "常住人口（万人）", 10**4),
        ("power", "发电量（万千瓦时）", 10**4),
        ("amount", "人均收入（万元/人）", 10**4),
        ("amount", "注册资本（万元人民币）", 10**4),
        ("amount", "注册资本(人民币万元)", 10**4),
        ("amount", "货币供应量（万亿元）", 10**12),
        ("amount", "revenue (10,000 yuan)", 10**4),
        ("amount", "revenue in thousands", 10**3),
        ("amount", "Revenue in thousands of dollars, net of tax", 10**3),
        ("amount", "revenue (USD millions)", 10**6),
        ("amount", "revenue ($M)", 10**6),
        ("amount", "revenue, thousand yuan", 10**3),
        ("amount", "revenue (10k)", 10**4),
        ("amount", "revenue, unit: 10k yuan", 10**4),
        ("amount", "revenue in wan", 10**4),
        ("amount", "revenue in hundred millions", 10**8),
        ("amount", "", None),
        ("amount", "金额（元）", None),
        ("amount", "金额，大于300万", None),
        ("amount", "注册资本不少于三百万元", None),
        ("taiwan", "", None),
        ("beds", "每千人床位数", None),
        ("beds", "床位数（每万人）", None),
        ("cases_per_10k", "incidence per 10k", None),
        ("code_110k", "", None),
        ("deaths_per_million", "deaths per million", None),
        ("cases", "cases (per thousand)", None),
        ("weight", "重量（千克）", None),
        ("power", "功率(千瓦)", None),
        ("length", "length (m)", None),
        ("stores", "sold in thousands of stores", None),
        ("deals", "deals over one million dollars", None),
        ("developer", "开发商（万科）", None),
    ],
)
def test_a_column_says_its_unit_in_its_name_or_comment(name: str, comment: str, unit: int | None) -> None:
    assert unit_of(Column(name, "REAL", comment=comment)) == unit


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("收入超过300万", {3_000_000}),
        ("收入超过300万元", {3_000_000}),
        ("收入超过三百万的公司", {3_000_000}),
        ("收入在1亿到1.5亿之间", {100_000_000, 150_000_000}),
        ("收入超过5千元", {5000}),
        ("more than 3 million", {3_000_000}),
        ("over three million yuan", {3_000_000}),
        ("over 500k", {500_000}),
        ("above $5M", {5_000_000}),
        ("half a million", {500_000}),
        ("收入超过300", set()),
        ("more than 300", set()),
        ("more than 3,000,000", set()),
        ("五百以上", set()),
        ("two hundred", set()),
        ("万分之三", set()),
        ("5%", set()),
        ("one of 3000000 or 3 million", set()),
    ],
)
def test_a_magnitude_is_told_from_a_bare_number(question: str, said: set[int]) -> None:
    assert magnitudes(question) == said


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("where firms.revenue > 3000000", "where firms.revenue > 300"),
        ("where firms.cost_wan <= 3000000", "where firms.cost_wan <= 300"),
        ("where firms.assets > 3000000", "where firms.assets > 3"),
        ("where firms.revenue > 5000", "where firms.revenue > 0.5"),
        ("where firms.revenue < -3000000", "where firms.revenue < -300"),
        ("where firms.revenue between 5000 and 3000000", "where firms.revenue between 0.5 and 300"),
        ("where firms.revenue in ( 5000 , 3000000 )", "where firms.revenue in ( 0.5 , 300 )"),
        ("where firms.revenue - firms.cost_wan > 3000000", "where firms.revenue - firms.cost_wan > 300"),
        ("where firms.revenue / firms.staff > 5000", "where firms.revenue / firms.staff > 0.5"),
        ("where firms.revenue / 12 > 5000", "where firms.revenue / 12 > 0.5"),
        ("by firms.staff having sum ( firms.revenue ) > 3000000", "by firms.staff having sum ( firms.revenue ) > 300"),
        (
            "where firms.debt > 3000000 and firms.revenue > 3000000",
            "where firms.debt > 3000000 and firms.revenue > 300",
        ),
        ("where firms.revenue > 300", "where firms.revenue > 300"),
        ("where firms.revenue * 10000 > 3000000", "where firms.revenue * 10000 > 3000000"),
        ("where firms.revenue / firms.cost_wan > 5000", "where firms.revenue / firms.cost_wan > 5000"),
        ("where firms.revenue - firms.assets > 5000", "where firms.revenue - firms.assets > 5000"),
        (
            "by firms.staff having count ( firms.revenue ) > 5000",
            "by firms.staff having count ( firms.revenue ) > 5000",
        ),
        ("sort firms.revenue desc top 5000", "sort firms.revenue desc top 5000"),
    ],
)
def test_a_magnitude_takes_the_unit_of_its_column(written: str, right: str) -> None:
    form = read_form(f"from firms show firms.firm_id {written}", NAMES)
    made = in_units(form, frozenset([3_000_000, 5000]), units({"firms": FIRMS}))
    assert write(made, NAMES) == f"from firms show firms.firm_id {right}"


def test_a_condition_inside_an_aggregate_takes_it_too() -> None:
    form = read_form("from firms show count ( if firms.revenue > 3000000 )", NAMES)
    made = in_units(form, frozenset([3_000_000]), units({"firms": FIRMS}))
    assert write(made, NAMES) == "from firms show count ( if firms.revenue > 300 )"


def written_sql(
    writer: EmbeddedWriter, table: Table, question: str, form: str, measures: tuple[Measure, ...] = ()
) -> str:
    """What the writer makes of a form once the model has written it."""
    request = WriteRequest(
        question=question, language="en", dialect="sqlite", schema=SchemaView((table,)), measures=measures,
        today=datetime.date(2026, 11, 15),
    )  # fmt: skip
    view = writer.view(request)
    made = writer._candidate(Written(tuple(form.split()), 0.0, 1.0), view, writer._read(request, view), request)
    assert made is not None
    return made.sql


@pytest.fixture
def writer(model: Model, tokens: Tokens) -> EmbeddedWriter:
    return EmbeddedWriter("tiny", model, tokens)


def test_the_writer_divides_a_magnitude_and_leaves_a_bare_number(writer: EmbeddedWriter) -> None:
    form = "from firms show firms.firm_id where firms.revenue >"
    assert written_sql(writer, FIRMS, "收入超过300万元的公司", f"{form} 3000000").endswith("> 300")
    assert written_sql(writer, FIRMS, "firms with revenue over 3 million", f"{form} 3000000").endswith("> 300")
    assert written_sql(writer, FIRMS, "firms with revenue over 3000000", f"{form} 3000000").endswith("> 3000000")
    assert written_sql(writer, FIRMS, "收入超过300的公司", f"{form} 300").endswith("> 300")


def test_a_chinese_column_shown_in_english_keeps_its_unit(writer: EmbeddedWriter) -> None:
    table = Table(("公司",), (Column("公司编号", "INTEGER", primary_key=True), Column("收入_万元", "REAL")))
    view = writer.view(WriteRequest("how many firms", "en", "sqlite", SchemaView((table,))))
    name, column = view.names.table_words["公司"], view.names.column_words["公司"]["收入_万元"]
    assert column.isascii()
    form = f"from {name} show count where {name}.{column} > 3000000"
    assert written_sql(writer, table, "how many firms earn over 3 million", form).endswith("> 300")


@pytest.mark.parametrize(("expression", "limit"), [("SUM(revenue)", "300"), ("SUM(revenue * 10000)", "3000000")])
def test_a_measure_has_the_unit_of_what_it_means(writer: EmbeddedWriter, expression: str, limit: str) -> None:
    measure = Measure("turnover", expression, tables=("firms",))
    form = "from firms show firms.staff by firms.staff having sum ( firms.turnover ) > 3000000"
    assert written_sql(writer, FIRMS, "turnover over 3 million", form, (measure,)).endswith(f"> {limit}")


def test_the_writer_tells_spans_in_the_unit_that_is_asked_for(writer: EmbeddedWriter) -> None:
    stays = Table(("stays",), (Column("stay_id", "INTEGER"), Column("came", "TIMESTAMP"), Column("went", "TIMESTAMP")))
    form = "from stays show avg ( days ( stays.came , stays.went ) )"
    days = written_sql(writer, stays, "How many days does a stay last on average?", form)
    assert "24" not in days
    assert "24" in written_sql(writer, stays, "How long is a stay on average, in hours?", form)
    assert "1440" in written_sql(writer, stays, "每次停留平均多少分钟？", form)
    assert written_sql(writer, stays, "平均停留多少天？白天每小时有多少人？", form) == days
