"""Both rates together: hostile statements that pass, ordinary ones that are refused."""

import pytest
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import hostile, ordinary

from inquery.errors import REFUSALS
from inquery.sql import SqlRefused, check


def refusal(sql: str, dialect: str) -> SqlRefused | None:
    try:
        check(sql, dialect=dialect, catalog=catalogue(dialect))
    except SqlRefused as refused:
        return refused
    return None


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_hostile_statements_are_refused_and_ordinary_ones_are_not(dialect: str) -> None:
    bad, good = hostile(dialect), ordinary(dialect)
    assert len(bad) >= 60
    assert len(good) >= 35
    passed = [sql for sql in bad if refusal(sql, dialect) is None]
    refused = [(sql, str(found)) for sql in good if (found := refusal(sql, dialect)) is not None]
    print(f"{dialect}: {len(passed)} of {len(bad)} hostile pass, {len(refused)} of {len(good)} ordinary refused")
    assert not passed
    assert not refused


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_every_refusal_has_a_rule_with_a_message(dialect: str) -> None:
    for sql in hostile(dialect):
        found = refusal(sql, dialect)
        assert found is not None
        assert found.rule in REFUSALS
        assert found.public_message("en") != found.public_message("zh")


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_checked_text_passes_again_and_reads_the_same_tables(dialect: str) -> None:
    catalog = catalogue(dialect)
    for sql in ordinary(dialect):
        once = check(sql, dialect=dialect, catalog=catalog)
        twice = check(once.text, dialect=dialect, catalog=catalog)
        assert sorted(twice.tables) == sorted(once.tables), sql
        assert check(twice.text, dialect=dialect, catalog=catalog).text == twice.text, sql


@pytest.mark.parametrize(
    "text", ["SELECT 1\x00", "SELECT '\u202e'", "", "   ", "-- nothing", ";", "SELECT 1" + " " * 200_000]
)
def test_text_that_is_no_statement_is_refused(text: str) -> None:
    assert refusal(text, "postgres") is not None


@pytest.mark.parametrize(
    "sql",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "(" * 500 + "1" + ")" * 500,
        "SELECT " + "-" * 3000 + "1",
        "SELECT " + "NOT " * 5000 + "1",
    ],
)
def test_deep_nesting_is_refused_and_does_not_crash(sql: str) -> None:
    assert refusal(sql, "sqlite") is not None


NESTED = {
    "parentheses": ("SELECT ", "(", "1", ")"),
    "calls": ("SELECT ", "abs(", "1", ")"),
    "cases": ("SELECT ", "CASE WHEN 1 = 1 THEN ", "1", " END"),
    "derived tables": ("SELECT x FROM ", "(SELECT x FROM ", "(SELECT 1 AS x) AS t", ") AS t"),
    "subqueries": ("SELECT id FROM orders WHERE id IN ", "(SELECT id FROM orders WHERE id IN ", "(1)", ")"),
}


@pytest.mark.parametrize("dialect", SCHEMAS)
@pytest.mark.parametrize("kind", NESTED)
def test_nesting_that_people_write_is_not_too_complex(dialect: str, kind: str) -> None:
    head, opening, middle, closing = NESTED[kind]
    assert refusal(head + opening * 25 + middle + closing * 25, dialect) is None
    found = refusal(head + opening * 130 + middle + closing * 130, dialect)
    assert found is not None
    assert found.rule == "too_complex"


def test_long_but_flat_conditions_are_not_too_complex() -> None:
    conditions = " OR ".join(f"id = {n}" for n in range(300))
    numbers = ", ".join(str(n) for n in range(5000))
    assert refusal(f"SELECT id FROM orders WHERE ({conditions}) AND id IN ({numbers})", "sqlite") is None
