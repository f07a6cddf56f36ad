"""Questions that an undescribed database could answer in two ways: no plan by code chooses one of them."""

import datetime

import pytest

from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import Reading, read_plan
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2025, 6, 30)
TABLES = (
    Table(("painter",), (Column("painter_id", "INTEGER", primary_key=True), Column("painter_name", "TEXT")), comment="画家"),
    Table(
        ("series",),
        (Column("series_id", "INTEGER", primary_key=True), Column("series_name", "TEXT"), Column("painter_id", "INTEGER")),
        foreign_keys=(ForeignKey(("painter_id",), ("painter",), ("painter_id",)),),
    ),
    Table(
        ("print",),
        (
            Column("print_id", "INTEGER", primary_key=True),
            Column("print_name", "TEXT"),
            Column("series_id", "INTEGER"),
            Column("guest_painter_id", "INTEGER"),
        ),
        foreign_keys=(
            ForeignKey(("series_id",), ("series",), ("series_id",)),
            ForeignKey(("guest_painter_id",), ("painter",), ("painter_id",)),
        ),
    ),
    Table(
        ("rental",),
        (
            Column("rental_id", "INTEGER", primary_key=True),
            Column("print_id", "INTEGER"),
            Column("status", "TEXT"),
            Column("rented_on", "DATE"),
            Column("extended_on", "DATE"),
        ),
        comment="租借",
        foreign_keys=(ForeignKey(("print_id",), ("print",), ("print_id",)),),
    ),
)  # fmt: skip
VALUES = {("rental", "status"): ["extended", "running", "lost", "late"]}


def read(question: str) -> Reading:
    catalog = with_joins(Catalog("sqlite", TABLES))
    book = Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES))
    return read_plan(question, Vocabulary(book), today=TODAY)


def test_a_state_that_has_a_day_of_its_own_is_not_dated_by_another() -> None:
    assert read("Number of extended rentals by month").why == "when it became so"
    assert read("Number of lost rentals by month").plan is not None
    assert read("Number of extended rentals").plan is not None


def test_members_side_by_side_are_split_only_where_they_are_counted() -> None:
    assert read("Running and late rentals rented in May 2025").plan is None
    assert read("Number of running and late rentals in May 2025").plan is not None


@pytest.mark.parametrize(("column", "plan"), [("outcome", False), ("order_status", True), ("status", True)])
def test_a_rate_of_what_has_a_day_of_its_own_is_by_a_status_alone(column: str, plan: bool) -> None:
    bookings = Table(
        ("booking",),
        (
            Column("booking_id", "INTEGER", primary_key=True),
            Column("area", "TEXT"),
            Column(column, "TEXT"),
            Column("cancelled_on", "DATE"),
        ),
    )
    values = {("booking", column): ["cancelled", "open"], ("booking", "area"): ["north", "south"]}
    catalog = Catalog("sqlite", (bookings,))
    words = Vocabulary(Book(catalog, Glossary(), values, propose_metrics(catalog, Glossary(), values)))
    found = read_plan("Cancellation rate by area", words, today=TODAY)
    assert (found.plan is not None) is plan, found.why


@pytest.mark.parametrize("question", ["Number of rentals by painter", "Top 3 painters by number of rentals"])
def test_a_thing_in_a_role_beside_another_is_not_chosen(question: str) -> None:
    assert read(question).why == "which of several it is by"


def test_a_thing_with_one_way_is() -> None:
    assert read("Number of rentals by print").plan is not None


def test_members_are_not_counted_as_what_holds_them() -> None:
    shop = Table(
        ("shop",),
        (Column("shop_id", "INTEGER", primary_key=True), Column("shop_name", "TEXT"), Column("city", "TEXT")),
        comment="门店",
    )
    member = Table(
        ("member",),
        (Column("member_id", "INTEGER", primary_key=True), Column("member_name", "TEXT"), Column("tier", "TEXT")),
        comment="会员",
    )
    sale = Table(
        ("sale",),
        (Column("sale_id", "INTEGER", primary_key=True), Column("shop_id", "INTEGER"), Column("member_id", "INTEGER")),
        comment="小票",
        foreign_keys=(
            ForeignKey(("shop_id",), ("shop",), ("shop_id",)),
            ForeignKey(("member_id",), ("member",), ("member_id",)),
        ),
    )
    catalog = with_joins(Catalog("sqlite", (shop, member, sale)))
    values = {("shop", "city"): ["上海", "杭州"], ("member", "tier"): ["金卡", "银卡"]}
    known = Vocabulary(Book(catalog, Glossary(), values, propose_metrics(catalog, Glossary(), values)))
    found = read_plan("在上海门店消费过的金卡会员一共多少人", known, today=TODAY)
    assert found.plan is None
    assert found.why == "who is counted, those or what they are of"


@pytest.mark.parametrize(
    ("samples", "plan"), [(("Old Town", "Harbour"), False), (("2026-Q1", "2026-Q2"), False), ((), True)]
)
def test_a_unit_of_time_that_a_column_of_words_is_called_by_is_left_to_the_writer(
    samples: tuple[str, ...], plan: bool
) -> None:
    name = "Quarter" if samples else "Side"
    pool = Table(("Pool",), (Column("PoolID", "INTEGER", primary_key=True), Column(name, "TEXT", samples=samples)))
    booking = Table(
        ("Booking",),
        (
            Column("BookingID", "INTEGER", primary_key=True),
            Column("PoolID", "INTEGER"),
            Column("BookedOn", "DATE", samples=("2026-03-01",)),
        ),
        foreign_keys=(ForeignKey(("PoolID",), ("Pool",), ("PoolID",)),),
    )
    catalog = with_joins(Catalog("sqlite", (pool, booking)))
    known = Vocabulary(Book(catalog, Glossary(), {}, propose_metrics(catalog, Glossary(), {})))
    found = read_plan("How many bookings did each quarter get?", known, today=TODAY)
    assert (found.plan is not None) is plan, found.why
