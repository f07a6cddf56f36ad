"""How names in a query find tables and columns, in every dialect."""

import pytest

from inquery.sql import Catalog, Column, Policy, SqlRefused, Table, check
from inquery.sql.dialects import DIALECTS

DEFAULTS = {"sqlite": "main", "postgres": "public", "duckdb": "main", "clickhouse": "default", "tsql": "dbo"}


def refused(sql: str, catalog: Catalog, policy: Policy | None = None) -> SqlRefused:
    with pytest.raises(SqlRefused) as caught:
        check(sql, dialect=catalog.dialect, catalog=catalog, policy=policy)
    return caught.value


def cased(dialect: str, *names: str) -> tuple[str, ...]:
    return tuple(name.upper() if dialect in {"oracle", "snowflake"} else name for name in names)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_short_name_is_rewritten_to_the_full_one(dialect: str) -> None:
    path = cased(dialect, "sales", "orders")
    catalog = Catalog.of({path: cased(dialect, "id")}, dialect=dialect)
    for sql in ("SELECT id FROM orders", "SELECT orders.id FROM orders", "SELECT ID FROM Orders o WHERE o.Id > 1"):
        checked = check(sql, dialect=dialect, catalog=catalog)
        assert checked.tables == (path,)
        assert checked.columns == ((path, path[-1].replace("ORDERS", "ID") if path[-1].isupper() else "id"),)
        assert path[0] in checked.text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_fits_two_tables_is_ambiguous(dialect: str) -> None:
    catalog = Catalog.of({"a.orders": ["id"], "b.orders": ["id"]}, dialect=dialect)
    assert refused("SELECT id FROM orders", catalog).rule == "ambiguous_table"
    assert check("SELECT id FROM b.orders", dialect=dialect, catalog=catalog).tables == (("b", "orders"),)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_table_the_user_may_not_see_does_not_make_a_name_ambiguous(dialect: str) -> None:
    catalog = Catalog.of({"a.orders": ["id"], "b.orders": ["id"]}, dialect=dialect)
    seen = Policy(tables=frozenset({"a.orders"}))
    assert check("SELECT id FROM orders", dialect=dialect, catalog=catalog, policy=seen).tables == (("a", "orders"),)
    error = refused("SELECT id FROM b.orders", catalog, seen)
    assert error.rule == "unknown_table"
    assert "b.orders" not in error.nearest


@pytest.mark.parametrize("dialect", DIALECTS)
def test_more_parts_are_accepted_for_the_default_schema_only(dialect: str) -> None:
    catalog = Catalog(dialect, (Table(("orders",), (Column("id"),)),), default_schema=("mine",))
    names = ["mine"] + ([DEFAULTS[dialect]] if dialect in DEFAULTS else [])
    for name in names:
        assert check(f"SELECT id FROM {name}.orders", dialect=dialect, catalog=catalog).tables == (("orders",),)
    assert refused("SELECT id FROM other.orders", catalog).rule == "unknown_table"


def test_names_that_differ_only_in_case_must_be_spelled() -> None:
    catalog = Catalog.of({"public.users": ["id"], "public.Users": ["id", "extra"]}, dialect="postgres")
    assert check("SELECT id FROM users", dialect="postgres", catalog=catalog).tables == (("public", "users"),)
    assert check('SELECT id FROM "Users"', dialect="postgres", catalog=catalog).tables == (("public", "Users"),)
    assert refused('SELECT id FROM "USERS"', catalog).rule == "ambiguous_table"


def test_a_mixed_case_table_and_column_are_quoted_for_postgres() -> None:
    catalog = Catalog.of({"public.Users": ["userId"]}, dialect="postgres")
    text = check("SELECT s.userid FROM (SELECT users.userid FROM users) s", dialect="postgres", catalog=catalog).text
    assert '"public"."Users" AS users' in text
    assert 's."userId"' in text
    assert 'users."userId"' in text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dual_and_table_functions_are_not_tables(dialect: str) -> None:
    catalog = Catalog.of({"orders": ["id"]}, dialect=dialect)
    assert check("SELECT 1 FROM DUAL", dialect=dialect, catalog=catalog).tables == ()


def test_nearest_names_come_from_what_the_user_sees() -> None:
    catalog = Catalog.of({"orders": ["id", "total", "totem"], "order_secrets": ["id"]}, dialect="sqlite")
    policy = Policy(tables=frozenset({"orders"}), hidden_columns=frozenset({"orders.totem"}))
    assert refused("SELECT 1 FROM ordrs", catalog, policy).nearest == ("orders",)
    assert refused("SELECT totl FROM orders", catalog, policy).nearest == ("total",)


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("SELECT id FROM a JOIN b ON a.id = b.id", "ambiguous_column"),
        ("SELECT nothing FROM a", "unknown_column"),
        ("SELECT a.nothing FROM a", "unknown_column"),
        ("SELECT x.id FROM a", "unknown_column"),
        ("SELECT id FROM a ORDER BY nothing", "unknown_column"),
        ("SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.nothing)", "unknown_column"),
        ("SELECT s.total FROM (SELECT id FROM a) s", "unknown_column"),
        ("WITH c AS (SELECT id FROM a) SELECT name FROM c", "unknown_column"),
        ("SELECT id FROM c", "unknown_table"),
        ("SELECT * FROM (WITH c AS (SELECT id FROM a) SELECT * FROM c) s JOIN c ON 1 = 1", "unknown_table"),
        ("SELECT id FROM a JOIN b USING (name)", "unknown_column"),
        ("SELECT id FROM a WHERE id IN b", "unknown_table"),
    ],
)
def test_wrong_names(sql: str, rule: str) -> None:
    catalog = Catalog.of({"a": ["id", "name"], "b": ["id", "total"]}, dialect="sqlite")
    assert refused(sql, catalog).rule == rule


def test_a_table_whose_columns_are_not_known_does_not_break_the_check() -> None:
    catalog = Catalog.of({"a": [], "b": ["id"]}, dialect="sqlite")
    assert check("SELECT anything, b.id FROM a JOIN b ON a.x = b.id", dialect="sqlite", catalog=catalog).tables
    hidden = Policy(hidden_columns=frozenset({"a.secret"}))
    assert refused("SELECT x FROM a", catalog, hidden).rule == "unknown_table"


def test_the_first_branch_of_a_recursive_query_reads_the_table_not_itself() -> None:
    catalog = Catalog.of({"t": ["n"]}, dialect="duckdb")
    policy = Policy(row_filters={"t": "n < 5"})
    text = check(
        "WITH RECURSIVE t AS (SELECT n FROM t UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM t",
        dialect="duckdb", catalog=catalog, policy=policy,
    ).text  # fmt: skip
    assert text.count("n < 5") == 1
    assert "t_cte" in text
