"""Columns are told in the reader's words, with their units, whatever the statement calls them."""

import pytest

from inquery.answers.answer import AnswerColumn
from inquery.answers.column_words import is_money, ranking_words, word_columns
from inquery.knowledge.glossary import parse_glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.catalog import ForeignKey, Join, Meaning
from inquery.sql.statement import read_statement

STORES = Table(
    ("stores",),
    (Column("store_id", "INTEGER", primary_key=True), Column("name", "TEXT"), Column("region", "TEXT")),
    display=("name",),
)
ORDERS = Table(
    ("orders",),
    (
        Column("order_id", "INTEGER", primary_key=True),
        Column("store_id", "INTEGER"),
        Column("total_amount", "REAL", comment="订单总金额（元）"),
        Column("status", "INTEGER", meanings=(Meaning("1", ("已付款", "paid")), Meaning("2", ("已取消", "cancelled")))),
        Column("ordered_at", "DATETIME"),
    ),
    foreign_keys=(ForeignKey(("store_id",), ("stores",), ("store_id",)),),
)
CATALOG = Catalog(
    dialect="sqlite",
    tables=(STORES, ORDERS),
    joins=(Join(("orders",), ("store_id",), ("stores",), ("store_id",)),),
)
GLOSSARY = parse_glossary(
    {
        "settings": {"currency": "CNY"},
        "tables": {
            "orders": {"description": ["Orders", "订单，每单一行"]},
            "stores": {
                "description": ["Shops", "门店"],
                "columns": {"region": ["Sales region: east or west", "大区：华东、西部"]},
            },
        },
        "metrics": {
            "revenue": {
                "label": ["Revenue", "销售额"],
                "expression": "SUM(orders.total_amount * 2)",
                "tables": ["orders"],
                "unit": "CNY",
                "format": "money",
            },
        },
        "values": {"stores.region": {"east": ["华东", "eastern"], "far_west": ["西部"]}},
    }
)


def worded(sql: str, language: str, rows: list[list[object]] | None = None, glossary=GLOSSARY) -> list[AnswerColumn]:  # type: ignore[no-untyped-def]
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    assert statement.top is not None
    names = [item.output_name or item.sql() for item in statement.top.select.expressions]
    columns = [AnswerColumn(name=name) for name in names]
    return word_columns(columns, rows or [], statement, glossary, CATALOG, language)


LABELS = [
    ("SELECT COUNT(*) FROM orders", "number of orders", "订单数"),
    ("SELECT COUNT(*) AS n FROM orders", "number of orders", "订单数"),
    ("SELECT COUNT(DISTINCT store_id) FROM orders", "number of stores", "门店数"),
    ("SELECT SUM(total_amount) FROM orders", "total amount", "订单总金额"),
    ("SELECT AVG(o.total_amount) AS avg FROM orders o", "average total amount", "平均订单总金额"),
    ("SELECT MAX(ordered_at) FROM orders", "latest ordered at", "最晚下单时间"),
    ("SELECT SUM(o.total_amount * 2) FROM orders o", "revenue", "销售额"),
    ("SELECT SUM(total_amount) / 7 AS revenue FROM orders", "revenue", "销售额"),
    ("SELECT name FROM stores", "store", "门店"),
    ("SELECT region FROM stores", "sales region", "大区"),
    ("SELECT AVG(total_amount) AS amount_per_order FROM orders", "amount per order", "平均订单总金额"),
    ("SELECT AVG(total_amount) AS average_totalamount FROM orders", "average total amount", "平均订单总金额"),
    ('SELECT AVG(total_amount) AS "平均订单金额" FROM orders', "average total amount", "平均订单金额"),
    ("SELECT 100 * AVG(CASE WHEN status = 1 THEN 1.0 ELSE 0.0 END) AS percent FROM orders", "share", "占比"),
]


@pytest.mark.parametrize(("sql", "en", "zh"), LABELS)
def test_a_column_is_called_as_people_call_it(sql: str, en: str, zh: str) -> None:
    assert worded(sql, "en")[0].label == en
    told = worded(sql, "zh")[0].label
    assert told == zh or (zh == "最晚下单时间" and told.startswith("最晚"))


@pytest.mark.parametrize(
    ("sql", "style", "unit"),
    [
        ("SELECT SUM(total_amount) FROM orders", "money", "CNY"),
        ("SELECT AVG(total_amount * 3 - 1) FROM orders", "money", "CNY"),
        ("SELECT SUM(total_amount) / COUNT(*) AS per_order FROM orders", "money", "CNY"),
        ("SELECT SUM(total_amount) / AVG(total_amount) AS x FROM orders", "", ""),
        ("SELECT COUNT(*) FROM orders", "count", ""),
        ("SELECT COUNT(store_id) * 1.0 / COUNT(*) AS store_share FROM orders", "fraction", ""),
        ("SELECT 100.0 * COUNT(store_id) / COUNT(*) AS store_share FROM orders", "percent", ""),
        ("SELECT 100 * AVG(CASE WHEN status = 1 THEN 1.0 ELSE 0.0 END) AS percent FROM orders", "percent", ""),
        ("SELECT CAST((100 * SUM(status)) AS REAL) / COUNT(*) FROM orders", "percent", ""),
        ("SELECT AVG(CASE WHEN status = 1 THEN 1.0 ELSE 0.0 END) AS share FROM orders", "fraction", ""),
        ("SELECT AVG(status) AS rate FROM orders", "", ""),
        ("SELECT SUM(total_amount) * 100 AS cents FROM orders", "money", "CNY"),
    ],
)
def test_units_are_read_from_what_is_worked_out(sql: str, style: str, unit: str) -> None:
    column = worded(sql, "en")[0]
    assert (column.format, column.unit) == (style, unit)


RETURNED = "SELECT region, CAST(COUNT(DISTINCT region) AS REAL) / COUNT(DISTINCT store_id) FROM stores GROUP BY region"


@pytest.mark.parametrize(
    ("question", "cells", "style", "label"),
    [
        ("Which regions have the highest return rate?", (0.09, None), "fraction", "share"),
        ("退货率最高的是哪些大区", (0.09, 0.01), "fraction", "占比"),
        ("退货率最高的是哪些大区", (2.5, 0.01), "", ""),  # a share is never more than all
        ("How many orders has a store on average?", (0.5, 0.1), "", ""),
    ],
)
def test_a_count_over_a_count_is_a_share_where_one_is_asked_for(
    question: str, cells: tuple[float | None, ...], style: str, label: str
) -> None:
    statement = read_statement(RETURNED, CATALOG)
    columns = [AnswerColumn(name="region"), AnswerColumn(name="COUNT(DISTINCT region) / COUNT(DISTINCT store_id)")]
    rows = [["east", cell] for cell in cells]
    language = "zh" if "率" in question else "en"
    found = word_columns(columns, rows, statement, GLOSSARY, CATALOG, language, question)[1]
    assert (found.format, found.label) == (style, label)


@pytest.mark.parametrize(
    ("name", "money"),
    [("payment_id", False), ("invoice_fee_no", False), ("payment", True), ("paid_amount", True), ("支付金额", True)],
)
def test_the_number_of_a_payment_is_no_money(name: str, money: bool) -> None:
    assert is_money(name) is money


def test_without_a_currency_an_amount_is_a_number() -> None:
    plain = parse_glossary({})
    assert worded("SELECT SUM(order_id) AS amount FROM orders", "en", glossary=plain)[0].unit == ""


def test_codes_are_told_in_words() -> None:
    rows: list[list[object]] = [["east", 1], ["far_west", 2]]
    sql = "SELECT s.region, o.status FROM stores s JOIN orders o ON o.store_id = s.store_id"
    region, status = worded(sql, "zh", rows)
    assert (region.words, status.words) == ({"east": "华东", "far_west": "西部"}, {"1": "已付款", "2": "已取消"})
    region, status = worded(sql, "en", rows)
    assert (region.words, status.words) == ({"far_west": "far west"}, {"1": "paid", "2": "cancelled"})


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("AVG(o.total_amount) DESC", ("average total amount", True)),
        ("COUNT(*)", ("number of orders", False)),
        ("s.name", None),
        ("MAX(o.ordered_at) DESC", None),
    ],
)
def test_what_ranks_is_said_and_what_only_arranges_is_not(order: str, expected: tuple[str, bool] | None) -> None:
    sql = (
        f"SELECT s.name FROM stores s JOIN orders o ON o.store_id = s.store_id GROUP BY s.name ORDER BY {order} LIMIT 1"
    )
    assert ranking_words(read_statement(sql, CATALOG), GLOSSARY, CATALOG, "en") == expected


def test_of_several_chinese_words_for_a_name_that_of_the_question_is_taken() -> None:
    policies = Table(("policy",), (Column("policy_id", "INTEGER", primary_key=True), Column("premium", "REAL")))
    claims = Table(("claim",), (Column("claim_id", "INTEGER", primary_key=True),))
    catalog = Catalog(dialect="sqlite", tables=(policies, claims))
    statement = read_statement("SELECT COUNT(*) AS n, SUM(premium) AS total_premium FROM policy", catalog)
    columns = [AnswerColumn(name="n"), AnswerColumn(name="total_premium")]
    found = word_columns(columns, [], statement, parse_glossary({}), catalog, "zh", "一共有多少张保单，保费多少？")
    assert [column.label for column in found] == ["保单数", "保费合计"]


def test_what_no_chinese_word_is_known_for_is_counted_without_its_name() -> None:
    visits = Table(("encntrs",), (Column("id", "INTEGER", primary_key=True),))
    catalog = Catalog(dialect="sqlite", tables=(visits, STORES))
    statement = read_statement("SELECT COUNT(*) AS n FROM encntrs", catalog)
    assert word_columns([AnswerColumn(name="n")], [], statement, parse_glossary({}), catalog, "zh")[0].label == "数量"


@pytest.mark.parametrize(("language", "first"), [("en", "Q1"), ("zh", "第1季度")])
def test_a_quarter_that_is_a_number_is_called_a_quarter(language: str, first: str) -> None:
    sql = (
        "SELECT (CAST(STRFTIME('%m', ordered_at) AS INTEGER) + 2) / 3 AS quarter, COUNT(*) AS n FROM orders GROUP BY 1"
    )
    assert worded(sql, language, [[1, 5], [2, 7]])[0].words["1"] == first


def test_a_column_called_total_is_not_totalled_twice() -> None:
    invoices = Catalog("sqlite", (Table(("invoices",), (Column("Total", "REAL"),)),), ())
    statement = read_statement("SELECT SUM(Total), AVG(Total) FROM invoices", invoices)
    assert statement is not None
    columns = [AnswerColumn(name="SUM(Total)"), AnswerColumn(name="AVG(Total)")]
    told = word_columns(columns, [], statement, parse_glossary({}), invoices, "en")
    assert [column.label for column in told] == ["total", "average total"]


def test_an_alias_of_an_aggregate_and_its_column_is_told_by_them() -> None:
    sheet = Catalog(
        "sqlite", (Table(("费用",), (Column("金额", "REAL"), Column("price", "REAL"), Column("n", "REAL"))),), ()
    )
    statement = read_statement("SELECT SUM(金额) AS total_金额, SUM(price * n) AS total_total FROM 费用", sheet)
    assert statement is not None
    columns = [AnswerColumn(name="total_金额"), AnswerColumn(name="total_total")]
    for language, labels in (("zh", ["金额合计", "总计"]), ("en", ["total amount", "total"])):
        told = word_columns(columns, [], statement, parse_glossary({}), sheet, language)
        assert [column.label for column in told] == labels


@pytest.mark.parametrize(
    ("written", "cells"),
    [
        ("STRFTIME('%w', ordered_at)", ["0", "6"]),
        ("CAST(STRFTIME('%w', ordered_at) AS INTEGER)", [0, 6]),
    ],
)
def test_days_of_the_week_are_called_by_their_names(written: str, cells: list[object]) -> None:
    sql = f"SELECT {written} AS weekday, COUNT(*) AS n FROM orders GROUP BY 1"
    rows = [[cell, 5] for cell in cells]
    day = worded(sql, "en", rows)[0]
    assert (day.label, [day.words[str(cell)] for cell in cells]) == ("weekday", ["Sunday", "Saturday"])
    day = worded(sql, "zh", rows)[0]
    assert (day.label, [day.words[str(cell)] for cell in cells]) == ("星期", ["周日", "周六"])


def test_days_taken_further_within_are_known_by_their_name_and_others_stay_numbers() -> None:
    inner = "WITH days AS (SELECT STRFTIME('{}', ordered_at) AS b FROM orders) SELECT b AS weekday, COUNT(*) AS n FROM days GROUP BY 1"
    assert worded(inner.format("%w"), "en", [["0", 5], ["1", 7]])[0].words["1"] == "Monday"
    assert worded(inner.format("%d"), "en", [["0", 5], ["1", 7]])[0].words == {}


@pytest.mark.parametrize(("language", "first"), [("en", "08:00"), ("zh", "8时")])
def test_hours_of_the_day_are_told_as_such(language: str, first: str) -> None:
    sql = "SELECT STRFTIME('%H', ordered_at) AS hour, COUNT(*) AS n FROM orders GROUP BY 1"
    assert worded(sql, language, [["08", 5], ["20", 7]])[0].words["08"] == first
    assert worded(sql, language, [["08", 5], ["120", 7]])[0].words == {}


@pytest.mark.parametrize(
    ("item", "en", "zh"),
    [
        (
            "AVG(CASE WHEN status = 1 THEN total_amount END)",
            "average total amount (paid)",
            "平均订单总金额（已付款）",
        ),
        (
            "SUM(CASE WHEN ordered_at >= '2025-04-01' AND ordered_at < '2025-05-01' THEN total_amount ELSE 0 END)",
            "total amount (2025-04)",
            "订单总金额（2025-04）",
        ),
        (
            "COUNT(CASE WHEN ordered_at >= '2025-01-01' AND ordered_at < '2025-07-01' THEN 1 END)",
            "number of orders (2025-01 to 2025-06)",
            "订单数（2025-01至2025-06）",
        ),
        (
            "COUNT(CASE WHEN ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' THEN 1 END)",
            "number of orders (2025)",
            "订单数（2025）",
        ),
        (
            "AVG(CASE WHEN status = 1 THEN total_amount END) - AVG(CASE WHEN status = 2 THEN total_amount END)",
            "difference",
            "差额",
        ),
        (
            "100.0 * (COUNT(CASE WHEN status = 1 THEN 1 END) - COUNT(CASE WHEN status = 2 THEN 1 END)) / COUNT(CASE WHEN status = 2 THEN 1 END)",
            "change",
            "变化",
        ),
        ("100.0 * COUNT(CASE WHEN status = 1 THEN 1 END) / COUNT(*)", "", ""),
        ("COUNT(*)", "number of orders", "订单数"),
    ],
)
def test_a_figure_over_a_part_of_the_rows_says_which(item: str, en: str, zh: str) -> None:
    for language, label in (("en", en), ("zh", zh)):
        assert worded(f"SELECT {item} FROM orders", language)[0].label == label


def test_a_name_of_a_metric_over_other_tables_is_none_of_it() -> None:
    low = parse_glossary(
        {
            "metrics": {
                "low_stock": {"label": ["Low stock", "低库存"], "expression": "COUNT(*)", "tables": ["inventory"]},
                "open_orders": {"label": ["Open orders", "在途订单"], "expression": "COUNT(*)", "tables": ["orders"]},
                "units": {
                    "label": ["Units", "件数"],
                    "expression": "SUM(inventory.total_amount)",
                    "tables": ["inventory"],
                },
            }
        }
    )
    label = lambda item: worded(f"SELECT {item} FROM orders", "en", glossary=low)[0].label  # noqa: E731
    assert label("COUNT(*) AS low_stock") != "low stock"
    assert label("COUNT(*) AS open_orders") == "open orders"
    assert label("SUM(total_amount) AS x") == "total amount"


MONTHS = Table(
    ("main", "门店月报"),
    (
        Column("门店", "TEXT", samples=("浦东店", "徐汇店")),
        Column("销售额", "DOUBLE", samples=("120000.5", "98000.0")),
        Column("退货率", "DOUBLE", samples=("0.011", "0.06"), comment="退货件数占销售件数"),
        Column("汇率", "DOUBLE", samples=("0.14", "0.15")),
        Column("discount_rate", "DOUBLE", samples=("0.1", "0.25")),
        Column("tax_rate", "DOUBLE", samples=("6.0", "13.5")),
    ),
)
MONTHLY = Catalog(dialect="duckdb", tables=(MONTHS,))
MEANT = {"main.门店月报": {"columns": {"退货率": ["", "退货件数占销售件数"]}}}


def told_of(
    item: str, language: str, shown: dict[str, object], cells: list[float], **more: object
) -> tuple[str, str, str]:
    statement = read_statement(f'SELECT {item} FROM main."门店月报"', MONTHLY)
    assert statement is not None
    assert statement.top is not None
    name = statement.top.select.expressions[0].output_name or item
    glossary = parse_glossary(
        {"shown": {f"main.门店月报.{name}": how for name, how in shown.items()}, "tables": MEANT, **more}
    )
    rows = [[cell] for cell in cells]
    made = word_columns([AnswerColumn(name=name, kind="number")], rows, statement, glossary, MONTHLY, language)[0]
    return made.label, made.format, made.unit


@pytest.mark.parametrize(
    ("item", "en", "zh", "style"),
    [
        ('AVG("退货率") AS "average_门店月报_退货率"', "average return rate", "平均退货率", "fraction"),
        ('AVG("退货率") AS "平均退货率"', "average return rate", "平均退货率", "fraction"),
        ('MAX("退货率") AS "最大退货率"', "highest return rate", "最大退货率", "fraction"),
        ('SUM("退货率") AS x', "total return rate", "退货率合计", ""),
        ('"退货率"', "Return rate", "退货率", "fraction"),
    ],
)
def test_a_figure_of_a_column_takes_its_name_and_its_format(item: str, en: str, zh: str, style: str) -> None:
    shown = {"退货率": {"label": ["Return rate", ""], "format": "fraction"}}
    assert told_of(item, "en", shown, [0.0355]) == (en, style, "")
    assert told_of(item, "zh", shown, [0.0355]) == (zh, style, "")


def test_what_people_call_a_column_goes_before_what_a_writer_called_its_figure() -> None:
    shown = {"销售额": {"label": ["Turnover", "营业额"], "format": "money", "unit": "CNY"}}
    assert told_of('AVG("销售额") AS "平均销售额"', "zh", shown, [1.0]) == ("平均营业额", "money", "CNY")
    assert told_of('SUM("销售额") AS total', "en", shown, [1.0]) == ("total turnover", "money", "CNY")


@pytest.mark.parametrize(("shown", "label"), [({}, "退货率"), ({"退货率": {"format": "fraction"}}, "退货率")])
def test_what_a_column_means_is_not_what_it_is_called(shown: dict[str, object], label: str) -> None:
    assert told_of('"退货率"', "zh", shown, [0.0355])[0] == label


@pytest.mark.parametrize(
    ("item", "cells", "style"),
    [
        ('AVG("退货率")', [0.0355], "fraction"),
        ("discount_rate", [0.1, 0.25], "fraction"),
        ("MAX(discount_rate)", [1.5], ""),  # the samples were of its smallest
        ("AVG(tax_rate)", [9.5], ""),
        ('AVG("汇率")', [0.14], ""),
        ("SUM(discount_rate)", [0.9], ""),
    ],
)
def test_a_rate_that_is_kept_as_a_part_of_one_is_a_percentage(item: str, cells: list[float], style: str) -> None:
    assert told_of(item, "en", {}, cells)[1] == style


def test_a_rate_that_people_say_is_a_number_stays_one() -> None:
    assert told_of("AVG(discount_rate)", "en", {"discount_rate": {"format": "number"}}, [0.1])[1] == "number"
