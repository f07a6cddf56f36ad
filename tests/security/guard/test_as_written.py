"""The guard writes a statement as it was written: no writer of sqlglot restructures it on the way."""

from collections import Counter

import pytest
from sqlglot import exp
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import ordinary
from tests.security.guard.test_same_rows import duckdb_run

from inquery.sql import Policy, check
from inquery.sql.dialects.grammar import grammar
from inquery.sql.guard.functions import node_names

HARMLESS = {"Array", "ColumnDef"}
"""Names for the fields of structs without any; serial types, which no query has."""
CORRELATED = "EXISTS (SELECT 1 FROM main.customers AS g WHERE g.id = orders.customer_id AND g.city = 'Paris')"


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_no_writer_restructures_a_node_that_may_be_written(dialect: str) -> None:
    transforms = grammar(dialect).generator.TRANSFORMS
    restructured = {kind.__name__ for kind, write in transforms.items() if "preprocess" in write.__qualname__}
    assert restructured & node_names() <= HARMLESS


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_no_column_loses_the_table_it_was_written_with(dialect: str) -> None:
    """Without it, `c.id = o.id` in a subquery is `id = id`: true of every row."""
    for sql in ordinary(dialect):
        written = check(sql, dialect=dialect, catalog=catalogue(dialect)).text
        assert not _qualified(dialect, sql) - _qualified(dialect, written), sql


def _qualified(dialect: str, sql: str) -> Counter[str]:
    columns = [each for tree in grammar(dialect).parse(sql) if tree for each in tree.find_all(exp.Column)]
    return Counter(column.name.casefold() for column in columns if column.table and not column.args.get("db"))


@pytest.mark.parametrize(
    "sql",
    [
        "PIVOT orders ON status IN ('paid', 'void') USING count(*) AS n GROUP BY customer_id",
        "PIVOT (SELECT o.status, o.customer_id FROM orders o) ON status IN ('paid', 'void') USING count(*) AS n GROUP BY customer_id",
        "SELECT * FROM (PIVOT orders o ON status IN ('paid', 'void') USING count(*) AS n GROUP BY customer_id)",
        "SELECT customer_id FROM (UNPIVOT orders ON total, discount INTO NAME kind VALUE amount)",
    ],
)
def test_a_filter_that_looks_at_its_own_row_holds_in_a_pivot(sql: str) -> None:
    with duckdb_run() as run:
        allowed = {row[0] for row in run("SELECT id FROM customers WHERE city = 'Paris'")}
        everybody = {row[0] for row in run("SELECT customer_id FROM orders")}
        policy = Policy(row_filters={"main.orders": CORRELATED})
        found = run(check(sql, dialect="duckdb", catalog=catalogue("duckdb"), policy=policy).text)
    assert allowed < everybody
    assert {row[0] for row in found} == allowed & everybody
