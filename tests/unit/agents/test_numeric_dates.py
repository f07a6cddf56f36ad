"""Dates that SQLite keeps as numbers are dates to everyone, and statements compare them as they are stored."""

import sqlite3
from pathlib import Path

import pytest

from inquery import Inquery
from inquery.agents.statements.numeric_date_terms import date_storage, days_as_written, write_numeric_dates
from inquery.catalog.time_columns import time_columns, time_kind
from inquery.llm.writer import Candidate, Failure, WriteRequest
from inquery.settings import Settings
from inquery.sql import Catalog, Column, Table

ORDERS = Table(
    ("orders",),
    (
        Column("id", "INTEGER", primary_key=True, samples=("20240101", "20240102")),
        Column("order_date", "INTEGER", samples=("20240305", "20240406")),
        Column("created_at", "DATETIME", samples=("1709600000", "1712300000")),
        Column("updated_at", "INTEGER", samples=("1709600000000",)),
        Column("amount", "INTEGER", samples=("20240305",)),
    ),
)
SHOP = Catalog("sqlite", (ORDERS,))
SLASHED = Column("day", "TEXT", samples=("2026/10/05", "2025/01/31"))
STAYS = Catalog("sqlite", (Table(("stays",), (SLASHED, Column("month", "TEXT", samples=("2026/10", "2025/01")))),))


def test_which_numbers_are_dates() -> None:
    assert {c.name: (s.kind if (s := date_storage(c)) else None) for c in ORDERS.columns} == {
        "id": None,
        "order_date": "day",
        "created_at": "seconds",
        "updated_at": "millis",
        "amount": None,
    }
    assert [time_kind(c) for c in ORDERS.columns] == [None, "date", "datetime", "datetime", None]
    assert time_columns(ORDERS)[0].name == "order_date"


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        (
            "SELECT COUNT(*) FROM orders WHERE order_date >= '2024-03-01' AND order_date < '2024-04-01'",
            "SELECT COUNT(*) FROM orders WHERE order_date >= 20240301 AND order_date < 20240401",
        ),
        (
            "SELECT COUNT(*) FROM orders AS o WHERE o.created_at BETWEEN '2024-03-01' AND '2024-04-01'",
            "SELECT COUNT(*) FROM orders AS o WHERE o.created_at BETWEEN 1709251200 AND 1711929600",
        ),
        (
            "SELECT order_date, amount FROM orders ORDER BY order_date",
            "SELECT order_date, amount FROM orders ORDER BY order_date",
        ),
        ("SELECT MAX(order_date) FROM orders", "SELECT MAX(order_date) FROM orders"),
        (
            "SELECT STRFTIME('%Y', created_at, 'unixepoch') FROM orders WHERE SUBSTR(order_date, 1, 4) = '2024'",
            "SELECT STRFTIME('%Y', created_at, 'unixepoch') FROM orders WHERE SUBSTR(order_date, 1, 4) = '2024'",
        ),
        ("SELECT id FROM orders WHERE amount > 5", "SELECT id FROM orders WHERE amount > 5"),
    ],
)
def test_literals_are_written_as_dates_are_stored(sql: str, made: str) -> None:
    assert write_numeric_dates(sql, SHOP) == made


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        (
            "SELECT COUNT(*) FROM stays WHERE day >= '2025-01-01' AND day < '2026-01-01'",
            "SELECT COUNT(*) FROM stays WHERE day >= '2025/01/01' AND day < '2026/01/01'",
        ),
        (
            "SELECT STRFTIME('%Y-%m', day), COUNT(*) FROM stays GROUP BY STRFTIME('%Y-%m', day)",
            "SELECT STRFTIME('%Y-%m', REPLACE(day, '/', '-')), COUNT(*) FROM stays GROUP BY STRFTIME('%Y-%m', REPLACE(day, '/', '-'))",
        ),
        ("SELECT COUNT(*) FROM stays WHERE month = '2025-01-01'", "SELECT COUNT(*) FROM stays WHERE month = '2025/01'"),
        ("SELECT COUNT(*) FROM stays WHERE day LIKE '2025/%'", "SELECT COUNT(*) FROM stays WHERE day LIKE '2025/%'"),
    ],
)
def test_dates_with_slashes_are_compared_as_they_are_written(sql: str, made: str) -> None:
    assert write_numeric_dates(sql, STAYS) == made


@pytest.mark.parametrize(
    ("catalog", "sql", "made"),
    [
        (SHOP, "SELECT 1 FROM orders WHERE order_date >= 20250101 AND order_date < 20260101",
         "SELECT 1 FROM orders WHERE order_date >= '2025-01-01' AND order_date < '2026-01-01'"),
        (SHOP, "SELECT 1 FROM orders WHERE created_at >= 1735689600", "SELECT 1 FROM orders WHERE created_at >= '2025-01-01'"),
        (STAYS, "SELECT SUM(CASE WHEN s.day < '2026/01/01' THEN 1 END) FROM stays AS s",
         "SELECT SUM(CASE WHEN s.day < '2026-01-01' THEN 1 END) FROM stays AS s"),
        (SHOP, "SELECT 1 FROM orders WHERE amount >= 20250101", "SELECT 1 FROM orders WHERE amount >= 20250101"),
        (SHOP, "SELECT 1 FROM orders WHERE created_at >= 1735689601", "SELECT 1 FROM orders WHERE created_at >= 1735689601"),
    ],
)  # fmt: skip
def test_stored_days_are_read_as_days(catalog: Catalog, sql: str, made: str) -> None:
    assert days_as_written(sql, catalog) == made


class Fixed:
    """A writer that takes the columns for dates, as they are shown to it."""

    async def write(self, request: WriteRequest) -> list[Candidate]:
        text = (
            "SELECT strftime('%Y-%m', {0}) AS m, COUNT(*) AS n FROM orders GROUP BY strftime('%Y-%m', {0}) ORDER BY 1"
        )
        return [Candidate(text.format("created_at" if "创建" in request.question else "order_date"), 1.0, "")]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        return []


def test_months_of_numbers_on_a_real_file(tmp_path: Path, own_home: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as made:
        made.executescript(
            """CREATE TABLE orders(id INTEGER PRIMARY KEY, order_date INTEGER, created_at DATETIME);
            INSERT INTO orders VALUES(1,20240305,1709600000),(2,20240306,1712300000),(3,20240406,1712300000);"""
        )
    made.close()
    with Inquery.connect(tmp_path / "shop.sqlite", settings=Settings(home=own_home), writer=Fixed()) as asked:
        assert asked.ask("How many orders in each month?").rows == [["2024-03", 2], ["2024-04", 1]]
        assert asked.ask("每个月创建了多少订单？").rows == [["2024-03", 1], ["2024-04", 2]]


class March:
    """A writer that keeps a month as its column is written: whole, and with its end left open."""

    def __init__(self, *ends: str) -> None:
        self.ends = ends

    async def write(self, request: WriteRequest) -> list[Candidate]:
        tests = " AND ".join(f"order_date {end}" for end in self.ends)
        return [Candidate(f"SELECT COUNT(*) AS n FROM orders WHERE {tests}")]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        return []


@pytest.mark.parametrize(
    ("kind", "days", "ends"),
    [
        ("INTEGER", ("20240305", "20240306", "20240406"), (">= 20240301", "< 20240401")),
        ("TEXT", ("'2024/03/05'", "'2024/03/06'", "'2024/04/06'"), (">= '2024/03/01'", "< '2024/04/01'")),
    ],
)
def test_a_period_that_is_kept_is_not_said_to_be_left_out(
    tmp_path: Path, own_home: Path, kind: str, days: tuple[str, ...], ends: tuple[str, str]
) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as made:
        made.execute(f"CREATE TABLE orders(id INTEGER PRIMARY KEY, order_date {kind})")
        made.execute("INSERT INTO orders VALUES " + ", ".join(f"({at}, {day})" for at, day in enumerate(days)))
    made.close()

    def asked(*tests: str) -> tuple[list[list[object]], list[str], list[dict[str, str]]]:
        settings = Settings(home=own_home / str(len(tests)))
        with Inquery.connect(tmp_path / "shop.sqlite", settings=settings, writer=March(*tests)) as shop:
            answer = shop.ask("How many orders in March 2024?", can_ask=False)
            return answer.rows, answer.warnings, answer.reading["period"]

    rows, warnings, period = asked(*ends)
    assert (rows, [each["text"] for each in period]) == ([[2]], ["March 2024"])
    assert not any("March 2024" in each or "period" in each for each in warnings)
    rows, warnings, _ = asked(ends[0])
    assert any("period" in each for each in warnings)
