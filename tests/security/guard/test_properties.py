"""Whatever the text, check() gives a statement under the policy or SqlRefused, and nothing else."""

import dataclasses
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import hostile, ordinary

from inquery.sql import Policy, SqlRefused, check
from inquery.sql.dialects import grammar

DIALECTS = list(SCHEMAS)
WORDS = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "orders",
        "customers",
        "id",
        "total",
        "(",
        ")",
        ",",
        ";",
        ".",
        "*",
        "'",
        '"',
        "`",
        "--",
        "/*",
        "*/",
        ":=",
        "@",
        "@@",
        "$1",
        ":x",
        "?",
        "=>",
        "->",
        "::",
        "[",
        "]",
        "{",
        "}",
        "UNION",
        "ALL",
        "WITH",
        "AS",
        "x",
        "INSERT",
        "INTO",
        "DELETE",
        "DROP",
        "JOIN",
        "ON",
        "USING",
        "LATERAL",
        "VALUES",
        "1",
        "'a'",
        "NULL",
        "IN",
        "EXISTS",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "OVER",
        "FOR",
        "UPDATE",
        "\\",
        "\n",
    ]
)
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def try_check(sql: str, dialect: str) -> str | None:
    try:
        return check(sql, dialect=dialect, catalog=catalogue(dialect)).text
    except SqlRefused:
        return None


@SETTINGS
@given(st.text(max_size=80), st.sampled_from(DIALECTS))
def test_any_text(sql: str, dialect: str) -> None:
    try_check(sql, dialect)


@SETTINGS
@given(st.lists(WORDS, max_size=25), st.sampled_from(DIALECTS))
def test_any_words(words: list[str], dialect: str) -> None:
    text = try_check(" ".join(words), dialect)
    if text is not None:
        assert isinstance(grammar(dialect).parse(text)[0], exp.Select | exp.SetOperation | exp.Subquery | exp.Values)


@SETTINGS
@given(st.randoms(use_true_random=False), st.sampled_from(DIALECTS))
def test_damaged_statements(chance: random.Random, dialect: str) -> None:
    sql = chance.choice(ordinary(dialect) + hostile(dialect))
    at, length = chance.randrange(len(sql)), chance.randrange(6)
    try_check(sql[:at] + sql[at + length :], dialect)
    try_check(sql[:at] + chance.choice(["'", '"', ")", "/*", "--", ";", "\\", "\n"]) + sql[at:], dialect)


FILTERED = ("orders", "customers")
# A filter speaks of a table as it is, so the past of a filtered table is not read.
PAST = (" as of ", "orders at (", "orders before (")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_use_of_a_filtered_table_carries_its_filter(dialect: str) -> None:
    """Count in the rewritten text: a table with a filter stands nowhere but inside its own derived table."""
    upper = dialect in {"snowflake", "oracle"}
    names = [name.upper() if upper else name for name in FILTERED]
    full = {name: ".".join((*SCHEMAS[dialect], name)) for name in names}
    policy = Policy(
        row_filters={full[name]: "id % 3 = 1" if dialect != "oracle" else "MOD(id, 3) = 1" for name in names}
    )
    kept = 0
    for sql in ordinary(dialect):
        if any(word in sql.lower() for word in ("rowid", "_partitiondate", "_partitiontime")):
            continue  # these belong to a stored table, not to a derived one
        if any(word in sql.lower() for word in PAST):
            with pytest.raises(SqlRefused):
                check(sql, dialect=dialect, catalog=catalogue(dialect), policy=policy)
            continue
        text = check(sql, dialect=dialect, catalog=catalogue(dialect), policy=policy).text
        tree = grammar(dialect).parse(text)[0]
        assert tree is not None
        ctes = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
        for table in tree.find_all(exp.Table):
            if table.name.casefold() in FILTERED and table.name.casefold() not in ctes:
                select = table.find_ancestor(exp.Select)
                assert select is not None
                assert select.args.get("where") is not None, text
                assert "3" in select.args["where"].sql()
                assert isinstance(select.parent, exp.Subquery)
                kept += 1
    assert kept >= 25


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_literal_that_stands_alone_is_read_as_any_other(dialect: str) -> None:
    """The short way for long lists gives the trees of sqlglot's own way."""
    made = grammar(dialect)
    base = made.parser.__mro__[1]
    plainly = dataclasses.replace(
        made, parser=type("Plain", (made.parser,), {"_parse_disjunction": base._parse_disjunction})
    )
    lists = ["SELECT f(1, 'a', ('b'), (2), -3, 'b', 1.5e3) IN (1, 2, '3') FROM t", "SELECT (1), ('a'), 1, 'b'"]
    for sql in [*lists, *ordinary(dialect)]:
        assert made.parse(sql) == plainly.parse(sql), sql
