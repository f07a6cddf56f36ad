"""Bound statements: what changes from run to run is a typed slot of the tree, and nothing else is."""

import datetime

import pytest

from inquery.catalog.value_index import ValueMatch
from inquery.reports.bindings import Bound, bind, fill_binding, fingerprint
from inquery.reports.parameters import ReportClock, Value
from inquery.sql import Catalog, SqlRefused, check

NOVEMBER, JANUARY = ReportClock(datetime.date(2026, 11, 15)), ReportClock(datetime.date(2027, 1, 3))
EAST = [ValueMatch("stores", "region", "east", "华东")]
SPELT = {"华南": "south", "华东": "east"}


def again(
    bound: Bound, question: str, values: dict[str, Value] | None = None, clock: ReportClock = JANUARY
) -> str | None:
    return fill_binding(bound, "sqlite", clock.periods(question), values or {}, lambda place, said: SPELT.get(said))


@pytest.mark.parametrize(
    ("question", "written", "later"),
    [
        ("last month", "d >= '2026-10-01' AND d < '2026-11-01'", "d >= '2026-12-01' AND d < '2027-01-01'"),
        ("last month", "d BETWEEN '2026-10-01' AND '2026-10-31'", "d BETWEEN '2026-12-01' AND '2026-12-31'"),
        ("上月", "STRFTIME('%Y-%m', d) = '2026-10'", "STRFTIME('%Y-%m', d) = '2026-12'"),
        ("last month", "d <= '2026-10-31 23:59:59' AND d >= '2026-10-01 00:00:00'",
         "d <= '2026-12-31 23:59:59' AND d >= '2026-12-01 00:00:00'"),
        ("this year", "STRFTIME('%Y', d) = '2026'", "STRFTIME('%Y', d) = '2027'"),
        ("since last month", "d >= '2026-10-01'", "d >= '2026-12-01'"),
    ],
)  # fmt: skip
def test_a_period_moves_with_the_day(question: str, written: str, later: str) -> None:
    bound = bind(f"SELECT COUNT(*) FROM o WHERE {written}", "sqlite", NOVEMBER.periods(question), {}, [])
    assert bound.reuse == "any"
    assert again(bound, question) == f"SELECT COUNT(*) FROM o WHERE {later}"


def test_two_periods_have_slots_of_their_own() -> None:
    sql = "SELECT a FROM o WHERE d >= '2025-01-01' AND d < '2026-01-01' OR d >= '2024-01-01' AND d < '2025-01-01'"
    bound = bind(sql, "sqlite", NOVEMBER.periods("2025 versus 2024"), {}, [])
    assert "{period2.start}" in bound.sql
    later = "SELECT a FROM o WHERE d >= '2023-01-01' AND d < '2024-01-01' OR d >= '2022-01-01' AND d < '2023-01-01'"
    assert again(bound, "2023 versus 2022") == later


def test_words_and_numbers_of_people_become_those_of_the_database() -> None:
    sql = "SELECT name FROM stores WHERE region = 'east' LIMIT 5"
    bound = bind(sql, "sqlite", [], {"区": "华东", "top": 5}, EAST)
    assert (bound.reuse, bound.places) == ("any", {"区": ("stores", "region")})
    assert again(bound, "", {"区": "华南", "top": 7}) == "SELECT name FROM stores WHERE region = 'south' LIMIT 7"
    assert again(bound, "", {"区": "火星", "top": 7}) is None


def test_what_cannot_be_told_apart_holds_for_the_same_values_only() -> None:
    twice = bind("SELECT a FROM t WHERE n > 5 LIMIT 5", "sqlite", [], {"top": 5}, [])
    other = bind("SELECT a FROM t WHERE d > '2020-01-01'", "sqlite", NOVEMBER.periods("last month"), {}, [])
    absent = bind("SELECT a FROM t", "sqlite", [], {"region": "east"}, [])
    now = bind("SELECT a FROM t WHERE d >= date('now', '-1 month')", "sqlite", NOVEMBER.periods("last month"), {}, [])
    assert [each.reuse for each in (twice, other, absent, now)] == ["same", "same", "same", "phrase"]


CATALOG = Catalog.of({"stores": ["region", "name"], "secrets": ["key"]}, dialect="sqlite")


@pytest.mark.parametrize(
    "hostile",
    [
        "x' OR '1'='1",
        "x'; DROP TABLE stores; --",
        "' UNION SELECT key FROM secrets --",
        "{period.start}",
        "\\'",
        "x\x00y",
    ],
)
def test_a_value_is_never_read_as_sql(hostile: str) -> None:
    bound = Bound("SELECT name FROM stores WHERE region = '{区.value}'", "any", {})
    sql = again(bound, "last month", {"区": hostile})
    assert sql is not None
    try:
        checked = check(sql, dialect="sqlite", catalog=CATALOG)
    except SqlRefused:
        return
    assert checked.tables == (("stores",),)
    import sqlglot
    from sqlglot import exp

    assert [str(literal.this) for literal in sqlglot.parse_one(sql, dialect="sqlite").find_all(exp.Literal)] == [
        hostile
    ]


def test_only_a_change_of_what_it_reads_changes_a_fingerprint() -> None:
    sql = "SELECT name FROM stores WHERE region = 'east'"
    before = fingerprint(check(sql, dialect="sqlite", catalog=CATALOG), CATALOG)
    wider = Catalog.of({"stores": ["region", "name", "size"], "more": ["x"]}, dialect="sqlite")
    assert fingerprint(check(sql, dialect="sqlite", catalog=wider), wider) == before
    other = Catalog.of({"stores": ["region", "name", "size"]}, dialect="sqlite")
    assert fingerprint(check("SELECT size FROM stores", dialect="sqlite", catalog=other), other) != before
