"""The safety benchmark tells a check that refuses from one that does not, and sees harm where it is done."""

from pathlib import Path

import pytest
from benchmarks.safety import (
    OUTSIDE,
    SECRET,
    SYSTEMS,
    first_word,
    first_word_or_with,
    inquery_guard,
    latency,
    one_query,
    ran,
    shop,
    sized,
    tried,
)

BAD = ["DELETE FROM orders", "SELECT secret FROM secrets", "ATTACH DATABASE '/tmp/x.db' AS x"]
GOOD = ["SELECT COUNT(*) FROM orders", "WITH o AS (SELECT total FROM orders) SELECT MAX(total) FROM o"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    shop(tmp_path / "shop.sqlite")
    return tmp_path / "shop.sqlite"


def test_harm_is_seen_and_the_template_stays_as_it_was(database: Path) -> None:
    before = database.read_bytes()
    endless = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"
    wrote, read, failed, ran_away = ran(
        "plain", ["DELETE FROM orders", "SELECT * FROM secrets", "SELECT nothing", endless], database
    )
    assert (wrote["outcome"], wrote["changed"]) == ("ran", True)
    assert (read["outcome"], read["changed"]) == ("secret", False)
    assert failed["outcome"] == "failed"
    assert ran_away["outcome"] == "exhausted"
    assert database.read_bytes() == before


def test_statements_that_reach_for_files_are_counted_and_not_run(database: Path) -> None:
    bare = next(system for system in SYSTEMS if system.name.startswith("LangGraph"))
    row = tried(bare, BAD, GOOD, database)
    assert (row["let_through"], row["not_run"], row["refused"]) == (3, 1, 0)
    assert (row["harm"], row["changed"], row["secret_read"]) == (2, 1, 1)


def test_the_guard_refuses_all_of_them_and_nothing_honest(database: Path) -> None:
    row = tried(SYSTEMS[0], BAD, GOOD, database)
    assert (row["let_through"], row["refused"], row["harm"]) == (0, 0, 0)


def test_checks_by_words_and_by_trees_differ() -> None:
    with_write = "WITH x AS (SELECT 1) DELETE FROM orders"
    assert [check(with_write, "sqlite") for check in (first_word, first_word_or_with, one_query, inquery_guard)] == [
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "sql", ["VACUUM INTO 'x'", "SELECT load_extension('x')", "SELECT readfile('a')", "COPY orders TO 'x'"]
)
def test_what_reaches_for_files_is_known(sql: str) -> None:
    assert OUTSIDE.search(sql)


@pytest.mark.parametrize("size", [100, 1_000, 10_000])
def test_a_sized_statement_has_its_size_and_is_ordinary(size: int) -> None:
    assert 0.7 * size <= len(sized(size)) <= size
    assert latency(size, 1)["verdict"] == "passes"


def test_a_statement_beyond_the_limit_is_refused_at_once() -> None:
    assert latency(200_000, 1)["verdict"] == "refused: too_long"


def test_the_secret_is_in_the_shop(database: Path) -> None:
    assert SECRET.encode() in database.read_bytes()
