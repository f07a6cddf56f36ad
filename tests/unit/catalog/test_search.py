"""Questions find their tables and columns, in both languages, in small catalogues and large ones."""

import pytest
from tests.unit.catalog.shop import shop

from inquery.catalog.search import index_of, link_tables, rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.sql import Catalog, Column, Table

VALUES = {
    ("customers", "city"): ["Beijing", "Paris", "上海"],
    ("stores", "city"): ["Beijing", "Hangzhou"],
    ("orders", "status"): ["pending", "paid", "shipped", "completed", "cancelled"],
    ("payments", "method"): ["alipay", "wechat_pay", "credit_card", "cash"],
    ("categories", "code"): ["mobile_phone", "computer", "tablet"],
    ("products", "brand"): ["Apple", "Huawei", "Xiaomi"],
}

QUESTIONS = [
    ("How many customers are there?", "customers"),
    ("total order amount by month", "orders"),
    ("Which suppliers have the highest rating?", "suppliers"),
    ("average salary of employees by store", "employees stores"),
    ("revenue by product category", "categories products order_items"),
    ("refund amount by return reason", "returns"),
    ("products that were never ordered", "products order_items"),
    ("number of reviews for each product", "reviews products"),
    ("how many orders were paid by alipay", "payments"),
    ("stock quantity of each product in each store", "inventory products stores"),
    ("customers in Paris who placed cancelled orders", "customers orders"),
    ("which promotion brought the most orders", "promotions orders"),
    ("list the addresses of each customer", "addresses customers"),
    ("web events by event type", "web_events"),
    ("Huawei products with price above 5000", "products"),
    ("employees hired in 2024", "employees"),
    ("有多少客户", "customers"),
    ("订单金额最高的十个客户", "orders customers"),
    ("每个供应商供应的商品数量", "suppliers products"),
    ("各门店员工的平均工资", "stores employees"),
    ("每个品类的销售数量", "categories order_items"),
    ("退货原因分布", "returns"),
    ("各支付方式的支付金额", "payments"),
    ("库存低于补货水平的商品", "inventory products"),
    ("评分最低的商品评论", "reviews products"),
    ("上海客户的收货地址", "addresses customers"),
    ("促销活动带来的订单数", "promotions orders"),
    ("2024年入职的员工", "employees"),
    ("手机品类有哪些品牌", "categories products"),
    ("各地区门店数量", "stores"),
]


@pytest.fixture(scope="module")
def values() -> ValueIndex:
    return ValueIndex.of(VALUES)


@pytest.mark.parametrize(("question", "tables"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_a_question_finds_its_tables(values: ValueIndex, question: str, tables: str) -> None:
    found = [table.name for table in link_tables(question, shop(), values, limit=6)]
    assert set(tables.split()) <= set(found)
    assert len(found) <= 6


def test_among_a_thousand_tables_the_first_ten_hold_the_right_ones(values: ValueIndex) -> None:
    catalog = shop(1000)
    assert len(catalog.tables) >= 900
    found = [
        set(tables.split()) <= {table.name for table in link_tables(question, catalog, values, limit=10)}
        for question, tables in QUESTIONS
    ]
    assert sum(found) >= 0.95 * len(found), [q for (q, _), ok in zip(QUESTIONS, found, strict=True) if not ok]


@pytest.mark.parametrize(
    ("question", "table", "column"),
    [
        ("订单金额", "orders", "total_amount"),
        ("order amount", "orders", "total_amount"),
        ("员工的工资", "employees", "salary"),
        ("customers by birth date", "customers", "birth_date"),
        ("退款金额", "returns", "refund_amount"),
        ("评论的评分", "reviews", "rating"),
        ("orders paid by alipay", "payments", "method"),
        ("cancelled orders", "orders", "status"),
    ],
)
def test_a_question_finds_its_column(values: ValueIndex, question: str, table: str, column: str) -> None:
    ranking = rank_tables(question, shop(), values)
    assert (table, column) in [place for place, _ in ranking.columns[:4]]


def test_scores_fall_and_are_above_zero(values: ValueIndex) -> None:
    ranking = rank_tables("total amount of completed orders by city", shop(), values)
    for scores in ([s for _, s in ranking.tables], [s for _, s in ranking.columns]):
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
    assert "completed" in {match.value for match in ranking.values}


def test_the_tables_between_are_added() -> None:
    found = [table.name for table in link_tables("number of orders per category", shop(), limit=5)]
    assert {"orders", "order_items", "products", "categories"} <= set(found)


def test_a_definition_brings_its_tables() -> None:
    question, meant = (
        "revenue last month",
        "sum of quantity * unit_price - discount over order items of orders not cancelled",
    )
    assert {"order_items", "orders"} <= {
        table.name for table in link_tables(question, shop(1000), limit=4, also=[meant])
    }


def test_a_small_catalogue_is_linked_whole() -> None:
    assert len(link_tables("nothing that is there", shop(), limit=20)) == 15


def test_nothing_fits_gives_an_empty_ranking() -> None:
    ranking = rank_tables("xyzzy", shop())
    assert (ranking.tables, ranking.columns) == ((), ())
    assert link_tables("xyzzy", shop(), limit=5) == []


def test_an_empty_catalogue_and_an_empty_question_do_no_harm() -> None:
    assert link_tables("customers", Catalog("sqlite"), limit=5) == []
    assert rank_tables("", shop()).tables == ()


def test_chinese_names_and_comments_are_searched() -> None:
    catalog = Catalog(
        "mysql",
        (
            Table(("客户信息表",), (Column("客户编号"), Column("姓名"), Column("所在城市"))),
            Table(("订单明细",), (Column("订单编号"), Column("金额"))),
            Table(
                ("t_0012",),
                (Column("f1", comment="设备编号"), Column("f2", comment="故障时间")),
                comment="设备故障记录",
            ),
        ),
    )
    assert rank_tables("每个城市的客户数", catalog).tables[0][0] == "客户信息表"
    assert rank_tables("设备故障次数", catalog).tables[0][0] == "t_0012"
    assert rank_tables("customers by city", catalog).tables[0][0] == "客户信息表"
    assert rank_tables("设备的故障时间", catalog).columns[0][0] == ("t_0012", "f2")


def test_short_and_glued_names_are_understood() -> None:
    catalog = Catalog(
        "oracle",
        (
            Table(("EMP_DEPT",), (Column("DEPT_ID"), Column("MGR_NM"))),
            Table(("SALE_TXN",), (Column("TOTALAMOUNT"), Column("QTY"), Column("CUST_ID"))),
            Table(("WX_STN",), (Column("STN_ID"), Column("ELEV"))),
        ),
    )
    assert rank_tables("departments and their managers", catalog).tables[0][0] == "EMP_DEPT"
    assert rank_tables("total amount per customer", catalog).tables[0][0] == "SALE_TXN"
    assert rank_tables("stations", catalog).tables[0][0] == "WX_STN"


def test_samples_help_to_find_a_table() -> None:
    catalog = Catalog(
        "sqlite",
        (
            Table(("a",), (Column("x", samples=("espresso", "latte")),)),
            Table(("b",), (Column("x", samples=("hammer",)),)),
        ),
    )
    assert rank_tables("how many espresso", catalog).tables[0][0] == "a"


def test_an_index_is_built_once_a_version() -> None:
    assert index_of(shop()) is index_of(shop())


def test_the_result_is_the_same_every_time(values: ValueIndex) -> None:
    assert rank_tables("orders by city", shop(300), values) == rank_tables("orders by city", shop(300), values)
