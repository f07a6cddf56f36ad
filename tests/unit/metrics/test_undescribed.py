"""Questions to plans on a database that nobody described: what names, codes and dates say by themselves, and what they do not."""

import datetime
from dataclasses import replace

import pytest
from tests.unit.metrics.test_read_plan import brief

from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.metrics.spoken_labels import table_labels
from inquery.sql import check
from inquery.sql.catalog import Catalog, Column, ForeignKey, Meaning, Table

TODAY = datetime.date(2025, 6, 30)


def key(name: str) -> Column:
    return Column(name, "INTEGER", primary_key=True)


TABLES = (
    Table(("pool",), (key("pool_id"), Column("pool_name", "TEXT"), Column("town", "TEXT"))),
    Table(
        ("booking",),
        (
            key("booking_id"),
            Column("pool_id", "INTEGER"),
            Column("lane_type", "TEXT"),
            Column("state", "INTEGER", meanings=(Meaning("1", ("confirmed",)), Meaning("2", ("cancelled", "已取消")))),
            Column("fee", "REAL"),
            Column("unit_price", "REAL"),
            Column("day_key", "INTEGER", samples=("20250105", "20241231")),
        ),
        foreign_keys=(ForeignKey(("pool_id",), ("pool",), ("pool_id",)),),
    ),
)
VALUES = {
    ("pool", "town"): ["Hove", "Lewes"],
    ("booking", "lane_type"): ["fast", "slow"],
    ("booking", "state"): ["1", "2"],
}


def vocabulary() -> Vocabulary:
    catalog = with_joins(Catalog("sqlite", TABLES))
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Top 2 pools by total fee in 2024", {"measures": "total_booking_fee", "groups": "pool", "ranking": {"n": 2}}),
        ("Cancellation rate by type of lane", {"measures": "booking_state_1_rate", "groups": "booking.lane_type"}),
        ("各泳池的取消率", {"measures": "booking_state_1_rate", "groups": "pool"}),
        ("各更衣室的取消率", None),
        ("Which pools had both fast and slow bookings?", None),
        ("Pools in Hove or Lewes", None),
        ("Number of pools in Hove and Lewes", {"measures": "pool_count", "groups": "pool.town"}),
        ("Total fee per town, 2024 against 2023", {"measures": "total_booking_fee", "groups": "pool.town"}),
        (
            "Number of bookings and total fee by pool, top 2 by total fee",  # ranked by what `by` names, and not by the first
            {"measures": "total_booking_fee booking_count", "groups": "pool", "ranking": {"n": 2}},
        ),
        ("各泳池的预订数和费用，按费用前2名", {"measures": "total_booking_fee booking_count", "ranking": {"n": 2}}),
        ("各泳池的预订数和费用，按预订数前2名", {"measures": "booking_count total_booking_fee", "ranking": {"n": 2}}),
        ("Top 2 pools by number of bookings, with the share of all bookings", {"share": "total", "ranking": {"by": "share", "n": 2}}),
        ("What share of bookings do the top 2 pools make up?", {"concentration": 2}),
        ("Unit prices of fast lanes", None),  # a list, and prices of one piece do not add up
        ("What percentage of bookings were cancelled, per town?", {"measures": "booking_count", "share_of": "booking.state"}),
    ],
)  # fmt: skip
def test_what_names_say_is_read_and_nothing_else(question: str, plan: dict[str, object] | None) -> None:
    read = read_plan(question, vocabulary(), today=TODAY)
    if plan is None:
        assert read.plan is None
        return
    assert read.plan is not None, f"{read.why} {read.ignored}"
    found = brief(read.plan)
    assert {name: found.get(name) for name in plan} == plan
    made = compile_plan(read.plan, vocabulary().book, "sqlite", today=TODAY)
    assert check(made.sql, dialect="sqlite", catalog=vocabulary().book.catalog)


def test_days_kept_as_numbers_are_compared_as_numbers() -> None:
    read = read_plan("Number of bookings by month in 2024", vocabulary(), today=TODAY)
    assert read.plan is not None
    sql = compile_plan(read.plan, vocabulary().book, "sqlite", today=TODAY).sql
    assert "booking.day_key >= 20240101" in sql
    assert "booking.day_key < 20250101" in sql


@pytest.mark.parametrize(("nullable", "left_out"), [(True, True), (False, False)])
def test_rows_without_a_day_are_of_no_month(nullable: bool, left_out: bool) -> None:
    kept = [replace(each, nullable=nullable) if each.name == "day_key" else each for each in TABLES[1].columns]
    catalog = with_joins(Catalog("sqlite", (TABLES[0], replace(TABLES[1], columns=tuple(kept)))))
    book = Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))
    read = read_plan("Number of bookings by month", book, today=TODAY)
    assert read.plan is not None
    sql = compile_plan(read.plan, book.book, "sqlite", today=TODAY).sql
    assert ("NOT booking.day_key IS NULL" in sql) is left_out


def summed(*columns: Column, kept_by: str = "") -> set[str]:
    """The columns of a table of goods that are proposed to be added up."""
    tables = [Table(("goods",), (key("id"), *columns))]
    if kept_by:
        keys = (ForeignKey(("goods_id",), ("goods",), ("id",)),)
        tables.append(Table((kept_by,), (key("id"), Column("goods_id", "INTEGER")), foreign_keys=keys))
    catalog = with_joins(Catalog("sqlite", tuple(tables)))
    found = propose_metrics(catalog, Glossary(), {})
    return {name.removeprefix("total_goods_") for each in found if (name := each.name).startswith("total_goods_")}


def test_flags_and_prices_of_one_piece_are_not_added_up() -> None:
    def flagged(*samples: str) -> Column:
        return Column("refund", "INTEGER", samples=samples)

    assert summed(flagged("0", "1")) == set()
    assert summed(flagged("0", "1", "25")) == {"refund"}
    assert summed(flagged("1")) == {"refund"}
    assert summed(Column("price", "REAL"), kept_by="sold") == set()
    assert summed(Column("price", "REAL")) == {"price"}  # of a table that nothing refers to it may be what was paid
    assert summed(Column("total_price", "REAL"), kept_by="sold") == {"total_price"}


def test_an_amount_is_called_sales_by_nobody_who_does_not_know() -> None:
    table = Table(("refunds",), (key("id"), Column("amount", "REAL"), Column("refunded_on", "DATE")))
    catalog = with_joins(Catalog("sqlite", (table,)))
    words = Vocabulary(Book(catalog, Glossary(), {}, propose_metrics(catalog, Glossary(), {})))
    assert read_plan("2024年的销售额是多少？", words, today=TODAY).plan is None
    assert read_plan("2024年的退款金额是多少？", words, today=TODAY).plan is not None


def test_a_word_of_two_things_is_left_to_the_writer() -> None:
    shops = Table(("shops",), (key("id"), Column("shop_name", "TEXT"), Column("city", "TEXT")), comment="门店")
    sold = Table(
        ("sales_tickets",),
        (key("id"), Column("shop_id", "INTEGER"), Column("channel", "TEXT"), Column("amount", "REAL")),
        foreign_keys=(ForeignKey(("shop_id",), ("shops",), ("id",)),),
    )
    catalog = with_joins(Catalog("sqlite", (shops, sold)))

    def why(channel: str) -> str:
        values = {("sales_tickets", "channel"): [channel, "网络"], ("shops", "city"): ["上海", "北京"]}
        words = Vocabulary(Book(catalog, Glossary(), values, propose_metrics(catalog, Glossary(), values)))
        return read_plan("各城市门店的金额合计", words, today=TODAY).why

    assert why("门店") == "a thing or one of its kinds"
    assert why("直营") != "a thing or one of its kinds"


def test_users_are_no_customers_where_a_table_has_that_name() -> None:
    def tables_called_customer(*names: str) -> set[str]:
        tables = tuple(
            Table((name,), (key("id"), Column("title", "TEXT")), comment=said)
            for name, said in zip(names, ("用户表", "往来单位"), strict=False)
        )
        catalog = Catalog("sqlite", tables)
        return {table.name for table in tables if "customer" in table_labels(table, catalog, Glossary())}

    assert "sys_user" not in tables_called_customer("sys_user", "crm_customer")
    assert tables_called_customer("sys_user") == {"sys_user"}


def test_a_series_ends_where_the_data_ends() -> None:
    read = read_plan("Running total of fee by month in 2024", vocabulary(), today=TODAY)
    assert read.plan is not None
    assert "MAX(booking.day_key)" in compile_plan(read.plan, vocabulary().book, "sqlite", today=TODAY).sql


LINES = (
    Table(("sales_channels",), (key("id"), Column("title", "TEXT"))),
    Table(
        ("orders",),
        (key("id"), Column("channel_id", "INTEGER"), Column("country_code", "TEXT"), Column("ordered_on", "DATE")),
        foreign_keys=(ForeignKey(("channel_id",), ("sales_channels",), ("id",)),),
    ),
    Table(
        ("order_lines",),
        (key("id"), Column("order_id", "INTEGER"), Column("quantity", "INTEGER")),
        foreign_keys=(ForeignKey(("order_id",), ("orders",), ("id",)),),
    ),
)


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Quantity by channel in 2024", {"measures": "total_order_lines_quantity", "groups": "sales_channels"}),
        ("2024年各渠道的订单数", {"measures": "orders_count", "groups": "sales_channels"}),
        ("Which three countries brought the most orders in 2024?", {"measures": "orders_count", "groups": "orders.country_code"}),
        ("How do 2024 orders split across channels in percent?", {"measures": "orders_count", "share": "total"}),
        ("Running total of order lines by month in 2024", None),  # lines or pieces
    ],
)  # fmt: skip
def test_lines_are_dated_by_their_head_and_tables_called_by_their_last_word(
    question: str, plan: dict[str, object] | None
) -> None:
    catalog = with_joins(Catalog("sqlite", LINES))
    values = {("orders", "country_code"): ["DE", "FR", "US"]}
    book = Book(catalog, Glossary(), values, propose_metrics(catalog, Glossary(), values))
    read = read_plan(question, Vocabulary(book), today=TODAY)
    assert plan is None or read.plan is not None, f"{read.why} {read.ignored}"
    found = brief(read.plan) if read.plan else {}
    assert {name: found.get(name) for name in plan or {"measures": None}} == (plan or {"measures": None})


@pytest.mark.parametrize(
    ("called", "dates", "chosen"),
    [
        ("Billing", ("Bill_Date", "Paid_Date"), "Bill_Date"),
        ("付款记录", ("申请日期", "付款日期"), "付款日期"),
        ("Visits", ("Paid_Date", "Closed_On"), "Paid_Date"),
    ],
)
def test_rows_are_dated_by_the_date_that_has_their_name(called: str, dates: tuple[str, ...], chosen: str) -> None:
    table = Table((called,), (key("id"), Column("Amount", "REAL"), *(Column(name, "DATE") for name in dates)))
    proposed = propose_metrics(Catalog("sqlite", (table,)), Glossary())
    assert {metric.time for metric in proposed} == {(called, chosen)}
