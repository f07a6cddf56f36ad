"""Spider's levels, with queries of each kind from its published examples and rules."""

import pytest

from inquery.evals.hardness import hardness

CASES = {
    "easy": [
        "SELECT count(*) FROM singer",
        "SELECT name FROM singer WHERE age > 20",
        "SELECT DISTINCT country FROM singer ORDER BY country",
    ],
    "medium": [
        "SELECT name, country FROM singer WHERE age > 20",
        "SELECT country, count(*) FROM singer GROUP BY country",
        "SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id WHERE T2.year = 2014",
        "SELECT max(age), min(age), avg(age) FROM singer WHERE country = 'France'",
        "SELECT name FROM singer ORDER BY age DESC LIMIT 1",
        "SELECT name FROM stadium WHERE capacity > 5 AND city = 'x'",
    ],
    "hard": [
        "SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM concert)",
        "SELECT name FROM a UNION SELECT name FROM b",
        "SELECT T1.name FROM a AS T1 JOIN b AS T2 ON T1.id = T2.id GROUP BY T2.x ORDER BY count(*)",
        "SELECT a, max(b), min(c) FROM t WHERE a = 1 AND b = 2 GROUP BY a, d",
    ],
    "extra": [
        "SELECT T1.a, T1.b FROM t AS T1 JOIN u AS T2 ON T1.x = T2.x WHERE T1.c = 1 GROUP BY T1.a ORDER BY count(*) LIMIT 1",
        "SELECT a, b FROM t WHERE c > (SELECT avg(c) FROM t)",
        "SELECT a FROM t WHERE b IN (SELECT b FROM u) AND c IN (SELECT c FROM u)",
        "SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.x = T2.x WHERE T2.b = 1 INTERSECT SELECT a FROM t",
        "not a query (",
    ],
}


@pytest.mark.parametrize(("level", "sql"), [(level, sql) for level, cases in CASES.items() for sql in cases])
def test_levels_follow_the_published_rules(level: str, sql: str) -> None:
    assert hardness(sql) == level


def test_or_and_like_count_as_parts() -> None:
    assert hardness("SELECT a FROM t WHERE b LIKE '%x%'") == "medium"
    assert hardness("SELECT a FROM t WHERE b = 1 OR c = 2") == "medium"
    assert hardness("SELECT a FROM t WHERE b LIKE '%x%' OR c = 2") == "hard"


def test_clauses_inside_a_sub_query_are_not_the_outer_ones() -> None:
    nested = "SELECT a FROM t WHERE b IN (SELECT b FROM u WHERE c LIKE 'x' GROUP BY b ORDER BY count(*) LIMIT 1)"
    assert hardness(nested) == "hard"
