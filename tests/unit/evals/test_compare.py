"""Execution match as the test suite defines it."""

import datetime
import decimal

import pytest

from inquery.errors import SqlSyntax
from inquery.evals.compare import Match, RunFailed, execution_match, is_ordered, orders_rows, same_rows, strip_distinct


@pytest.mark.parametrize(
    ("gold", "found", "ordered", "equal"),
    [
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")], False, True),
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")], True, False),
        ([(1, "a"), (2, "b")], [("a", 1), ("b", 2)], True, True),
        ([(1, 2), (2, 1)], [(2, 1), (1, 2)], True, True),  # the columns swapped, the order of rows kept
        ([(1, 2), (3, 4)], [(1, 4), (3, 2)], False, False),  # every column equal, the rows not
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False, False),
        ([(1,), (1,)], [(1,)], False, False),
        ([], [], False, True),
        ([], [(None,)], False, False),
        ([(1, 2)], [(1,)], False, False),
        ([(0.1 + 0.2,)], [(0.3,)], False, True),
        ([(2,)], [(2.0,)], False, True),
        ([(decimal.Decimal("1.50"),)], [(1.5,)], False, True),
        ([(1_234_567.891,)], [(1_234_567.892,)], False, False),
        ([(float("nan"),)], [(float("nan"),)], False, True),
        ([(None,)], [(0,)], False, False),
        ([("2024",)], [(2024,)], False, False),
        ([(b"caf\xe9",)], [("caf\ufffd",)], False, True),
        ([(datetime.date(2024, 1, 2),)], [("2024-01-02",)], False, True),
        ([(True,)], [(1,)], False, True),
    ],
)
def test_rows_are_compared(gold: list[tuple], found: list[tuple], ordered: bool, equal: bool) -> None:
    assert same_rows(gold, found, ordered=ordered) is equal


def test_many_equal_columns_do_not_take_forever() -> None:
    wide = [(None,) * 12] * 3
    assert same_rows(wide, wide, ordered=True)
    assert not same_rows(
        [(0,) * 12 + (1, 2), (0,) * 12 + (2, 1)], [(0,) * 12 + (1, 1), (0,) * 12 + (2, 2)], ordered=True
    )


def test_distinct_is_stripped_outside_quotes() -> None:
    sql = "SELECT DISTINCT a, count(distinct b) FROM t WHERE c = 'very distinct' AND \"distinct\" = 1"
    assert strip_distinct(sql).split() == (
        [
            "SELECT",
            "a,",
            "count(",
            "b)",
            "FROM",
            "t",
            "WHERE",
            "c",
            "=",
            "'very",
            "distinct'",
            "AND",
            '"distinct"',
            "=",
            "1",
        ]
    )


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [("SELECT a FROM t ORDER BY a", True), ("select a from t order  by a", True), ("SELECT 'order by'", False)],
)
def test_order_is_read_from_the_gold_query(sql: str, ordered: bool) -> None:
    assert is_ordered(sql) is ordered


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("SELECT a FROM t ORDER BY a", True),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)", False),
        ("SELECT a, RANK() OVER (PARTITION BY b ORDER BY MAX(a)) FROM t", False),
        ("SELECT a FROM t WHERE b = ' order by ' AND c IN (SELECT c FROM u ORDER BY (d))", False),
        ("SELECT SUM(a) OVER (ORDER BY b) FROM t\norder  by 1", True),
    ],
)
def test_only_the_order_of_what_is_shown_counts_for_an_answer(sql: str, ordered: bool) -> None:
    assert orders_rows(sql) is ordered


def rows_of(results: dict[str, object]):
    def run(sql: str):
        result = results[" ".join(sql.split())]
        if isinstance(result, Exception):
            raise result
        return result

    return run


def test_equal_results_match() -> None:
    run = rows_of({"SELECT a": [(1,), (2,)], "SELECT b": [(2,), (1,)]})
    assert execution_match("SELECT DISTINCT a", "SELECT b", run) == Match(True)


@pytest.mark.parametrize("error", [RunFailed("too slow"), SqlSyntax("near FROM")])
def test_a_predicted_query_that_fails_is_wrong(error: Exception) -> None:
    run = rows_of({"SELECT a": [], "SELECT b": error})
    match = execution_match("SELECT a", "SELECT b", run)
    assert not match.correct
    assert match.error == str(error)


def test_a_gold_query_that_fails_is_not_the_writers_fault() -> None:
    run = rows_of({"SELECT a": SqlSyntax("near FROM"), "SELECT b": []})
    with pytest.raises(RunFailed, match="gold"):
        execution_match("SELECT a", "SELECT b", run)
