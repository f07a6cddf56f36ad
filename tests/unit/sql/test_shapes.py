"""Shapes that the parser reads in an odd way, and what the guard makes of them."""

import pytest
from tests.security.guard.catalogue import SCHEMAS, catalogue

from inquery.sql import CheckedSql, Policy, SqlRefused, check


def checked(sql: str, dialect: str, **policy: object) -> CheckedSql:
    return check(sql, dialect=dialect, catalog=catalogue(dialect), policy=Policy(**policy))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("duckdb", "SELECT upper(email).lower() FROM customers"),
        ("duckdb", "SELECT (email || 'x').lower() FROM customers"),
        ("duckdb", "SELECT (SELECT c.email FROM customers AS c LIMIT 1).upper()"),
        ("duckdb", "SELECT city.replace(email, '').upper() FROM customers"),
        ("tsql", "SELECT CAST(c.email AS xml).value('.', 'int') FROM customers AS c"),
        ("tsql", "SELECT (SELECT ',' + email FROM customers FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')"),
        ("oracle", "SELECT XMLAGG(XMLELEMENT(e, email)).getClobVal() FROM customers"),
    ],
)
def test_columns_of_a_value_with_a_method_are_seen(dialect: str, sql: str) -> None:
    assert "email" in {name.lower() for _, name in checked(sql, dialect).columns}
    email = "EMAIL" if dialect == "oracle" else "email"
    full = ".".join((*SCHEMAS[dialect], email.replace("email", "customers").replace("EMAIL", "CUSTOMERS"), email))
    with pytest.raises(SqlRefused) as refused:
        checked(sql, dialect, hidden_columns=frozenset({full}))
    assert refused.value.rule == "unknown_column"


PAST = [
    ("snowflake", "SELECT id FROM orders AT (OFFSET => -60)"),
    ("bigquery", "SELECT id FROM orders FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP()"),
    ("oracle", "SELECT id FROM orders AS OF TIMESTAMP SYSDATE - 1"),
    ("tsql", "SELECT id FROM orders FOR SYSTEM_TIME AS OF '2024-01-01'"),
    ("trino", "SELECT id FROM orders FOR VERSION AS OF 7"),
    ("mysql", "SELECT id FROM orders FOR SYSTEM_TIME AS OF '2024-01-01'"),
]


@pytest.mark.parametrize(("dialect", "sql"), PAST)
def test_the_past_of_a_table_is_read_where_nothing_of_it_is_hidden(dialect: str, sql: str) -> None:
    text = checked(sql, dialect).text
    assert " AT (" in text or "AS OF" in text
    upper = dialect in {"snowflake", "oracle"}
    table = ".".join((*SCHEMAS[dialect], "ORDERS" if upper else "orders"))
    for policy in ({"row_filters": {table: "id > 1"}}, {"hidden_columns": frozenset({f"{table}.total"})}):
        with pytest.raises(SqlRefused):
            checked(sql, dialect, **policy)


def test_a_moment_reads_nothing_else() -> None:
    for moment in ("STREAM => 's'", "TIMESTAMP => (SELECT max(x) FROM secret)", "TIMESTAMP => SYSTEM$WAIT(5)"):
        with pytest.raises(SqlRefused):
            checked(f"SELECT id FROM orders AT ({moment})", "snowflake")


def test_a_second_statement_without_a_semicolon_is_no_alias() -> None:
    for word in ("DELETE", "Drop", "shutdown", "exec"):
        with pytest.raises(SqlRefused) as refused:
            checked(f"SELECT id {word} FROM orders", "tsql")
        assert refused.value.rule in {"several_statements", "syntax"}
    assert "[delete]" in checked("SELECT id AS [delete] FROM orders", "tsql").text


def test_a_recursion_that_moves_away_from_its_bound_is_refused() -> None:
    sql = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE {}) SELECT x FROM c"
    for condition in ("x > 0", "0 < x", "x >= 1"):
        with pytest.raises(SqlRefused) as refused:
            checked(sql.format(condition), "sqlite")
        assert refused.value.rule == "too_complex"
    assert checked(sql.format("x < 10"), "sqlite")


def test_a_modifier_that_only_counts_is_left_out() -> None:
    assert "SQL_CALC" not in checked("SELECT SQL_CALC_FOUND_ROWS id FROM orders LIMIT 3", "mysql").text


@pytest.mark.parametrize(
    ("dialect", "sql", "kept"),
    [
        ("clickhouse", "SELECT groupArraySorted(3)(id) FROM orders", "groupArraySorted(3)(id)"),
        ("duckdb", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders", "WITHIN GROUP (ORDER BY"),
        ("oracle", "SELECT JSON_OBJECTAGG(KEY status VALUE total) FROM orders", "status VALUE total"),
        ("oracle", "SELECT JSON_QUERY(payload, '$.a' WITH WRAPPER) FROM orders", "'$.a' WITH WRAPPER)"),
        (
            "postgres",
            "SELECT JSON_QUERY(payload, '$.a' WITH WRAPPER), payload -> 'a' FROM orders",
            "WITH WRAPPER), payload -> 'a'",
        ),
        ("trino", "SELECT DECIMAL '1.5'", "SELECT 1.5 "),
        (
            "mysql",
            "SELECT q FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (q INT PATH '$.q' DEFAULT '0' ON EMPTY)) AS j",
            "DEFAULT '0' ON EMPTY",
        ),
    ],
)
def test_what_was_written_is_written_back(dialect: str, sql: str, kept: str) -> None:
    assert kept in checked(sql, dialect).text
